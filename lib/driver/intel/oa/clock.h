/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The present time as the timestamps of OA reports tell it: read from an
 * engine's timestamp, which any process may do.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_CLOCK_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Reads an engine's timestamp; negative if it cannot be read. */
typedef int (*oa_clock_fn)(void *data, uint64_t *value);

/* A reading, and when it was made, on CLOCK_MONOTONIC. */
struct oa_clock_mark {
	uint64_t ticks, ns;
};

struct oa_clock {
	oa_clock_fn read;
	void *data;
	uint64_t hz; /* of OA timestamps */
	/* OA ticks per tick of the engine; 0: unusable */
	uint64_t ratio;
	/* Reports have been seen to agree with the engine. */
	bool proved;
	struct oa_clock_mark mark; /* the last reading */
	uint64_t checked_ns;
	unsigned doubts; /* successive reports that came too late */
};

/*
 * Initialize a clock; engine_hz is the rate of the engine's timestamps, 0 if
 * unknown.
 */
void oa_clock_init(struct oa_clock *clock, oa_clock_fn read, void *data,
		   uint64_t hz, uint64_t engine_hz);

/*
 * Read the time; its low 32 bits are those of a timestamp. Returns false if it
 * is unknown.
 */
bool oa_clock_now(struct oa_clock *clock, uint64_t *ticks);

/* Convert a timestamp to CLOCK_MONOTONIC, by the last reading. */
uint64_t oa_clock_monotonic_ns(const struct oa_clock *clock, uint64_t ticks);

/* Read again unless the last reading is fresh. */
void oa_clock_refresh(struct oa_clock *clock);

/*
 * Check that a report's time lies between two readings of the clock, taken
 * before and after it: if not, the units count from different beginnings.
 */
void oa_clock_prove(struct oa_clock *clock, uint64_t before, uint64_t time);

/*
 * Check that the clock still agrees with reports: two clocks that go at
 * different rates agree at first. time is that of the newest report of a read,
 * which began at begun_ns and finds reports at most oldest_ns old. A clock that
 * is wrong is not used again.
 */
void
oa_clock_check(struct oa_clock *clock, uint64_t time, uint64_t begun_ns,
	       uint64_t oldest_ns);

/* Call oa_clock_check(), ten times a second at most. */
void
oa_clock_watch(struct oa_clock *clock, uint64_t time, uint64_t begun_ns,
	       uint64_t oldest_ns);

/* Return a duration in nanoseconds, rounded up. */
uint64_t oa_clock_ns(const struct oa_clock *clock, uint64_t ticks);
uint64_t oa_clock_ns_at(uint64_t hz, uint64_t ticks);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_CLOCK_H */
