/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lost metric set is found by routed counters that stop while the GPU works.
 */
#include <errno.h>
#include <string.h>

#include "driver/intel/oa/format.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/intel/oa/stream/reset_check.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define MUCH (OA_RESET_CHECK_BUSY_CLOCKS + 1)

/* How the sums go on from one look to the next. */
struct step {
	uint64_t busy, b, c; /* what A0, B7 and C0 gain */
};

static const struct course {
	const char *name;
	unsigned format; /* its number */
	enum oa_generation generation;
	struct step steps[4];
	int last; /* what the last look returns; those before return 0 */
} courses[] = {
	{ "routed counters stop after they have moved",
	  10,
	  OA_GEN9,
	  { { 1, 1, 0 }, { MUCH, 0, 0 } },
	  -EUCLEAN },
	{ "one of the routed counters goes on",
	  10,
	  OA_GEN9,
	  { { 1, 1, 1 }, { MUCH, 0, 1 }, { MUCH, 1, 0 }, { MUCH, 0, 1 } },
	  0 },
	{ "routed counters have never moved",
	  10,
	  OA_GEN9,
	  { { MUCH, 0, 0 }, { MUCH, 0, 0 }, { MUCH, 0, 0 } },
	  0 },
	{ "the GPU is idle", 10, OA_GEN9, { { 1, 1, 1 }, { 0, 0, 0 } }, 0 },
	{ "the GPU works for less than what is told",
	  10,
	  OA_GEN9,
	  { { 1, 1, 1 }, { MUCH - 1, 0, 0 } },
	  0 },
	{ "it works so long in several steps",
	  10,
	  OA_GEN9,
	  { { 1, 1, 1 }, { MUCH - 1, 0, 0 }, { 1, 0, 0 } },
	  -EUCLEAN },
	{ "Haswell's A0 is another one",
	  5,
	  OA_GEN7,
	  { { 1, 1, 1 }, { MUCH, 0, 0 } },
	  0 },
};

static const struct oa_kernel_ops source; /* which does not tell of resets */

TEST_CASE(stop, NULL, NULL, "oa_upset");

TEST_LOOP(stop, routed_counters_that_stop_are_noticed, ARRAY_SIZE(courses))
{
	const struct course *course = &courses[_i];
	const struct oa_format *format =
		oa_format_find(course->format, course->generation);
	struct oa_gpu gpu = { .source = &source };
	uint64_t sums[OA_SLOT_COUNT] = { 0 };
	struct oa_reset_check watch;
	size_t last = 0;

	ck_assert_msg(format != NULL, "%s: no format", course->name);
	oa_reset_check_begin(&watch, &gpu, format);
	for (size_t i = 0; i < ARRAY_SIZE(course->steps); i++) {
		const struct step *step = &course->steps[i];

		if (step->busy || step->b || step->c || i == 1)
			last = i;
	}
	for (size_t i = 0; i <= last; i++) {
		const int expected = i == last ? course->last : 0;

		sums[OA_SLOT_A] += course->steps[i].busy;
		sums[OA_SLOT_B + 7] += course->steps[i].b;
		sums[OA_SLOT_C] += course->steps[i].c;
		sums[OA_SLOT_CLOCK] += MUCH;
		ck_assert_msg(oa_reset_check_sums(&watch, sums) == expected,
			      "%s: step %zu", course->name, i);
	}
}
