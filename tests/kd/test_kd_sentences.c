/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences of KD_KHR_perfcounter for which test_kd has no room: values
 * within their limits, how long texts live, orders of calls, no counters at
 * all. Comments in quotes are the extension's words.
 */
#include <KD/KHR_perfcounter.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/kd/calls.h"
#include "tests/kd/made_up.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define ITEMS "amdgpu::SQ.ITEMS:device=0"

/* the first, while nothing is listed */
TEST_CASE(none, begin_test, end_test, "kd_none");

/* ------------------------------------------------------------------ */
/* 3: recommended names                                                 */

TEST_CASE(sentences, begin_test, end_test, "kd_none", "kd_amd", "kd_i915");

/* "Graphic driver utilization": no kernel tells it, so nothing has its name */
TEST(sentences, graphic_driver_utilization_is_not_there)
{
	ck_assert(!has_counter("Graphic driver utilization"));
}

/* ------------------------------------------------------------------ */
/* 5.1: KDCounterInfoKHR                                                */

struct texts {
	const KDCounterInfoKHR *at;
	char *vendor, *name, *description;
	KDint64 most;
};

static struct texts
copy_texts(KDint index)
{
	const KDCounterInfoKHR *at = kdGetCounterInformationKHR(index);

	ck_assert_ptr_nonnull(at);
	return (struct texts){ at, strdup(at->vendorName), strdup(at->name),
			       strdup(at->description), at->maxValue };
}

static void
expect_copy(struct texts *copied, KDint index)
{
	ck_assert_ptr_eq(kdGetCounterInformationKHR(index), copied->at);
	ck_assert_int_eq(copied->at->maxValue, copied->most);
	ck_assert_str_eq(copied->at->vendorName, copied->vendor);
	ck_assert_str_eq(copied->at->name, copied->name);
	ck_assert_str_eq(copied->at->description, copied->description);
	free(copied->vendor);
	free(copied->name);
	free(copied->description);
}

/* "a pointer to a KDCounterInfoKHR structure": it stays what it is */
TEST(sentences, information_stays_whatever_is_called)
{
	const KDint count = kdGetNumberOfCountersKHR();
	struct texts *copied = calloc((size_t)count, sizeof(*copied));
	const KDint unknown = count;

	for (KDint i = 0; i < count; i++)
		copied[i] = copy_texts(i);
	activate_counter(MEMORY);
	start_sampling();
	pass_ms(1);
	value_of(MEMORY);
	expect_error(kdActivateCountersKHR(&unknown, 1) == -1, KD_EINVAL);
	made_up_failure(-EIO);
	expect_error(kdStartSamplingKHR() == -1, KD_EACCES);
	made_up_failure(0);
	stop_sampling();
	deactivate_counter(MEMORY);
	for (KDint i = 0; i < count; i++)
		expect_copy(&copied[i], i);
	free(copied);
}

/*
 * Expect a value between "Counter minimal value" and "Counter maximal value".
 */
static void
expect_in_limits(const KDCounterInfoKHR *info, KDint64 value)
{
	const double scaled = (double)value * (double)info->defaultScale;

	if (value == KD_UNKNOWN_COUNTER_VAL_KHR)
		return;
	ck_assert_msg(value >= info->minValue && value <= info->maxValue,
		      "%s: %ld of %ld", info->name, (long)value,
		      (long)info->maxValue);
	ck_assert_msg(scaled >= 0 && scaled < 100.001, "%s: %g", info->name,
		      scaled);
}

/* "Scale factor that transforms the counter value to the [0,100] range" */
TEST(sentences, values_are_in_limits_and_scale_to_100)
{
	const KDint count = kdGetNumberOfCountersKHR();
	unsigned limited = 0;

	for (KDint i = 0; i < count; i++) {
		const KDCounterInfoKHR *info = kdGetCounterInformationKHR(i);

		if (info->maxValue == KD_INFINITE_COUNTER_VAL_KHR)
			continue;
		limited++;
		activate_counter(info->name);
		start_sampling();
		for (unsigned k = 0; k < 2; k++) {
			pass_ms(100);
			expect_in_limits(info, value_of(info->name));
		}
		deactivate_counter(info->name);
	}
	ck_assert_uint_ge(limited, 5);
}

/* ------------------------------------------------------------------ */
/* 6.1: how many                                                        */

/* "or 0 if none" */
TEST(none, number_is_0_if_there_are_none)
{
	const KDint index = 0;
	KDint64 value = 5;

	made_up_silence(true);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(kdGetNumberOfCountersKHR(), 0);
	ck_assert_int_eq(kdActivateCountersKHR(KD_NULL, 0), 0);
	ck_assert_int_eq(kdStartSamplingKHR(), 0);
	ck_assert_int_eq(kdStopSamplingKHR(), 0);
	ck_assert_int_eq(kdGetError(), 0);
	expect_error(!kdGetCounterInformationKHR(0), KD_EINVAL);
	expect_error(kdActivateCountersKHR(&index, 1) == -1, KD_EINVAL);
	expect_error(kdDeactivateCountersKHR(&index, 1) == -1, KD_EINVAL);
	expect_error(kdGetCounterValuesKHR(&index, 1, &value) == -1, KD_EINVAL);
	ck_assert_int_eq(value, 5);
	made_up_silence(false);
	ck_assert_int_gt(kdGetNumberOfCountersKHR(), 0);
}

/* ------------------------------------------------------------------ */
/* 6.3, 6.4: active or not                                              */

/* "activates the counters": beside those that earlier calls have made active */
TEST(sentences, activations_add_up_and_deactivations_take_away)
{
	static const struct {
		void (*call)(const char *name);
		const char *name;
		bool memory, threads; /* active then */
	} steps[] = {
		{ activate_counter, MEMORY, true, false },
		{ activate_counter, THREADS_AMOUNT, true, true },
		{ deactivate_counter, MEMORY, false, true },
		{ deactivate_counter, MEMORY, false, true },
		{ activate_counter, MEMORY, true, true },
		{ deactivate_counter, THREADS_AMOUNT, true, false },
		{ deactivate_counter, MEMORY, false, false },
		{ activate_counter, THREADS_AMOUNT, false, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		steps[i].call(steps[i].name);
		start_sampling();
		ck_assert_int_eq(value_of(MEMORY) > 0, steps[i].memory);
		ck_assert_int_eq(value_of(THREADS_AMOUNT) > 0,
				 steps[i].threads);
		if (i % 2)
			stop_sampling();
	}
}

/* "stores one of the error codes below": the values it ends with are lost */
TEST(sentences, deactivation_that_fails)
{
	const KDint index = find_index(MEMORY);

	activate_counter(MEMORY);
	start_sampling();
	made_up_failure(-EIO);
	expect_error(kdDeactivateCountersKHR(&index, 1) == -1, KD_EACCES);
	/* but it is inactive */
	ck_assert_int_eq(kdDeactivateCountersKHR(&index, 1), 0);
	made_up_failure(0);
	start_sampling();
	ck_assert_int_eq(value_of(MEMORY), 0);
}

static const char *const orders[][3] = {
	{ WAVES, ITEMS, MEMORY }, { WAVES, MEMORY, ITEMS },
	{ ITEMS, WAVES, MEMORY }, { ITEMS, MEMORY, WAVES },
	{ MEMORY, WAVES, ITEMS }, { MEMORY, ITEMS, WAVES },
};

TEST_CASE(amd, begin_test, end_test, "kd_amd");

/* "stored in the corresponding position", in whatever order they are active */
TEST_LOOP(amd, amd_values_do_not_depend_on_orders, ARRAY_SIZE(orders))
{
	const char *const *order = orders[_i];

	scene_set("rate", "SQ.4 1000");
	scene_set("rate", "SQ.14 7000");
	for (unsigned i = 0; i < 3; i++)
		activate_counter(order[i]);
	start_sampling();
	pass_ms(10);
	for (unsigned i = 3; i--;) {
		const KDint64 value = value_of(order[i]);

		if (!strcmp(order[i], WAVES))
			ck_assert_int_eq(value, 40);
		else if (!strcmp(order[i], ITEMS))
			ck_assert_int_eq(value, 280);
		else
			ck_assert_int_gt(value, 0);
	}
	deactivate_counter(order[0]);
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), strcmp(order[0], WAVES) ? 80 : 40);
	ck_assert_int_eq(value_of(ITEMS), strcmp(order[0], ITEMS) ? 560 : 280);
}

/* ------------------------------------------------------------------ */
/* What an event does not see of its GPU                                */

static const struct limit {
	const char *name, *told;
} limits[] = {
	{ WAVES, ", one die of up to 8, sees graphics and queues that allow "
		 "it]" },
	{ "amdgpu::TCC.HIT:device=0", ":03:00.0, one die of up to 8]" },
	{ "amdgpu::fdinfo.engine-gfx:device=0", ", sees this process only]" },
	{ "amdgpu::sensor.gfx-sclk:device=0", ":03:00.0]" },
};

TEST_CASE(dies, begin_test, end_test, "kd_dies");

TEST_LOOP(dies, dies_description_tells_what_is_not_seen, ARRAY_SIZE(limits))
{
	const char *text =
		kdGetCounterInformationKHR(find_index(limits[_i].name))
			->description;
	const size_t length = strlen(text), told = strlen(limits[_i].told);

	ck_assert_uint_gt(length, told);
	ck_assert_str_eq(text + length - told, limits[_i].told);
}

static const struct limit partition_limits[] = {
	{ WAVES, ", partition 0 alone, sees graphics and queues that allow "
		 "it]" },
	{ "amdgpu::TCC.HIT:device=5", ":03:00.0, partition 5 alone]" },
	{ "amdgpu::sensor.gfx-sclk:device=5", ":03:00.0]" },
};

TEST_CASE(partitions, begin_test, end_test, "kd_partitions");

TEST_LOOP(partitions, partitions_description_tells_which,
	  ARRAY_SIZE(partition_limits))
{
	const struct limit *limit = &partition_limits[_i];
	const char *text = kdGetCounterInformationKHR(find_index(limit->name))
				   ->description;
	const size_t length = strlen(text), told = strlen(limit->told);

	ck_assert_uint_gt(length, told);
	ck_assert_str_eq(text + length - told, limit->told);
}

/* Values would look whole and be a part */
TEST(dies, dies_are_not_counted_unless_asked_for)
{
	activate_counter(WAVES);
	kdSetError(0);
	ck_assert_int_eq(kdStartSamplingKHR(), -1);
	ck_assert_int_eq(kdGetError(), KD_EACCES);
	setenv("DRMPERF_DIES", "one", 1);
	start_sampling();
	unsetenv("DRMPERF_DIES");
}

/* ------------------------------------------------------------------ */
/* 6.5, 6.6: starting and stopping                                      */

/* "initializes all performance counter values to 0": where some sample, too */
TEST(amd, amd_start_while_sampling_begins_anew)
{
	scene_set("rate", "SQ.4 1000");
	activate_counter(WAVES);
	start_sampling();
	pass_ms(10);
	ck_assert_int_eq(value_of(WAVES), 40);
	start_sampling();
	ck_assert_int_eq(value_of(WAVES), 0);
	pass_ms(1);
	ck_assert_int_eq(value_of(WAVES), 4);
}

/* "stops the active performance counters sampling": there may be none */
TEST(sentences, stop_without_start)
{
	activate_counter(MEMORY);
	stop_sampling();
	ck_assert_int_eq(value_of(MEMORY), 0);
	ck_assert_int_eq(kdGetError(), 0);
	/* they are active still */
	start_sampling();
	ck_assert_int_gt(value_of(MEMORY), 0);
}

/* ------------------------------------------------------------------ */
/* "the error indicator returned by kdGetError"                         */

TEST(sentences, indicator_has_the_last_error_until_it_is_set)
{
	const KDint unknown = -1;

	ck_assert_ptr_null(kdGetCounterInformationKHR(-1));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(kdGetError(), KD_EINVAL);
	activate_counter(MEMORY);
	made_up_failure(-EIO);
	ck_assert_int_eq(kdStartSamplingKHR(), -1);
	ck_assert_int_eq(kdGetError(), KD_EACCES);
	ck_assert_int_eq(kdDeactivateCountersKHR(&unknown, 1), -1);
	ck_assert_int_eq(kdGetError(), KD_EINVAL);
	kdSetError(KD_ETRY_AGAIN);
	ck_assert_int_eq(kdGetError(), KD_ETRY_AGAIN);
	kdSetError(0);
	ck_assert_int_eq(kdGetError(), 0);
}

static void *
fail_elsewhere(void *data)
{
	(void)data;
	ck_assert_int_eq(kdGetError(), 0);
	ck_assert_ptr_null(kdGetCounterInformationKHR(-1));
	ck_assert_int_eq(kdGetError(), KD_EINVAL);
	return NULL;
}

TEST(sentences, failures_of_another_thread_are_its_own)
{
	pthread_t thread;

	for (KDint error = 0; error <= KD_EIO; error += KD_EIO) {
		kdSetError(error);
		ck_assert_int_eq(
			pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		ck_assert_int_eq(kdGetError(), error);
	}
}

TEST_MACHINE("kd_none", "--time", "virtual", "--strict");
TEST_MACHINE("kd_amd", "--time", "virtual", "--strict", "--gpu", "vega10");
TEST_MACHINE("kd_dies", "--time", "virtual", "--strict", "--gpu",
	     "mi300,kfd=off");
TEST_MACHINE("kd_partitions", "--time", "virtual", "--strict", "--gpu",
	     "mi300,partition=cpx");
TEST_MACHINE("kd_i915", "--time", "virtual", "--strict", "--gpu", "skl");
