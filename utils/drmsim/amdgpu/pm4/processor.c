/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command processor: takes buffers apart into type-3 packets and has them
 * executed one after the other. What is no packet, or not to be executed, hangs
 * the ring, as rubbish does on hardware.
 */
#include "amdgpu/pm4/processor.h"

#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/pm4/handlers.h"
#include "amdgpu/pm4/packet.h"

/* Return the length of the packet at a header; 0: there is no such packet. */
static uint32_t
packet_length(uint32_t header)
{
	switch (header >> 30) {
	case 2:
		return 1;
	case 3:
		/* a NOP with the largest count is a dword of padding */
		if ((header >> 16 & 0x3fff) == 0x3fff &&
		    (header >> 8 & 0xff) == PACKET_NOP)
			return 1;
		return 2 + (header >> 16 & 0x3fff);
	}
	return 0;
}

/*
 * Skip a packet. The skipped part ends at the end of a packet, or rubbish would
 * follow.
 */
static enum outcome
skip_packet(struct ring *ring, const struct packet *packet, uint32_t length)
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
	const uint8_t *at =
		ring_memory(ring, frame->address, READABLE | EXECUTABLE, 4);
	struct packet packet = { .ring = ring };
	enum outcome outcome;
	uint32_t length;

	if (!at)
		return HUNG;
	memcpy(&packet.header, at, 4);
	length = packet_length(packet.header);
	if (!length || length > frame->left) {
		ring_hang(ring,
			  length ? "packet 0x%08x is cut off"
				 : "0x%08x is no packet",
			  packet.header);
		return HUNG;
	}
	if (length > 1) {
		at = ring_memory(ring, frame->address, READABLE, 4ull * length);
		if (!at)
			return HUNG;
		packet.bytes = at + 4;
		packet.count = length - 1;
	}
	packet.opcode = packet.header >> 8 & 0xff;
	frame->address += 4ull * length;
	frame->left -= length;
	if (length == 1 && packet.opcode != PACKET_NOP &&
	    packet.header >> 30 == 3) {
		ring_hang(ring, "packet 0x%08x is cut off", packet.header);
		return HUNG;
	}
	if (ring->predicate_left)
		return skip_packet(ring, &packet, length);
	if (length == 1 || pm4_is_predicated(&packet))
		return NEXT;
	outcome = pm4_execute(&packet);
	if (outcome == AGAIN)
		*back = before;
	else
		ring->amdgpu->now += ring->amdgpu->chip.packet_ns;
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
