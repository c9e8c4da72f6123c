/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OA unit with its buffer.
 *
 *      head          tail
 *       |<- reports ->|
 *     --+-------------+----->  counted from 0
 *
 * The hardware writes reports at `tail`: periodic ones when the timestamp's
 * low bits say so, and on Broadwell and later one at each switch of context.
 * The kernel's driver, which reads them, moves `head`. Memory holds no bytes:
 * a report is kept as the moment it was taken and is made when it is read, so
 * that a buffer of 16 MiB that fills at full speed costs little.
 *
 * Time is the tick of the OA timestamp, plus an offset where a report or the
 * periodic timer shows the timestamp itself.
 */
#ifndef DRMSIM_INTEL_OA_UNIT_H
#define DRMSIM_INTEL_OA_UNIT_H

#include "intel/oa_format.h"
#include "intel/rate.h"
#include "intel/timeline.h"

#define SIM_OA_BUFFER_SIZE (16u << 20) /* i915 knows no other */

struct sim_oa_unit;

/* How reports identify their context. */
enum sim_oa_generation {
	SIM_OA_HASWELL,
	SIM_OA_GEN8, /* context valid: bit 25 */
	SIM_OA_GEN9, /* bit 16 */
	SIM_OA_GEN12, /* bit 16, and a seventh reason */
	SIM_OA_XEHP, /* bit 16 in context switches only */
	SIM_OA_XE2, /* as XEHP, with words of 64 bits */
};

enum sim_oa_reason {
	SIM_OA_TIMER = 1,
	SIM_OA_TRIGGER1 = 2,
	SIM_OA_TRIGGER2 = 4,
	SIM_OA_SWITCH = 8,
	SIM_OA_GO = 16,
	SIM_OA_MMIO = 64,
};

struct sim_oa_setup {
	const struct sim_oa_format *format;
	size_t buffer_size; /* 0: SIM_OA_BUFFER_SIZE */
	enum sim_oa_generation generation;
	uint64_t tick_hz;
	bool periodic;
	unsigned exponent;
	bool filtered; /* of one context only */
	uint32_t context;
};

/* Settings of a unit's counters; changes take effect from the given tick. */
struct sim_oa_counting {
	struct sim_rates rates;
	uint64_t clock_hz;
	uint64_t start[SIM_OA_SLOTS]; /* when the unit is enabled */
};

int sim_oa_unit_create(const struct sim_oa_setup *setup,
		       const struct sim_timeline *timeline,
		       struct sim_oa_unit **out);
void sim_oa_unit_destroy(struct sim_oa_unit *unit);

/* Set the offset: timestamp = tick + offset, in reports. */
void sim_oa_unit_set_offset(struct sim_oa_unit *unit, uint64_t offset);
/*
 * Enable the unit: it restarts from counting->start with an empty buffer.
 * Returns 0 or -ENOMEM.
 */
int sim_oa_unit_enable(struct sim_oa_unit *unit, uint64_t tick,
		       const struct sim_oa_counting *counting);
void sim_oa_unit_disable(struct sim_oa_unit *unit);
/* Disable the unit but keep reports already written for reading. */
void sim_oa_unit_stop(struct sim_oa_unit *unit);
/*
 * Change what is counted, and go on from the values reached. Returns 0 or
 * -ENOMEM.
 */
int sim_oa_unit_recount(struct sim_oa_unit *unit, uint64_t tick,
			const struct sim_oa_counting *counting);
/*
 * Continue on a timeline that was exchanged at the tick to which the unit has
 * run.
 */
void sim_oa_unit_retime(struct sim_oa_unit *unit);

/* Run the hardware up to and with tick. */
void sim_oa_unit_run(struct sim_oa_unit *unit, uint64_t tick);

/* Inject a fault: lost reports, an overflow, a hole. */
void sim_oa_unit_lose(struct sim_oa_unit *unit, uint64_t reports);
void sim_oa_unit_overflow(struct sim_oa_unit *unit);
void sim_oa_unit_hole(struct sim_oa_unit *unit, uint64_t reports);
/* Give the report behind the next n reports a timestamp one tick less. */
void
sim_oa_unit_late(struct sim_oa_unit *unit, uint64_t reports);
void sim_oa_unit_stall(struct sim_oa_unit *unit, bool stalled);
/* Write a report out of turn, with a reason of enum sim_oa_reason. */
void sim_oa_unit_trigger(struct sim_oa_unit *unit, unsigned reason);

/* ---- what a reader gets */

struct sim_oa_report {
	struct sim_span at;
	uint32_t context;
	uint8_t reason;
	bool valid; /* the context */
	bool hole; /* nothing but zeros in memory */
	struct sim_oa_epoch *epoch;
};

bool sim_oa_unit_is_enabled(const struct sim_oa_unit *unit);
/*
 * Return whether the buffer was full: nothing more is written until the unit is
 * enabled again.
 */
bool sim_oa_unit_has_overflowed(const struct sim_oa_unit *unit);
/* Return whether a report was lost; the flag stays until it is cleared. */
bool sim_oa_unit_has_lost(const struct sim_oa_unit *unit);
void sim_oa_unit_clear_lost(struct sim_oa_unit *unit);

uint64_t sim_oa_unit_head(const struct sim_oa_unit *unit);
uint64_t sim_oa_unit_tail(const struct sim_oa_unit *unit);
/* Return the report at index, which is from head to before tail. */
const struct sim_oa_report *sim_oa_unit_report(const struct sim_oa_unit *unit,
					       uint64_t index);
/*
 * Return how far reports have landed, at least to `visible`. A report has
 * landed for sure when the one after it has begun to: walk back from the
 * hardware's tail, whose place in the buffer is still zeros, to a place that is
 * not.
 */
uint64_t
sim_oa_unit_landed(const struct sim_oa_unit *unit, uint64_t visible);
/* Write the bytes of a report to out, as many as the format has. */
void sim_oa_unit_write(const struct sim_oa_unit *unit, uint64_t index,
		       uint32_t context, uint8_t *out);
/* Release the reports before head, which have been read. */
void sim_oa_unit_release(struct sim_oa_unit *unit, uint64_t head);

struct sim_oa_statistics {
	uint64_t written, delivered, dropped, overflows;
};
/* Add those of a unit. */
void
sim_oa_statistics_add(struct sim_oa_statistics *sum,
		      const struct sim_oa_unit *unit);

#endif /* DRMSIM_INTEL_OA_UNIT_H */
