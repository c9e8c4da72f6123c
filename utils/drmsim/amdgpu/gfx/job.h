/* SPDX-License-Identifier: BSD-3-Clause */
/* A submission, from its being queued to its end: see amdgpu/scheduler.h. */
#ifndef DRMSIM_AMDGPU_GFX_JOB_H
#define DRMSIM_AMDGPU_GFX_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct client;
struct context;
struct ring;
struct sim_bo;
struct sim_fence;
struct vm;

#define IBS_MAX 16

struct ib {
	uint64_t address;
	uint32_t dwords;
};

struct job {
	struct job *next;
	uint64_t number; /* of all jobs of the GPU, from 1 */
	uint64_t file;	 /* its id */
	pid_t pid;
	const struct vm *vm;
	struct ib ibs[IBS_MAX];
	unsigned ib_count, ib_done;
	struct sim_bo **bos;
	uint32_t bo_count;
	uint64_t work_ns; /* of what it has launched */
	bool shall_hang;
	uint64_t begun; /* when it was the first in its ring, plus 1; 0: not */
	struct ring *ring;
	/* the kernel's */
	struct client *client;
	struct context *context;
	struct sim_fence **waits;
	uint32_t wait_count;
	struct sim_fence *fence;
	struct sim_bo *user_fence;
	uint32_t user_fence_offset;
	uint64_t sequence;
};

#endif /* DRMSIM_AMDGPU_GFX_JOB_H */
