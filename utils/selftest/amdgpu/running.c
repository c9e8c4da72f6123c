/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/running.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "selftest/amdgpu/trial.h"

/* Bit of RSLT_CNTL */
#define ENABLE_ANY (1u << 24)

#define WAIT_NS UINT64_C(2000000)
/* Events that are tried, if none moves. */
#define MOST_EVENTS 16u
/* More than can be counted between two reads. */
#define FAR_APART (1u << 20)

enum {
	RUNNING,
	STOPPED,
	READ_DONE,
	READS
};

/* Read the low halves in the first instance, which counts on afterwards. */
static void
write_reads(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct trial *trial = data;
	const struct commands_read *read = &trial->reads[0];
	const struct block *block = &core->blocks[read->block];
	const struct block_slot *slot = block_slot(block, 0, read->slot);

	harness_set_index(pm4, core, block->instances[0].index);
	harness_set(pm4, block->result_control, slot->place | ENABLE_ANY);
	pm4_copy_register(pm4, slot->low, results + RUNNING * sizeof(uint32_t));
	harness_set(pm4, block->result_control, slot->place);
	pm4_copy_register(pm4, slot->low, results + STOPPED * sizeof(uint32_t));
	harness_set(pm4, block->result_control, ENABLE_ANY);
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_store(pm4, 1, results + READ_DONE * sizeof(uint32_t));
}

/* Return 1: its event has not moved. */
static int
trial_judge(const struct trial *trial, const char *check, const uint32_t *seen)
{
	bool right = seen[STOPPED] - seen[RUNNING] < FAR_APART;

	if (!seen[RUNNING] && !seen[STOPPED])
		return 1;
	harness_check(
		trial->harness, harness_answer(right), check,
		"it shows the same while it counts and while it is stopped",
		"%s: 0x%" PRIx32 ", then 0x%" PRIx32, trial->events[0],
		seen[RUNNING], seen[STOPPED]);
	return 0;
}

static int
read_both(const struct trial *trial, const char *check)
{
	const struct core *core = trial->commands.core;
	const struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = "read while it counts, and stopped",
		.engine = core->commands.samples,
		.source = core->commands.source,
		.write = write_reads,
		.data = trial,
		.results = READS,
		.done = READ_DONE,
	};
	uint32_t seen[READS];
	int ret;

	harness_wait(WAIT_NS);
	ret = harness_run(trial->harness, &experiment, seen);
	return ret ? ret : trial_judge(trial, check, seen);
}

/* Try the event. Returns what trial_judge() does. */
static int
try_event(struct harness *harness, const struct block *block, const char *event,
	  const char *check)
{
	enum pm4_engine engine = harness->gpu->core.commands.samples;
	struct trial trial;
	int ret = trial_init_event(&trial, harness, block->name, event);

	if (ret)
		return ret == -ENOENT ? 1 : ret;
	ret = trial_start(&trial, check, engine, true);
	if (!ret)
		ret = read_both(&trial, check);
	ret = trial_stop(&trial, check, engine, true, ret);
	trial_finish(&trial);
	return ret;
}

int
running_try_block(struct harness *harness, size_t index)
{
	const struct core *core = &harness->gpu->core;
	const struct block *block = &core->blocks[index];
	char check[HARNESS_NAME_SIZE];
	unsigned tried = 0;
	int ret = 1;

	if (block_slot(block, 0, 0)->style != BLOCK_CFG)
		return 0;
	snprintf(check, sizeof(check), "running.%s", block->name);
	for (uint32_t id = 1;
	     ret > 0 && tried < MOST_EVENTS && id >> block->id_bits == 0;
	     id++) {
		const char *event =
			core_event_name(core, index, id, harness->arena);

		if (!event)
			continue;
		tried++;
		ret = try_event(harness, block, event, check);
	}
	if (ret > 0)
		harness_check(harness, SELFTEST_UNKNOWN, check,
			      "it can be read while it counts",
			      "none of %u events moved", tried);
	return ret;
}

int
running_try(struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < core->block_count; i++)
		ret = running_try_block(harness, i);
	return ret;
}
