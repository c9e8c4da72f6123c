/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulated Intel GPU under the xe driver: its state. */
#ifndef DRMSIM_XE_DEVICE_H
#define DRMSIM_XE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "intel/load.h"
#include "intel/oa_device.h"
#include "intel/platform.h"
#include "intel/rate.h"
#include "intel/timeline.h"
#include "xe/chip.h"
#include "xe/eu_stall_rows.h"
#include "xe/eu_stall_unit.h"
#include "xe/registers.h"
#include "xe/uapi.h"

struct sim_call;
struct sim_gpu;
struct sim_xe_change;
struct sim_eu_stall_stream;

/* One OA unit; a stream has it for itself. */
struct sim_xe_unit {
	unsigned id, gt;
	enum sim_xe_unit_type type;
	unsigned block; /* of all but OAG: its selectors, registers.h */
	uint64_t hz; /* of its timestamp */
	struct sim_xe_place engines[SIM_XE_ENGINES_MAX];
	unsigned engine_count;
};

#define SIM_XE_EVENT_RATES 256

struct sim_xe_event_rate {
	uint32_t selector;
	struct sim_rate rate;
};

struct sim_xe {
	struct sim_gpu *gpu;
	struct sim_platform platform;
	struct sim_xe_chip chip;

	/* what runs; rates of single sets are those before Xe2 */
	struct sim_oa_device oa;
	struct sim_timeline media_timeline;
	/* rates of events, wherever their selectors are */
	struct sim_xe_event_rate event_rates[SIM_XE_EVENT_RATES];
	unsigned event_rate_count;
	uint64_t engine_offset; /* of the engines' timestamps */
	bool fixed_buffer; /* a kernel before 6.15: OA buffers have one size */
	/* a kernel before spring 2026: perf_event_paranoid lets nobody in */
	bool older_privileges;
	struct sim_load loads[SIM_XE_GTS];

	struct sim_xe_registers registers[SIM_XE_GTS]; /* of units, see below */
	struct sim_xe_unit units[SIM_OA_UNITS_MAX];
	unsigned unit_count;
	struct sim_xe_change *changes; /* oa_change.c */
	uint32_t last_change;
	uint64_t next_refresh; /* of the files of load */

	/* sampling of EU stalls */
	bool no_eu_stall; /* a kernel before 6.15 */
	struct sim_eu_stall_rows eu_stall_rows;
	uint64_t eu_stall_rate; /* rows a second, at the shortest interval */
	struct sim_eu_stall_stream *eu_stalls[SIM_XE_GTS];

	/* for the report */
	unsigned eu_stalls_opened;
	struct sim_eu_stall_statistics eu_stalls_closed;
};

struct sim_xe *
sim_xe_of(const struct sim_gpu *gpu);

/* Return ticks of the engines' timestamps, which may have another rate. */
uint64_t
sim_xe_engine_tick(const struct sim_xe *device, uint64_t ns);
/* Get an engine's timestamp. */
uint64_t
sim_xe_cycles(const struct sim_xe *device, uint64_t ns);
/* Return whether it is the GT of media engines. */
bool
sim_xe_gt_is_media(const struct sim_xe *device, unsigned gt);
unsigned
sim_xe_gt_tile(const struct sim_xe *device, unsigned gt);
/*
 * Return whether a device can sample EU stalls: Ponte Vecchio can, and all from
 * Xe2 on.
 */
bool
sim_xe_samples_eu_stalls(const struct sim_xe *device);
/* Return whether a GT has an XeCore of this number. */
bool
sim_xe_gt_has_core(const struct sim_xe *device, unsigned gt, unsigned core);
/* Get all engines of a GT; returns their number. */
unsigned
sim_xe_engines(const struct sim_xe *device, unsigned gt,
	       struct sim_xe_place *out);
bool
sim_xe_has_engine(const struct sim_xe *device, unsigned gt, unsigned class,
		  unsigned instance);
/*
 * Return the index of the registers that a unit counts by: those of its tile,
 * which all its units see. Before Xe2 a media GT has its own.
 */
unsigned
sim_xe_registers_index(const struct sim_xe *device,
		       const struct sim_xe_unit *unit);
/* Return the registers that a unit's rates follow from. */
const struct sim_xe_registers *
sim_xe_unit_registers(const struct sim_xe *device,
		      const struct sim_xe_unit *unit);

/* Make the units, numbered over all GTs, as the kernel does. */
void
sim_xe_make_units(struct sim_xe *device);

#endif /* DRMSIM_XE_DEVICE_H */
