/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of the xe kernel driver beyond the queries of xe_query.h. No other
 * file of this folder issues one. All return 0 or a descriptor or number, or
 * -errno.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_KERNEL_H
#define DRMPERF_LIB_DRIVER_XE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "driver/intel/memory.h"
#include "driver/intel/oa/config.h"
#include "driver/intel/xe_uapi.h"

struct xe_property {
	uint32_t id;
	uint64_t value;
};

/* Chain properties in their order; returns the first one's address, or 0. */
uint64_t xe_property_chain(struct xe_uapi_property *chain,
			   const struct xe_property *properties, size_t count);

/* Take the configuration of this id out of the list. */
int
xe_config_remove(int fd, uint64_t id);

/* Load a configuration under a GUID. Returns the id that streams know it by. */
int xe_config_add(int fd, const char *guid,
		  const struct oa_registers *registers);

/* Open a stream. Returns its descriptor: close-on-exec, non-blocking. */
int
xe_stream_open(int fd, enum xe_uapi_observation_type type,
	       const struct xe_property *properties, size_t count);
int xe_stream_enable(int stream);
int xe_stream_disable(int stream);

/* Get the cause of a read's -EIO, as bits of enum xe_uapi_status_bit. */
int xe_stream_status(int stream, uint64_t *status);

/*
 * Read whole reports or records. -EAGAIN if there is none; -EIO: for OA see
 * xe_stream_status(); for EU stalls some were dropped.
 */
long xe_stream_read(int stream, void *buffer, size_t size);

/* Read the timestamp of an engine. */
int xe_engine_cycles(int fd, const struct xe_uapi_engine_id *engine,
		     uint64_t *cycles);

/*
 * Read the use of memory of all tiles, and of the system; an integrated GPU has
 * the latter alone. Never allocates; wakes the GPU. Returns 0, -EPROTO, or the
 * errors of the kernel.
 */
int
xe_memory_read(int node, struct memory_regions *out);

#endif /* DRMPERF_LIB_DRIVER_XE_KERNEL_H */
