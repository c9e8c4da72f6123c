/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a process: notifications by the GPU, and waiting for them. */
#ifndef DRMSIM_KFD_EVENT_H
#define DRMSIM_KFD_EVENT_H

#include <stdint.h>

#include "kfd/ioctls.h"

struct kfd_device;

kfd_handler event_create, event_destroy, event_set, event_reset, event_wait;

/* Interrupt, the GPU having written the id into the slot of that number. */
void
event_interrupt(struct kfd_process *process, uint32_t id);
/* Report that the GPU has reached for an address where nothing is. */
void
event_report_fault(const struct kfd_device *device, uint64_t address);
/* Free all events of a process that has ended. */
void
event_free_all(struct kfd_process *process);

#endif /* DRMSIM_KFD_EVENT_H */
