/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions that count some stages of shaders alone.
 */
#include <errno.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

TEST_CASE(stages, counting_begin, counting_end_clean, "stages");
TEST_CASE(rdna3, counting_begin, counting_end_clean, "stages_rdna3");
TEST_CASE(intel, counting_begin, counting_end_clean, "stages_intel");

static struct drmperf_session *
session_of(const char *const *names, uint64_t stages)
{
	return counting_session_with(
		names, &(struct drmperf_session_options){
			       .size = sizeof(struct drmperf_session_options),
			       .stages = stages });
}

static int
try_session(const char *name, uint64_t stages)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .stages = stages
	};
	struct drmperf_selection selection;
	struct drmperf_session *session;

	selection = counting_find(name);
	return drmperf_session_create(counting.drmperf, &selection, 1, &options,
				      &session, &counting.error);
}

/* The sum of 1 wave of pixel and 3 of compute shaders in a millisecond. */
static const struct {
	uint64_t stages, waves;
} cases[] = {
	{ 0, 4 },
	{ DRMPERF_STAGE_ALL, 4 },
	{ DRMPERF_STAGE_PS, 1 },
	{ DRMPERF_STAGE_CS, 3 },
	{ DRMPERF_STAGE_PS | DRMPERF_STAGE_CS, 4 },
	{ DRMPERF_STAGE_GS | DRMPERF_STAGE_HS, 0 },
	/* where there are no such stages, or no waves of theirs */
	{ DRMPERF_STAGE_VS | DRMPERF_STAGE_PS, 1 },
};

/* What cannot tell stages apart, and what sees through the SQ. */
TEST_LOOP(stages, stages_are_counted, ARRAY_SIZE(cases))
{
	struct drmperf_session *session;
	union drmperf_value values[3];

	scene_set("rate", "SQ.4 instance=0 stages=ps 1000");
	scene_set("rate", "SQ.4 instance=0 stages=cs 3000");
	scene_set("rate", "TA.1 instance=0 stages=ps 1000");
	scene_set("rate", "TA.1 instance=0 stages=cs 3000");
	scene_set("rate", "GRBM.2 5000");
	session = session_of(NAMES("amdgpu::SQ.WAVES:instance=0",
				   "amdgpu::TA.sh_fifo_busy:instance=0",
				   "amdgpu::GRBM.GUI_ACTIVE"),
			     cases[_i].stages);
	counting_run(session);
	scene_pass(MS);
	counting_read(session, values);
	ck_assert_uint_eq(values[0].u64, cases[_i].waves);
	ck_assert_uint_eq(values[1].u64, cases[_i].waves);
	ck_assert_uint_eq(values[2].u64, 5);
	drmperf_session_destroy(session);
}

TEST(stages, other_stages_wait)
{
	struct drmperf_session *session, *other;

	session = session_of(NAMES("amdgpu::SQ.WAVES"), DRMPERF_STAGE_PS);
	other = session_of(NAMES("amdgpu::SQ.WAVES"), DRMPERF_STAGE_CS);
	counting_run(session);
	ck_assert_int_eq(drmperf_session_start(other, &counting.error), -EBUSY);
	drmperf_session_destroy(session);
	counting_run(other);
	drmperf_session_destroy(other);
}

static uint64_t
stages_of(const char *name)
{
	struct drmperf_selection selection;

	selection = counting_find(name);
	return drmperf_group_stages(drmperf_event_group(selection.event));
}

TEST(stages, what_can_tell_stages_apart)
{
	ck_assert_uint_eq(stages_of("amdgpu::SQ.WAVES"), DRMPERF_STAGE_ALL);
	ck_assert_uint_eq(stages_of("amdgpu::TA.sh_fifo_busy"),
			  DRMPERF_STAGE_ALL);
	ck_assert_uint_eq(stages_of("amdgpu::GRBM.COUNT"), 0);
}

TEST(stages, what_cannot_be_told_apart_is_refused)
{
	ck_assert_int_eq(try_session("amdgpu::GRBM.COUNT", DRMPERF_STAGE_CS),
			 -ENOTSUP);
	ck_assert_int_eq(try_session("amdgpu::SQ.WAVES", 0x80), -EINVAL);
}

/* Navi 31 has no more than pixel, geometry, hull and compute shaders. */
TEST(rdna3, stages_that_are_not_there_are_refused)
{
	ck_assert_uint_eq(stages_of("amdgpu::SQ.WAVES"),
			  DRMPERF_STAGE_PS | DRMPERF_STAGE_GS |
				  DRMPERF_STAGE_HS | DRMPERF_STAGE_CS);
	ck_assert_int_eq(try_session("amdgpu::SQ.WAVES",
				     DRMPERF_STAGE_VS | DRMPERF_STAGE_LS),
			 -EINVAL);
}

TEST(intel, other_gpus_have_no_stages)
{
	ck_assert_uint_eq(stages_of("i915::RenderBasic.GpuTime"), 0);
	ck_assert_int_eq(
		try_session("i915::RenderBasic.GpuTime", DRMPERF_STAGE_PS),
		-ENOTSUP);
}

TEST_MACHINE("stages", "--time", "virtual", "--strict", "--gpu", "vega10");
TEST_MACHINE("stages_rdna3", "--time", "virtual", "--strict", "--gpu",
	     "navi31");
TEST_MACHINE("stages_intel", "--time", "virtual", "--strict", "--gpu",
	     "sklgt2");
