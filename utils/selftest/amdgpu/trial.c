/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define WAIT_NS UINT64_C(10000000)

/* Bits of CP_PERFMON_CNTL */
#define STATE_COUNT 1u
#define STATE_LATCH (1u << 10)

/* Where a struct commands_shown lies, with room for reads of all instances. */
#define SHOWN                                                                  \
	(sizeof(struct commands_sample) +                                      \
	 TRIAL_READS_MAX * sizeof(struct commands_result))
#define INDICES (2 * (TRIAL_READS_MAX + TOPOLOGY_ENGINES + 2))

#define RESULTS                                                                \
	((SHOWN + sizeof(struct commands_shown)) / sizeof(uint32_t) + INDICES)

#define DONE (offsetof(struct commands_sample, done) / sizeof(uint32_t))

/* ------------------------------------------------------------------ */
/* Events to be counted                                                 */

/*
 * Events of a clock where the table names none: those of GRBM, and of the
 * graphics pipe, which idleness may stop.
 */
static const char *const clocks[] = { "COUNT", "CORE_SCLK_VLD",
				      "PAPC_PA_REG_SCLK_VLD" };

static const char *
find_clock(const struct harness *harness, size_t index, uint32_t *id)
{
	const struct core *core = &harness->gpu->core;
	const struct block *block = &core->blocks[index];

	if (block->clock != BLOCK_CLOCK_NONE) {
		*id = block->clock_id;
		return core_event_name(core, index, *id, harness->arena);
	}
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!core_event_id(core, index, clocks[i], harness->arena, id))
			return clocks[i];
	}
	return NULL;
}

void
trial_add(struct trial *trial, size_t index, unsigned instance, unsigned slot,
	  uint32_t id)
{
	const struct block *block = &trial->commands.core->blocks[index];
	unsigned at = (unsigned)trial->commands.read_count++;
	struct select_regs *selects =
		&trial->selects[block->first_instance + instance];

	selects->used |= UINT64_C(1) << slot;
	selects->ids[slot] = id;
	trial->commands.needs |= core_needs(block);
	trial->reads[at] = (struct commands_read){ .block = (uint32_t)index,
						   .instance = instance,
						   .slot = slot,
						   .result = at };
}

static void
add_read(struct trial *trial, size_t index, unsigned instance,
	 const char *event, uint32_t id)
{
	const struct block *block = &trial->commands.core->blocks[index];
	size_t at = trial->commands.read_count;

	trial_add(trial, index, instance,
		  (unsigned)__builtin_ctzll(block_slots_for(block, id)), id);
	trial->events[at] = event;
}

static bool
is_generic(const struct block *block)
{
	const struct block_slot *slot = block_slot(block, 0, 0);

	return slot->style == BLOCK_GENERIC && pm4_in_uconfig(slot->select);
}

static void
add_reads(struct trial *trial)
{
	const struct core *core = trial->commands.core;
	const char *event;
	uint32_t id = 0;

	for (size_t i = 0; i < core->block_count; i++) {
		if (trial->commands.read_count == TRIAL_READS_MAX ||
		    !is_generic(&core->blocks[i]))
			continue;
		event = find_clock(trial->harness, i, &id);
		if (event && block_slots_for(&core->blocks[i], id))
			add_read(trial, i, 0, event, id);
	}
}

int
trial_init_empty(struct trial *trial, struct harness *harness)
{
	const struct core *core = &harness->gpu->core;

	*trial = (struct trial){
		.harness = harness,
		.selects = select_regs_create(core),
		.commands = { .core = core, .stages = core_stages(core) },
	};
	if (!trial->selects)
		return error_set(harness->error, -ENOMEM, "no memory");
	trial->commands.selects = trial->selects;
	trial->commands.reads = trial->reads;
	return 0;
}

int
trial_init(struct trial *trial, struct harness *harness)
{
	int ret = trial_init_empty(trial, harness);

	if (!ret)
		add_reads(trial);
	return ret;
}

int
trial_init_event(struct trial *trial, struct harness *harness,
		 const char *block, const char *event)
{
	const struct core *core = &harness->gpu->core;
	const struct block *found = core_block(core, block);
	size_t index;
	uint32_t id;
	int ret;

	if (!found || found->instance_count > TRIAL_READS_MAX)
		return -ENOENT;
	index = (size_t)(found - core->blocks);
	ret = core_event_id(core, index, event, harness->arena, &id);
	if (!ret)
		ret = trial_init_empty(trial, harness);
	for (unsigned i = 0; !ret && i < found->instance_count; i++)
		add_read(trial, index, i, event, id);
	return ret;
}

bool
trial_mark(struct trial *trial)
{
	const struct commands_read *read = &trial->reads[0];
	const struct block *block = &trial->commands.core->blocks[read->block];
	uint32_t id = trial->selects[block->first_instance].ids[read->slot];
	uint64_t others =
		block_slots_for(block, id) & ~(UINT64_C(1) << read->slot);

	if (trial->commands.read_count != 1 || !others)
		return false;
	trial->commands.reset_check = (struct commands_reset_check){
		.block = block,
		.id = id,
		.slots = { read->slot, (uint32_t)__builtin_ctzll(others) },
	};
	return true;
}

void
trial_finish(struct trial *trial)
{
	free(trial->selects);
}

const char *
trial_block(const struct trial *trial, int read)
{
	return trial->commands.core->blocks[trial->reads[read].block].name;
}

bool
trial_is_graphics(const struct trial *trial, int read)
{
	return trial->commands.core->blocks[trial->reads[read].block].graphics;
}

int
trial_find(const struct trial *trial, const char *block)
{
	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		if (block ? !strcmp(trial_block(trial, i), block)
			  : trial_is_graphics(trial, i))
			return i;
	}
	return -1;
}

bool
trial_has_ring(const struct trial *trial, enum pm4_engine engine)
{
	return amd_context_info(trial->harness->ctx)->has_ring[engine];
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

/* One of the library's writers, and which of its command buffers. */
struct track {
	const struct trial *trial;
	void (*write)(struct pm4 *pm4, const struct commands *commands);
	unsigned number;
};

static void
write_buffers(struct pm4 *pm4, const struct track *track, uint64_t results,
	      struct commands_written *written)
{
	struct commands commands = track->trial->commands;

	commands.sample = results;
	commands.shown = results + SHOWN;
	commands.alignment = 1;
	commands.written = written;
	commands_begin(pm4, &commands);
	track->write(pm4, &commands);
	commands_end(pm4, &commands);
}

static void
write_track(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct track *track = data;
	struct commands_written written = { 0 };
	const struct commands_buffer *buffer = &written.buffers[track->number];
	struct pm4 all = *pm4;
	uint32_t *dwords = NULL;

	(void)core;
	all.dwords = NULL;
	write_buffers(&all, track, results, &written);
	if (pm4->dwords)
		dwords = calloc(all.count, sizeof(*dwords));
	if (dwords) {
		all.dwords = dwords;
		all.count = 0;
		written.index_count = 0;
		write_buffers(&all, track, results, &written);
		memcpy(&pm4->dwords[pm4->count], &dwords[buffer->begin],
		       (buffer->end - buffer->begin) * sizeof(*dwords));
		free(dwords);
		pm4->count += buffer->end - buffer->begin;
		return;
	}
	/* There is no memory, or it is their number that is asked for. */
	for (size_t i = buffer->begin; i < buffer->end; i++)
		pm4_nop(pm4);
}

/* Return how many command buffers they are. */
static unsigned
count_buffers(const struct track *track, enum pm4_engine engine)
{
	struct commands_written written = { 0 };
	struct pm4 pm4 = { .engine = engine,
			   .level = track->trial->commands.core->level };

	write_buffers(&pm4, track, 0, &written);
	return written.count;
}

/* Run all of them; results are what they have stored in the end. */
static int
run_buffers(const struct trial *trial, struct experiment *experiment,
	    void (*write)(struct pm4 *pm4, const struct commands *commands),
	    uint32_t *results)
{
	struct track track = { trial, write, 0 };
	const unsigned count = count_buffers(&track, experiment->engine);
	int ret = 0;

	experiment->write = write_track;
	experiment->data = &track;
	for (; !ret && track.number < count; track.number++) {
		ret = harness_run(trial->harness, experiment, results);
		results[DONE] = HARNESS_NOTHING;
		experiment->given = results;
		experiment->given_count = RESULTS;
	}
	experiment->data = NULL;
	return ret;
}

static const struct block_slot *
slot_of(const struct trial *trial, size_t i)
{
	const struct commands_read *read = &trial->reads[i];
	const struct block *block = &trial->commands.core->blocks[read->block];

	return block_slot(block, block->instances[read->instance].bank,
			  read->slot);
}

static uint32_t
index_of(const struct trial *trial, size_t i)
{
	const struct commands_read *read = &trial->reads[i];
	const struct block *block = &trial->commands.core->blocks[read->block];

	return block->instances[read->instance].index;
}

bool
trial_latches(const struct trial *trial, int read)
{
	const struct core *core = trial->commands.core;

	if (!strcmp(trial_block(trial, read), "GRBM"))
		return true;
	/* there, a sample reaches the engines behind what the library waits
	 * for after the state is written */
	return trial_is_graphics(trial, read) &&
	       !core->controls[CORE_GRBMH_SYNC].reg.byte;
}

static void
read_back(struct pm4 *pm4, const struct trial *trial, uint64_t sample)
{
	const struct core *core = trial->commands.core;
	uint64_t results = sample + offsetof(struct commands_sample, results);

	if (core->commands.stale.byte)
		pm4_copy_register(
			pm4, core->commands.stale,
			sample + offsetof(struct commands_sample, stale));
	for (size_t i = 0; i < trial->commands.read_count; i++) {
		const struct block_slot *slot = slot_of(trial, i);
		uint64_t address = results + i * sizeof(struct commands_result);

		if (!trial_latches(trial, (int)i))
			continue;
		harness_set_index(pm4, core, index_of(trial, i));
		pm4_copy_register(pm4, slot->low, address);
		if (slot->high.byte)
			pm4_copy_register(pm4, slot->high,
					  address + sizeof(uint32_t));
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
}

/* Write a sample that is latched by what the trial says and nothing else. */
static void
write_latch(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct trial *trial = data;

	pm4_wait_idle(pm4);
	if (trial->latch & TRIAL_EVENT)
		pm4_event(pm4, PM4_PERFCOUNTER_SAMPLE);
	if (trial->latch & TRIAL_BIT)
		harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg,
			    STATE_COUNT | STATE_LATCH);
	pm4_wait_idle(pm4);
	pm4_copy_timestamp(
		pm4, results + offsetof(struct commands_sample, timestamp));
	pm4_counter_window(pm4, true);
	read_back(pm4, trial, results);
	pm4_counter_window(pm4, false);
	pm4_store(pm4, 1, results + offsetof(struct commands_sample, done));
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
run_track(const struct trial *trial, const char *check, enum pm4_engine engine,
	  const char *what,
	  void (*write)(struct pm4 *pm4, const struct commands *commands))
{
	struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = what,
		.engine = engine,
		.source = trial->commands.core->commands.source,
		.results = RESULTS,
		.done = DONE,
	};
	uint32_t results[RESULTS];

	return run_buffers(trial, &experiment, write, results);
}

static bool
is_open_elsewhere(const struct trial *trial, enum pm4_engine engine, bool open)
{
	return open && engine != PM4_ENGINE_GFX &&
	       trial_has_ring(trial, PM4_ENGINE_GFX);
}

int
trial_start(const struct trial *trial, const char *check,
	    enum pm4_engine engine, bool open)
{
	int ret = run_track(trial, check, engine, "counters programmed",
			    commands_start);

	if (!ret && is_open_elsewhere(trial, engine, open))
		ret = run_track(trial, check, PM4_ENGINE_GFX,
				"graphics told to count", commands_open);
	return ret;
}

int
trial_stop(const struct trial *trial, const char *check, enum pm4_engine engine,
	   bool open, int ret)
{
	int stopped = 0;

	if (ret < 0)
		return ret;
	if (is_open_elsewhere(trial, engine, open))
		stopped = run_track(trial, check, PM4_ENGINE_GFX,
				    "graphics told to stop", commands_close);
	if (stopped >= 0)
		stopped = run_track(trial, check, engine, "counters stopped",
				    commands_stop);
	return stopped < 0 ? stopped : ret;
}

static void
trial_take_sample(struct trial *trial, const struct commands_sample *sample,
		  unsigned which)
{
	trial->ticks[which] = sample->timestamp;
	memcpy(trial->marked[which], sample->reset_check,
	       sizeof(sample->reset_check));
	for (size_t i = 0; i < trial->commands.read_count; i++) {
		uint64_t value = sample->results[i].value;

		trial->values[which][i] =
			slot_of(trial, i)->high.byte ? value : (uint32_t)value;
	}
}

/* Clear and sample in one go, with no sleep of the CPU between. */
static void
clear_and_sample(struct pm4 *pm4, const struct commands *commands)
{
	const struct commands_read *read = &commands->reads[0];
	const struct block *block = &commands->core->blocks[read->block];

	harness_set_index(pm4, commands->core, BLOCK_BROADCAST);
	for (unsigned bank = 0; bank < block->banks; bank++)
		harness_set(pm4, block_slot(block, bank, read->slot)->low, 0);
	commands_sample(pm4, commands);
}

static int
run_sample(struct trial *trial, const char *check, enum pm4_engine engine,
	   enum trial_latch latch, unsigned which,
	   void (*write)(struct pm4 *pm4, const struct commands *commands))
{
	struct experiment experiment = {
		.check = check,
		.expected = "a sample",
		.what = "a sample of all counters",
		.engine = engine,
		.source = trial->commands.core->commands.source,
		.write = write_latch,
		.data = trial,
		.results = RESULTS,
		.done = DONE,
	};
	uint64_t room[(RESULTS + 1) / 2];
	int ret;

	trial->latch = latch;
	if (latch == TRIAL_AS_LIBRARY)
		ret = run_buffers(trial, &experiment, write, (uint32_t *)room);
	else
		ret = harness_run(trial->harness, &experiment,
				  (uint32_t *)room);
	if (!ret)
		trial_take_sample(trial, (const struct commands_sample *)room,
				  which);
	return ret;
}

int
trial_sample_once(struct trial *trial, const char *check,
		  enum pm4_engine engine, enum trial_latch latch,
		  unsigned which)
{
	return run_sample(trial, check, engine, latch, which, commands_sample);
}

int
trial_clear(struct trial *trial, const char *check, enum pm4_engine engine,
	    unsigned which)
{
	return run_sample(trial, check, engine, TRIAL_AS_LIBRARY, which,
			  clear_and_sample);
}

int
trial_sample(struct trial *trial, const char *check, enum pm4_engine engine,
	     enum trial_latch latch)
{
	int ret;

	ret = trial_sample_once(trial, check, engine, latch, 0);
	if (ret)
		return ret;
	harness_wait(WAIT_NS);
	return trial_sample_once(trial, check, engine, latch, 1);
}

bool
trial_moved(const struct trial *trial, int read)
{
	return trial->values[1][read] != trial->values[0][read];
}
