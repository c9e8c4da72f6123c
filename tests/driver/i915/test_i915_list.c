/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What we list for a GPU is what libi915_perf lists for it, set by set and
 * counter by counter, for chips of each platform, whole and with parts fused
 * off, and for each stepping.
 *
 * One difference is meant: where none of a set's NOA lists is for the stepping,
 * the library lists the set all the same, and its B and C counters then count
 * whatever the last set had routed to them. We do not list it.
 */
#include <stdio.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "tests/support/check.h"
#include "tests/driver/i915/peer.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

#define STEPPINGS 8 /* conditions speak of 0 to 5 */

/*
 * Return whether the library lists all. It leaves its slices of DG2 and later
 * empty: see peer_is_right().
 */
static bool
lists_all(const struct i915_table *table)
{
	return !table->gpu.oa.platform.shape.xecores_per_slice;
}

static const struct metric_set *
find_set(const struct i915_table *table, const char *name)
{
	for (size_t i = 0; i < table->gpu.oa.sets.count; i++) {
		if (!strcmp(table->gpu.oa.sets.sets[i].name, name))
			return &table->gpu.oa.sets.sets[i];
	}
	return NULL;
}

static bool
lists_event(const struct i915_table *table, const char *set,
	    const char *counter)
{
	const struct drmperf_event *event;
	struct drmperf_error error;
	char name[256];

	snprintf(name, sizeof(name), "%s.%s", set, counter);
	return !catalog_find(table->catalog, name, strlen(name), &event,
			     &error);
}

static bool
peer_has(const struct peer *peer, const char *set_name, const char *name)
{
	const struct peer_set *set = peer_set_find(peer, set_name);
	struct peer_counter counter;

	return set && peer_counter_find(set, name, &counter);
}

/* Return whether the library's set of this name is an older one, or none. */
static bool
is_newer(struct i915_table *table, const struct peer *peer, const char *name)
{
	const struct peer_set *set = peer_set_find(peer, name);

	return !set || !peer_set_is_ours(set, &table->gpu);
}

/*
 * Check that every listed event of a set, but the age of reports, is in the
 * library too.
 */
static void
check_nothing_more(struct i915_table *table, const struct peer *peer)
{
	const struct catalog_list *list = catalog_list(table->catalog);

	for (size_t i = 0; i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];
		const char *set = drmperf_group_name(event->group);
		const char *name = catalog_event_record(event)->name;

		if (!strcmp(set, "oa") || !strcmp(name, "ReportAge") ||
		    is_newer(table, peer, set) ||
		    !peer_is_right(&table->gpu, set, name))
			continue;
		ck_assert_msg(peer_has(peer, set, name),
			      "%s: the library has no %s.%s",
			      table->gpu.oa.platform.name, set, name);
	}
}

/* Return whether a set has NOA lists for other steppings of this chip. */
static bool
is_routed(const struct i915_shape *shape, const struct i915_table *table,
	  const char *name)
{
	struct i915_gpu gpu = table->gpu;
	bool routed = false;

	for (gpu.revision = 0; gpu.revision < STEPPINGS; gpu.revision++) {
		struct peer *peer = peer_open_shape(shape, &gpu);

		routed = routed || peer_set_find(peer, name)->mux_count;
		peer_close(peer);
	}
	return routed;
}

/* Returns the number of sets left out. */
static unsigned
check_nothing_less(const struct i915_shape *shape, struct i915_table *table,
		   const struct peer *peer)
{
	const struct peer_set *set = NULL;
	unsigned left_out = 0, older = 0;
	struct peer_counter counter;

	while ((set = peer_set_next(peer, set))) {
		if (!peer_set_is_ours(set, &table->gpu)) {
			older++;
			continue;
		}
		if (!set->mux_count && is_routed(shape, table, set->symbol)) {
			ck_assert_msg(!find_set(table, set->symbol),
				      "%s: stepping %d of %s has no NOA list",
				      set->symbol, table->gpu.revision,
				      shape->platform);
			left_out++;
			continue;
		}
		for (int i = 0; peer_counter_at(set, i, &counter); i++) {
			const char *name = counter.symbol;

			if (!peer_is_right(&table->gpu, set->symbol, name))
				continue;
			ck_assert_msg(lists_event(table, set->symbol, name),
				      "%s, stepping %d: no %s.%s",
				      shape->platform, table->gpu.revision,
				      set->symbol, name);
		}
	}
	ck_assert_uint_eq(older, peer_differences(shape->platform).older);
	return left_out;
}

/* Returns the number of sets left out. */
static unsigned
compare_lists(const struct i915_shape *shape, int stepping)
{
	struct i915_table table;
	struct peer *peer;
	unsigned left_out;

	i915_table_open(&table, shape, stepping);
	peer = peer_open_shape(shape, &table.gpu);
	ck_assert_ptr_nonnull(peer);
	left_out = check_nothing_less(shape, &table, peer);
	if (lists_all(&table))
		check_nothing_more(&table, peer);
	peer_close(peer);
	i915_table_close(&table);
	return left_out;
}

/* Says so if the library does not know the platform. */
static bool
is_known(const struct i915_shape *shape)
{
	struct i915_table table;
	struct peer *peer;

	i915_table_open(&table, shape, 0);
	peer = peer_open_shape(shape, &table.gpu);
	if (!peer) {
		printf("skip i915_list %s: %s\n", shape->platform,
		       peer_is_installed()
			       ? "libi915_perf does not know it"
			       : "libi915_perf (intel-gpu-tools) is not there");
		fflush(stdout);
	}
	peer_close(peer);
	i915_table_close(&table);
	return peer;
}

/* How many times a set is left out, over all steppings. */
static const struct {
	const char *platform;
	unsigned times;
} left_out[] = {
	/* RenderBasic of steppings 0 and 1 */
	{ "sklgt2", 2 },
	/* RenderBasic of steppings 0 to 2 */
	{ "bxt", 3 },
};

/*
 * Return the steppings of a shape: no condition of the large tables, those of
 * DG2, asks for them.
 */
static int
steppings_of(const struct i915_shape *shape)
{
	return strncmp(shape->platform, "acm", 3) ? STEPPINGS : 1;
}

TEST_CASE(all, NULL, NULL, "i915_list");

TEST_LOOP(all, lists_agree_with_the_peers, i915_shape_count)
{
	const struct i915_shape *shape = &i915_shapes[_i];
	unsigned times = 0, expected = 0;

	if (!is_known(shape))
		return;
	for (int stepping = 0; stepping < steppings_of(shape); stepping++)
		times += compare_lists(shape, stepping);
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		if (!strcmp(left_out[i].platform, shape->platform))
			expected = left_out[i].times;
	}
	ck_assert_uint_eq(times, expected);
}

/* Chips of which one slice or subslice is fused off. */
static const struct i915_shape harvested[] = {
	{ "bdw", 0x1626, 1, 3, 8, 0 },	   { "bdw", 0x1626, 2, 2, 8, 0 },
	{ "chv", 0x22b0, 1, 1, 8, 0 },	   { "sklgt2", 0x1912, 1, 2, 8, 0 },
	{ "sklgt3", 0x1926, 1, 3, 8, 0 },  { "sklgt4", 0x193b, 2, 3, 8, 0 },
	{ "bxt", 0x5a84, 1, 2, 6, 0 },	   { "bxt", 0x5a84, 1, 2, 6, 1 },
	{ "glk", 0x3184, 1, 2, 6, 0 },	   { "cnl", 0x5a52, 2, 3, 8, 0 },
	{ "icl", 0x8a52, 1, 4, 8, 0 },	   { "icl", 0x8a52, 1, 4, 8, 4 },
	{ "tglgt2", 0x9a49, 1, 5, 16, 0 }, { "tglgt2", 0x9a49, 1, 5, 16, 1 },
	{ "adl", 0x46a6, 1, 5, 16, 0 },	   { "adl", 0x46a6, 1, 3, 16, 3 },
};

TEST_LOOP(all, lists_agree_on_what_is_fused_off, ARRAY_SIZE(harvested))
{
	if (is_known(&harvested[_i]))
		compare_lists(&harvested[_i], 4);
}
