/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a process has through KFD, and where its GPUs see it. */
#ifndef DRMSIM_KFD_MEMORY_H
#define DRMSIM_KFD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "kfd/ioctls.h"

struct kfd_device;
struct kfd_memory;
struct sim_bo;
struct sim_mapping;

#define KFD_DOORBELLS 1024
#define KFD_DOORBELL_BYTES (8u * KFD_DOORBELLS)

kfd_handler memory_alloc, memory_free, memory_map, memory_unmap,
	memory_available;

/* Answer mmap() of /dev/kfd itself. Returns 0 or -errno. */
int
memory_mmap(const struct kfd_process *process, uint64_t offset, uint64_t length,
	    struct sim_mapping *out);
/* Free all memory of a process that has ended. */
void
memory_free_all(struct kfd_device *device);

/* Find the page of doorbells, which is made if need be. Returns 0 or -errno. */
int
memory_doorbells(struct kfd_device *device, struct sim_bo **out);
/*
 * Keep a buffer mapped until memory_release(): the one that begins at the page
 * of the address and has exactly that size, in which a queue works. Returns
 * false if there is no such buffer.
 */
bool memory_hold(const struct kfd_device *device, uint64_t address,
		 uint64_t size);
void memory_release(const struct kfd_device *device, uint64_t address);
/* Find memory of the GPU or the host by its handle; or NULL. */
struct sim_bo *
memory_bo(const struct kfd_process *process, uint64_t handle);

#endif /* DRMSIM_KFD_MEMORY_H */
