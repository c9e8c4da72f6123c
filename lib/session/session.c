/* SPDX-License-Identifier: BSD-3-Clause */
#include "drmperf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/seldom.h"
#include "base/thread.h"
#include "plan/plan.h"
#include "session/build.h"

/* ------------------------------------------------------------------ */
/* Create and destroy                                                   */

static int
read_mode_from_environment(enum drmperf_read_mode *out,
			   struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_READ");

	*out = DRMPERF_READ_FENCED;
	if (!text || !*text || !strcmp(text, "fenced"))
		return 0;
	if (!strcmp(text, "latest")) {
		*out = DRMPERF_READ_LATEST;
		return 0;
	}
	error_set(error, -EINVAL, "DRMPERF_READ is \"%s\"", text);
	error_remedy(error, "set it to \"fenced\" or \"latest\", or unset it");
	return -EINVAL;
}

static int
read_options(const struct drmperf_session_options *given,
	     struct drmperf_session_options *out, struct drmperf_error *error)
{
	memset(out, 0, sizeof(*out));
	if (given) {
		if (given->size < sizeof(given->size) ||
		    given->size > sizeof(*given))
			return error_set(error, -EINVAL,
					 "session options of %zu bytes, this "
					 "library knows %zu",
					 given->size, sizeof(*given));
		memcpy(out, given, given->size);
	}
	if (out->clock > DRMPERF_CLOCK_PEAK ||
	    out->read > DRMPERF_READ_LATEST ||
	    out->stages & ~(uint64_t)DRMPERF_STAGE_ALL)
		return error_set(error, -EINVAL,
				 "session options out of range");
	if (out->read == DRMPERF_READ_AUTO)
		return read_mode_from_environment(&out->read, error);
	return 0;
}

static void
session_free(struct drmperf_session *session)
{
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_finish(&session->domains[i]);
	free(session->domains);
	free(session->places);
	expr_batch_destroy(session->batch);
	free(session);
}

int
drmperf_session_create(struct drmperf *drmperf,
		       const struct drmperf_selection *selections, size_t count,
		       const struct drmperf_session_options *options,
		       struct drmperf_session **out,
		       struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_session_options own;
	const struct drmperf_event **chosen;
	struct drmperf_session *session;
	int ret;

	ret = fork_guard_check(&drmperf->guard, error);
	if (ret)
		return ret;
	if (!count)
		return error_set(error, -EINVAL, "a session needs an event");
	ret = read_options(options, &own, error);
	if (ret)
		return ret;
	chosen = calloc(count, sizeof(*chosen));
	session = calloc(1, sizeof(*session));
	if (!chosen || !session)
		ret = error_set(error, -ENOMEM, "no memory");
	if (!ret)
		ret = plan_check_one_pass(drmperf, selections, count, chosen,
					  error);
	if (!ret) {
		session->drmperf = drmperf;
		session->size = count;
		session->read = own.read;
		ret = session_build(
			session, selections, chosen,
			&(struct run_options){
				.clock = own.clock,
				.raw = own.raw,
				.raw_data = own.raw_data,
				.raw_period_ns =
					own.raw ? own.raw_period_ns : 0,
				.pid = own.pid,
				.relaxed = own.read == DRMPERF_READ_LATEST,
				.stages = own.stages },
			error);
	}
	free(chosen);
	if (!ret)
		*out = session;
	else if (session)
		session_free(session);
	return ret;
}

void
drmperf_session_destroy(struct drmperf_session *session)
{
	NO_CANCELLATION;
	if (!session)
		return;
	if (fork_guard_is_child(&session->drmperf->guard)) {
		for (size_t i = 0; i < session->domain_count; i++)
			member_abandon(&session->domains[i].member);
	} else if (session->state == SESSION_RUNNING) {
		drmperf_session_stop(session, NULL);
	}
	session_free(session);
}

size_t
drmperf_session_size(const struct drmperf_session *session)
{
	return session->size;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static inline int
sample(struct drmperf_session *session, enum drmperf_read_mode mode,
       struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < session->domain_count; i++)
		ret = member_sample(&session->domains[i].member, mode, error);
	return ret;
}

/* Leave the first count domains; the first error is kept. */
static int
leave(struct drmperf_session *session, size_t count,
      struct drmperf_error *error)
{
	int ret, first = 0;

	while (count--) {
		ret = member_leave(&session->domains[count].member,
				   first ? NULL : error);
		if (!first)
			first = ret;
	}
	return first;
}

/* It would wait for what its own thread has to do. */
static int
refuse_own_thread(struct drmperf_error *error)
{
	error_set(error, -EDEADLK,
		  "this is a thread of libdrmperf's own, in which nothing can "
		  "be started");
	error_remedy(error, "tell the tool that measures every thread to leave "
			    "drmperf's out, which are named drmperf-...");
	return -EDEADLK;
}

int
drmperf_session_start(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	size_t joined;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (thread_is_own())
		return refuse_own_thread(error);
	if (session->state == SESSION_RUNNING)
		return error_set(error, -EALREADY,
				 "the session is started already");
	for (joined = 0; joined < session->domain_count; joined++) {
		ret = member_join(&session->domains[joined].member, error);
		if (ret)
			goto leave;
	}
	ret = sample(session, session->read, error);
	if (ret)
		goto leave;
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_set_base(&session->domains[i]);
	session->state = SESSION_RUNNING;
	session->no_values.code = 0;
	return 0;

leave:
	leave(session, joined, NULL);
	return ret;
}

SELDOM static int
update_idle(const struct drmperf_session *session, struct drmperf_error *error)
{
	if (session->state == SESSION_NEW)
		return error_set(error, -EINVAL,
				 "the session was never started");
	if (error && session->no_values.code)
		*error = session->no_values;
	return session->no_values.code;
}

/* Bring deltas up to date; those of a stopped session stay as they are. */
static inline int
update(struct drmperf_session *session, enum drmperf_read_mode mode,
       struct drmperf_error *error)
{
	int ret = fork_guard_check(&session->drmperf->guard, error);

	if (ret)
		return ret;
	return session->state == SESSION_RUNNING ? sample(session, mode, error)
						 : update_idle(session, error);
}

SELDOM static int
say_inside(struct drmperf_error *error)
{
	return error_set(error, -EAGAIN,
			 "the signal came while this thread was in a call of "
			 "libdrmperf");
}

static void
give(const struct drmperf_session *session, union drmperf_value *values,
     uint64_t *time_ns)
{
	expr_batch_eval(session->batch, values);
	if (time_ns)
		*time_ns = session->domain_count
				   ? session->domains[0].member.time_ns
				   : 0;
}

int
drmperf_session_read(struct drmperf_session *session,
		     union drmperf_value *values, uint64_t *time_ns,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret;

	ret = inside_is_nested() ? say_inside(error)
				 : update(session, session->read, error);
	if (!ret)
		give(session, values, time_ns);
	return ret;
}

int
drmperf_session_origin(const struct drmperf_session *session, size_t index,
		       struct drmperf_origin *out)
{
	const struct session_domain *domain;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, NULL);
	if (ret)
		return ret;
	if (index >= session->size || out->size < sizeof(*out))
		return -EINVAL;
	out->elapsed_ns = 0;
	out->die = -1;
	if (!session->domain_count || session->state == SESSION_NEW)
		return 0;
	domain = &session->domains[session->places[index]];
	out->elapsed_ns = session_domain_elapsed_ns(domain);
	out->die = domain->member.origin.die;
	return 0;
}

int
drmperf_session_try_read(struct drmperf_session *session,
			 union drmperf_value *values, uint64_t *time_ns)
{
	NO_CANCELLATION;
	int before = errno, ret = -EAGAIN;

	if (!inside_is_nested())
		ret = update(session, DRIVER_READ_AT_ONCE, NULL);
	if (!ret)
		give(session, values, time_ns);
	errno = before;
	return ret;
}

int
drmperf_session_reset(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret;

	ret = update(session, session->read, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_set_base(&session->domains[i]);
	return 0;
}

int
drmperf_session_stop(struct drmperf_session *session,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret, left;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (session->state != SESSION_RUNNING)
		return error_set(error, -EINVAL, "the session is not started");
	ret = update(session, session->read, &session->no_values);
	if (ret && error)
		*error = session->no_values;
	left = leave(session, session->domain_count, ret ? NULL : error);
	session->state = SESSION_STOPPED;
	return ret ? ret : left;
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

/* The one domain of the device whose records come; NULL: none, or several. */
static struct session_domain *
find_recorded(struct drmperf_session *session,
	      const struct drmperf_device *device)
{
	struct session_domain *found = NULL;

	for (size_t i = 0; i < session->domain_count; i++) {
		struct session_domain *domain = &session->domains[i];

		if (domain->device != device ||
		    !domain->domain->info->ops->head)
			continue;
		if (found)
			return NULL;
		found = domain;
	}
	return found;
}

int
drmperf_session_raw_head(struct drmperf_session *session,
			 const struct drmperf_device *device, void *buffer,
			 size_t size, size_t *length,
			 struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct session_domain *domain;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (session->state != SESSION_RUNNING)
		return error_set(error, -EINVAL, "the session is not started");
	domain = find_recorded(session, device);
	if (!domain)
		return error_set(error, -ENOTSUP,
				 "of device %u there are no records, or of "
				 "several units",
				 drmperf_device_index(device));
	return member_head(&domain->member, buffer, size, length, error);
}

int
drmperf_session_feed(struct drmperf_session *session, const void *records,
		     size_t size, uint64_t span_ns, size_t *used,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct raw_records given = { .data = records,
					   .size = size,
					   .span_ns = span_ns };
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	*used = 0;
	if (session->state != SESSION_RUNNING || session->domain_count != 1)
		return error_set(error, -EINVAL,
				 "the session is not started, or counts more "
				 "than what is recorded");
	return member_feed(&session->domains[0].member, &given, used, error);
}
