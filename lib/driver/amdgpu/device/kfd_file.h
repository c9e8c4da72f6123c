/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device file of AMD's compute driver (KFD). A process that opens it is
 * registered there until it ends, after which HSA and HIP cannot start in it.
 * So programs leave the file to another process, see kfd_helper.h.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_FILE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct kfd_helper;

/* How to reach KFD, and which GPU it is about. */
struct kfd_target {
	uint32_t gpu_id; /* KFD's number */
	const char *node; /* the render node */
	const char *helper; /* program to reach it by, or NULL: by itself */
};

struct kfd_file {
	uint32_t gpu_id;
	int fd; /* -1: that of another process is used, or none */
	/* of the render node, by which memory is mapped; -1: not open */
	int render;
	char *doorbells; /* NULL: not mapped, or by the other process */
	struct kfd_helper *helper;
};

/*
 * Open the device file, here or in a process of its own. Returns 0; -ENOTSUP if
 * there is none; -EACCES; what the system returns.
 */
int
kfd_file_open(struct kfd_file *file, const struct kfd_target *target,
	      struct drmperf_error *error);

/*
 * Close the file. In a forked child only what it has inherited is given back.
 */
void
kfd_file_close(struct kfd_file *file, bool is_child);

/*
 * Make an ioctl of KFD. Returns 0, or -errno; -EPIPE if the helper has ended.
 */
int
kfd_file_call(const struct kfd_file *file, unsigned long request,
	      void *argument);

/*
 * Set the address space of the GPU that KFD uses: that of a file of our own, so
 * that libdrm's commands are not affected. Returns 0; -EBUSY if KFD has one of
 * the process already; -errno.
 */
int
kfd_file_acquire_vm(struct kfd_file *file, const char *node);

/* Map the doorbells at the offset that KFD told of one. 0, or -errno. */
int
kfd_file_map_doorbells(struct kfd_file *file, uint64_t offset);

/*
 * Write the index to the doorbell of that offset. Takes no lock. Returns 0, or
 * -EPIPE if the other process has ended.
 */
int
kfd_file_ring(const struct kfd_file *file, uint64_t offset, uint64_t index);

/*
 * Return whether the other process, if there is one, is there for another five
 * seconds.
 */
bool
kfd_file_keep_alive(const struct kfd_file *file);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_FILE_H */
