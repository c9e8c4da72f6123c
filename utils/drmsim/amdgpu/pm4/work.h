/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that launch work: dispatches and draws. */
#ifndef DRMSIM_AMDGPU_PM4_WORK_H
#define DRMSIM_AMDGPU_PM4_WORK_H

#include "amdgpu/pm4/packet.h"

pm4_handler pm4_dispatch_direct, pm4_dispatch_indirect;
pm4_handler pm4_dispatch_at_address, pm4_dispatch_tasks;
pm4_handler pm4_draw, pm4_draw_indirect, pm4_draw_indirect_multi;
pm4_handler pm4_dispatch_mesh, pm4_dispatch_mesh_multi;

#endif /* DRMSIM_AMDGPU_PM4_WORK_H */
