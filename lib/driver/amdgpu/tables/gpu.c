/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/amdgpu/device/context.h"
#include "driver/amdgpu/device/kfd_helper.h"
#include "driver/amdgpu/device/pm4.h"

static int
explain_no_table(const struct gpu *gpu, struct drmperf_error *error)
{
	const struct chip *chip = &gpu->chip;

	error_set(error, -ENOTSUP, "no event table for %s (%s)",
		  chip->generation, chip->name);
	error_remedy(error,
		     "put amdgpu/%s.xml into a folder named by DRMPERF_EVENTS, "
		     "or use a newer drmperf",
		     chip->generation);
	return -ENOTSUP;
}

static int
find_tables(struct gpu *gpu, const struct driver_target *target,
	    struct drmperf_error *error)
{
	int ret;

	ret = table_find(&target->tables, "amdgpu", "chips", &gpu->chips,
			 error);
	if (!ret)
		ret = chip_find(gpu->chips,
				&amd_device_info(gpu->dev)->identity,
				&gpu->chip, error);
	if (ret)
		return ret;
	ret = table_find(&target->tables, "amdgpu", gpu->chip.generation,
			 &gpu->table, error);
	return ret == -ENOENT ? explain_no_table(gpu, error) : ret;
}

int
gpu_create(const struct driver_target *target, struct gpu **out,
	 struct drmperf_error *error)
{
	struct gpu *gpu = calloc(1, sizeof(*gpu));
	int ret;

	if (!gpu)
		return error_set(error, -ENOMEM, "no memory");
	gpu->log = target->log;
	gpu->kfd = target->kfd;
	gpu->uses_kfd = target->uses_kfd;
	if (gpu->kfd.id && !gpu->uses_kfd)
		gpu->kfd_helper = kfd_helper_find();
	gpu->sysfs = target->sysfs ? target->sysfs : "";
	pthread_mutex_init(&gpu->clock.lock, NULL);
	pthread_mutex_init(&gpu->lock.lock, NULL);
	ret = amd_device_open(target, &gpu->dev, error);
	if (ret) {
		pthread_mutex_destroy(&gpu->lock.lock);
		pthread_mutex_destroy(&gpu->clock.lock);
		free(gpu->kfd_helper);
		free(gpu);
		return ret;
	}
	ret = find_tables(gpu, target, error);
	if (ret)
		gpu_destroy(gpu);
	else
		*out = gpu;
	return ret;
}

void
gpu_destroy(struct gpu *gpu)
{
	amd_context_end_idle(gpu->dev);
	pstate_release(gpu->clock.pstate);
	amd_device_close(gpu->dev);
	table_destroy(gpu->table);
	table_destroy(gpu->chips);
	pthread_mutex_destroy(&gpu->lock.lock);
	pthread_mutex_destroy(&gpu->clock.lock);
	free(gpu->kfd_helper);
	free(gpu);
}

int
gpu_reopen(struct gpu *gpu)
{
	amd_context_end_idle(gpu->dev);
	pthread_mutex_lock(&gpu->clock.lock);
	pstate_release(gpu->clock.pstate);
	gpu->clock.pstate = NULL;
	pthread_mutex_unlock(&gpu->clock.lock);
	return amd_device_reopen(gpu->dev);
}

void
gpu_abandon(struct gpu *gpu)
{
	amd_context_abandon_idle(gpu->dev);
	pstate_abandon(gpu->clock.pstate);
	amd_device_abandon(gpu->dev);
	table_destroy(gpu->table);
	table_destroy(gpu->chips);
	free(gpu->kfd_helper);
	free(gpu);
}

/*
 * List hidden items that the user enables at his own risk, and those that have
 * been tested here.
 */
static int
list_untested(struct gpu *gpu, struct arena *arena, struct drmperf_error *error)
{
	const char *asked = secure_getenv("DRMPERF_UNTESTED");

	gpu->topology.failed = gpu->failed;
	gpu->topology.hanging = gpu->hanging;
	gpu->topology.untested = asked ? asked : gpu->untested;
	if (!asked || !gpu->untested)
		return 0;
	gpu->topology.untested =
		arena_printf(arena, "%s %s", asked, gpu->untested);
	return gpu->topology.untested
		       ? 0
		       : error_set(error, -ENOMEM, "no memory");
}

static void
report_beyond(const struct gpu *gpu)
{
	const struct topology *topology = &gpu->topology;

	if (topology->cus_beyond)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s: the kernel reports %u compute units more than "
			  "the table of chips has for a shader array, %u; they "
			  "are counted: please report it",
			  gpu->chip.name, topology->cus_beyond,
			  gpu->chip.cus_per_array);
}

/* Return how many of the chip's XCCs may be behind the node. */
static unsigned
count_xccs(const struct driver_target *target, unsigned xccs)
{
	if (xccs < 2)
		return xccs;
	if (target->dies)
		return target->dies;
	return target->partitions > 1 ? xccs / target->partitions : xccs;
}

int
gpu_read_core(struct gpu *gpu, const struct driver_target *target,
	      const struct table *const *tables, size_t count,
	      struct arena *arena, struct drmperf_error *error)
{
	unsigned level;
	int ret;

	ret = core_level(gpu->table, &level, error);
	if (!ret)
		ret = topology_init(&gpu->topology, level,
				    &amd_device_info(gpu->dev)->shape,
				    &gpu->chip, error);
	if (!ret)
		ret = list_untested(gpu, arena, error);
	if (ret)
		return ret;
	report_beyond(gpu);
	gpu->topology.xccs = count_xccs(target, gpu->chip.xccs);
	if (gpu->topology.all_cus && target->dies && target->cus)
		gpu->topology.cu_count =
			(target->cus + target->dies / 2) / target->dies;
	return core_read(&gpu->core, tables, count, &gpu->topology, arena,
			 error);
}

unsigned
gpu_counted_xccs(const struct gpu *gpu)
{
	const char *asked = secure_getenv("DRMPERF_DIES");

	return gpu->core.xccs > 1 && (gpu->uses_kfd || gpu->kfd_helper) &&
			       gpu->kfd.save_total && !(asked && *asked)
		       ? gpu->core.xccs
		       : 1;
}

bool
gpu_needs_clock(const struct gpu *gpu)
{
	return gpu->chip.gfxoff || core_clock_is_kernels(&gpu->core);
}

void
gpu_use_clock(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->clock.lock);
	gpu->clock.users++;
	pthread_mutex_unlock(&gpu->clock.lock);
}

void
gpu_leave_clock(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->clock.lock);
	if (!--gpu->clock.users) {
		pstate_release(gpu->clock.pstate);
		gpu->clock.pstate = NULL;
	}
	pthread_mutex_unlock(&gpu->clock.lock);
}

bool
gpu_limiter_is_on(const struct gpu *gpu)
{
	char state[16];

	return !text_file_read(gpu->sysfs, "ptl/ptl_enable", state,
			       sizeof(state)) &&
	       !strncmp(state, "enabled", 7);
}

/*
 * Write a register of the queue's shader state, which no other queue can write.
 */
static void
write_enable(struct pm4 *pm4, const struct core_control *enable, bool on)
{
	if (enable->reg.byte)
		pm4_set_sh(pm4, pm4_sh(enable->reg),
			   on ? enable->value : enable->reset);
}

void
gpu_queue_commands(const void *device, bool counts, uint32_t *words,
		   size_t *count)
{
	const struct gpu *gpu = device;
	const struct core_control *controls = gpu->core.controls;
	struct pm4 pm4 = { .dwords = words,
			   .engine = PM4_ENGINE_COMPUTE,
			   .level = gpu->core.level };

	write_enable(&pm4, &controls[CORE_COMPUTE_PERFCOUNT_ENABLE], counts);
	if (chip_lists(gpu->topology.untested, GPU_TRACES_ALL))
		write_enable(&pm4, &controls[CORE_COMPUTE_THREAD_TRACE_ENABLE],
			     counts);
	*count = pm4.count;
}
