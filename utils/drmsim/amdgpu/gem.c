/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_gem.c, amdgpu_vm.c. */
#include "amdgpu/gem.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/vm.h"
#include "amdgpu/scheduler.h"
#include "amdgpu/sysfs.h"
#include "amdgpu/vmid.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "machine/clock.h"

#define PAGE 4096u
/* Sizes that the kernel reserves at both ends of the address space. */
#define VA_RESERVED (2ull << 20)
#define VA_HOLE_START 0x0000800000000000ull
#define VA_HOLE_END 0xffff800000000000ull
#define VA_MASK 0x0000ffffffffffffull

/* Linux 6.1 has these, the headers of libdrm 2.4.114 do not. */
#ifndef AMDGPU_GEM_CREATE_DISCARDABLE
#define AMDGPU_GEM_CREATE_DISCARDABLE (1 << 12)
#endif
#ifndef AMDGPU_VM_PAGE_NOALLOC
#define AMDGPU_VM_PAGE_NOALLOC (1 << 9)
#endif

#define KNOWN_DOMAINS                                                        \
	(AMDGPU_GEM_DOMAIN_CPU | AMDGPU_GEM_DOMAIN_GTT |                     \
	 AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GDS |                    \
	 AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)
#define KNOWN_CREATE_FLAGS                                                   \
	(AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED |                             \
	 AMDGPU_GEM_CREATE_NO_CPU_ACCESS | AMDGPU_GEM_CREATE_CPU_GTT_USWC |  \
	 AMDGPU_GEM_CREATE_VRAM_CLEARED |                                    \
	 AMDGPU_GEM_CREATE_VM_ALWAYS_VALID |                                 \
	 AMDGPU_GEM_CREATE_EXPLICIT_SYNC | AMDGPU_GEM_CREATE_ENCRYPTED |     \
	 AMDGPU_GEM_CREATE_DISCARDABLE | AMDGPU_GEM_CREATE_PREEMPTIBLE)

struct bo_info {
	uint64_t alignment, tiling, metadata_flags;
	uint32_t metadata_size;
	uint32_t metadata[64];
};

/* ---- GEM */

static void
gem_account(struct amdgpu *amdgpu, const struct sim_bo *bo, bool add)
{
	uint64_t *to = NULL;

	if (bo->domains & AMDGPU_GEM_DOMAIN_VRAM)
		to = &amdgpu->vram_allocated;
	else if (bo->domains & AMDGPU_GEM_DOMAIN_GTT)
		to = &amdgpu->gtt_allocated;
	if (!to)
		return;
	*to = add ? *to + bo->size : *to - bo->size;
	sysfs_show_memory(amdgpu);
}

int
gem_bo_create(struct sim_gpu *gpu, uint64_t size, uint64_t domains,
	      uint64_t flags, struct sim_bo **out)
{
	struct sim_bo *bo;
	int error = sim_bo_create(gpu, size, &bo);

	if (error)
		return error;
	bo->data = calloc(1, sizeof(struct bo_info));
	if (!bo->data) {
		sim_bo_put(bo);
		return -ENOMEM;
	}
	bo->domains = domains;
	bo->flags = flags;
	gem_account(amdgpu_of(gpu), bo, true);
	*out = bo;
	return 0;
}

void
gem_bo_gone(struct amdgpu *amdgpu, const struct sim_bo *bo)
{
	gem_account(amdgpu, bo, false);
}

int
gem_create(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_gem_create *create = arg;
	uint64_t domains = create->in.domains;
	struct sim_bo *bo;
	uint32_t handle;
	int error;

	(void)call;
	if (create->in.domain_flags & ~(uint64_t)KNOWN_CREATE_FLAGS ||
	    domains & ~(uint64_t)KNOWN_DOMAINS)
		return -EINVAL;
	/* no trusted memory on these GPUs */
	if (create->in.domain_flags & AMDGPU_GEM_CREATE_ENCRYPTED)
		return -EINVAL;
	error = gem_bo_create(file->gpu, create->in.bo_size, domains,
			      create->in.domain_flags, &bo);
	if (error)
		return error;
	((struct bo_info *)bo->data)->alignment = create->in.alignment;
	error = sim_handle_create(file, bo, &handle);
	if (error) {
		gem_bo_gone(amdgpu_of(file->gpu), bo);
	} else {
		memset(create, 0, sizeof(*create));
		create->out.handle = handle;
	}
	sim_bo_put(bo);
	return error;
}

int
gem_mmap(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_gem_mmap *map = arg;
	struct sim_bo *bo = sim_handle_bo(file, map->in.handle);

	(void)call;
	if (!bo)
		return -ENOENT;
	if (bo->flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS)
		return -EPERM;
	map->out.addr_ptr = sim_bo_mmap_offset(bo);
	return 0;
}

int
gem_map(struct sim_file *file, uint64_t offset, uint64_t length,
	struct sim_mapping *out)
{
	struct sim_bo *bo = sim_bo_by_mmap_offset(file, offset);
	uint64_t within;

	if (!bo)
		return -EINVAL;
	if (!sim_file_has_bo(file, bo) && bo->file != file->id)
		return -EACCES;
	within = offset - sim_bo_mmap_offset(bo);
	if (within > bo->size || length > bo->size - within)
		return -EINVAL;
	out->fd = bo->fd;
	out->offset = within;
	return 0;
}

int
gem_metadata(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_amdgpu_gem_metadata *data = arg;
	struct sim_bo *bo = sim_handle_bo(file, data->handle);
	struct bo_info *info;

	(void)call;
	if (!bo)
		return -ENOENT;
	info = bo->data;
	switch (data->op) {
	case AMDGPU_GEM_METADATA_OP_GET_METADATA:
		data->data.flags = info->metadata_flags;
		data->data.tiling_info = info->tiling;
		data->data.data_size_bytes = info->metadata_size;
		memcpy(data->data.data, info->metadata, info->metadata_size);
		return 0;
	case AMDGPU_GEM_METADATA_OP_SET_METADATA:
		if (data->data.data_size_bytes > sizeof(data->data.data))
			return -EINVAL;
		info->metadata_flags = data->data.flags;
		info->tiling = data->data.tiling_info;
		info->metadata_size = data->data.data_size_bytes;
		memcpy(info->metadata, data->data.data, info->metadata_size);
		return 0;
	}
	return -EINVAL;
}

/* Return whether a job that is not done has the buffer. */
static bool
is_busy(const struct amdgpu *amdgpu, const struct sim_bo *bo)
{
	for (unsigned r = 0; r < amdgpu->ring_count; r++)
		for (const struct job *job = amdgpu->rings[r].queue; job;
		     job = job->next)
			for (uint32_t i = 0; i < job->bo_count; i++)
				if (job->bos[i] == bo)
					return true;
	return false;
}

int
gem_wait_idle(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_gem_wait_idle *wait = arg;
	struct amdgpu *amdgpu = amdgpu_of(file->gpu);
	struct sim_bo *bo = sim_handle_bo(file, wait->in.handle);
	uint64_t deadline;

	if (!bo)
		return -ENOENT;
	/* a negative timeout, as an absolute time, is for ever */
	deadline = (int64_t)wait->in.timeout < 0 ? SIM_NEVER :
		sim_call_deadline(call, (int64_t)wait->in.timeout);
	if (is_busy(amdgpu, bo)) {
		if (!call->timed_out && deadline > sim_now(file->gpu->sim))
			return sim_call_sleep(call, deadline,
					      scheduler_next(amdgpu));
		memset(wait, 0, sizeof(*wait));
		wait->out.status = 1;
		return 0;
	}
	memset(wait, 0, sizeof(*wait));
	wait->out.domain = (uint32_t)bo->domains;
	return 0;
}

int
gem_op(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_amdgpu_gem_op *op = arg;
	struct sim_bo *bo = sim_handle_bo(file, op->handle);
	struct drm_amdgpu_gem_create_in in;
	const struct bo_info *info;

	if (!bo)
		return -ENOENT;
	info = bo->data;
	switch (op->op) {
	case AMDGPU_GEM_OP_GET_GEM_CREATE_INFO:
		memset(&in, 0, sizeof(in));
		in.bo_size = bo->size;
		in.alignment = info->alignment;
		in.domains = bo->domains;
		in.domain_flags = bo->flags;
		return sim_call_put(call, op->value, &in, sizeof(in));
	case AMDGPU_GEM_OP_SET_PLACEMENT:
		gem_account(amdgpu_of(file->gpu), bo, false);
		bo->domains = op->value & (AMDGPU_GEM_DOMAIN_VRAM |
					   AMDGPU_GEM_DOMAIN_GTT |
					   AMDGPU_GEM_DOMAIN_CPU);
		gem_account(amdgpu_of(file->gpu), bo, true);
		return 0;
	}
	return -EINVAL;
}

/*
 * Refuse memory of the process, which is out of the server's reach: as without
 * HMM.
 */
int
gem_userptr(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return -ENODEV;
}

/* ---- address space */

static int
check_va(const struct drm_amdgpu_gem_va *va)
{
	const uint32_t known = AMDGPU_VM_DELAY_UPDATE |
			       AMDGPU_VM_PAGE_READABLE |
			       AMDGPU_VM_PAGE_WRITEABLE |
			       AMDGPU_VM_PAGE_EXECUTABLE |
			       AMDGPU_VM_MTYPE_MASK | AMDGPU_VM_PAGE_NOALLOC;
	uint64_t address = va->va_address & VA_MASK;

	if (va->va_address < VA_RESERVED)
		return -EINVAL;
	if (va->va_address >= VA_HOLE_START && va->va_address < VA_HOLE_END)
		return -EINVAL;
	if (va->map_size > (1ull << 48) - VA_RESERVED ||
	    address > (1ull << 48) - VA_RESERVED - va->map_size)
		return -EINVAL;
	if (va->flags & ~(known | AMDGPU_VM_PAGE_PRT))
		return -EINVAL;
	if (va->va_address % PAGE || va->offset_in_bo % PAGE ||
	    va->map_size % PAGE)
		return -EINVAL;
	if (va->operation != AMDGPU_VA_OP_UNMAP && !va->map_size)
		return -EINVAL;
	return 0;
}

static int
change_mapping(struct vm *vm, uint32_t operation, const struct mapping *mapping)
{
	int error;

	switch (operation) {
	case AMDGPU_VA_OP_MAP:
		return vm_map(vm, mapping);
	case AMDGPU_VA_OP_UNMAP:
		return vm_unmap(vm, mapping->bo, mapping->start);
	case AMDGPU_VA_OP_CLEAR:
		return vm_clear(vm, mapping->start, mapping->size);
	case AMDGPU_VA_OP_REPLACE:
		error = vm_clear(vm, mapping->start, mapping->size);
		return error ? error : vm_map(vm, mapping);
	}
	return -EINVAL;
}

int
gem_va(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_amdgpu_gem_va *va = arg;
	struct vm *vm = &client_of(file)->vm;
	bool is_prt = va->flags & AMDGPU_VM_PAGE_PRT;
	struct sim_bo *bo = NULL;
	struct mapping mapping;
	int error;

	(void)call;
	error = check_va(va);
	if (error)
		return error;
	if (va->operation != AMDGPU_VA_OP_CLEAR && !is_prt) {
		bo = sim_handle_bo(file, va->handle);
		if (!bo)
			return -ENOENT;
		if (va->offset_in_bo > bo->size ||
		    (va->operation != AMDGPU_VA_OP_UNMAP &&
		     va->map_size > bo->size - va->offset_in_bo))
			return -EINVAL;
	}
	counting_sync(amdgpu_of(file->gpu), sim_now(file->gpu->sim));
	sqtt_advance(amdgpu_of(file->gpu), sim_now(file->gpu->sim));
	vmid_note_change(client_of(file));
	mapping = (struct mapping){ .start = va->va_address,
				    .size = va->map_size,
				    .bo = bo,
				    .offset = va->offset_in_bo,
				    .flags = va->flags };
	error = change_mapping(vm, va->operation, &mapping);
	sqtt_check_buffers(amdgpu_of(file->gpu));
	return error;
}
