/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/commands.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"

/* States of CP_PERFMON_CNTL and RLC_PERFMON_CNTL */
#define STATE_RESET 0u
#define STATE_COUNT 1u
#define STATE_LATCH (1u << 10) /* show the counters' present values */

/* Bit of RSLT_CNTL */
#define RESULT_ENABLE_ANY (1u << 24)

static void
wait_end(struct pm4 *pm4, const struct commands *commands)
{
	pm4_wait_end(
		pm4, commands->sample + offsetof(struct commands_sample, fence),
		commands->sample + offsetof(struct commands_sample, samples));
}

static void
wait_idle(struct pm4 *pm4, const struct commands *commands)
{
	/* On gfx12 a flush of the shaders comes too early for samples (PAL) */
	if (commands->core->level >= 12)
		wait_end(pm4, commands);
	else
		pm4_wait_idle(pm4);
}

/*
 * Wait for the bottom of the pipe before a sample, as radeonsi does: after a
 * flush of the shaders the last pixels of a frame are still on their way
 * through CB and DB. Rings of gfx7 and gfx8 have another packet for that.
 */
static void
wait_before_sample(struct pm4 *pm4, const struct commands *commands)
{
	if (pm4->engine == PM4_ENGINE_GFX && commands->core->level >= 9)
		wait_end(pm4, commands);
	else
		wait_idle(pm4, commands);
}

/* ------------------------------------------------------------------ */
/* Command buffers, and GRBM_GFX_INDEX in them                          */

static struct commands_buffer *
last_buffer(const struct commands *commands)
{
	return &commands->written->buffers[commands->written->count - 1];
}

static void
begin_buffer(struct pm4 *pm4, const struct commands *commands)
{
	struct commands_written *written = commands->written;

	written->buffers[written->count++] = (struct commands_buffer){
		.begin = pm4->count,
		.first_index = written->index_count,
	};
}

void
commands_begin(struct pm4 *pm4, const struct commands *commands)
{
	struct commands_written *written = commands->written;

	written->count = 0;
	written->index = BLOCK_BROADCAST;
	written->was_read = false;
	written->sync = false;
	begin_buffer(pm4, commands);
}

void
commands_end(struct pm4 *pm4, const struct commands *commands)
{
	pm4_pad(pm4, commands->alignment);
	last_buffer(commands)->end = pm4->count;
}

/* Store GRBM_GFX_INDEX, for a check that it is still as written. */
static void
show_index(struct pm4 *pm4, const struct commands *commands)
{
	struct commands_written *written = commands->written;
	struct commands_buffer *buffer = last_buffer(commands);
	const size_t at = offsetof(struct commands_shown, indices) +
			  buffer->index_count * sizeof(uint32_t);

	pm4_copy_early(pm4, commands->core->controls[CORE_GRBM_GFX_INDEX].reg,
		       commands->shown + at);
	if (written->indices)
		written->indices[written->index_count] = written->index;
	written->index_count++;
	buffer->index_count++;
}

static void
commands_steer_instance(struct pm4 *pm4, const struct commands *commands,
			uint32_t index)
{
	struct commands_written *written = commands->written;

	/* A read of all instances has no index to check. */
	if (written->was_read && written->index != BLOCK_BROADCAST)
		show_index(pm4, commands);
	write_index(pm4, commands->core, index);
	written->index = index;
	written->was_read = false;
}

void
commands_steer(struct pm4 *pm4, const struct commands *commands, uint32_t index)
{
	if (commands->written->index != index)
		commands_steer_instance(pm4, commands, index);
}

/*
 * Set GRBM_GFX_INDEX to an instance of a block. For some blocks it must be set
 * to broadcast between one instance and the next.
 */
static void
steer_to_instance(struct pm4 *pm4, const struct commands *commands,
		  const struct block *block, uint32_t index)
{
	if (block->apart && commands->written->index != index)
		commands_steer(pm4, commands, BLOCK_BROADCAST);
	commands_steer(pm4, commands, index);
}

void
commands_read_register(struct pm4 *pm4, const struct commands *commands,
		       struct pm4_register reg, uint64_t address)
{
	pm4_copy_early(pm4, reg, address);
	commands->written->was_read = true;
}

/*
 * Store that the commands have run. If they are for one XCC, only that one
 * stores it; if for all, each does.
 */
static void
mark_done(struct pm4 *pm4, const struct commands *commands)
{
	if (pm4->xccs || pm4->all_xccs)
		pm4_store(pm4, 1,
			  commands->sample +
				  offsetof(struct commands_sample, done));
}

/* End the command buffer; the next commands go to another, which runs later. */
static void
commands_cut(struct pm4 *pm4, const struct commands *commands)
{
	mark_done(pm4, commands);
	commands_end(pm4, commands);
	begin_buffer(pm4, commands);
}

/* ------------------------------------------------------------------ */
/* Control registers                                                    */

/* Registers that are set before counting, and reset after it. */
static const struct setup {
	enum core_register name;
	unsigned needed_by; /* mask of enum core_need; 0: always */
	bool owned; /* own_shaders() writes it with each sample */
} setups[] = {
	{ CORE_RLC_PERFMON_CLK_CNTL, 0,
	  false }, /* the first: see write_settings() */
	{ CORE_SPI_SQG_EVENT_CTL, CORE_NEEDS_SHADERS, false },
	{ CORE_SQ_PERFCOUNTER_MASK, CORE_NEEDS_SHADERS, false },
	{ CORE_SQ_PERFCOUNTER_CTRL2, CORE_NEEDS_SHADERS, false },
	{ CORE_SQG_PERFCOUNTER_CTRL2, CORE_NEEDS_SHADERS, false },
	{ CORE_SQG_PERFCOUNTER_CTRL, CORE_NEEDS_SHADERS, true },
	{ CORE_SQ_PERFCOUNTER_CTRL, CORE_NEEDS_SHADERS, true },
	{ CORE_RMI_PERF_COUNTER_CNTL, CORE_NEEDS_RMI, false },
};

unsigned
commands_needs(const struct commands *commands)
{
	const struct core *core = commands->core;
	unsigned needs = 0;

	for (size_t i = 0; i < core->block_count; i++) {
		if (!select_regs_is_unused(commands->unused, i) &&
		    select_regs_used(&core->blocks[i], commands->selects))
			needs |= core_needs(&core->blocks[i]);
	}
	return needs;
}

bool
commands_need_shaders(const struct commands *commands)
{
	return commands->needs & CORE_NEEDS_SHADERS;
}

static void
set_results(struct pm4 *pm4, const struct commands *commands, uint32_t value)
{
	if (commands->needs & CORE_NEEDS_SWITCH)
		select_regs_set_results(pm4, commands->core, commands->selects,
					commands->unused, value);
}

static uint32_t
setup_value(const struct commands *commands, enum core_register name)
{
	uint32_t value = commands->core->controls[name].value;

	switch (name) {
	case CORE_SQ_PERFCOUNTER_CTRL:
	case CORE_SQG_PERFCOUNTER_CTRL:
		return value & commands->stages;
	default:
		return value;
	}
}

/*
 * Store the clock register's value, to be restored, as sources differ on its
 * meaning.
 */
static void
find_clock(struct pm4 *pm4, const struct commands *commands)
{
	const struct core_control *clock =
		&commands->core->controls[CORE_RLC_PERFMON_CLK_CNTL];

	if (clock->reg.byte && clock->put_back)
		pm4_copy_early(pm4, clock->reg,
			       commands->sample +
				       offsetof(struct commands_sample, clock));
}

/* Store the counters' state: if they ran, a killed process set the clock. */
static void
find_state(struct pm4 *pm4, const struct commands *commands)
{
	const struct core_control *controls = commands->core->controls;

	if (controls[CORE_RLC_PERFMON_CLK_CNTL].put_back &&
	    !core_kernel_sets_clock(commands->core))
		pm4_copy_early(pm4, controls[CORE_CP_PERFMON_CNTL].reg,
			       commands->sample +
				       offsetof(struct commands_sample,
						state_found));
}

enum setting {
	SET_UP, /* before anything counts */
	SET_UP_MORE, /* while something does */
	SET_BACK
};

/* Write the control registers: the clock first, or last when restoring. */
static void
write_settings(struct pm4 *pm4, const struct commands *commands,
	       enum setting setting)
{
	for (size_t i = 0; i < ARRAY_SIZE(setups); i++) {
		const size_t at = setting == SET_BACK ? i + 1 : i;
		const struct setup *setup = &setups[at % ARRAY_SIZE(setups)];
		const struct core_control *control =
			&commands->core->controls[setup->name];

		if (!control->reg.byte || !control->has_value ||
		    (setup->owned && setting == SET_UP_MORE))
			continue;
		if (setup->needed_by && !(setup->needed_by & commands->needs))
			continue;
		write_register(pm4, control->reg,
			       setting == SET_BACK
				       ? control->reset
				       : setup_value(commands, setup->name));
		if (setup->name == CORE_RLC_PERFMON_CLK_CNTL &&
		    control->put_back && pm4_in_uconfig(control->reg))
			pm4->marked = pm4->count - 1;
	}
}

/* Compute has no such bit (PAL, gfx12PerfExperiment.cpp) */
static bool
shows_state(const struct pm4 *pm4, const struct core *core)
{
	return core->controls[CORE_GRBMH_SYNC].sync_is_kept &&
	       pm4->engine == PM4_ENGINE_GFX;
}

static void
set_state(struct pm4 *pm4, const struct commands *commands, uint32_t state)
{
	const struct core *core = commands->core;

	/* It stays set until it is written. */
	if (shows_state(pm4, core))
		write_register(pm4, core->controls[CORE_GRBMH_SYNC].reg,
			       core->controls[CORE_GRBMH_SYNC].value);
	write_register(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, state);
	if (commands->needs & CORE_NEEDS_RLC)
		write_register(pm4, core->controls[CORE_RLC_PERFMON_CNTL].reg,
			       state);
}

/*
 * Return whether the sync bit is used. If reads can overtake writes to the SQ,
 * its change shows that the sample written before it has been taken.
 */
static bool
shows_sync(const struct commands *commands)
{
	return commands->core->controls[CORE_SQG_PERFCOUNTER_CTRL].sync &&
	       commands_need_shaders(commands);
}

/*
 * Make this ring the owner of the SQ's control registers: the command processor
 * assigns them to the ring that writes CP_PERFMON_CNTL (PAL,
 * gfx9PerfExperiment.cpp), and the kernel chooses another ring each time.
 */
static void
own_shaders(struct pm4 *pm4, const struct commands *commands, bool samples)
{
	const struct core_control *controls = commands->core->controls;
	const struct core_control *sqg = &controls[CORE_SQG_PERFCOUNTER_CTRL];
	const struct core_control *sq = &controls[CORE_SQ_PERFCOUNTER_CTRL];
	const bool flips = samples && shows_sync(commands);
	struct commands_written *written = commands->written;

	if (!commands_need_shaders(commands))
		return;
	written->sync ^= flips;
	if (sqg->reg.byte)
		write_register(
			pm4, sqg->reg,
			setup_value(commands, CORE_SQG_PERFCOUNTER_CTRL) |
				(written->sync ? sqg->sync : 0));
	if (flips)
		last_buffer(commands)->sync = pm4->count - 1;
	if (sq->reg.byte)
		write_register(pm4, sq->reg,
			       setup_value(commands, CORE_SQ_PERFCOUNTER_CTRL));
}

/* Store what shows that the state, and the sample, are in each engine. */
static void
show_engines(struct pm4 *pm4, const struct commands *commands)
{
	const struct core *core = commands->core;
	const bool state = shows_state(pm4, core);
	const bool sync = shows_sync(commands);

	if (!state && !sync)
		return;
	last_buffer(commands)->shows_sync = sync;
	last_buffer(commands)->shows_state = state;
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		uint64_t at = commands->shown + i * sizeof(uint32_t);

		if (!(core->engines >> i & 1))
			continue;
		commands_steer(pm4, commands, BLOCK_ENGINE(i));
		if (sync)
			commands_read_register(
				pm4, commands,
				core->controls[CORE_SQG_PERFCOUNTER_CTRL].reg,
				at + offsetof(struct commands_shown, sync));
		if (state)
			commands_read_register(
				pm4, commands,
				core->controls[CORE_GRBMH_SYNC].reg,
				at + offsetof(struct commands_shown, state));
	}
}

/*
 * Open or close the window of counting. Windowed blocks then count draws and
 * compute work of the graphics ring. Other work they only see by
 * SQ_PERFCOUNTER_CTRL2, or in queues that allow it themselves. We do not allow
 * it in compute rings: the kernel moves an idle context from one to another
 * (drm_sched_entity_select_rq()), so it could not be revoked.
 */
static void
open_window(struct pm4 *pm4, const struct core *core, bool open)
{
	const struct core_control *enable =
		&core->controls[CORE_COMPUTE_PERFCOUNT_ENABLE];

	if (pm4->engine != PM4_ENGINE_GFX)
		return;
	if (open || !core->commands.never_stops)
		pm4_event(pm4,
			  open ? PM4_PERFCOUNTER_START : PM4_PERFCOUNTER_STOP);
	if (enable->reg.byte)
		pm4_set_sh(pm4, pm4_sh(enable->reg),
			   open ? enable->value : enable->reset);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

int
commands_read_compare(const void *a, const void *b)
{
	const struct commands_read *left = a, *right = b;

	if (left->block != right->block)
		return left->block < right->block ? -1 : 1;
	if (left->instance != right->instance)
		return left->instance < right->instance ? -1 : 1;
	return (left->slot > right->slot) - (left->slot < right->slot);
}

/*
 * Return whether one packet can copy both halves of a result. In some blocks
 * the upper half has the lower address, so 64 bits would include a half of the
 * next counter.
 */
static bool
copies_pair(const struct core *core, const struct block *block,
	    const struct block_slot *slot)
{
	return core->commands.pairs && !block->halves &&
	       slot->style != BLOCK_CFG &&
	       slot->high.byte == slot->low.byte + sizeof(uint32_t);
}

static void
read_slot(struct pm4 *pm4, const struct commands *commands,
	  const struct block *block, const struct block_slot *slot,
	  uint64_t address)
{
	if (slot->style == BLOCK_CFG)
		write_register(pm4, block->result_control, slot->place);
	address += offsetof(struct commands_result, value);
	if (copies_pair(commands->core, block, slot)) {
		pm4_copy_pair_early(pm4, slot->low, address);
		commands->written->was_read = true;
		return;
	}
	commands_read_register(pm4, commands, slot->low, address);
	if (slot->high.byte)
		commands_read_register(pm4, commands, slot->high,
				       address + sizeof(uint32_t));
}

static void
write_reads(struct pm4 *pm4, const struct commands *commands,
	    const struct commands_read *reads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct commands_read *read = &reads[i];
		const struct block *block =
			&commands->core->blocks[read->block];
		const struct block_instance *instance =
			&block->instances[read->instance];
		uint64_t address =
			commands->sample +
			offsetof(struct commands_sample, results) +
			read->result * sizeof(struct commands_result);

		steer_to_instance(pm4, commands, block, instance->index);
		read_slot(pm4, commands, block,
			  block_slot(block, instance->bank, read->slot),
			  address);
	}
}

/* ------------------------------------------------------------------ */
/* The reset check                                                      */

static void
select_reset_check(struct pm4 *pm4,
		   const struct commands_reset_check *reset_check, int which,
		   uint32_t id)
{
	if (reset_check->block)
		select_regs_set_slot(pm4, reset_check->block,
				     block_slot(reset_check->block, 0,
						reset_check->slots[which]),
				     id | reset_check->block->select_or);
}

static void
read_reset_check(struct pm4 *pm4, const struct commands *commands)
{
	const struct commands_reset_check *reset_check = &commands->reset_check;
	const uint64_t address = commands->sample +
				 offsetof(struct commands_sample, reset_check);

	if (!reset_check->block)
		return;
	commands_steer(pm4, commands, reset_check->block->instances[0].index);
	for (unsigned i = 0; i < 2; i++)
		commands_read_register(
			pm4, commands,
			block_slot(reset_check->block, 0, reset_check->slots[i])
				->low,
			address + i * sizeof(uint32_t));
}

/*
 * Read the counters of block clocks. Their events are selected as all others
 * are.
 */
static void
read_block_clocks(struct pm4 *pm4, const struct commands *commands)
{
	const uint64_t address = commands->sample +
				 offsetof(struct commands_sample, block_clocks);

	for (size_t i = 0; i < commands->block_clock_count; i++) {
		const struct commands_block_clock *block_clock =
			&commands->block_clocks[i];
		const struct block *block =
			&commands->core->blocks[block_clock->block];
		const struct block_instance *instance =
			&block->instances[block_clock->instance];

		steer_to_instance(pm4, commands, block, instance->index);
		commands_read_register(
			pm4, commands,
			block_slot(block, instance->bank, block_clock->slot)
				->low,
			address + i * sizeof(uint32_t));
	}
}

/*
 * Let the second counter of the reset check count another event at first, so
 * that it begins later.
 */
static void
hold_reset_check_back(struct pm4 *pm4, const struct commands *commands)
{
	select_reset_check(pm4, &commands->reset_check, 0,
			   commands->reset_check.id);
	select_reset_check(pm4, &commands->reset_check, 1,
			   commands->reset_check.id ^ 1);
}

static void
clear_reset_check(struct pm4 *pm4, const struct commands *commands)
{
	for (int i = 0; i < 2; i++)
		select_reset_check(pm4, &commands->reset_check, i, 0);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static uint64_t
seen_address(const struct commands *commands, int i)
{
	return commands->sample + offsetof(struct commands_sample, seen) +
	       (unsigned)i * sizeof(uint32_t);
}

void
commands_read_fixed(struct pm4 *pm4, const struct commands *commands,
		    const struct commands_readback *readback)
{
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		if (readback->fixed[i])
			pm4_copy_early(
				pm4,
				(struct pm4_register){ readback->fixed[i] * 4 },
				seen_address(commands, i));
	}
	if (readback->clock)
		pm4_copy_early(
			pm4, (struct pm4_register){ readback->clock * 4 },
			commands->sample +
				offsetof(struct commands_sample, clock_now));
}

static void
read_watched_select(struct pm4 *pm4, const struct commands *commands)
{
	const struct commands_readback *readback = commands->readback;
	struct commands_written *written = commands->written;

	if (!readback || !readback->select)
		return;
	/* patched later to any other select */
	commands_steer_instance(pm4, commands, readback->index);
	written->readback_index = pm4->count - 1;
	pm4_copy_early(pm4, (struct pm4_register){ readback->select * 4 },
		       seen_address(commands, COMMANDS_SELECT));
	written->readback_select = pm4->count - 4;
	written->readback_shown = written->index_count;
	show_index(pm4, commands);
}

static bool
is_behind_shaders(const struct commands *commands, uint32_t block)
{
	return core_needs(&commands->core->blocks[block]) & CORE_NEEDS_SHADERS;
}

static bool
reads_shaders(const struct commands *commands)
{
	for (size_t i = 0; i < commands->read_count; i++)
		if (is_behind_shaders(commands, commands->reads[i].block))
			return true;
	for (size_t i = 0; i < commands->block_clock_count; i++)
		if (is_behind_shaders(commands,
				      commands->block_clocks[i].block))
			return true;
	return false;
}

/*
 * Return whether reads may overtake the writes that take a sample, as on gfx12;
 * on a compute ring only reads of the SQ do (PAL, gfx12PerfExperiment.cpp). All
 * writes are sure to have arrived by the next command buffer.
 */
static bool
reads_overtake(const struct pm4 *pm4, const struct commands *commands)
{
	return commands->core->level >= 12 &&
	       (pm4->engine == PM4_ENGINE_GFX || reads_shaders(commands));
}

/* Latch all counters, and leave them in the state. */
static void
commands_latch(struct pm4 *pm4, const struct commands *commands, uint32_t state)
{
	if (!commands->core->commands.bit_only)
		pm4_event(pm4, PM4_PERFCOUNTER_SAMPLE);
	set_state(pm4, commands, state);
	own_shaders(pm4, commands, true);
	wait_idle(pm4, commands);
}

static void
read_time(struct pm4 *pm4, const struct commands *commands)
{
	pm4_copy_timestamp(pm4,
			   commands->sample +
				   offsetof(struct commands_sample, timestamp));
}

/* Latch everything and store reads; the counters are left in the state. */
static void
sample_reads(struct pm4 *pm4, const struct commands *commands,
	     const struct commands_read *reads, size_t count, uint32_t state)
{
	const bool apart = reads_overtake(pm4, commands);

	commands_latch(pm4, commands, state);
	if (apart) {
		read_time(pm4, commands);
		commands_cut(pm4, commands);
		/*
		 * no other work may run while GRBM_GFX_INDEX is not broadcast
		 */
		wait_idle(pm4, commands);
	}
	/*
	 * Counters of style cfg cannot be latched: they stand still during the
	 * reads.
	 */
	set_results(pm4, commands, 0);
	pm4_counter_window(pm4, true);
	if (apart)
		show_engines(pm4, commands);
	else
		read_time(pm4, commands);
	if (commands->core->commands.stale.byte)
		pm4_copy_early(pm4, commands->core->commands.stale,
			       commands->sample +
				       offsetof(struct commands_sample, stale));
	read_reset_check(pm4, commands);
	write_reads(pm4, commands, reads, count);
	read_block_clocks(pm4, commands);
	read_watched_select(pm4, commands);
	commands_steer_instance(pm4, commands, BLOCK_BROADCAST);
	pm4_confirm_copy(pm4);
	pm4_counter_window(pm4, false);
	if (state & STATE_COUNT)
		set_results(pm4, commands, RESULT_ENABLE_ANY);
}

static void
commands_trigger_sample(struct pm4 *pm4, const struct commands *commands,
			uint32_t state)
{
	sample_reads(pm4, commands, commands->reads, commands->read_count,
		     state);
}

static void
clear_saturating(struct pm4 *pm4, const struct commands *commands)
{
	for (size_t i = 0; i < commands->core->block_count; i++) {
		const struct block *block = &commands->core->blocks[i];
		uint64_t slots =
			block->saturates
				? select_regs_used(block, commands->selects)
				: 0;

		for (; slots; slots &= slots - 1) {
			unsigned slot = (unsigned)__builtin_ctzll(slots);

			for (unsigned bank = 0; bank < block->banks; bank++)
				write_register(
					pm4, block_slot(block, bank, slot)->low,
					0);
		}
	}
}

/* Start the reset check, while everything counts. */
static void
start_reset_check(struct pm4 *pm4, const struct commands *commands)
{
	if (!commands->reset_check.block)
		return;
	/* reads so far can be repeated, but the latch cannot */
	if (reads_overtake(pm4, commands))
		commands_cut(pm4, commands);
	wait_idle(pm4, commands);
	select_reset_check(pm4, &commands->reset_check, 1,
			   commands->reset_check.id);
	sample_reads(pm4, commands, NULL, 0, STATE_COUNT | STATE_LATCH);
}

/* ------------------------------------------------------------------ */

void
commands_start(struct pm4 *pm4, const struct commands *commands)
{
	const struct core *core = commands->core;

	wait_idle(pm4, commands);
	write_index(pm4, core, BLOCK_BROADCAST);
	find_state(pm4, commands);
	set_state(pm4, commands, STATE_RESET);
	find_clock(pm4, commands);
	/* After the state: the command processor changes SQ's registers. */
	write_settings(pm4, commands, SET_UP);
	set_results(pm4, commands, 0);
	select_regs_set_all(pm4, commands->core, commands->selects,
			    commands->unused, true);
	hold_reset_check_back(pm4, commands);
	commands_trigger_sample(
		pm4, commands,
		core->controls[CORE_CP_PERFMON_CNTL].has_value
			? core->controls[CORE_CP_PERFMON_CNTL].value
			: STATE_RESET | STATE_LATCH);
	set_state(pm4, commands, STATE_COUNT);
	own_shaders(pm4, commands, false);
	open_window(pm4, commands->core, true);
	set_results(pm4, commands, RESULT_ENABLE_ANY);
	start_reset_check(pm4, commands);
	mark_done(pm4, commands);
}

void
commands_sample(struct pm4 *pm4, const struct commands *commands)
{
	wait_before_sample(pm4, commands);
	/* before the sample overwrites some of them */
	if (commands->readback)
		commands_read_fixed(pm4, commands, commands->readback);
	commands_trigger_sample(pm4, commands, STATE_COUNT | STATE_LATCH);
	mark_done(pm4, commands);
}

void
commands_clear(struct pm4 *pm4, const struct commands *commands)
{
	wait_before_sample(pm4, commands);
	commands_trigger_sample(pm4, commands, STATE_COUNT | STATE_LATCH);
	/* a cleared counter cannot be sampled again */
	commands_cut(pm4, commands);
	clear_saturating(pm4, commands);
	sample_reads(pm4, commands, commands->again, commands->again_count,
		     STATE_COUNT | STATE_LATCH);
	mark_done(pm4, commands);
}

void
commands_change(struct pm4 *pm4, const struct commands *commands)
{
	wait_before_sample(pm4, commands);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	find_clock(pm4, commands);
	write_settings(pm4, commands, SET_UP_MORE);
	select_regs_set_all(pm4, commands->core, commands->selects,
			    commands->unused, false);
	commands_trigger_sample(pm4, commands, STATE_COUNT | STATE_LATCH);
	mark_done(pm4, commands);
}

void
commands_stop(struct pm4 *pm4, const struct commands *commands)
{
	wait_idle(pm4, commands);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	open_window(pm4, commands->core, false);
	set_state(pm4, commands, STATE_RESET);
	set_results(pm4, commands, 0);
	select_regs_clear_all(pm4, commands->core, commands->selects,
			      commands->unused);
	clear_reset_check(pm4, commands);
	write_settings(pm4, commands, SET_BACK);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	mark_done(pm4, commands);
}

void
commands_open(struct pm4 *pm4, const struct commands *commands)
{
	open_window(pm4, commands->core, true);
}

void
commands_close(struct pm4 *pm4, const struct commands *commands)
{
	open_window(pm4, commands->core, false);
}

void
commands_set_controls(struct pm4 *pm4, const struct commands *commands, bool on)
{
	write_settings(pm4, commands, on ? SET_UP : SET_BACK);
}
