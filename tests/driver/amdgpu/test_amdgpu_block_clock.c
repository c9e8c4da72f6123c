/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks whose clock stands still while those of others go on: an error where
 * the table says, or the self-test has found, that the block's event of its
 * clock never stops; a warning where that is not known; nothing where the
 * self-test has found that it does.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/found.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* The GPU, and what is known of it                                     */

static unsigned warnings;
static char warning[512];

static void
keep_warning(void *data, enum drmperf_log_level level, const char *text)
{
	(void)data;
	if (level != DRMPERF_LOG_WARNING || !strstr(text, "clock"))
		return;
	warnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

static void
open_logging(void)
{
	struct driver_target target = gpu_target;
	struct drmperf_error error = { 0 };

	target.log.log = keep_warning;
	ck_assert_int_eq(drmsim_command("clear", NULL, 0), 0);
	scene_set("default", "zero");
	ck_assert_msg(!gpu_try_open(&target, &error), "%s", error.cause);
	warnings = 0;
}

/* Open the GPU once more, with what the self-test has found. */
static void
open_results(const char *block, bool moves)
{
	found_clock(gpu.device, block, moves);
	gpu_close();
	open_logging();
	found_nothing();
}

static void
tear_down(void)
{
	scene_set("gated-block", "none");
	gpu_close_clean();
}

TEST_CASE(vega10, open_logging, tear_down, "amdgpu_block_clock_vega10");
TEST_CASE(mi200, open_logging, tear_down, "amdgpu_block_clock_mi200");
TEST_CASE(navi31, open_logging, tear_down, "amdgpu_block_clock_navi31");

/* ------------------------------------------------------------------ */
/* What is said                                                         */

enum known {
	NOTHING,
	RUNS,
	STOPS
};
enum said {
	SILENCE,
	WARNING,
	ERROR
};

/* A block, and the event that counts its clock, or NULL. */
struct verdict {
	const char *block, *event;
	enum known known;
	enum said said;
};

static const struct verdict vega10_verdicts[] = {
	{ "TCC", "TCC.CYCLE", NOTHING, WARNING },
	{ "TCC", "TCC.CYCLE", RUNS, ERROR },
	{ "TCC", "TCC.CYCLE", STOPS, SILENCE },
	{ "SQ", "SQ.CYCLES", NOTHING, WARNING },
	{ "SQ", "SQ.CYCLES", RUNS, ERROR },
	/* the name of the event says so */
	{ "CPC", "CPC.ALWAYS_COUNT", NOTHING, ERROR },
	{ "CPC", "CPC.ALWAYS_COUNT", STOPS, SILENCE },
	{ "TA", NULL, NOTHING, SILENCE },
	{ "SPI", NULL, NOTHING, SILENCE },
	{ "SX", NULL, NOTHING, SILENCE },
};

static const struct verdict mi200_verdicts[] = {
	/* ROCm's documents say so */
	{ "TCC", "TCC.CYCLE", NOTHING, ERROR },
	{ "TCC", "TCC.CYCLE", STOPS, SILENCE },
	{ "TCA", "TCA.CYCLE", NOTHING, WARNING },
};

static const struct verdict navi31_verdicts[] = {
	{ "GL2C", "GL2C.CYCLE", NOTHING, WARNING },
	{ "GL2C", "GL2C.CYCLE", RUNS, ERROR },
	{ "GL1C", "GL1C.CYCLE", RUNS, ERROR },
	{ "SQ_WGP", "SQ_WGP.CYCLES", RUNS, ERROR },
	{ "TCP", NULL, NOTHING, SILENCE },
};

static void
check_verdict(const struct verdict *verdict)
{
	const char *place = verdict->block;
	struct counter_request asked[2];
	struct drmperf_error error = { 0 };
	int ret = 0;
	void *run;

	if (verdict->known)
		open_results(place, verdict->known == RUNS);
	asked[0] = gpu_request(place, 4, ALL);
	asked[1] = gpu_request("GRBM", 2, ALL);
	run = gpu_begin(asked, 2);
	scene_pass(MS);
	gpu_sample(run);
	scene_set("gated-block", place);
	/* for a moment it cannot be told */
	scene_pass(1000);
	gpu_sample(run);
	for (int i = 0; !ret && i < 3; i++) {
		scene_pass(MS);
		ret = gpu_try_sample(run, &error);
	}
	ck_assert_msg(ret == (verdict->said == ERROR ? -ENODATA : 0),
		      "%s: %d: %s", place, ret, error.cause);
	ck_assert_msg(warnings == (verdict->said == WARNING), "%s: %u: %s",
		      place, warnings, warning);
	if (verdict->said != SILENCE)
		ck_assert_ptr_nonnull(
			strstr(ret ? error.cause : warning, verdict->event));
	if (ret)
		ck_assert_str_ne(error.remedy, "");
	scene_set("gated-block", "none");
	gpu_end(run);
	/* all is well with the next one, and nothing is said twice */
	run = gpu_begin(asked, 2);
	scene_pass(MS);
	gpu_sample(run);
	if (verdict->said == WARNING)
		scene_set("gated-block", place);
	scene_pass(MS);
	gpu_sample(run);
	scene_set("gated-block", "none");
	gpu_end(run);
	ck_assert_uint_eq(warnings, verdict->said == WARNING);
}

TEST_LOOP(vega10, block_clocks_are_judged_on_vega10,
	  ARRAY_SIZE(vega10_verdicts))
{
	check_verdict(&vega10_verdicts[_i]);
}

TEST_LOOP(mi200, block_clocks_are_judged_on_mi200, ARRAY_SIZE(mi200_verdicts))
{
	check_verdict(&mi200_verdicts[_i]);
}

TEST_LOOP(navi31, block_clocks_are_judged_on_navi31,
	  ARRAY_SIZE(navi31_verdicts))
{
	check_verdict(&navi31_verdicts[_i]);
}

/* ------------------------------------------------------------------ */
/* Where it is counted                                                  */

/* The slot of an event that is asked for in all of them serves. */
TEST(vega10, a_full_block_is_checked_by_its_own_slot)
{
	struct counter_request asked[4];
	struct drmperf_error error = { 0 };
	void *run;

	open_results("TCC", true);
	for (unsigned i = 0; i < 4; i++)
		asked[i] = gpu_request("TCC", 17 + i, ALL);
	gpu_set_rates((const char *const[]){ "TCC.17 1000", NULL });
	run = gpu_begin(asked, 4);
	scene_pass(2 * MS);
	gpu_expect(run, 2);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	gpu_expect(run, 2);
	scene_set("gated-block", "none");
	gpu_end(run);
	asked[3] = gpu_request("TCC", 1, ALL);
	run = gpu_begin(asked, 4);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error), -ENODATA);
	scene_set("gated-block", "none");
	gpu_end(run);
}

/* Where some shader stages are left out the event may be, too. */
TEST(vega10, left_out_stages_excuse_a_still_clock)
{
	struct counter_request asked = gpu_request("SQ", 4, ALL);
	void *run;

	open_results("SQ", true);
	asked.setting = 0x40;
	run = gpu_begin(&asked, 1);
	scene_set("gated-block", "SQ");
	scene_pass(MS);
	gpu_sample(run);
	gpu_end(run);
}

/* Counters that come later have one from then on; the others keep theirs. */
TEST(vega10, later_counters_get_a_block_clock)
{
	const struct counter_request asked[] = { gpu_request("GRBM", 2, ALL),
						 gpu_request("TCC", 17, 3),
						 gpu_request("TCC", 18, 3),
						 gpu_request("TCC", 19, 3) };
	struct drmperf_error error = { 0 };
	void *run;

	open_results("TCC", true);
	run = gpu_begin(asked, 1);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	gpu_sample(run);
	scene_set("gated-block", "none");
	gpu_change(run, asked, 2);
	scene_pass(MS);
	gpu_change(run, asked, 4);
	/* what passes before a change counts as well */
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	gpu_failed(gpu.ops->change(run, asked, 3, &error), -ENODATA, &error,
		   "TCC.CYCLE", "");
	gpu_end(run);
}

/*
 * Its slot is for who wants it, in this process or another, and what is counted
 * there says nothing of the clock.
 */
TEST_LOOP(vega10, a_block_clock_yields_its_slot, 2)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, 2),
						 gpu_request("TCC", 18, 2),
						 gpu_request("TCC", 19, 2),
						 gpu_request("TCC", 20, 2) };
	void *first, *second;

	open_results("TCC", true);
	gpu_set_rates((const char *const[]){ "TCC.17 17000", NULL });
	first = gpu_begin(asked, 1);
	scene_pass(MS);
	gpu_expect(first, 17);
	if (_i)
		gpu_change(first, asked, 4);
	second = gpu_begin(&asked[1], 3);
	gpu_mark(first);
	for (uint64_t i = 1; i < 4; i++) {
		scene_pass(MS);
		gpu_expect(first, 17 * i);
	}
	gpu_end(second);
	scene_pass(MS);
	gpu_expect(first, 17 * 4);
	gpu_end(first);
	ck_assert_uint_eq(warnings, 0);
}

/*
 * The second process finds it selected, and goes on when the first has ended.
 */
TEST(vega10, processes_share_a_block_clock)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, 2),
						 gpu_request("TCC", 18, 2) };
	struct drmperf_error error = { 0 };
	void *first, *second;

	open_results("TCC", true);
	gpu_set_rates((const char *const[]){ "TCC.18 18000", NULL });
	first = gpu_begin(asked, 1);
	second = gpu_begin(&asked[1], 1);
	scene_pass(MS);
	gpu_expect(second, 18);
	gpu_end(first);
	scene_pass(MS);
	gpu_expect(second, 36);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(second, &error), -ENODATA);
	scene_set("gated-block", "none");
	gpu_end(second);
}

/* What could not be programmed is not taken for what it was to be. */
TEST(vega10, a_block_clock_is_programmed_after_a_failure)
{
	const struct counter_request grbm = gpu_request("GRBM", 2, ALL);
	const struct counter_request asked = gpu_request("TCC", 17, 2);
	struct drmperf_error error = { 0 };
	void *first, *second;

	open_results("TCC", true);
	gpu_set_rates((const char *const[]){ "TCC.17 17000", NULL });
	first = gpu_begin(&grbm, 1);
	second = gpu_arm(&asked, 1);
	scene_fault("cs:1:ENOMEM");
	ck_assert_int_eq(gpu.ops->start(second, &error), -ENOMEM);
	gpu.ops->disarm(second);
	second = gpu_begin(&asked, 1);
	scene_pass(MS);
	gpu_expect(second, 17);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(second, &error), -ENODATA);
	gpu_end(second);
	gpu_end(first);
}

/* One block's clock matters to no other block. */
TEST(vega10, others_go_on)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, 2),
						 gpu_request("TA", 18, 2) };
	struct drmperf_error error = { 0 };
	void *first, *second;

	open_results("TCC", true);
	gpu_set_rates((const char *const[]){ "TA.18 18000", NULL });
	first = gpu_begin(asked, 1);
	second = gpu_begin(&asked[1], 1);
	scene_set("gated-block", "TCC");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(first, &error), -ENODATA);
	scene_set("gated-block", "none");
	scene_pass(MS);
	gpu_expect(second, 36);
	gpu_end(first);
	scene_pass(MS);
	gpu_expect(second, 54);
	gpu_end(second);
}

/* A counter of 32 bits that is full shows the same as before. */
TEST(navi31, a_full_counter_is_no_still_clock)
{
	const struct counter_request asked = gpu_request("SQ_WGP", 4, ALL);
	void *run;

	open_results("SQ_WGP", true);
	run = gpu_begin(&asked, 1);
	for (int i = 0; i < 8; i++) {
		scene_pass(500 * MS);
		gpu_sample(run);
	}
	gpu_end(run);
	ck_assert_uint_eq(warnings, 0);
}

TEST_GPUS("amdgpu_block_clock_vega10", "vega10");
TEST_GPUS("amdgpu_block_clock_mi200", "mi200");
TEST_GPUS("amdgpu_block_clock_navi31", "navi31");
