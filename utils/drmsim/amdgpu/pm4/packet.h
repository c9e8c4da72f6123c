/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the command processor know of each other.
 *
 * pm4           takes buffers apart into packets
 * pm4_packets   which packets there are, for whom, how long
 * pm4_registers packets that write registers
 * pm4_copy      packets that write memory
 * pm4_wait      packets that wait
 * pm4_events    events and the end of the pipe
 * pm4_work      dispatches and draws
 * pm4_flow      packets that choose what comes next
 */
#ifndef DRMSIM_PM4_H
#define DRMSIM_PM4_H

#include <amdgpu_drm.h>
#include <string.h>

#include "amdgpu/gfx/gpu.h"

#define READABLE AMDGPU_VM_PAGE_READABLE
#define WRITABLE AMDGPU_VM_PAGE_WRITEABLE
#define EXECUTABLE AMDGPU_VM_PAGE_EXECUTABLE

#define PACKET_NOP 0x10
#define PACKET_SET_UCONFIG_REG 0x79
#define CAM_RESET (1u << 2)
#define PREDICATED 1u

/* A packet being executed. */
struct packet {
	struct ring *ring;
	const struct packet_kind *kind;
	uint32_t header;
	unsigned opcode;
	uint32_t count; /* dwords of body */
	const uint8_t *bytes; /* of the body */
};

enum outcome {
	NEXT, /* go on behind the packet */
	AGAIN, /* not yet: ring->blocked_until or blocked_since */
	JUMPED, /* another buffer has been entered */
	HUNG,
};

typedef enum outcome
pm4_handler(const struct packet *packet);

/* Registers that a packet reaches, counted from the first. */
enum register_window {
	WINDOW_NONE,
	WINDOW_CONFIG,
	WINDOW_SHADER,
	WINDOW_CONTEXT,
	WINDOW_UCONFIG,
};

struct packet_kind {
	uint8_t opcode;
	uint8_t engines;
	/* by generation; gone 0: still there */
	uint8_t since, gone;
	uint16_t least, most; /* dwords of body */
	enum register_window window;
	pm4_handler *run;
	const char *name;
};

static inline uint32_t
pm4_body(const struct packet *packet, uint32_t index)
{
	uint32_t value;

	memcpy(&value, packet->bytes + 4 * index, sizeof(value));
	return value;
}

static inline uint64_t
pm4_body64(const struct packet *packet, uint32_t index)
{
	return pm4_body(packet, index) | (uint64_t)pm4_body(packet, index + 1)
						 << 32;
}

/* Execute a packet, if the ring's firmware knows it in this form. */
enum outcome
pm4_execute(struct packet *packet);

/* As pm4_address(), of dwords: the two low bits are not there. */
uint8_t *
pm4_dwords(struct ring *ring, uint64_t address, uint32_t access, uint64_t size);
/* False: it has been too much, and the ring hangs. */
bool
pm4_spend(struct ring *ring, uint32_t amount);

/* Registers of the ring or of its die. */
void
pm4_write_register(struct ring *ring, uint32_t dword, uint32_t value);
uint32_t
pm4_read_register(struct ring *ring, uint32_t dword);

/* How packets compare: 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >, others: true. */
bool
pm4_compares(unsigned function, uint64_t value, uint64_t reference);
enum outcome
pm4_block_until(struct ring *ring, uint64_t time);
/* Until a process or another ring does something about it. */
enum outcome
pm4_poll(struct ring *ring);

/* Go on with another buffer, and come back. */
enum outcome
pm4_enter(struct ring *ring, uint64_t address, uint32_t dwords);
/* Predication by SET_PREDICATION lets a packet pass over. */
bool
pm4_is_predicated(const struct packet *packet);

/* What packets do. */
pm4_handler pm4_skip, pm4_refuse;
pm4_handler pm4_set_registers, pm4_set_pairs, pm4_set_packed_pairs;
pm4_handler pm4_load_registers, pm4_load_index;
pm4_handler pm4_modify_register, pm4_modify_context;
pm4_handler pm4_copy_data, pm4_copy_dword, pm4_write_data;
pm4_handler pm4_dma_data, pm4_dma_fill, pm4_cp_dma;
pm4_handler pm4_atomic_memory, pm4_update_streamout;
pm4_handler pm4_wait_idle, pm4_wait_reg_mem, pm4_wait_reg_mem64;
pm4_handler pm4_cond_write, pm4_semaphore, pm4_rewind;
pm4_handler pm4_event_write, pm4_event_write_zpass;
pm4_handler pm4_release_mem, pm4_event_write_eop, pm4_event_write_eos;
pm4_handler pm4_timestamp;
pm4_handler pm4_dispatch_direct, pm4_dispatch_indirect;
pm4_handler pm4_dispatch_at_address, pm4_dispatch_tasks;
pm4_handler pm4_draw, pm4_draw_indirect, pm4_draw_indirect_multi;
pm4_handler pm4_dispatch_mesh, pm4_dispatch_mesh_multi;
pm4_handler pm4_indirect_buffer, pm4_cond_indirect_buffer;
pm4_handler pm4_cond_exec, pm4_pred_exec, pm4_set_predication;
pm4_handler pm4_set_base, pm4_counter_window;

#endif /* DRMSIM_PM4_H */
