/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that count by one stream, since the kernel opens but one. All
 * have its descriptor. One at a time reads it, and shows the others what it
 * found (board.h); when it stops or dies the next one goes on, with what the
 * kernel has kept meanwhile.
 *
 * Every run is a member of its own. A stream that has come to its end is closed
 * by all before another one is opened.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_STREAM_CREW_H
#define DRMPERF_LIB_DRIVER_OA_STREAM_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/oa/stream/board.h"
#include "driver/oa/metric_set.h"

struct oa_crew;

struct oa_crew_stream {
	int fd;
	uint64_t period; /* see stream.h */
};

struct oa_crew_want {
	const char *node;
	const char *layout;
	const struct metric_set *set;
	uint64_t config; /* what the kernel calls it */
	uint64_t hz;	 /* of the reports' timestamps */
	bool has_just_closed; /* this process: it waits also alone */
	/* Open one; -EBUSY if the kernel has one already. */
	int (*open)(void *data, struct oa_crew_stream *out,
		    struct drmperf_error *error);
	void *data;
	int (*enable)(int stream); /* or what the kernel says */
	int (*enable_again)(int stream); /* see source.h */
};

/*
 * Open the stream, or get it from those who have it. *out is NULL if it is
 * shared with nobody: DRMPERF_SHARE=0, or others do not let us in.
 *
 * -EBUSY, saying which process counts something else; -EINVAL; -EIO if what
 * others share or hand over is not what they can have; what open() returns.
 */
int oa_crew_join(const struct oa_crew_want *want, struct oa_crew **out,
		 struct oa_crew_stream *stream, struct drmperf_error *error);

/* The stream has been closed here; the crew is left later. */
void oa_crew_retire(struct oa_crew *crew);
/* Both allow NULL. */
void oa_crew_leave(struct oa_crew *crew);
void oa_crew_abandon(struct oa_crew *crew);

/*
 * Unless somebody has, enable the stream, after a call of before(), whose
 * result is kept for all. Then *since is that; what enabling gives.
 */
int oa_crew_enable(struct oa_crew *crew, int fd,
		   uint64_t (*before)(void *data), void *data, uint64_t *since,
		   struct drmperf_error *error);

struct oa_board *oa_crew_board(struct oa_crew *crew);

/* Become the one who reads, or have been it until now. */
bool oa_crew_try_to_read(struct oa_crew *crew);
void oa_crew_end_reading(struct oa_crew *crew);

/* For poll() of the one who reads: others ask for a fence, or come in. */
int
oa_crew_wake_fd(const struct oa_crew *crew);
int
oa_crew_server(const struct oa_crew *crew);
void
oa_crew_clear_wake(struct oa_crew *crew);
void oa_crew_let_in(struct oa_crew *crew, int fd);

/* For all others. */
void
oa_crew_wake(struct oa_crew *crew);

/* -EBUSY, if who reads has not been seen for long; or 0. */
int oa_crew_tell_absence(struct oa_crew *crew, struct drmperf_error *error);
/* -EBUSY: the records themselves go to who reads. */
int oa_crew_tell_reader(struct oa_crew *crew, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_OA_STREAM_CREW_H */
