/* SPDX-License-Identifier: BSD-3-Clause */
#include "papi_drm_set.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum conversion {
	AS_IS, /* an integer, or a double that is wanted as one */
	SCALED, /* a double delivered as an integer */
};

/* What is counted for a position. */
struct value {
	unsigned position;
	enum conversion conversion;
	double scale;
	bool accumulates;
};

struct position {
	bool used;
	int native_code;
	int papi_code;
};

struct papi_drm_set {
	const struct papi_drm_library *library;
	struct drmperf_session *session; /* NULL: nothing to count */
	bool started;
	size_t count;
	struct value values[PAPI_DRM_SET_SIZE]; /* as the session has them */
	struct position positions[PAPI_DRM_SET_SIZE];
	bool busy; /* amidst a call, as a handler of a signal may find it */
	const long long *last; /* those of results that are newest, or NULL */
	union drmperf_value raw[PAPI_DRM_SET_SIZE];
	/*
	 * By position. PAPI copies values from there after the read that gave
	 * them; so what handlers read meanwhile goes elsewhere, and nothing
	 * goes to where the last read left its values.
	 */
	struct results {
		unsigned next;
		long long values[2][PAPI_DRM_SET_SIZE];
	} own, handlers;
};

static void
enter(struct papi_drm_set *set)
{
	set->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
}

static void
leave(struct papi_drm_set *set)
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
clear(struct papi_drm_set *set)
{
	if (set->session)
		set->library->session_destroy(set->session);
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
	clear(set);
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
place(const struct papi_drm_set *set, struct papi_drm_slot *events,
      size_t count, struct position *positions)
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

static int
resolve(struct papi_drm_set *set, struct papi_drm_names *names,
	const struct papi_drm_slot *events, size_t count,
	struct drmperf_selection *selections, struct value *values)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct papi_drm_event event;
		int rc = papi_drm_names_event(
			names, (unsigned)events[i].native_code, &event);

		if (rc)
			return rc;
		selections[i] = event.selection;
		values[i].position = (unsigned)events[i].position;
		values[i].scale = papi_drm_event_scale(set->library, &event);
		values[i].conversion = event.as_double || values[i].scale == 1
					       ? AS_IS
					       : SCALED;
		values[i].accumulates =
			set->library->event_kind(event.selection.event) ==
			DRMPERF_KIND_CUMULATIVE;
	}
	return 0;
}

/* Codes that PAPI did not move along with their event. */
static void
heal(const struct papi_drm_set *set, struct papi_drm_slot *events, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		events[i].papi_code =
			set->positions[events[i].position].papi_code;
}

int
papi_drm_set_update(struct papi_drm_set *set, struct drmperf *drmperf,
		    struct papi_drm_names *names, struct papi_drm_slot *events,
		    size_t count, struct drmperf_error *error)
{
	struct drmperf_selection selections[PAPI_DRM_SET_SIZE];
	struct position positions[PAPI_DRM_SET_SIZE];
	struct value values[PAPI_DRM_SET_SIZE];
	struct drmperf_session *session;
	int rc;

	if (count == 0) {
		clear(set);
		return 0;
	}
	if (count > PAPI_DRM_SET_SIZE)
		return -ENOSPC;
	if (is_unchanged(set, events, count)) {
		heal(set, events, count);
		return 0;
	}
	place(set, events, count, positions);
	rc = resolve(set, names, events, count, selections, values);
	if (rc)
		return rc;
	rc = set->library->session_create(drmperf, selections, count, NULL,
					  &session, error);
	if (rc)
		return rc;
	clear(set);
	set->session = session;
	set->count = count;
	memcpy(set->values, values, count * sizeof(*values));
	memcpy(set->positions, positions, sizeof(positions));
	heal(set, events, count);
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
	enter(set);
	set->last = NULL;
	rc = set->library->session_start(set->session, error);
	if (!rc)
		set->started = true;
	leave(set);
	return rc;
}

int
papi_drm_set_stop(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	/* PAPI stops a set that failed to start. */
	if (!set->started)
		return 0;
	enter(set);
	set->started = false;
	rc = set->library->session_stop(set->session, error);
	leave(set);
	return rc;
}

int
papi_drm_set_reset(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	if (!set->session)
		return -EINVAL;
	enter(set);
	rc = set->library->session_reset(set->session, error);
	if (!rc)
		set->last = NULL;
	leave(set);
	return rc;
}

/* To the nearest integer. PAPI does not link libm, which has llround(). */
static int
to_integer(double value, long long *out)
{
	if (isnan(value))
		return -ENODATA;
	/* 2^63 is the first double that is too large */
	if (value >= 0x1p63)
		*out = LLONG_MAX;
	else if (value < -0x1p63)
		*out = LLONG_MIN;
	else if (value >= 0x1p52 || value <= -0x1p52) /* has no fraction */
		*out = (long long)value;
	else
		*out = (long long)(value < 0 ? value - 0.5 : value + 0.5);
	return 0;
}

/* A long long has no value that says so. */
static int
say_not_available(struct drmperf_error *error, int code)
{
	error->code = code;
	snprintf(error->cause, sizeof(error->cause),
		 "the value of an event is n/a: it would divide by 0");
	snprintf(error->remedy, sizeof(error->remedy),
		 "read after the GPU has done some work, or add the event "
		 "with \":double\", which then reads as NaN");
	return code;
}

/* Put raw values where they can stay; they are the last then. */
static inline int
convert(struct papi_drm_set *set, struct results *results,
	struct drmperf_error *error)
{
	long long *out = results->values[results->next];
	size_t i;
	int rc;

	for (i = 0; i < set->count; i++) {
		const struct value *value = &set->values[i];
		long long *result = &out[value->position];

		if (value->conversion == AS_IS) {
			memcpy(result, &set->raw[i], sizeof(*result));
		} else {
			rc = to_integer(set->raw[i].f64 * value->scale, result);
			if (rc)
				return say_not_available(error, rc);
		}
	}
	results->next ^= 1;
	atomic_signal_fence(memory_order_seq_cst);
	set->last = out;
	return 0;
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

/* As the next one, where somebody may have been interrupted. */
static int
read_in_handler(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc = -EAGAIN;

	if (set->busy)
		return rc;
	enter(set);
	if (set->started)
		rc = set->library->session_try_read(set->session, set->raw,
						    NULL);
	else
		rc = -EINVAL;
	if (!rc)
		rc = convert(set, &set->handlers, error);
	leave(set);
	return rc;
}

static int
read_afresh(struct papi_drm_set *set, struct drmperf_error *error)
{
	int rc;

	if (set->busy)
		return -EAGAIN;
	enter(set);
	rc = set->library->session_read(set->session, set->raw, NULL, error);
	if (!rc)
		rc = convert(set, &set->own, error);
	leave(set);
	return rc;
}

int
papi_drm_set_read(struct papi_drm_set *set, bool in_handler, long long **out,
		  struct drmperf_error *error)
{
	int rc;

	if (!set->session)
		return -EINVAL;
	rc = in_handler ? read_in_handler(set, error) : read_afresh(set, error);
	if (rc && (rc != -EAGAIN || !set->last))
		return rc;
	/* PAPI wants to be able to write there, and does not. */
	*out = (long long *)set->last;
	return 0;
}
