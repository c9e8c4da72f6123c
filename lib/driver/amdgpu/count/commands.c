/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/commands.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"

/* States of CP_PERFMON_CNTL and RLC_PERFMON_CNTL */
#define STATE_RESET 0u
#define STATE_COUNT 1u
#define STATE_LATCH (1u << 10) /* show the counters' present values */

/* Of RSLT_CNTL */
#define RESULT_ENABLE_ANY (1u << 24)

static void
wait_idle(struct pm4 *pm4, const struct commands *commands)
{
	/* On gfx12 a flush of the shaders comes too early for samples (PAL) */
	if (commands->core->level >= 12)
		pm4_wait_end(pm4,
			     commands->sample +
				     offsetof(struct commands_sample, fence));
	else
		pm4_wait_idle(pm4);
}

/* ------------------------------------------------------------------ */
/* Control registers                                                    */

/* Registers that are given a value before and their reset value after. */
static const struct setup {
	enum core_register name;
	unsigned needed_by; /* mask of enum core_need; 0: always */
} setups[] = {
	{ CORE_RLC_PERFMON_CLK_CNTL, 0 },
	{ CORE_SPI_SQG_EVENT_CTL, CORE_NEEDS_SHADERS },
	{ CORE_SQ_PERFCOUNTER_MASK, CORE_NEEDS_SHADERS },
	{ CORE_SQ_PERFCOUNTER_CTRL2, CORE_NEEDS_SHADERS },
	{ CORE_SQG_PERFCOUNTER_CTRL2, CORE_NEEDS_SHADERS },
	{ CORE_SQG_PERFCOUNTER_CTRL, CORE_NEEDS_SHADERS },
	{ CORE_SQ_PERFCOUNTER_CTRL, CORE_NEEDS_SHADERS },
	{ CORE_RMI_PERF_COUNTER_CNTL, CORE_NEEDS_RMI },
};

unsigned
commands_needs(const struct commands *commands)
{
	const struct core *core = commands->core;
	unsigned needs = 0;

	for (size_t i = 0; i < core->block_count; i++) {
		if (!selects_is_unused(commands->unused, i) &&
		    selects_used(&core->blocks[i], commands->selects))
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
		selects_set_results(pm4, commands->core, commands->selects,
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

/* Where it is disputed what the value means, it is put back to what it was. */
static void
find_clock(struct pm4 *pm4, const struct commands *commands)
{
	const struct core_control *clock =
		&commands->core->controls[CORE_RLC_PERFMON_CLK_CNTL];

	if (clock->reg.byte && clock->put_back)
		pm4_copy_register(
			pm4, clock->reg,
			commands->sample +
				offsetof(struct commands_sample, clock));
}

static void
set_up(struct pm4 *pm4, const struct commands *commands, bool counting)
{
	for (size_t i = 0; i < ARRAY_SIZE(setups); i++) {
		const struct core_control *control =
			&commands->core->controls[setups[i].name];

		if (!control->reg.byte || !control->has_value)
			continue;
		if (setups[i].needed_by &&
		    !(setups[i].needed_by & commands->needs))
			continue;
		write_register(pm4, control->reg,
			       counting ? setup_value(commands, setups[i].name)
					: control->reset);
		if (setups[i].name == CORE_RLC_PERFMON_CLK_CNTL &&
		    control->put_back && pm4_in_uconfig(control->reg))
			pm4->marked = pm4->count - 1;
	}
}

/*
 * What has been written to all shader engines arrives in each at its own time;
 * a bit of some register, once it can be read there, shows that it has.
 */
static void
wait_for_engines(struct pm4 *pm4, const struct commands *commands,
		 enum core_register name, uint32_t value, uint32_t mask)
{
	const struct core *core = commands->core;
	struct pm4_register reg = core->controls[name].reg;

	for (uint32_t engine = 0; engine < TOPOLOGY_ENGINES; engine++) {
		if (!(core->engines >> engine & 1))
			continue;
		write_index(pm4, core, BLOCK_ENGINE(engine));
		pm4_wait_register(pm4, reg, value, mask);
		/* It stays set until it is written. */
		if (name == CORE_GRBMH_SYNC)
			write_register(pm4, reg, value);
	}
	write_index(pm4, core, BLOCK_BROADCAST);
}

static void
set_state(struct pm4 *pm4, const struct commands *commands, uint32_t state)
{
	const struct core *core = commands->core;
	const struct core_control *sync = &core->controls[CORE_GRBMH_SYNC];

	write_register(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, state);
	/* Compute has no such bit (PAL, gfx12PerfExperiment.cpp) */
	if (sync->reg.byte && pm4->engine == PM4_ENGINE_GFX) {
		pm4_counter_window(pm4, true);
		wait_for_engines(pm4, commands, CORE_GRBMH_SYNC, sync->value,
				 sync->value);
		pm4_counter_window(pm4, false);
	}
	if (commands->needs & CORE_NEEDS_RLC)
		write_register(pm4, core->controls[CORE_RLC_PERFMON_CNTL].reg,
			       state);
}

/*
 * The command processor takes the SQ's control registers for those of whoever
 * writes CP_PERFMON_CNTL (PAL, gfx9PerfExperiment.cpp), which may be another
 * ring each time: the kernel deals them out.
 */
static void
own_shaders(struct pm4 *pm4, const struct commands *commands)
{
	static const enum core_register names[] = { CORE_SQG_PERFCOUNTER_CTRL,
						    CORE_SQ_PERFCOUNTER_CTRL };

	if (!commands_need_shaders(commands))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct pm4_register reg =
			commands->core->controls[names[i]].reg;

		if (reg.byte)
			write_register(pm4, reg,
				       setup_value(commands, names[i]));
	}
}

/*
 * Where reads overtake writes on their way to the SQ, a bit that has changed
 * there shows that the sample before it has been taken. Between samples it is
 * 0, or the next change could not be seen.
 */
static void
sync_shaders(struct pm4 *pm4, const struct commands *commands, bool on)
{
	const struct core_control *control =
		&commands->core->controls[CORE_SQG_PERFCOUNTER_CTRL];
	uint32_t value = setup_value(commands, CORE_SQG_PERFCOUNTER_CTRL);

	if (!control->sync || !commands_need_shaders(commands))
		return;
	write_register(pm4, control->reg, on ? value | control->sync : value);
	wait_for_engines(pm4, commands, CORE_SQG_PERFCOUNTER_CTRL,
			 on ? control->sync : 0, control->sync);
}

/*
 * Windowed blocks count, on the graphics ring, whatever is drawn from here on
 * and the compute of that ring. The rest they see by what is written to
 * SQ_PERFCOUNTER_CTRL2, or in queues that allow it themselves: the kernel moves
 * an idle context from one ring of compute to another
 * (drm_sched_entity_select_rq()), so what is allowed there could not be taken
 * back.
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
 * Always 32 bits at a time: some blocks have the upper half below the lower
 * one, where 64 bits would take the next counter's.
 */
static void
read_slot(struct pm4 *pm4, const struct block *block,
	  const struct block_slot *slot, uint64_t address)
{
	if (slot->style == BLOCK_CFG)
		write_register(pm4, block->result_control, slot->place);
	address += offsetof(struct commands_result, value);
	pm4_copy_register(pm4, slot->low, address);
	if (slot->high.byte)
		pm4_copy_register(pm4, slot->high, address + sizeof(uint32_t));
}

static void
read_all(struct pm4 *pm4, const struct commands *commands,
	 const struct commands_read *reads, size_t count)
{
	const struct block *marked = commands->marker.block;
	uint32_t index = marked ? marked->instances[0].index : BLOCK_BROADCAST;

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

		if (instance->index != index)
			write_index(pm4, commands->core, instance->index);
		index = instance->index;
		read_slot(pm4, block,
			  block_slot(block, instance->bank, read->slot),
			  address);
	}
}

/* Commands for one die are skipped by the others: say that they were not. */
static void
mark_done(struct pm4 *pm4, const struct commands *commands)
{
	if (pm4->dies)
		pm4_store(pm4, 1,
			  commands->sample +
				  offsetof(struct commands_sample, done));
}

/* ------------------------------------------------------------------ */
/* The marker                                                           */

static void
select_marked(struct pm4 *pm4, const struct commands_marker *marker, int which,
	      uint32_t id)
{
	if (marker->block)
		selects_set_slot(
			pm4, marker->block,
			block_slot(marker->block, 0, marker->slots[which]),
			id | marker->block->select_or);
}

static void
read_marker(struct pm4 *pm4, const struct commands *commands)
{
	const struct commands_marker *marker = &commands->marker;
	const uint64_t address =
		commands->sample + offsetof(struct commands_sample, marker);

	if (!marker->block)
		return;
	write_index(pm4, commands->core, marker->block->instances[0].index);
	for (unsigned i = 0; i < 2; i++)
		pm4_copy_register(
			pm4,
			block_slot(marker->block, 0, marker->slots[i])->low,
			address + i * sizeof(uint32_t));
}

/* Their events are selected as all others are. */
static void
read_pulses(struct pm4 *pm4, const struct commands *commands)
{
	const uint64_t address =
		commands->sample + offsetof(struct commands_sample, pulses);

	for (size_t i = 0; i < commands->pulse_count; i++) {
		const struct commands_pulse *pulse = &commands->pulses[i];
		const struct block *block =
			&commands->core->blocks[pulse->block];
		const struct block_instance *instance =
			&block->instances[pulse->instance];

		write_index(pm4, commands->core, instance->index);
		pm4_copy_register(
			pm4,
			block_slot(block, instance->bank, pulse->slot)->low,
			address + i * sizeof(uint32_t));
	}
}

/* Until it counts the event as well, the second one counts its neighbour. */
static void
hold_marker_back(struct pm4 *pm4, const struct commands *commands)
{
	select_marked(pm4, &commands->marker, 0, commands->marker.id);
	select_marked(pm4, &commands->marker, 1, commands->marker.id ^ 1);
}

static void
clear_marker(struct pm4 *pm4, const struct commands *commands)
{
	for (int i = 0; i < 2; i++)
		select_marked(pm4, &commands->marker, i, 0);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

/* Latch everything and store reads; the counters are left in the state. */
static void
sample_reads(struct pm4 *pm4, const struct commands *commands,
	     const struct commands_read *reads, size_t count, uint32_t state)
{
	pm4_event(pm4, PM4_PERFCOUNTER_SAMPLE);
	set_state(pm4, commands, state);
	own_shaders(pm4, commands);
	wait_idle(pm4, commands);
	/* Those of style cfg cannot be latched: they stand still meanwhile. */
	set_results(pm4, commands, 0);
	pm4_counter_window(pm4, true);
	sync_shaders(pm4, commands, true);
	pm4_copy_timestamp(pm4,
			   commands->sample +
				   offsetof(struct commands_sample, timestamp));
	if (commands->core->commands.stale.byte)
		pm4_copy_register(
			pm4, commands->core->commands.stale,
			commands->sample +
				offsetof(struct commands_sample, stale));
	read_marker(pm4, commands);
	read_all(pm4, commands, reads, count);
	read_pulses(pm4, commands);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	sync_shaders(pm4, commands, false);
	pm4_counter_window(pm4, false);
	if (state & STATE_COUNT)
		set_results(pm4, commands, RESULT_ENABLE_ANY);
}

static void
sample(struct pm4 *pm4, const struct commands *commands, uint32_t state)
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
				? selects_used(block, commands->selects)
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

/* While everything counts. */
static void
begin_marker(struct pm4 *pm4, const struct commands *commands)
{
	if (!commands->marker.block)
		return;
	wait_idle(pm4, commands);
	select_marked(pm4, &commands->marker, 1, commands->marker.id);
	sample_reads(pm4, commands, NULL, 0, STATE_COUNT | STATE_LATCH);
}

/* ------------------------------------------------------------------ */

void
commands_start(struct pm4 *pm4, const struct commands *commands)
{
	const struct core *core = commands->core;

	wait_idle(pm4, commands);
	write_index(pm4, core, BLOCK_BROADCAST);
	set_state(pm4, commands, STATE_RESET);
	find_clock(pm4, commands);
	/* After the state: the command processor changes SQ's registers. */
	set_up(pm4, commands, true);
	set_results(pm4, commands, 0);
	selects_set_all(pm4, commands->core, commands->selects,
			commands->unused, true);
	hold_marker_back(pm4, commands);
	sample(pm4, commands,
	       core->controls[CORE_CP_PERFMON_CNTL].has_value
		       ? core->controls[CORE_CP_PERFMON_CNTL].value
		       : STATE_RESET | STATE_LATCH);
	set_state(pm4, commands, STATE_COUNT);
	own_shaders(pm4, commands);
	open_window(pm4, commands->core, true);
	set_results(pm4, commands, RESULT_ENABLE_ANY);
	begin_marker(pm4, commands);
	mark_done(pm4, commands);
}

void
commands_sample(struct pm4 *pm4, const struct commands *commands)
{
	wait_idle(pm4, commands);
	sample(pm4, commands, STATE_COUNT | STATE_LATCH);
	mark_done(pm4, commands);
}

void
commands_clear(struct pm4 *pm4, const struct commands *commands)
{
	wait_idle(pm4, commands);
	sample(pm4, commands, STATE_COUNT | STATE_LATCH);
	clear_saturating(pm4, commands);
	sample_reads(pm4, commands, commands->again, commands->again_count,
		     STATE_COUNT | STATE_LATCH);
	mark_done(pm4, commands);
}

void
commands_change(struct pm4 *pm4, const struct commands *commands)
{
	wait_idle(pm4, commands);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	find_clock(pm4, commands);
	set_up(pm4, commands, true);
	selects_set_all(pm4, commands->core, commands->selects,
			commands->unused, false);
	sample(pm4, commands, STATE_COUNT | STATE_LATCH);
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
	selects_clear_all(pm4, commands->core, commands->selects,
			  commands->unused);
	clear_marker(pm4, commands);
	set_up(pm4, commands, false);
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
