/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KD_KHR_perfcounter, sentence by sentence, on simulated GPUs in virtual time
 * and on a machine without any. Comments in quotes are the extension's words.
 */
#include <KD/KHR_perfcounter.h>

#include <check.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/kd/calls.h"
#include "tests/kd/made_up.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* 6: "On failure, the function returns ... and stores one of the error codes
 * below into the error indicator." First, while nothing is listed. */

START_TEST(permission_denied_before_anything_else)
{
	KDint index = 0;
	KDint64 value = 5;

	made_up_failure(-ENOMEM);
	expect_error(kdGetNumberOfCountersKHR() == -1, KD_EACCES);
	expect_error(kdGetCounterInformationKHR(0) == KD_NULL, KD_EACCES);
	expect_error(kdActivateCountersKHR(&index, 1) == -1, KD_EACCES);
	expect_error(kdDeactivateCountersKHR(&index, 1) == -1, KD_EACCES);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	expect_error(kdStopSamplingKHR() == -1, KD_EACCES);
	expect_error(kdGetCounterValuesKHR(&index, 1, &value) == -1, KD_EACCES);
	ck_assert_int_eq(value, 5);
	/* and none of it stays so */
	made_up_failure(0);
	ck_assert_int_gt(kdGetNumberOfCountersKHR(), 0);
	ck_assert_int_eq(kdGetError(), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3: recommended names, 4: constants, 5: types                         */

static bool
has_of_cpu(int cpu, const char *mode)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU %d%s utilization", cpu, mode);
	return has(name);
}

/* "where X is a decimal integer giving the CPU number" */
START_TEST(names_of_cpus)
{
	int cpu = 0, count = 0;

	for (; cpu < 4096; cpu++) {
		bool there = has_of_cpu(cpu, "");

		count += there;
		ck_assert_int_eq(has_of_cpu(cpu, " user mode"), there);
		ck_assert_int_eq(has_of_cpu(cpu, " kernel mode"), there);
		/* any machine: as many as it has */
		if (!there && count >= sysconf(_SC_NPROCESSORS_ONLN))
			break;
	}
	ck_assert_int_ge(count, 1);
}
END_TEST

static const char *const names[] = {
	MEMORY,
	"Virtual memory usage",
	"Cache pages fault / sec",
	"File read bytes / sec",
	"File write bytes / sec",
	"I/O read bytes / sec",
	"I/O write bytes / sec",
	"Processes amount",
	THREADS_AMOUNT,
	SWITCHES,
};

START_TEST(names_of_memory_and_files_and_the_operating_system)
{
	ck_assert(has(names[_i]));
}
END_TEST

START_TEST(constants)
{
	ck_assert_int_eq(KD_INFINITE_COUNTER_VAL_KHR, KDINT64_MAX);
	ck_assert_int_eq(KDINT64_MAX, 0x7fffffffffffffff);
	ck_assert_int_eq(KD_UNKNOWN_COUNTER_VAL_KHR, -1);
	ck_assert_int_eq(KD_EACCES, 1);
	ck_assert_int_eq(KD_EINVAL, 17);
	ck_assert_int_eq(KD_ETRY_AGAIN, 37);
}
END_TEST

START_TEST(types)
{
	KDCounterInfoKHR info = { 0 };

	ck_assert_uint_eq(sizeof(KDint), 4);
	ck_assert_uint_eq(sizeof(info.minValue), 8);
	ck_assert_uint_eq(sizeof(info.maxValue), 8);
	ck_assert_uint_eq(sizeof(info.defaultScale), 4);
	ck_assert_uint_eq(offsetof(KDCounterInfoKHR, vendorName), 0);
	ck_assert_uint_lt(offsetof(KDCounterInfoKHR, name),
			  offsetof(KDCounterInfoKHR, description));
	ck_assert_uint_lt(offsetof(KDCounterInfoKHR, description),
			  offsetof(KDCounterInfoKHR, minValue));
	ck_assert_uint_lt(offsetof(KDCounterInfoKHR, minValue),
			  offsetof(KDCounterInfoKHR, maxValue));
	ck_assert_uint_lt(offsetof(KDCounterInfoKHR, maxValue),
			  offsetof(KDCounterInfoKHR, defaultScale));
}
END_TEST

/* "Counter name (should be short)", "description (as detailed as possible)" */
START_TEST(texts_of_each_counter)
{
	const KDint count = kdGetNumberOfCountersKHR();

	for (KDint i = 0; i < count; i++) {
		const KDCounterInfoKHR *info = kdGetCounterInformationKHR(i);

		ck_assert_ptr_nonnull(info);
		ck_assert_str_ne(info->vendorName, "");
		ck_assert_str_ne(info->name, "");
		ck_assert_uint_lt(strlen(info->name), 128);
		ck_assert_uint_gt(strlen(info->description), 10);
		ck_assert_ptr_null(strchr(info->name, '\n'));
	}
}
END_TEST

/*
 * "Counter maximal value (can get KD_INFINITE_COUNTER_VAL_KHR)", "scale factor
 * that transforms the counter value to the [0,100] range", "use
 * KD_UNKNOWN_COUNTER_VAL_KHR for counters to which there is no predefined
 * default scale"
 */
START_TEST(limits_of_each_counter)
{
	const KDint count = kdGetNumberOfCountersKHR();

	for (KDint i = 0; i < count; i++) {
		const KDCounterInfoKHR *info = kdGetCounterInformationKHR(i);
		const double scale = (double)info->defaultScale;

		ck_assert(info->minValue == 0 ||
			  info->minValue == KD_UNKNOWN_COUNTER_VAL_KHR);
		ck_assert(info->maxValue > info->minValue);
		if (info->maxValue == KD_INFINITE_COUNTER_VAL_KHR) {
			ck_assert(scale == KD_UNKNOWN_COUNTER_VAL_KHR);
			continue;
		}
		ck_assert(info->minValue == 0);
		ck_assert(fabs(scale * (double)info->maxValue - 100) < 1e-3);
	}
}
END_TEST

START_TEST(share_and_level_have_a_scale_and_rate_has_none)
{
	ck_assert_int_eq(info_of(MEMORY)->minValue, 0);
	ck_assert_int_gt(info_of(MEMORY)->maxValue, 1 << 20);
	ck_assert_int_lt(info_of(MEMORY)->maxValue,
			 KD_INFINITE_COUNTER_VAL_KHR);
	ck_assert_int_eq(info_of(SWITCHES)->maxValue,
			 KD_INFINITE_COUNTER_VAL_KHR);
	ck_assert_int_eq(kdGetCounterInformationKHR(0)->maxValue, 100);
	ck_assert(kdGetCounterInformationKHR(0)->defaultScale == 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 6.1, 6.2: what there is                                              */

/* "On success, the function returns the number of counters" */
START_TEST(number_of_counters)
{
	const KDint count = kdGetNumberOfCountersKHR();

	ck_assert_int_ge(count, 3 + (KDint)ARRAY_SIZE(names));
	ck_assert_int_eq(kdGetNumberOfCountersKHR(), count);
	ck_assert_int_eq(kdGetError(), 0);
}
END_TEST

/* "The index is 0-based." */
START_TEST(information_from_the_first_to_the_last)
{
	const KDint count = kdGetNumberOfCountersKHR();

	ck_assert_ptr_nonnull(kdGetCounterInformationKHR(0));
	ck_assert_ptr_nonnull(kdGetCounterInformationKHR(count - 1));
	ck_assert_int_eq(kdGetError(), 0);
	/* it lives, and is where it was */
	ck_assert_ptr_eq(kdGetCounterInformationKHR(count - 1),
			 kdGetCounterInformationKHR(count - 1));
}
END_TEST

/* "KD_EINVAL: Unrecognized counter index." */
START_TEST(information_of_an_unknown_index)
{
	const KDint count = kdGetNumberOfCountersKHR();
	const KDint unknown[] = { -1, count, count + 1, KDINT_MIN, KDINT_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		expect_error(!kdGetCounterInformationKHR(unknown[i]),
			     KD_EINVAL);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 6.3, 6.4: active or not                                              */

/* "whose indexes appear in the first numindexes elements of the array" */
START_TEST(activates_the_first_elements)
{
	const KDint indexes[] = { find(MEMORY), find(THREADS_AMOUNT), -1 };

	ck_assert_int_eq(kdActivateCountersKHR(indexes, 1), 0);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	start();
	ck_assert_int_gt(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_eq(kdGetError(), 0);
}
END_TEST

START_TEST(none_and_the_same_again)
{
	const KDint indexes[] = { find(MEMORY), find(MEMORY) };

	ck_assert_int_eq(kdActivateCountersKHR(KD_NULL, 0), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(KD_NULL, 0), 0);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(indexes, 2), 0);
	start();
	ck_assert_int_eq(value_of(MEMORY), 0);
}
END_TEST

START_TEST(activation_of_an_unknown_index)
{
	const KDint indexes[] = { find(MEMORY), kdGetNumberOfCountersKHR() };

	expect_error(kdActivateCountersKHR(indexes, 2) == -1, KD_EINVAL);
	/* and the known one has not become active */
	start();
	ck_assert_int_eq(value_of(MEMORY), 0);
}
END_TEST

START_TEST(deactivation_of_an_unknown_index)
{
	const KDint indexes[] = { find(MEMORY), -1 };

	activate(MEMORY);
	expect_error(kdDeactivateCountersKHR(indexes, 2) == -1, KD_EINVAL);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

/* "This function deactivates the counters" */
START_TEST(deactivation_while_sampling)
{
	KDint64 last;

	activate(MEMORY);
	activate(THREADS_AMOUNT);
	start();
	deactivate(THREADS_AMOUNT);
	last = value_of(THREADS_AMOUNT);
	ck_assert_int_gt(last, 0);
	ck_assert_int_gt(value_of(MEMORY), 0);
	start();
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

START_TEST(activation_while_sampling_is_for_the_next_start)
{
	start();
	activate(MEMORY);
	ck_assert_int_eq(value_of(MEMORY), 0);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 6.5 to 6.7: sampling                                                 */

/* "initializes all performance counter values to 0" */
START_TEST(start_makes_all_values_zero)
{
	activate(MEMORY);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
	stop();
	deactivate(MEMORY);
	ck_assert_int_gt(value_of(MEMORY), 0);
	start();
	ck_assert_int_eq(value_of(MEMORY), 0);
}
END_TEST

/* "and starts the active ones sampling" */
START_TEST(start_with_nothing_active)
{
	start();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_int_eq(value_of(names[i]), 0);
	stop();
}
END_TEST

START_TEST(values_before_the_first_start)
{
	activate(MEMORY);
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
}
END_TEST

START_TEST(start_that_fails)
{
	activate(MEMORY);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
	made_up_failure(-EACCES);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	/* nothing samples, so nothing has to be read */
	ck_assert_int_eq(value_of(MEMORY), 0);
	made_up_failure(0);
	ck_assert_int_eq(value_of(MEMORY), 0);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

/* "stops the active performance counters sampling" */
START_TEST(values_stay_after_stop)
{
	KDint64 last;

	activate(MEMORY);
	start();
	stop();
	last = value_of(MEMORY);
	ck_assert_int_gt(last, 0);
	/* it is not even asked for */
	made_up_failure(-EIO);
	ck_assert_int_eq(value_of(MEMORY), last);
	stop();
	ck_assert_int_eq(value_of(MEMORY), last);
}
END_TEST

START_TEST(stop_that_fails)
{
	activate(MEMORY);
	start();
	made_up_failure(-EIO);
	expect_error(kdStopSamplingKHR() == -1, KD_EACCES);
	/* but it has stopped */
	ck_assert_int_eq(kdStopSamplingKHR(), 0);
}
END_TEST

/* "stored in the corresponding position in the values array" */
START_TEST(values_in_the_order_of_indexes)
{
	const KDint memory = find(MEMORY), switches = find(SWITCHES);
	const KDint indexes[] = { switches, memory, switches, memory };
	KDint64 values[] = { -7, -7, -7, -7, -7 };

	activate(MEMORY);
	start();
	ck_assert_int_eq(kdGetCounterValuesKHR(indexes, 4, values), 0);
	ck_assert_int_eq(values[0], 0);
	ck_assert_int_gt(values[1], 0);
	ck_assert_int_eq(values[2], 0);
	ck_assert_int_eq(values[3], values[1]);
	ck_assert_int_eq(values[4], -7);
	ck_assert_int_eq(kdGetCounterValuesKHR(KD_NULL, 0, KD_NULL), 0);
}
END_TEST

START_TEST(values_of_an_unknown_index)
{
	const KDint indexes[] = { find(MEMORY), kdGetNumberOfCountersKHR() };
	KDint64 values[] = { -7, -7 };

	expect_error(kdGetCounterValuesKHR(indexes, 2, values) == -1,
		     KD_EINVAL);
	ck_assert_int_eq(values[0], -7);
	ck_assert_int_eq(values[1], -7);
}
END_TEST

START_TEST(values_that_cannot_be_had)
{
	const KDint memory = find(MEMORY);
	KDint64 value = -7;

	activate(MEMORY);
	start();
	made_up_failure(-EIO);
	expect_error(kdGetCounterValuesKHR(&memory, 1, &value) == -1,
		     KD_EACCES);
	ck_assert_int_eq(value, -7);
	made_up_failure(0);
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* "the error indicator returned by kdGetError"                         */

START_TEST(success_leaves_the_indicator_alone)
{
	kdSetError(KD_ENOSPC);
	ck_assert_int_eq(kdGetError(), KD_ENOSPC);
	ck_assert_int_gt(kdGetNumberOfCountersKHR(), 0);
	start();
	stop();
	ck_assert_int_eq(kdGetError(), KD_ENOSPC);
}
END_TEST

#define WORKERS 4
#define ROUNDS 8

/* Each fails in its own way, while all of them sample. */
static void *
work(void *data)
{
	const KDint own = *(const KDint *)data;
	const KDint memory = find(MEMORY);
	KDint64 value;

	ck_assert_int_eq(kdGetError(), 0);
	for (int i = 0; i < ROUNDS; i++) {
		kdSetError(own);
		ck_assert_int_eq(kdActivateCountersKHR(&memory, 1), 0);
		ck_assert_int_eq(kdStartSamplingKHR(), 0);
		ck_assert_int_eq(kdGetCounterValuesKHR(&memory, 1, &value), 0);
		ck_assert_int_ge(value, 0);
		ck_assert_int_eq(kdGetError(), own);
		if (own % 2)
			ck_assert_ptr_null(kdGetCounterInformationKHR(-1));
		ck_assert_int_eq(kdGetError(), own % 2 ? KD_EINVAL : own);
		ck_assert_int_eq(kdStopSamplingKHR(), 0);
	}
	return NULL;
}

START_TEST(each_thread_has_an_indicator)
{
	pthread_t threads[WORKERS];
	KDint own[WORKERS];

	kdSetError(KD_EIO);
	for (int i = 0; i < WORKERS; i++) {
		own[i] = KD_EOVERFLOW + i;
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, work, &own[i]), 0);
	}
	for (int i = 0; i < WORKERS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_int_eq(kdGetError(), KD_EIO);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The reason, by DRMPERF_VERBOSE                                       */

/* What a call that fails writes on standard error, into text. */
static void
listen(char *text, size_t size)
{
	const int old = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	size_t length;

	ck_assert_ptr_nonnull(file);
	dup2(fileno(file), STDERR_FILENO);
	kdGetCounterInformationKHR(-1);
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(file);
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
}

START_TEST(the_reason_is_told_to_who_asks)
{
	char text[1024];

	unsetenv("DRMPERF_VERBOSE");
	listen(text, sizeof(text));
	ck_assert_str_eq(text, "");
	setenv("DRMPERF_VERBOSE", "0", 1);
	listen(text, sizeof(text));
	ck_assert_str_eq(text, "");
	setenv("DRMPERF_VERBOSE", "1", 1);
	listen(text, sizeof(text));
	unsetenv("DRMPERF_VERBOSE");
	ck_assert_ptr_nonnull(strstr(text, "libdrmperf-kd: "));
	ck_assert_ptr_nonnull(strstr(text, "there is no counter -1"));
}
END_TEST

/* ------------------------------------------------------------------ */
/* No GPU                                                               */

START_TEST(no_gpu_is_no_error)
{
	const KDint count = kdGetNumberOfCountersKHR();

	for (KDint i = 0; i < count; i++)
		ck_assert_str_eq(kdGetCounterInformationKHR(i)->vendorName,
				 "Linux");
	ck_assert(!has("GPU 0 utilization"));
	ck_assert(!has("GPU memory usage"));
	ck_assert_int_eq(kdGetError(), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* An AMD GPU                                                           */

/* "where X is a decimal integer giving the GPU number" */
START_TEST(amd_names)
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
		ck_assert_msg(has(there[i]), "%s", there[i]);
		ck_assert_str_eq(info_of(there[i])->vendorName, "AMD");
	}
	/* no event of Vega 10 tells it */
	ck_assert(!has("GPU 0 vertex processors utilization"));
	ck_assert(!has("GPU 2 utilization"));
}
END_TEST

START_TEST(amd_counts_are_exact)
{
	scene_set("rate", "SQ.4 1000");
	activate(WAVES);
	start();
	ck_assert_int_eq(value_of(WAVES), 0);
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 80);
	stop();
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 80);
	start();
	pass(1);
	ck_assert_int_eq(value_of(WAVES), 4);
}
END_TEST

/* Shares are those of the time since they were last asked for. */
START_TEST(amd_utilization_is_that_of_now)
{
	const char *const name = "GPU 0 utilization";

	activate(name);
	activate(WAVES);
	scene_set("rate", "CPF.0 1/clock");
	scene_set("rate", "CPF.23 0.25/clock");
	start();
	pass(10);
	ck_assert_int_eq(value_of(name), 25);
	pass(200);
	ck_assert_int_eq(value_of(name), 25);
	scene_set("rate", "CPF.23 0.75/clock");
	pass(200);
	ck_assert_int_eq(value_of(name), 75);
	scene_set("rate", "CPF.23 0");
	pass(50);
	ck_assert_int_eq(value_of(name), 75);
	pass(50);
	ck_assert_int_eq(value_of(name), 0);
	/* and counts go on beside */
	ck_assert_int_eq(value_of(WAVES), 510 * 4);
}
END_TEST

START_TEST(amd_memory)
{
	const KDCounterInfoKHR *info = info_of("GPU memory usage");

	ck_assert_int_eq(info->maxValue, INT64_C(8192) << 20);
	scene_set("memory", "vram-used 3000000000");
	activate("GPU memory usage");
	start();
	ck_assert_int_eq(value_of("GPU memory usage"), 3000000000);
	scene_set("memory", "vram-used 4000000000");
	ck_assert_int_eq(value_of("GPU memory usage"), 4000000000);
	stop();
}
END_TEST

/* A name that KD_KHR_perfcounter recommends is another one for an event. */
START_TEST(amd_primitives)
{
	static const char *const same[][2] = {
		{ "Primitive count", "amdgpu::metric.PrimitivesIn:device=0" },
		{ "Culled primitive count",
		  "amdgpu::PA_SU.PAPC_SU_CULLED_PRIM:device=0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		activate(same[i][0]);
		activate(same[i][1]);
	}
	start();
	pass(10);
	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		ck_assert_int_gt(value_of(same[i][0]), 0);
		ck_assert_int_eq(value_of(same[i][0]), value_of(same[i][1]));
		ck_assert_int_eq(info_of(same[i][0])->maxValue,
				 KD_INFINITE_COUNTER_VAL_KHR);
	}
}
END_TEST

/* KD_UNKNOWN_COUNTER_VAL_KHR "represents an unknown value." */
START_TEST(amd_share_of_nothing_is_unknown)
{
	const char *const name = "amdgpu::metric.L2CacheHit:device=0";

	scene_set("default", "zero");
	activate(name);
	start();
	pass(10);
	ck_assert_int_eq(value_of(name), KD_UNKNOWN_COUNTER_VAL_KHR);
	scene_set("default", "formula");
}
END_TEST

static const char *const tcc[] = {
	"amdgpu::TCC.HIT:device=0",   "amdgpu::TCC.MISS:device=0",
	"amdgpu::TCC.REQ:device=0",   "amdgpu::TCC.READ:device=0",
	"amdgpu::TCC.WRITE:device=0",
};

START_TEST(amd_what_does_not_fit)
{
	KDint indexes[ARRAY_SIZE(tcc)];

	for (size_t i = 0; i < ARRAY_SIZE(tcc); i++)
		indexes[i] = find(tcc[i]);
	/* all or none */
	expect_error(kdActivateCountersKHR(indexes, 5) == -1, KD_EACCES);
	ck_assert_int_eq(kdActivateCountersKHR(&indexes[1], 4), 0);
	expect_error(kdActivateCountersKHR(indexes, 1) == -1, KD_EACCES);
	/* what has become inactive makes room */
	deactivate(tcc[4]);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 1), 0);
	start();
	pass(10);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_gt(value_of(tcc[i]), 0);
	ck_assert_int_eq(value_of(tcc[4]), 0);
}
END_TEST

START_TEST(amd_reason_of_what_does_not_fit)
{
	char text[2048];
	const int old = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	KDint indexes[ARRAY_SIZE(tcc)];

	for (size_t i = 0; i < ARRAY_SIZE(tcc); i++)
		indexes[i] = find(tcc[i]);
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
END_TEST

/* No GPU is kept busy for nobody. */
START_TEST(amd_deactivation_ends_what_counts)
{
	const char *const other = "amdgpu::SQ.WAVES:device=1";
	uint64_t before;

	scene_set("rate", "SQ.4 1000");
	activate(WAVES);
	activate(other);
	activate(MEMORY);
	start();
	pass(10);
	deactivate(WAVES);
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	ck_assert_int_eq(value_of(other), 80);
	deactivate(other);
	before = scene_calls("cs");
	ck_assert_int_eq(value_of(other), 80);
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_uint_eq(scene_calls("cs"), before);
}
END_TEST

/* What is not asked for is not sampled. */
START_TEST(amd_gpu_is_left_alone)
{
	uint64_t before;

	activate(WAVES);
	activate(MEMORY);
	start();
	before = scene_calls("cs");
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_uint_eq(scene_calls("cs"), before);
	value_of(WAVES);
	ck_assert_uint_gt(scene_calls("cs"), before);
}
END_TEST

START_TEST(amd_gpu_that_is_reset)
{
	const KDint index = find(WAVES);
	KDint64 value = -7;

	scene_set("rate", "SQ.4 1000");
	activate(WAVES);
	start();
	pass(10);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	expect_error(kdGetCounterValuesKHR(&index, 1, &value) == -1, KD_EACCES);
	ck_assert_int_eq(value, -7);
	expect_error(kdStopSamplingKHR() == -1, KD_EACCES);
	start();
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 40);
}
END_TEST

static void
count_in_child(void)
{
	const KDint index = find(WAVES);
	KDint64 value = 0;

	/* what its parent had is all there is, until it starts for itself */
	if (kdGetCounterValuesKHR(&index, 1, &value) || value != 40)
		child_end(1);
	if (kdStartSamplingKHR())
		child_end(2);
	pass(5);
	if (kdGetCounterValuesKHR(&index, 1, &value) || value != 20)
		child_end(3);
	child_end(kdStopSamplingKHR() ? 4 : 0);
}

START_TEST(amd_child_has_samples_of_its_own)
{
	pid_t child;
	int status;

	scene_set("rate", "SQ.4 1000");
	activate(WAVES);
	activate(MEMORY);
	start();
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	child = fork();
	if (!child)
		count_in_child();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	pass(10);
	ck_assert_int_eq(value_of(WAVES), 100);
	stop();
}
END_TEST

/* "Note that activating a lot of counters may reduce system performance." */
START_TEST(amd_as_many_as_fit)
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
	start();
	pass(10);
	ck_assert_int_eq(kdGetCounterValuesKHR(indexes, active, values), 0);
	stop();
	free(indexes);
	free(values);
}
END_TEST

/* ------------------------------------------------------------------ */
/* A GPU that may not be used                                           */

START_TEST(closed_gpu)
{
	const KDint index = find("GPU 0 utilization");
	const KDCounterInfoKHR *info = kdGetCounterInformationKHR(index);

	ck_assert_ptr_nonnull(strstr(info->description, "no permission"));
	expect_error(kdActivateCountersKHR(&index, 1) == -1, KD_EACCES);
	ck_assert(!has(WAVES));
	activate(MEMORY);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Intel GPUs                                                           */

static const char *const intel_names[] = {
	"GPU 0 utilization",
	"GPU 0 vertex processors utilization",
	"GPU 0 fragment processors utilization",
};

START_TEST(intel_names_are_there)
{
	ck_assert_str_eq(info_of(intel_names[_i])->vendorName, "Intel");
	ck_assert_int_eq(info_of(intel_names[_i])->maxValue, 100);
}
END_TEST

/* All that is recommended counts at once. */
START_TEST(intel_recommended_together)
{
	for (size_t i = 0; i < ARRAY_SIZE(intel_names); i++)
		activate(intel_names[i]);
	start();
	pass(200);
	for (size_t i = 0; i < ARRAY_SIZE(intel_names); i++) {
		ck_assert_int_ge(value_of(intel_names[i]), 0);
		ck_assert_int_le(value_of(intel_names[i]), 100);
	}
}
END_TEST

START_TEST(intel_utilization_is_that_of_now)
{
	const char *const name = "GPU 0 utilization";

	activate(name);
	scene_set("engine-busy", "rcs0 30");
	start();
	pass(200);
	ck_assert_int_eq(value_of(name), 30);
	scene_set("engine-busy", "rcs0 80");
	pass(200);
	ck_assert_int_eq(value_of(name), 80);
	stop();
	pass(200);
	ck_assert_int_eq(value_of(name), 80);
}
END_TEST

START_TEST(intel_sets_exclude_each_other)
{
	const KDint other = find("i915::ComputeBasic.GpuTime:device=0");

	activate("i915::RenderBasic.GpuTime:device=0");
	expect_error(kdActivateCountersKHR(&other, 1) == -1, KD_EACCES);
	start();
	pass(10);
	ck_assert_int_gt(value_of("i915::RenderBasic.GpuTime:device=0"), 0);
}
END_TEST

START_TEST(intel_without_permission)
{
	const char *const name = "i915::RenderBasic.GpuTime:device=0";

	scene_set("unprivileged", "1");
	activate(MEMORY);
	activate(name);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	/* all or none */
	ck_assert_int_eq(value_of(MEMORY), 0);
	deactivate(name);
	start();
	ck_assert_int_gt(value_of(MEMORY), 0);
	scene_set("unprivileged", "0");
	activate(name);
	start();
	pass(10);
	ck_assert_int_gt(value_of(name), 0);
}
END_TEST

START_TEST(xe_primitives)
{
	ck_assert_str_eq(info_of("Primitive count")->vendorName, "Intel");
	activate("Primitive count");
	activate("Culled primitive count");
	start();
	pass(10);
	ck_assert_int_ge(value_of("Primitive count"), 0);
	ck_assert_int_ge(value_of("Culled primitive count"), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Suites                                                               */

static TCase *
add_case(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, begin_test, end_test);
	suite_add_tcase(suite, tcase);
	return tcase;
}

static void
add_information(Suite *suite)
{
	TCase *tcase = add_case(suite, "information");

	tcase_add_test(tcase, permission_denied_before_anything_else);
	tcase_add_test(tcase, names_of_cpus);
	tcase_add_loop_test(tcase,
			    names_of_memory_and_files_and_the_operating_system,
			    0, ARRAY_SIZE(names));
	tcase_add_test(tcase, constants);
	tcase_add_test(tcase, types);
	tcase_add_test(tcase, texts_of_each_counter);
	tcase_add_test(tcase, limits_of_each_counter);
	tcase_add_test(tcase, share_and_level_have_a_scale_and_rate_has_none);
	tcase_add_test(tcase, number_of_counters);
	tcase_add_test(tcase, information_from_the_first_to_the_last);
	tcase_add_test(tcase, information_of_an_unknown_index);
}

static void
add_sampling(Suite *suite)
{
	TCase *tcase = add_case(suite, "sampling");

	tcase_add_test(tcase, activates_the_first_elements);
	tcase_add_test(tcase, none_and_the_same_again);
	tcase_add_test(tcase, activation_of_an_unknown_index);
	tcase_add_test(tcase, deactivation_of_an_unknown_index);
	tcase_add_test(tcase, deactivation_while_sampling);
	tcase_add_test(tcase, activation_while_sampling_is_for_the_next_start);
	tcase_add_test(tcase, start_makes_all_values_zero);
	tcase_add_test(tcase, start_with_nothing_active);
	tcase_add_test(tcase, values_before_the_first_start);
	tcase_add_test(tcase, start_that_fails);
	tcase_add_test(tcase, values_stay_after_stop);
	tcase_add_test(tcase, stop_that_fails);
	tcase_add_test(tcase, values_in_the_order_of_indexes);
	tcase_add_test(tcase, values_of_an_unknown_index);
	tcase_add_test(tcase, values_that_cannot_be_had);
	tcase_add_test(tcase, success_leaves_the_indicator_alone);
	tcase_add_test(tcase, each_thread_has_an_indicator);
	tcase_add_test(tcase, the_reason_is_told_to_who_asks);
}

static Suite *
none_suite(void)
{
	Suite *suite = suite_create("kd_none");

	add_information(suite);
	add_sampling(suite);
	tcase_add_test(add_case(suite, "none"), no_gpu_is_no_error);
	return suite;
}

static Suite *
amd_suite(void)
{
	Suite *suite = suite_create("kd_amd");
	TCase *tcase;

	add_information(suite);
	add_sampling(suite);
	tcase = add_case(suite, "amd");
	tcase_add_test(tcase, amd_names);
	tcase_add_test(tcase, amd_counts_are_exact);
	tcase_add_test(tcase, amd_utilization_is_that_of_now);
	tcase_add_test(tcase, amd_memory);
	tcase_add_test(tcase, amd_primitives);
	tcase_add_test(tcase, amd_share_of_nothing_is_unknown);
	tcase_add_test(tcase, amd_what_does_not_fit);
	tcase_add_test(tcase, amd_reason_of_what_does_not_fit);
	tcase_add_test(tcase, amd_deactivation_ends_what_counts);
	tcase_add_test(tcase, amd_gpu_is_left_alone);
	tcase_add_test(tcase, amd_gpu_that_is_reset);
	tcase_add_test(tcase, amd_child_has_samples_of_its_own);
	tcase_add_test(tcase, amd_as_many_as_fit);
	return suite;
}

static Suite *
closed_suite(void)
{
	Suite *suite = suite_create("kd_closed");

	tcase_add_test(add_case(suite, "closed"), closed_gpu);
	return suite;
}

static Suite *
i915_suite(void)
{
	Suite *suite = suite_create("kd_i915");
	TCase *tcase;

	add_information(suite);
	tcase = add_case(suite, "i915");
	tcase_add_loop_test(tcase, intel_names_are_there, 0,
			    ARRAY_SIZE(intel_names));
	tcase_add_test(tcase, intel_recommended_together);
	tcase_add_test(tcase, intel_utilization_is_that_of_now);
	tcase_add_test(tcase, intel_sets_exclude_each_other);
	tcase_add_test(tcase, intel_without_permission);
	return suite;
}

static Suite *
xe_suite(void)
{
	Suite *suite = suite_create("kd_xe");
	TCase *tcase = add_case(suite, "xe");

	tcase_add_loop_test(tcase, intel_names_are_there, 0,
			    ARRAY_SIZE(intel_names));
	tcase_add_test(tcase, intel_utilization_is_that_of_now);
	return suite;
}

/* Reports of xe come when time passes by itself. */
static Suite *
xe_suite_in_time(void)
{
	Suite *suite = suite_create("kd_xe_in_time");
	TCase *tcase = add_case(suite, "xe");

	tcase_add_test(tcase, intel_recommended_together);
	tcase_add_test(tcase, xe_primitives);
	return suite;
}

#define MACHINE(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		"--time", "virtual", "--strict", __VA_ARGS__ NULL              \
	}

static const struct machine machines[] = {
	{ MACHINE(), "kd_none" },
	{ MACHINE("--gpu", "vega10", "--gpu", "vega10", ), "kd_amd" },
	{ MACHINE("--gpu", "vega10,node-mode=0000", ), "kd_closed" },
	{ MACHINE("--gpu", "skl", ), "kd_i915" },
	{ MACHINE("--gpu", "bmg", ), "kd_xe" },
};

static const struct machine machine_in_time = {
	(const char *const[]){ "--strict", "--gpu", "bmg", NULL },
	"kd_xe_in_time"
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines)) |
		       below_drmsim_in_time(&machine_in_time, 1);
	runner = srunner_create(none_suite());
	srunner_add_suite(runner, amd_suite());
	srunner_add_suite(runner, closed_suite());
	srunner_add_suite(runner, i915_suite());
	srunner_add_suite(runner, xe_suite());
	srunner_add_suite(runner, xe_suite_in_time());
	return suites_run(runner);
}
