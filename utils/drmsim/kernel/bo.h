/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffer objects, and the handles of a file for them. */
#ifndef DRMSIM_KERNEL_BO_H
#define DRMSIM_KERNEL_BO_H

#include <stdbool.h>
#include <stdint.h>

struct sim_call;
struct sim_file;
struct sim_gpu;

struct sim_bo {
	struct sim_gpu *gpu;
	uint64_t id;	/* unique on the machine */
	uint64_t size;	/* whole pages */
	uint8_t *memory; /* mapped in the server */
	int fd;		/* the memfd behind it */
	unsigned references;
	void *data;	/* the driver's, freed with free() */
	uint64_t file; /* that may map it without a handle, or 0 */
	/* driver's words, for placement and flags */
	uint64_t domains, flags;
};

int sim_bo_create(struct sim_gpu *gpu, uint64_t size, struct sim_bo **out);
struct sim_bo *sim_bo_get(struct sim_bo *bo);
void sim_bo_put(struct sim_bo *bo);
/* Return the offset for mmap(), the same for all files of the GPU; and back. */
uint64_t sim_bo_mmap_offset(const struct sim_bo *bo);
struct sim_bo *sim_bo_by_mmap_offset(struct sim_file *file, uint64_t offset);

/*
 * Create a handle, which takes a reference to the buffer. Returns 0 or -errno.
 */
int sim_handle_create(struct sim_file *file, struct sim_bo *bo, uint32_t *out);
/* Return the buffer of a handle, borrowed, or NULL. */
struct sim_bo *sim_handle_bo(struct sim_file *file, uint32_t handle);
bool sim_file_has_bo(struct sim_file *file, const struct sim_bo *bo);
void sim_handles_close(struct sim_file *file);

/* Handle the ioctls of the DRM core. */
int sim_gem_close(struct sim_call *call, struct sim_file *file, void *arg);
int sim_prime_to_fd(struct sim_call *call, struct sim_file *file, void *arg);
int sim_prime_to_handle(struct sim_call *call, struct sim_file *file,
			void *arg);

#endif /* DRMSIM_KERNEL_BO_H */
