/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets that write registers: what they name, from their body or from
 * memory.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perf_registers.h"
#include "amdgpu/gfx/registers.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/sqtt.h"

/* Windows, in dwords. */
static const struct {
	uint32_t start, end;
} windows[] = {
	[WINDOW_CONFIG] = { BYTE_TO_DWORD(0x8000u), BYTE_TO_DWORD(0xb000u) },
	[WINDOW_SHADER] = { SHADER_START, SHADER_END },
	[WINDOW_CONTEXT] = { CONTEXT_START, UCONFIG_START },
	[WINDOW_UCONFIG] = { UCONFIG_START, UCONFIG_END },
};

/* Find a register of shaders, which belongs to the queue. */
static uint32_t *
shader_register(struct ring *ring, uint32_t dword)
{
	if (dword < SHADER_START || dword >= SHADER_END)
		return NULL;
	return &ring->shader_registers[dword - SHADER_START];
}

void
pm4_write_register(struct ring *ring, uint32_t dword, uint32_t value)
{
	uint32_t *own = shader_register(ring, dword);

	if (own) {
		sqtt_see_register(ring, dword, value);
		*own = value;
		if (dword == ring->amdgpu->chip.reg.compute_perfcount_enable)
			ring->enabled_by = ring->amdgpu->running.file;
	} else if (sqtt_is_privileged(ring->amdgpu, dword)) {
		amdgpu_violation(ring->amdgpu, "privileged",
				 "0x%x was written to register 0x%x, which "
				 "COPY_DATA to destination 4 alone may do",
				 value, dword * 4);
	} else {
		registers_write(ring->amdgpu, dword, value);
	}
}

uint32_t
pm4_read_register(struct ring *ring, uint32_t dword)
{
	const uint32_t *own = shader_register(ring, dword);

	return own ? *own : registers_read(ring->amdgpu, dword);
}

/*
 * Return whether a write passes the filter. The graphics pipe of some
 * generations compares what is SET with what it has SET before, whatever
 * GRBM_GFX_INDEX was then: the same select for another instance gets lost
 * unless the packet's header says otherwise.
 */
static bool
passes_filter(const struct packet *packet, uint32_t dword, uint32_t value)
{
	struct ring *ring = packet->ring;
	struct amdgpu *amdgpu = ring->amdgpu;
	struct held *entry = ring->cam, *end = ring->cam + ring->cam_count;

	if (!amdgpu->chip.filter_cam || !ring->is_gfx ||
	    !(perf_registers_is_select(amdgpu, dword) ||
	      spm_has_register(amdgpu, dword) ||
	      sqtt_has_register(amdgpu, dword)))
		return true;
	while (entry < end && entry->dword != dword)
		entry++;
	if (entry < end && entry->value == value &&
	    !(packet->header & CAM_RESET)) {
		amdgpu_violation(amdgpu, "filter-cam",
				 "register 0x%x was not written again: the "
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

/* Find the register of this offset, if count of them are in the window. */
static bool
find_registers(const struct packet *packet, uint32_t offset, uint32_t count,
	       uint32_t *dword)
{
	enum register_window window = packet->kind->window;

	*dword = windows[window].start + (offset & 0xffff);
	if (*dword + count <= windows[window].end)
		return true;
	ring_hang(packet->ring, "%s: register 0x%x is outside of its window",
		  packet->kind->name, (*dword + count - 1) * 4);
	return false;
}

static void
packet_set_register(const struct packet *packet, uint32_t dword, uint32_t value)
{
	if (passes_filter(packet, dword, value))
		pm4_write_register(packet->ring, dword, value);
}

enum outcome
pm4_set_registers(const struct packet *packet)
{
	uint32_t first, count = packet->count - 1;

	if (!find_registers(packet, pm4_body(packet, 0), count, &first))
		return HUNG;
	for (uint32_t i = 0; i < count; i++)
		packet_set_register(packet, first + i, pm4_body(packet, i + 1));
	return NEXT;
}

/* Set pairs of a register and its value. */
enum outcome
pm4_set_pairs(const struct packet *packet)
{
	uint32_t dword;

	for (uint32_t i = 0; i + 1 < packet->count; i += 2) {
		if (!find_registers(packet, pm4_body(packet, i), 1, &dword))
			return HUNG;
		packet_set_register(packet, dword, pm4_body(packet, i + 1));
	}
	return NEXT;
}

/*
 * Set packed pairs: how many, then two registers in a dword with both of their
 * values.
 */
enum outcome
pm4_set_packed_pairs(const struct packet *packet)
{
	uint32_t number = pm4_body(packet, 0), dword;

	if (number % 2 || packet->count - 1 != number / 2 * 3) {
		ring_hang(packet->ring, "%s of %u registers",
			  packet->kind->name, number);
		return HUNG;
	}
	for (uint32_t i = 0; i < number; i++) {
		uint32_t at = 1 + i / 2 * 3;
		uint32_t offset = pm4_body(packet, at) >> i % 2 * 16;

		if (!find_registers(packet, offset, 1, &dword))
			return HUNG;
		pm4_write_register(packet->ring, dword,
				   pm4_body(packet, at + 1 + i % 2));
	}
	return NEXT;
}

/* Load a range of registers from consecutive dwords. */
static bool
load_range(const struct packet *packet, uint32_t offset, uint32_t count,
	   uint64_t address)
{
	struct ring *ring = packet->ring;
	const uint8_t *from;
	uint32_t first, value;

	if (!find_registers(packet, offset, count, &first))
		return false;
	if (!count)
		return true;
	from = ring_dwords(ring, address, READABLE, 4ull * count);
	for (uint32_t i = 0; from && i < count; i++) {
		memcpy(&value, from + 4ull * i, sizeof(value));
		pm4_write_register(ring, first + i, value);
	}
	return from != NULL;
}

/*
 * Load ranges of registers from memory that has a place for each register of
 * the window (Mesa, ac_shadowed_regs.c).
 */
enum outcome
pm4_load_registers(const struct packet *packet)
{
	uint64_t base = pm4_body64(packet, 0);

	for (uint32_t i = 2; i + 1 < packet->count; i += 2) {
		uint32_t first = pm4_body(packet, i) & 0xffff;

		if (!load_range(packet, first, pm4_body(packet, i + 1) & 0x3fff,
				base + 4ull * first))
			return HUNG;
	}
	return NEXT;
}

/* Load pairs of a register and its value, from memory. */
static bool
load_pairs(const struct packet *packet, uint32_t count, uint64_t address)
{
	struct ring *ring = packet->ring;
	const uint8_t *from;
	uint32_t pair[2], dword;

	if (!count)
		return true;
	from = ring_dwords(ring, address, READABLE, 8ull * count);
	for (uint32_t i = 0; from && i < count; i++) {
		memcpy(pair, from + 8ull * i, sizeof(pair));
		if (!find_registers(packet, pair[0], 1, &dword))
			return false;
		pm4_write_register(ring, dword, pair[1]);
	}
	return from != NULL;
}

/*
 * Find where LOAD_*_REG_INDEX reads: at an address (0), at an offset from what
 * SET_BASE has set (1), or at the address that stands at an address (2).
 */
static bool
load_address(const struct packet *packet, uint64_t *address)
{
	struct ring *ring = packet->ring;
	const uint8_t *at;

	*address = pm4_body64(packet, 0) & ~3ull;
	switch (pm4_body(packet, 0) & 3) {
	case 1:
		*address = ring->told.bases[BASE_LOAD] + pm4_body(packet, 1);
		return true;
	case 2:
		at = ring_dwords(ring, *address, READABLE, sizeof(*address));
		if (at)
			memcpy(address, at, sizeof(*address));
		return at != NULL;
	}
	return true;
}

/* Load ranges of registers, or pairs with their values, one after the other. */
enum outcome
pm4_load_index(const struct packet *packet)
{
	uint64_t address;

	if (!load_address(packet, &address))
		return HUNG;
	for (uint32_t i = 2; i + 1 < packet->count; i += 2) {
		uint32_t first = pm4_body(packet, i);
		uint32_t count = pm4_body(packet, i + 1) & 0x3fff;
		bool pairs = first >> 31;

		if (!(pairs ? load_pairs(packet, count, address)
			    : load_range(packet, first, count, address)))
			return HUNG;
		address += (pairs ? 8ull : 4ull) * count;
	}
	return NEXT;
}

/* Return a mask: the word itself, or what the register that it names holds. */
static uint32_t
mask_of(const struct packet *packet, uint32_t index, bool in_register)
{
	uint32_t value = pm4_body(packet, index);

	return in_register ? pm4_read_register(packet->ring, value & 0x3ffff)
			   : value;
}

enum outcome
pm4_modify_register(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0), dword = control & 0x3ffff;
	uint32_t value = pm4_read_register(ring, dword);

	pm4_write_register(ring, dword,
			   (value & mask_of(packet, 1, control >> 31)) |
				   mask_of(packet, 2, control >> 30 & 1));
	return NEXT;
}

/* Set the bits of a mask to those of a value. */
enum outcome
pm4_modify_context(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t mask = pm4_body(packet, 1), dword;

	if (!find_registers(packet, pm4_body(packet, 0), 1, &dword))
		return HUNG;
	pm4_write_register(ring, dword,
			   (pm4_read_register(ring, dword) & ~mask) |
				   (pm4_body(packet, 2) & mask));
	return NEXT;
}
