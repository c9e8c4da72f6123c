/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is used of KFD's interface. Facts: Linux 6.12, kfd_ioctl.h; amd-gfx,
 * "Add kfd_ioctl_profiler", 2026-02, and the fix of its number, 2026-04.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_UAPI_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

struct kfd_version {
	uint32_t major, minor;
};

struct kfd_create_queue {
	uint64_t ring, write_index, read_index, doorbell;
	uint32_t ring_size, gpu_id, type, percentage, priority, id;
	uint64_t eop, eop_size, save;
	uint32_t save_size, control_size;
};

struct kfd_destroy_queue {
	uint32_t id, pad;
};

struct kfd_alloc_memory {
	uint64_t address, size, handle, offset;
	uint32_t gpu_id, flags;
};

struct kfd_free_memory {
	uint64_t handle;
};

struct kfd_map_memory {
	uint64_t handle, gpu_ids;
	uint32_t count, done;
};

struct kfd_vm {
	uint32_t drm_fd, gpu_id;
};

/* AMD's own module has the longer one. */
#define KFD_PROFILER_WORDS 4
#define KFD_PROFILER_WORDS_DKMS 10

enum {
	KFD_PROFILER_PMC = 0,
	KFD_PROFILER_VERSION = 2,
};

#define KFD_GET_VERSION _IOR('K', 0x01, struct kfd_version)
#define KFD_CREATE_QUEUE _IOWR('K', 0x02, struct kfd_create_queue)
#define KFD_DESTROY_QUEUE _IOWR('K', 0x03, struct kfd_destroy_queue)
#define KFD_ACQUIRE_VM _IOW('K', 0x15, struct kfd_vm)
#define KFD_ALLOC_MEMORY _IOWR('K', 0x16, struct kfd_alloc_memory)
#define KFD_FREE_MEMORY _IOW('K', 0x17, struct kfd_free_memory)
#define KFD_MAP_MEMORY _IOWR('K', 0x18, struct kfd_map_memory)
#define KFD_UNMAP_MEMORY _IOWR('K', 0x19, struct kfd_map_memory)
#define KFD_PROFILER _IOWR('K', 0x28, uint32_t[KFD_PROFILER_WORDS])
#define KFD_PROFILER_DKMS _IOWR('K', 0x86, uint32_t[KFD_PROFILER_WORDS_DKMS])

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_UAPI_H */
