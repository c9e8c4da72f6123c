/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of queues, by their formats. */
#ifndef DRMSIM_KFD_PACKETS_H
#define DRMSIM_KFD_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

struct kfd_queue;

/* ---- aql.c: packets in HSA's format (AQL) */
/* Take the next packet, or go on with it; false: nothing could be done. */
bool
aql_step(struct kfd_queue *queue);

/* ---- sdma.c: packets of the copy engines (SDMA) */
/* Execute the next packet; false: there is none, or it waits. */
bool
sdma_step(struct kfd_queue *queue);

/*
 * ---- blit.c: kernels by which ROCm's runtime copies and fills memory; shaders
 * are not executed, but without what these write no program has its code
 */
/*
 * Do the work of a blit kernel, if it is one, for a number of work-items, with
 * arguments at that address. Anything else is passed over.
 */
void
blit_run(struct kfd_queue *queue, uint64_t kernel, uint64_t arguments,
	 uint32_t items);

#endif /* DRMSIM_KFD_PACKETS_H */
