/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes to memory that are on their way: those of a ring that no confirmed
 * write has followed yet, and those of jobs that have ended.
 */
#ifndef DRMSIM_AMDGPU_GFX_POSTED_H
#define DRMSIM_AMDGPU_GFX_POSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct amdgpu;
struct ring;
struct sim_bo;

/* How long a posted write that nothing confirmed takes from its job's end on */
#define POSTED_NS 1000000ull

struct posted {
	struct posted *next;
	uint64_t due; /* 0: not before a confirmed write, or the job's end */
	struct sim_bo *bo;
	uint8_t *to;
	size_t size;
	uint8_t data[];
};

/*
 * Have the running job write dwords, without confirmation, to an address that
 * ring_dwords() has returned. Returns false if there is no memory for it.
 */
bool
ring_post_write(struct ring *ring, uint64_t address, uint8_t *to,
		const void *data, size_t size);
/* Write what the ring has posted: a confirmed write follows it. */
void
ring_write_posted(struct ring *ring);
/* Release what the ring has posted when its job has ended: it comes later. */
void
ring_release_posted(struct ring *ring);
/* Drop what the ring has posted. */
void
ring_drop_posted(struct ring *ring);

/* Write to a buffer at that time. */
void
posted_write_at(struct amdgpu *amdgpu, uint64_t due, struct sim_bo *bo,
		uint64_t offset, const void *data, size_t size);
/* Do the writes of ended jobs that are due. */
void
posted_write_due(struct amdgpu *amdgpu);
/* Return when the first of them is due, or SIM_NEVER. */
uint64_t
posted_next(const struct amdgpu *amdgpu);
/* Drop them all, and what rings have posted. */
void
posted_drop(struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_GFX_POSTED_H */
