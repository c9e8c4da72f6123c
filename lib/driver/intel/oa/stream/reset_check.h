/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that make an OA unit forget its metric set while its time goes on: the
 * kernel does not restore the registers that route events when an engine is
 * reset or the machine has slept. Counters that stand still because of that
 * look like an idle GPU, so it has to be noticed by other signs.
 *
 * A reset of the whole GPU is noticed where the kernel reports the number of
 * resets, which i915 does for CAP_SYS_ADMIN. Resets of engines, the usual ones,
 * are counted by i915, but no ioctl reports them; xe has no such counts.
 *
 * For these there is a sign in the reports, on i915 from gen8 on: A0 counts the
 * clocks in which the GPU was busy, by a fixed unit that a reset leaves alone,
 * while all that is routed to B and C counters stops for good. If these have
 * moved before and now stand still, all of them, for OA_RESET_CHECK_BUSY_CLOCKS
 * of work, the metric set is taken for lost. Less than that cannot be
 * distinguished from work that does not touch the events of the set. Xe2 has no
 * counter of a fixed unit but the clock: an idle GPU looks like one that was
 * reset, so users are to be warned (driver_origin.may_miss_resets).
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
	uint64_t slept_ns; /* since the machine was started, at most */
	bool knows_resets;
	uint64_t resets;
	bool can_stall; /* the format has A0, and B or C */
	bool has_moved; /* B or C counters have, since the set is in place */
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
