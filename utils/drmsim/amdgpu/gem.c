/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffer objects of amdgpu, and where the address space of a file has them.
 * Facts: Linux 6.1, amdgpu_gem.c, amdgpu_vm.c.
 */
#include "amdgpu/gfx/gpu.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
/* What the kernel keeps for itself at both ends of the address space. */
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
account(struct amdgpu *amdgpu, const struct sim_bo *bo, bool add)
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
memory_gem_create(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_gem_create *create = arg;
	uint64_t domains = create->in.domains;
	struct bo_info *info;
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
	error = sim_bo_create(file->gpu, create->in.bo_size, &bo);
	if (error)
		return error;
	info = calloc(1, sizeof(*info));
	if (!info) {
		sim_bo_put(bo);
		return -ENOMEM;
	}
	info->alignment = create->in.alignment;
	bo->data = info;
	bo->domains = domains;
	bo->flags = create->in.domain_flags;
	error = sim_handle_create(file, bo, &handle);
	if (!error) {
		account(amdgpu_of(file->gpu), bo, true);
		memset(create, 0, sizeof(*create));
		create->out.handle = handle;
	}
	sim_bo_put(bo);
	return error;
}

int
memory_gem_mmap(struct sim_call *call, struct sim_file *file, void *arg)
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
memory_map(struct sim_call *call, struct sim_file *file, uint64_t offset,
	   uint64_t length, struct sim_mapping *out)
{
	struct sim_bo *bo = sim_bo_by_mmap_offset(file, offset);
	uint64_t within;

	(void)call;
	if (!bo)
		return -EINVAL;
	if (!sim_file_has_bo(file, bo))
		return -EACCES;
	within = offset - sim_bo_mmap_offset(bo);
	if (within > bo->size || length > bo->size - within)
		return -EINVAL;
	out->fd = bo->fd;
	out->offset = within;
	return 0;
}

int
memory_gem_metadata(struct sim_call *call, struct sim_file *file, void *arg)
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

/* The last fence of a job that has the buffer and is not done, or NULL. */
static struct sim_fence *
busy_with(const struct ring *ring, const struct sim_bo *bo)
{
	struct sim_fence *last = NULL;

	for (const struct job *job = ring->queue; job; job = job->next)
		for (uint32_t i = 0; i < job->bo_count; i++)
			if (job->bos[i] == bo)
				last = job->fence;
	return last;
}

static bool
is_busy(const struct amdgpu *amdgpu, const struct sim_bo *bo)
{
	unsigned rings = amdgpu->chip.compute_rings * amdgpu->chip.die_count;

	for (unsigned i = 0; i < amdgpu->chip.gfx_rings; i++)
		if (busy_with(&amdgpu->gfx[i], bo))
			return true;
	for (unsigned i = 0; i < rings; i++)
		if (busy_with(&amdgpu->compute[i], bo))
			return true;
	return false;
}

int
memory_gem_wait_idle(struct sim_call *call, struct sim_file *file, void *arg)
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
		if (!sim_call_timed_out(call) &&
		    deadline > sim_now(file->gpu->sim))
			return sim_call_sleep(call, deadline,
					      rings_next(amdgpu));
		memset(wait, 0, sizeof(*wait));
		wait->out.status = 1;
		return 0;
	}
	memset(wait, 0, sizeof(*wait));
	wait->out.domain = (uint32_t)bo->domains;
	return 0;
}

int
memory_gem_op(struct sim_call *call, struct sim_file *file, void *arg)
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
		account(amdgpu_of(file->gpu), bo, false);
		bo->domains = op->value & (AMDGPU_GEM_DOMAIN_VRAM |
					   AMDGPU_GEM_DOMAIN_GTT |
					   AMDGPU_GEM_DOMAIN_CPU);
		account(amdgpu_of(file->gpu), bo, true);
		return 0;
	}
	return -EINVAL;
}

/* Memory of the process is out of the server's reach: as without HMM. */
int
memory_gem_userptr(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return -ENODEV;
}

/* ---- address space */

static int
insert(struct client *client, const struct mapping *mapping)
{
	size_t at = client->mapping_count;

	if (client->mapping_count == client->mapping_room) {
		size_t room = client->mapping_room * 2 + 16;
		struct mapping *grown = reallocarray(client->mappings, room,
						     sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		client->mappings = grown;
		client->mapping_room = room;
	}
	while (at && client->mappings[at - 1].start > mapping->start) {
		client->mappings[at] = client->mappings[at - 1];
		at--;
	}
	client->mappings[at] = *mapping;
	client->mapping_count++;
	return 0;
}

static void
erase(struct client *client, size_t at)
{
	client->mapping_count--;
	memmove(&client->mappings[at], &client->mappings[at + 1],
		(client->mapping_count - at) * sizeof(client->mappings[0]));
}

static bool
overlaps(const struct mapping *mapping, uint64_t start, uint64_t size)
{
	return start < mapping->start + mapping->size &&
	       mapping->start < start + size;
}

static bool
is_free(const struct client *client, uint64_t start, uint64_t size)
{
	for (size_t i = 0; i < client->mapping_count; i++)
		if (overlaps(&client->mappings[i], start, size))
			return false;
	return true;
}

/* Take a range out of all mappings; what sticks out on either side stays. */
static int
clear(struct client *client, uint64_t start, uint64_t size)
{
	uint64_t end = start + size;

	for (size_t i = 0; i < client->mapping_count;) {
		struct mapping old = client->mappings[i];
		struct mapping left = old, right = old;
		int error = 0;

		if (!overlaps(&old, start, size)) {
			i++;
			continue;
		}
		erase(client, i);
		left.size = start > old.start ? start - old.start : 0;
		right.start = end;
		right.offset = old.offset + (end - old.start);
		right.size = old.start + old.size > end
				     ? old.start + old.size - end
				     : 0;
		if (left.size)
			error = insert(client, &left);
		if (!error && right.size)
			error = insert(client, &right);
		if (error)
			return error;
		i = 0;
	}
	return 0;
}

static int
unmap(struct client *client, const struct sim_bo *bo, uint64_t start)
{
	for (size_t i = 0; i < client->mapping_count; i++) {
		if (client->mappings[i].start == start &&
		    client->mappings[i].bo == bo) {
			erase(client, i);
			return 0;
		}
	}
	return -ENOENT;
}

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

int
memory_gem_va(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_amdgpu_gem_va *va = arg;
	struct client *client = client_of(file);
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
	mapping = (struct mapping){ .start = va->va_address,
				    .size = va->map_size,
				    .bo = bo,
				    .offset = va->offset_in_bo,
				    .flags = va->flags };
	switch (va->operation) {
	case AMDGPU_VA_OP_MAP:
		if (!is_free(client, mapping.start, mapping.size))
			return -EINVAL;
		return insert(client, &mapping);
	case AMDGPU_VA_OP_UNMAP:
		return unmap(client, bo, va->va_address);
	case AMDGPU_VA_OP_CLEAR:
		return clear(client, mapping.start, mapping.size);
	case AMDGPU_VA_OP_REPLACE:
		error = clear(client, mapping.start, mapping.size);
		return error ? error : insert(client, &mapping);
	}
	return -EINVAL;
}

uint8_t *
memory_at(const struct client *client, uint64_t address, uint32_t access,
	  uint64_t *size, struct sim_bo **bo)
{
	for (size_t i = 0; i < client->mapping_count; i++) {
		const struct mapping *mapping = &client->mappings[i];
		uint64_t within = address - mapping->start;

		if (address < mapping->start || within >= mapping->size)
			continue;
		if (!mapping->bo || (mapping->flags & access) != access)
			return NULL;
		*size = mapping->size - within;
		*bo = mapping->bo;
		return mapping->bo->memory + mapping->offset + within;
	}
	return NULL;
}

/* The kernel takes the mappings of a buffer away with its last handle. */
void
memory_unmap_bo(struct client *client, const struct sim_bo *bo)
{
	for (size_t i = 0; i < client->mapping_count;) {
		if (client->mappings[i].bo == bo)
			erase(client, i);
		else
			i++;
	}
}

void
memory_bo_gone(struct amdgpu *amdgpu, const struct sim_bo *bo)
{
	account(amdgpu, bo, false);
}

void
memory_close(struct client *client)
{
	free(client->mappings);
	client->mappings = NULL;
	client->mapping_count = client->mapping_room = 0;
}
