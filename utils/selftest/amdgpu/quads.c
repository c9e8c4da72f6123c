/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/stages.h"

#include <errno.h>

#include "selftest/amdgpu/counted.h"
#include "selftest/checks/drawn.h"

struct quads {
	struct harness *harness;
	struct counted counted;
	char expected[DRAWN_TEXT_SIZE];
};

static int
check_unknown(const struct quads *quads, const char *why)
{
	harness_check(quads->harness, SELFTEST_UNKNOWN,
		      drawn_check(&drawn_quads), quads->expected, "%s", why);
	return 0;
}

static int
quads_fail(struct quads *quads)
{
	bool reset = counted_was_reset(&quads->counted);
	const char *cause =
		reset ? "the GPU was reset" : quads->counted.error.cause;

	check_unknown(quads, cause);
	return reset ? error_set(quads->harness->error, -ECANCELED, "%s", cause)
		     : 0;
}

static int
quads_judge(const struct quads *quads, uint64_t quiet, uint64_t counted)
{
	char seen[DRAWN_TEXT_SIZE];
	enum selftest_verdict verdict = drawn_judge(
		&drawn_quads, quads->harness->host, quiet, counted, seen);

	harness_check(quads->harness, verdict, drawn_check(&drawn_quads),
		      quads->expected, "%s", seen);
	return 0;
}

static int
quads_count(struct quads *quads)
{
	struct counted *counted = &quads->counted;
	uint64_t first, before, after;
	const char *why;

	if (counted_start(counted) || counted_sample(counted))
		return quads_fail(quads);
	first = counted_sum(counted, 0);
	harness_wait(DRAWN_QUIET_NS);
	if (counted_sample(counted))
		return quads_fail(quads);
	before = counted_sum(counted, 0);
	why = drawn_step(&drawn_quads, quads->harness->host, SELFTEST_DRAW_RUN);
	if (counted_sample(counted))
		return quads_fail(quads);
	if (why)
		return check_unknown(quads, why);
	after = counted_sum(counted, 0);
	harness_wait(DRAWN_QUIET_NS);
	if (counted_sample(counted))
		return quads_fail(quads);
	return quads_judge(quads,
			   before - first + counted_sum(counted, 0) - after,
			   after - before);
}

int
quads_try(struct harness *harness)
{
	struct quads quads = { .harness = harness };
	const char *why;
	int ret;

	if (!amd_context_info(harness->ctx)->has_ring[PM4_ENGINE_GFX])
		return 0;
	drawn_expect(&drawn_quads, "CB.DRAWN_PIXEL", quads.expected);
	counted_init(&quads.counted, harness);
	if (counted_add(&quads.counted, "CB", "DRAWN_PIXEL"))
		return check_unknown(&quads, "the table has no such event");
	ret = harness_announce(harness, drawn_check(&drawn_quads),
			       quads.expected,
			       "quads drawn by another process");
	if (ret)
		return ret;
	why = drawn_step(&drawn_quads, harness->host, SELFTEST_DRAW_BEGIN);
	ret = why ? check_unknown(&quads, why) : quads_count(&quads);
	counted_finish(&quads.counted);
	return ret;
}
