/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses the simulated /dev/kfd without a runtime. Codes and
 * layouts stand here once more, as a compiler printed them for the kernel's
 * header: an argument is made of words, by their offset.
 */
#ifndef DRMPERF_TESTS_DRMSIM_KFD_CLIENT_H
#define DRMPERF_TESTS_DRMSIM_KFD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kfd_code {
	GET_VERSION = 0x80084b01,
	SET_MEMORY_POLICY = 0x40204b04,
	GET_CLOCK_COUNTERS = 0xc0284b05,
	CREATE_QUEUE = 0xc0584b02,
	CREATE_QUEUE_ON_ENGINE = 0xc0604b02, /* from KFD 1.17 on */
	DESTROY_QUEUE = 0xc0084b03,
	UPDATE_QUEUE = 0x40184b07,
	CREATE_EVENT = 0xc0204b08,
	DESTROY_EVENT = 0x40084b09,
	SET_EVENT = 0x40084b0a,
	RESET_EVENT = 0x40084b0b,
	WAIT_EVENTS = 0xc0184b0c,
	SET_SCRATCH_BACKING = 0xc0104b11,
	GET_TILE_CONFIG = 0xc0284b12,
	SET_TRAP_HANDLER = 0x40184b13,
	GET_APERTURES_NEW = 0xc0104b14,
	ACQUIRE_VM = 0x40084b15,
	ALLOC_MEMORY = 0xc0284b16,
	FREE_MEMORY = 0x40084b17,
	MAP_MEMORY = 0xc0184b18,
	UNMAP_MEMORY = 0xc0184b19,
	AVAILABLE_MEMORY = 0xc0104b23,
	SET_XNACK_MODE = 0xc0044b21,
	PROFILER = 0xc0104b28,
	PROFILER_DKMS = 0xc0284b86,
};

/* An argument: 32-bit words, of which pairs are 64-bit ones. */
struct kfd_words {
	_Alignas(8) uint32_t at[24];
};

uint64_t
kfd_get64(const struct kfd_words *words, size_t offset);
void
kfd_put64(struct kfd_words *words, size_t offset, uint64_t value);

/* Ask KFD. Returns 0 or -errno. */
int
kfd_ask(int fd, unsigned code, void *argument);
/* Open /dev/kfd; fails the test. */
int
kfd_open(void);
/* Open a render node; fails the test. */
int
kfd_open_render(unsigned minor);
/*
 * Return the gpu_id of a node of the topology, 1 and up for GPUs; fails the
 * test.
 */
uint32_t
kfd_gpu_id(unsigned node);
/* Return whether a node's file has a line: "simd_count 256". */
bool
kfd_node_has(unsigned node, const char *file, const char *line);
/* Return the number of that name in a node's properties; fails the test. */
uint64_t
kfd_node_value(unsigned node, const char *name);

#define KFD_VRAM 0xd0000001u
#define KFD_GTT 0xd6000002u
#define KFD_USERPTR 0xd6000004u
#define KFD_DOORBELL 0x94000008u
#define KFD_MMIO 0x94000010u
#define KFD_DOORBELLS 8192

/* Memory, not mapped yet. */
struct kfd_area {
	uint64_t address, size, handle, offset;
	uint32_t gpu_id, flags;
};

/* Allocate an area. Returns 0 or -errno. */
int
kfd_alloc(int kfd, struct kfd_area *area);
int
kfd_free(int kfd, uint64_t handle);
int
kfd_map(int kfd, uint64_t handle, const uint32_t *ids, uint32_t count);
int
kfd_unmap(int kfd, uint64_t handle, const uint32_t *ids, uint32_t count);

struct kfd_event_args {
	uint64_t page;
	uint32_t trigger, type, auto_reset, node, id, slot;
};

int
kfd_create_event(int kfd, struct kfd_event_args *event);
/* Make an event that resets itself, or not. Returns its id; fails the test. */
uint32_t
kfd_make_event(int kfd, bool auto_reset);
/* Do SET_EVENT and the like. */
int
kfd_of_event(int kfd, unsigned code, uint32_t id);

#define KFD_FOR_EVER UINT32_MAX

/* An event waited for: what the call returns of it, and of a signal its age. */
struct kfd_told {
	_Alignas(8) uint32_t words[10];
	uint32_t id, pad;
};

/*
 * Wait for events. Returns 0: all, or any, of the events came; 1: they did not
 * in time; or -errno, with *result what the call left there, if it is not NULL.
 */
int
kfd_wait(int kfd, struct kfd_told *events, uint32_t count, bool all,
	 uint32_t timeout_ms, uint32_t *result);

/* Give the GPU's address space to KFD. 0 or -errno. */
int
kfd_acquire(int kfd, int render, uint32_t gpu_id);

#endif /* DRMPERF_TESTS_DRMSIM_KFD_CLIENT_H */
