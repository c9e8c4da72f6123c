/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of stage 4: results copied as 64 bits, as Mesa does it, and in halves,
 * as AMD PAL does. Upper halves are 0 for the first seconds, and would look
 * right however they came about. Two counters whose registers follow on each
 * other show more: 64 bits from the upper half of the one on have the lower
 * half of the other for their own upper half.
 */
#include "selftest/amdgpu/stages.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "driver/amdgpu/quirks/quirks.h"
#include "selftest/amdgpu/trial.h"

#define WAIT_NS UINT64_C(10000000)

/* A value of CP_PERFMON_CNTL */
#define STATE_LATCH (1u | 1u << 10)

/* Dwords of the results: halves in the order of the registers, and pairs. */
enum {
	HALVES,
	HALF_COUNT = 4,
	PAIRS = HALVES + HALF_COUNT,
	PAIR_COUNT = HALF_COUNT - 1,
	COPIES_DONE = PAIRS + 2 * PAIR_COUNT,
	COPIES
};

/* Registers of two slots that follow on each other. */
struct neighbours {
	size_t block;
	unsigned slots[2];
};

static bool
has_pair(const struct block_slot *slot)
{
	return slot->style == BLOCK_GENERIC &&
	       slot->high.byte == slot->low.byte + sizeof(uint32_t);
}

static bool
find_slots(const struct block *block, unsigned slots[2])
{
	const uint64_t fit = block_slots_for(block, block->clock_id);

	for (unsigned i = 0; i < block->max_active; i++)
		for (unsigned k = 0; k < block->max_active; k++) {
			const struct block_slot *a = block_slot(block, 0, i);
			const struct block_slot *b = block_slot(block, 0, k);

			if (!(fit >> i & fit >> k & 1) || !has_pair(a) ||
			    !has_pair(b) ||
			    b->low.byte != a->high.byte + sizeof(uint32_t))
				continue;
			slots[0] = i;
			slots[1] = k;
			return true;
		}
	return false;
}

/* Find them in a block that counts by itself, whatever shaders may do. */
static bool
find_neighbours(const struct core *core, struct neighbours *out)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		if (block->clock == BLOCK_CLOCK_NONE || block->graphics ||
		    block->windowed || block->halves ||
		    !find_slots(block, out->slots))
			continue;
		out->block = i;
		return true;
	}
	return false;
}

/*
 * Write the latch as the library does for what is no part of the graphics pipe.
 */
static void
write_latch(struct pm4 *pm4, const struct core *core)
{
	pm4_wait_idle(pm4);
	if (!core->commands.bit_only)
		pm4_event(pm4, PM4_PERFCOUNTER_SAMPLE);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, STATE_LATCH);
	pm4_wait_idle(pm4);
}

static void
write_copies(struct pm4 *pm4, const struct core *core, uint64_t results,
	     const void *data)
{
	const struct trial *trial = data;
	const struct commands_read *read = &trial->reads[0];
	const struct block *block = &core->blocks[read->block];
	const uint32_t first = block_slot(block, 0, read->slot)->low.byte;
	const uint32_t size = sizeof(uint32_t);

	write_latch(pm4, core);
	pm4_counter_window(pm4, true);
	harness_set_index(pm4, core, block->instances[0].index);
	for (uint32_t i = 0; i < HALF_COUNT; i++)
		pm4_copy_register(pm4,
				  (struct pm4_register){ first + i * size },
				  results + (HALVES + i) * size);
	for (uint32_t i = 0; i < PAIR_COUNT; i++) {
		pm4_copy_pair_early(pm4,
				    (struct pm4_register){ first + i * size },
				    results + (PAIRS + 2 * i) * size);
		pm4_confirm_copy(pm4);
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	pm4_store(pm4, 1, results + COPIES_DONE * size);
}

static void
check_copies(const struct trial *trial, const char *check, const uint32_t *seen)
{
	const uint32_t *halves = &seen[HALVES];
	const uint32_t *middle = &seen[PAIRS + 2];
	bool right = halves[2] != 0;

	for (unsigned i = 0; i < PAIR_COUNT; i++)
		right = right && !memcmp(&seen[PAIRS + 2 * i], &halves[i],
					 2 * sizeof(*halves));
	harness_check(trial->harness, harness_answer(right), check,
		      "64 bits are what two copies of 32 are",
		      "%s: 0x%" PRIx32 " and 0x%" PRIx32 ", of 0x%" PRIx32
		      " and 0x%" PRIx32,
		      trial_block(trial, 0), middle[0], middle[1], halves[1],
		      halves[2]);
}

static int
copy_both_ways(const struct trial *trial, const char *check,
	       enum pm4_engine engine)
{
	const struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = "results copied in halves, and at once",
		.engine = engine,
		.source = trial->commands.core->commands.source,
		.write = write_copies,
		.data = trial,
		.results = COPIES,
		.done = COPIES_DONE,
	};
	uint32_t seen[COPIES];
	int ret;

	harness_wait(WAIT_NS);
	ret = harness_run(trial->harness, &experiment, seen);
	if (!ret)
		check_copies(trial, check, seen);
	return ret;
}

static int
try_ring(struct harness *harness, const struct neighbours *found,
	 enum pm4_engine engine)
{
	const struct core *core = &harness->gpu->core;
	const uint32_t id = core->blocks[found->block].clock_id;
	char check[HARNESS_NAME_SIZE];
	struct trial trial;
	int ret = trial_init_empty(&trial, harness);

	if (ret)
		return ret;
	harness_name(check, engine, QUIRK_PAIRS);
	for (size_t i = 0; i < ARRAY_SIZE(found->slots); i++)
		trial_add(&trial, found->block, 0, found->slots[i], id);
	ret = trial_start(&trial, check, engine, true);
	if (!ret)
		ret = copy_both_ways(&trial, check, engine);
	ret = trial_stop(&trial, check, engine, true, ret);
	trial_finish(&trial);
	return ret;
}

int
copies_try(struct harness *harness)
{
	struct neighbours found;
	int ret = 0;

	if (!find_neighbours(&harness->gpu->core, &found))
		return 0;
	for (int i = 0; ret >= 0 && i < PM4_ENGINES; i++)
		if (amd_context_info(harness->ctx)->has_ring[i])
			ret = try_ring(harness, &found, (enum pm4_engine)i);
	return ret;
}
