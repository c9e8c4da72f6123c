/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access of queues to memory of their process: it is mapped to the GPU, or the
 * queue stops with a fault that is reported to the process.
 */
#ifndef DRMSIM_KFD_SIGNAL_H
#define DRMSIM_KFD_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/printf.h"

struct kfd_flight;
struct kfd_queue;

/* Break a queue, from which nothing more is taken: the report has the text. */
void
queue_break(struct kfd_queue *queue, const char *format, ...) SIM_PRINTF(2, 3);
/* Return the memory at an address, size bytes long; NULL after a fault. */
void *
queue_memory(struct kfd_queue *queue, uint64_t address, uint64_t size,
	     bool is_written);

/* Read the value of a signal. Returns false for a fault. */
bool
signal_read(struct kfd_queue *queue, uint64_t signal, int64_t *value);
/* Complete a packet: times, the value, the mailbox, an interrupt. */
void
signal_complete(struct kfd_queue *queue, const struct kfd_flight *flight);

#endif /* DRMSIM_KFD_SIGNAL_H */
