/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other counters for a run that counts: those that stay lose nothing, wherever
 * they have to move to, and what cannot be is refused and disturbs nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

TEST_CASE(change, gpu_open, gpu_close_clean, "amdgpu_change");

TEST(change, change_keeps_counting)
{
	const struct counter_request first[] = {
		gpu_request("TCC", 17, 2),
		gpu_request("EA", 55, 1),
		gpu_request("SQ", 4, ALL),
		gpu_request("SDMA", 3, 0),
	};
	const struct counter_request second[] = {
		gpu_request("SDMA", 3, 0),  gpu_request("SDMA", 4, 0),
		gpu_request("EA", 57, 1),   gpu_request("SQ", 4, ALL),
		gpu_request("RLC", 2, ALL), gpu_request("TCC", 17, 2),
		gpu_request("EA", 55, 1),   gpu_request("RMI", 5, 3),
	};
	static const struct {
		size_t now;
		bool is_new; /* counts from the change on */
		size_t before; /* its place then; it counts from the start */
		uint64_t gained;
	} values[] = {
		{ 0, false, 6, 60 },  { 1, true, 0, 400 },
		{ 2, true, 0, 570 },  { 3, false, 2, 80 },
		{ 6, false, 5, 80 },  { 7, true, 0, 20 },
		{ 8, false, 0, 340 }, { 9, false, 1, 1100 },
		{ 10, true, 0, 50 },
	};
	uint64_t at_change[16];
	void *run;

	gpu_count_only("TCC.17 17000", "EA.55 55000", "EA.57 57000",
		       "SQ.4 4000", "SDMA.3 3000", "SDMA.4 40000", "RLC.2 2000",
		       "RMI.5 5000");
	run = gpu_begin(first, ARRAY_SIZE(first));
	scene_pass(10 * MS);
	gpu_change(run, second, ARRAY_SIZE(second));
	gpu_sample(run);
	memcpy(at_change, gpu_now, sizeof(at_change));
	scene_pass(10 * MS);
	gpu_sample(run);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t since = values[i].is_new
					 ? at_change[values[i].now]
					 : gpu_before[values[i].before];
		uint64_t gained = gpu_now[values[i].now] - since;

		ck_assert_msg(gained == values[i].gained, "value %zu: %" PRIu64,
			      values[i].now, gained);
	}
	/* and back again */
	gpu_change(run, first, ARRAY_SIZE(first));
	scene_pass(10 * MS);
	gpu_sample(run);
	ck_assert_uint_eq(gpu_gained(0), 510);
	ck_assert_uint_eq(gpu_gained(1), 1650);
	ck_assert_uint_eq(gpu_gained(2), 120);
	ck_assert_uint_eq(gpu_gained(6), 90);
	gpu_end(run);
}

/* A pair needs two slots side by side: others must make room and count on. */
TEST(change, change_moves_counters)
{
	const struct counter_request first[] = {
		gpu_request("SQ", 20, ALL), gpu_request("SQ", 21, ALL),
		gpu_request("SQ", 22, ALL), gpu_request("SQ", 23, ALL),
		gpu_request("SQ", 24, ALL), gpu_request("SQ", 25, ALL),
		gpu_request("SQ", 26, ALL), gpu_request("SQ", 27, ALL),
	};
	/* every other one goes */
	const struct counter_request second[] = {
		gpu_request("SQ", 20, ALL),
		gpu_request("SQ", 22, ALL),
		gpu_request("SQ", 24, ALL),
		gpu_request("SQ", 26, ALL),
	};
	const struct counter_request third[] = {
		gpu_request("SQ", 20, ALL), gpu_request("SQ", 22, ALL),
		gpu_request("SQ", 24, ALL), gpu_request("SQ", 26, ALL),
		gpu_request("SQ", 5, ALL),  gpu_follower("SQ", 1),
		gpu_request("SQ", 6, ALL),  gpu_follower("SQ", 1),
	};
	uint64_t at_change[64];
	void *run;

	gpu_count_only("SQ.20 20000", "SQ.22 22000", "SQ.24 24000",
		       "SQ.26 26000");
	scene_set("clock", "sclk 1000");
	scene_set("level", "SQ.5 7");
	scene_set("level", "SQ.6 8");
	run = gpu_begin(first, ARRAY_SIZE(first));
	scene_pass(MS);
	gpu_change(run, second, ARRAY_SIZE(second));
	scene_pass(MS);
	gpu_change(run, third, ARRAY_SIZE(third));
	gpu_sample(run);
	memcpy(at_change, gpu_now, sizeof(at_change));
	scene_pass(MS);
	gpu_sample(run);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(gpu_now[i] - gpu_before[i], 60);
		ck_assert_uint_eq(gpu_now[4 + i] - gpu_before[8 + i], 66);
		ck_assert_uint_eq(gpu_now[8 + i] - gpu_before[16 + i], 72);
		ck_assert_uint_eq(gpu_now[12 + i] - gpu_before[24 + i], 78);
		ck_assert_uint_eq(gpu_now[20 + i] - at_change[20 + i], 7000000);
		ck_assert_uint_eq(gpu_now[28 + i] - at_change[28 + i], 8000000);
	}
	gpu_end(run);
}

/* The first can move only after the second has, to a slot that is free. */
TEST(change, change_moves_one_after_another)
{
	const struct counter_request requests[] = {
		gpu_limited("TCC", 20, 0x3),
		gpu_limited("TCC", 21, 0x6),
		gpu_limited("TCC", 22, 0x1),
	};
	void *run;

	gpu_count_only("TCC.20 20000", "TCC.21 21000", "TCC.22 22000");
	run = gpu_begin(requests, 2);
	scene_pass(MS);
	gpu_change(run, requests, 3);
	gpu_expect(run, 20, 21);
	gpu_before[2] = gpu_now[2];
	scene_pass(MS);
	gpu_expect(run, 40, 42, 22);
	gpu_end(run);
}

/* A pair that could only move by half its length stays, and counts on. */
TEST(change, change_that_would_lose_counts)
{
	const struct counter_request requests[] = {
		gpu_limited("SQ", 5, 0x3),
		gpu_follower("SQ", 1),
		gpu_limited("SQ", 22, 0x1),
	};
	struct drmperf_error error = { 0 };
	void *run;

	scene_set("clock", "sclk 1000");
	scene_set("level", "SQ.5 12");
	gpu_count_only("SQ.5 5000");
	run = gpu_begin(requests, 2);
	scene_pass(MS);
	ck_assert_int_eq(gpu.ops->change(run, requests, 3, &error), -EBUSY);
	ck_assert_str_ne(error.remedy, "");
	scene_pass(MS);
	gpu_expect(run, 10, 12 * 2000000);
	gpu_end(run);
}

TEST(change, change_that_does_not_fit)
{
	const struct counter_request first[] = { gpu_request("TCC", 17, ALL) };
	struct counter_request second[5];
	struct drmperf_error error = { 0 };
	void *run;

	for (uint32_t i = 0; i < ARRAY_SIZE(second); i++)
		second[i] = gpu_request("TCC", 17 + i, ALL);
	scene_set("rate", "TCC.17 17000");
	run = gpu_begin(first, 1);
	gpu_failed(gpu.ops->change(run, second, ARRAY_SIZE(second), &error),
		   -ENOSPC, &error, "TCC", "");
	scene_pass(MS);
	gpu_expect(run, 17);
	gpu_end(run);
}

/* Not started yet: there is nothing to lose. */
TEST(change, change_before_start)
{
	const struct counter_request first = gpu_request("TCC", 17, 0);
	const struct counter_request second[] = { gpu_request("SQ", 4, 0),
						  gpu_request("TCC", 18, 0) };
	struct drmperf_error error = { 0 };
	void *run = gpu_arm(&first, 1);

	scene_set("rate", "SQ.4 4000");
	scene_set("rate", "TCC.18 18000");
	gpu_change(run, second, 2);
	gpu_start(run);
	scene_pass(MS);
	gpu_expect(run, 4, 18);
	/* between stop and start values stay as they are */
	gpu_stop(run);
	gpu_change(run, &second[1], 1);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	scene_pass(MS);
	gpu_sample(run);
	ck_assert_uint_eq(gpu_now[0] - gpu_before[1], 36);
	gpu_end(run);
}

/* Five events of a block with four counters, each in an instance of its own. */
TEST(change, instances_have_events_of_their_own)
{
	const struct counter_request requests[] = {
		gpu_request("TCC", 17, 0),   gpu_request("TCC", 18, 1),
		gpu_request("TCC", 19, 2),   gpu_request("TCC", 20, 3),
		gpu_request("TCC", 21, 4),   gpu_request("TCC", 17, 4),
		gpu_request("TCC", 22, ALL), gpu_request("TCC", 23, 15),
		gpu_request("TCC", 24, ALL), gpu_request("TCC", 25, 4),
	};
	struct drmperf_error error = { 0 };
	uint64_t at_change[64];
	void *run;

	gpu_count_only("TCC.17 17000", "TCC.18 18000", "TCC.19 19000",
		       "TCC.20 20000", "TCC.21 21000", "TCC.22 22000",
		       "TCC.23 23000", "TCC.24 24000", "TCC.25 25000");
	run = gpu_begin(requests, 6);
	scene_pass(MS);
	gpu_expect(run, 17, 18, 19, 20, 21, 17);
	gpu_change(run, requests, 9);
	gpu_sample(run);
	memcpy(at_change, gpu_now, sizeof(at_change));
	ck_assert_int_eq(gpu.ops->change(run, requests, 10, &error), -ENOSPC);
	scene_pass(MS);
	gpu_expect(run, 34, 36, 38, 40, 42, 34);
	for (size_t i = 6; i < 22; i++)
		ck_assert_uint_eq(gpu_now[i] - at_change[i], 22);
	ck_assert_uint_eq(gpu_now[22] - at_change[22], 23);
	ck_assert_uint_eq(gpu_now[38] - at_change[38], 24);
	gpu_end(run);
}

/* A counter makes room in the one instance where it has to. */
TEST(change, change_moves_in_one_instance)
{
	struct counter_request requests[] = {
		gpu_limited("TCC", 20, 0x3),
		gpu_request("TCC", 21, 5),
		gpu_limited("TCC", 22, 0x1),
	};
	void *run;

	requests[2].instance = 3;
	gpu_count_only("TCC.20 20000", "TCC.21 21000", "TCC.22 22000");
	requests[0].instance = ALL;
	run = gpu_begin(requests, 2);
	scene_pass(MS);
	gpu_change(run, requests, 3);
	gpu_expect(run, 20, 20, 20, 20, 20);
	gpu_before[17] = gpu_now[17];
	scene_pass(MS);
	gpu_expect(run, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40,
		   40, 40, 42, 22);
	gpu_end(run);
}

TEST_GPUS("amdgpu_change", "vega10,copied-registers=work");

/* hidden on gfx9, but registers that are copied */
static uint64_t
count_submissions(void)
{
	uint64_t count;

	ck_assert_int_eq(drmsim_calls("cs", &count), 0);
	return count;
}

/* Counters of 48 bits are read in minutes, those of 32 in milliseconds. */
TEST(change, narrower_counters_are_read_more_often)
{
	const struct counter_request asked[] = { gpu_request("PA_SU", 0, ALL),
						 gpu_request("SDMA", 3, 0) };
	void *run = gpu_begin(asked, 1);
	struct drmperf_error error;
	uint64_t begin;

	ck_assert_int_eq(gpu.ops->change(run, asked, 2, &error), 0);
	begin = count_submissions();
	while (count_submissions() < begin + 3)
		sched_yield();
	gpu_end(run);
}

TEST_SETTING(DRMPERF_UNTESTED, "EA SDMA MC_VM_L2");
