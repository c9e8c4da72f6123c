/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets that choose what comes next: other buffers, and what is passed over.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"

#define ENTERING 256 /* dwords that entering a buffer counts as */

/* ---- buffers */

static enum outcome
ring_enter_ib(struct ring *ring, uint64_t address, uint32_t dwords)
{
	if (ring->depth == FRAMES_MAX) {
		ring_hang(ring, "indirect buffers nested too deeply");
		return HUNG;
	}
	if (!ring_spend(ring, dwords + ENTERING))
		return HUNG;
	ring->frames[ring->depth++] =
		(struct frame){ .address = address, .left = dwords };
	return JUMPED;
}

enum outcome
pm4_indirect_buffer(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t dwords = pm4_body(packet, 2) & 0xfffff;
	uint64_t address = pm4_body64(packet, 0) & ~3ull;
	bool chain = pm4_body(packet, 2) >> 20 & 1;

	/* a chained buffer takes the place of this one */
	if (chain)
		ring->depth--;
	return ring_enter_ib(ring, address, dwords);
}

/*
 * Run one buffer if a masked value in memory is as it should be, and perhaps
 * another one if it is not.
 */
enum outcome
pm4_cond_indirect_buffer(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0), which;
	const uint8_t *at = ring_memory(ring, pm4_body64(packet, 1) & ~7ull,
					READABLE, sizeof(uint64_t));
	uint64_t value;

	if (!at)
		return HUNG;
	memcpy(&value, at, sizeof(value));
	if (amdgpu_compares(control >> 8 & 7, value & pm4_body64(packet, 3),
			    pm4_body64(packet, 5)))
		which = 7;
	else if ((control & 3) == 2)
		which = 10;
	else
		return NEXT;
	return ring_enter_ib(ring, pm4_body64(packet, which) & ~3ull,
			     pm4_body(packet, which + 2) & 0xfffff);
}

/* ---- what is passed over */

/* Skip the packets in this many dwords of the buffer. */
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

enum outcome
pm4_cond_exec(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	const uint8_t *at =
		ring_dwords(ring, pm4_body64(packet, 0), READABLE, 4);
	uint32_t value;

	if (!at)
		return HUNG;
	memcpy(&value, at, sizeof(value));
	if (value)
		return NEXT;
	return skip_dwords(ring, pm4_body(packet, packet->count - 1) & 0x3fff);
}

/* Skip the dwords that follow on dies whose bit is not set. */
enum outcome
pm4_pred_exec(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t dies = pm4_body(packet, 0) >> 24;
	/* dies have numbers in their partition: CP_HYP_XCP_CTL */
	unsigned number = ring->die->number %
			  amdgpu_dies_per_partition(ring->amdgpu);

	if (dies >> number & 1)
		return NEXT;
	return skip_dwords(ring, pm4_body(packet, 0) & 0x3fff);
}

enum {
	PREDICATE_CLEAR,
	PREDICATE_ZPASS,
	PREDICATE_PRIMITIVES,
	PREDICATE_BOOL64,
	PREDICATE_BOOL32
};

/*
 * Return the clocks of a counted pair: what lies between begin and end, 16
 * bytes for each.
 */
static uint64_t
clocks_between(const uint8_t *begin, const uint8_t *end)
{
	uint64_t first, last;

	memcpy(&first, begin, sizeof(first));
	memcpy(&last, end, sizeof(last));
	return last - first;
}

/* Find whether any samples passed, of all render backends. */
static bool
any_sample(struct ring *ring, uint64_t address, bool *is_true)
{
	const struct chip *chip = &ring->amdgpu->chip;

	for (unsigned se = 0; se < chip->se_count; se++)
		for (unsigned rb = 0; rb < chip->rb_per_se; rb++) {
			uint64_t number = se * chip->rb_per_se + rb;
			const uint8_t *at = ring_memory(
				ring, address + 16 * number, READABLE, 16);

			if (!at)
				return false;
			if (chip->rb_mask[se] >> rb & 1)
				*is_true |= clocks_between(at, at + 8) != 0;
		}
	return true;
}

/*
 * Find whether nothing overflowed between the two samples of a stream, each the
 * primitives written and those that needed room: true if there was room for
 * all.
 */
static bool
no_overflow(struct ring *ring, uint64_t address, bool *is_true)
{
	const uint8_t *at = ring_memory(ring, address, READABLE, 32);

	if (at &&
	    clocks_between(at, at + 16) == clocks_between(at + 8, at + 24))
		*is_true = true;
	return at != NULL;
}

static bool
is_not_zero(struct ring *ring, uint64_t address, size_t size, bool *is_true)
{
	const uint8_t *at = ring_dwords(ring, address, READABLE, size);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, size);
	*is_true |= value != 0;
	return at != NULL;
}

/*
 * Set whether packets with the predicate bit are executed from here on. The two
 * forms, of gfx7 and gfx9, have the same fields in another order.
 */
enum outcome
pm4_set_predication(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	bool is_short = packet->count == 2, is_there = true;
	uint32_t control = pm4_body(packet, is_short ? 1 : 0);
	uint64_t address = is_short ? pm4_body64(packet, 0) & 0xffffffffffull
				    : pm4_body64(packet, 1);
	bool is_true = control >> 31 && ring->told.predicate_value;

	switch (control >> 16 & 7) {
	case PREDICATE_CLEAR:
		ring->told.predicate_is_set = false;
		return NEXT;
	case PREDICATE_ZPASS:
		is_there = any_sample(ring, address & ~15ull, &is_true);
		break;
	case PREDICATE_PRIMITIVES:
		is_there = no_overflow(ring, address & ~15ull, &is_true);
		break;
	case PREDICATE_BOOL64:
		is_there = is_not_zero(ring, address, 8, &is_true);
		break;
	case PREDICATE_BOOL32:
		is_there = is_not_zero(ring, address, 4, &is_true);
		break;
	default:
		ring_hang(ring, "SET_PREDICATION with operation %u",
			  control >> 16 & 7);
		return HUNG;
	}
	ring->told.predicate_is_set = true;
	ring->told.predicate_value = is_true;
	ring->told.predicate_wanted = control >> 8 & 1;
	return is_there ? NEXT : HUNG;
}

bool
pm4_is_predicated(const struct packet *packet)
{
	const struct ring *ring = packet->ring;

	return packet->header & PREDICATED && ring->told.predicate_is_set &&
	       ring->told.predicate_value != ring->told.predicate_wanted;
}

/* ---- state of the processor */

enum outcome
pm4_set_base(const struct packet *packet)
{
	packet->ring->told.bases[pm4_body(packet, 0) & 0xf] =
		pm4_body64(packet, 1) & ~7ull;
	return NEXT;
}

/*
 * Open or close the window: only newer firmware knows the packet, open with any
 * operation but 0.
 */
enum outcome
pm4_counter_window(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	const struct chip *chip = &ring->amdgpu->chip;
	unsigned kind =
		ring->is_gfx ? AMDGPU_INFO_FW_GFX_PFP : AMDGPU_INFO_FW_GFX_MEC;
	unsigned least = chip->window_firmware[!ring->is_gfx];

	if (!least || chip_firmware_version(chip, kind) < least) {
		ring_hang(ring,
			  "PERF_COUNTER_WINDOW is unknown to firmware "
			  "%u",
			  chip_firmware_version(chip, kind));
		return HUNG;
	}
	ring->window_open = pm4_body(packet, 0) & 7;
	return NEXT;
}

enum outcome
pm4_skip(const struct packet *packet)
{
	(void)packet;
	return NEXT;
}

/* Refuse a packet that the firmware takes from the kernel's own queue only. */
enum outcome
pm4_refuse(const struct packet *packet)
{
	ring_hang(packet->ring, "%s from a process", packet->kind->name);
	return HUNG;
}
