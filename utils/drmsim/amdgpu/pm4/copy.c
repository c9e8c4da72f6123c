/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets that write memory, or a register from memory: what the processor
 * copies, fills and computes by itself.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perf_registers.h"
#include "amdgpu/gfx/posted.h"
#include "amdgpu/gfx/registers.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/write_log.h"

#define COPIED_FOR_ONE 256 /* bytes, see ring_spend() */

enum {
	COPY_REGISTER,
	COPY_MEMORY,
	COPY_TC_L2,
	COPY_GDS,
	COPY_PERF,
	COPY_IMMEDIATE,
	COPY_TIMESTAMP = 9
};

/*
 * Return whether a register hangs the ring as a source. MI: source 4 may hang
 * at registers that source 0 is known to read (ROCm aqlprofile), of EA at
 * least.
 */
static bool
hangs_as_source(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip *chip = &amdgpu->chip;
	const struct block *block = perf_registers_block(amdgpu, dword);
	bool is_ea = block && strcmp(block->name, "EA") == 0;

	if (chip->gfx_rings)
		return false;
	switch (chip->doubts[DOUBT_COPY_SOURCE]) {
	case COPY_SOURCE_HANGS_AT_EA:
		return is_ea;
	case COPY_SOURCE_HANGS:
		return is_ea || (dword >= UCONFIG_START && dword < UCONFIG_END);
	}
	return false;
}

/*
 * Return whether copying a register faults. Blocks outside of the registers
 * that processes may set, whose copies the CP may take for a fault: on gfx8,
 * gfx9 with a graphics pipe, and gfx10.1.
 */
static bool
register_faults(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip *chip = &amdgpu->chip;
	const struct block *block = perf_registers_block(amdgpu, dword);
	const unsigned *version = chip->gfx_version;

	return chip->doubts[DOUBT_COPIED_REGISTERS] && chip->gfx_rings &&
	       (version[0] == 8 || version[0] == 9 ||
		(version[0] == 10 && version[1] < 3)) &&
	       dword < UCONFIG_START && block &&
	       (strcmp(block->name, "SDMA") == 0 ||
		strcmp(block->name, "EA") == 0);
}

static bool
check_read(struct ring *ring, unsigned select, uint32_t dword)
{
	if (select == COPY_PERF && hangs_as_source(ring->amdgpu, dword)) {
		ring_hang(ring, "register 0x%x was copied by source 4",
			  dword * 4);
		return false;
	}
	if (register_faults(ring->amdgpu, dword)) {
		ring_fault(ring, "register 0x%x may not be read", dword * 4);
		return false;
	}
	return true;
}

/*
 * Return the whole address: the packet has no room for the bits of an address
 * below what it copies.
 */
static uint64_t
whole_address(uint64_t address, unsigned dwords)
{
	return address & ~(4ull * dwords - 1);
}

/*
 * Return whether the low half is read twice. The upper half of 64 bits copied
 * from registers may be the lower one again: no source tells of gfx12's GL2C,
 * and radeonsi uses the lower one alone.
 */
static bool
reads_low_twice(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct block *block = perf_registers_block(amdgpu, dword);

	switch (amdgpu->chip.doubts[DOUBT_COPY_WIDTH]) {
	case COPY_WIDTH_NOT_GL2C:
		return amdgpu->chip.gfx_version[0] == 12 && block &&
		       strcmp(block->name, "GL2C") == 0;
	case COPY_WIDTH_LOW:
		return true;
	}
	return false;
}

/* Read one register, or two that follow on each other. */
static bool
read_registers(struct ring *ring, unsigned select, uint32_t first,
	       unsigned dwords, uint32_t value[2])
{
	const unsigned step = reads_low_twice(ring->amdgpu, first) ? 0 : 1;

	for (unsigned i = 0; i < dwords; i++) {
		uint32_t dword = (first + i * step) & 0x3ffff;

		if (!check_read(ring, select, dword))
			return false;
		value[i] = pm4_read_register(ring, dword);
	}
	return true;
}

static bool
read_source(const struct packet *packet, unsigned select, unsigned dwords,
	    uint32_t value[2])
{
	struct ring *ring = packet->ring;
	uint32_t low = pm4_body(packet, 1);
	const uint8_t *from;
	uint64_t now;

	switch (select) {
	case COPY_REGISTER:
	case COPY_PERF:
		return read_registers(ring, select, low, dwords, value);
	case COPY_MEMORY:
	case COPY_TC_L2:
		from = ring_dwords(ring,
				   whole_address(pm4_body64(packet, 1), dwords),
				   READABLE, 4 * dwords);
		if (from)
			memcpy(value, from, 4 * dwords);
		return from != NULL;
	case COPY_IMMEDIATE:
		value[0] = low;
		value[1] = pm4_body(packet, 2);
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

/*
 * Write a register by a packet that can name any register of the chip, is_perf:
 * in the space of counters.
 */
static bool
write_any_register(struct ring *ring, bool is_perf, uint32_t dword,
		   uint32_t value)
{
	if (register_faults(ring->amdgpu, dword)) {
		ring_fault(ring, "register 0x%x may not be written", dword * 4);
		return false;
	}
	if (!registers_may_copy(ring->amdgpu, dword)) {
		ring_hang(ring,
			  "0x%x was written to register 0x%x, which is neither "
			  "a counter of %s nor governs one",
			  value, dword * 4, ring->amdgpu->chip.name);
		return false;
	}
	if (is_perf && sqtt_is_privileged(ring->amdgpu, dword))
		registers_write(ring->amdgpu, dword, value);
	else
		pm4_write_register(ring, dword, value);
	return true;
}

/* WR_CONFIRM of COPY_DATA and WRITE_DATA: the CP waits until it is written. */
#define CONFIRM (1u << 20)
#define TO_L2_BY_CP 2

static enum write_path
path_of(const struct packet *packet, unsigned select)
{
	if (select == TO_L2_BY_CP)
		return WRITE_TO_L2;
	return pm4_body(packet, 0) & CONFIRM ? WRITE_CONFIRMED : WRITE_POSTED;
}

/*
 * Write dwords to memory: at once, or as one of the writes that are on their
 * way. Queues that programs write themselves have a log of those instead.
 */
static void
write_memory(struct ring *ring, uint64_t address, uint8_t *to,
	     const void *data, size_t size, enum write_path path)
{
	ring_note_write(ring, address & ~3ull, size, path);
	if (path == WRITE_CONFIRMED)
		ring_write_posted(ring);
	if (!to)
		return;
	if (path == WRITE_POSTED && !ring->reach &&
	    ring->amdgpu->chip.doubts[DOUBT_POSTED_WRITES]) {
		if (!ring_post_write(ring, address, to, data, size))
			ring_hang(ring, "out of memory");
	} else {
		memcpy(to, data, size);
	}
}

static bool
write_destination(const struct packet *packet, unsigned select, unsigned dwords,
		  const uint32_t value[2])
{
	struct ring *ring = packet->ring;
	uint64_t address;
	uint8_t *to;

	switch (select) {
	case COPY_REGISTER:
	case COPY_PERF:
		for (unsigned i = 0; i < dwords; i++)
			if (!write_any_register(ring, select == COPY_PERF,
						(pm4_body(packet, 3) + i) &
							0x3ffff,
						value[i]))
				return false;
		return true;
	case 1: /* memory, synchronised with the GRBM */
	case 2: /* L2 */
	case 5: /* memory */
		address = whole_address(pm4_body64(packet, 3), dwords);
		to = ring_dwords(ring, address, WRITABLE, 4 * dwords);
		write_memory(ring, address, to, value, 4 * dwords,
			     path_of(packet, select));
		return to != NULL;
	case COPY_GDS:
		return true;
	}
	ring_hang(ring, "COPY_DATA to destination %u", select);
	return false;
}

enum outcome
pm4_copy_data(const struct packet *packet)
{
	uint32_t control = pm4_body(packet, 0);
	unsigned dwords = control >> 16 & 1 ? 2 : 1;
	uint32_t value[2] = { 0 };

	if (!read_source(packet, control & 0xf, dwords, value))
		return HUNG;
	return write_destination(packet, control >> 8 & 0xf, dwords, value)
		       ? NEXT
		       : HUNG;
}

enum outcome
pm4_write_data(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0), count = packet->count - 3;
	bool one_address = control >> 16 & 1;
	uint32_t value;
	uint8_t *to;

	switch (control >> 8 & 0xf) {
	case 0:
		for (uint32_t i = 0; i < count; i++)
			if (!write_any_register(ring, false,
						pm4_body(packet, 1) +
							(one_address ? 0 : i),
						pm4_body(packet, 3 + i)))
				return HUNG;
		return NEXT;
	case 1:
	case 2:
	case 5:
		to = ring_dwords(ring, pm4_body64(packet, 1), WRITABLE,
				 4ull * (one_address ? 1 : count));
		ring_note_write(ring, pm4_body64(packet, 1) & ~3ull,
				4ull * (one_address ? 1 : count),
				path_of(packet, control >> 8 & 0xf));
		if (path_of(packet, control >> 8 & 0xf) == WRITE_CONFIRMED)
			ring_write_posted(ring);
		/* the packet itself may be what is written to */
		for (uint32_t i = 0; to && i < count; i++) {
			value = pm4_body(packet, 3 + i);
			memcpy(to + (one_address ? 0 : 4 * i), &value, 4);
		}
		return to ? NEXT : HUNG;
	case 3: /* GDS */
		return NEXT;
	}
	ring_hang(ring, "WRITE_DATA to destination %u", control >> 8 & 0xf);
	return HUNG;
}

/* Return the mask of DMA_DATA's count, which shares its dword with flags. */
static uint32_t
dma_size_mask(const struct ring *ring)
{
	return ring->amdgpu->chip.gfx_version[0] < 9 ? 0x1fffff : 0x3ffffff;
}

/* Fill memory; size is of whole dwords. */
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

/* Sources and destinations of a copy; with its bit set: registers. */
enum {
	FROM_ADDRESS,
	FROM_GDS,
	FROM_VALUE,
	FROM_L2
};
enum {
	TO_ADDRESS,
	TO_GDS,
	TO_L2 = 3
};

struct copy {
	unsigned source, destination;
	uint64_t from, to;
	uint32_t value, size; /* size: bytes */
	bool from_registers, to_registers;
};

/* Count the lines requested from the L2, if the packet uses it. */
static void
count_lines(struct ring *ring, const struct copy *copy)
{
	const unsigned line = ring->amdgpu->chip.cache_line;
	const uint64_t lines = ((uint64_t)copy->size + line - 1) / line;
	const struct dispatch work = {
		.die = ring->die->number,
		.is_copy = true,
		.shader = {
			.l2_reads = copy->source == FROM_L2 ? lines : 0,
			.l2_writes = copy->destination == TO_L2 ? lines : 0,
		},
	};

	counting_add_work(ring->amdgpu, &work);
}

/* Copy by a packet: only memory and, as source, a value are followed. */
static enum outcome
ring_copy(struct ring *ring, const struct copy *copy)
{
	bool reads = copy->source == FROM_ADDRESS || copy->source == FROM_L2;
	bool writes =
		copy->destination == TO_ADDRESS || copy->destination == TO_L2;
	const uint8_t *from = NULL;
	uint8_t *to = NULL;

	/* a copy of nothing makes the CP wait for the copies before it */
	if (!copy->size)
		return NEXT;
	if (!ring_spend(ring, 1 + copy->size / COPIED_FOR_ONE))
		return HUNG;
	if (reads && !copy->from_registers) {
		from = ring_memory(ring, copy->from, READABLE, copy->size);
		if (!from)
			return HUNG;
	}
	if (writes && !copy->to_registers) {
		to = ring_memory(ring, copy->to, WRITABLE, copy->size);
		if (!to)
			return HUNG;
		ring_note_write(ring, copy->to, copy->size,
				copy->destination == TO_L2 ? WRITE_TO_L2
							   : WRITE_CONFIRMED);
	}
	/* of gfx12 that bit is about another cache (Mesa, si_cp_dma.c) */
	if (ring->amdgpu->chip.gfx_version[0] < 12 &&
	    !ring->amdgpu->chip.doubts[DOUBT_COPIES])
		count_lines(ring, copy);
	if (to && from)
		memmove(to, from, copy->size);
	else if (to && copy->source == FROM_VALUE)
		fill_memory(to, copy->value, copy->size & ~3u);
	return NEXT;
}

enum outcome
pm4_dma_data(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0), command = pm4_body(packet, 5);

	return ring_copy(ring, &(struct copy){
				       .source = control >> 29 & 3,
				       .destination = control >> 20 & 3,
				       .from = pm4_body64(packet, 1),
				       .to = pm4_body64(packet, 3),
				       .value = pm4_body(packet, 1),
				       .size = command & dma_size_mask(ring),
				       .from_registers = command >> 26 & 1,
				       .to_registers = command >> 27 & 1,
			       });
}

/* Copy by the form before DMA_DATA: control and source share a dword. */
enum outcome
pm4_cp_dma(const struct packet *packet)
{
	uint32_t control = pm4_body(packet, 1), command = pm4_body(packet, 4);

	return ring_copy(
		packet->ring,
		&(struct copy){
			.source = control >> 29 & 3,
			.destination = control >> 20 & 3,
			.from = pm4_body64(packet, 0) & 0xffffffffffffull,
			.to = pm4_body64(packet, 2) & 0xffffffffffffull,
			.value = pm4_body(packet, 0),
			.size = command & 0x1fffff,
			.from_registers = command >> 26 & 1,
			.to_registers = command >> 27 & 1,
		});
}

/* Fill with zeros pieces of the same size at a fixed stride. */
enum outcome
pm4_dma_fill(const struct packet *packet)
{
	uint64_t to = pm4_body64(packet, 3);

	for (uint32_t i = 0; i < pm4_body(packet, 2); i++) {
		struct copy piece = {
			.source = FROM_VALUE,
			.destination = pm4_body(packet, 0) >> 20 & 3,
			.to = to + (uint64_t)i * pm4_body(packet, 1),
			.size = pm4_body(packet, 5) & 0x3ffffff,
		};

		if (!piece.size)
			break;
		if (ring_copy(packet->ring, &piece) == HUNG)
			return HUNG;
	}
	return NEXT;
}

/* Copy a dword from memory or a register to memory or a register. */
enum outcome
pm4_copy_dword(const struct packet *packet)
{
	uint32_t control = pm4_body(packet, 0), value[2] = { 0 };

	if (!read_source(packet, control & 1 ? COPY_MEMORY : COPY_REGISTER, 1,
			 value))
		return HUNG;
	return write_destination(packet,
				 control & 2 ? COPY_TC_L2 : COPY_REGISTER, 1,
				 value)
		       ? NEXT
		       : HUNG;
}

/*
 * Set how far a streamout buffer is filled: stored, then set from the packet or
 * from memory. Draws do not fill it.
 */
enum outcome
pm4_update_streamout(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0);
	uint32_t *filled = &ring->told.filled[control >> 8 & 3];
	const uint8_t *from;
	uint8_t *to;

	if (control & 1) {
		to = ring_dwords(ring, pm4_body64(packet, 1), WRITABLE,
				 sizeof(*filled));
		if (!to)
			return HUNG;
		memcpy(to, filled, sizeof(*filled));
	}
	switch (control >> 1 & 3) {
	case 0:
		*filled = pm4_body(packet, 3);
		break;
	case 2:
		from = ring_dwords(ring, pm4_body64(packet, 3), READABLE,
				   sizeof(*filled));
		if (!from)
			return HUNG;
		memcpy(filled, from, sizeof(*filled));
		break;
	}
	return NEXT;
}

enum outcome
pm4_atomic_memory(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	unsigned operation = pm4_body(packet, 0) & 0x7f;
	bool is_64 = operation & 0x20;
	uint64_t source = pm4_body64(packet, 3),
		 compare = pm4_body64(packet, 5);
	uint64_t value = 0, mask = is_64 ? UINT64_MAX : UINT32_MAX;
	size_t size = is_64 ? 8 : 4;
	uint8_t *at = ring_dwords(ring, pm4_body64(packet, 1), WRITABLE, size);

	if (!at)
		return HUNG;
	ring_note_write(ring, pm4_body64(packet, 1) & ~3ull, size,
			WRITE_ATOMIC);
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
