/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/hold.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/amdgpu/count/clock.h"
#include "driver/amdgpu/count/die.h"
#include "driver/amdgpu/count/slot_table.h"
#include "driver/amdgpu/gpu/gpu.h"
#include "driver/amdgpu/submit/channel.h"
#include "driver/amdgpu/submit/profiler_lock.h"

#define KHZ 1000
#define MHZ 1000000

/* Nothing is held if the mode is the usual one, or has been set already. */
struct hold {
	struct pstate *pstate;
};

static int
hold_state(struct gpu *gpu, enum drmperf_clock_mode mode, struct pstate **out,
	   struct drmperf_error *error)
{
	struct channel *channel;
	int ret = channel_create(gpu->queue, &channel, error);

	if (ret)
		return ret;
	ret = pstate_hold(channel, clock_state(mode), false, out);
	channel_destroy(channel);
	if (ret)
		return clock_say_refused(mode, ret, &gpu->core, error);
	if (!*out)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s: the clock mode %s is set already, by another "
			  "program or in sysfs, and ends when that ends it",
			  queue_node(gpu->queue),
			  drmperf_clock_mode_name(mode));
	return 0;
}

int
hold_clocks(void *device, enum drmperf_clock_mode mode, void **out,
	    struct drmperf_error *error)
{
	struct gpu *gpu = device;
	struct hold *hold = calloc(1, sizeof(*hold));
	struct clock clock;
	int ret;

	if (!hold)
		return error_set(error, -ENOMEM, "no memory");
	ret = clock_choose(&clock, mode, false, error);
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
hold_give_back(void *data, bool is_child)
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
		[CHANNEL_CLOCK_NORMAL] = DRMPERF_CLOCK_DEFAULT,
		[CHANNEL_CLOCK_STANDARD] = DRMPERF_CLOCK_PROFILING,
		[CHANNEL_CLOCK_MIN_ENGINE] = DRMPERF_CLOCK_MIN_ENGINE,
		[CHANNEL_CLOCK_MIN_MEMORY] = DRMPERF_CLOCK_MIN_MEMORY,
		[CHANNEL_CLOCK_PEAK] = DRMPERF_CLOCK_PEAK,
	};
	struct gpu *gpu = device;
	const struct queue_info *info = queue_info(gpu->queue);
	struct channel *channel;
	enum channel_clock clock;
	struct clock counting;
	int ret;

	ret = clock_choose(&counting, DRMPERF_CLOCK_AUTO, gpu_needs_clock(gpu),
			   error);
	if (!ret)
		ret = channel_create(gpu->queue, &channel, error);
	if (ret)
		return ret;
	out->counting = counting.mode;
	/* Kernels before 5.17 do not say. */
	out->mode = channel_get_clock(channel, &clock) ? DRMPERF_CLOCK_AUTO
						       : modes[clock];
	channel_destroy(channel);
	out->engine_hz = (uint64_t)queue_engine_mhz(gpu->queue) * MHZ;
	out->memory_hz = (uint64_t)queue_memory_mhz(gpu->queue) * MHZ;
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

	if (slot_table_open(queue_node(gpu->queue), &gpu->core, &table, NULL))
		return false;
	if (!slot_table_lock(table, NULL)) {
		result = slot_table_others(table, false);
		slot_table_unlock(table);
	}
	slot_table_close(table);
	return result;
}

/*
 * The process that holds the lock is taken for one of those, which share the
 * counters; a profiler that does not share would have refused them.
 */
int
hold_queues(void *device, void **out, struct drmperf_error *error)
{
	const struct gpu *gpu = device;
	struct profiler_lock *lock;
	bool all;
	int ret;

	/* KFD has one address space of a process, that of its first file */
	die_choose(gpu, &all, NULL);
	ret = profiler_lock_take(gpu->kfd.id, queue_node(gpu->queue), &lock,
				 error);
	if (ret == -EBUSY && others_count(gpu))
		return error_set(error, -EALREADY,
				 "another process that shares the counters "
				 "holds the lock of profilers");
	if (!ret)
		*out = lock;
	return ret;
}

void
hold_release_queues(void *hold, bool is_child)
{
	profiler_lock_release(hold, is_child);
}
