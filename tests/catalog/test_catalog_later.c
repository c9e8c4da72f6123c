/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups whose events are described when they are needed.
 */
#include <errno.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "tests/catalog/gfx0.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

/*
 * Check what is described: every letter is a group: s SQ, t TCC, a TA, m
 * metric, r RAW, n, c.
 */
static void
check_described(const char *which)
{
	static const char letters[] = "stamrnc";
	char described[ARRAY_SIZE(gfx0_groups) + 1] = "";
	size_t i, count = 0;

	for (i = 0; i < ARRAY_SIZE(gfx0_groups); i++) {
		ck_assert_uint_le(gfx0_later.calls[i], 1);
		if (gfx0_later.calls[i])
			described[count++] = letters[i];
	}
	ck_assert_str_eq(described, which);
}

static const struct {
	const char *name;
	const char *found; /* which groups are described to find it */
	const char *resolved; /* and to know what it is made of */
} needs[] = {
	{ "SQ.WAVES", "s", "s" },
	{ "SQ.PerWave", "s", "s" },
	{ "metric.Mixed", "m", "tam" },
	{ "metric.Constant", "m", "m" },
	{ "metric.Occupancy", "m", "sm" },
	{ "Render.GpuBusy", "n", "rn" },
	{ "Render.Own", "n", "n" },
	{ "oa.GpuBusy", "rnc", "rnc" },
	/* what a spelling can mean, only all of them tell */
	{ "SQ_WAVES", "stamrnc", "stamrnc" },
	{ "L2_MISS", "stamrnc", "stamrnc" },
	{ "Mixed", "stamrnc", "stamrnc" },
	{ "metric.L2CacheHit", "m", "stamrnc" }, /* says TCC_MISS */
};

TEST_CASE(later, gfx0_set_up_later, gfx0_clean_up, "catalog_later");

TEST_LOOP(later, only_what_is_needed, ARRAY_SIZE(needs))
{
	const struct drmperf_event *event;
	const struct catalog_value *value;

	check_described("");
	event = gfx0_find(needs[_i].name);
	check_described(needs[_i].found);
	ck_assert(!catalog_resolve(event, &value, NULL));
	check_described(needs[_i].resolved);
	ck_assert_ptr_eq(gfx0_find(needs[_i].name), event);
	check_described(needs[_i].resolved);
	ck_assert(catalog_list(gfx0_catalog));
	check_described("stamrnc");
	ck_assert_ptr_eq(gfx0_find(needs[_i].name), event);
	ck_assert_uint_eq(gfx0_later.warnings, 0);
}

TEST(later, one_group_is_filled_alone)
{
	ck_assert(!catalog_fill(&gfx0_catalog->groups[TCC], NULL));
	ck_assert_uint_eq(gfx0_catalog->groups[TCC].listed, 3);
	ck_assert(!catalog_fill(&gfx0_catalog->groups[TCC], NULL));
	check_described("t");
}

/* In whatever order groups are described, the list is the same. */
TEST_LOOP(later, the_list_is_the_same_in_any_order, 5)
{
	static const char *const before[] = { "Compute.GpuBusy", "oa.Own",
					      "TA.MINE", "SQ.OLD" };
	struct catalog *own, *const latecomer = gfx0_catalog;
	const struct catalog_list *ours, *theirs;
	size_t i;

	gfx0_set_up();
	own = gfx0_catalog;
	gfx0_catalog = latecomer;
	for (i = (size_t)_i; i < ARRAY_SIZE(before); i++)
		gfx0_find(before[i]);
	ours = catalog_list(own);
	theirs = catalog_list(gfx0_catalog);
	ck_assert_uint_eq(ours->count, theirs->count);
	for (i = 0; i < ours->count; i++) {
		const struct drmperf_event *a = ours->events[i];
		const struct drmperf_event *b = theirs->events[i];

		ck_assert_str_eq(a->name, b->name);
		ck_assert_mem_eq(catalog_event_record(a),
				 catalog_event_record(b),
				 sizeof(struct description_event));
	}
	catalog_destroy(own);
}

static void
check_failure(const char *name)
{
	const struct drmperf_event *event = NULL;
	struct drmperf_error error = { .code = 0 };

	ck_assert_int_eq(
		catalog_find(gfx0_catalog, name, strlen(name), &event, &error),
		gfx0_later.err);
	ck_assert_int_eq(error.code, gfx0_later.err);
	ck_assert_str_eq(error.cause, "t.xml:7: <event> is bad");
	ck_assert_ptr_null(event);
}

/* The others can be used, and every time it is said what is wrong. */
TEST(later, a_malformed_group_leaves_the_others)
{
	const struct catalog_value *value;
	const struct catalog_list *list;
	struct drmperf_error error;
	size_t i;

	gfx0_later.err = -EBADMSG;
	check_failure("SQ.WAVES");
	check_failure("SQ.WAWES");
	gfx0_find("TCC.HIT");
	ck_assert_int_eq(catalog_fill(&gfx0_catalog->groups[SQ], &error),
			 -EBADMSG);
	ck_assert_int_eq(
		catalog_resolve(gfx0_find("metric.Unlike"), &value, &error),
		-EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause, "t.xml:7: <event> is bad"));
	ck_assert_uint_eq(gfx0_later.warnings, 0);
	list = catalog_list(gfx0_catalog);
	ck_assert_uint_eq(gfx0_later.warnings, 1);
	ck_assert_str_eq(
		gfx0_later.warning,
		"t.xml:7: <event> is bad; the events of SQ are left out");
	ck_assert_uint_gt(list->count, 0);
	for (i = 0; i < list->count; i++)
		ck_assert_ptr_ne(list->events[i]->group,
				 &gfx0_catalog->groups[SQ]);
	ck_assert_ptr_eq(catalog_list(gfx0_catalog), list);
	ck_assert_uint_eq(gfx0_later.warnings, 1);
	gfx0_find("TCC_HIT");
	check_described("stamrnc");
}

/* Memory may be there again the next time. */
TEST(later, short_memory_may_pass)
{
	gfx0_later.err = -ENOMEM;
	check_failure("SQ.WAVES");
	ck_assert_ptr_null(catalog_list(gfx0_catalog));
	gfx0_later.err = 0;
	gfx0_find("SQ.WAVES");
	ck_assert_ptr_nonnull(catalog_list(gfx0_catalog));
	ck_assert_uint_eq(gfx0_later.calls[SQ], 3);
	ck_assert_uint_eq(gfx0_later.calls[TCC], 1);
	ck_assert_uint_eq(gfx0_later.warnings, 0);
}

/* What was described at once stays where a later group has its name. */
TEST(later, two_groups_of_one_name)
{
	struct description_group group = gfx0_groups[SQ];
	const struct description_event event = { .group = 1,
						 .name = "WAVES",
						 .selector = 99 };
	struct description description;
	struct catalog *own;
	const struct drmperf_event *found;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(
		&description, &gfx0_catalog->description.domains[GFX], NULL));
	group.describe = gfx0_describe;
	ck_assert(!description_add_group(&description, &group, NULL));
	group.describe = NULL;
	ck_assert(!description_add_group(&description, &group, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &own,
				  NULL));
	ck_assert(!catalog_find(own, "SQ.WAVES", 8, &found, NULL));
	ck_assert_uint_eq(catalog_event_record(found)->selector, 99);
	ck_assert(!catalog_find(own, "SQ.LEVEL_WAVES", 14, &found, NULL));
	ck_assert_uint_eq(catalog_list(own)->count, 9);
	catalog_destroy(own);
}
