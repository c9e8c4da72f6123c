/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations in which the kernel drivers differ: opening a stream of OA
 * reports, and taking in the data of its reads.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_KERNEL_OPS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_KERNEL_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/clock.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/reports.h"

/* The clock of reports, and that of an engine which tells the present time. */
struct oa_timestamps {
	uint64_t hz;
	uint64_t engine_hz; /* 0: unknown */
	oa_clock_fn read;
	void *data; /* stays as long as the GPU is open */
};

/* A stream to be opened. */
struct oa_wanted {
	const struct metric_set *set;
	uint64_t config; /* what the kernel knows its registers by */
	uint64_t period_ns; /* as long as that, at most */
};

/* The calls of one kernel driver. Functions return 0 or -errno. */
struct oa_kernel_ops {
	/* Name and version of the shared memory's layout: see share.h. */
	const char *layout;

	/* Find the id by which the kernel knows a metric set. */
	int (*find_config)(struct oa_gpu *gpu, const struct metric_set *set,
			   uint64_t *id, struct drmperf_error *error);
	/*
	 * Load a composed set, and remove all composed sets; open streams keep
	 * theirs.
	 */
	int (*load)(struct oa_gpu *gpu, const struct metric_set *set,
		    const struct oa_config *config, uint64_t *id,
		    struct drmperf_error *error);
	void (*unload_composed)(struct oa_gpu *gpu);
	/*
	 * Open a stream, not enabled. *exponent becomes that of its period,
	 * which is short enough that no counter can wrap unnoticed. -EBUSY if
	 * another process has the OA unit; -EACCES; -ENOTSUP; -ENODEV; others.
	 */
	int (*open)(struct oa_gpu *gpu, const struct oa_wanted *wanted,
		    int *stream, unsigned *exponent,
		    struct drmperf_error *error);
	struct oa_timestamps (*timestamps)(struct oa_gpu *gpu, unsigned unit);

	/* How often the GPU was reset; -errno: not known. NULL: never known. */
	int (*resets)(struct oa_gpu *gpu, uint64_t *count);

	int (*enable)(int stream);
	/*
	 * An ioctl without effect on an enabled stream, and an error on any
	 * other descriptor.
	 */
	int (*enable_again)(int stream);
	int (*disable)(int stream);
	/*
	 * Read. Returns the number of bytes; 0: the GPU has gone; -EINTR and
	 * -EAGAIN: try again.
	 */
	long (*read)(int stream, void *buffer, size_t size);
	/* Take in the data of one read, and call visit for its records. */
	void (*take)(struct oa_reports *reports, const uint8_t *data,
		     size_t length);
	void (*visit)(const struct oa_format *format, const uint8_t *data,
		      size_t length, oa_record_fn visit, void *visit_data);
	/*
	 * Take in the message that -EIO of a read stands for. Returns whether
	 * there was one. NULL: -EIO is an error like others.
	 */
	int (*take_message)(int stream, struct oa_reports *reports);

	/* Implements stream_header() of domain_ops. */
	int (*stream_header)(struct oa_gpu *gpu, const struct metric_set *set,
			     void *buffer, size_t size, size_t *length,
			     struct drmperf_error *error);

	size_t header_size; /* of a record, before the report */
	/*
	 * The kernel holds a report back until the next one has been written.
	 */
	bool holds_last;
	/* Additional time for which a report may be held back. */
	uint64_t held_ns;
	/*
	 * Period of reads in ms where poll() reports data late; 0: it does not.
	 * Streams whose latest values no session asks for are read less often.
	 */
	int drain_ms;
};

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_KERNEL_OPS_H */
