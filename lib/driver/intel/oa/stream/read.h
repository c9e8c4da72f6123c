/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the kernel's stream, in a stream's thread. Only stream.c includes
 * this.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_READ_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_READ_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fork_close.h"
#include "driver/intel/oa/clock.h"
#include "driver/intel/oa/rate_watch.h"
#include "driver/intel/oa/stream/shared_stream.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/intel/oa/stream/reset_check.h"

/* Records of some 25 ms at the usual period. */
#define OA_READ_SIZE ((size_t)128 << 10)

enum oa_fence_kind {
	OA_FENCE_NONE,
	OA_FENCE_OWN,
	OA_FENCE_SHARED, /* by the snapshot's tickets */
};

/* The fence that a sample waits for. */
struct oa_fence {
	enum oa_fence_kind kind;
	uint64_t ticket;
	uint64_t until_ns; /* give up then; 0: not set yet */
};

struct oa_stream {
	int fd;
	const struct oa_kernel_ops *source;
	struct fork_close fork_close; /* of fd */
	int wake; /* eventfd that wakes the thread */
	uint64_t period, gap_limit;
	const struct oa_format *format;
	oa_record_fn raw;
	void *raw_data;
	int drain_ms; /* see struct oa_stream_setup */
	/* The period of reads while no session asks for the latest values. */
	int idle_ms;
	atomic_bool reads_often; /* read at the short period all the time */
	/*
	 * Until then the thread reads at the short period, for sessions that
	 * ask for the latest values.
	 */
	uint64_t latest_until_ns;
	struct oa_attention attention; /* where there is no snapshot */
	struct oa_clock clock; /* the thread's while it runs */
	uint64_t enabled_at; /* by the clock */
	struct rate_watch rate; /* the thread's while it runs */
	struct oa_gpu *gpu;
	struct oa_reset_check reset_check; /* the thread's while it runs */
	bool running;
	pthread_t thread;
	atomic_bool stopping;
	atomic_bool reading; /* the thread is in a call of the kernel */
	struct oa_shared *shared; /* or NULL */
	struct oa_snapshot_page *page; /* of the shared stream */
	atomic_bool is_leader; /* this thread reads the shared stream */
	atomic_bool retired; /* the snapshot is of another stream */
	struct oa_fence fence; /* the caller's */

	pthread_mutex_t lock; /* all below */
	pthread_cond_t completed; /* fences_completed or failure has changed */
	struct oa_reports reports;
	uint64_t report_ns; /* when the newest report was taken */
	uint64_t fences_requested,
		fences_completed; /* fences wanted, and passed */
	int failure; /* the stream is dead: -errno */
	unsigned eio_count; /* number of successive -EIO without a message */
	bool orphaned; /* no caller waits for the thread: it cleans up */
	bool ended; /* the thread is about to return */

	/*
	 * Used by the thread. Last, since oa_stream_create() does not clear it.
	 */
	uint8_t buffer[OA_READ_SIZE];
};

/* Mark the stream failed. It cannot be used any more. */
void oa_read_fail(struct oa_stream *stream, int failure);

/* Return whether the thread has to end. */
bool oa_read_is_over(const struct oa_stream *stream);

/* Read what is there, or wait for it. */
void oa_read_records(struct oa_stream *stream);

/* Read until a report is there that was taken after this call began. */
void oa_read_for_fence(struct oa_stream *stream);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_READ_H */
