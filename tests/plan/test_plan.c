/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes that a plan has, what keeps them apart, and plans that are refused.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "tests/support/check.h"
#include "tests/plan/two_gpus.h"
#include "tests/support/suite.h"

/* Passes separated by a bar, events as letters from a; capitals: cut. */
static const struct plan_case {
	const char *list, *passes;
	bool cut;
} plan_cases[] = {
	{ "SQ.W0", "a", false },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4", "abcd|e", false },
	{ "TA.T0 TA.T1 TA.T2 TA.T3 TCC.HIT", "abe|cd", false },
	{ "TA.T0 TA.T1 TA.T2 TA.T0/1 TA.T1/1 TA.T2/1", "abde|cf", false },
	{ "SQ.CS0 TA.T0 SQ.CS1 SQ.W0", "ac|bd", false },
	{ "Render.Pixels Compute.Threads oa.GpuBusy SQ.W0 SQ.CS0", "acd|be",
	  false },
	{ "oa.Threads oa.Pixels oa.GpuBusy", "ac|b", false },
	{ "metric.Level metric.Level2 metric.Busy", "ac|b", false },
	{ "metric.Nothing metric.Nothing", "ab", false },
	{ "TCC.HIT[0] TCC.MISS[0] TCC.REQ[0] TCC.READ[0] TCC.WRITE[0] "
	  "TCC.WRITE[1] TCC.READ",
	  "abcdfg|e", false },
	{ "TA.T0[0] TA.T1[1] TA.T2[1] TA.T2[0] TA.T3 TA.T0[1]", "abcd|ef",
	  false },
	{ "metric.Large TA.T3[1] TA.T0[2]", "Ac|Ab", true },
	{ "metric.Large", "A|A", true },
	{ "metric.Large TA.T3 TCC.MISS", "Ac|Ab", true },
	{ "metric.Stages SQ.CS1 SQ.W1", "Ac|Ab", true },
	{ "metric.Large metric.Hit metric.Mixed", "Abc|A", true },
};

TEST_CASE(all, two_gpus_set_up, two_gpus_clean_up, "plan");

TEST_LOOP(all, passes_are_the_fewest_in_order, ARRAY_SIZE(plan_cases))
{
	const struct plan_case *test = &plan_cases[_i];
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = test->cut,
	};
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	struct drmperf_error error;
	size_t count = two_gpus_read(test->list, selections), length = 0;
	struct drmperf_plan *plan;
	char text[128] = "";

	if (drmperf_plan_create(two_gpus_drmperf, selections, count, &options,
				&plan, &error))
		ck_abort_msg("%s: %s", test->list, error.cause);
	ck_assert(drmperf_plan_is_proved(plan));
	ck_assert_uint_eq(drmperf_plan_lower_bound(plan),
			  drmperf_plan_passes(plan));
	for (size_t pass = 0; pass < drmperf_plan_passes(plan); pass++) {
		size_t n;
		const size_t *members =
			drmperf_plan_pass_events(plan, pass, &n);

		if (pass)
			text[length++] = '|';
		for (size_t i = 0; i < n; i++) {
			bool cut = drmperf_plan_event_is_cut(plan, members[i]);

			text[length++] = (char)((cut ? 'A' : 'a') + members[i]);
		}
		ck_assert((drmperf_plan_conflict(plan, pass) == NULL) ==
			  (pass == 0));
	}
	ck_assert_msg(!strcmp(text, test->passes), "%s: %s, not %s", test->list,
		      text, test->passes);
	/* behind the last pass and the last event there is nothing */
	for (size_t pass = drmperf_plan_passes(plan); pass < 100; pass += 9) {
		size_t n = 1;

		ck_assert_ptr_null(drmperf_plan_pass_events(plan, pass, &n));
		ck_assert_uint_eq(n, 0);
		n = 1;
		ck_assert_ptr_null(
			drmperf_plan_event_counters(plan, pass, 0, &n));
		ck_assert_uint_eq(n, 0);
		ck_assert_ptr_null(drmperf_plan_conflict(plan, pass));
	}
	ck_assert(!drmperf_plan_event_is_cut(plan, count));
	ck_assert(!drmperf_plan_event_is_cut(plan, SIZE_MAX));
	drmperf_plan_destroy(plan);
}

/* The conflict between the first two passes. */
static const struct conflict_case {
	const char *list;
	bool cut;
	const char *group; /* NULL: a setting */
	unsigned limit, wanted;
	size_t event;
	const char *holders; /* digits */
	const char *remedy;
} conflict_cases[] = {
	{ "TA.T0 TCC.HIT TA.T1 TA.T2", false, "TA", 2, 3, 3, "02",
	  "leave out one of fake::TA.T2:device=0, fake::TA.T0:device=0 or "
	  "fake::TA.T1:device=0" },
	{ "SQ.W0 SQ.CS0", false, NULL, 1, 2, 1, "0",
	  "leave out fake::SQ.CS0:device=0 or fake::SQ.W0:device=0" },
	{ "WIDE.H0 WIDE.H1 WIDE.H2", false, "WIDE", 2, 3, 2, "01",
	  "leave out one of fake::WIDE.H2:device=0, fake::WIDE.H0:device=0 or "
	  "fake::WIDE.H1:device=0" },
	{ "SQ.W3 SQ.W4 metric.Busy", false, "SQ", 4, 5, 2, "01",
	  "leave out one of fake::metric.Busy:device=0, fake::SQ.W3:device=0 "
	  "or fake::SQ.W4:device=0" },
	{ "Render.Pixels Render.GpuBusy Compute.Threads", false, NULL, 1, 2, 2,
	  "01",
	  "leave out fake::Compute.Threads:device=0, or both "
	  "fake::Render.Pixels:device=0 and fake::Render.GpuBusy:device=0" },
	{ "metric.Large", true, "TA", 2, 3, 0, "",
	  "leave out fake::metric.Large:device=0" },
	/* part of the metric is in the way: it holds both slots */
	{ "metric.Large TA.T3", true, "TA", 2, 3, 0, "",
	  "leave out fake::metric.Large:device=0" },
};

TEST_LOOP(all, conflicts_name_what_is_in_the_way, ARRAY_SIZE(conflict_cases))
{
	const struct conflict_case *test = &conflict_cases[_i];
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = test->cut,
	};
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	const struct drmperf_conflict *conflict;
	struct drmperf_plan *plan;
	char holders[16] = "", name[64];

	ck_assert_int_eq(
		drmperf_plan_create(two_gpus_drmperf, selections,
				    two_gpus_read(test->list, selections),
				    &options, &plan, NULL),
		0);
	conflict = drmperf_plan_conflict(plan, 1);
	ck_assert_ptr_nonnull(conflict);
	if (test->group)
		ck_assert_str_eq(drmperf_group_name(conflict->group),
				 test->group);
	else
		ck_assert_ptr_null(conflict->group);
	ck_assert_uint_eq(conflict->limit, test->limit);
	ck_assert_uint_eq(conflict->wanted, test->wanted);
	ck_assert_uint_eq(conflict->event, test->event);
	for (size_t i = 0; i < conflict->holder_count; i++)
		holders[i] = (char)('0' + conflict->holders[i]);
	ck_assert_str_eq(holders, test->holders);
	ck_assert_str_eq(conflict->remedy, test->remedy);
	drmperf_selection_name(&selections[test->event], name, sizeof(name));
	ck_assert_msg(!strncmp(conflict->cause, name, strlen(name)), "%s",
		      conflict->cause);
	drmperf_plan_destroy(plan);
}

/* A part of a metric that was cut fills a pass like any other event. */
TEST(all, parts_are_in_the_way)
{
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = true,
	};
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	const struct drmperf_conflict *conflict;
	struct drmperf_plan *plan;
	const size_t *members;
	size_t count;

	count = two_gpus_read("TA.T3 metric.Large SQ.CS0 TA.T3", selections);
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections,
					     count, &options, &plan, NULL),
			 0);
	ck_assert_uint_eq(drmperf_plan_passes(plan), 3);
	members = drmperf_plan_pass_events(plan, 2, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(members[0], 2);
	conflict = drmperf_plan_conflict(plan, 2);
	ck_assert_ptr_nonnull(conflict);
	ck_assert_uint_eq(conflict->event, 2);
	ck_assert_uint_eq(conflict->holder_count, 1);
	ck_assert_uint_eq(conflict->holders[0], 1);
	drmperf_plan_destroy(plan);
}

/* What the passes count of a metric that was cut, pass by pass. */
TEST(all, parts_of_a_metric_are_counted_pass_by_pass)
{
	static const struct {
		const char *list;
		size_t event;
		const char *counters;
	} cases[] = {
		{ "metric.Large", 0,
		  "fake::TA.T0:device=0 fake::TA.T1:device=0 "
		  "fake::TCC.HIT:device=0|fake::TA.T2:device=0" },
		/* a sum is of instances that counted at the same time */
		{ "metric.Large TA.T3[1] TA.T3[2] TA.T1[2]", 0,
		  "fake::TA.T0:device=0 fake::TA.T1:device=0 "
		  "fake::TCC.HIT:device=0|fake::TA.T2:device=0" },
		{ "SQ.CS1 metric.Stages/1", 1,
		  "fake::SQ.W0:device=1|fake::SQ.CS0:device=1" },
		{ "metric.Stages metric.Hit", 1, "|" },
		{ "metric.Stages TA.T0", 1, "|" },
	};
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = true,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drmperf_selection selections[TWO_GPUS_NAMES];
		size_t count = two_gpus_read(cases[i].list, selections), n;
		struct drmperf_plan *plan;
		char text[512] = "";

		ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf,
						     selections, count,
						     &options, &plan, NULL),
				 0);
		for (size_t k = 0; k < drmperf_plan_passes(plan); k++) {
			const struct drmperf_selection *counters =
				drmperf_plan_event_counters(plan, k,
							    cases[i].event, &n);
			size_t length = strlen(text);

			ck_assert((counters == NULL) == (n == 0));
			length += (size_t)snprintf(text + length,
						   sizeof(text) - length, "%s",
						   k ? "|" : "");
			for (size_t j = 0; j < n; j++) {
				if (j)
					text[length++] = ' ';
				length += (size_t)drmperf_selection_name(
					&counters[j], text + length,
					sizeof(text) - length);
			}
		}
		ck_assert_str_eq(text, cases[i].counters);
		drmperf_plan_destroy(plan);
	}
}

/* Select on a device with that event; by its name it cannot be found. */
static struct drmperf_selection
broken_event(const struct drmperf_event *of)
{
	const struct drmperf_device *device = drmperf_event_device(of);
	size_t i = 0;

	while (strcmp(drmperf_event_name(drmperf_event_at(device, i)),
		      "fake::metric.Broken") != 0)
		i++;
	return (struct drmperf_selection){
		.event = drmperf_event_at(device, i),
		.instance = DRMPERF_ALL_INSTANCES,
	};
}

/* Calls of reallocarray() before one fails; -1: none does. */
static int calls_left = -1;
static bool has_failed;

/* Replace the C library's. */
void *
reallocarray(void *array, size_t count, size_t size)
{
	has_failed |= !calls_left;
	return calls_left-- ? realloc(array, count * size) : NULL;
}

/* Arrays of the problem grow for the parts of what is cut, too. */
TEST(all, plans_without_memory_are_refused)
{
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = true,
	};
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	struct drmperf_plan *plan;

	for (size_t i = 0; i < 17; i++)
		two_gpus_read("metric.Large", &selections[i]);
	for (size_t count = 14; count <= 17; count++) {
		has_failed = true;
		for (int calls = 0; has_failed; calls++) {
			int ret;

			has_failed = false;
			calls_left = calls;
			ret = drmperf_plan_create(two_gpus_drmperf, selections,
						  count, &options, &plan, NULL);
			calls_left = -1;
			ck_assert_int_eq(ret, has_failed ? -ENOMEM : 0);
			if (!ret)
				drmperf_plan_destroy(plan);
		}
	}
}

TEST(all, wrong_arguments_leave_no_plan)
{
	struct drmperf_plan_options options = { .size = sizeof(options) };
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	struct drmperf_plan *const untouched =
		(struct drmperf_plan *)selections;
	struct drmperf_plan *plan = untouched;
	struct drmperf_error error;
	size_t count;

	count = two_gpus_read("TA.T0 TA.T1 TA.T2 TA.T3", selections);
	options.max_passes = 1;
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections,
					     count, &options, &plan, &error),
			 -ENOSPC);
	two_gpus_expect("one of two", error.cause,
			(const char *const[]){ "2 passes, not 1",
					       "group TA", "TA.T2", "TA.T1" });
	two_gpus_expect("one of two", error.remedy,
			(const char *const[]){ "leave out one of",
					       "allow more passes", NULL });
	options.max_passes = 2;
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections,
					     count, &options, &plan, &error),
			 0);
	drmperf_plan_destroy(plan);
	plan = untouched;

	options = (struct drmperf_plan_options){ .size = sizeof(options) };
	count = two_gpus_read("TA.T0 metric.Large", selections);
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections,
					     count, &options, &plan, &error),
			 -E2BIG);
	two_gpus_expect(
		"large", error.cause,
		(const char *const[]){ "metric.Large", "group TA", "3", NULL });
	/* not even a part of it fits */
	options.cut_metrics = true;
	count = two_gpus_read("TA.T0 metric.Lost", selections);
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections,
					     count, &options, &plan, &error),
			 -E2BIG);
	two_gpus_expect("lost", error.cause,
			(const char *const[]){ "metric.Lost", "group WIDE",
					       "counts 0", NULL });
	ck_assert_ptr_null(strstr(error.remedy, "cut"));

	selections[0] = broken_event(selections[0].event);
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections, 1,
					     NULL, &plan, &error),
			 -EBADMSG);
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections, 0,
					     NULL, &plan, &error),
			 -EINVAL);
	options.size = sizeof(options) + 1;
	ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf, selections, 1,
					     &options, &plan, &error),
			 -EINVAL);
	ck_assert_ptr_eq(plan, untouched);
	drmperf_plan_destroy(NULL);
}
