/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of memory, from the regions that a kernel driver reports. They follow
 * a driver's other sensors in the list.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_MEMORY_H
#define DRMPERF_LIB_DRIVER_INTEL_MEMORY_H

#include "driver/sensor.h"

/* Bytes; a total is 0 if there is no such memory, or it is not reported. */
struct memory_regions {
	uint64_t vram_total, vram_used;
	uint64_t system_total, system_used;
};

#define MEMORY_SENSORS 4 /* at most */

struct memory_source {
	/*
	 * Implemented by the driver: reads by an open node, and never
	 * allocates. Returns 0 or -errno.
	 */
	int (*read)(int node, struct memory_regions *out);
	bool wakes;
	int node; /* -1: there are no sensors */
	size_t first; /* of its sensors in the list */
	unsigned figures[MEMORY_SENSORS];
};

/*
 * Add the sensors of the memory that there is to a list with room for them.
 * Without a right to the node there are none; the driver that describes the
 * node's other events reports the reason. Returns 0, or a transient error. The
 * source is to be closed in any case.
 */
int
memory_source_open(struct memory_source *source,
		   const struct driver_target *target, struct sensor *list,
		   size_t *count);
void
memory_source_close(struct memory_source *source);

/*
 * Read the value of a sensor of the list. Returns 0; -EACCES if the kernel
 * hides from this process how much is in use; other errors of the kernel.
 */
int
memory_source_read(const struct memory_source *source, size_t index,
		   uint64_t *value);

#endif /* DRMPERF_LIB_DRIVER_INTEL_MEMORY_H */
