/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that count by one stream, as the kernel opens only one. All have
 * its descriptor. One process at a time, the leader, reads it and publishes its
 * sums to the others (snapshot.h). When the leader stops or dies, another
 * process takes over, with the reports that the kernel has kept since.
 *
 * Every run is a member of its own. A stream that has come to its end is closed
 * by all before another one is opened.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SHARED_STREAM_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SHARED_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/stream/snapshot.h"
#include "driver/intel/oa/metric_set.h"

struct oa_shared;

struct oa_shared_stream_info {
	int fd;
	uint64_t period; /* see stream.h */
};

struct oa_shared_want {
	const char *node;
	const char *layout;
	const struct metric_set *set;
	uint64_t config; /* the kernel's id of its registers */
	uint64_t hz; /* of the reports' timestamps */
	bool has_just_closed; /* needed by this process */
	/* Open one; -EBUSY if the kernel has one already. */
	int (*open)(void *data, struct oa_shared_stream_info *out,
		    struct drmperf_error *error);
	void *data;
	int (*enable)(int stream); /* or the kernel's error */
	int (*enable_again)(int stream); /* see kernel_ops.h */
};

/*
 * Open the stream, or get it from the processes that have it. *out is NULL if
 * it is not shared, by DRMPERF_SHARE=0 or because others refuse us.
 *
 * Returns 0; -EBUSY, naming the process that counts something else; -EINVAL;
 * -EIO if other processes share or hand over data that cannot be true; the
 * errors of open().
 */
int
oa_shared_join(const struct oa_shared_want *want, struct oa_shared **out,
	       struct oa_shared_stream_info *stream,
	       struct drmperf_error *error);

/*
 * Record that this process has closed the stream; oa_shared_leave() follows
 * later.
 */
void
oa_shared_close(struct oa_shared *shared);
/* Leave the shared stream; abandon it in a forked child. NULL is allowed. */
void
oa_shared_leave(struct oa_shared *shared);
void
oa_shared_abandon(struct oa_shared *shared);

/*
 * Enable the stream, unless another process has. before() is called first, and
 * its result is kept for all processes; *since becomes that. Returns the result
 * of enabling.
 */
int
oa_shared_enable(struct oa_shared *shared, int fd,
		 uint64_t (*before)(void *data), void *data, uint64_t *since,
		 struct drmperf_error *error);

struct oa_snapshot_page *
oa_shared_snapshot(struct oa_shared *shared);

/* Become the leader if there is none, and stop leading. */
bool
oa_shared_try_to_lead(struct oa_shared *shared);
void
oa_shared_end_leading(struct oa_shared *shared);

/*
 * Return the descriptor for poll() of the leader: others request a fence, or
 * join.
 */
int
oa_shared_wake_fd(const struct oa_shared *shared);
int
oa_shared_server(const struct oa_shared *shared);
void
oa_shared_clear_wake(struct oa_shared *shared);
void
oa_shared_send_fds(struct oa_shared *shared, int fd);

/* Wake the leader, from another process. */
void
oa_shared_wake(struct oa_shared *shared);

/* Return 0, or -EBUSY if the leader's heartbeat is too old. */
int
oa_shared_explain_absence(struct oa_shared *shared,
			  struct drmperf_error *error);
/* Return -EBUSY: the raw records themselves go to the leader. */
int
oa_shared_explain_reader(struct oa_shared *shared, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_SHARED_STREAM_H */
