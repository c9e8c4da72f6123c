/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffer objects of amdgpu, and their ioctls. */
#ifndef DRMSIM_AMDGPU_GEM_H
#define DRMSIM_AMDGPU_GEM_H

#include <stdint.h>

struct amdgpu;
struct sim_bo;
struct sim_call;
struct sim_file;
struct sim_gpu;
struct sim_mapping;

/*
 * Create a buffer that counts as memory of the GPU or the host. Returns 0 or
 * -errno.
 */
int
gem_bo_create(struct sim_gpu *gpu, uint64_t size, uint64_t domains,
	      uint64_t flags, struct sim_bo **out);
/*
 * Subtract a buffer from the memory in use, when the last handle of all files
 * is closed.
 */
void gem_bo_gone(struct amdgpu *amdgpu, const struct sim_bo *bo);

int gem_create(struct sim_call *call, struct sim_file *file, void *arg);
int gem_mmap(struct sim_call *call, struct sim_file *file, void *arg);
int gem_metadata(struct sim_call *call, struct sim_file *file, void *arg);
int gem_wait_idle(struct sim_call *call, struct sim_file *file, void *arg);
int gem_va(struct sim_call *call, struct sim_file *file, void *arg);
int gem_op(struct sim_call *call, struct sim_file *file, void *arg);
int gem_userptr(struct sim_call *call, struct sim_file *file, void *arg);
int gem_map(struct sim_file *file, uint64_t offset, uint64_t length,
	    struct sim_mapping *out);

#endif /* DRMSIM_AMDGPU_GEM_H */
