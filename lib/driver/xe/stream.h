/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open stream of OA reports and the sums of what it delivers. Whoever wants
 * sums reads it, and a thread of its own does when nobody has for a while.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_STREAM_H
#define DRMPERF_LIB_DRIVER_XE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/oa/format.h"
#include "driver/oa/requests.h"
#include "driver/xe_uapi.h"

struct xe_stream;

struct xe_stream_setup {
	int drm; /* descriptor of the DRM node; stays the caller's */
	int stream; /* not enabled, non-blocking; becomes the stream's */
	const struct oa_format *format;
	uint64_t timestamp_hz; /* of reports */
	struct xe_uapi_engine_id engine; /* of the OA unit */
	uint64_t engine_hz; /* of the engine's timestamps; 0: unknown */
	uint64_t period; /* between periodic reports, in ticks */
	uint64_t gap_limit; /* see oa/reports.h */
	/* sees every report before it is summed, under a lock; or NULL */
	void (*raw)(void *data, const void *report, size_t size);
	void *raw_data;
};

/*
 * On failure setup->stream is still the caller's. -ENOMEM, or what making a
 * descriptor gives.
 */
int
xe_stream_create(const struct xe_stream_setup *setup, struct xe_stream **out);

/*
 * Enable, and wait for the first report: sums are counted from there.
 * -ETIME if none comes; what the kernel or making a thread gives.
 */
int
xe_stream_start(struct xe_stream *stream, struct drmperf_error *error);

/*
 * The sums up to the newest report; with fence, up to one that was taken
 * after the call began, which is waited for. Never allocates.
 *
 * -EIO if counts were lost; -ENODEV; -ETIME.
 */
int
xe_stream_sample(struct xe_stream *stream, bool fence, struct oa_sample *out,
		 struct drmperf_error *error);

/* What has been read, and -EAGAIN instead of waiting for a lock. */
int
xe_stream_sample_at_once(struct xe_stream *stream, struct oa_sample *out,
			 struct drmperf_error *error);

/* Disable and end the thread. May be started again, from a new base line. */
int
xe_stream_stop(struct xe_stream *stream);

/*
 * The rate of the reports' timestamps, in Hz, if that was found to be another
 * one than was said; else 0. Known when the stream has been stopped.
 */
double
xe_stream_wrong_hz(const struct xe_stream *stream);

/* Stop if need be and close. NULL is allowed. */
void
xe_stream_destroy(struct xe_stream *stream);

/* In a forked child, where the thread is not, and the stream is closed. */
void
xe_stream_abandon(struct xe_stream *stream);

#endif /* DRMPERF_LIB_DRIVER_XE_STREAM_H */
