/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies in the address space of a queue: buffers, and memory of the process
 * that was mapped to the GPU as it is.
 */
#ifndef DRMSIM_KFD_ACCESS_H
#define DRMSIM_KFD_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct kfd_queue;

/*
 * Return whether all of it is memory of the process, which may be reached in
 * that way.
 */
bool
access_is_of_process(const struct kfd_queue *queue, uint64_t address,
		     uint64_t size, uint32_t access);
/* Read memory. Returns false for a fault, which stops the queue. */
bool
access_read(struct kfd_queue *queue, uint64_t address, void *to, uint64_t size);
bool
access_write(struct kfd_queue *queue, uint64_t address, const void *from,
	     uint64_t size);
bool
access_copy(struct kfd_queue *queue, uint64_t to, uint64_t from, uint64_t size);
/* Fill memory; size is a multiple of 4. */
bool
access_fill(struct kfd_queue *queue, uint64_t to, uint32_t value,
	    uint64_t size);

#endif /* DRMSIM_KFD_ACCESS_H */
