/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream of EU stalls: the descriptor that STREAM_OPEN returns.
 *
 * A timer looks at the hardware every 5 ms, and only it sees what that has
 * written, has dropped, and whether a reset has come. A read takes what was
 * seen, XeCore after XeCore.
 */
#ifndef DRMSIM_XE_EU_STALL_STREAM_H
#define DRMSIM_XE_EU_STALL_STREAM_H

#include <stdint.h>

struct sim_call;
struct sim_eu_stall_statistics;
struct sim_xe;

/* Its interval is multiplier times this, in clocks. */
#define SIM_EU_STALL_CLOCKS 251
#define SIM_EU_STALL_MULTIPLIER_MAX 7

struct sim_eu_stall_setup {
	unsigned gt, multiplier;
	uint64_t wait_rows;
};

/*
 * Open a stream with a setup that has passed the checks. Returns the caller's
 * descriptor or -errno.
 */
int
sim_eu_stall_stream_open(struct sim_call *call, struct sim_xe *device,
			 const struct sim_eu_stall_setup *setup);

/* ---- all streams of a device */
uint64_t
sim_eu_stall_streams_next(const struct sim_xe *device);
void
sim_eu_stall_streams_advance(struct sim_xe *device, uint64_t ns);
/* Write the records of XeCores up to now, before rows or their rate change. */
void
sim_eu_stall_streams_run(struct sim_xe *device);
/* Restart with changed rows: XeCores begin with the first row again. */
void
sim_eu_stall_streams_restart(struct sim_xe *device);
/* Write count rows for each XeCore now; -EINVAL if none samples. */
int
sim_eu_stall_streams_emit(struct sim_xe *device, uint64_t count);
/* End all streams: the GPU was reset. */
void
sim_eu_stall_streams_reset(struct sim_xe *device);
void
sim_eu_stall_streams_statistics(const struct sim_xe *device,
				struct sim_eu_stall_statistics *out);

#endif /* DRMSIM_XE_EU_STALL_STREAM_H */
