/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of queues in HSA's format (AQL). */
#ifndef DRMSIM_KFD_AQL_H
#define DRMSIM_KFD_AQL_H

#include <stdbool.h>

struct kfd_queue;

/* Take the next packet, or go on with it; false: nothing could be done. */
bool
aql_step(struct kfd_queue *queue);

#endif /* DRMSIM_KFD_AQL_H */
