/* SPDX-License-Identifier: BSD-3-Clause */
#include "kfd/access.h"

#include <string.h>
#include <sys/uio.h>

#include "amdgpu/gfx/vm.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/signal.h"

/* Bytes copied at once. */
#define CHUNK 65536u

/* Find memory of the process at that address of the GPU; or NULL. */
static const struct mapping *
find_user_memory(const struct kfd_queue *queue, uint64_t address)
{
	const struct vm *vm = &queue->device->vm;

	for (size_t i = 0; i < vm->count; i++)
		if (!vm->mappings[i].bo && vm->mappings[i].offset &&
		    address - vm->mappings[i].start < vm->mappings[i].size)
			return &vm->mappings[i];
	return NULL;
}

bool
access_is_of_process(const struct kfd_queue *queue, uint64_t address,
		     uint64_t size, uint32_t access)
{
	const struct mapping *user = find_user_memory(queue, address);

	return user && (user->flags & access) == access &&
	       size <= user->size - (address - user->start);
}

static bool
move_user_memory(struct kfd_queue *queue, const struct mapping *mapping,
		 uint64_t address, void *bytes, uint64_t size, bool is_written)
{
	const uint64_t at = mapping->offset + (address - mapping->start);
	struct iovec local = { bytes, size };
	struct iovec remote = { (void *)(uintptr_t)at, size };
	const pid_t pid = queue->device->process->pid;
	ssize_t done =
		is_written ? process_vm_writev(pid, &local, 1, &remote, 1, 0)
			   : process_vm_readv(pid, &local, 1, &remote, 1, 0);

	if (done == (ssize_t)size)
		return true;
	queue_break(queue, "memory of the process is not there: 0x%llx",
		    (unsigned long long)at);
	return false;
}

/*
 * Move a part that lies in one mapping. Returns how much of it was moved, or 0.
 */
static uint64_t
move_part(struct kfd_queue *queue, uint64_t address, void *bytes, uint64_t size,
	  bool is_written)
{
	const struct mapping *user = find_user_memory(queue, address);
	struct sim_bo *bo;
	uint64_t there = 0;
	uint8_t *at;

	if (user) {
		there = user->size - (address - user->start);
		size = size < there ? size : there;
		return move_user_memory(queue, user, address, bytes, size,
					is_written)
			       ? size
			       : 0;
	}
	vm_at(&queue->device->vm, address, 0, &there, &bo);
	if (size > there && there)
		size = there;
	at = queue_memory(queue, address, size, is_written);
	if (!at)
		return 0;
	if (is_written)
		memcpy(at, bytes, size);
	else
		memcpy(bytes, at, size);
	return size;
}

static bool
move_all(struct kfd_queue *queue, uint64_t address, uint8_t *bytes,
	 uint64_t size, bool is_written)
{
	while (size) {
		const uint64_t done =
			move_part(queue, address, bytes, size, is_written);

		if (!done)
			return false;
		address += done;
		bytes += done;
		size -= done;
	}
	return true;
}

bool
access_read(struct kfd_queue *queue, uint64_t address, void *to, uint64_t size)
{
	return move_all(queue, address, to, size, false);
}

bool
access_write(struct kfd_queue *queue, uint64_t address, const void *from,
	     uint64_t size)
{
	return move_all(queue, address, (uint8_t *)(uintptr_t)from, size, true);
}

bool
access_copy(struct kfd_queue *queue, uint64_t to, uint64_t from, uint64_t size)
{
	static uint8_t chunk[CHUNK];

	while (size) {
		const uint64_t step = size < CHUNK ? size : CHUNK;

		if (!access_read(queue, from, chunk, step) ||
		    !access_write(queue, to, chunk, step))
			return false;
		from += step;
		to += step;
		size -= step;
	}
	return true;
}

bool
access_fill(struct kfd_queue *queue, uint64_t to, uint32_t value, uint64_t size)
{
	uint32_t chunk[1024];

	for (unsigned i = 0; i < 1024; i++)
		chunk[i] = value;
	while (size) {
		const uint64_t step =
			size < sizeof(chunk) ? size : sizeof(chunk);

		if (!access_write(queue, to, chunk, step))
			return false;
		to += step;
		size -= step;
	}
	return true;
}
