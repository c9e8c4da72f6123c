/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KD_KHR_perfcounter: what there is of each kind of GPU, and what it counts.
 * Comments in quotes are the extension's words.
 */
#include <KD/KHR_perfcounter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/kd/calls.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* An AMD GPU                                                           */

TEST_CASE(amd, begin_test, end_test, "kd_gpus_amd");

/* "where X is a decimal integer giving the GPU number" */
TEST(amd, names_have_the_number_of_the_gpu)
{
	static const char *const there[] = {
		"GPU 0 utilization",
		"GPU 0 fragment processors utilization",
		"GPU 1 utilization",
		"GPU 1 fragment processors utilization",
		"GPU memory usage",
		"Primitive count",
		"Culled primitive count",
		WAVES,
		"amdgpu::SQ.WAVES:device=1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(there); i++) {
		ck_assert_msg(has_counter(there[i]), "%s", there[i]);
		ck_assert_str_eq(info_of(there[i])->vendorName, "AMD");
	}
	/* no event of Vega 10 tells it */
	ck_assert(!has_counter("GPU 0 vertex processors utilization"));
	ck_assert(!has_counter("GPU 2 utilization"));
}

TEST(amd, amd_counts_are_exact)
{
	scene_set("rate", "SQ.4 1000");
	activate_counter(WAVES);
	start_sampling();
	ck_assert_int_eq(value_of(WAVES), 0);
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 80);
	stop_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 80);
	start_sampling();
	pass_ms(1);
	ck_assert_int_eq(value_of(WAVES), 4);
}

/* Shares are those of the time since they were last asked for. */
TEST(amd, amd_utilization_is_that_of_now)
{
	const char *const name = "GPU 0 utilization";

	activate_counter(name);
	activate_counter(WAVES);
	scene_set("rate", "CPF.0 1/clock");
	scene_set("rate", "CPF.23 0.25/clock");
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(name), 25);
	pass_ms(200);
	ck_assert_int_eq(value_of(name), 25);
	scene_set("rate", "CPF.23 0.75/clock");
	pass_ms(200);
	ck_assert_int_eq(value_of(name), 75);
	scene_set("rate", "CPF.23 0");
	pass_ms(50);
	ck_assert_int_eq(value_of(name), 75);
	pass_ms(50);
	ck_assert_int_eq(value_of(name), 0);
	/* and counts go on beside */
	ck_assert_int_eq(value_of(WAVES), 510 * 4);
}

TEST(amd, memory_of_amdgpu_has_its_maximum)
{
	const KDCounterInfoKHR *info = info_of("GPU memory usage");

	ck_assert_int_eq(info->maxValue, INT64_C(8192) << 20);
	scene_set("memory", "vram-used 3000000000");
	activate_counter("GPU memory usage");
	start_sampling();
	ck_assert_int_eq(value_of("GPU memory usage"), 3000000000);
	scene_set("memory", "vram-used 4000000000");
	ck_assert_int_eq(value_of("GPU memory usage"), 4000000000);
	stop_sampling();
}

/* A name that KD_KHR_perfcounter recommends is another one for an event. */
TEST(amd, a_recommended_name_is_an_alias)
{
	static const char *const same[][2] = {
		{ "Primitive count", "amdgpu::metric.PrimitivesIn:device=0" },
		{ "Culled primitive count",
		  "amdgpu::PA_SU.PAPC_SU_CULLED_PRIM:device=0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		activate_counter(same[i][0]);
		activate_counter(same[i][1]);
	}
	start_sampling();
	pass_ms(10);
	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		ck_assert_int_gt(value_of(same[i][0]), 0);
		ck_assert_int_eq(value_of(same[i][0]), value_of(same[i][1]));
		ck_assert_int_eq(info_of(same[i][0])->maxValue,
				 KD_INFINITE_COUNTER_VAL_KHR);
	}
}

/* KD_UNKNOWN_COUNTER_VAL_KHR "represents an unknown value." */
TEST(amd, amd_share_of_nothing_is_unknown)
{
	const char *const name = "amdgpu::metric.L2CacheHit:device=0";

	scene_set("default", "zero");
	activate_counter(name);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(name), KD_UNKNOWN_COUNTER_VAL_KHR);
	scene_set("default", "formula");
}

static const char *const tcc[] = {
	"amdgpu::TCC.HIT:device=0",   "amdgpu::TCC.MISS:device=0",
	"amdgpu::TCC.REQ:device=0",   "amdgpu::TCC.READ:device=0",
	"amdgpu::TCC.WRITE:device=0",
};

TEST(amd, amd_what_does_not_fit)
{
	KDint indexes[ARRAY_SIZE(tcc)];

	for (size_t i = 0; i < ARRAY_SIZE(tcc); i++)
		indexes[i] = find_index(tcc[i]);
	/* all or none */
	expect_error(kdActivateCountersKHR(indexes, 5) == -1, KD_EACCES);
	ck_assert_int_eq(kdActivateCountersKHR(&indexes[1], 4), 0);
	expect_error(kdActivateCountersKHR(indexes, 1) == -1, KD_EACCES);
	/* what has become inactive makes room */
	deactivate_counter(tcc[4]);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 1), 0);
	start_sampling();
	pass_ms(10);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_gt(value_of(tcc[i]), 0);
	ck_assert_int_eq(value_of(tcc[4]), 0);
}

TEST(amd, amd_reason_of_what_does_not_fit)
{
	char text[2048];
	const int old = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	KDint indexes[ARRAY_SIZE(tcc)];

	for (size_t i = 0; i < ARRAY_SIZE(tcc); i++)
		indexes[i] = find_index(tcc[i]);
	setenv("DRMPERF_VERBOSE", "1", 1);
	dup2(fileno(file), STDERR_FILENO);
	expect_error(kdActivateCountersKHR(indexes, 5) == -1, KD_EACCES);
	dup2(old, STDERR_FILENO);
	unsetenv("DRMPERF_VERBOSE");
	close(old);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	ck_assert_ptr_nonnull(strstr(text, "group TCC of device 0 counts 4"));
	ck_assert_ptr_nonnull(strstr(text, "leave out one of"));
}

/* No GPU is kept busy for nothing. */
TEST(amd, amd_deactivation_ends_what_counts)
{
	const char *const other = "amdgpu::SQ.WAVES:device=1";
	uint64_t before;

	scene_set("rate", "SQ.4 1000");
	activate_counter(WAVES);
	activate_counter(other);
	activate_counter(MEMORY);
	start_sampling();
	pass_ms(10);
	deactivate_counter(WAVES);
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	ck_assert_int_eq(value_of(other), 80);
	deactivate_counter(other);
	before = scene_calls("cs");
	ck_assert_int_eq(value_of(other), 80);
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_uint_eq(scene_calls("cs"), before);
}

/* What is not asked for is not sampled. */
TEST(amd, amd_gpu_is_left_alone)
{
	uint64_t before;

	activate_counter(WAVES);
	activate_counter(MEMORY);
	start_sampling();
	before = scene_calls("cs");
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_uint_eq(scene_calls("cs"), before);
	value_of(WAVES);
	ck_assert_uint_gt(scene_calls("cs"), before);
}

TEST(amd, amd_gpu_that_is_reset)
{
	const KDint index = find_index(WAVES);
	KDint64 value = -7;

	scene_set("rate", "SQ.4 1000");
	activate_counter(WAVES);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	expect_error(kdGetCounterValuesKHR(&index, 1, &value) == -1, KD_EACCES);
	ck_assert_int_eq(value, -7);
	expect_error(kdStopSamplingKHR() == -1, KD_EACCES);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 40);
}

static void
count_in_child(void)
{
	const KDint index = find_index(WAVES);
	KDint64 value = 0;

	/* what its parent had is all there is, until it starts for itself */
	if (kdGetCounterValuesKHR(&index, 1, &value) || value != 40)
		child_end(1);
	if (kdStartSamplingKHR())
		child_end(2);
	pass_ms(5);
	if (kdGetCounterValuesKHR(&index, 1, &value) || value != 20)
		child_end(3);
	child_end(kdStopSamplingKHR() ? 4 : 0);
}

TEST(amd, amd_child_has_samples_of_its_own)
{
	pid_t child;
	int status;

	scene_set("rate", "SQ.4 1000");
	activate_counter(WAVES);
	activate_counter(MEMORY);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	child = fork();
	if (!child)
		count_in_child();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 100);
	stop_sampling();
}

/* "Note that activating a lot of counters may reduce system performance." */
TEST(amd, amd_as_many_as_fit)
{
	const KDint count = kdGetNumberOfCountersKHR();
	KDint *indexes = calloc((size_t)count, sizeof(*indexes));
	KDint64 *values = calloc((size_t)count, sizeof(*values));
	KDint active = 0;

	/* a few of each group, since one that is full takes no more */
	for (KDint i = 0; i < count; i += 16) {
		indexes[active] = i;
		active += !kdActivateCountersKHR(&i, 1);
	}
	kdSetError(0);
	ck_assert_int_gt(active, 50);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(kdGetCounterValuesKHR(indexes, active, values), 0);
	stop_sampling();
	free(indexes);
	free(values);
}

/* ------------------------------------------------------------------ */
/* A GPU that may not be used                                           */

TEST_CASE(closed, begin_test, end_test, "kd_gpus_closed");

TEST(closed, a_closed_gpu_refuses_its_counters)
{
	const KDint index = find_index("GPU 0 utilization");
	const KDCounterInfoKHR *info = kdGetCounterInformationKHR(index);

	ck_assert_ptr_nonnull(strstr(info->description, "no permission"));
	expect_error(kdActivateCountersKHR(&index, 1) == -1, KD_EACCES);
	ck_assert(!has_counter(WAVES));
	activate_counter(MEMORY);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* ------------------------------------------------------------------ */
/* Intel GPUs                                                           */

static const char *const intel_names[] = {
	"GPU 0 utilization",
	"GPU 0 vertex processors utilization",
	"GPU 0 fragment processors utilization",
};

TEST_CASE(i915, begin_test, end_test, "kd_gpus_i915");
TEST_CASE(kd_gpus_xe, begin_test, end_test, "kd_gpus_xe");

TEST_LOOP(i915, intel_names_are_there, ARRAY_SIZE(intel_names))
{
	ck_assert_str_eq(info_of(intel_names[_i])->vendorName, "Intel");
	ck_assert_int_eq(info_of(intel_names[_i])->maxValue, 100);
}
TEST_ALSO(kd_gpus_xe, intel_names_are_there, ARRAY_SIZE(intel_names));

TEST_CASE(in_time, begin_test, end_test, "kd_gpus_xe_in_time");

/* All that is recommended counts at once. */
TEST(i915, intel_recommended_together)
{
	for (size_t i = 0; i < ARRAY_SIZE(intel_names); i++)
		activate_counter(intel_names[i]);
	start_sampling();
	pass_ms(200);
	for (size_t i = 0; i < ARRAY_SIZE(intel_names); i++) {
		ck_assert_int_ge(value_of(intel_names[i]), 0);
		ck_assert_int_le(value_of(intel_names[i]), 100);
	}
}
TEST_ALSO(in_time, intel_recommended_together, 1);

TEST(i915, intel_utilization_is_that_of_now)
{
	const char *const name = "GPU 0 utilization";

	activate_counter(name);
	scene_set("engine-busy", "rcs0 30");
	start_sampling();
	pass_ms(200);
	ck_assert_int_eq(value_of(name), 30);
	scene_set("engine-busy", "rcs0 80");
	pass_ms(200);
	ck_assert_int_eq(value_of(name), 80);
	stop_sampling();
	pass_ms(200);
	ck_assert_int_eq(value_of(name), 80);
}
TEST_ALSO(kd_gpus_xe, intel_utilization_is_that_of_now, 1);

TEST(i915, intel_sets_exclude_each_other)
{
	const KDint other = find_index("i915::ComputeBasic.GpuTime:device=0");

	activate_counter("i915::RenderBasic.GpuTime:device=0");
	expect_error(kdActivateCountersKHR(&other, 1) == -1, KD_EACCES);
	start_sampling();
	pass_ms(10);
	ck_assert_int_gt(value_of("i915::RenderBasic.GpuTime:device=0"), 0);
}

TEST(i915, intel_without_permission)
{
	const char *const name = "i915::RenderBasic.GpuTime:device=0";

	scene_set("unprivileged", "1");
	activate_counter(MEMORY);
	activate_counter(name);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	/* all or none */
	ck_assert_int_eq(value_of(MEMORY), 0);
	deactivate_counter(name);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
	scene_set("unprivileged", "0");
	activate_counter(name);
	start_sampling();
	pass_ms(10);
	ck_assert_int_gt(value_of(name), 0);
}

TEST(in_time, primitives_of_xe_are_counted)
{
	ck_assert_str_eq(info_of("Primitive count")->vendorName, "Intel");
	activate_counter("Primitive count");
	activate_counter("Culled primitive count");
	start_sampling();
	pass_ms(10);
	ck_assert_int_ge(value_of("Primitive count"), 0);
	ck_assert_int_ge(value_of("Culled primitive count"), 0);
}

TEST_MACHINE("kd_gpus_amd", "--time", "virtual", "--strict", "--gpu", "vega10",
	     "--gpu", "vega10");
TEST_MACHINE("kd_gpus_closed", "--time", "virtual", "--strict", "--gpu",
	     "vega10,node-mode=0000");
TEST_MACHINE("kd_gpus_i915", "--time", "virtual", "--strict", "--gpu", "skl");
TEST_MACHINE("kd_gpus_xe", "--time", "virtual", "--strict", "--gpu", "bmg");

static const struct machine machine_in_time = {
	(const char *const[]){ "--strict", "--gpu", "bmg", NULL },
	"kd_gpus_xe_in_time"
};

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim_all() |
		       below_drmsim_in_time(&machine_in_time, 1);
	return tests_run();
}
