/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers of packets, by the files that have them, and what they share. */
#ifndef DRMSIM_AMDGPU_PM4_HANDLERS_H
#define DRMSIM_AMDGPU_PM4_HANDLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/pm4/packet.h"

struct ring;

/* ---- flow.c: packets that choose what comes next */
/* Return whether predication by SET_PREDICATION lets a packet pass over. */
bool pm4_is_predicated(const struct packet *packet);

pm4_handler pm4_skip, pm4_refuse;
pm4_handler pm4_indirect_buffer, pm4_cond_indirect_buffer;
pm4_handler pm4_cond_exec, pm4_pred_exec, pm4_set_predication;
pm4_handler pm4_set_base, pm4_counter_window;

/* ---- registers.c: packets that write registers */
/* Write a register of the ring or of its die. */
void pm4_write_register(struct ring *ring, uint32_t dword, uint32_t value);
uint32_t pm4_read_register(struct ring *ring, uint32_t dword);

pm4_handler pm4_set_registers, pm4_set_pairs, pm4_set_packed_pairs;
pm4_handler pm4_load_registers, pm4_load_index;
pm4_handler pm4_modify_register, pm4_modify_context;

/* ---- copy.c: packets that write memory */
pm4_handler pm4_copy_data, pm4_copy_dword, pm4_write_data;
pm4_handler pm4_dma_data, pm4_dma_fill, pm4_cp_dma;
pm4_handler pm4_atomic_memory, pm4_update_streamout;

/* ---- wait.c: packets that wait or look */
/* Block until a time. Returns AGAIN, when the time has come. */
enum outcome pm4_block_until(struct ring *ring, uint64_t time);

pm4_handler pm4_wait_idle, pm4_wait_reg_mem, pm4_wait_reg_mem64;
pm4_handler pm4_cond_write, pm4_semaphore, pm4_rewind;

/* ---- events.c: packets of events and of the end of the pipe */
/* Return whether a packet has render backends store their samples. */
bool
pm4_stores_samples(const struct packet *packet);

pm4_handler pm4_event_write, pm4_event_write_zpass;
pm4_handler pm4_acquire_mem, pm4_release_mem;
pm4_handler pm4_event_write_eop, pm4_event_write_eos, pm4_timestamp;

/* ---- work.c: packets that launch work, dispatches and draws */
pm4_handler pm4_dispatch_direct, pm4_dispatch_indirect;
pm4_handler pm4_dispatch_at_address, pm4_dispatch_tasks;
pm4_handler pm4_draw, pm4_draw_indirect, pm4_draw_indirect_multi;
pm4_handler pm4_dispatch_mesh, pm4_dispatch_mesh_multi;

#endif /* DRMSIM_AMDGPU_PM4_HANDLERS_H */
