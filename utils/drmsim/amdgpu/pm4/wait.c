/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets that wait or look: for work to end, for memory, for a register.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/sqtt.h"
#include "machine/clock.h"

enum outcome
pm4_block_until(struct ring *ring, uint64_t time)
{
	ring->blocked_until = time;
	return AGAIN;
}

/* Wait until everything launched by this ring has ended. */
enum outcome
pm4_wait_idle(const struct packet *packet)
{
	struct ring *ring = packet->ring;

	if (ring->busy->to > ring->amdgpu->now)
		return pm4_block_until(ring, ring->busy->to);
	spm_settle(ring->amdgpu);
	return NEXT;
}

/*
 * Read the value to compare, with the mask applied, from memory or else a
 * register. False: there is no such memory, and the ring hangs.
 */
static bool
packet_read_value(const struct packet *packet, bool memory, uint64_t mask,
		  uint64_t *out)
{
	uint32_t dwords = mask >> 32 ? 2 : 1;
	uint32_t value[2] = { 0 };
	const uint8_t *at;

	if (memory) {
		at = ring_dwords(packet->ring, pm4_body64(packet, 1), READABLE,
				 4ull * dwords);
		if (!at)
			return false;
		memcpy(value, at, 4ull * dwords);
	} else {
		value[0] = pm4_read_register(packet->ring,
					     pm4_body(packet, 1) & 0x3ffff);
	}
	*out = (value[0] | (uint64_t)value[1] << 32) & mask;
	return true;
}

/* Wait until a process or another ring changes what is waited for. */
static enum outcome
ring_poll_wait(struct ring *ring)
{
	if (!ring->blocked_since)
		ring->blocked_since = sim_host_now();
	return AGAIN;
}

/*
 * Wait longer, since what is waited for has not come. Of a trace it is known
 * when it changes.
 */
static enum outcome
wait_longer(const struct packet *packet, bool memory, uint64_t mask)
{
	struct ring *ring = packet->ring;
	const uint32_t dword = memory ? 0 : pm4_body(packet, 1) & 0x3ffff;
	uint64_t until;
	const char *why =
		sqtt_wait_register(ring->amdgpu, dword, (uint32_t)mask, &until);

	if (why) {
		ring_hang(ring, "the end of a thread trace never comes: %s",
			  why);
		return HUNG;
	}
	return until == SIM_NEVER ? ring_poll_wait(ring)
				  : pm4_block_until(ring, until);
}

static enum outcome
wait_for(const struct packet *packet, uint64_t reference, uint64_t mask)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0);
	bool memory = control >> 4 & 3;
	uint64_t value;

	if (!packet_read_value(packet, memory, mask, &value))
		return HUNG;
	if (!amdgpu_compares(control & 7, value, reference))
		return wait_longer(packet, memory, mask);
	ring->blocked_since = 0;
	spm_settle(ring->amdgpu);
	if (!memory)
		perfmon_waited(ring->amdgpu, pm4_body(packet, 1) & 0x3ffff);
	return NEXT;
}

/* Write a register, then wait for another one. */
static enum outcome
write_and_wait(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t reference = pm4_body(packet, 3), mask = pm4_body(packet, 4);
	uint32_t dword = pm4_body(packet, 2) & 0x3ffff;

	if (!ring->blocked_since)
		pm4_write_register(ring, pm4_body(packet, 1) & 0x3ffff,
				   reference);
	if (!amdgpu_compares(pm4_body(packet, 0) & 7,
			     pm4_read_register(ring, dword) & mask, reference))
		return ring_poll_wait(ring);
	ring->blocked_since = 0;
	return NEXT;
}

enum outcome
pm4_wait_reg_mem(const struct packet *packet)
{
	if ((pm4_body(packet, 0) >> 6 & 3) == 1)
		return write_and_wait(packet);
	return wait_for(packet, pm4_body(packet, 3), pm4_body(packet, 4));
}

enum outcome
pm4_wait_reg_mem64(const struct packet *packet)
{
	return wait_for(packet, pm4_body64(packet, 3), pm4_body64(packet, 5));
}

/* Look once, and write a dword if it is as it should be. */
enum outcome
pm4_cond_write(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, 0), value = pm4_body(packet, 7);
	uint64_t polled;
	uint8_t *to;

	if (!packet_read_value(packet, control >> 4 & 1, pm4_body(packet, 4),
			       &polled))
		return HUNG;
	if (!amdgpu_compares(control & 7, polled, pm4_body(packet, 3)))
		return NEXT;
	switch (control >> 8 & 3) {
	case 0:
		pm4_write_register(ring, pm4_body(packet, 5) & 0x3ffff, value);
		return NEXT;
	case 1:
		to = ring_dwords(ring, pm4_body64(packet, 5), WRITABLE,
				 sizeof(value));
		if (to)
			memcpy(to, &value, sizeof(value));
		return to ? NEXT : HUNG;
	}
	return NEXT; /* scratch memory of the processor */
}

enum {
	SEMAPHORE_SIGNAL = 6,
	SEMAPHORE_WAIT = 7
};

/* Count one more in memory, or wait for one and take it. */
enum outcome
pm4_semaphore(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t control = pm4_body(packet, packet->count - 1);
	uint64_t address = pm4_body(packet, 0) & ~7u, value;
	uint64_t high = pm4_body(packet, 1);
	uint8_t *at;

	/* in the short form control and high address share a dword */
	address |= (packet->count == 2 ? high & 0xffff : high) << 32;
	at = ring_memory(ring, address, WRITABLE, sizeof(value));
	if (!at)
		return HUNG;
	memcpy(&value, at, sizeof(value));
	switch (control >> 29) {
	case SEMAPHORE_SIGNAL:
		value = control >> 20 & 1 ? 1 : value + 1;
		break;
	case SEMAPHORE_WAIT:
		if (!value)
			return ring_poll_wait(ring);
		ring->blocked_since = 0;
		value--;
		break;
	default:
		ring_hang(ring, "MEM_SEMAPHORE with operation %u",
			  control >> 29);
		return HUNG;
	}
	memcpy(at, &value, sizeof(value));
	return NEXT;
}

/* Waits until its own bit in the buffer is set. */
enum outcome
pm4_rewind(const struct packet *packet)
{
	if (!(pm4_body(packet, 0) >> 31))
		return ring_poll_wait(packet->ring);
	packet->ring->blocked_since = 0;
	return NEXT;
}
