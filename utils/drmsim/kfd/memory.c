/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_chardev.c, amdgpu_amdkfd_gpuvm.c, kfd_doorbell.c. */
#include "kfd/memory.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gem.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kernel/slots.h"
#include "kfd/process.h"
#include "kfd/uapi.h"
#include "machine/clock.h"
#include "machine/gpu.h"

#define PAGE 4096u
/* Unit in which free memory is reported. */
#define AVAILABLE_UNIT (2ull << 20)
/* GPUs that a call may name: more than there are. */
#define DEVICES_MAX KFD_NODES_MAX

struct kfd_memory {
	uint64_t address, size; /* of the GPU's address space; whole pages */
	uint32_t flags;
	struct sim_bo *bo; /* NULL: a device's page, or the process's memory */
	uint64_t user_address;
	unsigned mapped; /* number of GPUs */
	unsigned held;	 /* number of uses by queues */
	bool is_mapped[DEVICES_MAX]; /* by device of the process */
};

/* ---- handles */

static struct kfd_device *
device_of_handle(const struct kfd_process *process, uint64_t handle)
{
	return kfd_process_device(process, (uint32_t)(handle >> 32));
}

static struct kfd_memory *
find_memory(const struct kfd_device *device, uint64_t handle)
{
	return sim_slots_get(&device->memories, (uint32_t)handle);
}

struct sim_bo *
memory_bo(const struct kfd_process *process, uint64_t handle)
{
	const struct kfd_device *device = device_of_handle(process, handle);
	const struct kfd_memory *memory =
		device ? find_memory(device, handle) : NULL;

	return memory ? memory->bo : NULL;
}

/* ---- pages of the device */

static int
need_page(struct kfd_device *device, struct sim_bo **page, uint64_t size)
{
	return *page ? 0 : sim_bo_create(device->node.gpu, size, page);
}

int
memory_doorbells(struct kfd_device *device, struct sim_bo **out)
{
	int error = need_page(device, &device->doorbells, KFD_DOORBELL_BYTES);

	*out = device->doorbells;
	return error;
}

int
memory_mmap(const struct kfd_process *process, uint64_t offset, uint64_t length,
	    struct sim_mapping *out)
{
	struct kfd_device *device =
		kfd_process_device(process, KFD_MMAP_GPU_ID(offset));
	const unsigned type = (unsigned)KFD_MMAP_TYPE(offset);
	const bool is_doorbell = type == KFD_MMAP_DOORBELL;
	struct sim_bo **page;
	int error;

	/* GPUs with memory of their own have their page of events there */
	if (type == KFD_MMAP_EVENTS)
		return -EINVAL;
	if (!device)
		return -ENODEV;
	if (type == KFD_MMAP_RESERVED)
		return -EINVAL;
	if (length != (is_doorbell ? KFD_DOORBELL_BYTES : PAGE))
		return -EINVAL;
	page = is_doorbell ? &device->doorbells : &device->mmio;
	error = need_page(device, page, length);
	if (error)
		return error;
	out->fd = (*page)->fd;
	out->offset = 0;
	return 0;
}

/* ---- making */

static int
make_bo(const struct kfd_device *device, struct kfd_memory *memory)
{
	const struct amdgpu *amdgpu = amdgpu_of(device->node.gpu);
	const bool is_vram = memory->flags & KFD_MEMORY_VRAM;
	const uint64_t all = is_vram ? amdgpu->chip.vram : amdgpu->chip.gtt;
	const uint64_t used =
		is_vram ? amdgpu_vram_used(amdgpu) : amdgpu_gtt_used(amdgpu);
	int error;

	if (used > all || memory->size > all - used)
		return -ENOMEM;
	/* no submission lists it, and all of the process may reach it */
	error = gem_bo_create(device->node.gpu, memory->size,
			      is_vram ? AMDGPU_GEM_DOMAIN_VRAM
				      : AMDGPU_GEM_DOMAIN_GTT,
			      AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &memory->bo);
	if (!error)
		memory->bo->file = device->file;
	return error;
}

/* Make memory of the requested kind, if its size fits that. */
static int
make_memory(struct kfd_device *device, struct kfd_alloc_memory *args,
	    struct kfd_memory *memory)
{
	struct sim_bo *page;

	if (args->flags & KFD_MEMORY_DOORBELL) {
		if (args->size != KFD_DOORBELL_BYTES)
			return -EINVAL;
		args->offset = KFD_MMAP_OFFSET(KFD_MMAP_DOORBELL, args->gpu_id);
		return memory_doorbells(device, &page);
	}
	if (args->flags & KFD_MEMORY_MMIO) {
		if (args->size != PAGE)
			return -EINVAL;
		args->offset = KFD_MMAP_OFFSET(KFD_MMAP_MMIO, args->gpu_id);
		return need_page(device, &device->mmio, PAGE);
	}
	if (args->flags & (KFD_MEMORY_VRAM | KFD_MEMORY_GTT)) {
		int error = make_bo(device, memory);

		if (!error)
			args->offset = sim_bo_mmap_offset(memory->bo);
		return error;
	}
	if (!(args->flags & KFD_MEMORY_USERPTR) || !args->offset)
		return -EINVAL;
	memory->user_address = args->offset;
	return 0;
}

static void
release_memory(const struct kfd_device *device, struct kfd_memory *memory)
{
	if (memory->bo) {
		gem_bo_gone(amdgpu_of(device->node.gpu), memory->bo);
		sim_bo_put(memory->bo);
	}
	free(memory);
}

int
memory_alloc(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_alloc_memory *args = arg;
	struct kfd_device *device = kfd_process_device(process, args->gpu_id);
	struct kfd_memory *memory;
	uint32_t handle;
	int error;

	(void)call;
	if (!args->size || !device)
		return -EINVAL;
	if (args->flags & KFD_MEMORY_PUBLIC && args->flags & KFD_MEMORY_VRAM &&
	    !kfd_node_has_large_bar(&device->node))
		return -EINVAL;
	if (!device->file)
		return -ENODEV;
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	memory->address = args->address;
	memory->size = (args->size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	memory->flags = args->flags;
	error = make_memory(device, args, memory);
	if (!error)
		error = sim_slots_add(&device->memories, memory, &handle);
	if (error) {
		release_memory(device, memory);
		return error;
	}
	args->handle = (uint64_t)args->gpu_id << 32 | handle;
	return 0;
}

int
memory_free(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_free_memory *args = arg;
	struct kfd_device *device = device_of_handle(process, args->handle);
	struct kfd_memory *memory =
		device ? find_memory(device, args->handle) : NULL;

	(void)call;
	if (process->event_page_handle == args->handle && args->handle)
		return -EPERM;
	if (!memory)
		return -EINVAL;
	if (memory->mapped)
		return -EBUSY;
	sim_slots_remove(&device->memories, (uint32_t)args->handle);
	release_memory(device, memory);
	return 0;
}

void
memory_free_all(struct kfd_device *device)
{
	for (uint32_t i = 1; i <= device->memories.room; i++) {
		struct kfd_memory *memory =
			sim_slots_remove(&device->memories, i);

		if (memory)
			release_memory(device, memory);
	}
	sim_slots_free(&device->memories);
	sqtt_forget_vm(amdgpu_of(device->node.gpu), &device->vm);
	vm_free(&device->vm);
	sim_bo_put(device->doorbells);
	sim_bo_put(device->mmio);
	device->doorbells = device->mmio = NULL;
}

int
memory_available(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_available_memory *args = arg;
	const struct kfd_device *device =
		kfd_process_device(process, args->gpu_id);
	const struct amdgpu *amdgpu;
	uint64_t used;

	(void)call;
	if (!device)
		return -EINVAL;
	amdgpu = amdgpu_of(device->node.gpu);
	used = amdgpu_vram_used(amdgpu);
	args->available =
		used < amdgpu->chip.vram ? amdgpu->chip.vram - used : 0;
	args->available &= ~(AVAILABLE_UNIT - 1);
	return 0;
}

/* ---- mapping */

static uint32_t
access_of(const struct kfd_memory *memory)
{
	uint32_t access = AMDGPU_VM_PAGE_READABLE;

	if (memory->flags & KFD_MEMORY_WRITABLE)
		access |= AMDGPU_VM_PAGE_WRITEABLE;
	if (memory->flags & KFD_MEMORY_EXECUTABLE)
		access |= AMDGPU_VM_PAGE_EXECUTABLE;
	return access;
}

static bool
is_aligned(const struct kfd_memory *memory)
{
	return memory->address && memory->address % PAGE == 0;
}

static int
map_to(struct kfd_device *device, struct kfd_memory *memory)
{
	const struct mapping mapping = { .start = memory->address,
					 .size = memory->size,
					 .bo = memory->bo,
					 /* of the process's own memory */
					 .offset = memory->user_address,
					 .flags = access_of(memory) };
	const size_t number = (size_t)(device - device->process->devices);
	int error = 0;

	if (!device->file)
		return -ENODEV;
	if (memory->is_mapped[number])
		return 0;
	if (!is_aligned(memory))
		return -EINVAL;
	/* what is no buffer is a hole, which no packet reaches by itself */
	error = vm_map(&device->vm, &mapping);
	if (error)
		return error;
	memory->is_mapped[number] = true;
	memory->mapped++;
	return 0;
}

static int
unmap_from(struct kfd_device *device, struct kfd_memory *memory)
{
	const size_t number = (size_t)(device - device->process->devices);

	if (!memory->mapped)
		return -EINVAL;
	if (!memory->is_mapped[number])
		return 0;
	if (memory->held)
		return -EBUSY;
	sqtt_advance(amdgpu_of(device->node.gpu),
		     sim_now(device->node.gpu->sim));
	vm_unmap(&device->vm, memory->bo, memory->address);
	sqtt_check_buffers(amdgpu_of(device->node.gpu));
	memory->is_mapped[number] = false;
	memory->mapped--;
	return 0;
}

/* Find memory of any device of the process that begins at this address. */
static struct kfd_memory *
find_mapped(const struct kfd_device *device, uint64_t page)
{
	const struct kfd_process *process = device->process;
	const size_t number = (size_t)(device - process->devices);

	for (unsigned i = 0; i < process->device_count; i++) {
		const struct kfd_device *owner = &process->devices[i];

		for (uint32_t h = 1; h <= owner->memories.room; h++) {
			struct kfd_memory *memory =
				sim_slots_get(&owner->memories, h);

			if (memory && memory->is_mapped[number] &&
			    memory->address == page)
				return memory;
		}
	}
	return NULL;
}

bool
memory_hold(const struct kfd_device *device, uint64_t address, uint64_t size)
{
	struct kfd_memory *memory =
		find_mapped(device, address & ~(uint64_t)(PAGE - 1));

	if (!memory || !memory->bo || memory->size != size)
		return false;
	memory->held++;
	return true;
}

void
memory_release(const struct kfd_device *device, uint64_t address)
{
	struct kfd_memory *memory =
		find_mapped(device, address & ~(uint64_t)(PAGE - 1));

	if (memory)
		memory->held--;
}

/*
 * Change mappings. The list goes on where an earlier call was interrupted:
 * args->done.
 */
static int
change_mappings(struct sim_call *call, struct kfd_process *process,
		struct kfd_map_memory *args,
		int (*change)(struct kfd_device *device,
			      struct kfd_memory *memory),
		int unknown)
{
	uint32_t ids[DEVICES_MAX];
	struct kfd_device *device;
	struct kfd_memory *memory;

	if (!args->count || args->done > args->count)
		return -EINVAL;
	if (args->count > DEVICES_MAX)
		return -EINVAL;
	if (sim_call_get(call, ids, args->devices,
			 args->count * sizeof(ids[0])))
		return -EFAULT;
	device = device_of_handle(process, args->handle);
	if (!device)
		return -EINVAL;
	memory = find_memory(device, args->handle);
	if (!memory)
		return unknown;
	while (args->done < args->count) {
		int error;

		device = kfd_process_device(process, ids[args->done]);
		if (!device)
			return -EINVAL;
		error = change(device, memory);
		if (error)
			return error;
		args->done++;
	}
	return 0;
}

int
memory_map(struct sim_call *call, struct kfd_process *process, void *arg)
{
	return change_mappings(call, process, arg, map_to, -ENOMEM);
}

int
memory_unmap(struct sim_call *call, struct kfd_process *process, void *arg)
{
	return change_mappings(call, process, arg, unmap_from, -ENOMEM);
}
