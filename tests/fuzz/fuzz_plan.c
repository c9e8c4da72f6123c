/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packing problems of any shape, against brute force: each byte is the next
 * number that the problem needs, 0 where there are no more. A plan has passes
 * that are possible, as few as can be, and says so.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/pack/pack.h"
#include "tests/plan/pack/reference.h"
#include "tests/plan/pack/checker.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small enough for brute force to be quick. */
#define MOST_POOLS 4
#define MOST_SLOTS 8
#define MOST_COUNTERS 12
#define MOST_ITEMS 6
#define MOST_PARTS 8 /* of items that were cut */
#define MOST_ALTERNATIVES 3
#define MOST_DEMANDS 4
#define STEPS 2000000

struct bytes {
	const uint8_t *at, *end;
};

/* Take a number from 0 to most. */
static uint32_t
take_number(struct bytes *bytes, uint32_t most)
{
	return bytes->at < bytes->end ? *bytes->at++ % (most + 1) : 0;
}

/* Take a setting, or none. */
static uint32_t
take_setting(struct bytes *bytes, const struct pack_problem *out)
{
	uint32_t setting = take_number(bytes, out->setting_count);

	return setting < out->setting_count ? setting : PACK_NONE;
}

static void
add_pool(struct bytes *bytes, struct pack_problem *out)
{
	struct pack_pool pool = { .slots = take_number(bytes, MOST_SLOTS) };

	if (!pool.slots)
		pool.slots = PACK_UNLIMITED;
	pool.setting = take_setting(bytes, out);
	pool.value = take_number(bytes, 3);
	pack_problem_add_pool(out, &pool);
}

/* Add the counter before it, which no other one may follow. */
static uint32_t
take_before(struct bytes *bytes, const struct pack_problem *out, uint32_t pool)
{
	uint32_t before = take_number(bytes, 2 * MOST_COUNTERS);

	if (before >= out->counter_count || out->counters[before].pool != pool)
		return PACK_NONE;
	for (uint32_t i = 0; i < out->counter_count; i++)
		if (out->counters[i].after == before)
			return PACK_NONE;
	return before;
}

static void
add_counter(struct bytes *bytes, struct pack_problem *out)
{
	uint32_t pool = take_number(bytes, out->pool_count - 1);
	struct pack_counter counter = {
		.pool = pool,
		.slots = take_number(bytes, 255),
		.after = take_before(bytes, out, pool),
		.setting = take_setting(bytes, out),
		.value = take_number(bytes, 3),
	};

	if (!counter.slots)
		counter.slots = PACK_ANY_SLOT;
	pack_problem_add_counter(out, &counter);
}

static void
add_alternative(struct bytes *bytes, struct pack_problem *out)
{
	uint32_t count = 1 + take_number(bytes, MOST_DEMANDS - 1);

	while (count--) {
		uint32_t counter = take_number(bytes, out->counter_count - 1);

		for (; counter != PACK_NONE;
		     counter = out->counters[counter].after)
			pack_problem_add_demand(out, counter);
	}
	pack_problem_end_alternative(out);
}

static void
read_problem(struct bytes *bytes, struct pack_problem *out)
{
	uint32_t settings = take_number(bytes, 3);
	uint32_t pools = 1 + take_number(bytes, MOST_POOLS - 1);
	uint32_t counters = 1 + take_number(bytes, MOST_COUNTERS - 1);
	uint32_t items = 1 + take_number(bytes, MOST_ITEMS - 1);

	while (settings--)
		pack_problem_add_setting(out);
	while (pools--)
		add_pool(bytes, out);
	while (counters--)
		add_counter(bytes, out);
	while (items--) {
		uint32_t count = 1 + take_number(bytes, MOST_ALTERNATIVES - 1);

		while (count--)
			add_alternative(bytes, out);
		pack_problem_end_item(out);
	}
}

static void
compare_plan(const struct pack_problem *problem, const struct pack_plan *plan)
{
	struct pack_problem whole;
	char complaint[128];

	if (!checker_accepts(problem, plan, complaint, sizeof(complaint))) {
		fprintf(stderr, "%s\n", complaint);
		abort();
	}
	split_problem(problem, plan, &whole);
	assert(!whole.error);
	if (whole.item_count && whole.item_count <= MOST_PARTS) {
		uint32_t fewest = brute_fewest(&whole);

		assert(plan->pass_count == fewest);
		assert(plan->bound == fewest);
	}
	pack_problem_finish(&whole);
}

/*
 * Check that what fits is what trying everything says, and a refusal has a
 * reason.
 */
static void
ask_pack(struct pack *pack, const struct pack_problem *problem)
{
	uint32_t items[MOST_ITEMS], count = 0;
	struct pack_conflict conflict;

	for (uint32_t i = 0; i < problem->item_count; i++) {
		bool fits;

		items[count] = i;
		fits = checker_items_fit(problem, items, count + 1);
		assert(pack_fits(pack, items, count + 1, NULL) == fits);
		if (fits) {
			count++;
			continue;
		}
		assert(!pack_explain(pack, items, count, i, &conflict));
		assert(conflict.wanted > conflict.limit ||
		       conflict.cause != PACK_CAUSE_POOL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, data + size };
	struct pack_options options = { .steps = STEPS };
	struct pack_problem problem = { 0 };
	struct pack_plan *plan;
	struct pack *pack;

	options.split = take_number(&bytes, 1);
	read_problem(&bytes, &problem);
	assert(!problem.error);
	assert(!pack_create(&problem, &pack));
	ask_pack(pack, &problem);
	assert(!pack_plan_create(pack, &options, &plan));
	compare_plan(&problem, plan);
	pack_plan_destroy(plan);
	pack_destroy(pack);
	pack_problem_finish(&problem);
	return 0;
}
