/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open stream of OA reports, drained by a thread of its own, and the sums of
 * what it delivered.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_STREAM_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/format.h"
#include "driver/intel/oa/requests.h"
#include "driver/intel/oa/stream/kernel_ops.h"

struct oa_shared;
struct oa_gpu;
struct oa_stream;

struct oa_stream_setup {
	struct oa_gpu *gpu;
	const struct oa_kernel_ops *source;
	int stream; /* descriptor, not enabled; becomes the stream's */
	const struct oa_format *format;
	struct oa_timestamps timestamps;
	uint64_t period; /* between periodic reports, in ticks */
	uint64_t gap_limit; /* see oa/reports.h */
	oa_record_fn raw; /* sees every record before it is summed */
	void *raw_data;
	int drain_ms; /* how often to read unless asked; 0: poll() tells */
	bool reads_often; /* read at the short period all the time */
	struct oa_shared *shared; /* processes with this stream; or NULL */
};

/*
 * Create a stream. On failure setup->stream is still the caller's. -ENOMEM, or
 * what making a descriptor gives.
 */
int
oa_stream_create(const struct oa_stream_setup *setup, struct oa_stream **out);

/*
 * Enable, and wait for the first report: sums are counted from there, or, with
 * a shared stream, from where the first of it began.
 * -ETIME if none comes; what the kernel or making a thread gives.
 */
int
oa_stream_start(struct oa_stream *stream, struct drmperf_error *error);

/*
 * Sample the requests, up to the newest report; with
 * fence, up to one that was taken after the call began, which is waited for.
 * Never allocates.
 *
 * -EIO if counts were lost or the stream ended; -ENODEV; -ETIME.
 */
int
oa_stream_sample(struct oa_stream *stream, bool fence,
		 const struct oa_requests *requests, struct oa_sample *out,
		 struct drmperf_error *error);

/*
 * Sample in two steps, instead of by oa_stream_sample(): oa_stream_request()
 * requests the fence. oa_stream_wait(), if it is to wait briefly, may return
 * DRIVER_SAMPLE_PENDING: then it is called again.
 */
void
oa_stream_request(struct oa_stream *stream, bool fence);
int
oa_stream_wait(struct oa_stream *stream, bool briefly,
	       const struct oa_requests *requests, struct oa_sample *out,
	       struct drmperf_error *error);

/* Sample without a fence; -EAGAIN instead of waiting for the thread's lock. */
int
oa_stream_sample_at_once(struct oa_stream *stream,
			 const struct oa_requests *requests,
			 struct oa_sample *out, struct drmperf_error *error);

/*
 * Read the stream at the short period from now on, whether values are asked for
 * or not.
 */
void
oa_stream_read_often(struct oa_stream *stream);

/* Return whether records come to this process; they do so until it stops. */
bool
oa_stream_gets_records(const struct oa_stream *stream);

/*
 * End the thread, and disable, unless other processes count on. May be started
 * again.
 * -ETIME if the thread hangs in the kernel: then nothing but destroying is
 * left.
 */
int
oa_stream_stop(struct oa_stream *stream);

/*
 * Return the rate of the reports' timestamps, in Hz, if that was found to be
 * another one than was said; else 0. Known when the stream has been stopped.
 */
double
oa_stream_wrong_hz(const struct oa_stream *stream);

/*
 * Stop if need be and close. NULL is allowed. A thread that hangs in the
 * kernel keeps the stream open until it returns.
 */
void
oa_stream_destroy(struct oa_stream *stream);

/* Free it in a forked child, which has no such thread and closed the stream. */
void
oa_stream_abandon(struct oa_stream *stream);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_STREAM_H */
