/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream of OA reports, whichever driver it is one of: a unit, what it counts
 * by, and the timer that looks for reports.
 */
#ifndef DRMSIM_INTEL_OA_STREAM_H
#define DRMSIM_INTEL_OA_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "intel/oa_device.h"

struct sim_call;
struct sim_load;
struct sim_oa_stream;
struct sim_stream;
struct sim_stream_ops;

/* Operations of a driver. */
struct sim_oa_stream_ops {
	/* Set up what the unit counts by: stream->counting. */
	void (*count)(struct sim_oa_stream *stream);
	/* Advance the unit up to a time. */
	void (*run)(struct sim_oa_stream *stream, uint64_t ns);
	/* Read the unit's tail. Returns whether there is enough to read. */
	bool (*check)(struct sim_oa_stream *stream, uint64_t ns);
	/* Read what was seen. Returns bytes, -EAGAIN for none, or -errno. */
	int (*read)(struct sim_call *call, struct sim_oa_stream *stream,
		    uint64_t buffer, uint64_t size);
};

/* A driver's stream begins with it. */
struct sim_oa_stream {
	/* the driver's, set before the stream is opened */
	const struct sim_oa_stream_ops *ops;
	struct sim_oa_device *oa;
	unsigned id; /* of the unit among those of the device */
	struct sim_load *load; /* of a GT that an open stream keeps awake */
	struct sim_oa_config *config;
	uint64_t hz; /* of the unit's timestamp */
	uint64_t poll_ns; /* period of the timer */

	struct sim_stream *base;
	struct sim_oa_unit *unit;
	struct sim_oa_counting counting;
	bool enabled;
	uint64_t next_poll;
	uint64_t wakes; /* how often the timer has woken readers */
};

/*
 * Open a stream, the data of whose file is the driver's stream. The setup's
 * tick_hz is set here. Returns 0 or -errno; both take over the config.
 */
int
sim_oa_stream_open(struct sim_oa_stream *stream, struct sim_oa_setup *setup,
		   const struct sim_timeline *timeline,
		   const struct sim_stream_ops *file);
/* Close a stream, all but the memory of the driver's. */
void
sim_oa_stream_close(struct sim_oa_stream *stream);

uint64_t
sim_oa_stream_now(const struct sim_oa_stream *stream);
/* Return the ticks of the unit's timestamp, less its offset. */
uint64_t
sim_oa_stream_tick(const struct sim_oa_stream *stream, uint64_t ns);
/* Start the unit and the timer. Returns 0 or -ENOMEM. */
int
sim_oa_stream_start(struct sim_oa_stream *stream);
/* Advance the unit of an enabled stream up to now. */
void
sim_oa_stream_run(struct sim_oa_stream *stream);
/*
 * Wait in a read like the kernel: the tail is looked at before sleeping and
 * after each wake-up by the timer, never in between.
 */
int
sim_oa_stream_wait(struct sim_call *call, struct sim_oa_stream *stream,
		   uint64_t buffer, uint64_t size);

/* ---- all streams of a device */

#define for_each_oa_stream(oa, stream)                                         \
	for (unsigned i_ = 0; i_ < SIM_OA_UNITS_MAX; i_++)                     \
		if (((stream) = (oa)->streams[i_]))

/* Return when the next timer fires. */
uint64_t
sim_oa_streams_next(const struct sim_oa_device *oa);
void
sim_oa_streams_advance(struct sim_oa_device *oa, uint64_t ns);
/* Advance the units up to now, before anything they depend on changes. */
void
sim_oa_streams_run(struct sim_oa_device *oa);
/*
 * Count again from here, since registers, rates or the clock have changed; the
 * timeline has.
 */
void
sim_oa_streams_recount(struct sim_oa_device *oa);
void
sim_oa_streams_retime(struct sim_oa_device *oa);
/* Report the streams, by this name. */
void
sim_oa_report_streams(const struct sim_oa_device *oa, const char *name,
		      FILE *out);

#endif /* DRMSIM_INTEL_OA_STREAM_H */
