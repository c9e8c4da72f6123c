/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that choose what comes next. */
#ifndef DRMSIM_AMDGPU_PM4_FLOW_H
#define DRMSIM_AMDGPU_PM4_FLOW_H

#include <stdbool.h>

#include "amdgpu/pm4/packet.h"

/* Predication by SET_PREDICATION lets a packet pass over. */
bool pm4_is_predicated(const struct packet *packet);

pm4_handler pm4_skip, pm4_refuse;
pm4_handler pm4_indirect_buffer, pm4_cond_indirect_buffer;
pm4_handler pm4_cond_exec, pm4_pred_exec, pm4_set_predication;
pm4_handler pm4_set_base, pm4_counter_window;

#endif /* DRMSIM_AMDGPU_PM4_FLOW_H */
