/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that write memory. */
#ifndef DRMSIM_AMDGPU_PM4_COPY_H
#define DRMSIM_AMDGPU_PM4_COPY_H

#include "amdgpu/pm4/packet.h"

pm4_handler pm4_copy_data, pm4_copy_dword, pm4_write_data;
pm4_handler pm4_dma_data, pm4_dma_fill, pm4_cp_dma;
pm4_handler pm4_atomic_memory, pm4_update_streamout;

#endif /* DRMSIM_AMDGPU_PM4_COPY_H */
