/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that count by one stream, since the kernel opens but one. All
 * have its descriptor. One at a time reads it, and shows the others what it
 * found (snapshot.h); when it stops or dies the next one goes on, with what the
 * kernel has kept meanwhile.
 *
 * Every run is a member of its own. A stream that has come to its end is closed
 * by all before another one is opened.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_STREAM_SHARED_STREAM_H
#define DRMPERF_LIB_DRIVER_OA_STREAM_SHARED_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/oa/stream/snapshot.h"
#include "driver/oa/metric_set.h"

struct oa_shared;

struct oa_shared_stream_info {
	int fd;
	uint64_t period; /* see stream.h */
};

struct oa_shared_want {
	const char *node;
	const char *layout;
	const struct metric_set *set;
	uint64_t config; /* what the kernel calls it */
	uint64_t hz; /* of the reports' timestamps */
	bool has_just_closed; /* this process: it waits also alone */
	/* Open one; -EBUSY if the kernel has one already. */
	int (*open)(void *data, struct oa_shared_stream_info *out,
		    struct drmperf_error *error);
	void *data;
	int (*enable)(int stream); /* or what the kernel says */
	int (*enable_again)(int stream); /* see kernel_ops.h */
};

/*
 * Open the stream, or get it from those who have it. *out is NULL if it is
 * shared with nobody: DRMPERF_SHARE=0, or others do not let us in.
 *
 * -EBUSY, saying which process counts something else; -EINVAL; -EIO if what
 * others share or hand over is not what they can have; what open() returns.
 */
int
oa_shared_join(const struct oa_shared_want *want, struct oa_shared **out,
	       struct oa_shared_stream_info *stream,
	       struct drmperf_error *error);

/* The stream has been closed here; the shared stream is left later. */
void
oa_shared_close(struct oa_shared *shared);
/* Both allow NULL. */
void
oa_shared_leave(struct oa_shared *shared);
void
oa_shared_abandon(struct oa_shared *shared);

/*
 * Unless somebody has, enable the stream, after a call of before(), whose
 * result is kept for all. Then *since is that; what enabling gives.
 */
int
oa_shared_enable(struct oa_shared *shared, int fd,
		 uint64_t (*before)(void *data), void *data, uint64_t *since,
		 struct drmperf_error *error);

struct oa_snapshot_page *
oa_shared_snapshot(struct oa_shared *shared);

/* Become the one who reads, or have been it until now. */
bool
oa_shared_try_to_lead(struct oa_shared *shared);
void
oa_shared_end_leading(struct oa_shared *shared);

/* For poll() of the one who reads: others ask for a fence, or come in. */
int
oa_shared_wake_fd(const struct oa_shared *shared);
int
oa_shared_server(const struct oa_shared *shared);
void
oa_shared_clear_wake(struct oa_shared *shared);
void
oa_shared_send_fds(struct oa_shared *shared, int fd);

/* For all others. */
void
oa_shared_wake(struct oa_shared *shared);

/* -EBUSY, if who reads has not been seen for long; or 0. */
int
oa_shared_explain_absence(struct oa_shared *shared,
			  struct drmperf_error *error);
/* -EBUSY: the records themselves go to who reads. */
int
oa_shared_explain_reader(struct oa_shared *shared, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_OA_STREAM_SHARED_STREAM_H */
