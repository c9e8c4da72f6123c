/* SPDX-License-Identifier: BSD-3-Clause */
#include "drmperf.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/monotonic.h"
#include "base/cold.h"
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
	    out->stages & ~(uint64_t)DRMPERF_STAGE_ALL || out->partial > 2 ||
	    out->yields > 1)
		return error_set(error, -EINVAL,
				 "session options out of range");
	if (out->read == DRMPERF_READ_AUTO)
		return read_mode_from_environment(&out->read, error);
	return 0;
}

static void
session_free(struct drmperf_session *session)
{
	session_clear(session);
	free(session);
}

static struct run_options
run_options_of(const struct drmperf_session_options *own)
{
	return (struct run_options){
		.clock = own->clock,
		.raw = own->raw,
		.raw_data = own->raw_data,
		.raw_period_ns = own->raw ? own->raw_period_ns : 0,
		.pid = own->pid,
		.relaxed = own->read == DRMPERF_READ_LATEST,
		.stages = own->stages,
		.partial = own->partial,
		.yields = own->yields,
	};
}

/* Find the events that serve the selections; keep both for session_build(). */
static int
take_recipe(struct drmperf_session *session,
	    const struct drmperf_selection *selections,
	    const struct drmperf_session_options *own,
	    struct drmperf_error *error)
{
	struct session_recipe *recipe = &session->recipe;

	recipe->options = run_options_of(own);
	recipe->events = calloc(session->size, sizeof(*recipe->events));
	recipe->selections = calloc(session->size, sizeof(*recipe->selections));
	if (!recipe->events || !recipe->selections)
		return error_set(error, -ENOMEM, "no memory");
	memcpy(recipe->selections, selections,
	       session->size * sizeof(*recipe->selections));
	return plan_check_one_pass(session->drmperf, selections, session->size,
				   recipe->events, error);
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
	session = calloc(1, sizeof(*session));
	if (!session)
		return error_set(error, -ENOMEM, "no memory");
	session->drmperf = drmperf;
	session->size = count;
	session->read = own.read;
	ret = take_recipe(session, selections, &own, error);
	/* which the events may not be able to tell apart */
	if (!ret && own.stages)
		ret = session_build(session, error);
	if (ret)
		session_free(session);
	else
		*out = session;
	return ret;
}

COLD static int
explain_inside(struct drmperf_error *error)
{
	error_set(error, -EAGAIN,
		  "the signal came while this thread was in a call of "
		  "libdrmperf");
	error_remedy(error, "call it again at the next signal, or behind that "
			    "call");
	return -EAGAIN;
}

static int
stop_session(struct drmperf_session *session, struct drmperf_error *error);

void
drmperf_session_destroy(struct drmperf_session *session)
{
	NO_CANCELLATION;
	/* a call interrupted by this signal handler may hold a lock */
	if (!session || reentrancy_is_nested())
		return;
	if (fork_guard_is_child(&session->drmperf->guard)) {
		for (size_t i = 0; i < session->domain_count; i++)
			subscription_abandon(&session->domains[i].subscription);
	} else if (session->state == SESSION_RUNNING) {
		stop_session(session, NULL);
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

static struct session_domain *
domain_at(const struct drmperf_session *session, size_t position)
{
	return &session->domains[session->order[position]];
}

static bool
is_refused(int status, enum drmperf_read_mode mode)
{
	return status == -EAGAIN && mode == DRIVER_READ_AT_ONCE;
}

/*
 * Return whether to sample a domain after those that are sampled together: one
 * that failed the last time may hold its lock for long, and one whose values
 * are still those of its base line may be sampled twice. Neither may delay the
 * others.
 */
static bool
is_apart(const struct session_domain *domain, enum drmperf_read_mode mode)
{
	return domain->status < 0 ||
	       (domain->is_at_base && mode == DRMPERF_READ_LATEST);
}

/* Submit samples; a domain whose driver cannot is sampled here instead. */
static int
submit_samples(struct drmperf_session *session, enum drmperf_read_mode mode,
	       bool *lacks)
{
	for (size_t i = 0; i < session->together; i++) {
		struct session_domain *domain = domain_at(session, i);
		int status;

		domain->is_apart = is_apart(domain, mode);
		if (domain->is_apart)
			continue;
		status = session_domain_submit(domain, mode);
		if (is_refused(status, mode))
			return status;
		*lacks |= !domain->is_submitted && status;
	}
	return 0;
}

/* Wait for all submitted samples, and for those of slow GPUs last. */
static int
wait_for_samples(struct drmperf_session *session, enum drmperf_read_mode mode,
		 bool briefly, bool *lacks)
{
	int ret = 0;

	for (size_t i = 0; i < session->together; i++) {
		struct session_domain *domain = domain_at(session, i);
		int status;

		if (!domain->is_submitted)
			continue;
		status = session_domain_wait(domain, mode, briefly);
		if (is_refused(status, mode))
			ret = status;
		*lacks |= !domain->is_submitted && status;
	}
	return ret;
}

static int
sample_domains_apart(struct drmperf_session *session,
		     enum drmperf_read_mode mode, bool *lacks)
{
	for (size_t i = 0; i < session->together; i++) {
		struct session_domain *domain = domain_at(session, i);
		int status;

		if (!domain->is_apart)
			continue;
		status = session_domain_sample(domain, mode);
		if (is_refused(status, mode))
			return status;
		*lacks |= status != 0;
	}
	return 0;
}

/* Sample the domains that are not sampled together. */
static inline int
sample_other_domains(struct drmperf_session *session,
		     enum drmperf_read_mode mode, bool lacks)
{
	for (size_t i = session->together; i < session->domain_count; i++) {
		int status = session_domain_sample(domain_at(session, i), mode);

		if (is_refused(status, mode))
			return status;
		lacks |= status != 0;
	}
	session->lacks = lacks;
	return 0;
}

/*
 * Sample domains together, and then the rest: one wait instead of one after
 * another, and samples that lie close together. What has been submitted is
 * waited for, whatever becomes of the others.
 */
COLD static int
sample_together(struct drmperf_session *session, enum drmperf_read_mode mode)
{
	bool lacks = false;
	int ret = submit_samples(session, mode, &lacks);
	int waited = wait_for_samples(session, mode, true, &lacks);
	int late = wait_for_samples(session, mode, false, &lacks);

	if (!ret)
		ret = waited ? waited : late;
	if (!ret)
		ret = sample_domains_apart(session, mode, &lacks);
	return ret ? ret : sample_other_domains(session, mode, lacks);
}

/*
 * Returns 0, or -EAGAIN, in a handler, if a lock is held. What sources lack
 * stands in their domains.
 */
static inline int
session_sample(struct drmperf_session *session, enum drmperf_read_mode mode)
{
	return session->together ? sample_together(session, mode)
				 : sample_other_domains(session, mode, false);
}

/* Leave the first count domains; the first error is kept. */
static int
session_leave_domains(struct drmperf_session *session, size_t count,
		      struct drmperf_error *error)
{
	int ret, first = 0;

	while (count--) {
		struct session_domain *domain = &session->domains[count];

		if (!domain->counts)
			continue;
		domain->counts = false;
		ret = session_domain_leave(domain, first ? NULL : error);
		if (!first)
			first = ret;
	}
	return first;
}

/* Return the reason why a selection has no value, or NULL. */
static const struct drmperf_error *
find_reason(const struct drmperf_session *session, size_t index)
{
	size_t at = session->first_source[index];

	for (; at < session->first_source[index + 1]; at++) {
		const struct session_source *source = &session->sources[at];
		const struct drmperf_error *reason = session_domain_missing(
			&session->domains[source->domain], source->request);

		if (reason)
			return reason;
	}
	return NULL;
}

/* Copy a reason. A read in a handler leaves a code without a text. */
static int
copy_reason(const struct drmperf_error *reason, struct drmperf_error *out)
{
	if (!out)
		return reason->code;
	if (!reason->cause[0])
		return error_set(out, reason->code, "%s",
				 strerrordesc_np(-reason->code));
	*out = *reason;
	return reason->code;
}

/* Return the first reason of all selections, or 0. */
COLD static int
first_lack(const struct drmperf_session *session, struct drmperf_error *error)
{
	for (size_t i = 0; i < session->size; i++) {
		const struct drmperf_error *reason = find_reason(session, i);

		if (reason)
			return copy_reason(reason, error);
	}
	return 0;
}

/* Refuse a call from a thread of the library, which would wait for itself. */
static int
refuse_own_thread(struct drmperf_error *error)
{
	error_set(error, -EDEADLK,
		  "this is a thread of libdrmperf's own, in which nothing can "
		  "be started");
	error_remedy(error, "configure the tool that measures every thread to "
			    "leave out those named drmperf-...");
	return -EDEADLK;
}

/*
 * Return whether a session may start without the domain. With the option
 * "partial" it may if the machine cannot count the domain's events; if the
 * kernel only refuses them to this user, or now, that takes the option's value
 * 2.
 */
static bool
may_be_left_out(const struct session_domain *domain, int code)
{
	const uint64_t partial = domain->subscription.options.partial;

	switch (code) {
	case -ENODEV:
	case -ENOENT:
	case -ENOTSUP:
	case -EIO:
	case -ENODATA:
		return partial;
	case -EBUSY:
	case -EACCES:
	case -EPERM:
		return partial > 1;
	default:
		return false;
	}
}

/* Begin to count in a domain, unless it may be left out and has to be. */
static int
session_join_domains(struct session_domain *domain, struct drmperf_error *error)
{
	struct drmperf_error *own = &domain->error;
	int ret;

	memset(own, 0, sizeof(*own));
	memset(domain->waits, 0,
	       domain->request_count * sizeof(*domain->waits));
	domain->any_waits = false;
	domain->status = 0;
	ret = session_domain_join(domain, own);
	domain->counts = !ret;
	if (!ret)
		ret = session_domain_sample(domain,
					    domain->subscription.options.relaxed
						    ? DRMPERF_READ_LATEST
						    : DRMPERF_READ_FENCED);
	if (ret >= 0)
		return ret;
	domain->status = own->code = ret;
	if (may_be_left_out(domain, ret)) {
		if (domain->counts)
			session_domain_leave(domain, NULL);
		domain->counts = false;
		return DRIVER_SAMPLE_PARTIAL;
	}
	return copy_reason(own, error);
}

static bool
has_any_value(const struct drmperf_session *session)
{
	for (size_t i = 0; i < session->size; i++) {
		if (!find_reason(session, i))
			return true;
	}
	return false;
}

/*
 * Check the start. Without its option a session counts all of its selections,
 * or none.
 */
static int
check_start(const struct drmperf_session *session, struct drmperf_error *error)
{
	bool partial = session->domains[0].subscription.options.partial;

	if (!session->lacks || (partial && has_any_value(session)))
		return 0;
	return first_lack(session, error);
}

int
drmperf_session_start(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	size_t joined;
	int ret;

	if (reentrancy_is_nested())
		return explain_inside(error);
	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (thread_is_own())
		return refuse_own_thread(error);
	if (session->state == SESSION_RUNNING)
		return error_set(error, -EALREADY,
				 "the session is started already");
	ret = session->recipe.selections ? session_build(session, error) : 0;
	if (ret)
		return ret;
	session->lacks = false;
	for (joined = 0; joined < session->domain_count; joined++) {
		ret = session_join_domains(&session->domains[joined], error);
		if (ret < 0)
			goto leave;
		session->lacks |= ret != 0;
	}
	ret = session->domain_count ? check_start(session, error) : 0;
	if (ret)
		goto leave;
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_set_base(&session->domains[i]);
	session->state = SESSION_RUNNING;
	return 0;

leave:
	if (joined < session->domain_count)
		joined++;
	session_leave_domains(session, joined, NULL);
	return ret;
}

COLD static int
update_idle(const struct drmperf_session *session, struct drmperf_error *error)
{
	if (session->state == SESSION_NEW)
		return error_set(error, -EINVAL,
				 "the session was never started");
	return 0;
}

/* Bring deltas up to date; those of a stopped session stay as they are. */
static inline int
session_update_values(struct drmperf_session *session,
		      enum drmperf_read_mode mode, struct drmperf_error *error)
{
	int ret = fork_guard_check(&session->drmperf->guard, error);

	if (ret)
		return ret;
	return session->state == SESSION_RUNNING ? session_sample(session, mode)
						 : update_idle(session, error);
}

/* Return how many values are missing. */
COLD static int
mark_lacks(const struct drmperf_session *session, union drmperf_value *values,
	   int *statuses)
{
	int count = 0;

	for (size_t i = 0; i < session->size; i++) {
		const struct drmperf_error *reason = find_reason(session, i);

		statuses[i] = reason ? reason->code : 0;
		if (!reason)
			continue;
		count++;
		if (drmperf_event_type(session->recipe.events[i]) ==
		    DRMPERF_TYPE_DOUBLE)
			values[i].f64 = NAN;
		else
			values[i].u64 = UINT64_MAX;
	}
	return count;
}

/* Return the time of the first domain that could be read. */
COLD static uint64_t
time_of_rest(const struct drmperf_session *session)
{
	for (size_t i = 0; i < session->domain_count; i++) {
		if (session->domains[i].status >= 0)
			return session->domains[i].subscription.time_ns;
	}
	return monotonic_ns();
}

static inline int
session_copy_values(const struct drmperf_session *session,
		    union drmperf_value *values, int *statuses,
		    uint64_t *time_ns, struct drmperf_error *error)
{
	int missing =
		session->lacks && !statuses ? first_lack(session, error) : 0;

	if (missing)
		return missing;
	expr_batch_eval(session->batch, values);
	if (statuses)
		memset(statuses, 0, session->size * sizeof(*statuses));
	if (session->lacks && statuses)
		missing = mark_lacks(session, values, statuses);
	if (time_ns && session->lacks)
		*time_ns = time_of_rest(session);
	else if (time_ns)
		*time_ns = session->domain_count
				   ? session->domains[0].subscription.time_ns
				   : 0;
	return missing;
}

int
drmperf_session_read(struct drmperf_session *session,
		     union drmperf_value *values, int *statuses,
		     uint64_t *time_ns, struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret;

	ret = reentrancy_is_nested()
		      ? explain_inside(error)
		      : session_update_values(session, session->read, error);
	return ret ? ret
		   : session_copy_values(session, values, statuses, time_ns,
					 error);
}

int
drmperf_session_explain(const struct drmperf_session *session, size_t index,
			struct drmperf_error *out)
{
	const struct drmperf_error *reason;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, out);
	if (ret)
		return ret;
	if (index >= session->size || session->state == SESSION_NEW)
		return error_set(out, -EINVAL,
				 "the session was never started, or has no "
				 "value with this index");
	reason = find_reason(session, index);
	return reason ? copy_reason(reason, out) : 0;
}

int
drmperf_session_sample_info(const struct drmperf_session *session, size_t index,
			    struct drmperf_sample_info *out)
{
	const struct session_domain *domain;
	size_t at;
	int ret;

	ret = fork_guard_check(&session->drmperf->guard, NULL);
	if (ret)
		return ret;
	if (index >= session->size || out->size < sizeof(*out))
		return -EINVAL;
	out->elapsed_ns = 0;
	out->die = -1;
	out->may_miss_resets = false;
	out->event = session->recipe.events[index];
	if (!session->domain_count || session->state == SESSION_NEW)
		return 0;
	at = session->first_source[index];
	domain = &session->domains[0];
	if (at < session->first_source[index + 1])
		domain = &session->domains[session->sources[at].domain];
	out->elapsed_ns = session_domain_elapsed_ns(domain);
	out->die = domain->subscription.origin.die;
	out->may_miss_resets = domain->subscription.origin.may_miss_resets;
	return 0;
}

bool
drmperf_session_is_wanted(const struct drmperf_session *session)
{
	if (fork_guard_is_child(&session->drmperf->guard))
		return false;
	for (size_t i = 0; i < session->domain_count; i++) {
		if (session_domain_is_wanted(&session->domains[i]))
			return true;
	}
	return false;
}

int
drmperf_session_try_read(struct drmperf_session *session,
			 union drmperf_value *values, int *statuses,
			 uint64_t *time_ns)
{
	NO_CANCELLATION;
	int before = errno, ret = -EAGAIN;

	if (!reentrancy_is_nested())
		ret = session_update_values(session, DRIVER_READ_AT_ONCE, NULL);
	if (!ret)
		ret = session_copy_values(session, values, statuses, time_ns,
					  NULL);
	errno = before;
	return ret;
}

int
drmperf_session_reset(struct drmperf_session *session,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret;

	if (reentrancy_is_nested())
		return explain_inside(error);
	ret = session_update_values(session, session->read, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->domain_count; i++)
		session_domain_set_base(&session->domains[i]);
	return session->lacks ? first_lack(session, error) : 0;
}

static int
stop_session(struct drmperf_session *session, struct drmperf_error *error)
{
	int ret, left;

	ret = fork_guard_check(&session->drmperf->guard, error);
	if (ret)
		return ret;
	if (session->state != SESSION_RUNNING)
		return error_set(error, -EINVAL, "the session is not started");
	ret = session_update_values(session, session->read, error);
	if (!ret && session->lacks)
		ret = first_lack(session, error);
	left = session_leave_domains(session, session->domain_count,
				     ret ? NULL : error);
	session->state = SESSION_STOPPED;
	return ret ? ret : left;
}

int
drmperf_session_stop(struct drmperf_session *session,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;

	return reentrancy_is_nested() ? explain_inside(error)
				      : stop_session(session, error);
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

/*
 * Return the one domain of the device whose records come; NULL: none, or
 * several.
 */
static struct session_domain *
find_recorded(struct drmperf_session *session,
	      const struct drmperf_device *device)
{
	struct session_domain *found = NULL;

	for (size_t i = 0; i < session->domain_count; i++) {
		struct session_domain *domain = &session->domains[i];

		if (domain->device != device ||
		    !domain->domain->info->ops->stream_header)
			continue;
		if (found)
			return NULL;
		found = domain;
	}
	return found;
}

int
drmperf_session_stream_header(struct drmperf_session *session,
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
	return subscription_stream_header(&domain->subscription, buffer, size,
					  length, error);
}

int
drmperf_session_replay(struct drmperf_session *session, const void *records,
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
	return subscription_replay(&session->domains[0].subscription, &given,
				   used, error);
}
