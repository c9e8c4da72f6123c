/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of KFD, as far as it is simulated: numbers and layouts of Linux
 * 6.12, include/uapi/linux/kfd_ioctl.h, whose own header wants one that not
 * every system has where it looks.
 */
#ifndef DRMSIM_KFD_UAPI_H
#define DRMSIM_KFD_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

#define KFD_IOR(number, type) _IOR('K', number, type)
#define KFD_IOW(number, type) _IOW('K', number, type)
#define KFD_IOWR(number, type) _IOWR('K', number, type)

struct kfd_get_version {
	uint32_t major, minor;
};

struct kfd_set_memory_policy {
	uint64_t alternate_base, alternate_size;
	uint32_t gpu_id, default_policy, alternate_policy, pad;
};

#define KFD_POLICY_LAST 1

struct kfd_get_clock_counters {
	uint64_t gpu, cpu, system, system_frequency;
	uint32_t gpu_id, pad;
};

struct kfd_apertures {
	uint64_t lds_base, lds_limit, scratch_base, scratch_limit;
	uint64_t gpuvm_base, gpuvm_limit;
	uint32_t gpu_id, pad;
};

#define KFD_OLD_GPUS 7

struct kfd_get_apertures {
	struct kfd_apertures apertures[KFD_OLD_GPUS];
	uint32_t count, pad;
};

struct kfd_get_apertures_new {
	uint64_t address;
	uint32_t count, pad;
};

struct kfd_two_words {
	uint32_t first, second;
};

struct kfd_set_scratch_backing {
	uint64_t address;
	uint32_t gpu_id, pad;
};

struct kfd_get_tile_config {
	uint64_t tiles, macro_tiles;
	uint32_t tile_count, macro_tile_count;
	uint32_t gpu_id, gb_addr_config, banks, ranks;
};

struct kfd_set_trap_handler {
	uint64_t code, memory;
	uint32_t gpu_id, pad;
};

struct kfd_acquire_vm {
	uint32_t drm_fd, gpu_id;
};

struct kfd_set_xnack_mode {
	int32_t enabled;
};

/* size: bytes; offset: for mmap(), or in, of memory that is there already */
struct kfd_alloc_memory {
	uint64_t address, size, handle, offset;
	uint32_t gpu_id, flags;
};

#define KFD_MEMORY_VRAM (1u << 0)
#define KFD_MEMORY_GTT (1u << 1)
#define KFD_MEMORY_USERPTR (1u << 2)
#define KFD_MEMORY_DOORBELL (1u << 3)
#define KFD_MEMORY_MMIO (1u << 4)
#define KFD_MEMORY_AQL_QUEUE (1u << 27)
#define KFD_MEMORY_PUBLIC (1u << 29)
#define KFD_MEMORY_EXECUTABLE (1u << 30)
#define KFD_MEMORY_WRITABLE (1u << 31)

struct kfd_free_memory {
	uint64_t handle;
};

struct kfd_map_memory {
	uint64_t handle, devices;
	uint32_t count, done;
};

struct kfd_available_memory {
	uint64_t available;
	uint32_t gpu_id, pad;
};

/* Addresses of the ring and of both pointers; doorbell and id come back. */
struct kfd_create_queue {
	uint64_t ring, write_pointer, read_pointer, doorbell;
	uint32_t ring_size, gpu_id, type, percentage, priority, id;
	uint64_t eop, eop_size, save;
	uint32_t save_size, ctl_stack_size, engine, pad;
};

enum {
	KFD_QUEUE_COMPUTE,
	KFD_QUEUE_SDMA,
	KFD_QUEUE_AQL,
	KFD_QUEUE_SDMA_XGMI,
	KFD_QUEUE_SDMA_ENGINE, /* of the copy engine that is named */
};

#define KFD_PERCENT_MASK 0xffu
#define KFD_PERCENT_MAX 100
#define KFD_PRIORITY_MAX 15
#define KFD_RING_MIN 1024

struct kfd_queue_number {
	uint32_t id, pad;
};

struct kfd_update_queue {
	uint64_t ring;
	uint32_t id, ring_size, percentage, priority;
};

struct kfd_set_cu_mask {
	uint32_t id, bits;
	uint64_t mask;
};

/* page: the handle of memory in, an offset for mmap() out */
struct kfd_create_event {
	uint64_t page;
	uint32_t trigger, type, auto_reset, node, id, slot;
};

enum {
	KFD_EVENT_SIGNAL = 0,
	KFD_EVENT_HW_EXCEPTION = 3,
	KFD_EVENT_DEBUG = 5,
	KFD_EVENT_MEMORY = 8,
};

struct kfd_event_number {
	uint32_t id, pad;
};

struct kfd_wait_events {
	uint64_t events;
	uint32_t count, all, timeout_ms, result;
};

enum {
	KFD_WAIT_COMPLETE,
	KFD_WAIT_TIMEOUT,
	KFD_WAIT_FAIL
};

#define KFD_WAIT_FOR_EVER UINT32_MAX

/* Data reported for an event; for a signal, its age, in and out. */
struct kfd_event_data {
	union {
		uint64_t age;
		struct kfd_memory_exception {
			uint32_t not_present, read_only, no_execute, imprecise;
			uint64_t address;
			uint32_t gpu_id, type;
		} memory;
	};
	uint64_t extension;
	uint32_t id, pad;
};

/*
 * Argument of the profiler ioctl; AMD's modules have a larger one that begins
 * alike.
 */
struct kfd_profiler {
	uint32_t op;
	union {
		struct {
			uint32_t gpu_id, lock, allow_counting;
		} pmc;
		uint32_t version;
	};
};

enum {
	KFD_PROFILER_PMC = 0,
	KFD_PROFILER_VERSION = 2,
};

/* Offsets for mmap() of /dev/kfd: what, and of which GPU. */
#define KFD_MMAP_TYPE(offset) ((offset) >> 62)
#define KFD_MMAP_MMIO 0
#define KFD_MMAP_RESERVED 1
#define KFD_MMAP_EVENTS 2
#define KFD_MMAP_DOORBELL 3
#define KFD_MMAP_OFFSET(type, gpu_id)                                          \
	((uint64_t)(type) << 62 | (uint64_t)(gpu_id) << 46)
#define KFD_MMAP_GPU_ID(offset) ((uint32_t)((offset) >> 46 & 0xffff))

#define KFD_GET_VERSION KFD_IOR(0x01, struct kfd_get_version)
#define KFD_SET_MEMORY_POLICY KFD_IOW(0x04, struct kfd_set_memory_policy)
#define KFD_GET_CLOCK_COUNTERS KFD_IOWR(0x05, struct kfd_get_clock_counters)
#define KFD_GET_APERTURES KFD_IOR(0x06, struct kfd_get_apertures)
#define KFD_CREATE_QUEUE KFD_IOWR(0x02, struct kfd_create_queue)
#define KFD_DESTROY_QUEUE KFD_IOWR(0x03, struct kfd_queue_number)
#define KFD_UPDATE_QUEUE KFD_IOW(0x07, struct kfd_update_queue)
#define KFD_CREATE_EVENT KFD_IOWR(0x08, struct kfd_create_event)
#define KFD_DESTROY_EVENT KFD_IOW(0x09, struct kfd_event_number)
#define KFD_SET_EVENT KFD_IOW(0x0a, struct kfd_event_number)
#define KFD_RESET_EVENT KFD_IOW(0x0b, struct kfd_event_number)
#define KFD_WAIT_EVENTS KFD_IOWR(0x0c, struct kfd_wait_events)
#define KFD_DBG_REGISTER KFD_IOW(0x0d, struct kfd_two_words)
#define KFD_DBG_UNREGISTER KFD_IOW(0x0e, struct kfd_two_words)
#define KFD_DBG_ADDRESS_WATCH KFD_IOW(0x0f, struct kfd_two_words)
#define KFD_DBG_WAVE_CONTROL KFD_IOW(0x10, struct kfd_two_words)
#define KFD_SET_SCRATCH_BACKING KFD_IOWR(0x11, struct kfd_set_scratch_backing)
#define KFD_GET_TILE_CONFIG KFD_IOWR(0x12, struct kfd_get_tile_config)
#define KFD_SET_TRAP_HANDLER KFD_IOW(0x13, struct kfd_set_trap_handler)
#define KFD_GET_APERTURES_NEW KFD_IOWR(0x14, struct kfd_get_apertures_new)
#define KFD_ACQUIRE_VM KFD_IOW(0x15, struct kfd_acquire_vm)
#define KFD_ALLOC_MEMORY KFD_IOWR(0x16, struct kfd_alloc_memory)
#define KFD_FREE_MEMORY KFD_IOW(0x17, struct kfd_free_memory)
#define KFD_MAP_MEMORY KFD_IOWR(0x18, struct kfd_map_memory)
#define KFD_UNMAP_MEMORY KFD_IOWR(0x19, struct kfd_map_memory)
#define KFD_SET_CU_MASK KFD_IOW(0x1a, struct kfd_set_cu_mask)
#define KFD_AVAILABLE_MEMORY KFD_IOWR(0x23, struct kfd_available_memory)
#define KFD_SET_XNACK_MODE KFD_IOWR(0x21, struct kfd_set_xnack_mode)
#define KFD_PROFILER KFD_IOWR(0x28, struct kfd_profiler)
#define KFD_PROFILER_DKMS KFD_IOWR(0x86, uint64_t[5])

#endif /* DRMSIM_KFD_UAPI_H */
