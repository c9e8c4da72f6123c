/* SPDX-License-Identifier: BSD-3-Clause */
/* A packet being executed, and what its handlers have in common. */
#ifndef DRMSIM_AMDGPU_PM4_PACKET_H
#define DRMSIM_AMDGPU_PM4_PACKET_H

#include <amdgpu_drm.h>
#include <stdint.h>
#include <string.h>

struct ring;

#define READABLE AMDGPU_VM_PAGE_READABLE
#define WRITABLE AMDGPU_VM_PAGE_WRITEABLE
#define EXECUTABLE AMDGPU_VM_PAGE_EXECUTABLE

#define PACKET_NOP 0x10
#define PACKET_SET_UCONFIG_REG 0x79
#define CAM_RESET (1u << 2)
#define PREDICATED 1u

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

typedef enum outcome pm4_handler(const struct packet *packet);

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

/*
 * Execute a packet, if the ring's firmware knows it in this form; else the ring
 * hangs. kinds.c has the known packets, their rings and their lengths.
 */
enum outcome pm4_execute(struct packet *packet);

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

#endif /* DRMSIM_AMDGPU_PM4_PACKET_H */
