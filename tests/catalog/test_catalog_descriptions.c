/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Catalogs of odd descriptions: bad names, no events, very many.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "tests/catalog/gfx0.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const char *const bad_names[] = { "",	      "A B", "A,B",
					 "A:B",	      "A|B", "A@B",
					 "A\xc3\xa4", "A/B", "A[3]" };

TEST_CASE(all, NULL, NULL, "catalog_descriptions");

TEST_LOOP(all, illegal_names_are_refused, ARRAY_SIZE(bad_names))
{
	const struct description_event event = {
		.group = SQ, .name = bad_names[_i], .file = "bad.xml", .line = 5
	};
	struct description description;
	struct catalog *none = NULL;
	struct drmperf_error error;

	gfx0_fill(&description);
	ck_assert(!description_add_event(&description, &event));
	ck_assert_int_eq(catalog_create(&description, "amdgpu", NULL, NULL,
					&none, &error),
			 -EBADMSG);
	ck_assert_ptr_null(none);
	ck_assert_ptr_nonnull(strstr(error.cause, "bad.xml:5: \""));
	/* it is still the caller's */
	ck_assert_ptr_nonnull(description.arena);
	description_finish(&description);
}

/* Create that many names which differ in the case of their letters. */
static int
create_alike(size_t count, struct drmperf_error *error)
{
	struct description_event event = { .group = SQ, .file = "bad.xml" };
	struct catalog *many = NULL;
	struct description description;
	char names[100][12];
	int err;

	gfx0_fill(&description);
	for (size_t i = 0; i < count; i++) {
		strcpy(names[i], "abcdefghijk");
		for (unsigned bit = 0; bit < 7; bit++)
			names[i][bit] ^= (char)((i >> bit & 1) << 5);
		event.name = names[i];
		ck_assert(!description_add_event(&description, &event));
	}
	err = catalog_create(&description, "amdgpu", NULL, NULL, &many, error);
	if (err)
		description_finish(&description);
	else
		catalog_destroy(many);
	return err;
}

TEST(all, too_many_names_alike_are_refused)
{
	struct drmperf_error error;

	ck_assert(!create_alike(64, &error));
	ck_assert_int_eq(create_alike(65, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause,
				     "more than 64 events have names that ROCm "
				     "would spell like"));
}

TEST(all, a_catalog_may_be_empty)
{
	struct description description;
	const struct drmperf_event *event;
	struct catalog *empty = NULL;

	ck_assert(!description_init(&description));
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &empty,
				  NULL));
	ck_assert_uint_eq(catalog_list(empty)->count, 0);
	ck_assert_int_eq(catalog_find(empty, "SQ.WAVES", 8, &event, NULL),
			 -ENOENT);
	catalog_destroy(empty);
}

/* More events than any table has, all found, each by two names. */
TEST(all, a_large_catalog_finds_all_events)
{
	const size_t count = 20000;
	struct description description;
	struct catalog *all;
	size_t i;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(&description, &gfx0_domains[GFX],
					  NULL));
	ck_assert(!description_add_group(&description, &gfx0_groups[SQ], NULL));
	for (i = 0; i < count; i++) {
		const struct description_event event = {
			.name = arena_printf(description.arena, "EVENT_%zu", i),
			.selector = (uint32_t)i,
		};

		ck_assert(!description_add_event(&description, &event));
	}
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &all,
				  NULL));
	ck_assert_uint_eq(catalog_list(all)->count, count);
	for (i = 0; i < count; i++) {
		const struct drmperf_event *event;
		char name[40];
		int n = snprintf(name, sizeof(name), "SQ%cEVENT_%zu",
				 i % 2 ? '.' : '_', i);

		ck_assert(!catalog_find(all, name, (size_t)n, &event, NULL));
		ck_assert_uint_eq(catalog_event_record(event)->selector, i);
	}
	catalog_destroy(all);
}

/* Metrics over other groups are of no metric set, wherever they stand. */
TEST(all, metrics_in_exclusive_domain)
{
	const struct description_group metrics = { .name = "metric" };
	const struct description_event event = { .name = "M",
						 .expression = "1" };
	struct description description;
	struct catalog *own;

	ck_assert(!description_init(&description));
	ck_assert(
		!description_add_domain(&description, &gfx0_domains[OA], NULL));
	ck_assert(!description_add_group(&description, &metrics, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(
		!catalog_create(&description, "i915", NULL, NULL, &own, NULL));
	ck_assert_uint_eq(catalog_list(own)->count, 1);
	ck_assert_uint_eq(own->description.group_count, 1);
	catalog_destroy(own);
}

/* A driver's own group goes before one that stands for others. */
TEST(all, group_named_like_domain)
{
	const struct description_group named = { .name = "oa" };
	const struct description_group other = { .name = "Render" };
	const struct description_event event = { .group = 1, .name = "Busy" };
	struct description description;
	struct catalog *own;

	ck_assert(!description_init(&description));
	ck_assert(
		!description_add_domain(&description, &gfx0_domains[OA], NULL));
	ck_assert(!description_add_group(&description, &named, NULL));
	ck_assert(!description_add_group(&description, &other, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(
		!catalog_create(&description, "i915", NULL, NULL, &own, NULL));
	ck_assert_uint_eq(own->description.group_count, 2);
	ck_assert_uint_eq(catalog_list(own)->count, 1);
	catalog_destroy(own);
}
