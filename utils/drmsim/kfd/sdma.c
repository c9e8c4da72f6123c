/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: packets that ROCm's runtimes 5.2.3 to 7 write, by their sources. */
#include "kfd/packets.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "kernel/bo.h"
#include "kfd/access.h"
#include "kfd/event.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/signal.h"
#include "machine/gpu.h"

#define DWORDS_MAX 8

enum {
	OP_NOP = 0,
	OP_COPY = 1,
	OP_FENCE = 5,
	OP_TRAP = 6,
	OP_POLL = 8,
	OP_ATOMIC = 10,
	OP_FILL = 11,
	OP_TIMESTAMP = 13,
	OP_CACHE = 17,
};

#define POLL_MEMORY (1u << 31)
#define ATOMIC_ADD_64 0x2f

enum outcome {
	DONE,
	WAITS
};

struct sdma_packet {
	struct kfd_queue *queue;
	uint32_t dwords[DWORDS_MAX];
};

static uint64_t
address_at(const struct sdma_packet *packet, unsigned dword)
{
	return packet->dwords[dword] | (uint64_t)packet->dwords[dword + 1]
					       << 32;
}

/*
 * Return the mask of a packet's count of bytes, of which newer engines count
 * more.
 */
static uint32_t
count_mask(const struct kfd_queue *queue)
{
	const unsigned *version =
		amdgpu_of(queue->device->node.gpu)->chip.sdma_version;
	const unsigned number = version[0] * 100 + version[1];

	return number == 404 || number >= 502 ? 0x3fffffff : 0x3fffff;
}

static enum outcome
run_copy(const struct sdma_packet *packet)
{
	struct kfd_queue *queue = packet->queue;
	const uint64_t size =
		(uint64_t)(packet->dwords[1] & count_mask(queue)) + 1;

	access_copy(queue, address_at(packet, 5), address_at(packet, 3), size);
	return DONE;
}

static enum outcome
run_fill(const struct sdma_packet *packet)
{
	const uint64_t size =
		(uint64_t)(packet->dwords[4] & count_mask(packet->queue)) + 1;
	const unsigned unit = packet->dwords[0] >> 30;

	if (unit != 2 || size % 4)
		queue_break(packet->queue, "a fill of other than dwords");
	else
		access_fill(packet->queue, address_at(packet, 1),
			    packet->dwords[3], size);
	return DONE;
}

static enum outcome
run_fence(const struct sdma_packet *packet)
{
	access_write(packet->queue, address_at(packet, 1) & ~3ull,
		     &packet->dwords[3], 4);
	return DONE;
}

static enum outcome
run_trap(const struct sdma_packet *packet)
{
	event_interrupt(packet->queue->device->process,
			packet->dwords[1] & 0xfffffff);
	return DONE;
}

/*
 * Run a poll. Without the bit of memory the packet flushes what the host has
 * written.
 */
static enum outcome
run_poll(const struct sdma_packet *packet)
{
	uint32_t value;

	if (!(packet->dwords[0] & POLL_MEMORY))
		return DONE;
	if (!access_read(packet->queue, address_at(packet, 1) & ~3ull, &value,
			 4))
		return WAITS;
	return amdgpu_compares(packet->dwords[0] >> 28 & 7,
			       value & packet->dwords[4], packet->dwords[3])
		       ? DONE
		       : WAITS;
}

static enum outcome
run_atomic(const struct sdma_packet *packet)
{
	_Atomic uint64_t *at;

	if (packet->dwords[0] >> 25 != ATOMIC_ADD_64) {
		queue_break(packet->queue, "an atomic operation 0x%x",
			    packet->dwords[0] >> 25);
		return WAITS;
	}
	at = queue_memory(packet->queue, address_at(packet, 1), sizeof(*at),
			  true);
	if (at)
		atomic_fetch_add(at, address_at(packet, 3));
	return DONE;
}

static enum outcome
run_timestamp(const struct sdma_packet *packet)
{
	const struct amdgpu *amdgpu =
		amdgpu_of(packet->queue->device->node.gpu);
	const uint64_t now = amdgpu_timestamp(amdgpu, amdgpu->now);

	access_write(packet->queue, address_at(packet, 1), &now, sizeof(now));
	return DONE;
}

static enum outcome
skip_packet(const struct sdma_packet *packet)
{
	(void)packet;
	return DONE;
}

static const struct kind {
	uint8_t op, sub_op;
	unsigned dwords;
	enum outcome (*run)(const struct sdma_packet *packet);
} kinds[] = {
	{ OP_NOP, 0, 1, skip_packet },	 { OP_COPY, 0, 7, run_copy },
	{ OP_FENCE, 0, 4, run_fence },	 { OP_TRAP, 0, 2, run_trap },
	{ OP_POLL, 0, 6, run_poll },	 { OP_ATOMIC, 0, 8, run_atomic },
	{ OP_FILL, 0, 5, run_fill },	 { OP_TIMESTAMP, 2, 3, run_timestamp },
	{ OP_CACHE, 1, 5, skip_packet },
};

static const struct kind *
find_kind(uint32_t header)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].op == (header & 0xff) &&
		    kinds[i].sub_op == (header >> 8 & 0xff))
			return &kinds[i];
	return NULL;
}

/*
 * Read dwords. Packets do not go round the end of the ring, but what fills it
 * may.
 */
static bool
read_dwords(struct kfd_queue *queue, uint32_t *dwords, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const uint64_t at =
			queue->ring + (queue->done + 4 * i) % queue->ring_size;
		const uint32_t *dword = queue_memory(queue, at, 4, false);

		if (!dword)
			return false;
		dwords[i] = *dword;
	}
	return true;
}

/*
 * Return the bytes left. The doorbell has the write pointer, in bytes, which
 * never goes back.
 */
static uint64_t
bytes_left(const struct kfd_queue *queue)
{
	const _Atomic uint64_t *doorbells =
		(void *)queue->device->doorbells->memory;
	const uint64_t end = atomic_load_explicit(&doorbells[queue->doorbell],
						  memory_order_acquire);

	return end > queue->done ? end - queue->done : 0;
}

bool
sdma_step(struct kfd_queue *queue)
{
	struct sdma_packet packet = { .queue = queue };
	const uint64_t left = bytes_left(queue);
	const struct kind *kind;
	_Atomic uint64_t *read_pointer;
	uint64_t bytes;

	if (left < 4 || !read_dwords(queue, packet.dwords, 1))
		return false;
	kind = find_kind(packet.dwords[0]);
	if (!kind) {
		queue_break(queue, "0x%08x is no packet of a copy engine",
			    packet.dwords[0]);
		return false;
	}
	bytes = 4ull * kind->dwords;
	if (kind->op == OP_NOP)
		bytes += 4ull * (packet.dwords[0] >> 16 & 0x3fff);
	if (bytes > left) {
		queue_break(queue, "packet 0x%08x is cut off",
			    packet.dwords[0]);
		return false;
	}
	if (!read_dwords(queue, packet.dwords, kind->dwords) ||
	    kind->run(&packet) == WAITS || queue->is_broken)
		return false;
	read_pointer = queue_memory(queue, queue->read_pointer,
				    sizeof(*read_pointer), true);
	if (!read_pointer)
		return false;
	queue->done += bytes;
	*read_pointer = queue->done;
	return true;
}
