/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_counting.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "gl_tell.h"

struct gl_counting {
	atomic_uint owners;
	struct drmperf_session *session;
	union drmperf_value *values;
	/* ends that are to come; the values are read when there are none */
	atomic_uint expected;
	struct drmperf_error outcome;
	pthread_mutex_t lock; /* to wait until there are none */
	pthread_cond_t settled;
};

static int
create_session(struct drmperf *drmperf, const struct gl_selected *selected,
	       struct gl_counting *counting, struct drmperf_error *error)
{
	struct drmperf_selection *selections =
		calloc(selected->count, sizeof(*selections));
	int rc;

	counting->values = calloc(selected->count, sizeof(*counting->values));
	if (!selections || !counting->values) {
		free(selections);
		return fe_fail_memory(error);
	}
	for (size_t i = 0; i < selected->count; i++)
		selections[i] = (struct drmperf_selection){
			selected->list[i].what->event, DRMPERF_ALL_INSTANCES
		};
	rc = drmperf_session_create(drmperf, selections, selected->count, NULL,
				    &counting->session, error);
	free(selections);
	return rc;
}

int
gl_counting_create(struct drmperf *drmperf, const struct gl_selected *selected,
		   struct gl_counting **out, struct drmperf_error *error)
{
	struct gl_counting *counting = calloc(1, sizeof(*counting));
	int rc;

	if (!counting)
		return fe_fail_memory(error);
	atomic_init(&counting->owners, 1);
	atomic_init(&counting->expected, 0);
	pthread_mutex_init(&counting->lock, NULL);
	pthread_cond_init(&counting->settled, NULL);
	rc = create_session(drmperf, selected, counting, error);
	if (rc)
		gl_counting_release(counting);
	else
		*out = counting;
	return rc;
}

struct gl_counting *
gl_counting_hold(struct gl_counting *counting)
{
	atomic_fetch_add(&counting->owners, 1);
	return counting;
}

void
gl_counting_release(struct gl_counting *counting)
{
	if (!counting || atomic_fetch_sub(&counting->owners, 1) > 1)
		return;
	drmperf_session_destroy(counting->session);
	free(counting->values);
	pthread_cond_destroy(&counting->settled);
	pthread_mutex_destroy(&counting->lock);
	free(counting);
}

int
gl_counting_start(struct gl_counting *counting, struct drmperf_error *error)
{
	return drmperf_session_start(counting->session, error);
}

int
gl_counting_restart(struct gl_counting *counting, struct drmperf_error *error)
{
	return drmperf_session_reset(counting->session, error);
}

int
gl_counting_stop(struct gl_counting *counting, struct drmperf_error *error)
{
	drmperf_session_stop(counting->session, error);
	return drmperf_session_read(counting->session, counting->values, NULL,
				    NULL, error);
}

const union drmperf_value *
gl_counting_values(const struct gl_counting *counting)
{
	return counting->values;
}

void
gl_counting_expect(struct gl_counting *counting)
{
	atomic_fetch_add(&counting->expected, 1);
}

void
gl_counting_complete(struct gl_counting *counting,
		     const struct drmperf_error *error)
{
	counting->outcome = *error;
	pthread_mutex_lock(&counting->lock);
	atomic_fetch_sub(&counting->expected, 1);
	pthread_cond_broadcast(&counting->settled);
	pthread_mutex_unlock(&counting->lock);
}

bool
gl_counting_is_complete(const struct gl_counting *counting)
{
	return !atomic_load(&counting->expected);
}

void
gl_counting_wait(struct gl_counting *counting)
{
	pthread_mutex_lock(&counting->lock);
	while (!gl_counting_is_complete(counting))
		pthread_cond_wait(&counting->settled, &counting->lock);
	pthread_mutex_unlock(&counting->lock);
}

const struct drmperf_error *
gl_counting_outcome(const struct gl_counting *counting)
{
	return &counting->outcome;
}
