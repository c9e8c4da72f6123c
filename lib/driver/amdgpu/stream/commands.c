/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources of the steps and their order: Mesa's ac_spm.c and radv_spm.c, AMD
 * PAL's gfx9PerfExperiment.cpp.
 */
#include "driver/amdgpu/stream/commands.h"

#include <stddef.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/select_regs.h"

/*
 * States of CP_PERFMON_CNTL. The counters' own state stays that of reset: that
 * of a stop can leave counters of the SQ dead.
 */
#define STATE_RESET 0u
#define STATE_STREAM (1u << 4)
#define STATE_STREAM_ENDS (2u << 4)

/* Counter modes in bits 23:20 of a select register: the value does not wrap. */
#define MODE_BIT 20
#define MODE_16_BITS 1u
#define MODE_32_BITS 3u

/* The second event of a select register. */
#define SECOND_BIT 10

#define LINE_DWORDS (STREAM_LINE_SIZE / sizeof(uint32_t))
#define INTERVAL_BIT 16

static unsigned
needs_of(const struct stream_layout *layout)
{
	unsigned needs = 0;

	for (size_t i = 0; i < layout->counter_count; i++)
		needs |= core_needs(
			&layout->core->blocks[layout->counters[i].block]);
	return needs;
}

static struct commands
controls_of(const struct stream_layout *layout)
{
	return (struct commands){
		.core = layout->core,
		.stages = core_stages(layout->core),
		.needs = needs_of(layout),
	};
}

static void
set_state(struct pm4 *pm4, const struct core *core, uint32_t state)
{
	write_register(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, state);
}

/* ------------------------------------------------------------------ */
/* The RLC                                                              */

static void
set_ring(struct pm4 *pm4, const struct stream_commands *commands)
{
	const struct stream_registers *registers =
		&commands->layout->table.registers;

	write_register(pm4, registers->control,
		       commands->interval << INTERVAL_BIT);
	write_register(pm4, registers->ring_low, (uint32_t)commands->ring);
	write_register(pm4, registers->ring_high,
		       (uint32_t)(commands->ring >> 32));
	write_register(pm4, registers->ring_size, commands->ring_size);
	if (registers->ring_position.byte)
		write_register(pm4, registers->ring_position, 0);
	if (registers->accumulation.byte)
		write_register(pm4, registers->accumulation, 0);
}

static void
set_separate_segments(struct pm4 *pm4, const struct stream_layout *layout)
{
	const struct stream_registers *registers = &layout->table.registers;
	const struct stream_segment *segments = layout->segments;
	uint32_t engines = 0;

	for (unsigned i = 0; i < 4; i++)
		engines |= segments[1 + i].lines << 8 * i;
	write_register(pm4, registers->segment_size, 0);
	write_register(pm4, registers->engine_segments, engines);
	write_register(pm4, registers->global_segment,
		       layout->lines | segments[0].lines << 8);
}

static void
set_equal_segments(struct pm4 *pm4, const struct stream_layout *layout)
{
	write_register(pm4, layout->table.registers.segment_size,
		       layout->lines | layout->segments[0].lines << 16 |
			       layout->engine_lines << 24);
}

/* Set the sizes of the segments: all have five bits, and their sum eight. */
static void
set_packed_segments(struct pm4 *pm4, const struct stream_layout *layout)
{
	uint32_t sizes = layout->lines | layout->segments[0].lines << 11;

	for (unsigned i = 0; i < 3; i++)
		sizes |= layout->segments[1 + i].lines << (16 + 5 * i);
	write_register(pm4, layout->table.registers.segment_size, sizes);
}

static void
set_segments(struct pm4 *pm4, const struct stream_layout *layout)
{
	switch (layout->table.form) {
	case STREAM_SEPARATE:
		set_separate_segments(pm4, layout);
		break;
	case STREAM_EQUAL:
		set_equal_segments(pm4, layout);
		break;
	case STREAM_PACKED:
		set_packed_segments(pm4, layout);
		break;
	}
}

/* Write the codes of a line of a segment, two to a dword. */
static void
set_line(struct pm4 *pm4, const struct stream_layout *layout, unsigned segment,
	 unsigned line)
{
	const struct stream_registers *registers = &layout->table.registers;
	uint32_t dwords[LINE_DWORDS] = { 0 };

	for (size_t i = 0; i < layout->entry_count; i++) {
		const struct stream_entry *entry = &layout->entries[i];
		const unsigned at = entry->place % STREAM_LINE_ENTRIES;

		if (entry->segment == segment &&
		    stream_entry_line(entry) == line)
			dwords[at / 2] |= (uint32_t)entry->code << at % 2 * 16;
	}
	write_register(pm4,
		       segment ? registers->engine_address
			       : registers->global_address,
		       line * LINE_DWORDS);
	pm4_store_in_register(
		pm4, segment ? registers->engine_data : registers->global_data,
		dwords, LINE_DWORDS);
}

static void
set_lines(struct pm4 *pm4, const struct stream_layout *layout)
{
	for (unsigned i = 0; i < STREAM_SEGMENTS; i++) {
		if (!layout->segments[i].lines)
			continue;
		write_index(pm4, layout->core,
			    i ? BLOCK_ENGINE(i - 1) : BLOCK_BROADCAST);
		for (unsigned line = 0; line < layout->segments[i].lines;
		     line++)
			set_line(pm4, layout, i, line);
	}
}

/* ------------------------------------------------------------------ */
/* The counters                                                         */

/* Return the counter that takes a lane, or NULL. */
static const struct stream_counter *
counter_of_lane(const struct stream_layout *layout, size_t block, unsigned lane)
{
	for (size_t i = 0; i < layout->counter_count; i++) {
		if (layout->counters[i].block == block &&
		    layout->counters[i].lane == lane)
			return &layout->counters[i];
	}
	return NULL;
}

/* Select the events of a wire: in its odd lane counts a second one. */
static uint32_t
wire_events(const struct stream_layout *layout, size_t block, unsigned wire,
	    uint32_t *mode)
{
	const struct stream_counter *even =
		counter_of_lane(layout, block, 2 * wire);
	const struct stream_counter *odd =
		counter_of_lane(layout, block, 2 * wire + 1);

	if (even)
		*mode = even->wide ? MODE_32_BITS : MODE_16_BITS;
	return (even ? even->id : 0) | (odd ? odd->id << SECOND_BIT : 0);
}

static void
select_events(struct pm4 *pm4, const struct stream_layout *layout, size_t index)
{
	const struct block *block = &layout->core->blocks[index];
	const unsigned modules = stream_block_modules(block);

	for (unsigned i = 0; i < (modules ? modules : block->max_active); i++) {
		const struct block_slot *slot = block_slot(block, 0, i);
		uint32_t mode = 0, first, second = 0;

		first = wire_events(layout, index, modules ? 2 * i : i, &mode);
		if (!mode)
			continue;
		if (modules)
			second = wire_events(layout, index, 2 * i + 1, &mode);
		write_register(pm4, slot->select,
			       first | mode << MODE_BIT | block->select_or);
		if (modules)
			write_register(pm4, slot->select1, second);
	}
}

/* Return how often selects of an instance are to be written; 0: not at all. */
static unsigned
count_simds(const struct stream_layout *layout, size_t block, unsigned instance)
{
	for (size_t i = 0; i < layout->counter_count; i++) {
		if (layout->counters[i].block == block &&
		    stream_counter_reads(layout, &layout->counters[i],
					 instance))
			return layout->counters[i].simds;
	}
	return 0;
}

/*
 * Selects are written to each instance by itself, and to each SIMD that has its
 * own: the lowest bits of the instance name it. Some blocks want to be left
 * before another instance is named.
 */
static void
write_selects(struct pm4 *pm4, const struct stream_layout *layout)
{
	const struct core *core = layout->core;

	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		for (unsigned k = 0; k < block->instance_count; k++) {
			const unsigned simds = count_simds(layout, i, k);

			for (unsigned simd = 0; simd < simds; simd++) {
				if (block->apart)
					write_index(pm4, core, BLOCK_BROADCAST);
				write_index(pm4, core,
					    block->instances[k].index | simd);
				select_events(pm4, layout, i);
			}
		}
	}
	write_index(pm4, core, BLOCK_BROADCAST);
}

static void
clear_counter(struct pm4 *pm4, const struct block *block,
	      const struct stream_counter *counter)
{
	const unsigned modules = stream_block_modules(block);
	const unsigned wire = counter->lane / 2;
	const struct block_slot *slot =
		block_slot(block, 0, modules ? wire / 2 : wire);

	write_register(pm4, slot->select, 0);
	if (modules)
		write_register(pm4, slot->select1, 0);
}

/* Clear the selects of all instances at once, where a block lets that be. */
static void
clear_selects(struct pm4 *pm4, const struct stream_layout *layout)
{
	const struct core *core = layout->core;

	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct stream_counter *counter = &layout->counters[i];
		const struct block *block = &core->blocks[counter->block];

		if (!block->apart)
			clear_counter(pm4, block, counter);
		for (unsigned k = 0; block->apart && k < block->instance_count;
		     k++) {
			write_index(pm4, core, BLOCK_BROADCAST);
			write_index(pm4, core, block->instances[k].index);
			clear_counter(pm4, block, counter);
		}
	}
	write_index(pm4, core, BLOCK_BROADCAST);
}

/* ------------------------------------------------------------------ */

void
stream_commands_start(struct pm4 *pm4, const struct stream_commands *commands)
{
	const struct stream_layout *layout = commands->layout;
	const struct core *core = layout->core;
	const struct core_control *clock =
		&core->controls[CORE_RLC_PERFMON_CLK_CNTL];
	const struct commands controls = controls_of(layout);

	pm4_wait_idle(pm4);
	write_index(pm4, core, BLOCK_BROADCAST);
	set_state(pm4, core, STATE_RESET);
	if (clock->reg.byte)
		pm4_copy_register(pm4, clock->reg,
				  commands->begun +
					  offsetof(struct solo_begun, clock));
	commands_set_controls(pm4, &controls, true);
	set_ring(pm4, commands);
	set_segments(pm4, layout);
	pm4_counter_window(pm4, true);
	set_lines(pm4, layout);
	write_selects(pm4, layout);
	pm4_counter_window(pm4, false);
	set_state(pm4, core, STATE_STREAM);
	commands_open(pm4, &controls);
	pm4_copy_timestamp(pm4, commands->begun +
					offsetof(struct solo_begun, timestamp));
}

/*
 * Stop a stream. The RLC may still write when it has been stopped: the reset is
 * put behind the end of all work.
 */
void
stream_commands_stop(struct pm4 *pm4, const struct stream_commands *commands)
{
	const struct stream_layout *layout = commands->layout;
	const struct core *core = layout->core;
	const struct commands controls = controls_of(layout);

	pm4_wait_idle(pm4);
	write_index(pm4, core, BLOCK_BROADCAST);
	commands_close(pm4, &controls);
	set_state(pm4, core, STATE_STREAM_ENDS);
	pm4_wait_idle(pm4);
	pm4_wait_end(pm4, commands->begun + offsetof(struct solo_begun, fence),
		     commands->begun + offsetof(struct solo_begun, samples));
	set_state(pm4, core, STATE_RESET);
	clear_selects(pm4, layout);
	write_register(pm4, layout->table.registers.control, 0);
	commands_set_controls(pm4, &controls, false);
}
