/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_gpus.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "kd_quotient.h"
#include "kd_common.h"

/* Averages and shares are of no shorter time than a tenth of a second. */
#define LEAST_NS UINT64_C(100000000)

/* A counter that was started. */
struct counted {
	enum kd_quantity quantity;
	enum drmperf_type type;
	bool is_in_thousandths;
	bool is_average;
	struct kd_quotient share;
	KDint64 average;
};

/*
 * Averages are taken of intervals, one after the other, while counts go on: so
 * they have a session of their own, with the same events, which is reset. Both
 * share the hardware.
 */
struct kd_gpus {
	pid_t owner; /* of what is open */
	struct drmperf *drmperf;

	size_t count;
	struct counted *counted;
	struct drmperf_session *counts;
	struct drmperf_session *averages; /* NULL: there is none */
	union drmperf_value *values;
	int *statuses; /* of the same read */
	uint64_t interval_ns; /* where the present one of averages began */
	bool is_full; /* there was a whole one */
};

int
kd_gpus_create(struct kd_gpus **out)
{
	struct kd_gpus *gpus = calloc(1, sizeof(*gpus));

	if (!gpus)
		return -ENOMEM;
	*out = gpus;
	return 0;
}

void
kd_gpus_stop(struct kd_gpus *gpus)
{
	drmperf_session_destroy(gpus->averages);
	drmperf_session_destroy(gpus->counts);
	free(gpus->counted);
	free(gpus->values);
	free(gpus->statuses);
	gpus->averages = NULL;
	gpus->counts = NULL;
	gpus->counted = NULL;
	gpus->values = NULL;
	gpus->statuses = NULL;
	gpus->count = 0;
}

static void
close_gpus(struct kd_gpus *gpus)
{
	kd_gpus_stop(gpus);
	drmperf_destroy(gpus->drmperf);
	gpus->drmperf = NULL;
}

void
kd_gpus_destroy(struct kd_gpus *gpus)
{
	if (!gpus)
		return;
	close_gpus(gpus);
	free(gpus);
}

void
kd_gpus_leave(struct kd_gpus *gpus)
{
	if (gpus->drmperf && gpus->owner == getpid())
		drmperf_stop_all(gpus->drmperf, NULL);
}

int
kd_gpus_open(struct kd_gpus *gpus, struct drmperf **out,
	     struct drmperf_error *error)
{
	int rc = 0;

	if (!gpus->drmperf || gpus->owner != getpid()) {
		close_gpus(gpus);
		rc = fe_drmperf_create(KD_LIBRARY, &gpus->drmperf, error);
		gpus->owner = getpid();
	}
	if (!rc)
		*out = gpus->drmperf;
	return rc;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static int
find_selections(struct drmperf *drmperf,
		const struct kd_counter *const *counters, size_t count,
		struct drmperf_selection *selections,
		struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		if (counters[i]->source == KD_SOURCE_CLOSED)
			return fe_fail(error, -EACCES, "", "%s: %s",
				       counters[i]->info.name,
				       counters[i]->info.description);
		rc = drmperf_event_find(drmperf, counters[i]->event,
					&selections[i], error);
	}
	return rc;
}

/* Make selections of count events, and a session with them. */
static int
make_session(struct kd_gpus *gpus, const struct kd_counter *const *counters,
	     size_t count, struct drmperf_selection **selections,
	     struct drmperf_session **session, struct drmperf_error *error)
{
	struct drmperf *drmperf;
	int rc = kd_gpus_open(gpus, &drmperf, error);

	if (rc)
		return rc;
	*selections = calloc(count, sizeof(**selections));
	if (!*selections)
		return fe_fail_memory(error);
	rc = find_selections(drmperf, counters, count, *selections, error);
	if (!rc)
		rc = drmperf_session_create(drmperf, *selections, count, NULL,
					    session, error);
	if (rc)
		free(*selections);
	return rc;
}

int
kd_gpus_check(struct kd_gpus *gpus, const struct kd_counter *const *counters,
	      size_t count, struct drmperf_error *error)
{
	struct drmperf_selection *selections;
	struct drmperf_session *session;
	int rc;

	if (!count)
		return 0;
	rc = make_session(gpus, counters, count, &selections, &session, error);
	if (rc)
		return rc;
	drmperf_session_destroy(session);
	free(selections);
	return 0;
}

bool
kd_gpus_is_in_thousandths(const struct drmperf_event *event)
{
	const enum drmperf_unit unit = drmperf_event_unit(event);

	return drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE &&
	       (unit == DRMPERF_UNIT_RATIO || unit == DRMPERF_UNIT_NONE);
}

/* ------------------------------------------------------------------ */
/* Starting                                                             */

static bool
counted_describe(struct counted *counted, const struct kd_counter *counter,
		 const struct drmperf_event *event)
{
	counted->quantity = counter->quantity;
	counted->type = drmperf_event_type(event);
	counted->is_in_thousandths = kd_gpus_is_in_thousandths(event);
	counted->is_average = drmperf_event_kind(event) == DRMPERF_KIND_AVERAGE;
	return counted->is_average;
}

/* Make room for what is counted, and whether averages are among it. */
static int
gpus_prepare(struct kd_gpus *gpus, const struct kd_counter *const *counters,
	     size_t count, const struct drmperf_selection *selections,
	     bool *has_averages, struct drmperf_error *error)
{
	*has_averages = false;
	gpus->count = count;
	gpus->counted = calloc(count, sizeof(*gpus->counted));
	gpus->values = calloc(count, sizeof(*gpus->values));
	gpus->statuses = calloc(count, sizeof(*gpus->statuses));
	if (!gpus->counted || !gpus->values || !gpus->statuses)
		return fe_fail_memory(error);
	for (size_t i = 0; i < count; i++)
		*has_averages |= counted_describe(
			&gpus->counted[i], counters[i], selections[i].event);
	return 0;
}

/* Read the values at which shares of time begin. */
static int
begin_shares(struct kd_gpus *gpus, struct drmperf_error *error)
{
	uint64_t time_ns;
	int rc = drmperf_session_read(gpus->counts, gpus->values, NULL,
				      &time_ns, error);

	for (size_t i = 0; !rc && i < gpus->count; i++)
		kd_quotient_begin(&gpus->counted[i].share, gpus->values[i].u64,
				  time_ns);
	return rc;
}

static int
start_averages(struct kd_gpus *gpus, const struct drmperf_selection *selections,
	       struct drmperf_error *error)
{
	int rc = drmperf_session_create(gpus->drmperf, selections, gpus->count,
					NULL, &gpus->averages, error);

	if (!rc)
		rc = drmperf_session_start(gpus->averages, error);
	gpus->is_full = false;
	gpus->interval_ns = kd_now_ns();
	return rc;
}

static bool
has_shares(const struct kd_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++) {
		if (gpus->counted[i].quantity == KD_QUANTITY_SHARE)
			return true;
	}
	return false;
}

int
kd_gpus_start(struct kd_gpus *gpus, const struct kd_counter *const *counters,
	      size_t count, struct drmperf_error *error)
{
	struct drmperf_selection *selections;
	bool has_averages;
	int rc;

	kd_gpus_stop(gpus);
	if (!count)
		return 0;
	rc = make_session(gpus, counters, count, &selections, &gpus->counts,
			  error);
	if (rc)
		return rc;
	rc = gpus_prepare(gpus, counters, count, selections, &has_averages,
			  error);
	if (!rc)
		rc = drmperf_session_start(gpus->counts, error);
	if (!rc && has_averages)
		rc = start_averages(gpus, selections, error);
	if (!rc && has_shares(gpus))
		rc = begin_shares(gpus, error);
	free(selections);
	if (rc)
		kd_gpus_stop(gpus);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static KDint64
rounded_value(double value)
{
	if (isnan(value))
		return KD_UNKNOWN_COUNTER_VAL_KHR;
	/* the first double that is no KDint64 */
	return value >= 0x1p63 ? KDINT64_MAX : llround(value);
}

static KDint64
as_integer(const struct counted *counted, union drmperf_value value)
{
	if (counted->type == DRMPERF_TYPE_DOUBLE)
		return rounded_value(counted->is_in_thousandths
					     ? value.f64 * 1000
					     : value.f64);
	return value.u64 > (uint64_t)KDINT64_MAX ? KDINT64_MAX
						 : (KDint64)value.u64;
}

static void
keep_averages(struct kd_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++) {
		struct counted *counted = &gpus->counted[i];

		if (!counted->is_average)
			continue;
		counted->average =
			gpus->statuses[i]
				? KD_UNKNOWN_COUNTER_VAL_KHR
				: as_integer(counted, gpus->values[i]);
	}
}

/*
 * Read the averages of an interval, as kd_quotient_next() does: the one that
 * ends now, if it has the least length, else the last one, else the first so
 * far.
 */
static int
read_averages(struct kd_gpus *gpus, struct drmperf_error *error)
{
	uint64_t time_ns = kd_now_ns();
	const bool ends = time_ns - gpus->interval_ns >= LEAST_NS;
	int rc;

	if (!gpus->averages || (!ends && gpus->is_full))
		return 0;
	rc = drmperf_session_read(gpus->averages, gpus->values, gpus->statuses,
				  NULL, error);
	if (rc < 0)
		return rc;
	keep_averages(gpus);
	if (!ends)
		return 0;
	gpus->is_full = true;
	gpus->interval_ns = time_ns;
	rc = drmperf_session_reset(gpus->averages, error);
	/* what has no value shows as unknown at the next reading */
	return rc == -EINVAL || rc == -ECHILD ? rc : 0;
}

static KDint64
value_of(struct counted *counted, union drmperf_value value, uint64_t time_ns)
{
	if (counted->is_average)
		return counted->average;
	if (counted->quantity != KD_QUANTITY_SHARE)
		return as_integer(counted, value);
	return kd_quotient_next(&counted->share, value.u64, time_ns, 100,
				LEAST_NS);
}

int
kd_gpus_read(struct kd_gpus *gpus, KDint64 *values, struct drmperf_error *error)
{
	uint64_t time_ns;
	int rc = read_averages(gpus, error);

	if (!rc)
		rc = drmperf_session_read(gpus->counts, gpus->values,
					  gpus->statuses, &time_ns, error);
	if (rc < 0)
		return rc;
	if (rc == (int)gpus->count)
		return drmperf_session_explain(gpus->counts, 0, error);
	for (size_t i = 0; i < gpus->count; i++)
		values[i] = gpus->statuses[i]
				    ? KD_UNKNOWN_COUNTER_VAL_KHR
				    : value_of(&gpus->counted[i],
					       gpus->values[i], time_ns);
	return 0;
}
