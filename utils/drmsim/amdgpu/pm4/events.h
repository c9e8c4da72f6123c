/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of events and of the end of the pipe. */
#ifndef DRMSIM_AMDGPU_PM4_EVENTS_H
#define DRMSIM_AMDGPU_PM4_EVENTS_H

#include "amdgpu/pm4/packet.h"

pm4_handler pm4_event_write, pm4_event_write_zpass;
pm4_handler pm4_acquire_mem, pm4_release_mem;
pm4_handler pm4_event_write_eop, pm4_event_write_eos, pm4_timestamp;

#endif /* DRMSIM_AMDGPU_PM4_EVENTS_H */
