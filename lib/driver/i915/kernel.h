/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of the i915 kernel driver. No other file of this folder issues one.
 * All return 0 or a descriptor or number, or -errno; -EAGAIN where the driver
 * has been recovering from a hang for 5 seconds.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_KERNEL_H
#define DRMPERF_LIB_DRIVER_I915_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/intel/memory.h"
#include "driver/intel/oa/config.h"

struct i915_property {
	uint64_t id, value;
};

/* Explain -EAGAIN of the calls below in *error. Returns code. */
int
i915_explain_busy(int code, struct drmperf_error *error);

int i915_getparam(int fd, int32_t param, int *value);

/* Get the answer to a query; *data is released with free(). */
int i915_query(int fd, uint64_t id, void **data, size_t *length);

/*
 * Read the use of a GPU's own memory; an integrated GPU has none. i915 does not
 * report how much of the system's memory the GPU uses. Never allocates. Returns
 * 0; -EINVAL of kernels without the query (before Linux 5.13); other errors of
 * the kernel.
 */
int
i915_memory_read(int node, struct memory_regions *out);

/* Read how often the GPU was reset: 0 in processes without CAP_SYS_ADMIN. */
int
i915_reset_count(int fd, uint64_t *count);

/* Read a 64-bit register of those that any process may read. */
int i915_register_read(int fd, uint64_t offset, uint64_t *value);

/* Load a configuration; the id that streams know it by. */
int i915_config_add(int fd, const char *guid, const struct oa_config *config);

/*
 * Read what the kernel has loaded under a GUID; released with oa_config_free().
 * -ENOENT if nothing; -EINVAL before Linux 5.9.
 */
int i915_config_read(int fd, const char *guid, struct oa_config *out);

/*
 * Open a stream. Returns its descriptor: close-on-exec, blocking, not yet
 * enabled.
 */
int i915_stream_open(int fd, const struct i915_property *properties,
		     size_t count);
int i915_stream_enable(int stream);
int i915_stream_disable(int stream);

/*
 * Read records, waiting for the first one. -EINTR is returned, not retried, so
 * that the reading thread can see whether it has to stop.
 */
long i915_stream_read(int stream, void *buffer, size_t size);

#endif /* DRMPERF_LIB_DRIVER_I915_KERNEL_H */
