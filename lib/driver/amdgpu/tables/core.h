/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graphics core as its table describes it and as this GPU has it: the
 * registers that govern counting, the blocks, and which events may be
 * core_clock to the counter clock.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CORE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "driver/amdgpu/tables/block.h"
#include "driver/amdgpu/tables/topology.h"

/* Registers with a role of their own; a generation may lack any but two. */
enum core_register {
	CORE_GRBM_GFX_INDEX,
	CORE_CP_PERFMON_CNTL,
	CORE_RLC_PERFMON_CNTL,
	CORE_RLC_PERFMON_CLK_CNTL,
	CORE_COMPUTE_PERFCOUNT_ENABLE,
	CORE_COMPUTE_THREAD_TRACE_ENABLE,
	CORE_SQ_PERFCOUNTER_CTRL,
	CORE_SQ_PERFCOUNTER_CTRL2,
	CORE_SQ_PERFCOUNTER_MASK,
	CORE_SQG_PERFCOUNTER_CTRL,
	CORE_SQG_PERFCOUNTER_CTRL2,
	CORE_SPI_SQG_EVENT_CTL,
	CORE_RMI_PERF_COUNTER_CNTL,
	CORE_GRBMH_SYNC,
	CORE_REGISTERS
};

const char *core_register_name(enum core_register name);

struct core_control {
	struct pm4_register reg; /* byte 0: this generation has none */
	uint32_t value;		 /* while counting */
	uint32_t reset;		 /* afterwards, if nothing was found */
	bool put_back; /* afterwards it is what was found before */
	uint32_t sync; /* bit that shows when what was written has arrived */
	/* that bit, or value if there is none, has been seen on this GPU */
	bool sync_is_kept;
	bool has_value;
};

/* Requirements of a block other than its own registers. */
enum core_need {
	CORE_NEEDS_SHADERS = 1 << 0, /* the SQ has to let it count */
	CORE_NEEDS_RMI = 1 << 1,
	CORE_NEEDS_RLC = 1 << 2,
	CORE_NEEDS_SWITCH = 1 << 3, /* its results are switched on and off */
};

#define CORE_CLOCK_EVENTS 16u

struct core_clock_event {
	size_t block; /* index in core.blocks */
	uint32_t id;
	const char *name; /* "GRBM.COUNT" */
};

/*
 * Part of the firmware in counting: it needs a packet before GRBM_GFX_INDEX
 * names less than everything, if it is new enough to know the packet.
 */
struct core_window {
	uint32_t open; /* 0: this generation has no such packet */
	uint32_t firmware[PM4_ENGINES]; /* first version that knows it */
	const char *hidden; /* why there is none yet, or NULL */
};

/*
 * Name of the window among the hidden items, which DRMPERF_UNTESTED can list.
 */
#define CORE_WINDOW_NAME "PERF_COUNTER_WINDOW"

/* How commands are given, where there are rings of both engines. */
struct core_commands {
	enum pm4_engine samples;  /* takes samples */
	enum pm4_engine graphics; /* the same for blocks of the graphics pipe */
	bool never_stops; /* PERFCOUNTER_STOP would do harm */
	enum pm4_source source; /* by which registers are read */
	bool pairs; /* two registers are copied at once, see block.halves */
	bool bit_only; /* PERFCOUNTER_SAMPLE is not sent */
	/* selects written while counters run wait until those are reset */
	bool selects_wait;
	/* the first read of it in a sample is not to be believed; 0: none */
	struct pm4_register stale;
};

/*
 * A block of the table, or an event ("SQ_WGP.WAVE_CYCLES"), that is not offered
 * until it has been tested.
 */
struct core_hidden {
	const char *name;
	const char *reason;
};

/*
 * Values that SQ_PERFCOUNTER_CTRL and SQG's show in a ring that has not written
 * them last: the command processor may keep them for each ring.
 */
enum core_sq_control {
	CORE_SQ_DOUBTED, /* neither documented nor tested */
	CORE_SQ_KEPT, /* what was written */
	CORE_SQ_LOST, /* their reset value */
};

struct core {
	const struct table *table;
	unsigned level; /* major version */
	unsigned xccs; /* that may take a command buffer; 0: there is but one */
	uint32_t engines; /* mask of the shader engines of this GPU */
	struct core_control controls[CORE_REGISTERS];
	/*
	 * FORCE_EN of SQ_PERFCOUNTER_CTRL2 has been seen to make the SQ count
	 * all waves. AMD's own patches for KFD say that PERFCOUNT_ENABLE has to
	 * be set in each queue (amd-gfx, "Add kfd_ioctl_profiler", 2026-02).
	 */
	bool force_en;
	enum core_sq_control sq_control;
	struct core_window window;
	struct core_commands commands;
	/* those this GPU has, in the order of the table */
	struct block *blocks;
	size_t block_count;
	size_t instance_count; /* of all blocks */
	size_t slot_count; /* of all these instances */
	struct core_hidden *hidden;
	size_t hidden_count;
	struct core_clock_event core_clock_events[CORE_CLOCK_EVENTS];
	size_t core_clock_event_count;
};

/* Return the level attribute of a table, which topology_init() wants. */
int core_level(const struct table *table, unsigned *out,
	       struct drmperf_error *error);

/*
 * Read all but events and metrics. The first table is the generation's own;
 * of the others only blocks are read that none before them has. What is read
 * lives in the arena and in the tables. -EBADMSG if a table is malformed;
 * -ENOMEM.
 */
int core_read(struct core *core, const struct table *const *tables,
	      size_t count, const struct topology *topology,
	      struct arena *arena, struct drmperf_error *error);

/* Return whether an event of the generation's table is hidden. */
bool core_hides(const struct core *core, const struct block *block,
		const char *event);

/* Return the block of this name, or NULL. */
const struct block *core_block(const struct core *core, const char *name);

/*
 * Return the name of an event of the core's own table, or NULL; what is read on
 * the way lives in the arena.
 */
const char *core_event_name(const struct core *core, size_t block, uint32_t id,
			    struct arena *arena);

/* Find an event's id by its name. -ENOENT; -EBADMSG. */
int core_event_id(const struct core *core, size_t block, const char *name,
		  struct arena *arena, uint32_t *out);

/*
 * Return the value that opens the window on an engine with this firmware; 0 if
 * none does.
 */
uint32_t core_window_open(const struct core *core, enum pm4_engine engine,
			  uint32_t firmware);

/* Return the mask of enum core_need. */
unsigned core_needs(const struct block *block);

/*
 * Return the shader stages that windowed blocks are to count; 0: has no mask.
 */
uint32_t core_stages(const struct core *core);

/*
 * Return whether the kernel controls the clock of the counters, and keeps it
 * running only in a stable power state.
 */
bool core_clock_is_kernels(const struct core *core);

/*
 * Return whether the kernel writes RLC_PERFMON_CLK_CNTL, as processes may or
 * alone.
 */
bool core_kernel_sets_clock(const struct core *core);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_CORE_H */
