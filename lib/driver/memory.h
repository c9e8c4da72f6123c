/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of memory, from what a kernel driver tells of the regions that a GPU
 * works in. They stand behind a driver's other sensors.
 */
#ifndef DRMPERF_LIB_DRIVER_MEMORY_H
#define DRMPERF_LIB_DRIVER_MEMORY_H

#include "driver/sensor.h"

/* Bytes; a total of 0 where there is no such memory, or nothing is told. */
struct memory_regions {
	uint64_t vram_total, vram_used;
	uint64_t system_total, system_used;
};

#define MEMORY_SENSORS 4 /* at most */

struct memory_source {
	/* The driver's: asks by an open node, never allocates. 0 or -errno. */
	int (*read)(int node, struct memory_regions *out);
	bool wakes;
	int node; /* -1: there is none to tell of */
	size_t first; /* of its sensors in the list */
	unsigned figures[MEMORY_SENSORS];
};

/*
 * Add the sensors of the memory that there is to a list with room for them.
 * Without a right to the node there are none; who describes the node's other
 * events tells the reason. 0, or what is transient. To be closed in any case.
 */
int
memory_source_open(struct memory_source *source,
		   const struct driver_target *target, struct sensor *list,
		   size_t *count);
void
memory_source_close(struct memory_source *source);

/*
 * The value of a sensor of the list. -EACCES where the kernel keeps from this
 * process how much is in use; what else it gives.
 */
int
memory_source_read(const struct memory_source *source, size_t index,
		   uint64_t *value);

#endif /* DRMPERF_LIB_DRIVER_MEMORY_H */
