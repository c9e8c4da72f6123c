/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels by which ROCm's runtime copies and fills memory: shaders are not
 * executed, but without what these write no program has its code.
 */
#ifndef DRMSIM_KFD_BLIT_H
#define DRMSIM_KFD_BLIT_H

#include <stdint.h>

struct kfd_queue;

/*
 * Do the work of a blit kernel, if it is one, for a number of work-items, with
 * arguments at that address. Anything else is passed over.
 */
void
blit_run(struct kfd_queue *queue, uint64_t kernel, uint64_t arguments,
	 uint32_t items);

#endif /* DRMSIM_KFD_BLIT_H */
