/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What events are made of, and the errors of metrics that are no good.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/resolve.h"
#include "expr/program.h"
#include "tests/catalog/gfx0.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const struct {
	const char *name;
	unsigned instances;
	enum drmperf_scope scope;
	/* selectors; the last, where not 0, stands after the one at after */
	size_t count;
	uint32_t selectors[4];
	uint32_t after[4]; /* index + 1 */
	group_index group; /* of the first */
} made_of[] = {
	{ "SQ.WAVES", 4, DRMPERF_SCOPE_QUEUE, 1, { 4 }, { 0 }, SQ },
	{ "TCC.HIT", 16, DRMPERF_SCOPE_DEVICE, 1, { 20 }, { 0 }, TCC },
	{ "L2CacheHit", 16, DRMPERF_SCOPE_DEVICE, 2, { 20, 22 }, { 0 }, TCC },
	{ "SQ.PerWave", 4, DRMPERF_SCOPE_QUEUE, 2, { 3, 4 }, { 0 }, SQ },
	{ "Doubled", 4, DRMPERF_SCOPE_QUEUE, 3, { 3, 4, 14 }, { 0 }, SQ },
	{ "Mixed", 16, DRMPERF_SCOPE_DEVICE, 2, { 15, 20 }, { 0 }, TA },
	{ "Unlike", 0, DRMPERF_SCOPE_QUEUE, 2, { 4, 20 }, { 0 }, SQ },
	{ "Constant", 0, DRMPERF_SCOPE_DEVICE, 0, { 0 }, { 0 }, 0 },
	{ "Occupancy", 4, DRMPERF_SCOPE_QUEUE, 2, { 12, 11 }, { 0, 1 }, SQ },
	{ "OccupancyLow", 4, DRMPERF_SCOPE_QUEUE, 2, { 12, 10 }, { 0, 1 }, SQ },
	{ "OccupancyNamed",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 12, 10 },
	  { 0, 1 },
	  SQ },
	{ "OccupancyRocm",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  3,
	  { 12, 10, 4 },
	  { 0, 1, 0 },
	  SQ },
	{ "OccupancyTwice",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 12, 10 },
	  { 0, 1 },
	  SQ },
	{ "TwoSums",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  4,
	  { 12, 11, 4, 11 },
	  { 0, 1, 0, 3 },
	  SQ },
	{ "Alike", 0, DRMPERF_SCOPE_QUEUE, 4, { 4, 4, 30, 30 }, { 0 }, SQ },
	/*
	 * the metric set's own group counts, wherever the counter was described
	 */
	{ "Render.GpuBusy",
	  0,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 107, 1 },
	  { 0 },
	  RENDER },
	{ "Compute.GpuBusy",
	  0,
	  DRMPERF_SCOPE_DEVICE,
	  1,
	  { 107 },
	  { 0 },
	  COMPUTE },
	{ "Render.Own", 0, DRMPERF_SCOPE_QUEUE, 1, { 200 }, { 0 }, RENDER },
};

TEST_CASE(one, gfx0_set_up, gfx0_clean_up, "catalog_values");
TEST_CASE(later, gfx0_set_up_later, gfx0_clean_up, "catalog_values");

TEST_LOOP(one, an_event_is_resolved_into_counters, ARRAY_SIZE(made_of))
{
	const struct drmperf_event *event = gfx0_find(made_of[_i].name);
	const struct catalog_value *value = NULL, *again;
	struct drmperf_error error = { .cause = "" };
	size_t i;

	ck_assert_msg(!catalog_resolve(event, &value, &error), "%s",
		      error.cause);
	ck_assert_uint_eq(value->instances, made_of[_i].instances);
	ck_assert_uint_eq(value->scope, made_of[_i].scope);
	ck_assert_uint_eq(value->counter_count, made_of[_i].count);
	ck_assert_uint_eq(value->alternative_count, 0);
	ck_assert((value->program != NULL) ==
		  (catalog_event_record(event)->expression != NULL));
	for (i = 0; i < value->counter_count; i++) {
		uint32_t after = made_of[_i].after[i];

		ck_assert_uint_eq(value->counters[i].selector,
				  made_of[_i].selectors[i]);
		ck_assert_uint_eq(value->counters[i].after,
				  after ? after - 1 : CATALOG_ANYWHERE);
		ck_assert(!value->counters[i].momentary);
	}
	if (value->counter_count)
		ck_assert_uint_eq(value->counters[0].group, made_of[_i].group);
	ck_assert_int_eq(catalog_resolve(event, &again, NULL), 0);
	ck_assert_ptr_eq(value, again);
}
TEST_ALSO(later, an_event_is_resolved_into_counters, ARRAY_SIZE(made_of));

TEST(one, counters_say_what_drivers_need)
{
	const struct catalog_value *value;

	ck_assert(!catalog_resolve(gfx0_find("SQ.Busy_cycles"), &value, NULL));
	ck_assert_uint_eq(value->counters[0].setting, 7);
	ck_assert(!catalog_resolve(gfx0_find("SQ.WAVES"), &value, NULL));
	ck_assert_uint_eq(value->counters[0].slots, 0xff);
	ck_assert_str_eq(value->counters[0].event->name, "amdgpu::SQ.WAVES");
	ck_assert(!catalog_resolve(gfx0_find("SQ.TEMPERATURE"), &value, NULL));
	ck_assert(value->counters[0].momentary);
}
TEST_ALSO(later, counters_say_what_drivers_need, 1);

TEST(one, programs_compute_their_values)
{
	static const uint64_t busy[] = { 1, 2, 3, 4 }, waves[] = { 5, 5, 5, 5 };
	const struct expr_input inputs[] = { { busy, 4 }, { waves, 4 } };
	const struct expr_input second[] = { { busy + 1, 1 }, { waves, 1 } };
	const struct catalog_value *value;

	ck_assert(!catalog_resolve(gfx0_find("SQ.PerWave"), &value, NULL));
	ck_assert_double_eq(expr_eval(value->program, inputs).f64, 0.5);
	ck_assert_double_eq(expr_eval(value->program, second).f64, 0.4);
	ck_assert(!catalog_resolve(gfx0_find("Constant"), &value, NULL));
	ck_assert_double_eq(expr_eval(value->program, NULL).f64, 8.0);
}
TEST_ALSO(later, programs_compute_their_values, 1);

static const struct {
	const char *name;
	int err;
	const char *cause;
} broken[] = {
	{ "Broken", -EBADMSG, "at character 10 of the expression: a value" },
	{ "Unknown", -EBADMSG, "constant is called \"SQ.WAWES\"" },
	{ "Loop", -ELOOP, "it uses its own value" },
	{ "OccupancyLost", -EBADMSG,
	  "ACCUM_PREV sums the counter before it, but none of the same group" },
	{ "OccupancyOther", -EBADMSG, "sums the counter before it" },
	{ "SumOfSum", -EBADMSG, "a counter with one beside it" },
	{ "AnyOf", -EBADMSG, "amdgpu::oa.GpuBusy stands for several events" },
	{ "Ambiguous", -EBADMSG, "\"SQ_BUSY_CYCLES\" can mean several events" },
};

TEST_LOOP(one, a_broken_event_says_why, ARRAY_SIZE(broken))
{
	const struct drmperf_event *event = gfx0_find(broken[_i].name);
	const struct catalog_value *value = NULL;
	struct drmperf_error error;
	char place[40];
	int again;

	snprintf(place, sizeof(place),
		 "m.xml:%d: ", catalog_event_record(event)->line);
	for (again = 0; again < 2; again++) {
		error.cause[0] = '\0';
		ck_assert_int_eq(catalog_resolve(event, &value, &error),
				 broken[_i].err);
		ck_assert_msg(strstr(error.cause, broken[_i].cause), "%s",
			      error.cause);
		/* a cycle is reported where it closes */
		ck_assert(broken[_i].err == -ELOOP ||
			  !strncmp(error.cause, place, strlen(place)));
		ck_assert_ptr_null(value);
	}
}
TEST_ALSO(later, a_broken_event_says_why, ARRAY_SIZE(broken));

TEST(one, alternatives_are_resolved_apart)
{
	const struct catalog_value *value;
	const struct drmperf_event *event = gfx0_find("oa.GpuBusy");
	const struct description_group *group;

	ck_assert(!catalog_resolve(event, &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 2);
	ck_assert_uint_eq(value->counter_count, 0);
	ck_assert_ptr_eq(value->alternatives[0], gfx0_find("Render.GpuBusy"));
	ck_assert_ptr_eq(value->alternatives[1], gfx0_find("Compute.GpuBusy"));
	ck_assert_uint_eq(value->instances, 0);
	/* the narrowest: there is no telling which one counts */
	ck_assert_int_eq(value->scope, DRMPERF_SCOPE_QUEUE);

	/* not the one with another unit */
	ck_assert(!catalog_resolve(gfx0_find("oa.GpuClocks"), &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 1);
	ck_assert_ptr_eq(value->alternatives[0], gfx0_find("Render.GpuClocks"));
	ck_assert(!catalog_resolve(gfx0_find("oa.Own"), &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 1);

	group = catalog_group_record(event->group);
	ck_assert_str_eq(group->name, "oa");
	ck_assert_uint_eq(group->domain, OA);
	ck_assert_uint_eq(group->max_active, 3);
	ck_assert_int_eq(group->scope, DRMPERF_SCOPE_QUEUE);
	ck_assert_uint_eq(event->group->listed, 3);
	ck_assert_str_ne(group->description, "");
}
TEST_ALSO(later, alternatives_are_resolved_apart, 1);

/* What is said to use its own group's counters alone is held to that. */
TEST(one, a_local_metric_uses_its_group_alone)
{
	static const struct description_event local[] = {
		{ .group = RAW, .name = "A7", .hidden = true },
		{ .group = TCC, .name = "HIT" },
		{ METRIC_OF(RENDER, "Good", "A7*2"), .is_local = true },
		{ METRIC_OF(RENDER, "Bad", "A7+TCC.HIT"), .is_local = true },
	};
	const struct drmperf_event *good, *bad;
	const struct catalog_value *value;
	struct description description;
	struct drmperf_error error;
	char place[40];

	catalog_destroy(gfx0_catalog);
	ck_assert(!description_init(&description));
	for (size_t i = 0; i < ARRAY_SIZE(gfx0_domains); i++)
		description_add_domain(&description, &gfx0_domains[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(gfx0_groups); i++)
		description_add_group(&description, &gfx0_groups[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(local); i++)
		description_add_event(&description, &local[i]);
	ck_assert(!catalog_create(&description, "i915", NULL, NULL,
				  &gfx0_catalog, NULL));
	good = gfx0_find("Render.Good");
	bad = gfx0_find("Render.Bad");
	/* a listing compiles nothing */
	ck_assert_int_eq(drmperf_event_scope(good), DRMPERF_SCOPE_QUEUE);
	ck_assert_uint_eq(drmperf_event_instances(good), 0);
	ck_assert_ptr_null(atomic_load(&good->value));
	ck_assert(!catalog_resolve(good, &value, NULL));
	ck_assert_int_eq(value->scope, DRMPERF_SCOPE_QUEUE);

	ck_assert_int_eq(catalog_resolve(bad, &value, &error), -EBADMSG);
	snprintf(place, sizeof(place), "m.xml:%d: Bad uses a counter of TCC,",
		 catalog_event_record(bad)->line);
	ck_assert_msg(!strncmp(error.cause, place, strlen(place)), "%s",
		      error.cause);
}

static void *
resolve_all(void *data)
{
	const struct catalog_list *list = catalog_list(gfx0_catalog);
	const struct catalog_value **values = data;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (catalog_resolve(list->events[i], &values[i], NULL))
			values[i] = NULL;
	return NULL;
}

TEST(one, many_threads_resolve_the_same)
{
	enum {
		THREADS = 4
	};
	const struct catalog_value *values[THREADS][100] = { { NULL } };
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		ck_assert(!pthread_create(&threads[i], NULL, resolve_all,
					  values[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_lt(catalog_list(gfx0_catalog)->count, 100);
	for (i = 1; i < THREADS; i++)
		ck_assert_mem_eq(values[0], values[i], sizeof(values[0]));
}
TEST_ALSO(later, many_threads_resolve_the_same, 1);
