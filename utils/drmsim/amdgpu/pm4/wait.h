/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that wait or look. */
#ifndef DRMSIM_AMDGPU_PM4_WAIT_H
#define DRMSIM_AMDGPU_PM4_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/pm4/packet.h"

struct ring;

/* Compare like packets: 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >, others: true. */
bool pm4_compares(unsigned function, uint64_t value, uint64_t reference);
/* AGAIN, when the time has come. */
enum outcome pm4_block_until(struct ring *ring, uint64_t time);

pm4_handler pm4_wait_idle, pm4_wait_reg_mem, pm4_wait_reg_mem64;
pm4_handler pm4_cond_write, pm4_semaphore, pm4_rewind;

#endif /* DRMSIM_AMDGPU_PM4_WAIT_H */
