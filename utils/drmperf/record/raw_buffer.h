/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw records that a session delivers in its own threads, kept until they
 * are written.
 */
#ifndef DRMPERF_TOOL_RECORD_RAW_BUFFER_H
#define DRMPERF_TOOL_RECORD_RAW_BUFFER_H

#include <pthread.h>

#include "record/recording.h"
#include "util/bytes.h"

struct raw_device {
	struct drmperf_device *device;
	bool wanted; /* its records can be counted when they are read */
	struct bytes bytes; /* that have come */
};

struct raw_buffer {
	pthread_mutex_t lock; /* the devices' bytes */
	struct raw_device *devices;
	unsigned count;
	struct bytes spare; /* the memory of those that were written */
	uint64_t records; /* that were kept, of all devices */
	bool has_ended; /* no more are kept */
};

/* Create the buffer. Returns 0, or -ENOMEM. */
int
raw_buffer_init(struct raw_buffer *buffer, struct drmperf *drmperf);
void
raw_buffer_finish(struct raw_buffer *buffer);

/* Keep a record: a drmperf_raw_fn, whose data is a struct raw_buffer. */
void
raw_buffer_take(void *data, struct drmperf_device *device, const void *record,
		size_t size);

/*
 * Find out whose records are wanted when the session has started, and write
 * that. NULL: it delivers none.
 */
int
raw_buffer_begin(struct raw_buffer *buffer, struct drmperf_session *session,
		 struct recorder *recorder);

/* Return whether the records contain all values of the event. */
bool
raw_buffer_has(const struct raw_buffer *buffer,
	       const struct drmperf_event *event);

/* Keep no more records: the file they would be written to has failed. */
void
raw_buffer_end(struct raw_buffer *buffer);

/* Write the records that came since the last call. */
void
raw_buffer_write(struct raw_buffer *buffer, struct recorder *recorder);

#endif /* DRMPERF_TOOL_RECORD_RAW_BUFFER_H */
