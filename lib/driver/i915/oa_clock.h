/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The present time as the timestamps of OA reports tell it: read from the
 * render engine's timestamp register, which any process may do.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_OA_CLOCK_H
#define DRMPERF_LIB_DRIVER_I915_OA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct oa_clock {
	int fd;	     /* of the DRM node */
	uint64_t hz; /* of OA timestamps */
	/* OA ticks per tick of the register; 0: the register is of no use */
	uint64_t ratio;
	/* Reports have been seen to agree with the register. */
	bool proved;
	/* The last reading, and when that was on CLOCK_MONOTONIC. */
	uint64_t mark_ticks, mark_ns;
};

/* register_hz: the rate of the engine's timestamps; 0 if unknown. */
void oa_clock_init(struct oa_clock *clock, int fd, uint64_t hz,
		   uint64_t register_hz);

/* The low 32 bits are those of a timestamp. False if it cannot be told. */
bool oa_clock_now(struct oa_clock *clock, uint64_t *ticks);

/* How long ago a timestamp was, in ns, going by the last reading. */
int64_t oa_clock_age(const struct oa_clock *clock, uint64_t ticks);

/* Read again unless the last reading is fresh enough to go by. */
void oa_clock_refresh(struct oa_clock *clock);

/*
 * Whether a report's time lies between two readings of the clock, taken before
 * and after it: if not, the units count from different beginnings.
 */
void oa_clock_prove(struct oa_clock *clock, uint64_t before, uint64_t time);

/* Durations; rounded up. */
uint64_t oa_clock_ns(const struct oa_clock *clock, uint64_t ticks);

#endif /* DRMPERF_LIB_DRIVER_I915_OA_CLOCK_H */
