/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command processor: takes type-3 packets apart and does what they say.
 * Opcodes and layouts: Mesa 22.3.6 (src/amd/common/sid.h), AMD PAL, Linux
 * (soc15d.h). What it does not know, or what this ring cannot do, hangs it, as
 * rubbish does on hardware.
 */
#include "amdgpu.h"

#include <amdgpu_drm.h>
#include <string.h>

#include "../core.h"

#define READABLE AMDGPU_VM_PAGE_READABLE
#define WRITABLE AMDGPU_VM_PAGE_WRITEABLE
#define EXECUTABLE AMDGPU_VM_PAGE_EXECUTABLE

/* Register windows of the SET packets, in dwords. */
#define CONFIG_START BYTE_TO_DWORD(0x8000u)
#define CONFIG_END BYTE_TO_DWORD(0xb000u)
#define CONTEXT_START BYTE_TO_DWORD(0x28000u)
#define CONTEXT_END BYTE_TO_DWORD(0x30000u)
#define UCONFIG_START BYTE_TO_DWORD(0x30000u)
#define UCONFIG_END BYTE_TO_DWORD(0x40000u)

#define PACKET_MAX 0x4000u
#define CAM_RESET (1u << 2)
#define STAGE_CS 6
/*
 * What a job may spend beyond its own buffers, in dwords of the buffers that it
 * enters: more than a program needs, so that commands that go round in a
 * circle come to an end.
 */
#define SPENT_MAX (1u << 22)
#define ENTERING 256 /* a buffer costs as much as so many dwords */
#define COPIED_FOR_ONE 256 /* bytes */

/* A packet being executed. */
struct packet {
	struct ring *ring;
	uint32_t header;
	unsigned opcode;
	uint32_t count;	      /* dwords of body */
	const uint8_t *bytes; /* of the body */
};

enum outcome {
	NEXT,	/* go on behind the packet */
	AGAIN,	/* not yet: ring->blocked_until or blocked_since */
	JUMPED, /* another buffer has been entered */
	HUNG,
};

static uint32_t
body(const struct packet *packet, uint32_t index)
{
	uint32_t value;

	memcpy(&value, packet->bytes + 4 * index, sizeof(value));
	return value;
}

static uint64_t
body64(const struct packet *packet, uint32_t index)
{
	return body(packet, index) | (uint64_t)body(packet, index + 1) << 32;
}

/* ---- memory */

static bool
is_listed(const struct job *job, const struct sim_bo *bo)
{
	for (uint32_t i = 0; i < job->bo_count; i++)
		if (job->bos[i] == bo)
			return true;
	return (bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) != 0;
}

uint8_t *
pm4_address(struct ring *ring, uint64_t address, uint32_t access,
	    uint64_t size)
{
	struct job *job = ring->queue;
	struct sim_bo *bo;
	uint64_t there;
	uint8_t *at;

	if (!job || !job->client)
		return NULL;
	at = memory_at(job->client, address, access, &there, &bo);
	if (!at || there < size) {
		ring_hang(ring, "page fault at 0x%llx, %llu bytes",
			  (unsigned long long)address,
			  (unsigned long long)size);
		return NULL;
	}
	if (!is_listed(job, bo)) {
		ring_hang(ring, "the buffer at 0x%llx is in no list",
			  (unsigned long long)address);
		return NULL;
	}
	return at;
}

/* Dword addresses: two low bits are not there. */
static uint8_t *
dword_address(struct ring *ring, uint64_t address, uint32_t access,
	      uint64_t size)
{
	return pm4_address(ring, address & ~3ull, access, size);
}

/* False: it has been too much, and the ring hangs. */
static bool
spend(struct ring *ring, uint32_t amount)
{
	if (amount <= SPENT_MAX - ring->spent) {
		ring->spent += amount;
		return true;
	}
	ring_hang(ring, "commands that do not come to an end");
	return false;
}

/* ---- registers */

/* Registers of shaders belong to the queue. */
static uint32_t *
shader_register(struct ring *ring, uint32_t dword)
{
	if (dword < SHADER_START || dword >= SHADER_END)
		return NULL;
	return &ring->shader_registers[dword - SHADER_START];
}

static void
write_register(struct ring *ring, uint32_t dword, uint32_t value)
{
	uint32_t *own = shader_register(ring, dword);

	if (own)
		*own = value;
	else
		registers_write(ring->amdgpu, dword, value);
}

static uint32_t
read_register(struct ring *ring, uint32_t dword)
{
	const uint32_t *own = shader_register(ring, dword);

	return own ? *own : registers_read(ring->amdgpu, dword);
}

/*
 * The graphics pipe of some generations compares what is SET with what it has
 * SET before, whatever GRBM_GFX_INDEX was then: the same select for another
 * instance gets lost unless the packet's header says otherwise.
 */
static bool
passes_filter(const struct packet *packet, uint32_t dword, uint32_t value)
{
	struct ring *ring = packet->ring;
	struct amdgpu *amdgpu = ring->amdgpu;
	struct held *entry = ring->cam, *end = ring->cam + ring->cam_count;

	if (!amdgpu->chip.filter_cam || !ring->is_gfx ||
	    !perfmon_is_select(amdgpu, dword))
		return true;
	while (entry < end && entry->dword != dword)
		entry++;
	if (entry < end && entry->value == value &&
	    !(packet->header & CAM_RESET)) {
		amdgpu_violation(amdgpu, "filter-cam",
				 "select 0x%x was not written again: the "
				 "header lacks the filter's reset",
				 dword * 4);
		return false;
	}
	if (entry == end && ring->cam_count == CAM_ENTRIES)
		return true;
	if (entry == end)
		ring->cam_count++;
	*entry = (struct held){ .dword = dword, .value = value };
	return true;
}

static enum outcome
set_registers(const struct packet *packet, uint32_t start, uint32_t end)
{
	struct ring *ring = packet->ring;
	uint32_t first, count = packet->count - 1;

	if (packet->count < 2) {
		ring_hang(ring, "SET packet 0x%02x without a value",
			  packet->opcode);
		return HUNG;
	}
	first = start + (body(packet, 0) & 0xffff);
	if (first + count > end) {
		ring_hang(ring, "register 0x%x is outside of its window",
			  first * 4);
		return HUNG;
	}
	for (uint32_t i = 0; i < count; i++)
		if (passes_filter(packet, first + i, body(packet, i + 1)))
			write_register(ring, first + i, body(packet, i + 1));
	return NEXT;
}

/* Pairs of a register and its value. */
static enum outcome
set_pairs(const struct packet *packet, uint32_t start, uint32_t end)
{
	for (uint32_t i = 0; i + 1 < packet->count; i += 2) {
		uint32_t dword = start + (body(packet, i) & 0xffff);

		if (dword >= end) {
			ring_hang(packet->ring,
				  "register 0x%x is outside of its window",
				  dword * 4);
			return HUNG;
		}
		if (passes_filter(packet, dword, body(packet, i + 1)))
			write_register(packet->ring, dword,
				       body(packet, i + 1));
	}
	return NEXT;
}

/* How many, then two registers in a dword with both of their values. */
static enum outcome
set_packed_pairs(const struct packet *packet, uint32_t start, uint32_t end)
{
	uint32_t number = body(packet, 0);

	if (number % 2 || packet->count - 1 != number / 2 * 3) {
		ring_hang(packet->ring, "packet 0x%02x of %u registers",
			  packet->opcode, number);
		return HUNG;
	}
	for (uint32_t i = 0; i < number; i++) {
		uint32_t at = 1 + i / 2 * 3;
		uint32_t dword = start + (body(packet, at) >> i % 2 * 16 &
					  0xffff);

		if (dword >= end) {
			ring_hang(packet->ring,
				  "register 0x%x is outside of its window",
				  dword * 4);
			return HUNG;
		}
		write_register(packet->ring, dword,
			       body(packet, at + 1 + i % 2));
	}
	return NEXT;
}

/*
 * Ranges of registers from memory that has a place for each register of the
 * window (Mesa, ac_shadowed_regs.c).
 */
static enum outcome
load_registers(const struct packet *packet, uint32_t start, uint32_t end)
{
	struct ring *ring = packet->ring;
	uint64_t base = body64(packet, 0);

	for (uint32_t i = 2; i + 1 < packet->count; i += 2) {
		uint32_t first = body(packet, i) & 0xffff;
		uint32_t count = body(packet, i + 1) & 0x3fff;
		const uint8_t *from;
		uint32_t value;

		if (start + first + count > end) {
			ring_hang(ring,
				  "register 0x%x is outside of its window",
				  (start + first + count - 1) * 4);
			return HUNG;
		}
		if (!count)
			continue;
		from = dword_address(ring, base + 4ull * first, READABLE,
				     4ull * count);
		if (!from)
			return HUNG;
		for (uint32_t k = 0; k < count; k++) {
			memcpy(&value, from + 4ull * k, sizeof(value));
			write_register(ring, start + first + k, value);
		}
	}
	return NEXT;
}

static enum outcome
load_config(const struct packet *packet)
{
	return load_registers(packet, CONFIG_START, CONFIG_END);
}

static enum outcome
load_context(const struct packet *packet)
{
	return load_registers(packet, CONTEXT_START, CONTEXT_END);
}

static enum outcome
load_sh(const struct packet *packet)
{
	return load_registers(packet, SHADER_START, SHADER_END);
}

static enum outcome
load_uconfig(const struct packet *packet)
{
	return load_registers(packet, UCONFIG_START, UCONFIG_END);
}

static enum outcome
set_context_pairs(const struct packet *packet)
{
	return set_pairs(packet, CONTEXT_START, CONTEXT_END);
}

static enum outcome
set_packed_context_pairs(const struct packet *packet)
{
	return set_packed_pairs(packet, CONTEXT_START, CONTEXT_END);
}

static enum outcome
set_sh_pairs(const struct packet *packet)
{
	return set_pairs(packet, SHADER_START, SHADER_END);
}

static enum outcome
set_packed_sh_pairs(const struct packet *packet)
{
	return set_packed_pairs(packet, SHADER_START, SHADER_END);
}

static enum outcome
set_uconfig_pairs(const struct packet *packet)
{
	return set_pairs(packet, UCONFIG_START, UCONFIG_END);
}

static enum outcome
set_config(const struct packet *packet)
{
	return set_registers(packet, CONFIG_START, CONFIG_END);
}

static enum outcome
set_context(const struct packet *packet)
{
	return set_registers(packet, CONTEXT_START, CONTEXT_END);
}

static enum outcome
set_sh(const struct packet *packet)
{
	return set_registers(packet, SHADER_START, SHADER_END);
}

static enum outcome
set_uconfig(const struct packet *packet)
{
	return set_registers(packet, UCONFIG_START, UCONFIG_END);
}

static enum outcome
modify_register(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t dword = body(packet, 0) & 0x3ffff;
	uint32_t value = read_register(ring, dword);

	write_register(ring, dword,
		       (value & body(packet, 1)) | body(packet, 2));
	return NEXT;
}

/* ---- copying */

enum { COPY_REGISTER, COPY_MEMORY, COPY_TC_L2, COPY_GDS, COPY_PERF,
       COPY_IMMEDIATE, COPY_TIMESTAMP = 9 };

static bool
read_source(const struct packet *packet, unsigned select, unsigned dwords,
	    uint32_t value[2])
{
	struct ring *ring = packet->ring;
	uint32_t low = body(packet, 1);
	const uint8_t *from;
	uint64_t now;

	switch (select) {
	case COPY_REGISTER:
	case COPY_PERF:
		for (unsigned i = 0; i < dwords; i++)
			value[i] = read_register(ring, (low + i) & 0x3ffff);
		return true;
	case COPY_MEMORY:
	case COPY_TC_L2:
		from = dword_address(ring, body64(packet, 1), READABLE,
				     4 * dwords);
		if (from)
			memcpy(value, from, 4 * dwords);
		return from != NULL;
	case COPY_IMMEDIATE:
		value[0] = low;
		value[1] = body(packet, 2);
		return true;
	case COPY_TIMESTAMP:
		now = amdgpu_timestamp(ring->amdgpu, ring->amdgpu->now);
		memcpy(value, &now, sizeof(now));
		return true;
	case COPY_GDS:
		value[0] = value[1] = 0;
		return true;
	}
	ring_hang(ring, "COPY_DATA from source %u", select);
	return false;
}

static bool
write_destination(const struct packet *packet, unsigned select,
		  unsigned dwords, const uint32_t value[2])
{
	struct ring *ring = packet->ring;
	uint8_t *to;

	switch (select) {
	case COPY_REGISTER:
	case COPY_PERF:
		for (unsigned i = 0; i < dwords; i++)
			write_register(ring, (body(packet, 3) + i) & 0x3ffff,
				       value[i]);
		return true;
	case 1: /* memory, synchronised with the GRBM */
	case 2: /* L2 */
	case 5: /* memory */
		to = dword_address(ring, body64(packet, 3), WRITABLE,
				   4 * dwords);
		if (to)
			memcpy(to, value, 4 * dwords);
		return to != NULL;
	case COPY_GDS:
		return true;
	}
	ring_hang(ring, "COPY_DATA to destination %u", select);
	return false;
}

static enum outcome
copy_data(const struct packet *packet)
{
	uint32_t control = body(packet, 0);
	unsigned dwords = control >> 16 & 1 ? 2 : 1;
	uint32_t value[2] = { 0 };

	if (!read_source(packet, control & 0xf, dwords, value))
		return HUNG;
	return write_destination(packet, control >> 8 & 0xf, dwords, value)
		       ? NEXT
		       : HUNG;
}

static enum outcome
write_data(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = body(packet, 0), count = packet->count - 3;
	bool one_address = control >> 16 & 1;
	uint32_t value;
	uint8_t *to;

	switch (control >> 8 & 0xf) {
	case 0:
		for (uint32_t i = 0; i < count; i++)
			write_register(ring,
				       body(packet, 1) + (one_address ? 0 : i),
				       body(packet, 3 + i));
		return NEXT;
	case 1:
	case 2:
	case 5:
		to = dword_address(ring, body64(packet, 1), WRITABLE,
				   4ull * (one_address ? 1 : count));
		/* the packet itself may be what is written to */
		for (uint32_t i = 0; to && i < count; i++) {
			value = body(packet, 3 + i);
			memcpy(to + (one_address ? 0 : 4 * i), &value, 4);
		}
		return to ? NEXT : HUNG;
	case 3: /* GDS */
		return NEXT;
	}
	ring_hang(ring, "WRITE_DATA to destination %u", control >> 8 & 0xf);
	return HUNG;
}

/* The width of DMA_DATA's count, beside which flags stand. */
static uint32_t
dma_size_mask(const struct ring *ring)
{
	return ring->amdgpu->chip.gfx_version[0] < 9 ? 0x1fffff : 0x3ffffff;
}

/* size: whole dwords. */
static void
fill_memory(uint8_t *to, uint32_t value, uint32_t size)
{
	for (uint32_t done = 0; done < size;) {
		uint32_t more = done < size - done ? done : size - done;

		if (!done)
			more = sizeof(value);
		memcpy(to + done, done ? to : (uint8_t *)&value, more);
		done += more;
	}
}

static enum outcome
dma_data(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = body(packet, 0);
	uint32_t size = body(packet, 5) & dma_size_mask(ring);
	unsigned source = control >> 29 & 3, destination = control >> 20 & 3;
	const uint8_t *from = NULL;
	uint8_t *to = NULL;

	/* a copy of nothing makes the CP wait for the copies before it */
	if (!size)
		return NEXT;
	if (!spend(ring, 1 + size / COPIED_FOR_ONE))
		return HUNG;
	/* only memory (0 and 3) and, as source, a value (2) are followed */
	if (source != 2 && source != 1) {
		from = pm4_address(ring, body64(packet, 1), READABLE, size);
		if (!from)
			return HUNG;
	}
	if (destination == 0 || destination == 3) {
		to = pm4_address(ring, body64(packet, 3), WRITABLE, size);
		if (!to)
			return HUNG;
	}
	if (to && from)
		memmove(to, from, size);
	else if (to && source == 2)
		fill_memory(to, body(packet, 1), size & ~3u);
	return NEXT;
}

static enum outcome
atomic_memory(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	unsigned operation = body(packet, 0) & 0x7f;
	bool is_64 = operation & 0x20;
	uint64_t source = body64(packet, 3), compare = body64(packet, 5);
	uint64_t value = 0, mask = is_64 ? UINT64_MAX : UINT32_MAX;
	size_t size = is_64 ? 8 : 4;
	uint8_t *at = dword_address(ring, body64(packet, 1), WRITABLE, size);

	if (!at)
		return HUNG;
	memcpy(&value, at, size);
	switch (operation & 0x1f) {
	case 0x07: /* swap */
		value = source;
		break;
	case 0x08: /* compare and swap */
		if (value == (compare & mask))
			value = source;
		break;
	case 0x0f:
		value += source;
		break;
	case 0x10:
		value -= source;
		break;
	case 0x15:
		value &= source;
		break;
	case 0x16:
		value |= source;
		break;
	case 0x17:
		value ^= source;
		break;
	default:
		ring_hang(ring, "ATOMIC_MEM with operation 0x%x", operation);
		return HUNG;
	}
	memcpy(at, &value, size);
	return NEXT;
}

/* ---- waiting */

static enum outcome
block_until(struct ring *ring, uint64_t time)
{
	ring->blocked_until = time;
	return AGAIN;
}

/* Until everything launched by this ring has ended. */
static enum outcome
wait_idle(const struct packet *packet)
{
	struct ring *ring = packet->ring;

	if (ring->free_at > ring->amdgpu->now)
		return block_until(ring, ring->free_at);
	return NEXT;
}

static bool
compares(unsigned function, uint64_t value, uint64_t reference)
{
	switch (function) {
	case 1:
		return value < reference;
	case 2:
		return value <= reference;
	case 3:
		return value == reference;
	case 4:
		return value != reference;
	case 5:
		return value >= reference;
	case 6:
		return value > reference;
	}
	return true;
}

/*
 * What is looked at, with the mask applied: memory, or else a register. False:
 * there is no such memory, and the ring hangs.
 */
static bool
look(const struct packet *packet, bool memory, uint64_t mask, uint64_t *out)
{
	uint32_t dwords = mask >> 32 ? 2 : 1;
	uint32_t value[2] = { 0 };
	const uint8_t *at;

	if (memory) {
		at = dword_address(packet->ring, body64(packet, 1), READABLE,
				   4ull * dwords);
		if (!at)
			return false;
		memcpy(value, at, 4ull * dwords);
	} else {
		value[0] = read_register(packet->ring,
					 body(packet, 1) & 0x3ffff);
	}
	*out = (value[0] | (uint64_t)value[1] << 32) & mask;
	return true;
}

static enum outcome
wait_for(const struct packet *packet, uint64_t reference, uint64_t mask)
{
	struct ring *ring = packet->ring;
	/* bits 7:6: 0 waits, others write first; only waiting is known */
	uint32_t control = body(packet, 0);
	bool memory = control >> 4 & 3;
	uint64_t value;

	if (!look(packet, memory, mask, &value))
		return HUNG;
	if (compares(control & 7, value, reference)) {
		ring->blocked_since = 0;
		if (!memory)
			perfmon_waited(ring->amdgpu,
				       body(packet, 1) & 0x3ffff);
		return NEXT;
	}
	if (!ring->blocked_since)
		ring->blocked_since = sim_host_now();
	return AGAIN;
}

static enum outcome
wait_reg_mem(const struct packet *packet)
{
	return wait_for(packet, body(packet, 3), body(packet, 4));
}

static enum outcome
wait_reg_mem64(const struct packet *packet)
{
	return wait_for(packet, body64(packet, 3), body64(packet, 5));
}

/* One look, and a dword written if it is as it should be. */
static enum outcome
cond_write(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = body(packet, 0), value = body(packet, 7);
	uint64_t polled;
	uint8_t *to;

	if (!look(packet, control >> 4 & 1, body(packet, 4), &polled))
		return HUNG;
	if (!compares(control & 7, polled, body(packet, 3)))
		return NEXT;
	switch (control >> 8 & 3) {
	case 0:
		write_register(ring, body(packet, 5) & 0x3ffff, value);
		return NEXT;
	case 1:
		to = dword_address(ring, body64(packet, 5), WRITABLE,
				   sizeof(value));
		if (to)
			memcpy(to, &value, sizeof(value));
		return to ? NEXT : HUNG;
	}
	return NEXT; /* scratch memory of the processor */
}

/* ---- events */

enum {
	EVENT_CS_PARTIAL_FLUSH = 7,
	EVENT_VS_PARTIAL_FLUSH = 15,
	EVENT_PS_PARTIAL_FLUSH = 16,
	EVENT_ZPASS_DONE = 21,
	EVENT_PERFCOUNTER_START = 23,
	EVENT_PERFCOUNTER_STOP = 24,
	EVENT_PERFCOUNTER_SAMPLE = 27,
};

static enum outcome
event_write(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	struct amdgpu *amdgpu = ring->amdgpu;

	switch (body(packet, 0) & 0x3f) {
	case EVENT_CS_PARTIAL_FLUSH:
	case EVENT_VS_PARTIAL_FLUSH:
	case EVENT_PS_PARTIAL_FLUSH:
		return wait_idle(packet);
	case EVENT_PERFCOUNTER_START:
	case EVENT_PERFCOUNTER_STOP:
		/* windows are those of the graphics pipe */
		if (ring->is_gfx)
			perfmon_set_window(amdgpu,
					   (body(packet, 0) & 0x3f) ==
						   EVENT_PERFCOUNTER_START);
		return NEXT;
	case EVENT_PERFCOUNTER_SAMPLE:
		perfmon_latch(amdgpu);
		return NEXT;
	}
	return NEXT;
}

/* There is room for one more end of the pipe, or else AGAIN. */
static enum outcome
room_at_end(const struct packet *packet)
{
	struct ring *ring = packet->ring;

	return ring_ends_are_full(ring) ? block_until(ring, ring->ends->time)
					: NEXT;
}

static enum outcome
at_end(const struct packet *packet, uint64_t address, uint64_t data,
       unsigned select, bool soon)
{
	if (ring_at_end(packet->ring, address, data, select, soon)) {
		ring_hang(packet->ring, "out of memory");
		return HUNG;
	}
	return NEXT;
}

static enum outcome
release_mem(const struct packet *packet)
{
	uint32_t select = body(packet, 1);

	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	return at_end(packet, body64(packet, 2) & ~3ull, body64(packet, 4),
		      select >> 29 & 7, false);
}

static enum outcome
event_write_eop(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint64_t address =
		body(packet, 1) | (uint64_t)(body(packet, 2) & 0xffff) << 32;
	/* all engines are idle at the second of two such events only */
	bool soon = ring->amdgpu->chip.lone_eop && !ring->eop_pending;

	if (room_at_end(packet) == AGAIN)
		return AGAIN;
	ring->eop_pending = true;
	return at_end(packet, address & ~3ull, body64(packet, 3),
		      body(packet, 2) >> 29 & 7, soon);
}

/* ---- work */

static bool
may_count(const struct ring *ring)
{
	const struct chip_register *reg = &ring->amdgpu->chip.reg;
	uint32_t enable = reg->compute_perfcount_enable;

	if (ring->is_gfx && ring->die->window_open)
		return true;
	return enable && ring->shader_registers[enable - SHADER_START] & 1;
}

/* Threads of a wave: from gfx10 on the dispatch chooses. */
static unsigned
wave_size(const struct chip *chip, uint32_t initiator)
{
	if (!chip->wave32_bit)
		return chip->wavefront;
	return initiator >> chip->wave32_bit & 1 ? 32 : 64;
}

static enum outcome
launch(struct ring *ring, const struct dispatch *work)
{
	if (!ring_launch(ring, work))
		return NEXT;
	ring_hang(ring, "more work than comes to an end");
	return HUNG;
}

static enum outcome
dispatch(const struct packet *packet, const uint32_t groups[3],
	 uint32_t initiator)
{
	struct ring *ring = packet->ring;
	const struct chip *chip = &ring->amdgpu->chip;
	struct dispatch work = { .groups = 1, .stage = STAGE_CS,
				 .die = ring->die->number,
				 .is_gfx = ring->is_gfx, .pipe = ring->index,
				 .allowed = may_count(ring) };
	unsigned wave = wave_size(chip, initiator);
	uint64_t threads = 1;
	bool too_much = false;

	for (unsigned i = 0; i < 3; i++) {
		uint32_t dword = chip->reg.compute_num_thread[i];
		uint32_t size =
			ring->shader_registers[dword - SHADER_START] & 0xffff;

		too_much |= __builtin_mul_overflow(work.groups, groups[i],
						   &work.groups);
		threads *= size;
	}
	if (!threads) {
		ring_hang(ring, "dispatch of groups without threads");
		return HUNG;
	}
	too_much |= __builtin_mul_overflow(work.groups, threads, &work.threads);
	work.waves = work.groups * ((threads + wave - 1) / wave);
	if (too_much)
		work.waves = UINT64_MAX;
	return groups[0] && groups[1] && groups[2] ? launch(ring, &work) : NEXT;
}

static enum outcome
dispatch_direct(const struct packet *packet)
{
	const uint32_t groups[3] = { body(packet, 0), body(packet, 1),
				     body(packet, 2) };

	return dispatch(packet, groups, body(packet, 3));
}

/* The first dword is an offset from the base, or (compute) an address. */
static enum outcome
dispatch_indirect(const struct packet *packet)
{
	uint32_t groups[3];
	const uint8_t *at;

	if (packet->count < 3)
		return NEXT; /* of the gfx ring: the base is not followed */
	at = dword_address(packet->ring, body64(packet, 0), READABLE,
			   sizeof(groups));
	if (!at)
		return HUNG;
	memcpy(groups, at, sizeof(groups));
	return dispatch(packet, groups, body(packet, 2));
}

/* A draw keeps the chip busy for the time of a wave. */
static enum outcome
draw(const struct packet *packet)
{
	return launch(packet->ring,
		      &(struct dispatch){ .waves = 1, .allowed = false });
}

/* ---- flow */

static enum outcome
enter(struct ring *ring, uint64_t address, uint32_t dwords)
{
	if (ring->depth == FRAMES_MAX) {
		ring_hang(ring, "indirect buffers nested too deeply");
		return HUNG;
	}
	if (!spend(ring, dwords + ENTERING))
		return HUNG;
	ring->frames[ring->depth++] =
		(struct frame){ .address = address, .left = dwords };
	return JUMPED;
}

static enum outcome
indirect_buffer(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t dwords = body(packet, 2) & 0xfffff;
	uint64_t address = body64(packet, 0) & ~3ull;
	bool chain = body(packet, 2) >> 20 & 1;

	/* a chained buffer takes the place of this one */
	if (chain)
		ring->depth--;
	return enter(ring, address, dwords);
}

/* The packets in so many dwords of the buffer are passed over. */
static enum outcome
skip_dwords(struct ring *ring, uint32_t dwords)
{
	if (dwords > ring->frames[ring->depth - 1].left) {
		ring_hang(ring,
			  "%u dwords are skipped, more than the buffer "
			  "has",
			  dwords);
		return HUNG;
	}
	ring->predicate_left = dwords;
	return NEXT;
}

static enum outcome
cond_exec(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	const uint8_t *at = dword_address(ring, body64(packet, 0), READABLE, 4);
	uint32_t value;

	if (!at)
		return HUNG;
	memcpy(&value, at, sizeof(value));
	if (value)
		return NEXT;
	return skip_dwords(ring, body(packet, packet->count - 1) & 0x3fff);
}

/* What follows is for those dies whose bit is set. */
static enum outcome
pred_exec(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t dies = body(packet, 0) >> 24;

	if (dies >> ring->die->number & 1)
		return NEXT;
	return skip_dwords(ring, body(packet, 0) & 0x3fff);
}

/* Only newer firmware knows it: open with any operation but 0. */
static enum outcome
counter_window(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	const struct chip *chip = &ring->amdgpu->chip;
	unsigned kind = ring->is_gfx ? AMDGPU_INFO_FW_GFX_PFP
				     : AMDGPU_INFO_FW_GFX_MEC;
	unsigned least = chip->window_firmware[!ring->is_gfx];

	if (!least || chip_firmware_version(chip, kind) < least) {
		ring_hang(ring, "PERF_COUNTER_WINDOW is unknown to firmware "
				"%u",
			  chip_firmware_version(chip, kind));
		return HUNG;
	}
	ring->window_open = body(packet, 0) & 7;
	return NEXT;
}

static enum outcome
skip(const struct packet *packet)
{
	(void)packet;
	return NEXT;
}

/* ---- packets */

/* The first and the last generation that know a packet; 0: there is none. */
static const uint8_t since[256] = { [0x3d] = 11, [0x54] = 10, [0x5d] = 9,
				    [0x6a] = 9,  [0x7a] = 9,  [0xb8] = 11,
				    [0xb9] = 11, [0xba] = 11, [0xbb] = 11,
				    [0xbd] = 11, [0xbe] = 12 };
static const uint8_t until[256] = { [0x43] = 9, [0x47] = 8, [0x48] = 8,
				    [0xb9] = 11, [0xbb] = 11, [0xbd] = 11 };

enum packet_flags {
	GFX_ONLY = 1,
	COMPUTE_ONLY_BEFORE_GFX9 = 2,
};

static const struct packet_kind {
	enum outcome (*run)(const struct packet *packet);
	uint8_t least; /* dwords of body */
	uint8_t flags;
} kinds[256] = {
	[0x10] = { skip, 0, 0 },	     /* NOP */
	[0x11] = { skip, 2, 0 },	     /* SET_BASE */
	[0x12] = { skip, 1, 0 },	     /* CLEAR_STATE */
	[0x13] = { skip, 1, GFX_ONLY },	     /* INDEX_BUFFER_SIZE */
	[0x15] = { dispatch_direct, 4, 0 },
	[0x16] = { dispatch_indirect, 2, 0 },
	[0x1e] = { atomic_memory, 8, 0 },
	[0x1f] = { skip, 2, GFX_ONLY },	     /* OCCLUSION_QUERY */
	[0x20] = { skip, 2, 0 },	     /* SET_PREDICATION */
	[0x21] = { modify_register, 3, GFX_ONLY },
	[0x22] = { cond_exec, 4, 0 },
	[0x23] = { pred_exec, 1, 0 },
	[0x24] = { draw, 4, GFX_ONLY },
	[0x25] = { draw, 4, GFX_ONLY },
	[0x26] = { skip, 2, GFX_ONLY },	     /* INDEX_BASE */
	[0x27] = { draw, 5, GFX_ONLY },
	[0x28] = { skip, 2, GFX_ONLY },	     /* CONTEXT_CONTROL */
	[0x2a] = { skip, 1, GFX_ONLY },	     /* INDEX_TYPE */
	[0x2c] = { draw, 4, GFX_ONLY },
	[0x2d] = { draw, 2, GFX_ONLY },
	[0x2f] = { skip, 1, GFX_ONLY },	     /* NUM_INSTANCES */
	[0x30] = { draw, 2, GFX_ONLY },
	[0x32] = { indirect_buffer, 3, 0 },
	[0x33] = { skip, 3, GFX_ONLY },	     /* INDIRECT_BUFFER_CONST */
	[0x34] = { skip, 5, GFX_ONLY },	     /* STRMOUT_BUFFER_UPDATE */
	[0x35] = { draw, 4, GFX_ONLY },
	[0x36] = { draw, 2, GFX_ONLY },
	[0x37] = { write_data, 4, 0 },
	[0x38] = { draw, 4, GFX_ONLY },
	[0x39] = { skip, 2, 0 },	     /* MEM_SEMAPHORE */
	[0x3c] = { wait_reg_mem, 6, 0 },
	[0x3d] = { counter_window, 1, 0 },
	[0x3f] = { indirect_buffer, 3, 0 },
	[0x40] = { copy_data, 5, 0 },
	[0x41] = { skip, 5, 0 },	     /* CP_DMA */
	[0x42] = { wait_idle, 1, GFX_ONLY }, /* PFP_SYNC_ME */
	[0x43] = { skip, 4, GFX_ONLY },	     /* SURFACE_SYNC */
	[0x45] = { cond_write, 8, 0 },
	[0x46] = { event_write, 1, 0 },
	[0x47] = { event_write_eop, 5, GFX_ONLY },
	[0x48] = { skip, 4, GFX_ONLY },	     /* EVENT_WRITE_EOS */
	[0x49] = { release_mem, 6, COMPUTE_ONLY_BEFORE_GFX9 },
	[0x50] = { dma_data, 6, 0 },
	[0x51] = { skip, 3, GFX_ONLY },	     /* CONTEXT_REG_RMW */
	[0x54] = { skip, 1, 0 },	     /* PERFMON_CONTROL */
	[0x58] = { skip, 6, 0 },	     /* ACQUIRE_MEM */
	[0x59] = { skip, 1, 0 },	     /* REWIND */
	[0x5d] = { skip, 4, 0 },	     /* PRIME_UTCL2 */
	[0x5e] = { load_uconfig, 4, 0 },
	[0x5f] = { load_sh, 4, 0 },
	[0x60] = { load_config, 4, 0 },
	[0x61] = { load_context, 4, 0 },
	[0x68] = { set_config, 2, 0 },
	[0x69] = { set_context, 2, GFX_ONLY },
	[0x6a] = { set_context, 2, GFX_ONLY }, /* ..._INDEX */
	[0x76] = { set_sh, 2, 0 },
	[0x77] = { skip, 2, 0 },	     /* SET_SH_REG_OFFSET */
	[0x78] = { skip, 2, GFX_ONLY },	     /* SET_QUEUE_REG */
	[0x79] = { set_uconfig, 2, 0 },
	[0x7a] = { set_uconfig, 2, 0 },	     /* SET_UCONFIG_REG_INDEX */
	[0x80] = { skip, 3, GFX_ONLY },	     /* LOAD_CONST_RAM */
	[0x81] = { skip, 2, GFX_ONLY },	     /* WRITE_CONST_RAM */
	[0x83] = { skip, 4, GFX_ONLY },	     /* DUMP_CONST_RAM */
	[0x84] = { skip, 1, GFX_ONLY },	     /* INCREMENT_CE_COUNTER */
	[0x85] = { skip, 1, GFX_ONLY },	     /* INCREMENT_DE_COUNTER */
	[0x86] = { skip, 1, GFX_ONLY },	     /* WAIT_ON_CE_COUNTER */
	[0x88] = { skip, 1, GFX_ONLY },	     /* WAIT_ON_DE_COUNTER_DIFF */
	[0x8b] = { skip, 1, GFX_ONLY },	     /* SWITCH_BUFFER */
	[0x90] = { skip, 1, 0 },	     /* FRAME_CONTROL */
	[0x93] = { wait_reg_mem64, 8, 0 },
	[0x9b] = { set_sh, 2, 0 },	     /* SET_SH_REG_INDEX */
	[0x9f] = { skip, 4, GFX_ONLY },	     /* LOAD_CONTEXT_REG_INDEX */
	[0xb8] = { set_context_pairs, 2, GFX_ONLY },
	[0xb9] = { set_packed_context_pairs, 4, GFX_ONLY },
	[0xba] = { set_sh_pairs, 2, 0 },
	[0xbb] = { set_packed_sh_pairs, 4, 0 },
	[0xbd] = { set_packed_sh_pairs, 4, 0 }, /* ..._N: short ones */
	[0xbe] = { set_uconfig_pairs, 2, 0 },
};

/* Two that have got longer: a firmware takes just its own form. */
static bool
has_its_length(const struct packet *packet, unsigned generation)
{
	switch (packet->opcode) {
	case 0x49: /* RELEASE_MEM */
		return packet->count == (generation < 9 ? 6 : 7);
	case 0x58: /* ACQUIRE_MEM */
		return packet->count == (generation < 10 ? 6 : 7);
	}
	return true;
}

static enum outcome
run_packet(const struct packet *packet)
{
	const struct packet_kind *kind = &kinds[packet->opcode];
	struct ring *ring = packet->ring;
	unsigned generation = ring->amdgpu->chip.gfx_version[0];

	if (!kind->run || generation < since[packet->opcode] ||
	    (until[packet->opcode] && generation > until[packet->opcode])) {
		ring_hang(ring, "unknown packet 0x%02x", packet->opcode);
		return HUNG;
	}
	if (kind->flags & GFX_ONLY && !ring->is_gfx) {
		ring_hang(ring, "packet 0x%02x on a compute ring",
			  packet->opcode);
		return HUNG;
	}
	if (kind->flags & COMPUTE_ONLY_BEFORE_GFX9 && ring->is_gfx &&
	    generation < 9) {
		ring_hang(ring, "packet 0x%02x on a graphics ring",
			  packet->opcode);
		return HUNG;
	}
	if (packet->count < kind->least ||
	    !has_its_length(packet, generation)) {
		ring_hang(ring, "packet 0x%02x of %u dwords",
			  packet->opcode, packet->count);
		return HUNG;
	}
	if (packet->header & CAM_RESET && !ring->is_gfx &&
	    packet->opcode == 0x79) {
		ring_hang(ring, "filter CAM reset on a compute ring");
		return HUNG;
	}
	return kind->run(packet);
}

/* The length of the packet at a header; 0: there is no such packet. */
static uint32_t
packet_length(uint32_t header)
{
	switch (header >> 30) {
	case 2:
		return 1;
	case 3:
		/* a NOP with the largest count is a dword of padding */
		if ((header >> 16 & 0x3fff) == 0x3fff &&
		    (header >> 8 & 0xff) == 0x10)
			return 1;
		return 2 + (header >> 16 & 0x3fff);
	}
	return 0;
}

/* What is skipped ends where a packet does, or rubbish would follow. */
static enum outcome
pass_over(struct ring *ring, const struct packet *packet, uint32_t length)
{
	if (length > ring->predicate_left) {
		ring_hang(ring, "packet 0x%08x is skipped in part",
			  packet->header);
		return HUNG;
	}
	ring->predicate_left -= length;
	return NEXT;
}

static enum outcome
run_next(struct ring *ring)
{
	struct frame *frame = &ring->frames[ring->depth - 1];
	struct frame *back = frame;
	struct frame before = *frame;
	const uint8_t *at = pm4_address(ring, frame->address,
					READABLE | EXECUTABLE, 4);
	struct packet packet = { .ring = ring };
	enum outcome outcome;
	uint32_t length;

	if (!at)
		return HUNG;
	memcpy(&packet.header, at, 4);
	length = packet_length(packet.header);
	if (!length || length > frame->left) {
		ring_hang(ring, length ? "packet 0x%08x is cut off"
				       : "0x%08x is no packet",
			  packet.header);
		return HUNG;
	}
	if (length > 1) {
		at = pm4_address(ring, frame->address, READABLE, 4ull * length);
		if (!at)
			return HUNG;
		packet.bytes = at + 4;
		packet.count = length - 1;
	}
	packet.opcode = packet.header >> 8 & 0xff;
	frame->address += 4ull * length;
	frame->left -= length;
	if (length == 1 && packet.opcode != 0x10 && packet.header >> 30 == 3) {
		ring_hang(ring, "packet 0x%08x is cut off", packet.header);
		return HUNG;
	}
	if (ring->predicate_left)
		return pass_over(ring, &packet, length);
	if (length == 1)
		return NEXT;
	outcome = run_packet(&packet);
	if (outcome == AGAIN)
		*back = before;
	return outcome;
}

/* Begin with the next buffer of the job; false: there is none. */
static bool
begin_buffer(struct ring *ring)
{
	struct job *job = ring->queue;
	const struct ib *ib;

	if (job->ib_done == job->ib_count)
		return false;
	ib = &job->ibs[job->ib_done++];
	ring->frames[0] =
		(struct frame){ .address = ib->address, .left = ib->dwords };
	ring->depth = 1;
	return true;
}

enum pm4_result
pm4_run(struct ring *ring)
{
	ring->blocked_until = 0;
	if (ring->queue->shall_hang) {
		ring_hang(ring, "hang by order of --fault");
		return PM4_HUNG;
	}
	for (;;) {
		while (ring->depth && !ring->frames[ring->depth - 1].left)
			ring->depth--;
		if (!ring->depth && !begin_buffer(ring))
			return PM4_DONE;
		if (!ring->frames[ring->depth - 1].left)
			continue;
		switch (run_next(ring)) {
		case NEXT:
		case JUMPED:
			break;
		case AGAIN:
			return PM4_BLOCKED;
		case HUNG:
			return PM4_HUNG;
		}
	}
}
