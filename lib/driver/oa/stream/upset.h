/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What makes an OA unit forget its metric set while its time goes on: the
 * registers that route events are nobody's to restore when an engine is reset
 * or the machine has slept. Counters that stand still by that look like an idle
 * GPU, so it has to be noticed by other signs.
 *
 * No set has a counter that always moves and could be a sign, but Haswell's,
 * where the GPU's clock is routed like an event. It is not looked at.
 *
 * From Xe2 on, a self-test event that counts the clocks of XeCores could be
 * added to sets with a free counter. No source says that it goes on while
 * XeCores sleep: where it did not, an idle GPU would look like one that was
 * reset.
 *
 * A reset is noticed where the kernel tells how many there were, which i915
 * does for CAP_SYS_ADMIN; xe has nothing of the kind.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_STREAM_UPSET_H
#define DRMPERF_LIB_DRIVER_OA_STREAM_UPSET_H

#include <stdbool.h>
#include <stdint.h>

struct oa_gpu;

struct upset_watch {
	struct oa_gpu *gpu;
	uint64_t slept_ns; /* since the machine was started, at most */
	bool knows_resets;
	uint64_t resets;
};

/* The metric set is in place. */
void
upset_watch_begin(struct upset_watch *watch, struct oa_gpu *gpu);

/*
 * 0; -ECANCELED after a reset; -ESTALE after a sleep of the machine; -ENODEV
 * where the GPU has gone.
 */
int
upset_watch_look(const struct upset_watch *watch);

#endif /* DRMPERF_LIB_DRIVER_OA_STREAM_UPSET_H */
