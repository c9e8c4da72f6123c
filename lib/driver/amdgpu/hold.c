/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/hold.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/amdgpu/shared/clock_mode.h"
#include "driver/amdgpu/perfcounter/xcc.h"
#include "driver/amdgpu/shared/slot_table.h"
#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/device/context.h"
#include "driver/amdgpu/device/profiler_lock.h"

#define KHZ 1000
#define MHZ 1000000

/* A clock mode that is held; nothing is if it is the default or set already. */
struct hold {
	struct pstate *pstate;
};

static int
hold_state(struct gpu *gpu, enum drmperf_clock_mode mode, struct pstate **out,
	   struct drmperf_error *error)
{
	struct amd_context *ctx;
	int ret = amd_context_create(gpu->dev, &ctx, error);

	if (ret)
		return ret;
	ret = pstate_hold(ctx, clock_mode_pstate(mode), false, out);
	amd_context_destroy(ctx);
	if (ret)
		return clock_mode_explain_refused(mode, ret, &gpu->core, error);
	if (!*out)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s: the clock mode %s is set already, by another "
			  "program or in sysfs, and ends when that ends it",
			  amd_device_node(gpu->dev),
			  drmperf_clock_mode_name(mode));
	return 0;
}

int
hold_clocks(void *device, enum drmperf_clock_mode mode, void **out,
	    struct drmperf_error *error)
{
	struct gpu *gpu = device;
	struct hold *hold = calloc(1, sizeof(*hold));
	struct clock_mode clock;
	int ret;

	if (!hold)
		return error_set(error, -ENOMEM, "no memory");
	ret = clock_mode_choose(&clock, mode, false, error);
	if (!ret && clock.mode != DRMPERF_CLOCK_DEFAULT)
		ret = hold_state(gpu, clock.mode, &hold->pstate, error);
	if (ret) {
		free(hold);
		return ret;
	}
	*out = hold;
	return 0;
}

void
hold_release_clocks(void *data, bool is_child)
{
	struct hold *hold = data;

	if (is_child)
		pstate_abandon(hold->pstate);
	else
		pstate_release(hold->pstate);
	free(hold);
}

int
hold_query(void *device, struct drmperf_clocks *out,
	   struct drmperf_error *error)
{
	static const enum drmperf_clock_mode modes[] = {
		[STABLE_PSTATE_NONE] = DRMPERF_CLOCK_DEFAULT,
		[STABLE_PSTATE_STANDARD] = DRMPERF_CLOCK_PROFILING,
		[STABLE_PSTATE_MIN_SCLK] = DRMPERF_CLOCK_MIN_ENGINE,
		[STABLE_PSTATE_MIN_MCLK] = DRMPERF_CLOCK_MIN_MEMORY,
		[STABLE_PSTATE_PEAK] = DRMPERF_CLOCK_PEAK,
	};
	struct gpu *gpu = device;
	const struct amd_device_info *info = amd_device_info(gpu->dev);
	struct amd_context *ctx;
	enum stable_pstate clock;
	struct clock_mode counting;
	int ret;

	ret = clock_mode_choose(&counting, DRMPERF_CLOCK_AUTO,
				gpu_needs_clock(gpu), error);
	if (!ret)
		ret = amd_context_create(gpu->dev, &ctx, error);
	if (ret)
		return ret;
	out->counting = counting.mode;
	/* Kernels before 5.17 do not say. */
	out->mode = amd_context_get_pstate(ctx, &clock) ? DRMPERF_CLOCK_AUTO
							: modes[clock];
	amd_context_destroy(ctx);
	out->engine_hz = (uint64_t)amd_device_engine_mhz(gpu->dev) * MHZ;
	out->memory_hz = (uint64_t)amd_device_memory_mhz(gpu->dev) * MHZ;
	out->engine_max_hz = info->engine_khz * KHZ;
	out->memory_max_hz = info->memory_khz * KHZ;
	return 0;
}

/* Return whether other processes count on the GPU by way of this library. */
static bool
others_count(const struct gpu *gpu)
{
	struct slot_table *table;
	bool result = false;

	if (slot_table_open(amd_device_node(gpu->dev), &gpu->core, &table,
			    NULL))
		return false;
	if (!slot_table_lock(table, NULL)) {
		result = slot_table_others(table, false);
		slot_table_unlock(table);
	}
	slot_table_close(table);
	return result;
}

/*
 * Take the profiler lock. If it is held while other processes count by this
 * library, one of these is assumed to hold it: another profiler that held it
 * would have kept them from counting.
 */
static int
take_lock(const struct gpu *gpu, struct profiler_lock **out,
	  struct drmperf_error *error)
{
	const struct kfd_target target = { .gpu_id = gpu->kfd.id,
					   .node = amd_device_node(gpu->dev),
					   .helper = gpu->kfd_helper };
	bool all;
	int ret;

	if (!gpu->uses_kfd && gpu->kfd.id && !gpu->kfd_helper)
		return error_set(error, -ENOTSUP,
				 "the program drmperf-kfd, which holds the "
				 "lock of profilers, is not installed");
	/* KFD uses one address space per process, that of its first file */
	if (gpu->uses_kfd)
		xcc_choose(gpu, &all, NULL);
	ret = profiler_lock_take(&target, out, error);
	if (ret == -EBUSY && others_count(gpu))
		return error_set(error, -EALREADY,
				 "another process that shares the counters "
				 "holds the lock of profilers");
	return ret;
}

int
hold_queues(void *device, void **out, struct drmperf_error *error)
{
	struct gpu *gpu = device;
	int ret = 0;

	pthread_mutex_lock(&gpu->lock.lock);
	if (!gpu->lock.users)
		ret = take_lock(gpu, &gpu->lock.held, error);
	if (!ret) {
		gpu->lock.users++;
		*out = gpu;
	}
	pthread_mutex_unlock(&gpu->lock.lock);
	return ret;
}

void
hold_release_queues(void *hold, bool is_child)
{
	struct gpu *gpu = hold;

	/* a thread of the parent may have had it */
	if (is_child)
		pthread_mutex_init(&gpu->lock.lock, NULL);
	pthread_mutex_lock(&gpu->lock.lock);
	if (!--gpu->lock.users) {
		profiler_lock_release(gpu->lock.held, is_child);
		gpu->lock.held = NULL;
	}
	pthread_mutex_unlock(&gpu->lock.lock);
}
