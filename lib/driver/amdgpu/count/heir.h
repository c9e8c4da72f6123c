/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who takes the clock mode over when the process that holds it stops counting
 * or dies. It looks every few milliseconds, in a thread and with a context of
 * its own; the kernel waits for a tenth of a second before it puts a graphics
 * core to sleep that nobody holds (Linux amdgpu_gfx.h, GFX_OFF_DELAY_ENABLE).
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_HEIR_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_HEIR_H

#include "driver/amdgpu/count/clock.h"
#include "driver/share/share.h"

struct heir;

/* The errors of channel_create() and keeper_create(). */
int heir_create(struct queue *queue, struct share *share,
		enum drmperf_clock_mode mode, const struct log_sink *log,
		struct heir **out, struct drmperf_error *error);

/* Give the clocks and the baton back, if they were taken. NULL is allowed. */
void heir_destroy(struct heir *heir);

/* In a forked child, which has no such thread. NULL is allowed. */
void heir_abandon(struct heir *heir);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_HEIR_H */
