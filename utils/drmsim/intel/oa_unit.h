/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OA unit with its buffer, and the kernel's half that reads the buffer.
 *
 *      head          visible        tail
 *       |<- for read ->|<- landing ->|
 *     --+--------------+-------------+----->  reports, counted from 0
 *
 * The hardware writes reports at `tail`: periodic ones when the timestamp's
 * low bits say so, and on Broadwell and later one at each switch of context.
 * The kernel moves `visible` when its timer fires or a reader blocks, and
 * `head` when it copies reports to a reader. Memory holds no bytes: a report
 * is kept as the moment it was taken and is made when it is read, so that a
 * buffer of 16 MiB that fills at full speed costs little.
 *
 * Time is the tick of the OA timestamp, plus an offset where a report or the
 * periodic timer shows the timestamp itself.
 */
#ifndef DRMSIM_I915_OA_UNIT_H
#define DRMSIM_I915_OA_UNIT_H

#include "intel/oa_format.h"
#include "intel/rate.h"
#include "intel/timeline.h"

#define SIM_OA_BUFFER_SIZE (16u << 20)

struct sim_oa_unit;

/* How reports say whose they are. */
enum sim_oa_generation {
	SIM_OA_HASWELL,
	SIM_OA_GEN8, /* context valid: bit 25 */
	SIM_OA_GEN9, /* bit 16 */
	SIM_OA_GEN12, /* bit 16, and a seventh reason */
	SIM_OA_XEHP, /* bit 16 in context switches only */
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
	enum sim_oa_generation generation;
	uint64_t tick_hz;
	bool periodic;
	unsigned exponent;
	/* of one context only: property 1 */
	bool filtered;
	uint32_t context;
	/* Linux 6.1: what has lain still for 100 us is visible, too */
	bool aging;
};

/* What a unit counts with; changes take effect from the given tick on. */
struct sim_oa_counting {
	struct sim_rates rates;
	uint64_t clock_hz;
	uint64_t start[SIM_OA_SLOTS]; /* when the unit is enabled */
};

int sim_oa_unit_create(const struct sim_oa_setup *setup,
		       const struct sim_timeline *timeline,
		       struct sim_oa_unit **out);
void sim_oa_unit_destroy(struct sim_oa_unit *unit);

/* timestamp = tick + offset, in reports. */
void sim_oa_unit_set_offset(struct sim_oa_unit *unit, uint64_t offset);
/* 0 or -ENOMEM. Restarts from counting->start with an empty buffer. */
int sim_oa_unit_enable(struct sim_oa_unit *unit, uint64_t tick,
		       const struct sim_oa_counting *counting);
void sim_oa_unit_disable(struct sim_oa_unit *unit);
/* Go on from the values reached; 0 or -ENOMEM. */
int sim_oa_unit_recount(struct sim_oa_unit *unit, uint64_t tick,
			const struct sim_oa_counting *counting);
/* The timeline was exchanged at tick, to which the unit has run. */
void sim_oa_unit_retime(struct sim_oa_unit *unit);

/* The hardware works on, up to and with tick. */
void sim_oa_unit_run(struct sim_oa_unit *unit, uint64_t tick);

/* What goes wrong on demand. */
void sim_oa_unit_lose(struct sim_oa_unit *unit, uint64_t reports);
void sim_oa_unit_overflow(struct sim_oa_unit *unit);
void sim_oa_unit_hole(struct sim_oa_unit *unit, uint64_t reports);
void sim_oa_unit_stall(struct sim_oa_unit *unit, bool stalled);
/* A report out of turn, with a reason of enum sim_oa_reason. */
void sim_oa_unit_trigger(struct sim_oa_unit *unit, unsigned reason);

/* The kernel looks at the tail. True if there is something to read. */
bool sim_oa_unit_check(struct sim_oa_unit *unit, uint64_t now_ns);

/* What one read() is going to deliver. */
struct sim_oa_batch {
	uint8_t *data; /* the caller's, with room for `room` bytes */
	size_t room;
	size_t size; /* filled; only whole records */
	int error; /* 0, or -ENOSPC: there is more than fits */
	/* for sim_oa_unit_commit() */
	uint64_t head;
	uint32_t last_context;
	bool restart, lost;
};

/* Bytes that a read of everything would take at most. */
size_t sim_oa_unit_readable(const struct sim_oa_unit *unit);
void sim_oa_unit_peek(const struct sim_oa_unit *unit,
		      struct sim_oa_batch *batch);
/* The batch has reached the reader: 0 or -ENOMEM. */
int sim_oa_unit_commit(struct sim_oa_unit *unit,
		       const struct sim_oa_batch *batch, uint64_t tick,
		       const struct sim_oa_counting *counting);

struct sim_oa_statistics {
	uint64_t written, delivered, dropped, overflows;
};
void sim_oa_unit_statistics(const struct sim_oa_unit *unit,
			    struct sim_oa_statistics *out);

#endif /* DRMSIM_I915_OA_UNIT_H */
