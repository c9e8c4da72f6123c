/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/pm4.h"

#include <assert.h>
#include <string.h>

#define UCONFIG_START 0x30000
#define UCONFIG_END 0x40000
#define SH_START 0xb000
#define SH_END 0xc000

enum opcode {
	DISPATCH_DIRECT = 0x15,
	REG_RMW = 0x21,
	PRED_EXEC = 0x23,
	WRITE_DATA = 0x37,
	WAIT_REG_MEM = 0x3c,
	PERF_COUNTER_WINDOW = 0x3d,
	COPY_DATA = 0x40,
	PFP_SYNC_ME = 0x42,
	EVENT_WRITE = 0x46,
	RELEASE_MEM = 0x49,
	DMA_DATA = 0x50,
	ACQUIRE_MEM = 0x58,
	SET_SH_REG = 0x76,
	SET_UCONFIG_REG = 0x79,
};

/* Bit of a type-3 header: forget what the register filter remembers. */
#define RESET_FILTER (1u << 2)

/* Bit of a type-3 header: it is about compute, whatever the ring. */
#define FOR_COMPUTE (1u << 1)

/* Bits of DISPATCH_DIRECT: compute shaders, group numbers from 0 */
#define DISPATCH_INITIATOR (1u | 1u << 2)

/* A whole packet: NOP with the greatest count stands for no payload at all. */
#define NOP 0xffff1000

/* Bits of COPY_DATA's control dword */
#define FROM_IMMEDIATE 5u
#define FROM_TIMESTAMP 9u
#define TO_REGISTER (4u << 8)
#define TO_MEMORY (5u << 8)
#define WHOLE_64_BITS (1u << 16)
#define CONFIRM_WRITE (1u << 20)

/* Bit of WRITE_DATA's control dword, whose destination 0 is a register */
#define SAME_ADDRESS (1u << 16)

/* Bits of DMA_DATA; compute always waits, and knows no such bit. */
#define THROUGH_L2 (3u << 29 | 3u << 20)
#define WAIT_FOR_COPY (1u << 31)
#define COPY_MAX (16u << 10) /* gfx11 takes no 32768 bytes */

/*
 * Bits of RELEASE_MEM: an event at the end of the pipe, then 32 bits to memory
 */
#define END_OF_PIPE (40u | 5u << 8)
#define STORE_32_BITS (1u << 29)

/*
 * Bits of ACQUIRE_MEM: instructions, scalar and vector data; gfx10 has new bits
 */
#define OLD_SHADER_CACHES (1u << 29 | 1u << 27 | 1u << 22)
#define SHADER_CACHES (1u | 1u << 7 | 1u << 8 | 1u << 9)

/* Bits of WAIT_REG_MEM */
#define UNTIL_EQUAL 3u
#define IN_MEMORY (1u << 4)
#define POLL_INTERVAL 4

static const char *const engine_names[PM4_ENGINES] = {
	[PM4_ENGINE_GFX] = "gfx",
	[PM4_ENGINE_COMPUTE] = "compute",
};

const char *
pm4_engine_name(enum pm4_engine engine)
{
	return engine_names[engine];
}

bool
pm4_engine_find(const char *name, enum pm4_engine *out)
{
	for (int i = 0; i < PM4_ENGINES; i++) {
		if (strcmp(engine_names[i], name))
			continue;
		*out = (enum pm4_engine)i;
		return true;
	}
	return false;
}

static void
pm4_put(struct pm4 *pm4, uint32_t dword)
{
	if (pm4->dwords)
		pm4->dwords[pm4->count] = dword;
	pm4->count++;
}

static uint32_t
packet_header(enum opcode opcode, uint32_t payload)
{
	return 3u << 30 | (payload - 1) << 16 | (uint32_t)opcode << 8;
}

static void
put_header(struct pm4 *pm4, enum opcode opcode, uint32_t payload,
	   uint32_t flags)
{
	/* The other XCCs skip as many dwords as PRED_EXEC says. */
	if (pm4->xccs) {
		pm4_put(pm4, packet_header(PRED_EXEC, 1));
		pm4_put(pm4, pm4->xccs << 24 | (payload + 1));
	}
	pm4_put(pm4, packet_header(opcode, payload) | flags);
}

static void
put_address(struct pm4 *pm4, uint64_t address)
{
	pm4_put(pm4, (uint32_t)address);
	pm4_put(pm4, (uint32_t)(address >> 32));
}

bool
pm4_in_uconfig(struct pm4_register reg)
{
	return reg.byte >= UCONFIG_START && reg.byte < UCONFIG_END;
}

struct pm4_uconfig
pm4_uconfig(struct pm4_register reg)
{
	assert(pm4_in_uconfig(reg));
	return (struct pm4_uconfig){ (reg.byte - UCONFIG_START) / 4 };
}

struct pm4_sh
pm4_sh(struct pm4_register reg)
{
	assert(reg.byte >= SH_START && reg.byte < SH_END);
	return (struct pm4_sh){ (reg.byte - SH_START) / 4 };
}

void
pm4_set_uconfig(struct pm4 *pm4, struct pm4_uconfig reg, uint32_t value)
{
	/* Compute has no such filter, and hangs on a reset of it. */
	bool filtered = pm4->engine == PM4_ENGINE_GFX && pm4->level >= 10;

	put_header(pm4, SET_UCONFIG_REG, 2, filtered ? RESET_FILTER : 0);
	pm4_put(pm4, reg.dword);
	pm4_put(pm4, value);
}

void
pm4_set_sh(struct pm4 *pm4, struct pm4_sh reg, uint32_t value)
{
	put_header(pm4, SET_SH_REG, 2, 0);
	pm4_put(pm4, reg.dword);
	pm4_put(pm4, value);
}

void
pm4_copy_value(struct pm4 *pm4, struct pm4_register reg, uint32_t value)
{
	put_header(pm4, COPY_DATA, 5, 0);
	pm4_put(pm4, FROM_IMMEDIATE | TO_REGISTER | CONFIRM_WRITE);
	put_address(pm4, value);
	put_address(pm4, reg.byte / 4);
}

void
pm4_store_in_register(struct pm4 *pm4, struct pm4_register reg,
		      const uint32_t *dwords, uint32_t count)
{
	put_header(pm4, WRITE_DATA, 3 + count, 0);
	pm4_put(pm4, SAME_ADDRESS | CONFIRM_WRITE);
	put_address(pm4, reg.byte / 4);
	for (uint32_t i = 0; i < count; i++)
		pm4_put(pm4, dwords[i]);
}

void
pm4_modify_register(struct pm4 *pm4, struct pm4_register reg, uint32_t mask,
		    uint32_t value)
{
	put_header(pm4, REG_RMW, 3, 0);
	pm4_put(pm4, reg.byte / 4);
	pm4_put(pm4, ~mask);
	pm4_put(pm4, value & mask);
}

/* Copy to memory; each of several XCCs has its own place there. */
static void
copy_to_memory(struct pm4 *pm4, uint32_t control, uint64_t from,
	       uint64_t address)
{
	const uint32_t xccs = pm4->xccs;
	unsigned xcc = 0;

	pm4->copy = 0;
	do {
		if (pm4->all_xccs)
			pm4->xccs = UINT32_C(1) << xcc;
		put_header(pm4, COPY_DATA, 5, 0);
		if (!pm4->copy)
			pm4->copy = pm4->count;
		pm4_put(pm4, control | TO_MEMORY);
		put_address(pm4, from);
		put_address(pm4, address + xcc * pm4->xcc_stride);
	} while (++xcc < pm4->all_xccs);
	pm4->xccs = xccs;
}

void
pm4_store(struct pm4 *pm4, uint32_t value, uint64_t address)
{
	const size_t copy = pm4->copy;

	copy_to_memory(pm4, FROM_IMMEDIATE | CONFIRM_WRITE, value, address);
	pm4->copy = copy;
}

void
pm4_copy_early(struct pm4 *pm4, struct pm4_register reg, uint64_t address)
{
	copy_to_memory(pm4, pm4->source, reg.byte / 4, address);
}

void
pm4_copy_pair_early(struct pm4 *pm4, struct pm4_register reg, uint64_t address)
{
	copy_to_memory(pm4, pm4->source | WHOLE_64_BITS, reg.byte / 4, address);
}

void
pm4_confirm_copy(struct pm4 *pm4)
{
	unsigned xcc = 0;

	if (pm4->dwords && pm4->copy)
		do {
			pm4->dwords[pm4->copy + xcc * PM4_XCC_COPY_DWORDS] |=
				CONFIRM_WRITE;
		} while (++xcc < pm4->all_xccs);
	pm4->copy = 0;
}

void
pm4_copy_register(struct pm4 *pm4, struct pm4_register reg, uint64_t address)
{
	pm4_copy_early(pm4, reg, address);
	pm4_confirm_copy(pm4);
}

void
pm4_copy_timestamp(struct pm4 *pm4, uint64_t address)
{
	const size_t copy = pm4->copy;

	copy_to_memory(pm4, FROM_TIMESTAMP | WHOLE_64_BITS | CONFIRM_WRITE, 0,
		       address);
	pm4->copy = copy;
}

void
pm4_copy_memory(struct pm4 *pm4, uint64_t from, uint64_t to, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += COPY_MAX) {
		size_t rest = bytes - at;
		bool last = rest <= COPY_MAX;
		bool waits = last && pm4->engine == PM4_ENGINE_GFX;

		put_header(pm4, DMA_DATA, 6, 0);
		pm4_put(pm4, THROUGH_L2 | (waits ? WAIT_FOR_COPY : 0));
		put_address(pm4, from + at);
		put_address(pm4, to + at);
		pm4_put(pm4, last ? (uint32_t)rest : COPY_MAX);
	}
}

static uint32_t
event_index(enum pm4_event event)
{
	switch (event) {
	case PM4_CS_PARTIAL_FLUSH:
	case PM4_VS_PARTIAL_FLUSH:
	case PM4_PS_PARTIAL_FLUSH:
		return 4;
	case PM4_ZPASS_DONE:
		return 1;
	case PM4_PERFCOUNTER_START:
	case PM4_PERFCOUNTER_STOP:
	case PM4_PERFCOUNTER_SAMPLE:
	case PM4_THREAD_TRACE_START:
	case PM4_THREAD_TRACE_STOP:
	case PM4_THREAD_TRACE_FINISH:
		break;
	}
	return 0;
}

void
pm4_event(struct pm4 *pm4, enum pm4_event event)
{
	put_header(pm4, EVENT_WRITE, 1, 0);
	pm4_put(pm4, (uint32_t)event | event_index(event) << 8);
}

/*
 * Stop the prefetch parser, which would run ahead with the packets it executes.
 */
static void
hold_prefetch(struct pm4 *pm4)
{
	if (pm4->engine != PM4_ENGINE_GFX)
		return;
	put_header(pm4, PFP_SYNC_ME, 1, 0);
	pm4_put(pm4, 0);
}

void
pm4_dispatch(struct pm4 *pm4, uint32_t groups)
{
	put_header(pm4, DISPATCH_DIRECT, 4, FOR_COMPUTE);
	pm4_put(pm4, groups);
	pm4_put(pm4, 1);
	pm4_put(pm4, 1);
	pm4_put(pm4, DISPATCH_INITIATOR);
}

void
pm4_refresh(struct pm4 *pm4)
{
	bool is_new = pm4->level >= 10;

	if (pm4->engine == PM4_ENGINE_GFX && pm4->level < 9)
		return;
	put_header(pm4, ACQUIRE_MEM, is_new ? 7 : 6, 0);
	pm4_put(pm4, is_new ? 0 : OLD_SHADER_CACHES);
	pm4_put(pm4, UINT32_MAX); /* all of memory */
	pm4_put(pm4, pm4->level < 9 ? 0xff : 0xffffff);
	pm4_put(pm4, 0);
	pm4_put(pm4, 0);
	pm4_put(pm4, POLL_INTERVAL);
	if (is_new)
		pm4_put(pm4, SHADER_CACHES);
}

void
pm4_wait_idle(struct pm4 *pm4)
{
	pm4_event(pm4, PM4_CS_PARTIAL_FLUSH);
	if (pm4->engine == PM4_ENGINE_GFX) {
		pm4_event(pm4, PM4_VS_PARTIAL_FLUSH);
		pm4_event(pm4, PM4_PS_PARTIAL_FLUSH);
	}
	hold_prefetch(pm4);
}

/*
 * Have the render backends store the samples that have passed: an event that
 * stores something at the end of the pipe can hang the graphics engine of gfx9
 * unless that stands right before it (Mesa's radv_cs.c, AMD PAL's
 * waDummyZpassDoneBeforeTs).
 */
static void
store_samples(struct pm4 *pm4, uint64_t address)
{
	const enum pm4_event event = PM4_ZPASS_DONE;

	if (pm4->engine != PM4_ENGINE_GFX || pm4->level != 9)
		return;
	put_header(pm4, EVENT_WRITE, 3, 0);
	pm4_put(pm4, (uint32_t)event | event_index(event) << 8);
	put_address(pm4, address);
}

void
pm4_wait_end(struct pm4 *pm4, uint64_t address, uint64_t samples)
{
	pm4_store(pm4, 1, address);
	store_samples(pm4, samples);
	put_header(pm4, RELEASE_MEM, 7, 0);
	pm4_put(pm4, END_OF_PIPE);
	pm4_put(pm4, STORE_32_BITS);
	put_address(pm4, address);
	pm4_put(pm4, 0);
	pm4_put(pm4, 0);
	pm4_put(pm4, 0);
	put_header(pm4, WAIT_REG_MEM, 6, 0);
	pm4_put(pm4, UNTIL_EQUAL | IN_MEMORY);
	put_address(pm4, address);
	pm4_put(pm4, 0);
	pm4_put(pm4, UINT32_MAX);
	pm4_put(pm4, POLL_INTERVAL);
	hold_prefetch(pm4);
}

void
pm4_counter_window(struct pm4 *pm4, bool open)
{
	if (!pm4->window)
		return;
	put_header(pm4, PERF_COUNTER_WINDOW, 1, 0);
	pm4_put(pm4, open ? pm4->window : 0);
}

void
pm4_nop(struct pm4 *pm4)
{
	pm4_put(pm4, NOP);
}

void
pm4_pad(struct pm4 *pm4, size_t multiple)
{
	while (pm4->count % multiple)
		pm4_nop(pm4);
}
