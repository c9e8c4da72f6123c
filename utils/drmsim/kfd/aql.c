/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: headers of HSA in Debian's libhsa-runtime-dev 5.2.3, and packets that
 * runtimes 5.2.3 and 6.1.2 were seen to write.
 */
#include "kfd/packets.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/scheduler.h"
#include "kfd/commands.h"
#include "kfd/grid.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/signal.h"

#define PACKET_BYTES 64u

enum {
	TYPE_VENDOR,
	TYPE_INVALID,
	TYPE_DISPATCH,
	TYPE_BARRIER_AND,
	TYPE_AGENT,
	TYPE_BARRIER_OR,
};

#define BARRIER_BIT (1u << 8)

/* Vendor packets: commands, and a barrier that compares a value. */
#define VENDOR_COMMANDS 1
#define VENDOR_BARRIER 2
#define JUMP 0xc0023f00u
#define JUMP_VALID (1u << 23)
#define JUMP_REST 10

#define DEPENDENCIES 5

#define PACKED __attribute__((packed, aligned(4)))

struct aql_packet {
	uint16_t header, setup;
	union {
		struct {
			uint16_t group[3], reserved;
			uint32_t grid[3];
			uint32_t private_size, group_size;
			uint64_t kernel, arguments, reserved1;
		} PACKED dispatch;
		struct {
			uint32_t reserved;
			uint64_t signals[DEPENDENCIES];
			uint64_t reserved1;
		} PACKED barrier;
		struct {
			uint32_t jump, low, high, size;
			uint32_t rest;
			uint32_t reserved[8];
		} PACKED vendor;
		struct {
			uint32_t reserved;
			uint64_t signal;
			int64_t value, mask;
			uint32_t condition, reserved1[5];
		} PACKED value;
	};
	uint64_t signal;
} __attribute__((aligned(8)));

_Static_assert(sizeof(struct aql_packet) == PACKET_BYTES,
	       "packets have 64 bytes");

/* ---- completion */

static bool
add_flight(struct kfd_queue *queue, uint64_t start, uint64_t end,
	   uint64_t signal)
{
	struct kfd_flight *flight = calloc(1, sizeof(*flight));
	struct kfd_flight **p = &queue->flights;

	if (!flight) {
		queue_break(queue, "no memory for a packet");
		return false;
	}
	while (*p)
		p = &(*p)->next;
	*flight = (struct kfd_flight){ .start = start,
				       .end = end,
				       .signal = signal };
	*p = flight;
	return true;
}

static void
put_slot_back(_Atomic uint16_t *header)
{
	atomic_store_explicit(header, TYPE_INVALID, memory_order_release);
}

/* Finish a packet that has been taken: its slot and the read pointer say so. */
static bool
finish_packet(struct kfd_queue *queue, struct aql_packet *at, uint64_t start,
	      uint64_t end, uint64_t signal)
{
	_Atomic uint64_t *read_pointer = queue_memory(
		queue, queue->read_pointer, sizeof(*read_pointer), true);

	if (!read_pointer || !add_flight(queue, start, end, signal))
		return false;
	put_slot_back((_Atomic uint16_t *)(void *)&at->header);
	queue->done++;
	*read_pointer = queue->done;
	return true;
}

/* ---- packets */

static bool
run_dispatch(struct kfd_queue *queue, struct aql_packet *at,
	     const struct aql_packet *packet)
{
	const struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	const uint64_t start = amdgpu->now;
	struct grid grid = { .dimensions = packet->setup & 3 };
	uint64_t end;

	for (unsigned i = 0; i < 3; i++) {
		grid.size[i] = packet->dispatch.grid[i];
		grid.group[i] = packet->dispatch.group[i];
	}
	if (!grid_launch(queue, &grid, packet->dispatch.kernel, &end))
		return false;
	blit_run(queue, packet->dispatch.kernel, packet->dispatch.arguments,
		 packet->dispatch.grid[0]);
	if (queue->is_broken)
		return false;
	return finish_packet(queue, at, start, end, packet->signal);
}

static bool
run_barrier(struct kfd_queue *queue, struct aql_packet *at,
	    const struct aql_packet *packet, bool any)
{
	const struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	unsigned asked = 0, met = 0;

	for (unsigned i = 0; i < DEPENDENCIES; i++) {
		const uint64_t signal = packet->barrier.signals[i];
		int64_t value;

		if (!signal)
			continue;
		if (!signal_read(queue, signal, &value))
			return false;
		asked++;
		met += value == 0;
	}
	if (any ? asked && !met : met < asked)
		return false;
	return finish_packet(queue, at, amdgpu->now, amdgpu->now,
			     packet->signal);
}

static bool
is_met(unsigned condition, int64_t value, int64_t reference)
{
	switch (condition) {
	case 0:
		return value == reference;
	case 1:
		return value != reference;
	case 2:
		return value < reference;
	}
	return value >= reference;
}

static bool
run_value_barrier(struct kfd_queue *queue, struct aql_packet *at,
		  const struct aql_packet *packet)
{
	const struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	int64_t value = 0;

	if (packet->value.signal) {
		if (!signal_read(queue, packet->value.signal, &value))
			return false;
		if (!is_met(packet->value.condition, value & packet->value.mask,
			    packet->value.value))
			return false;
	}
	return finish_packet(queue, at, amdgpu->now, amdgpu->now,
			     packet->signal);
}

/* Run commands in the format of rings, which all dies of the node run. */
static bool
run_commands(struct kfd_queue *queue, struct aql_packet *at,
	     const struct aql_packet *packet)
{
	const struct amdgpu *amdgpu = amdgpu_of(queue->device->node.gpu);
	uint64_t address, end;

	if (!queue->runs_commands) {
		if (packet->vendor.jump != JUMP ||
		    !(packet->vendor.size & JUMP_VALID) ||
		    packet->vendor.rest != JUMP_REST) {
			queue_break(queue, "a vendor packet without commands");
			return false;
		}
		address = packet->vendor.low | (uint64_t)packet->vendor.high
						       << 32;
		commands_begin(queue, address & ~3ull,
			       packet->vendor.size & 0xfffff);
		queue->begun = amdgpu->now;
	}
	if (!commands_run(queue, &end))
		return false;
	return finish_packet(queue, at, queue->begun, end, packet->signal);
}

static bool
run_vendor(struct kfd_queue *queue, struct aql_packet *at,
	   const struct aql_packet *packet)
{
	switch (packet->setup & 0xff) {
	case VENDOR_COMMANDS:
		return run_commands(queue, at, packet);
	case VENDOR_BARRIER:
		return run_value_barrier(queue, at, packet);
	}
	queue_break(queue, "vendor packet of unknown format %u",
		    packet->setup & 0xffu);
	return false;
}

static bool
run_packet(struct kfd_queue *queue, struct aql_packet *at, uint16_t header)
{
	const struct aql_packet packet = *at;

	/* until all that was launched before is complete */
	if (header & BARRIER_BIT && queue->flights)
		return false;
	if (!queue->runs_commands && (header & 0xff) != TYPE_INVALID)
		scheduler_wake(amdgpu_of(queue->device->node.gpu));
	switch (header & 0xff) {
	case TYPE_VENDOR:
		return run_vendor(queue, at, &packet);
	case TYPE_INVALID:
		return false;
	case TYPE_DISPATCH:
		return run_dispatch(queue, at, &packet);
	case TYPE_BARRIER_AND:
	case TYPE_BARRIER_OR:
		return run_barrier(queue, at, &packet,
				   (header & 0xff) == TYPE_BARRIER_OR);
	}
	queue_break(queue, "packet of type %u, which is none of a GPU's",
		    header & 0xffu);
	return false;
}

bool
aql_step(struct kfd_queue *queue)
{
	const _Atomic uint64_t *write_pointer = queue_memory(
		queue, queue->write_pointer, sizeof(*write_pointer), false);
	const uint64_t slots = queue->ring_size / PACKET_BYTES;
	struct aql_packet *at;
	uint16_t header;

	if (!write_pointer)
		return false;
	if (queue->done >=
	    atomic_load_explicit(write_pointer, memory_order_acquire))
		return false;
	at = queue_memory(queue,
			  queue->ring + queue->done % slots * PACKET_BYTES,
			  PACKET_BYTES, true);
	if (!at)
		return false;
	/* the header is written last */
	header = atomic_load_explicit((_Atomic uint16_t *)(void *)&at->header,
				      memory_order_acquire);
	return run_packet(queue, at, header);
}
