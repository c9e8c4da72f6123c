/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detect that an OA unit has lost its metric set while its timestamps go on:
 * the kernel does not restore the registers that route events after a reset of
 * an engine or a sleep of the machine. Counters then stand still as in an idle
 * GPU, so other signs are needed.
 *
 * A reset of the whole GPU is noticed where the kernel reports the number of
 * resets, which i915 does for CAP_SYS_ADMIN. Resets of engines, the usual ones,
 * are counted by i915, but no ioctl reports them; xe has no such counts.
 *
 * The reports have a sign of these, on i915 from gen8 on: A0, fed by a fixed
 * unit that a reset leaves alone, counts the clocks in which the GPU was busy,
 * while B and C counters, to which events are routed, stop for good. If they
 * had moved before, and then all stand still for OA_RESET_CHECK_BUSY_CLOCKS of
 * work, the metric set is assumed lost. Less work than that might not touch the
 * set's events. Xe2 has no counter of a fixed unit but the clock: an idle GPU
 * looks like one that was reset, so users are to be warned
 * (driver_origin.may_miss_resets).
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_RESET_CHECK_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_RESET_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Some half a second to one of work. */
#define OA_RESET_CHECK_BUSY_CLOCKS (UINT64_C(1) << 30)

struct oa_format;
struct oa_gpu;

struct oa_reset_check {
	struct oa_gpu *gpu;
	uint64_t slept_ns; /* time asleep since boot, at most */
	bool knows_resets;
	uint64_t resets;
	bool can_stall; /* the format has A0, and B or C */
	bool has_moved; /* B or C counters have moved since the start */
	uint64_t routed, busy; /* sums of those and A0 when they last moved */
};

/* Begin to look for resets, once the metric set is in place. */
void
oa_reset_check_begin(struct oa_reset_check *watch, struct oa_gpu *gpu,
		     const struct oa_format *format);

/*
 * Compare the sums of all reports so far with those before. Returns 0, or
 * -EUCLEAN if routed counters have stopped.
 */
int
oa_reset_check_sums(struct oa_reset_check *watch, const uint64_t *sums);

/*
 * Look for a reset. Returns 0; -ECANCELED after a reset; -ESTALE after a sleep
 * of the machine; -ENODEV where the GPU has gone.
 */
int
oa_reset_check_run(const struct oa_reset_check *watch);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_RESET_CHECK_H */
