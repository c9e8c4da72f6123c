/* SPDX-License-Identifier: BSD-3-Clause */
#include "papi_drm_set.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi_drm_queues.h"

enum conversion {
	AS_INTEGER, /* an integer */
	AS_DOUBLE, /* a double that is wanted as one */
	SCALED, /* a double delivered as an integer */
};

/* The event counted for a position. */
struct value {
	unsigned position;
	enum conversion conversion;
	double scale;
	bool accumulates;
	const struct drmperf_event *event;
};

struct position {
	bool used;
	int native_code;
	int papi_code;
};

struct papi_drm_set {
	const struct papi_drm_library *library;
	struct drmperf_session *session; /* NULL: nothing to count */
	struct papi_drm_queues queues; /* that are held for it */
	bool started;
	size_t count;
	/* both as the session has them */
	struct drmperf_selection selections[PAPI_DRM_SET_SIZE];
	struct value values[PAPI_DRM_SET_SIZE];
	struct position positions[PAPI_DRM_SET_SIZE];
	bool busy; /* in a call, as a signal handler may find it */
	const long long *last; /* the newest of results, or NULL */
	/* a value was missing, which has not been reported since the start */
	bool lacks, has_reported;
	union drmperf_value raw[PAPI_DRM_SET_SIZE];
	int statuses[PAPI_DRM_SET_SIZE];
	/*
	 * Values by position. PAPI copies them after the read has returned. So
	 * reads in signal handlers use other memory, and each read leaves the
	 * values of the one before.
	 */
	struct results {
		unsigned next;
		long long values[2][PAPI_DRM_SET_SIZE];
	} own, handlers;
};

static void
set_enter(struct papi_drm_set *set)
{
	set->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
}

static void
set_leave(struct papi_drm_set *set)
{
	atomic_signal_fence(memory_order_seq_cst);
	set->busy = false;
}

int
papi_drm_set_create(const struct papi_drm_library *library,
		    struct papi_drm_set **out)
{
	struct papi_drm_set *set = calloc(1, sizeof(*set));

	if (!set)
		return -ENOMEM;
	set->library = library;
	*out = set;
	return 0;
}

static void
set_clear(struct papi_drm_set *set)
{
	if (set->session)
		set->library->session_destroy(set->session);
	papi_drm_queues_release(&set->queues, set->library);
	set->session = NULL;
	set->started = false;
	set->count = 0;
	memset(set->positions, 0, sizeof(set->positions));
}

void
papi_drm_set_destroy(struct papi_drm_set *set)
{
	if (!set)
		return;
	set_clear(set);
	free(set);
}

/* ------------------------------------------------------------------ */
/* Changing                                                             */

static bool
is_known(const struct papi_drm_set *set, const struct papi_drm_slot *event)
{
	const struct position *position;

	if (event->position < 0 || event->position >= PAPI_DRM_SET_SIZE)
		return false;
	position = &set->positions[event->position];
	return position->used && position->native_code == event->native_code;
}

static bool
is_unchanged(const struct papi_drm_set *set, const struct papi_drm_slot *events,
	     size_t count)
{
	size_t i;

	if (count != set->count)
		return false;
	for (i = 0; i < count; i++) {
		if (!is_known(set, &events[i]))
			return false;
	}
	return true;
}

/* Lay out the new positions: events that have one keep it. */
static void
set_assign_positions(const struct papi_drm_set *set,
		     struct papi_drm_slot *events, size_t count,
		     struct position *positions)
{
	size_t i;
	int next = 0;

	memset(positions, 0, PAPI_DRM_SET_SIZE * sizeof(*positions));
	for (i = 0; i < count; i++) {
		if (is_known(set, &events[i]))
			positions[events[i].position] =
				set->positions[events[i].position];
		else
			events[i].position = -1;
	}
	for (i = 0; i < count; i++) {
		if (events[i].position >= 0)
			continue;
		while (positions[next].used)
			next++;
		events[i].position = next;
		positions[next].used = true;
		positions[next].native_code = events[i].native_code;
		positions[next].papi_code = events[i].papi_code;
	}
}

/* Return whether an event stood at this place of the list before. */
static bool
is_in_place(const struct papi_drm_set *set, size_t i,
	    const struct papi_drm_slot *event)
{
	return i < set->count &&
	       set->positions[set->values[i].position].native_code ==
		       event->native_code;
}

static int
set_resolve(struct papi_drm_set *set, struct papi_drm_names *names,
	    const struct papi_drm_slot *events, size_t count,
	    struct drmperf_selection *selections, struct value *values)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct papi_drm_event event;
		int rc;

		if (is_in_place(set, i, &events[i])) {
			selections[i] = set->selections[i];
			values[i] = set->values[i];
			values[i].position = (unsigned)events[i].position;
			continue;
		}
		rc = papi_drm_names_event(
			names, (unsigned)events[i].native_code, &event);
		if (rc)
			return rc;
		selections[i] = event.selection;
		values[i].position = (unsigned)events[i].position;
		values[i].event = event.selection.event;
		values[i].scale = papi_drm_event_scale(set->library, &event);
		values[i].conversion = event.as_double	      ? AS_DOUBLE
				       : values[i].scale == 1 ? AS_INTEGER
							      : SCALED;
		values[i].accumulates =
			set->library->event_kind(event.selection.event) ==
			DRMPERF_KIND_CUMULATIVE;
	}
	return 0;
}

/* Repair positions whose code PAPI did not move with its event. */
static void
set_fix_positions(const struct papi_drm_set *set, struct papi_drm_slot *events,
		  size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		events[i].papi_code =
			set->positions[events[i].position].papi_code;
}

/* Count the first events that need no queues held, as before. */
static size_t
count_plain(const struct papi_drm_set *set, const struct value *values,
	    size_t count)
{
	size_t i = 0;

	while (i < count && i < set->count && i < set->queues.plain &&
	       values[i].event == set->values[i].event)
		i++;
	return i;
}

int
papi_drm_set_update(struct papi_drm_set *set, struct drmperf *drmperf,
		    struct papi_drm_names *names, struct papi_drm_slot *events,
		    size_t count, struct drmperf_error *error)
{
	struct drmperf_selection selections[PAPI_DRM_SET_SIZE];
	struct position positions[PAPI_DRM_SET_SIZE];
	struct value values[PAPI_DRM_SET_SIZE];
	struct papi_drm_queues queues = { 0 };
	struct drmperf_session *session;
	int rc;

	if (count == 0) {
		set_clear(set);
		return 0;
	}
	if (count > PAPI_DRM_SET_SIZE)
		return -ENOSPC;
	if (is_unchanged(set, events, count)) {
		set_fix_positions(set, events, count);
		return 0;
	}
	set_assign_positions(set, events, count, positions);
	rc = set_resolve(set, names, events, count, selections, values);
	queues.plain = rc ? 0 : count_plain(set, values, count);
	if (!rc)
		rc = papi_drm_queues_prepare(&queues, set->library, selections,
					     count, error);
	if (rc)
		return rc;
	rc = set->library->session_create(drmperf, selections, count, NULL,
					  &session, error);
	if (rc) {
		papi_drm_queues_release(&queues, set->library);
		return rc;
	}
	set_clear(set);
	set->session = session;
	set->queues = queues;
	set->count = count;
	memcpy(set->selections, selections, count * sizeof(*selections));
	memcpy(set->values, values, count * sizeof(*values));
	memcpy(set->positions, positions, sizeof(positions));
	set_fix_positions(set, events, count);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

int
papi_drm_set_start(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	if (!set->session)
		return -EINVAL;
	/* A signal's handler has interrupted another call for this set. */
	if (set->busy)
		return -EAGAIN;
	set_enter(set);
	set->last = NULL;
	set->lacks = set->has_reported = false;
	/* PAPI takes a set for stopped even if a stop failed in a handler */
	if (set->started)
		set->library->session_stop(set->session, NULL);
	rc = set->library->session_start(set->session, error);
	if (!rc)
		set->started = true;
	set_leave(set);
	return rc;
}

int
papi_drm_set_stop(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	/* PAPI stops a set that failed to start. */
	if (!set->started)
		return 0;
	if (set->busy)
		return -EAGAIN;
	set_enter(set);
	rc = set->library->session_stop(set->session, error);
	set->started = rc == -EAGAIN;
	set_leave(set);
	return rc;
}

int
papi_drm_set_reset(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	if (!set->session)
		return -EINVAL;
	if (set->busy)
		return -EAGAIN;
	set_enter(set);
	rc = set->library->session_reset(set->session, error);
	if (papi_drm_set_is_reset(rc))
		set->last = NULL;
	set_leave(set);
	return rc;
}

/*
 * Round to the nearest integer, but not to PAPI_DRM_NO_VALUE. Not by llround(),
 * since PAPI does not link libm. Not inlined, since reads of integers would
 * load its constants, too.
 */
static __attribute__((noinline)) long long
to_integer(double value)
{
	if (isnan(value))
		return PAPI_DRM_NO_VALUE;
	/* 2^63 is the first double that is too large */
	if (value >= 0x1p63)
		return LLONG_MAX;
	if (value <= -0x1p63)
		return PAPI_DRM_NO_VALUE + 1;
	if (value >= 0x1p52 || value <= -0x1p52) /* has no fraction */
		return (long long)value;
	return (long long)(value < 0 ? value - 0.5 : value + 0.5);
}

/* Mark integers that could not be read; doubles are NaN already. */
static void
mark_missing(const struct papi_drm_set *set, long long *out)
{
	size_t i;

	for (i = 0; i < set->count; i++) {
		if (set->statuses[i] && set->values[i].conversion == AS_INTEGER)
			out[set->values[i].position] = PAPI_DRM_NO_VALUE;
	}
}

/* Convert raw values into the results, of which they become the last. */
static inline void
set_convert_results(struct papi_drm_set *set, struct results *results,
		    int missing)
{
	long long *out = results->values[results->next];
	bool lacks = missing > 0;
	size_t i;

	for (i = 0; i < set->count; i++) {
		const struct value *value = &set->values[i];
		long long *result = &out[value->position];

		if (value->conversion != SCALED) {
			memcpy(result, &set->raw[i], sizeof(*result));
		} else {
			*result = to_integer(set->raw[i].f64 * value->scale);
			lacks |= *result == PAPI_DRM_NO_VALUE;
		}
	}
	if (missing)
		mark_missing(set, out);
	set->lacks = lacks;
	results->next ^= 1;
	atomic_signal_fence(memory_order_seq_cst);
	set->last = out;
}

static bool
lacks_value(const struct papi_drm_set *set, size_t index)
{
	return set->statuses[index] ||
	       (set->values[index].conversion == SCALED &&
		isnan(set->raw[index].f64));
}

int
papi_drm_set_explain(struct papi_drm_set *set, struct drmperf_error *error)
{
	size_t i = 0;

	if (!set->lacks || set->has_reported)
		return 0;
	set->has_reported = true;
	while (i < set->count && !lacks_value(set, i))
		i++;
	if (i == set->count)
		return 0;
	if (set->statuses[i])
		return set->library->session_explain(set->session, i, error);
	error->code = -ENODATA;
	snprintf(error->cause, sizeof(error->cause),
		 "%s is a quotient by 0 so far",
		 set->library->event_name(set->values[i].event));
	snprintf(error->remedy, sizeof(error->remedy),
		 "read after the GPU has done some work, or add the event "
		 "with \"" DOUBLE_QUALIFIER
		 "\", which reads as NaN until then");
	return error->code;
}

bool
papi_drm_set_accumulates(const struct papi_drm_set *set, int position)
{
	size_t i;

	for (i = 0; i < set->count; i++) {
		if (set->values[i].position == (unsigned)position)
			return set->values[i].accumulates;
	}
	return false;
}

/* Read while another call may have been interrupted. */
static int
read_in_handler(struct papi_drm_set *set)
{
	int rc = -EAGAIN;

	if (set->busy)
		return rc;
	set_enter(set);
	if (set->started)
		rc = set->library->session_try_read(set->session, set->raw,
						    set->statuses, NULL);
	else
		rc = -EINVAL;
	if (rc >= 0)
		set_convert_results(set, &set->handlers, rc);
	set_leave(set);
	return rc < 0 ? rc : 0;
}

static int
read_afresh(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	if (set->busy)
		return -EAGAIN;
	set_enter(set);
	rc = set->library->session_read(set->session, set->raw, set->statuses,
					NULL, error);
	if (rc >= 0)
		set_convert_results(set, &set->own, rc);
	set_leave(set);
	return rc < 0 ? rc : 0;
}

/*
 * Return the last values: those of the read before if this one would have to
 * wait.
 */
static inline int
return_last_values(const struct papi_drm_set *set, int rc, long long **out)
{
	if (rc && (rc != -EAGAIN || !set->last))
		return rc;
	/* PAPI's type is not const, but it does not write there. */
	*out = (long long *)set->last;
	return 0;
}

int
papi_drm_set_read(struct papi_drm_set *set, long long **out,
		  struct drmperf_error *error)
{
	return set->session
		       ? return_last_values(set, read_afresh(set, error), out)
		       : -EINVAL;
}

int
papi_drm_set_try_read(struct papi_drm_set *set, long long **out)
{
	return set->session ? return_last_values(set, read_in_handler(set), out)
			    : -EINVAL;
}
