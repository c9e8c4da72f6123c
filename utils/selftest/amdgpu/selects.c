/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 3: while nothing counts, every select of every instance of a block is
 * given an event that its neighbours do not have, and all are read back. It
 * shows whether GRBM_GFX_INDEX reaches what the tables say, without any work.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/steering.h"
#include "selftest/amdgpu/sync.h"
#include "driver/amdgpu/quirks/quirks.h"

#define STATE_RESET 0u

/* Far from the next instance, so that neither is taken for the other. */
#define SLOT_STRIDE 37u

static uint32_t
event_mask(const struct block_slot *slot)
{
	return (1u << slot->id_bits) - 1;
}

static uint32_t
event_of(const struct block_slot *slot, unsigned instance, unsigned place)
{
	return 1 + (instance + place * SLOT_STRIDE) % (event_mask(slot) - 1);
}

static size_t
count_selects(const struct block *block)
{
	return (size_t)block->instance_count * block->max_active;
}

/*
 * Return whether a slot's register may be read: others are of the kind that can
 * hang.
 */
static bool
is_safe(const struct block_slot *slot)
{
	return pm4_in_uconfig(slot->select) &&
	       (slot->style == BLOCK_GENERIC || slot->style == BLOCK_RLC);
}

static bool
all_safe(const struct block *block)
{
	for (unsigned i = 0; i < block->instance_count; i++) {
		for (unsigned slot = 0; slot < block->max_active; slot++) {
			if (!is_safe(block_slot(block, block->instances[i].bank,
						slot)))
				return false;
		}
	}
	return true;
}

static void
write_all(struct pm4 *pm4, const struct core *core, const struct block *block)
{
	for (unsigned i = 0; i < block->instance_count; i++) {
		const struct block_instance *instance = &block->instances[i];

		if (block->apart)
			harness_set_index(pm4, core, BLOCK_BROADCAST);
		harness_set_index(pm4, core, instance->index);
		for (unsigned k = 0; k < block->max_active; k++) {
			const struct block_slot *slot =
				block_slot(block, instance->bank, k);

			harness_set(pm4, slot->select,
				    event_of(slot, i, k) | block->select_or);
		}
	}
}

static void
read_all(struct pm4 *pm4, const struct core *core, const struct block *block,
	 bool apart, uint64_t results)
{
	for (unsigned i = 0; i < block->instance_count; i++) {
		const struct block_instance *instance = &block->instances[i];

		if (apart)
			harness_set_index(pm4, core, BLOCK_BROADCAST);
		harness_set_index(pm4, core, instance->index);
		for (unsigned k = 0; k < block->max_active; k++) {
			pm4_copy_register(
				pm4,
				block_slot(block, instance->bank, k)->select,
				results);
			results += sizeof(uint32_t);
		}
	}
}

static void
clear_all(struct pm4 *pm4, const struct core *core, const struct block *block)
{
	for (unsigned i = 0; block->apart && i < block->instance_count; i++) {
		harness_set_index(pm4, core, block->instances[i].index);
		for (unsigned k = 0; k < block->max_active; k++)
			harness_set(
				pm4,
				block_slot(block, block->instances[i].bank, k)
					->select,
				0);
		harness_set_index(pm4, core, BLOCK_BROADCAST);
	}
	for (unsigned bank = 0; bank < block->banks; bank++) {
		for (unsigned k = 0; k < block->max_active; k++)
			harness_set(pm4, block_slot(block, bank, k)->select, 0);
	}
}

static void
write_block(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct block *block = data;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, STATE_RESET);
	pm4_counter_window(pm4, true);
	write_all(pm4, core, block);
	read_all(pm4, core, block, block->apart, results);
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	clear_all(pm4, core, block);
}

/*
 * Write all instances at once; then each by itself, read from one to the next.
 */
static void
write_together(struct pm4 *pm4, const struct core *core, uint64_t results,
	       const void *data)
{
	const struct block *block = data;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, STATE_RESET);
	for (unsigned k = 0; k < block->max_active; k++) {
		const struct block_slot *slot = block_slot(block, 0, k);

		harness_set(pm4, slot->select,
			    event_of(slot, 0, k) | block->select_or);
	}
	pm4_counter_window(pm4, true);
	read_all(pm4, core, block, true, results);
	write_all(pm4, core, block);
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	read_all(pm4, core, block, false,
		 results + count_selects(block) * sizeof(uint32_t));
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	clear_all(pm4, core, block);
}

/* Count those that are as write_together() has written them. */
static unsigned
count_same(const struct block *block, const uint32_t *values)
{
	const size_t count = count_selects(block);
	unsigned same = 0;

	for (unsigned i = 0; i < 2 * count; i++) {
		unsigned instance =
			i < count ? 0
				  : (i - (unsigned)count) / block->max_active;
		unsigned k = i % block->max_active;
		const struct block_slot *slot = block_slot(block, 0, k);

		same += (values[i] & event_mask(slot)) ==
			event_of(slot, instance, k);
	}
	return same;
}

/* ------------------------------------------------------------------ */

/*
 * Return whether what was read from a slot of an instance is what was written
 * there.
 */
static bool
is_as_written(const struct block *block, unsigned instance, unsigned place,
	      const uint32_t *values)
{
	const struct block_slot *slot =
		block_slot(block, block->instances[instance].bank, place);
	uint32_t value = values[instance * block->max_active + place];

	return (value & event_mask(slot)) == event_of(slot, instance, place);
}

/*
 * Return whether the instance's compute unit is fused off, which on GPUs of
 * several dies only its selects show.
 */
static bool
is_fused_off(const struct harness *harness, const struct block *block,
	     unsigned instance, const uint32_t *values)
{
	const char *rule = element_attribute(block->element, "instances");

	if (!harness->gpu->topology.all_cus || strcmp(rule, "cu-per-sa"))
		return false;
	for (unsigned k = 0; k < block->max_active; k++) {
		if (is_as_written(block, instance, k, values))
			return false;
	}
	return true;
}

static bool
selects_judge(const struct harness *harness,
	      const struct experiment *experiment, const uint32_t *values)
{
	const struct block *block = experiment->data;
	char first[128] = "", there[64] = "";
	unsigned same = 0, absent = 0;
	bool right;

	for (unsigned i = 0; i < experiment->results; i++) {
		unsigned instance = i / block->max_active;
		unsigned k = i % block->max_active;
		const struct block_slot *slot =
			block_slot(block, block->instances[instance].bank, k);
		uint32_t event = event_of(slot, instance, k);

		if (is_fused_off(harness, block, instance, values))
			absent += k == 0;
		else if (is_as_written(block, instance, k, values))
			same++;
		else if (!*first)
			snprintf(first, sizeof(first),
				 "; %s, counter %u: wrote %" PRIu32
				 ", read 0x%" PRIx32,
				 block->instance_names
					 ? block->instance_names[instance]
					 : "the only one",
				 k, event, values[i]);
	}
	right = absent < block->instance_count &&
		same == experiment->results - absent * block->max_active;
	if (absent)
		snprintf(there, sizeof(there),
			 " in %u instances: %u are fused off",
			 block->instance_count - absent, absent);
	harness_check(harness, right ? SELFTEST_PASS : SELFTEST_FAIL,
		      experiment->check, experiment->expected, "%u%s%s", same,
		      there, first);
	return right;
}

static int
try_block(struct harness *harness, enum pm4_engine engine,
	  const struct block *block, bool *right)
{
	char name[HARNESS_NAME_SIZE], word[40], expected[64], what[80];
	const struct experiment experiment = {
		.check = name,
		.expected = expected,
		.what = what,
		.engine = engine,
		.source = harness->gpu->core.commands.source,
		.write = write_block,
		.data = block,
		.results = count_selects(block),
	};
	uint32_t *values;
	int ret;

	snprintf(word, sizeof(word), "selects.%s", block->name);
	harness_name(name, engine, word);
	snprintf(expected, sizeof(expected), "%zu in %u instances as written",
		 experiment.results, block->instance_count);
	snprintf(what, sizeof(what), "%s: %zu selects written and read",
		 block->name, experiment.results);
	values = calloc(experiment.results, sizeof(*values));
	if (!values)
		return error_set(harness->error, -ENOMEM, "no memory");
	ret = harness_run(harness, &experiment, values);
	if (ret)
		*right = false;
	else
		*right = selects_judge(harness, &experiment, values) && *right;
	free(values);
	return ret;
}

/*
 * Write to all instances at once of a block that the library programs instance
 * by instance.
 */
static int
try_together(struct harness *harness, const struct block *block)
{
	char name[HARNESS_NAME_SIZE], expected[64];
	const struct experiment experiment = {
		.check = name,
		.expected = expected,
		.what = "selects written to all instances at once",
		.engine = harness->gpu->core.commands.samples,
		.source = harness->gpu->core.commands.source,
		.write = write_together,
		.data = block,
		.results = 2 * count_selects(block),
	};
	uint32_t *values;
	unsigned same = 0;
	int ret;

	snprintf(name, sizeof(name), QUIRK_TOGETHER "%s", block->name);
	snprintf(expected, sizeof(expected), "%zu in %u instances as written",
		 experiment.results, block->instance_count);
	values = calloc(experiment.results, sizeof(*values));
	if (!values)
		return error_set(harness->error, -ENOMEM, "no memory");
	ret = harness_run(harness, &experiment, values);
	if (!ret)
		same = count_same(block, values);
	free(values);
	if (!ret)
		harness_check(harness,
			      harness_answer(same == experiment.results), name,
			      expected, "%u", same);
	return ret;
}

static int
try_all_together(struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < core->block_count; i++)
		if (core->blocks[i].apart && all_safe(&core->blocks[i]))
			ret = try_together(harness, &core->blocks[i]);
	return ret;
}

int
stage_selects(struct harness *harness)
{
	const struct amd_device_info *info = amd_context_info(harness->ctx);
	const struct core *core = &harness->gpu->core;
	bool right = true;
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < core->block_count * PM4_ENGINES;
	     i++) {
		const struct block *block = &core->blocks[i / PM4_ENGINES];
		enum pm4_engine engine =
			i % PM4_ENGINES ? PM4_ENGINE_GFX : PM4_ENGINE_COMPUTE;
		char name[HARNESS_NAME_SIZE];

		if (info->has_ring[engine] && all_safe(block)) {
			ret = try_block(harness, engine, block, &right);
		} else if (engine == core->commands.samples) {
			snprintf(name, sizeof(name), "selects.%s", block->name);
			harness_check(harness, SELFTEST_UNKNOWN, name,
				      "selects as written",
				      "not tried: no driver is known to read "
				      "these registers back");
		}
	}
	if (ret < 0)
		return ret;
	harness->memory->addresses_work = right;
	harness_check(harness, right ? SELFTEST_PASS : SELFTEST_FAIL,
		      "addresses", "all that was tried as written", "%s",
		      right ? "so it was" : "it was not");
	ret = try_all_together(harness);
	if (ret >= 0)
		ret = sync_try(harness);
	if (ret >= 0)
		ret = steering_try_numbers(harness);
	if (ret >= 0)
		ret = steering_find_cus(harness);
	return ret < 0 ? ret : 0;
}
