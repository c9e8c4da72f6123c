/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that the GPU writes to memory by itself: what the driver of a domain
 * does for drmperf_stream_create() and the functions behind it.
 */
#ifndef DRMPERF_LIB_DRIVER_STREAMING_H
#define DRMPERF_LIB_DRIVER_STREAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/request.h"
#include "drmperf.h"

/* One sample; its values are where open() was asked to put them. */
struct stream_sample {
	uint64_t time_ns; /* CLOCK_MONOTONIC, of the end of its interval */
	uint64_t timestamp; /* the GPU's, of then */
	unsigned saturated; /* values that are the greatest there can be */
	bool follows_loss; /* samples before it have been lost */
};

typedef void (*stream_sample_fn)(void *data,
				 const struct stream_sample *sample);

/* Functions return 0 or -errno, as those of drmperf.h that they serve. */
struct stream_ops {
	/* Check the requests and the options. */
	int (*check)(void *device, const struct counter_request *requests,
		     size_t count, const struct drmperf_stream_options *options,
		     struct drmperf_error *error);
	/*
	 * Begin to stream. values has room for one value per request, or one
	 * per instance of its group for DRMPERF_ALL_INSTANCES, in the order of
	 * the requests: what each has counted in an interval. place is that of
	 * the trace beside which it streams, or NULL. *out is the driver's
	 * until close(), *info lives as long.
	 */
	int (*open)(void *device, const struct counter_request *requests,
		    size_t count, const struct drmperf_stream_options *options,
		    void *place, uint64_t *values, void **out,
		    const struct drmperf_stream_info **info,
		    struct drmperf_error *error);
	/* The descriptor for poll(). */
	int (*fd)(const void *stream);
	int (*read)(void *stream, stream_sample_fn receive, void *data,
		    struct drmperf_error *error);
	/* The ring, as far as read() has found it to be written. */
	const void *(*ring)(const void *stream, uint64_t *size);
	/* End the streaming early: read() returns -ECANCELED from then on. */
	void (*stop)(void *stream);
	/* In a forked child it only frees memory. */
	void (*close)(void *stream, bool is_child);
};

#endif /* DRMPERF_LIB_DRIVER_STREAMING_H */
