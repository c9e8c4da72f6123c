/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU with several dies behind a render node: nothing is counted that looks
 * like the whole and is a part, unless somebody asked for that part.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* The compute partition in sysfs; NULL: the kernel knows none. */
static const struct {
	const char *partition, *dies;
	int ret;
	const char *cause, *remedy;
} cases[] = {
	{ NULL, NULL, -ENOTSUP, "up to 8 dies", "DRMPERF_DIES=one" },
	{ NULL, "", -ENOTSUP, "look whole", "echo CPX" },
	{ NULL, "all", -EINVAL, "\"all\"", "set it to one" },
	{ NULL, "one", 0, "", "" },
	{ "SPX", NULL, -ENOTSUP, "up to 8 dies", "DRMPERF_DIES=one" },
	{ "SPX", "one", 0, "", "" },
	{ "QPX", NULL, -ENOTSUP, "up to 8 dies", "DRMPERF_DIES=one" },
	{ "CPX", NULL, 0, "", "" },
};

static void
write_partition(const char *path, const char *mode)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", mode);
	fclose(file);
}

/* Whether descriptions tell that a value is that of one die. */
static bool
tells_part(void)
{
	return strstr(gpu.description.groups[gpu_group("SQ")].description,
		      "one die, of up to 8") != NULL;
}

START_TEST(parts)
{
	char folder[] = "/tmp/amdgpu-dies-XXXXXX", path[64];
	struct driver_target target = gpu_target;
	struct drmperf_error error = { 0 };
	struct counter_request asked;
	void *run;
	int ret;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/current_compute_partition", folder);
	if (cases[_i].partition)
		write_partition(path, cases[_i].partition);
	target.sysfs = folder;
	unsetenv("DRMPERF_DIES");
	if (cases[_i].dies)
		setenv("DRMPERF_DIES", cases[_i].dies, 1);
	ck_assert_msg(!gpu_try_open(&target, &error), "%s", error.cause);
	ck_assert_int_eq(tells_part(), !cases[_i].partition ||
					       strcmp(cases[_i].partition,
						      "CPX") != 0);
	asked = gpu_request("SQ", 4, ALL);
	ret = gpu_try_arm(&asked, 1, &run, &error);
	ck_assert_msg(ret == cases[_i].ret, "%d: %s", ret, error.cause);
	ck_assert_msg(strstr(error.cause, cases[_i].cause) &&
			      strstr(error.remedy, cases[_i].remedy),
		      "%s; %s", error.cause, error.remedy);
	if (!ret)
		gpu.ops->disarm(run);
	gpu_close_clean();
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* What another die counts is taken by nobody for what this one has counted. */
START_TEST(elsewhere)
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
END_TEST

/* ------------------------------------------------------------------ */

static const char *const mi300[] = { "--gpu", "mi300", "--time", "virtual",
				     NULL };

static const struct machine machines[] = { { mi300, "amdgpu_dies" } };

int
main(void)
{
	Suite *suite;
	TCase *tcase;

	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	suite = suite_create("amdgpu_dies");
	tcase = tcase_create("dies");
	tcase_add_loop_test(tcase, parts, 0, ARRAY_SIZE(cases));
	tcase_add_test(tcase, elsewhere);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
