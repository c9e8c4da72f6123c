/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profiler that takes the counters away from the one that programmed them,
 * at a submission or at a time.
 */
#include <errno.h>
#include <stdio.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/drmsim/chips.h"

#define GRBM_SELECT 0x36104u
#define GRBM_LO 0x3410cu
#define SQ_SELECT 0x36700u
#define SQ_LO 0x34700u
#define ID 30u
#define MASKED (ID | SQ_MASKS)

TEST_CASE(foreign, chips_forget, hand_finish, "drmsim_amdgpu_foreign");

static const struct {
	const char *fault;
	/* what the registers hold afterwards */
	uint32_t select, control, state;
	/* milliseconds that were counted, and such of the event beside */
	unsigned grbm, sq, beside;
} cases[] = {
	{ "foreign-selects", MASKED ^ 1, 0x7f, 1, 1, 1, 1 },
	{ "foreign-masks", MASKED, 0, 1, 2, 1, 0 },
	{ "foreign-reset", MASKED, 0x7f, 1, 1, 1, 0 },
	{ "foreign-stop", MASKED, 0x7f, 2, 1, 1, 0 },
};

static uint64_t
expected_count(unsigned block, unsigned own, unsigned beside)
{
	return own * hand_in_a_millisecond(block, ID, 0) +
	       beside * hand_in_a_millisecond(block, ID ^ 1, 0);
}

/* Check that the registers tell of it, and so does what has been counted. */
static void
check_number(struct hand_gpu *gpu, unsigned number)
{
	hand_copy_to_result(gpu, SQ_CTRL, 2);
	hand_copy_to_result(gpu, CP_PERFMON_CNTL, 3);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, 0x60000000);
	hand_copy_to_result(gpu, SQ_SELECT, 1);
	hand_event(gpu, 27);
	hand_copy_to_result(gpu, SQ_LO, 4);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_copy_to_result(gpu, GRBM_LO, 0);
	hand_run(gpu);
	ck_assert_uint_eq(
		gpu->results[0],
		expected_count(17, cases[number].grbm, cases[number].beside));
	ck_assert_uint_eq(
		gpu->results[4],
		expected_count(6, cases[number].sq, cases[number].beside));
	ck_assert_uint_eq(gpu->results[1], cases[number].select);
	ck_assert_uint_eq(gpu->results[2], cases[number].control);
	ck_assert_uint_eq(gpu->results[3], cases[number].state);
}

static void
start_foreign(struct hand_gpu *gpu)
{
	chip_reset(POLARIS10);
	hand_open(gpu, POLARIS10, COMPUTE);
	chip_prepare(gpu, POLARIS10);
	hand_set_uconfig(gpu, GRBM_SELECT, ID);
	hand_set_uconfig(gpu, SQ_SELECT, MASKED);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_run(gpu);
}

/* One millisecond before, one after. */
TEST_LOOP(foreign, at_a_time, ARRAY_SIZE(cases))
{
	char fault[64];
	uint64_t now;

	start_foreign(&hand);
	ck_assert_int_eq(drmsim_now(&now), 0);
	snprintf(fault, sizeof(fault), "%s@%lluns:gpu=3", cases[_i].fault,
		 (unsigned long long)now + HAND_MS);
	ck_assert_int_eq(drmsim_fault(fault), 0);
	scene_pass(2 * HAND_MS);
	check_number(&hand, (unsigned)_i);
}

/* The submission that it goes with finds it done. */
TEST_LOOP(foreign, with_a_submission, ARRAY_SIZE(cases))
{
	char fault[64];

	start_foreign(&hand);
	snprintf(fault, sizeof(fault), "%s:2:gpu=3", cases[_i].fault);
	ck_assert_int_eq(drmsim_fault(fault), 0);
	hand_copy_to_result(&hand, CP_PERFMON_CNTL, 3);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[3], 1);
	scene_pass(HAND_MS);
	hand_copy_to_result(&hand, CP_PERFMON_CNTL, 3);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[3], cases[_i].state);
	scene_pass(HAND_MS);
	check_number(&hand, (unsigned)_i);
}

static const struct {
	const char *fault;
	int error;
} words[] = {
	{ "foreign-selects:2000000", 0 },
	{ "foreign-select:2", -EINVAL },
	{ "foreign-masks", -EINVAL },
	{ "foreign-masks:2:EIO", -EINVAL },
	{ "foreign-masks:2:gpu=9", -EINVAL },
};

TEST_LOOP(foreign, a_fault_is_accepted_or_refused, ARRAY_SIZE(words))
{
	ck_assert_int_eq(drmsim_fault(words[_i].fault), words[_i].error);
}

TEST_MACHINE("drmsim_amdgpu_foreign", CHIPS);
