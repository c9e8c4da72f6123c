/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands in the format of rings (PM4) that a queue has in a packet. */
#ifndef DRMSIM_KFD_COMMANDS_H
#define DRMSIM_KFD_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

struct kfd_queue;

/* Begin a buffer of this many dwords on all dies of the node. */
void
commands_begin(struct kfd_queue *queue, uint64_t address, uint32_t dwords);
/* Go on; true if all dies are through, and when what they launched ends. */
bool
commands_run(struct kfd_queue *queue, uint64_t *end);
/* Return when something is due that they have left; SIM_NEVER: nothing is. */
uint64_t
commands_next(const struct kfd_queue *queue);
/* Write what is due. */
void
commands_write_due(struct kfd_queue *queue);

#endif /* DRMSIM_KFD_COMMANDS_H */
