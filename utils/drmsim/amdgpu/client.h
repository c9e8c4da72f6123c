/* SPDX-License-Identifier: BSD-3-Clause */
/* An open file: the kernel's fpriv. */
#ifndef DRMSIM_AMDGPU_CLIENT_H
#define DRMSIM_AMDGPU_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/vm.h"
#include "kernel/file.h"
#include "machine/gpu.h"

struct amdgpu;
struct bo_list;
struct context;

struct client {
	struct sim_file *file;
	struct amdgpu *amdgpu;
	struct vm vm;
	struct context *contexts; /* context.c */
	uint32_t next_context;
	struct bo_list *bo_lists; /* bo_list.c */
	uint32_t next_bo_list;
	/* vmid.c: the next job flushes; resets that there were at the last */
	bool flush_is_due;
	unsigned flushed_at_reset;
	uint64_t phase[32]; /* of GRBM_STATUS readings */
};

static inline struct amdgpu *
amdgpu_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

static inline struct client *
client_of(const struct sim_file *file)
{
	return file->data;
}

#endif /* DRMSIM_AMDGPU_CLIENT_H */
