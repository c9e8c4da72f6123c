/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages 4 and 5 of Intel GPUs: power, and other tools, while counting. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "selftest/checks/sleep.h"
#include "selftest/intel/oa_stages.h"
#include "selftest/intel/rival.h"

#define MS UINT64_C(1000000)
#define IDLE_NS (2000 * MS)

static const char *const time_event[] = { "oa.GpuTime" };

/* ------------------------------------------------------------------ */
/* 4: idleness and sleep                                                */

static bool
read_residency(const struct oa_harness *harness, uint64_t *out)
{
	return oa_sensor(harness, "rc6-residency", out) ||
	       oa_sensor(harness, "idle-residency", out);
}

static void
decide_awake(const struct oa_harness *harness, const bool is_known[2],
	     const uint64_t residency[2])
{
	static const struct oa_check check = {
		"idle.awake", "a GPU that is counted does not enter RC6"
	};
	uint64_t ns = residency[1] - residency[0];

	if (!is_known[0] || !is_known[1])
		oa_decide(harness, &check, SELFTEST_UNKNOWN,
			  "the kernel does not report it");
	else
		oa_decide(harness, &check, ns ? SELFTEST_FAIL : SELFTEST_PASS,
			  "%" PRIu64 " ms in it", ns / MS);
}

static int
harness_count_idle(struct oa_harness *harness)
{
	static const struct oa_check check = {
		"idle.time", "time is counted while the GPU idles"
	};
	struct drmperf_session *session;
	struct oa_look first, last;
	uint64_t residency[2];
	bool is_known[2];
	int ret = oa_count(harness, &check, time_event, 1, &session);

	if (ret)
		return ret;
	ret = oa_look(harness, &check, session, &first);
	is_known[0] = read_residency(harness, &residency[0]);
	if (!ret) {
		oa_wait(IDLE_NS);
		is_known[1] = read_residency(harness, &residency[1]);
		ret = oa_watch(harness, &check, session, &first, &last);
	}
	drmperf_session_destroy(session);
	if (ret)
		return ret;
	oa_decide_time(harness, &check, &first, &last);
	decide_awake(harness, is_known, residency);
	return 0;
}

static int
count_a_little(struct oa_harness *harness, const struct oa_check *check)
{
	struct drmperf_session *session;
	struct oa_look first, last;
	int ret = oa_count(harness, check, time_event, 1, &session);

	if (ret)
		return ret;
	ret = oa_look(harness, check, session, &first);
	if (!ret)
		ret = oa_watch(harness, check, session, &first, &last);
	drmperf_session_destroy(session);
	if (!ret)
		oa_decide_time(harness, check, &first, &last);
	return ret;
}

/* Count with the GPU asleep, and its metric sets out of its registers. */
static int
harness_count_asleep(struct oa_harness *harness)
{
	static const struct oa_check check = {
		"asleep", "what sleeps is woken, and counted"
	};
	int ret;

	if (!sleep_is_allowed(harness->sysfs)) {
		oa_decide(harness, &check, SELFTEST_UNKNOWN,
			  "it may not: power/control in sysfs is not \"auto\"");
		return 0;
	}
	ret = oa_announce(harness, &check, "left alone to sleep");
	if (ret)
		return ret;
	if (sleep_wait(harness->sysfs, harness->memory->seconds))
		return count_a_little(harness, &check);
	oa_decide(harness, &check, SELFTEST_UNKNOWN, "it does not fall asleep");
	return 0;
}

/*
 * Count while the machine sleeps: registers are lost then, which what is
 * counted does not show.
 */
static int
harness_count_suspended(struct oa_harness *harness)
{
	static const struct oa_check check = { "suspended",
					       "an error: it has slept" },
				     behind = { "suspended.behind",
						"counting after that" };
	struct drmperf_session *session;
	struct drmperf_error error = { .cause = "" };
	union drmperf_value ns;
	const char *why;
	int ret = oa_count(harness, &check, time_event, 1, &session);

	if (ret)
		return ret;
	why = sleep_with_machine(harness->host, harness->memory->seconds);
	ret = drmperf_session_read(session, &ns, NULL, NULL, &error);
	drmperf_session_destroy(session);
	if (why) {
		oa_decide(harness, &check, SELFTEST_UNKNOWN, "%s", why);
		return 1;
	}
	oa_decide(harness, &check, ret ? SELFTEST_PASS : SELFTEST_FAIL, "%s",
		  ret ? error.cause : "it is counted as if nothing had been");
	return count_a_little(harness, &behind);
}

int
oa_stage_power(struct oa_harness *harness)
{
	int ret = harness_count_idle(harness);

	if (ret >= 0)
		ret = harness_count_asleep(harness);
	return ret < 0 ? ret : harness_count_suspended(harness);
}

/* ------------------------------------------------------------------ */
/* 5: another tool                                                      */

/*
 * Count while another tool has the stream: an error reports that, and counting
 * succeeds afterwards.
 */
static int
count_after_rival(struct oa_harness *harness)
{
	static const struct oa_check
		busy = { "taken.busy", "an error: the stream is in use" },
		behind = { "taken.behind", "counting when it is free" };
	const char *driver = drmperf_device_driver(harness->device);
	struct drmperf_session *session;
	struct drmperf_error error = { .cause = "" };
	struct rival rival;
	int ret = oa_announce(harness, &busy, "another process opens a stream");

	if (ret)
		return ret;
	ret = rival_start(&rival, driver, harness->gpu->address);
	if (ret) {
		oa_decide(harness, &busy, SELFTEST_UNKNOWN,
			  "no stream was to be had: %s", strerror(-ret));
		return 1;
	}
	ret = oa_try(harness, time_event, 1, &session, &error);
	oa_decide(harness, &busy, ret == -EBUSY ? SELFTEST_PASS : SELFTEST_FAIL,
		  "%s", ret ? error.cause : "it can be counted");
	if (!ret)
		drmperf_session_destroy(session);
	rival_stop(&rival);
	return count_a_little(harness, &behind);
}

/* Count first; a rival comes too late, and does no harm to what is counted. */
static int
count_before_rival(struct oa_harness *harness)
{
	static const struct oa_check refused = { "taken.refused",
						 "others get no stream" },
				     unharmed = { "taken.unharmed",
						  "and time goes on" };
	const char *driver = drmperf_device_driver(harness->device);
	struct drmperf_session *session;
	struct oa_look first, last;
	struct rival rival;
	int other, ret = oa_count(harness, &refused, time_event, 1, &session);

	if (ret)
		return ret;
	ret = oa_look(harness, &refused, session, &first);
	if (!ret) {
		other = rival_start(&rival, driver, harness->gpu->address);
		oa_decide(harness, &refused,
			  other == -EBUSY ? SELFTEST_PASS : SELFTEST_FAIL, "%s",
			  other ? strerror(-other) : "one that did");
		if (!other)
			rival_stop(&rival);
		ret = oa_watch(harness, &unharmed, session, &first, &last);
	}
	drmperf_session_destroy(session);
	if (!ret)
		oa_decide_time(harness, &unharmed, &first, &last);
	return ret;
}

int
oa_stage_taken(struct oa_harness *harness)
{
	int ret = count_after_rival(harness);

	return ret < 0 ? ret : count_before_rival(harness);
}
