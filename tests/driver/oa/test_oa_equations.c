/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our expressions against libi915_perf's compiled functions, on raw values by
 * chance: integers are equal, doubles within rounding.
 *
 * Differences that are meant: where the library's unsigned difference wraps
 * below zero, ours is 0; its rates in GB/s are ours in B/s; it drops the
 * fraction of events per EU in shares of all EUs' clocks, ours keep it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "catalog/find.h"
#include "catalog/resolve.h"
#include "expr/program.h"
#include "table/rows.h"
#include "tests/support/check.h"
#include "tests/driver/i915/peer.h"
#include "tests/driver/i915/table.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define STEPPING 4
#define ROUNDS 8

/*
 * Make counters of up to that many bits. Time stays below what the library's
 * 64-bit product of nanoseconds can hold.
 */
static void
make_values(unsigned round, uint64_t *seed, uint64_t values[OA_SLOT_COUNT])
{
	static const unsigned bits[ROUNDS] = { 1, 4, 10, 16, 20, 22, 24, 24 };
	const uint64_t mask = (UINT64_C(1) << bits[round]) - 1;

	for (unsigned i = 0; i < OA_SLOT_COUNT; i++)
		values[i] = random_next(seed) & mask;
	if (round) {
		values[OA_SLOT_TIME] = random_next(seed) & 0xfffffff;
		values[OA_SLOT_CLOCK] = random_next(seed) & 0xfffffff;
	}
}

static union drmperf_value
evaluate_event(const struct drmperf_event *event,
	       const uint64_t values[OA_SLOT_COUNT])
{
	struct drmperf_error error = { .cause = "" };
	struct expr_input inputs[OA_SLOT_COUNT];
	const struct catalog_value *value;

	ck_assert_msg(!catalog_resolve(event, &value, &error), "%s: %s",
		      event->name, error.cause);
	ck_assert_ptr_nonnull(value->program);
	ck_assert_uint_le(value->counter_count, OA_SLOT_COUNT);
	for (size_t i = 0; i < value->counter_count; i++) {
		ck_assert_uint_lt(value->counters[i].selector, OA_SLOT_COUNT);
		inputs[i].values = &values[value->counters[i].selector];
		inputs[i].count = 1;
	}
	return expr_eval(value->program, inputs);
}

static void
compare_u64(const struct drmperf_event *event, uint64_t ours, uint64_t theirs)
{
	/* their difference was below zero */
	if (ours != theirs && theirs >> 60)
		theirs = 0;
	ck_assert_msg(ours == theirs, "%s: %llu, not %llu", event->name,
		      (unsigned long long)ours, (unsigned long long)theirs);
}

static bool
is_equal(double ours, double theirs)
{
	return fabs(ours - theirs) <= 1e-12 * fabs(theirs) + 1e-300;
}

/*
 * Compare values, where theirs is whole had they not dropped a fraction;
 * returns whether it matters.
 */
static bool
compare_f64(const struct drmperf_event *event, double ours, double theirs,
	    double whole)
{
	if (ours == 0 && theirs > 1e9)
		theirs = 0;
	/* what they divide by 0 is 0, ours is n/a */
	if (isnan(ours) && theirs == 0)
		return false;
	if (is_equal(ours, theirs))
		return false;
	ck_assert_msg(drmperf_event_unit(event) == DRMPERF_UNIT_PERCENT &&
			      is_equal(ours, whole),
		      "%s: %.17g, not %.17g or %.17g", event->name, ours,
		      theirs, whole);
	return true;
}

static const struct drmperf_event *
find_event(struct catalog *catalog, const char *set, const char *counter)
{
	const struct drmperf_event *event;
	struct drmperf_error error;
	char name[256];

	snprintf(name, sizeof(name), "%s.%s", set, counter);
	if (catalog_find(catalog, name, strlen(name), &event, &error))
		return NULL;
	return event;
}

/* Returns whether ours keeps a fraction that theirs drops. */
static bool
compare_counter(const struct peer *peer, const struct peer_counter *counter,
		const struct i915_gpu *gpu, const struct drmperf_event *event,
		uint64_t *seed)
{
	uint64_t values[OA_SLOT_COUNT], deltas[PEER_DELTAS];
	union drmperf_value ours;
	bool is_finer = false;
	double theirs;

	for (unsigned round = 0; round < ROUNDS; round++) {
		make_values(round, seed, values);
		peer_deltas(counter->set, values, deltas);
		ours = evaluate_event(event, values);
		if (counter->storage == PEER_UINT64) {
			compare_u64(
				event, ours.u64,
				counter->read.u64(peer, counter->set, deltas));
			continue;
		}
		theirs = counter->read.f64(peer, counter->set, deltas);
		if (counter->unit == PEER_UNIT_GBPS)
			theirs *= 1e9;
		is_finer |= compare_f64(
			event, ours.f64, theirs,
			peer_whole_share(peer, counter, gpu, values));
	}
	return is_finer;
}

/* How many counters were compared, and of how many ours are finer. */
struct compared {
	unsigned all, finer;
};

static void
compare_set(struct i915_table *table, const struct peer *peer,
	    const struct peer_set *set, uint64_t *seed,
	    struct compared *compared)
{
	const char *platform = table->gpu.oa.platform.name;
	struct peer_counter counter;

	for (int i = 0; peer_counter_at(set, i, &counter); i++) {
		const struct drmperf_event *event = find_event(
			table->catalog, set->symbol, counter.symbol);
		bool is_double = counter.storage != PEER_UINT64;

		if (!peer_is_right(&table->gpu, set->symbol, counter.symbol))
			continue;
		ck_assert_msg(event, "%s: no %s.%s", platform, set->symbol,
			      counter.symbol);
		ck_assert_int_eq(catalog_event_record(event)->type ==
					 DRMPERF_TYPE_DOUBLE,
				 is_double);
		ck_assert_msg(strcasecmp(drmperf_event_description(event),
					 counter.description),
			      "%s: a description of somebody else's",
			      event->name);
		compared->finer += compare_counter(peer, &counter, &table->gpu,
						   event, seed);
		compared->all++;
	}
}

TEST_CASE(all, NULL, NULL, "oa_equations");

TEST_LOOP(all, equations_agree_with_the_peers, i915_shape_count)
{
	const struct i915_shape *shape = &i915_shapes[_i];
	const struct peer_set *set = NULL;
	struct i915_table table;
	struct peer *peer;
	uint64_t seed = 4711;
	struct compared compared = { 0 };
	unsigned older = 0;

	i915_table_open(&table, shape, STEPPING);
	peer = peer_open_shape(shape, &table.gpu);
	if (peer) {
		while ((set = peer_set_next(peer, set)))
			if (peer_set_is_ours(set, &table.gpu))
				compare_set(&table, peer, set, &seed,
					    &compared);
			else
				older++;
		ck_assert_uint_eq(older,
				  peer_differences(shape->platform).older);
		/* every platform has shares of all EUs' clocks */
		ck_assert(compared.finer || !compared.all);
		printf("%s: %u counters compared, %u of them finer, %u sets of "
		       "ours are newer\n",
		       shape->platform, compared.all, compared.finer,
		       peer_differences(shape->platform).newer);
	} else {
		printf("skip oa_equations %s: %s\n", shape->platform,
		       peer_is_installed()
			       ? "libi915_perf does not know it"
			       : "libi915_perf (intel-gpu-tools) is not there");
	}
	fflush(stdout);
	peer_close(peer);
	i915_table_close(&table);
}

/* No platform of the tables is left out above. */
TEST(all, every_platform_is_compared)
{
	struct drmperf_error error = { .cause = "" };
	const struct element *element;
	struct table *table;
	char path[4200];

	snprintf(path, sizeof(path), "%s/i915/platforms.xml",
		 i915_table_folder());
	ck_assert_msg(!table_read(path, &table, &error) &&
			      !table_expand(table, &error),
		      "%s", error.cause);
	for (element = element_named(table->root->child, "platform"); element;
	     element = element_named(element->next, "platform")) {
		const char *name = element_attribute(element, "name");

		ck_assert_msg(i915_shape_find(name), "no shape of %s", name);
	}
	table_destroy(table);
}
