/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The workload of the GPU over time: a cycle of phases, repeated for ever.
 *
 *     |<- phase 0 ->|<--- phase 1 --->|<- 2: idle ->|<- phase 0 ->| ...
 *     origin                                        origin + length
 *
 * Time is counted in ticks of the OA timestamp. Of each moment the timeline
 * knows how many ticks the GPU was busy before it, and the sum of ticks times
 * the weight of their phase (counters advance with that). Both go on without a
 * step when the cycle is exchanged.
 */
#ifndef DRMSIM_INTEL_TIMELINE_H
#define DRMSIM_INTEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_PHASES_MAX 64

struct sim_phase {
	uint32_t context; /* the hardware's id, as in reports */
	uint32_t weight; /* of counters; 1 is usual */
	uint64_t ticks;
	bool idle; /* weight and context mean nothing */
};

struct sim_timeline {
	struct sim_phase phases[SIM_PHASES_MAX];
	size_t count; /* at least 1 */
	uint64_t origin;
};

/* A place on a timeline, which only moves forward. */
struct sim_cursor {
	const struct sim_timeline *timeline;
	/* If not 0: phases of other contexts count as if they were idle. */
	uint32_t only;
	size_t phase;
	uint64_t start; /* when the phase began */
	uint64_t tick;
	uint64_t busy, weighted; /* sums before tick */
};

/* Make one phase without end: what a scenario without phases gets. */
void sim_timeline_init(struct sim_timeline *timeline, uint32_t context);

/*
 * Read a cycle: phases separated by commas, each CONTEXT:TIME, with *WEIGHT
 * behind it if it is not 1, or idle:TIME. CONTEXT is a number, TIME has a
 * unit: "0x21:2ms,0x22:500us*3,idle:1ms". A lone CONTEXT or "idle" is for
 * ever. Times are cut to whole ticks of frequency Hz, at least one.
 *
 * Returns 0, or -EINVAL with the timeline untouched.
 */
int sim_timeline_parse(struct sim_timeline *timeline, const char *text,
		       uint64_t frequency, uint64_t origin);

/* Start at tick, which is the timeline's origin or later, with sums of 0. */
void sim_cursor_init(struct sim_cursor *cursor,
		     const struct sim_timeline *timeline, uint32_t only,
		     uint64_t tick);
/*
 * Continue after the timeline was exchanged at the cursor's tick, and keep the
 * sums.
 */
void sim_cursor_restart(struct sim_cursor *cursor);
/* Move to tick. */
void sim_cursor_advance(struct sim_cursor *cursor, uint64_t tick);
const struct sim_phase *sim_cursor_phase(const struct sim_cursor *cursor);
/* Return when the next phase begins, or UINT64_MAX if never. */
uint64_t sim_cursor_end(const struct sim_cursor *cursor);

#endif /* DRMSIM_INTEL_TIMELINE_H */
