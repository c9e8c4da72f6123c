/* SPDX-License-Identifier: BSD-3-Clause */
/* Stage 7 of Intel GPUs: work whose result can be stated. */
#include <stdio.h>

#include "base/array.h"
#include "driver/claims/drawn.h"
#include "selftest_oa_stages.h"

/*
 * Pixels written to render targets, by Intel's descriptions of both: by i915's
 * tables, and those of Xe2. From gen8 to gen12 the hardware counts blocks of
 * 2 x 2, times 4 in the sets; so blocks have to be drawn as wholes.
 */
static const char *const events[] = {
	"RenderBasic.SamplesWritten",
	"RenderBasic.PIXEL_WRITE",
};

/* NULL: compute GPUs count no pixels. */
static const char *
find_event(const struct oa_bench *bench)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (oa_has(bench, events[i]))
			return events[i];
	return NULL;
}

static int
claim_unknown(const struct oa_bench *bench, const struct oa_claim *claim,
	      const char *why)
{
	oa_decide(bench, claim, SELFTEST_UNKNOWN, "%s", why);
	return 1;
}

static int
count_quads(struct oa_bench *bench, const struct oa_claim *claim,
	    struct drmperf_session *session)
{
	union drmperf_value first, before, behind;
	char seen[DRAWN_TEXT_SIZE];
	enum selftest_verdict verdict;
	const char *why;
	int ret = oa_read(bench, claim, session, &first);

	if (!ret) {
		oa_wait(DRAWN_QUIET_NS);
		ret = oa_read(bench, claim, session, &before);
	}
	if (ret)
		return ret;
	why = drawn_step(bench->host, SELFTEST_DRAW_QUADS);
	if (why)
		return claim_unknown(bench, claim, why);
	ret = oa_read(bench, claim, session, &behind);
	if (ret)
		return ret;
	verdict = drawn_judge(bench->host, before.u64 - first.u64,
			      behind.u64 - before.u64, seen);
	oa_decide(bench, claim, verdict, "%s", seen);
	return 0;
}

int
oa_stage_drawn(struct oa_bench *bench)
{
	char expected[DRAWN_TEXT_SIZE] = "an event for pixels written";
	const struct oa_claim claim = { DRAWN_CLAIM, expected };
	struct drmperf_session *session;
	struct drmperf_error error = { .cause = "" };
	const char *event, *why;
	int ret = drmperf_device_open(bench->device, &error);

	if (ret)
		return oa_refuse(bench, &claim, ret, &error);
	event = find_event(bench);
	if (!event)
		return claim_unknown(bench, &claim, "its sets have none");
	drawn_expect(event, expected);
	why = drawn_step(bench->host, SELFTEST_DRAW_BEGIN);
	if (why)
		return claim_unknown(bench, &claim, why);
	ret = oa_count(bench, &claim, &event, 1, &session);
	if (ret)
		return ret;
	ret = count_quads(bench, &claim, session);
	drmperf_session_destroy(session);
	return ret;
}
