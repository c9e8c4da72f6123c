/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources of the steps and their order: Mesa's ac_sqtt.c and radv_sqtt.c, AMD
 * PAL's gfx9PerfExperiment.cpp and gfx12PerfExperiment.cpp. Both wait for
 * registers in the commands of the end. As PAL does, bits of the SPI's register
 * are changed, and the rest of it stays as it is.
 */
#include "driver/amdgpu/trace/commands.h"

#include <stddef.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/select_regs.h"

/* GRBM_GFX_INDEX: the first array of an engine, all instances */
#define ENGINE_INDEX(engine) (1u << 30 | (uint32_t)(engine) << 16)

static void
set_controls(struct pm4 *pm4, const struct trace_commands *commands, bool on)
{
	const struct commands controls = { .core = commands->core };

	commands_set_controls(pm4, &controls, on);
}

static void
let_events(struct pm4 *pm4, const struct trace_commands *commands, bool pass)
{
	const uint32_t bits = commands->table.events_bits;

	pm4_modify_register(pm4, commands->table.events, bits, pass ? bits : 0);
}

static uint32_t
field_at(uint64_t value, uint8_t bit)
{
	return bit == TRACE_NO_BIT ? 0 : (uint32_t)value << bit;
}

static uint32_t
write_value(const struct trace_commands *commands,
	    const struct trace_write *write, size_t engine)
{
	const uint64_t base =
		(commands->data + engine * commands->size) / TRACE_PAGE;

	return (write->value |
		field_at(commands->size / TRACE_PAGE, write->size_bit) |
		field_at(base, write->base_bit) |
		field_at(base >> 32, write->high_bit) |
		field_at(commands->engines[engine].unit, write->unit_bit)) ^
	       ((commands->is_brief ? write->brief : 0) |
		(commands->is_of_all ? write->all_programs : 0));
}

/* ------------------------------------------------------------------ */
/* Each engine                                                          */

typedef void (*engine_step)(struct pm4 *pm4,
			    const struct trace_commands *commands,
			    size_t engine);

static void
arm_engine(struct pm4 *pm4, const struct trace_commands *commands,
	   size_t engine)
{
	const struct trace_table *table = &commands->table;

	for (size_t i = 0; i < table->write_count; i++)
		write_register(
			pm4, table->writes[i].reg,
			write_value(commands, &table->writes[i], engine));
}

static void
disarm_engine(struct pm4 *pm4, const struct trace_commands *commands,
	      size_t engine)
{
	const struct trace_table *table = &commands->table;
	const struct trace_write *last = &table->writes[table->write_count - 1];

	write_register(pm4, last->reg,
		       write_value(commands, last, engine) & ~last->armed);
}

static uint64_t
cell_address(const struct trace_commands *commands, size_t engine,
	     size_t member)
{
	return commands->cells + engine * sizeof(struct trace_cell) + member;
}

static void
store_status(struct pm4 *pm4, const struct trace_commands *commands,
	     size_t engine)
{
	pm4_copy_register(pm4, commands->table.status,
			  cell_address(commands, engine,
				       offsetof(struct trace_cell, status)));
}

static void
store_engine_state(struct pm4 *pm4, const struct trace_commands *commands,
		   size_t engine)
{
	const struct trace_table *table = &commands->table;

	pm4_copy_register(pm4, table->pointer,
			  cell_address(commands, engine,
				       offsetof(struct trace_cell, pointer)));
	store_status(pm4, commands, engine);
	pm4_copy_register(pm4,
			  table->written.byte ? table->written : table->dropped,
			  cell_address(commands, engine,
				       offsetof(struct trace_cell, dropped)));
}

static void
step_engines(struct pm4 *pm4, const struct trace_commands *commands,
	     engine_step step)
{
	const enum pm4_source source = pm4->source;

	pm4->source = PM4_SOURCE_COUNTER;
	pm4_counter_window(pm4, true);
	for (size_t i = 0; i < commands->engine_count; i++) {
		write_index(pm4, commands->core,
			    ENGINE_INDEX(commands->engines[i].number));
		step(pm4, commands, i);
	}
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	pm4->source = source;
}

/* ------------------------------------------------------------------ */

static void
write_start(struct pm4 *pm4, const struct trace_commands *commands)
{
	const struct core_control *clock =
		&commands->core->controls[CORE_RLC_PERFMON_CLK_CNTL];

	pm4_wait_idle(pm4);
	pm4_refresh(pm4);
	write_index(pm4, commands->core, BLOCK_BROADCAST);
	if (clock->reg.byte)
		pm4_copy_register(pm4, clock->reg,
				  commands->begun +
					  offsetof(struct solo_begun, clock));
	set_controls(pm4, commands, true);
	let_events(pm4, commands, true);
	step_engines(pm4, commands, arm_engine);
	pm4_event(pm4, PM4_THREAD_TRACE_START);
	pm4_copy_timestamp(pm4, commands->begun +
					offsetof(struct solo_begun, timestamp));
}

static void
write_finish(struct pm4 *pm4)
{
	pm4_wait_idle(pm4);
	pm4_event(pm4, PM4_THREAD_TRACE_STOP);
	pm4_event(pm4, PM4_THREAD_TRACE_FINISH);
	pm4_wait_idle(pm4);
}

static void
write_read(struct pm4 *pm4, const struct trace_commands *commands)
{
	step_engines(pm4, commands, store_engine_state);
	let_events(pm4, commands, false);
	set_controls(pm4, commands, false);
}

void
trace_commands_write(struct pm4 *pm4, const struct trace_commands *commands,
		     enum trace_step step)
{
	switch (step) {
	case TRACE_START:
		write_start(pm4, commands);
		break;
	case TRACE_FINISH:
		write_finish(pm4);
		break;
	case TRACE_LOOK:
		step_engines(pm4, commands, store_status);
		break;
	case TRACE_DISARM:
		step_engines(pm4, commands, disarm_engine);
		break;
	case TRACE_READ:
		write_read(pm4, commands);
		break;
	case TRACE_STEPS:
		break;
	}
}
