/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands that begin and end a stream.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_STREAM_COMMANDS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_STREAM_COMMANDS_H

#include "driver/amdgpu/stream/layout.h"
#include "driver/amdgpu/stream/solo.h"
#include "driver/amdgpu/device/pm4.h"

struct stream_commands {
	const struct stream_layout *layout;
	uint64_t ring; /* GPU address */
	uint32_t ring_size;
	unsigned interval; /* clocks */
	uint64_t begun; /* GPU address of a struct solo_begun */
};

/* Program the counters and the RLC, and have both begin. */
void
stream_commands_start(struct pm4 *pm4, const struct stream_commands *commands);

/*
 * End the stream, and put back every register that was written. The value of
 * RLC_PERFMON_CLK_CNTL is at pm4->marked; 0: it is not written.
 */
void
stream_commands_stop(struct pm4 *pm4, const struct stream_commands *commands);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_STREAM_COMMANDS_H */
