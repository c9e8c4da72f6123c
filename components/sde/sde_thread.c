/* SPDX-License-Identifier: BSD-3-Clause */
#include "sde_thread.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sde_error.h"

/*
 * No sample serves longer than that: where PAPI_start fails for another
 * component, the next call is of the same kind, but another call of PAPI's.
 */
#define SAMPLE_NS 1000000

enum use {
	USE_READ,
	USE_RESET,
};

struct counted {
	struct papi_drm_set *alone; /* NULL, or a set for its value */
	long long zero;
	bool has_sample; /* the present one was used for it */
};

struct sde_thread {
	const struct sde_list *list; /* NULL: nothing counts */
	struct papi_drm_set *set; /* of all events */
	struct counted *counted; /* by event */

	const long long *sample; /* by event; NULL: there is none */
	const long long *zeros; /* a sample of a set that has just started */
	enum use use;
	uint64_t time_ns;
};

int
sde_thread_create(struct sde_thread **out)
{
	struct sde_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return -ENOMEM;
	*out = thread;
	return 0;
}

void
sde_thread_stop(struct sde_thread *thread)
{
	if (!thread->list)
		return;
	for (unsigned i = 0; thread->counted && i < thread->list->count; i++)
		papi_drm_set_destroy(thread->counted[i].alone);
	papi_drm_set_destroy(thread->set);
	free(thread->counted);
	free((void *)thread->zeros);
	memset(thread, 0, sizeof(*thread));
}

void
sde_thread_destroy(struct sde_thread *thread)
{
	if (!thread)
		return;
	sde_thread_stop(thread);
	free(thread);
}

bool
sde_thread_counts(const struct sde_thread *thread)
{
	return thread->list;
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
keep_sample(struct sde_thread *thread, enum use use, const long long *sample)
{
	for (unsigned i = 0; i < thread->list->count; i++)
		thread->counted[i].has_sample = false;
	thread->sample = sample;
	thread->use = use;
	thread->time_ns = now_ns();
}

static bool
can_use_sample(const struct sde_thread *thread, enum use use, unsigned index)
{
	return thread->sample && thread->use == use &&
	       !thread->counted[index].has_sample &&
	       now_ns() - thread->time_ns < SAMPLE_NS;
}

/* Read an event's value, from a sample of all events. */
static int
take_sample(struct sde_thread *thread, enum use use, unsigned index,
	    long long *value, struct drmperf_error *error)
{
	if (!can_use_sample(thread, use, index)) {
		long long *values;
		int rc = papi_drm_set_read(thread->set, &values, error);

		if (rc) {
			thread->sample = NULL;
			return rc;
		}
		keep_sample(thread, use, values);
	}
	thread->counted[index].has_sample = true;
	*value = thread->sample[index];
	return 0;
}

/* ------------------------------------------------------------------ */
/* Starting                                                             */

static int
start_set(struct sde_thread *thread, struct drmperf_error *error)
{
	int rc = papi_drm_set_start(thread->set, error);

	if (rc)
		return rc;
	for (unsigned i = 0; i < thread->list->count; i++)
		thread->counted[i].zero = 0;
	keep_sample(thread, USE_RESET, thread->zeros);
	return 0;
}

static int
thread_start(struct sde_thread *thread, const struct sde_list *list,
	     struct drmperf_error *error)
{
	int rc = sde_list_make_set(list, SDE_LIST_NONE, &thread->set, error);

	if (rc)
		return rc;
	thread->list = list;
	thread->counted = calloc(list->count, sizeof(*thread->counted));
	thread->zeros = calloc(list->count, sizeof(*thread->zeros));
	if (!thread->counted || !thread->zeros)
		rc = sde_fail(error, -ENOMEM, "", "no memory");
	else
		rc = start_set(thread, error);
	if (rc)
		sde_thread_stop(thread);
	return rc;
}

/* Count again from zero after an error. */
static int
restart_count(struct sde_thread *thread, struct drmperf_error *error)
{
	struct drmperf_error ignored;

	papi_drm_set_stop(thread->set, &ignored);
	return start_set(thread, error);
}

/* ------------------------------------------------------------------ */
/* Events counted alone                                                 */

static int
start_own_set(struct sde_thread *thread, unsigned index,
	      struct drmperf_error *error)
{
	struct papi_drm_set *set;
	int rc = sde_list_make_set(thread->list, index, &set, error);

	if (rc)
		return rc;
	rc = papi_drm_set_start(set, error);
	if (rc) {
		papi_drm_set_destroy(set);
		return rc;
	}
	thread->counted[index].alone = set;
	return 0;
}

static int
reset_own_set(struct sde_thread *thread, unsigned index,
	      struct drmperf_error *error)
{
	struct papi_drm_set **alone = &thread->counted[index].alone;

	if (*alone && !papi_drm_set_reset(*alone, error))
		return 0;
	papi_drm_set_destroy(*alone);
	*alone = NULL;
	return start_own_set(thread, index, error);
}

static int
read_own_set(struct sde_thread *thread, unsigned index, long long *value,
	     struct drmperf_error *error)
{
	long long *values;
	int rc;

	if (!thread->counted[index].alone)
		return sde_fail(error, -EINVAL, "",
				"an event is read that was not started");
	rc = papi_drm_set_read(thread->counted[index].alone, &values, error);
	if (!rc)
		*value = values[index];
	return rc;
}

int
sde_thread_explain(struct sde_thread *thread, unsigned index,
		   struct drmperf_error *error)
{
	struct papi_drm_set *alone = thread->counted[index].alone;

	return papi_drm_set_explain(alone ? alone : thread->set, error);
}

/* ------------------------------------------------------------------ */
/* Functions for PAPI                                                   */

int
sde_thread_reset(struct sde_thread *thread, const struct sde_list *list,
		 unsigned index, struct drmperf_error *error)
{
	long long zero;
	int rc = thread->list ? 0 : thread_start(thread, list, error);

	if (rc)
		return rc;
	if (list->events[index].stands_alone)
		return reset_own_set(thread, index, error);
	rc = take_sample(thread, USE_RESET, index, &zero, error);
	if (rc || (zero == PAPI_DRM_NO_VALUE && list->events[index].adds_up))
		return restart_count(thread, error);
	thread->counted[index].zero = zero;
	return 0;
}

int
sde_thread_read(struct sde_thread *thread, unsigned index, long long *value,
		struct drmperf_error *error)
{
	long long counted;
	int rc;

	if (thread->list->events[index].stands_alone)
		return read_own_set(thread, index, value, error);
	rc = take_sample(thread, USE_READ, index, &counted, error);
	if (rc)
		return rc;
	if (thread->list->events[index].adds_up && counted != PAPI_DRM_NO_VALUE)
		counted -= thread->counted[index].zero;
	*value = counted;
	return 0;
}
