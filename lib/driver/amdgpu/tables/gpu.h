/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open AMD GPU: what has been found out about it and runs need.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_GPU_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_GPU_H

#include <pthread.h>

#include "driver/amdgpu/tables/chip.h"
#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/pstate.h"
#include "driver/amdgpu/device/device.h"

struct gfx_run;
/*
 * The stable power state that this process holds while it counts, and in
 * between as long as anything of it may count again.
 */
struct gpu_clock {
	pthread_mutex_t lock;
	struct pstate *pstate; /* NULL: none is held */
	unsigned users;	       /* sessions and armed runs */
	unsigned counting;     /* runs that count by it */
};

/* The lock of profilers. */
struct gpu_lock {
	pthread_mutex_t lock;
	struct profiler_lock *held; /* NULL: it is not held */
	unsigned users;
};

struct gpu {
	struct amd_device *dev;
	struct table *chips;
	struct table *table; /* the generation's */
	struct chip chip;
	struct topology topology;
	struct core core;
	group_index first_group; /* of core.blocks, in their order */
	/* hidden blocks that a self-test has passed, and others; or NULL */
	const char *untested, *failed, *hanging;
	struct driver_kfd kfd; /* of struct driver_target, as the next */
	bool uses_kfd;
	char *kfd_helper; /* program to reach KFD by, or NULL */
	const char *sysfs; /* the PCI device's folder; lives as long */
	struct log_sink log;
	struct gpu_clock clock;
	struct gpu_lock lock;
	/* blocks of which the log says that their clock may have stood still */
	_Atomic uint64_t doubted;
	/* runs that are still to be ended, see domain.h */
	_Atomic(struct gfx_run *) deferred;
};

/*
 * Open a GPU and find its tables. -ENOTSUP if the tables have no such chip; the
 * errors of amd_device_open() and table_find().
 */
int gpu_create(const struct driver_target *target, struct gpu **out,
	     struct drmperf_error *error);
void gpu_destroy(struct gpu *gpu);
void gpu_abandon(struct gpu *gpu);

/*
 * Open a GPU again that left and came back: see amd_device_reopen(). No run of
 * it may count.
 */
int gpu_reopen(struct gpu *gpu);

/*
 * Find out its shape and its core; of several tables the first is gpu->table.
 * What is read lives in the arena and in the tables. The errors of core_read().
 */
int gpu_read_core(struct gpu *gpu, const struct driver_target *target,
		  const struct table *const *tables, size_t count,
		  struct arena *arena, struct drmperf_error *error);

/*
 * Return how many XCCs counters are summed over: all that there are if the
 * kernel's compute driver has them, the user of the library allows it, and
 * DRMPERF_DIES does not ask for one; or 1.
 */
unsigned
gpu_counted_xccs(const struct gpu *gpu);

/*
 * Begin and end to use the GPU's clock mode: what was held is given back with
 * the last user.
 */
void gpu_use_clock(struct gpu *gpu);
void gpu_leave_clock(struct gpu *gpu);

/*
 * Return whether counting is to hold a clock mode unless the user asks
 * otherwise.
 */
bool gpu_needs_clock(const struct gpu *gpu);

/*
 * Return whether the kernel shows that the limiter of peak operations (PTL) of
 * MI300 and MI350 is on, as newer kernels do. The state is only read: the
 * firmware was seen to fail until a reboot where tools switched it often.
 * [rocm-systems #1698, #2469, #8335]
 */
bool
gpu_limiter_is_on(const struct gpu *gpu);

/* What DRMPERF_UNTESTED calls traces of the waves of all programs. */
#define GPU_TRACES_ALL "TRACE.ALL"

/*
 * Implement queue_commands() of struct driver, for a compute queue that another
 * part of the process owns: whether counters see its work, and traces of all
 * programs where they are on.
 */
void
gpu_queue_commands(const void *device, bool counts, uint32_t *words,
		   size_t *count);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_GPU_H */
