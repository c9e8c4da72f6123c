/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands that begin and end a trace. Nothing in them waits for a
 * register, since such a wait might not end: what the end has to wait for is
 * stored for the CPU to look at, as often as it likes.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TRACE_COMMANDS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TRACE_COMMANDS_H

#include "driver/amdgpu/stream/solo.h"
#include "driver/amdgpu/device/pm4.h"
#include "driver/amdgpu/trace/table.h"

/* Data that the GPU stores of an engine, in the order of the engines. */
struct trace_cell {
	uint32_t pointer;
	uint32_t status;
	uint32_t dropped; /* or written, of a struct trace_table */
	uint32_t unused;
};

/* Command buffers, in the order in which they run. */
enum trace_step {
	TRACE_START,
	TRACE_FINISH, /* no more tokens; those that are there are written */
	TRACE_LOOK, /* stores the status */
	TRACE_DISARM,
	TRACE_READ, /* stores all, and puts back what was found */
	TRACE_STEPS
};

struct trace_engine {
	unsigned number, unit;
};

struct trace_commands {
	const struct core *core;
	struct trace_table table;
	struct trace_engine engines[TOPOLOGY_ENGINES]; /* that are traced */
	size_t engine_count;
	bool is_brief; /* without tokens of instructions */
	bool is_of_all; /* programs */
	uint64_t data; /* GPU address of the buffers of the engines */
	uint64_t size; /* of each */
	uint64_t cells; /* GPU address of a struct trace_cell of each */
	uint64_t begun; /* GPU address of a struct solo_begun */
};

/*
 * Write the commands of a step. In those of TRACE_READ the value of
 * RLC_PERFMON_CLK_CNTL is at pm4->marked; 0: it is not written.
 */
void
trace_commands_write(struct pm4 *pm4, const struct trace_commands *commands,
		     enum trace_step step);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TRACE_COMMANDS_H */
