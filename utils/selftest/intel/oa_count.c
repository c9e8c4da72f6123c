/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages 0 to 3 of Intel GPUs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "selftest/intel/oa_stages.h"

#define MS UINT64_C(1000000)

/* ------------------------------------------------------------------ */
/* 0: what it is                                                        */

static size_t
count_sets(const struct oa_harness *harness)
{
	size_t groups = drmperf_group_count(harness->device), sets = 0;

	for (size_t i = 0; i < groups; i++)
		sets += oa_is_set(drmperf_group_at(harness->device, i));
	return sets;
}

bool
oa_is_set(const struct drmperf_group *group)
{
	return drmperf_group_is_exclusive(group) &&
	       !strncmp(drmperf_group_domain(group), "oa", 2) &&
	       drmperf_group_event_count(group) &&
	       strcmp(drmperf_group_name(group), drmperf_group_domain(group));
}

int
oa_stage_identity(struct oa_harness *harness)
{
	static const struct oa_check chip = { "chip", "one that tables have" },
				     status = { "status",
						"all that it has can be used" },
				     sets = { "sets", "metric sets" };
	struct drmperf_error error = { .cause = "" };
	size_t count;
	int ret = drmperf_device_open(harness->device, &error);

	if (ret)
		return oa_refuse(harness, &chip, ret, &error);
	oa_decide(harness, &chip, SELFTEST_PASS, "%s, with the tables of %s",
		  drmperf_device_chip(harness->device),
		  drmperf_device_generation(harness->device));
	ret = drmperf_device_status(harness->device, &error);
	oa_decide(harness, &status, ret ? SELFTEST_UNKNOWN : SELFTEST_PASS,
		  "%s", ret ? error.cause : "it can");
	count = count_sets(harness);
	oa_decide(harness, &sets, count ? SELFTEST_PASS : SELFTEST_FAIL, "%zu",
		  count);
	return 0;
}

/* ------------------------------------------------------------------ */
/* 1: clocks                                                            */

/* Sensors report whole steps, of 50 MHz for one. */
#define MOST_WRONG_CLOCK 0.05
/*
 * Limit of the change between two looks at the sensor; above it, nothing can be
 * concluded.
 */
#define MOST_UNSTEADY 1.2

enum {
	TIME,
	CLOCKS,
	COUNTED
};

static const char *const counted[COUNTED] = {
	[TIME] = "oa.GpuTime", [CLOCKS] = "oa.GpuCoreClocks"
};

static void
decide_cores(const struct oa_harness *harness, const struct oa_look *first,
	     const struct oa_look *last, const uint64_t mhz[2])
{
	static const struct oa_check check = {
		"clock.cores",
		"the frequency that the kernel reports, within 5 %"
	};
	double ns = (double)(last->values[TIME].u64 - first->values[TIME].u64);
	double clocks =
		(double)(last->values[CLOCKS].u64 - first->values[CLOCKS].u64);
	double seen = clocks / ns * 1e3;
	double least = (double)(mhz[0] < mhz[1] ? mhz[0] : mhz[1]);
	double most = (double)(mhz[0] < mhz[1] ? mhz[1] : mhz[0]);
	enum selftest_verdict verdict = SELFTEST_PASS;

	if (seen < least * (1 - MOST_WRONG_CLOCK) ||
	    seen > most * (1 + MOST_WRONG_CLOCK))
		verdict = SELFTEST_FAIL;
	if (least <= 0 || most > least * MOST_UNSTEADY)
		verdict = SELFTEST_UNKNOWN;
	oa_decide(harness, &check, verdict,
		  "%.1f MHz counted, %.0f and %.0f MHz reported", seen, least,
		  most);
}

static int
watch_clocks(struct oa_harness *harness, const struct oa_check *check,
	     struct drmperf_session *session)
{
	struct oa_look first, last;
	uint64_t mhz[2] = { 0, 0 };
	int ret = oa_look(harness, check, session, &first);

	oa_sensor(harness, "act-freq", &mhz[0]);
	if (!ret)
		ret = oa_watch(harness, check, session, &first, &last);
	if (ret)
		return ret;
	oa_sensor(harness, "act-freq", &mhz[1]);
	oa_decide_time(harness, check, &first, &last);
	decide_cores(harness, &first, &last, mhz);
	return 0;
}

int
oa_stage_clocks(struct oa_harness *harness)
{
	static const struct oa_check check = {
		"clock.reports", "time as the CPU counts it, within 0.1 %"
	};
	struct drmperf_session *session;
	int ret = oa_count(harness, &check, counted, COUNTED, &session);

	if (ret)
		return ret;
	ret = watch_clocks(harness, &check, session);
	drmperf_session_destroy(session);
	return ret;
}

/* ------------------------------------------------------------------ */
/* 2: sets                                                              */

static int
try_set(struct oa_harness *harness, const char *name)
{
	char checked[OA_NAME_SIZE], time[OA_NAME_SIZE];
	const struct oa_check check = { checked, "its reports come" };
	const char *const names[] = { time };
	struct drmperf_session *session;
	union drmperf_value ns;
	int ret;

	snprintf(checked, sizeof(checked), "set.%s", name);
	snprintf(time, sizeof(time), "%s.GpuTime", name);
	ret = oa_count(harness, &check, names, 1, &session);
	if (ret)
		return ret;
	ret = oa_read(harness, &check, session, &ns);
	if (!ret)
		oa_decide(harness, &check,
			  ns.u64 ? SELFTEST_PASS : SELFTEST_FAIL,
			  "%" PRIu64 " ns counted", ns.u64);
	drmperf_session_destroy(session);
	return ret;
}

/* In sixths of the core clock, from gen8 on (IGT, Linux). */
static const struct {
	const char *event;
	unsigned sixths;
} inputs[] = {
	{ "TestOa.GpuCoreClocks", 6 }, { "TestOa.Counter0", 0 },
	{ "TestOa.Counter1", 6 },      { "TestOa.Counter2", 6 },
	{ "TestOa.Counter3", 3 },      { "TestOa.Counter4", 2 },
	{ "TestOa.Counter5", 2 },      { "TestOa.Counter6", 1 },
	{ "TestOa.Counter7", 4 },
};

static void
decide_inputs(const struct oa_harness *harness, const struct oa_check *check,
	      const union drmperf_value *values)
{
	double clocks = (double)values[0].u64, wrong;

	for (size_t i = 1; i < ARRAY_SIZE(inputs); i++) {
		wrong = (double)values[i].u64 / clocks -
			(double)inputs[i].sixths / 6;
		if (wrong < 1e-3 && wrong > -1e-3)
			continue;
		oa_decide(harness, check, SELFTEST_FAIL,
			  "%s counted %" PRIu64 " in %" PRIu64
			  " clocks, not %u/6 of them",
			  inputs[i].event, values[i].u64, values[0].u64,
			  inputs[i].sixths);
		return;
	}
	oa_decide(harness, check, SELFTEST_PASS,
		  "so they are in %" PRIu64 " clocks", values[0].u64);
}

/* Count the events that Intel has built into the GPU to test just this. */
static int
try_inputs(struct oa_harness *harness)
{
	static const struct oa_check check = {
		"inputs", "counters of TestOa are in fixed ratios to the clock"
	};
	const char *names[ARRAY_SIZE(inputs)];
	union drmperf_value values[ARRAY_SIZE(inputs)];
	struct drmperf_session *session;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		names[i] = inputs[i].event;
	ret = oa_count(harness, &check, names, ARRAY_SIZE(inputs), &session);
	if (ret)
		return ret;
	oa_wait(20 * MS);
	ret = oa_read(harness, &check, session, values);
	if (!ret)
		decide_inputs(harness, &check, values);
	drmperf_session_destroy(session);
	return ret;
}

int
oa_stage_sets(struct oa_harness *harness)
{
	struct drmperf_error error = { .cause = "" };
	int ret = drmperf_device_open(harness->device, &error);
	size_t groups = drmperf_group_count(harness->device);

	if (ret) {
		*harness->error = error;
		return ret;
	}
	for (size_t i = 0; i < groups && ret >= 0; i++) {
		const struct drmperf_group *group =
			drmperf_group_at(harness->device, i);

		if (oa_is_set(group))
			ret = try_set(harness, drmperf_group_name(group));
	}
	return ret < 0 ? ret : try_inputs(harness);
}

/* ------------------------------------------------------------------ */
/* 3: fences                                                            */

#define READS 500u
/* Reports are stamped by another clock, which is known to so much. */
#define SLACK_NS 20000u

struct fences {
	unsigned before, behind; /* of samples: outside of their calls */
	unsigned steps; /* time that passed between reads, but cannot have */
};

static bool
is_step_wrong(const struct oa_look *last, const struct oa_look *next)
{
	uint64_t ns = next->values[TIME].u64 - last->values[TIME].u64;
	uint64_t least = next->moments.before_ns - last->moments.after_ns;
	uint64_t most = next->moments.after_ns - last->moments.before_ns;

	return ns + SLACK_NS < least || ns > most + SLACK_NS;
}

static int
read_often(struct oa_harness *harness, const struct oa_check *check,
	   struct drmperf_session *session, struct fences *out)
{
	struct oa_look last, next;
	int ret = oa_look(harness, check, session, &last);

	*out = (struct fences){ 0 };
	for (unsigned i = 0; i < READS && !ret; i++) {
		ret = oa_look(harness, check, session, &next);
		if (ret)
			break;
		out->before +=
			next.sample_ns + SLACK_NS < next.moments.before_ns;
		out->behind +=
			next.sample_ns > next.moments.after_ns + SLACK_NS;
		out->steps += is_step_wrong(&last, &next);
		last = next;
	}
	return ret;
}

int
oa_stage_fences(struct oa_harness *harness)
{
	static const struct oa_check
		sampled = { "fence.sample",
			    "samples of the time in which they are read" },
		passed = { "fence.time",
			   "between reads passes what the CPU counts" };
	struct drmperf_session *session;
	struct fences fences;
	int ret = oa_count(harness, &sampled, counted, COUNTED, &session);

	if (ret)
		return ret;
	ret = read_often(harness, &sampled, session, &fences);
	drmperf_session_destroy(session);
	if (ret)
		return ret;
	oa_decide(harness, &sampled,
		  fences.before + fences.behind ? SELFTEST_FAIL : SELFTEST_PASS,
		  "of %u %u before and %u behind", READS, fences.before,
		  fences.behind);
	oa_decide(harness, &passed,
		  fences.steps ? SELFTEST_FAIL : SELFTEST_PASS,
		  "%u of %u do not", fences.steps, READS);
	return 0;
}
