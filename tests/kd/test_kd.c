/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KD_KHR_perfcounter, sentence by sentence, on simulated GPUs in virtual time
 * and on a machine without any. Comments in quotes are the extension's words.
 */
#include <KD/KHR_perfcounter.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/kd/calls.h"
#include "tests/kd/made_up.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* 6: "On failure, the function returns ... and stores one of the error codes
 * below into the error indicator." First, while nothing is listed. */

TEST_CASE(information, begin_test, end_test, "kd_none", "kd_amd", "kd_i915");

TEST(information, permission_denied_before_anything_else)
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

/* ------------------------------------------------------------------ */
/* 3: recommended names, 4: constants, 5: types                         */

static bool
has_of_cpu(int cpu, const char *mode)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU %d%s utilization", cpu, mode);
	return has_counter(name);
}

/* "where X is a decimal integer giving the CPU number" */
TEST(information, names_of_cpus)
{
	int cpu = 0, count = 0;

	for (; cpu < 4096; cpu++) {
		bool there = has_of_cpu(cpu, "");

		count += there;
		ck_assert_int_eq(has_of_cpu(cpu, " user mode"), there);
		ck_assert_int_eq(has_of_cpu(cpu, " kernel mode"), there);
		/* as many as it has */
		if (!there && count >= sysconf(_SC_NPROCESSORS_ONLN))
			break;
	}
	ck_assert_int_ge(count, 1);
}

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

TEST_LOOP(information, names_of_memory_and_files_and_the_operating_system,
	  ARRAY_SIZE(names))
{
	ck_assert(has_counter(names[_i]));
}

TEST(information, constants_have_their_values)
{
	ck_assert_int_eq(KD_INFINITE_COUNTER_VAL_KHR, KDINT64_MAX);
	ck_assert_int_eq(KDINT64_MAX, 0x7fffffffffffffff);
	ck_assert_int_eq(KD_UNKNOWN_COUNTER_VAL_KHR, -1);
	ck_assert_int_eq(KD_EACCES, 1);
	ck_assert_int_eq(KD_EINVAL, 17);
	ck_assert_int_eq(KD_ETRY_AGAIN, 37);
}

TEST(information, types_have_their_sizes)
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

/* "Counter name (should be short)", "description (as detailed as possible)" */
TEST(information, texts_of_each_counter)
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

/*
 * "Counter maximal value (can get KD_INFINITE_COUNTER_VAL_KHR)", "scale factor
 * that transforms the counter value to the [0,100] range", "use
 * KD_UNKNOWN_COUNTER_VAL_KHR for counters to which there is no predefined
 * default scale"
 */
TEST(information, limits_of_each_counter)
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

TEST(information, share_and_level_have_a_scale_and_rate_has_none)
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

/* ------------------------------------------------------------------ */
/* 6.1, 6.2: what there is                                              */

/* "On success, the function returns the number of counters" */
TEST(information, number_of_counters)
{
	const KDint count = kdGetNumberOfCountersKHR();

	ck_assert_int_ge(count, 3 + (KDint)ARRAY_SIZE(names));
	ck_assert_int_eq(kdGetNumberOfCountersKHR(), count);
	ck_assert_int_eq(kdGetError(), 0);
}

/* "The index is 0-based." */
TEST(information, information_from_the_first_to_the_last)
{
	const KDint count = kdGetNumberOfCountersKHR();

	ck_assert_ptr_nonnull(kdGetCounterInformationKHR(0));
	ck_assert_ptr_nonnull(kdGetCounterInformationKHR(count - 1));
	ck_assert_int_eq(kdGetError(), 0);
	/* it lives, and is where it was */
	ck_assert_ptr_eq(kdGetCounterInformationKHR(count - 1),
			 kdGetCounterInformationKHR(count - 1));
}

/* "KD_EINVAL: Unrecognized counter index." */
TEST(information, information_of_an_unknown_index)
{
	const KDint count = kdGetNumberOfCountersKHR();
	const KDint unknown[] = { -1, count, count + 1, KDINT_MIN, KDINT_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		expect_error(!kdGetCounterInformationKHR(unknown[i]),
			     KD_EINVAL);
}

/* ------------------------------------------------------------------ */
/* 6.3, 6.4: active or not                                              */

TEST_CASE(sampling, begin_test, end_test, "kd_none", "kd_amd");

/* "whose indexes appear in the first numindexes elements of the array" */
TEST(sampling, activates_the_first_elements)
{
	const KDint indexes[] = { find_index(MEMORY),
				  find_index(THREADS_AMOUNT), -1 };

	ck_assert_int_eq(kdActivateCountersKHR(indexes, 1), 0);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	start_sampling();
	ck_assert_int_gt(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_eq(kdGetError(), 0);
}

TEST(sampling, none_and_the_same_again)
{
	const KDint indexes[] = { find_index(MEMORY), find_index(MEMORY) };

	ck_assert_int_eq(kdActivateCountersKHR(KD_NULL, 0), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdActivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(KD_NULL, 0), 0);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(indexes, 2), 0);
	ck_assert_int_eq(kdDeactivateCountersKHR(indexes, 2), 0);
	start_sampling();
	ck_assert_int_eq(value_of(MEMORY), 0);
}

TEST(sampling, activation_of_an_unknown_index)
{
	const KDint indexes[] = { find_index(MEMORY),
				  kdGetNumberOfCountersKHR() };

	expect_error(kdActivateCountersKHR(indexes, 2) == -1, KD_EINVAL);
	/* and the known one has not become active */
	start_sampling();
	ck_assert_int_eq(value_of(MEMORY), 0);
}

TEST(sampling, deactivation_of_an_unknown_index)
{
	const KDint indexes[] = { find_index(MEMORY), -1 };

	activate_counter(MEMORY);
	expect_error(kdDeactivateCountersKHR(indexes, 2) == -1, KD_EINVAL);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* "This function deactivates the counters" */
TEST(sampling, deactivation_while_sampling)
{
	KDint64 last;

	activate_counter(MEMORY);
	activate_counter(THREADS_AMOUNT);
	start_sampling();
	deactivate_counter(THREADS_AMOUNT);
	last = value_of(THREADS_AMOUNT);
	ck_assert_int_gt(last, 0);
	ck_assert_int_gt(value_of(MEMORY), 0);
	start_sampling();
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
	ck_assert_int_gt(value_of(MEMORY), 0);
}

TEST(sampling, activation_while_sampling_is_for_the_next_start)
{
	start_sampling();
	activate_counter(MEMORY);
	ck_assert_int_eq(value_of(MEMORY), 0);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* ------------------------------------------------------------------ */
/* 6.5 to 6.7: sampling                                                 */

/* "initializes all performance counter values to 0" */
TEST(sampling, start_makes_all_values_zero)
{
	activate_counter(MEMORY);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
	stop_sampling();
	deactivate_counter(MEMORY);
	ck_assert_int_gt(value_of(MEMORY), 0);
	start_sampling();
	ck_assert_int_eq(value_of(MEMORY), 0);
}

/* "and starts the active ones sampling" */
TEST(sampling, start_with_nothing_active)
{
	start_sampling();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_int_eq(value_of(names[i]), 0);
	stop_sampling();
}

TEST(sampling, values_before_the_first_start)
{
	activate_counter(MEMORY);
	ck_assert_int_eq(value_of(THREADS_AMOUNT), 0);
}

TEST(sampling, start_that_fails)
{
	activate_counter(MEMORY);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
	made_up_failure(-EACCES);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	/* nothing samples, so nothing has to be read */
	ck_assert_int_eq(value_of(MEMORY), 0);
	made_up_failure(0);
	ck_assert_int_eq(value_of(MEMORY), 0);
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* "stops the active performance counters sampling" */
TEST(sampling, values_stay_after_stop)
{
	KDint64 last;

	activate_counter(MEMORY);
	start_sampling();
	stop_sampling();
	last = value_of(MEMORY);
	ck_assert_int_gt(last, 0);
	/* it is not even asked for */
	made_up_failure(-EIO);
	ck_assert_int_eq(value_of(MEMORY), last);
	stop_sampling();
	ck_assert_int_eq(value_of(MEMORY), last);
}

TEST(sampling, stop_that_fails)
{
	activate_counter(MEMORY);
	start_sampling();
	made_up_failure(-EIO);
	expect_error(kdStopSamplingKHR() == -1, KD_EACCES);
	/* but it has stopped */
	ck_assert_int_eq(kdStopSamplingKHR(), 0);
}

/* "stored in the corresponding position in the values array" */
TEST(sampling, values_in_the_order_of_indexes)
{
	const KDint memory = find_index(MEMORY),
		    switches = find_index(SWITCHES);
	const KDint indexes[] = { switches, memory, switches, memory };
	KDint64 values[] = { -7, -7, -7, -7, -7 };

	activate_counter(MEMORY);
	start_sampling();
	ck_assert_int_eq(kdGetCounterValuesKHR(indexes, 4, values), 0);
	ck_assert_int_eq(values[0], 0);
	ck_assert_int_gt(values[1], 0);
	ck_assert_int_eq(values[2], 0);
	ck_assert_int_eq(values[3], values[1]);
	ck_assert_int_eq(values[4], -7);
	ck_assert_int_eq(kdGetCounterValuesKHR(KD_NULL, 0, KD_NULL), 0);
}

TEST(sampling, values_of_an_unknown_index)
{
	const KDint indexes[] = { find_index(MEMORY),
				  kdGetNumberOfCountersKHR() };
	KDint64 values[] = { -7, -7 };

	expect_error(kdGetCounterValuesKHR(indexes, 2, values) == -1,
		     KD_EINVAL);
	ck_assert_int_eq(values[0], -7);
	ck_assert_int_eq(values[1], -7);
}

TEST(sampling, arrays_that_are_null)
{
	const KDint memory = find_index(MEMORY);

	expect_error(kdActivateCountersKHR(KD_NULL, 3) == -1, KD_EINVAL);
	expect_error(kdDeactivateCountersKHR(KD_NULL, 1) == -1, KD_EINVAL);
	expect_error(kdGetCounterValuesKHR(&memory, 1, KD_NULL) == -1,
		     KD_EINVAL);
	ck_assert_int_eq(kdActivateCountersKHR(KD_NULL, 0), 0);
}

TEST(sampling, values_that_cannot_be_had)
{
	const KDint memory = find_index(MEMORY);
	KDint64 value = -7;

	activate_counter(MEMORY);
	start_sampling();
	made_up_failure(-EIO);
	expect_error(kdGetCounterValuesKHR(&memory, 1, &value) == -1,
		     KD_EACCES);
	ck_assert_int_eq(value, -7);
	made_up_failure(0);
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* ------------------------------------------------------------------ */
/* "the error indicator returned by kdGetError"                         */

TEST(sampling, success_leaves_the_indicator_alone)
{
	kdSetError(KD_ENOSPC);
	ck_assert_int_eq(kdGetError(), KD_ENOSPC);
	ck_assert_int_gt(kdGetNumberOfCountersKHR(), 0);
	start_sampling();
	stop_sampling();
	ck_assert_int_eq(kdGetError(), KD_ENOSPC);
}

#define WORKERS 4
#define ROUNDS 8

/* Fail in a way of its own in each thread, while all of them sample. */
static void *
fail_in_thread(void *data)
{
	const KDint own = *(const KDint *)data;
	const KDint memory = find_index(MEMORY);
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

TEST(sampling, each_thread_has_an_indicator)
{
	pthread_t threads[WORKERS];
	KDint own[WORKERS];

	kdSetError(KD_EIO);
	for (int i = 0; i < WORKERS; i++) {
		own[i] = KD_EOVERFLOW + i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						fail_in_thread, &own[i]),
				 0);
	}
	for (int i = 0; i < WORKERS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_int_eq(kdGetError(), KD_EIO);
}

/* ------------------------------------------------------------------ */
/* The reason, by DRMPERF_VERBOSE                                       */

/* Write what a call that fails writes on standard error, into text. */
static void
catch_message(char *text, size_t size)
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

TEST(sampling, the_reason_is_told_to_who_asks)
{
	char text[1024];

	unsetenv("DRMPERF_VERBOSE");
	catch_message(text, sizeof(text));
	ck_assert_str_eq(text, "");
	setenv("DRMPERF_VERBOSE", "0", 1);
	catch_message(text, sizeof(text));
	ck_assert_str_eq(text, "");
	setenv("DRMPERF_VERBOSE", "1", 1);
	catch_message(text, sizeof(text));
	unsetenv("DRMPERF_VERBOSE");
	ck_assert_ptr_nonnull(strstr(text, "libdrmperf-kd: "));
	ck_assert_ptr_nonnull(strstr(text, "there is no counter -1"));
}

/* ------------------------------------------------------------------ */
/* No GPU                                                               */

TEST_CASE(none, begin_test, end_test, "kd_none");

TEST(none, no_gpu_is_no_error)
{
	const KDint count = kdGetNumberOfCountersKHR();

	for (KDint i = 0; i < count; i++)
		ck_assert_str_eq(kdGetCounterInformationKHR(i)->vendorName,
				 "Linux");
	ck_assert(!has_counter("GPU 0 utilization"));
	ck_assert(!has_counter("GPU memory usage"));
	ck_assert_int_eq(kdGetError(), 0);
}

TEST_MACHINE("kd_none", "--time", "virtual", "--strict");
TEST_MACHINE("kd_amd", "--time", "virtual", "--strict", "--gpu", "vega10",
	     "--gpu", "vega10");
TEST_MACHINE("kd_i915", "--time", "virtual", "--strict", "--gpu", "skl");
