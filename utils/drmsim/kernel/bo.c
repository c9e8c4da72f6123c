/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/bo.h"

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/slots.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"

/* Room for the address of every byte of the largest buffer. */
#define MAP_SHIFT 36
#define PAGE 4096u

struct bo_entry {
	struct sim_bo bo;
	struct bo_entry *next;
	struct sim *sim;
	uint64_t device, inode;
};

/* ---- buffers */

static int
make_memory(struct bo_entry *entry)
{
	struct sim_bo *bo = &entry->bo;
	struct stat status;
	void *memory;

	bo->fd = memfd_create("drmsim buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (bo->fd < 0)
		return -errno;
	if (ftruncate(bo->fd, (off_t)bo->size) || fstat(bo->fd, &status))
		return -errno;
	/*
	 * receivers of the descriptor cannot take the memory away from under us
	 */
	if (fcntl(bo->fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return -errno;
	memory = mmap(NULL, bo->size, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_NORESERVE, bo->fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	bo->memory = memory;
	entry->device = status.st_dev;
	entry->inode = status.st_ino;
	return 0;
}

static void
bo_free(struct bo_entry *entry)
{
	struct sim_bo *bo = &entry->bo;

	if (bo->memory)
		munmap(bo->memory, bo->size);
	if (bo->fd >= 0)
		close(bo->fd);
	free(bo->data);
	free(entry);
}

int
sim_bo_create(struct sim_gpu *gpu, uint64_t size, struct sim_bo **out)
{
	struct sim *sim = gpu->sim;
	struct bo_entry *entry;
	int error;

	if (size == 0)
		return -EINVAL;
	if (size > (1ull << MAP_SHIFT))
		return -ENOMEM;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->sim = sim;
	entry->bo.gpu = gpu;
	entry->bo.id = sim->next_id++;
	entry->bo.size = (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	entry->bo.references = 1;
	error = make_memory(entry);
	if (error) {
		bo_free(entry);
		return error;
	}
	entry->next = sim->buffers;
	sim->buffers = entry;
	*out = &entry->bo;
	return 0;
}

struct sim_bo *
sim_bo_get(struct sim_bo *bo)
{
	bo->references++;
	return bo;
}

void
sim_bo_put(struct sim_bo *bo)
{
	struct bo_entry *entry = (struct bo_entry *)bo;
	struct bo_entry **p;

	if (!bo || --bo->references > 0)
		return;
	p = &entry->sim->buffers;
	while (*p != entry)
		p = &(*p)->next;
	*p = entry->next;
	bo_free(entry);
}

uint64_t
sim_bo_mmap_offset(const struct sim_bo *bo)
{
	return bo->id << MAP_SHIFT;
}

struct sim_bo *
sim_bo_by_mmap_offset(struct sim_file *file, uint64_t offset)
{
	uint64_t id = offset >> MAP_SHIFT;

	for (struct bo_entry *e = file->gpu->sim->buffers; e; e = e->next)
		if (e->bo.id == id)
			return &e->bo;
	return NULL;
}

/* ---- handles */

int
sim_handle_create(struct sim_file *file, struct sim_bo *bo, uint32_t *out)
{
	int error = sim_slots_add(&file->bos, bo, out);

	if (!error)
		sim_bo_get(bo);
	return error;
}

struct sim_bo *
sim_handle_bo(struct sim_file *file, uint32_t handle)
{
	return sim_slots_get(&file->bos, handle);
}

/* Return the handle that names the buffer in this file, or 0. */
static uint32_t
handle_of(const struct sim_file *file, const struct sim_bo *bo)
{
	const struct sim_slots *bos = &file->bos;

	for (uint32_t i = 0; i < bos->room; i++)
		if (bos->at[i] == bo)
			return i + 1;
	return 0;
}

bool
sim_file_has_bo(struct sim_file *file, const struct sim_bo *bo)
{
	return handle_of(file, bo) != 0;
}

static void
close_handle(struct sim_file *file, uint32_t handle)
{
	struct sim_bo *bo = sim_slots_remove(&file->bos, handle);

	if (!bo)
		return;
	if (!sim_file_has_bo(file, bo) && file->gpu->driver->bo_closed)
		file->gpu->driver->bo_closed(file, bo);
	sim_bo_put(bo);
}

int
sim_gem_close(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_gem_close *close = arg;

	(void)call;
	if (!sim_handle_bo(file, close->handle))
		return -EINVAL;
	close_handle(file, close->handle);
	return 0;
}

void
sim_handles_close(struct sim_file *file)
{
	for (uint32_t handle = 1; handle <= file->bos.room; handle++)
		close_handle(file, handle);
	sim_slots_free(&file->bos);
}

/* ---- sharing */

/* Return the buffer behind a descriptor of the caller, or NULL. */
static struct sim_bo *
bo_of_fd(const struct sim_call *call, int fd)
{
	struct stat status;

	if (sim_call_stat(call, fd, &status))
		return NULL;
	for (struct bo_entry *e = call->sim->buffers; e; e = e->next)
		if (e->inode == status.st_ino && e->device == status.st_dev)
			return &e->bo;
	return NULL;
}

int
sim_prime_to_fd(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_prime_handle *prime = arg;
	struct sim_bo *bo;

	if (prime->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
		return -EINVAL;
	bo = sim_handle_bo(file, prime->handle);
	if (!bo)
		return -ENOENT;
	return sim_call_give_fd(
		call, bo->fd, prime->flags & DRM_CLOEXEC,
		sim_call_arg_address(call, offsetof(struct drm_prime_handle,
						    fd)));
}

int
sim_prime_to_handle(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_prime_handle *prime = arg;
	struct sim_bo *bo = bo_of_fd(call, prime->fd);

	if (!bo)
		return -EBADF;
	/* what a driver keeps in its buffers is its own */
	if (bo->gpu->driver != file->gpu->driver)
		return -EINVAL;
	/* the same buffer keeps its handle */
	prime->handle = handle_of(file, bo);
	if (prime->handle)
		return 0;
	return sim_handle_create(file, bo, &prime->handle);
}
