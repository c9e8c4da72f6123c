/* SPDX-License-Identifier: BSD-3-Clause */
/* Stage 7 of Intel GPUs: work whose result can be stated. */
#include <stdio.h>

#include "base/array.h"
#include "selftest/checks/drawn.h"
#include "selftest/intel/oa_stages.h"

/* Events that count each kind of work: the first that exists is used. */
static const struct work {
	const struct drawn *drawn;
	const char *events[2], *wanted;
} works[] = {
	/*
	 * Pixels written to render targets, by Intel's descriptions of both: by
	 * i915's tables, and those of Xe2. From gen8 to gen12 the hardware
	 * counts blocks of 2 x 2, times 4 in the sets; so blocks have to be
	 * drawn as wholes.
	 */
	{ &drawn_quads,
	  { "RenderBasic.SamplesWritten", "RenderBasic.PIXEL_WRITE" },
	  "an event for pixels written" },
	/* Threads of the hardware; on Xe2 groups, of the render engine. */
	{ &drawn_groups,
	  { "oa.CsThreads", "oa.GPGPU_THREADGROUP_COUNT" },
	  "an event for threads of compute shaders" },
};

/* Return NULL: compute GPUs count no pixels. */
static const char *
find_event(const struct oa_harness *harness, const struct work *work)
{
	for (size_t i = 0; i < ARRAY_SIZE(work->events); i++)
		if (oa_has(harness, work->events[i]))
			return work->events[i];
	return NULL;
}

static int
check_unknown(const struct oa_harness *harness, const struct oa_check *check,
	      const char *why)
{
	oa_decide(harness, check, SELFTEST_UNKNOWN, "%s", why);
	return 1;
}

static int
count_drawn(struct oa_harness *harness, const struct oa_check *check,
	    const struct drawn *drawn, struct drmperf_session *session)
{
	union drmperf_value first, before, behind, last;
	char seen[DRAWN_TEXT_SIZE];
	enum selftest_verdict verdict;
	const char *why;
	int ret = oa_read(harness, check, session, &first);

	if (!ret) {
		oa_wait(DRAWN_QUIET_NS);
		ret = oa_read(harness, check, session, &before);
	}
	if (ret)
		return ret;
	why = drawn_step(drawn, harness->host, SELFTEST_DRAW_RUN);
	if (why)
		return check_unknown(harness, check, why);
	ret = oa_read(harness, check, session, &behind);
	if (!ret) {
		oa_wait(DRAWN_QUIET_NS);
		ret = oa_read(harness, check, session, &last);
	}
	if (ret)
		return ret;
	verdict = drawn_judge(drawn, harness->host,
			      before.u64 - first.u64 + last.u64 - behind.u64,
			      behind.u64 - before.u64, seen);
	oa_decide(harness, check, verdict, "%s", seen);
	return 0;
}

static int
try_work(struct oa_harness *harness, const struct work *work)
{
	const char *event = find_event(harness, work), *why;
	char expected[DRAWN_TEXT_SIZE];
	const struct oa_check check = { drawn_check(work->drawn), expected };
	struct drmperf_session *session;
	int ret;

	snprintf(expected, sizeof(expected), "%s", work->wanted);
	if (!event)
		return check_unknown(harness, &check, "its sets have none");
	drawn_expect(work->drawn, event, expected);
	why = drawn_step(work->drawn, harness->host, SELFTEST_DRAW_BEGIN);
	if (why)
		return check_unknown(harness, &check, why);
	ret = oa_count(harness, &check, &event, 1, &session);
	if (ret)
		return ret;
	ret = count_drawn(harness, &check, work->drawn, session);
	drmperf_session_destroy(session);
	return ret;
}

int
oa_stage_drawn(struct oa_harness *harness)
{
	struct drmperf_error error = { .cause = "" };
	const struct oa_check check = { drawn_check(works[0].drawn),
					works[0].wanted };
	int ret = drmperf_device_open(harness->device, &error);

	if (ret)
		return oa_refuse(harness, &check, ret, &error);
	for (size_t i = 0; i < ARRAY_SIZE(works) && ret >= 0; i++)
		ret = try_work(harness, &works[i]);
	return ret;
}
