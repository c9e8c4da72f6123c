/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of queues of the copy engines (SDMA). */
#ifndef DRMSIM_KFD_SDMA_H
#define DRMSIM_KFD_SDMA_H

#include <stdbool.h>

struct kfd_queue;

/* Execute the next packet; false: there is none, or it waits. */
bool
sdma_step(struct kfd_queue *queue);

#endif /* DRMSIM_KFD_SDMA_H */
