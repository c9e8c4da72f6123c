/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of events, and the names by which they are found.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/suggest.h"
#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "tests/catalog/gfx0.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Order                                                                */

TEST_CASE(one, gfx0_set_up, gfx0_clean_up, "catalog");
TEST_CASE(later, gfx0_set_up_later, gfx0_clean_up, "catalog");

TEST(one, sorted_by_group)
{
	const struct catalog_list *list = catalog_list(gfx0_catalog);
	size_t i, k, listed = 0;

	for (i = 0; i < gfx0_catalog->description.group_count; i++) {
		const struct drmperf_group *group = &gfx0_catalog->groups[i];

		ck_assert_uint_eq(group->first, listed);
		for (k = 0; k < group->count; k++) {
			const struct description_event *record =
				&group->records[k];

			ck_assert_uint_eq(record->group, i);
			ck_assert((record->hidden || record->follows) ==
				  (k >= group->listed));
			if (k < group->listed)
				ck_assert_ptr_eq(list->events[listed + k],
						 &group->events[k]);
		}
		listed += group->listed;
	}
	ck_assert_uint_eq(list->count, listed);
	/* WAVES, two stages, two cycles, LEVEL_WAVES, TEMPERATURE, PerWave, OLD
	 */
	ck_assert_uint_eq(gfx0_catalog->groups[SQ].listed, 9);
	ck_assert_uint_eq(gfx0_catalog->groups[RAW].listed, 0);
	ck_assert_str_eq(list->events[0]->name, "amdgpu::SQ.WAVES");
	ck_assert_ptr_eq(catalog_list(gfx0_catalog), list);
}
TEST_ALSO(later, sorted_by_group, 1);

TEST(one, groups_have_a_pool_of_slots)
{
	const struct description_group shared = { .name = "SQX",
						  .slot_pool = TCC };
	const struct description *description = &gfx0_catalog->description;
	struct description own;
	group_index index;
	size_t i;

	for (i = 0; i < description->group_count; i++)
		ck_assert_uint_eq(description->groups[i].slot_pool, i);
	gfx0_fill(&own);
	ck_assert(!description_add_group(&own, &shared, &index));
	ck_assert_uint_eq(index, ARRAY_SIZE(gfx0_groups));
	ck_assert_uint_eq(own.groups[index].slot_pool, TCC);
	description_finish(&own);
}

TEST(one, later_event_replaces)
{
	const struct drmperf_event *event = gfx0_find("SQ.OLD");
	const struct drmperf_group *group = event->group;
	size_t i, count = 0;

	ck_assert_uint_eq(catalog_event_record(event)->selector, 2);
	for (i = 0; i < group->count; i++)
		if (!strcmp(group->events[i].name, "amdgpu::SQ.OLD"))
			count++;
	ck_assert_uint_eq(count, 1);
}
TEST_ALSO(later, later_event_replaces, 1);

/* ------------------------------------------------------------------ */
/* Names                                                                */

static const struct {
	const char *name;
	const char *found;
} spellings[] = {
	{ "SQ.WAVES", "amdgpu::SQ.WAVES" },
	{ "SQ_WAVES", "amdgpu::SQ.WAVES" },
	{ "TCC_HIT", "amdgpu::TCC.HIT" },
	{ "TA_TA_BUSY", "amdgpu::TA.TA_BUSY" },
	{ "TCC_MISS", "amdgpu::TCC.MISS" },
	{ "L2_MISS", "amdgpu::TCC.MISS" },
	{ "TCC.FOUR", "amdgpu::TCC.FOUR" },
	/* another event's alias goes before what follows from another's name */
	{ "TCC_FOUR", "amdgpu::TA.MINE" },
	{ "SQ.Busy_cycles", "amdgpu::SQ.Busy_cycles" },
	{ "SQ.busy.cycles", "amdgpu::SQ.busy.cycles" },
	{ "metric.L2CacheHit", "amdgpu::metric.L2CacheHit" },
	{ "L2CacheHit", "amdgpu::metric.L2CacheHit" },
	{ "METRIC_L2CACHEHIT", "amdgpu::metric.L2CacheHit" },
	{ "Render.GpuBusy", "amdgpu::Render.GpuBusy" },
	{ "oa.GpuBusy", "amdgpu::oa.GpuBusy" },
	{ "GpuBusy", "amdgpu::oa.GpuBusy" },
	{ "GPUBUSY", "amdgpu::oa.GpuBusy" },
	{ "Own", "amdgpu::oa.Own" },
	{ "MY_OWN", "amdgpu::Render.Own" },
};

TEST_LOOP(one, events_are_found_by_any_spelling, ARRAY_SIZE(spellings))
{
	ck_assert_str_eq(gfx0_find(spellings[_i].name)->name,
			 spellings[_i].found);
}
TEST_ALSO(later, events_are_found_by_any_spelling, ARRAY_SIZE(spellings));

static const struct {
	const char *name;
	int err;
	const char *cause;
	const char *remedy;
} unknown[] = {
	{ "SQ.WAWES", -ENOENT, "Test GPU has no event \"SQ.WAWES\"",
	  "did you mean amdgpu::SQ.WAVES" },
	{ "sq.waves", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "SQ.WAVE", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "WAVES", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "L2_MIS", -ENOENT, "has no event", "amdgpu::TCC.MISS" },
	{ "L2CacheHits", -ENOENT, "has no event", "amdgpu::metric.L2CacheHit" },
	{ "something.else.entirely", -ENOENT, "has no event",
	  "\"drmperf list\" shows all events" },
	{ "SQ.HIDDEN", -ENOENT, "has no event", "" },
	{ "raw.A7", -ENOENT, "has no event", "" },
	{ "SQ.ACCUM_PREV", -ENOENT, "amdgpu::SQ.ACCUM_PREV sums",
	  "accumulate" },
	{ "SQ_BUSY_CYCLES", -EINVAL, "can mean several events", "" },
	{ "SQ", -ENOENT, "has no event", "" },
	{ "", -ENOENT, "has no event", "" },
};

TEST_LOOP(one, an_unknown_name_has_suggestions, ARRAY_SIZE(unknown))
{
	struct drmperf_error error = { .remedy = "" };
	const struct drmperf_event *event = NULL;
	const char *name = unknown[_i].name;

	ck_assert_int_eq(
		catalog_find(gfx0_catalog, name, strlen(name), &event, &error),
		unknown[_i].err);
	ck_assert_ptr_null(event);
	ck_assert_int_eq(error.code, unknown[_i].err);
	ck_assert_msg(strstr(error.cause, unknown[_i].cause) &&
			      strstr(error.remedy, unknown[_i].remedy),
		      "%s: %s; %s", name, error.cause, error.remedy);
	ck_assert_int_eq(
		catalog_find(gfx0_catalog, name, strlen(name), &event, NULL),
		unknown[_i].err);
}
TEST_ALSO(later, an_unknown_name_has_suggestions, ARRAY_SIZE(unknown));

TEST_CASE(others, NULL, NULL, "catalog");

/* The nearest first, each once, and no more than three. */
TEST(others, the_nearest_names_come_first)
{
	struct suggestions nearest;
	char text[40];

	suggest_init(&nearest, "abc.def", 7);
	suggest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "");
	suggest_offer(&nearest, "xyz", "far");
	suggest_offer(&nearest, "abcxyef", "one");
	suggest_offer(&nearest, "abc_deg", "two");
	suggest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "two or one");
	suggest_offer(&nearest, "ABC-DEF", "one");
	suggest_offer(&nearest, "abc.deg", "one");
	suggest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "one or two");
	suggest_offer(&nearest, "abcdef", "three");
	suggest_offer(&nearest, "abxxdef", "four");
	suggest_offer(&nearest, "some.abc.def.thing", "five");
	suggest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "one, two or three");
	suggest_list(&nearest, text, 8);
	ck_assert_str_eq(text, "one, tw");
}

/* ------------------------------------------------------------------ */
/* Threads                                                              */

static void *
find_all(void *data)
{
	const struct drmperf_event **found = data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spellings); i++) {
		const char *name = spellings[i].name;

		if (catalog_find(gfx0_catalog, name, strlen(name), &found[i],
				 NULL))
			found[i] = NULL;
	}
	return NULL;
}

TEST(one, threads_find_the_same_events)
{
	enum {
		THREADS = 4
	};
	const struct drmperf_event *found[THREADS][ARRAY_SIZE(spellings)];
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		ck_assert(
			!pthread_create(&threads[i], NULL, find_all, found[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 1; i < THREADS; i++)
		ck_assert_mem_eq(found[0], found[i], sizeof(found[0]));
	for (i = 0; i < ARRAY_SIZE(spellings); i++)
		ck_assert_str_eq(found[0][i]->name, spellings[i].found);
}
TEST_ALSO(later, threads_find_the_same_events, 1);
