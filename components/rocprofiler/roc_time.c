/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HSA's clock and Linux's: both are asked, and their distance is taken.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <time.h>

#include "roc_error.h"
#include "roc_time.h"

/* Comparisons of two clocks; the one that took the least time counts. */
#define TRIALS 8

static const clockid_t clocks[] = {
	[ROCPROFILER_TIME_ID_CLOCK_REALTIME] = CLOCK_REALTIME,
	[ROCPROFILER_TIME_ID_CLOCK_REALTIME_COARSE] = CLOCK_REALTIME_COARSE,
	[ROCPROFILER_TIME_ID_CLOCK_MONOTONIC] = CLOCK_MONOTONIC,
	[ROCPROFILER_TIME_ID_CLOCK_MONOTONIC_COARSE] = CLOCK_MONOTONIC_COARSE,
	[ROCPROFILER_TIME_ID_CLOCK_MONOTONIC_RAW] = CLOCK_MONOTONIC_RAW,
};

struct distance {
	uint64_t ns; /* from HSA's clock to the other, modulo 2^64 */
	uint64_t error_ns;
};

static uint64_t
to_ns(uint64_t ticks, uint64_t frequency)
{
	return (uint64_t)((unsigned __int128)ticks * 1000000000 / frequency);
}

static int
system_ask(hsa_system_info_t what, uint64_t *out, struct drmperf_error *error)
{
	hsa_status_t status = hsa_system_get_info(what, out);

	return status ? roc_fail_hsa(error, "hsa_system_get_info", status) : 0;
}

static int
hsa_now(uint64_t frequency, uint64_t *ns, struct drmperf_error *error)
{
	uint64_t ticks;
	int rc = system_ask(HSA_SYSTEM_INFO_TIMESTAMP, &ticks, error);

	if (!rc)
		*ns = to_ns(ticks, frequency);
	return rc;
}

int
roc_time_of_ticks(uint64_t ticks, uint64_t *ns, struct drmperf_error *error)
{
	uint64_t frequency;
	int rc = system_ask(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency,
			    error);

	if (!rc)
		*ns = to_ns(ticks, frequency);
	return rc;
}

int
roc_time_now(uint64_t *ns, struct drmperf_error *error)
{
	uint64_t ticks;
	int rc = system_ask(HSA_SYSTEM_INFO_TIMESTAMP, &ticks, error);

	return rc ? rc : roc_time_of_ticks(ticks, ns, error);
}

static int
clock_compare(uint64_t frequency, clockid_t clock, struct distance *out,
	      struct drmperf_error *error)
{
	struct timespec now;
	uint64_t before = 0, after = 0;
	int rc = hsa_now(frequency, &before, error);

	clock_gettime(clock, &now);
	if (!rc)
		rc = hsa_now(frequency, &after, error);
	if (rc)
		return rc;
	out->error_ns = (after - before) / 2;
	out->ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec -
		  (before + out->error_ns);
	return 0;
}

static int
clock_measure(clockid_t clock, struct distance *out,
	      struct drmperf_error *error)
{
	struct distance one;
	uint64_t frequency;
	int rc = system_ask(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency,
			    error);

	out->error_ns = UINT64_MAX;
	for (int i = 0; !rc && i < TRIALS; i++) {
		rc = clock_compare(frequency, clock, &one, error);
		if (!rc && one.error_ns < out->error_ns)
			*out = one;
	}
	return rc;
}

hsa_status_t
rocprofiler_get_time(rocprofiler_time_id_t time_id, uint64_t timestamp,
		     uint64_t *value_ns, uint64_t *error_ns)
{
	struct drmperf_error error = { 0 };
	struct distance distance = { 0 };
	int rc;

	if ((unsigned)time_id >= sizeof(clocks) / sizeof(clocks[0]))
		rc = fe_fail(&error, -EINVAL, "", "time id %u is unknown",
			     (unsigned)time_id);
	else
		rc = clock_measure(clocks[time_id], &distance, &error);
	if (!rc && value_ns)
		*value_ns = timestamp + distance.ns;
	if (!rc && error_ns)
		*error_ns = distance.error_ns;
	return roc_end(__func__, rc, &error);
}
