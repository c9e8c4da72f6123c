/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that write registers. */
#ifndef DRMSIM_AMDGPU_PM4_REGISTERS_H
#define DRMSIM_AMDGPU_PM4_REGISTERS_H

#include <stdint.h>

#include "amdgpu/pm4/packet.h"

struct ring;

/* Registers of the ring or of its die. */
void pm4_write_register(struct ring *ring, uint32_t dword, uint32_t value);
uint32_t pm4_read_register(struct ring *ring, uint32_t dword);

pm4_handler pm4_set_registers, pm4_set_pairs, pm4_set_packed_pairs;
pm4_handler pm4_load_registers, pm4_load_index;
pm4_handler pm4_modify_register, pm4_modify_context;

#endif /* DRMSIM_AMDGPU_PM4_REGISTERS_H */
