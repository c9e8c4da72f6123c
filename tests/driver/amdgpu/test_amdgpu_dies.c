/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU with several dies behind a render node: nothing is counted that looks
 * like the whole and is a part, unless the user asked for that part.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* Partitions, at most, of the GPU in its mode, and what KFD tells of dies. */
static const struct {
	unsigned partitions, told;
	const char *dies;
	int ret;
	const char *cause, *remedy;
	const char *part; /* that descriptions tell; NULL: none */
} cases[] = {
	{ 0, 0, NULL, -ENOTSUP, "up to 8 dies", "DRMPERF_DIES=one", "8" },
	{ 1, 0, "", -ENOTSUP, "look complete", "echo CPX", "8" },
	{ 1, 0, "all", -EINVAL, "\"all\"", "set it to one", "8" },
	{ 1, 0, "one", 0, "", "", "8" },
	{ 1, 6, NULL, -ENOTSUP, "up to 6 dies", "DRMPERF_DIES=one", "6" },
	{ 1, 8, "one", 0, "", "", "8" },
	{ 4, 0, NULL, -ENOTSUP, "up to 2 dies", "DRMPERF_DIES=one", "2" },
	{ 8, 0, NULL, 0, "", "", NULL },
	{ 8, 1, NULL, 0, "", "", NULL },
};

/* Return what descriptions tell of how many dies there may be. */
static bool
tells_part(const char *part)
{
	const char *text = gpu.description.groups[gpu_group("SQ")].description;
	const char *told = strstr(text, "one die, of up to ");

	return part ? told && strstr(told, part) : !told;
}

TEST_CASE(dies, NULL, NULL, "amdgpu_dies");

TEST_LOOP(dies, the_counted_part_of_a_gpu_is_reported, ARRAY_SIZE(cases))
{
	struct driver_target target = gpu_target;
	struct drmperf_error error = { 0 };
	struct counter_request asked;
	void *run;
	int ret;

	target.partitions = cases[_i].partitions;
	target.dies = cases[_i].told;
	unsetenv("DRMPERF_DIES");
	if (cases[_i].dies)
		setenv("DRMPERF_DIES", cases[_i].dies, 1);
	ck_assert_msg(!gpu_try_open(&target, &error), "%s", error.cause);
	ck_assert(tells_part(cases[_i].part));
	asked = gpu_request("SQ", 4, ALL);
	ret = gpu_try_arm(&asked, 1, &run, &error);
	ck_assert_msg(ret == cases[_i].ret, "%d: %s", ret, error.cause);
	ck_assert_msg(strstr(error.cause, cases[_i].cause) &&
			      strstr(error.remedy, cases[_i].remedy),
		      "%s; %s", error.cause, error.remedy);
	if (!ret)
		gpu.ops->disarm(run);
	gpu_close_clean();
}

/* What another die counts is not taken for what this one has counted. */
TEST(dies, counts_of_another_die_are_not_taken)
{
	struct drmperf_error error = { 0 };
	struct counter_request asked;
	uint64_t raw, time_ns;
	void *run;
	int ret;

	setenv("DRMPERF_DIES", "one", 1);
	ck_assert_msg(!gpu_try_open(&gpu_target, &error), "%s", error.cause);
	asked = gpu_request("SQ", 4, ALL);
	scene_set("gpu0.die", "2");
	ret = gpu_try_arm(&asked, 1, &run, &error);
	if (!ret)
		ret = gpu.ops->start(run, &error);
	ck_assert_msg(!ret, "%s", error.cause);
	scene_set("gpu0.die", "5");
	ck_assert_int_eq(gpu.ops->sample(run, DRMPERF_READ_FENCED, &raw,
					 &time_ns, &error),
			 -EIO);
	ck_assert_msg(strstr(error.cause, "on other dies") &&
			      strstr(error.remedy, "echo CPX"),
		      "%s; %s", error.cause, error.remedy);
	scene_set("gpu0.die", "2");
	gpu.ops->disarm(run);
	gpu_close_clean();
}

/* ------------------------------------------------------------------ */

TEST_GPUS("amdgpu_dies", "mi300");
