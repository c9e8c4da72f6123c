/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/domain.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cold.h"
#include "driver/amdgpu/perfcounter/start.h"
#include "driver/amdgpu/selection/selection_build.h"
#include "driver/amdgpu/perfcounter/xcc.h"
#include "driver/amdgpu/perfcounter/sample.h"
#include "driver/amdgpu/perfcounter/grbmh_sync.h"
#include "driver/amdgpu/perfcounter/accumulator.h"

/* Return the one die of a mask; -1: there are more. */
COLD static int
only_die(uint32_t xccs)
{
	return xccs & (xccs - 1) ? -1 : ffs((int)xccs) - 1;
}

static void
gfx_origin(const void *data, struct driver_origin *out)
{
	const struct gfx_run *run = data;

	out->clock = run->given;
	out->hz = run->timestamp_hz;
	out->die = run->xccs ? only_die(run->xccs) : -1;
}

/* ------------------------------------------------------------------ */
/* Start and stop                                                       */

/*
 * Restore the hardware, unless other processes count on. If the lock cannot be
 * taken the run stays started: commands without the lock would interfere with
 * those of others.
 */
static int
end_counting(struct gfx_run *run, struct drmperf_error *error)
{
	int ret = slot_table_lock(run->table, error);

	if (ret)
		return ret;
	ret = run_stop(run, error);
	if (ret && ret != -ENODEV)
		log_write(&run->gpu->log, DRMPERF_LOG_WARNING,
			  "%s: counters are left on, since the GPU took no "
			  "commands to stop them: %s; the next process that "
			  "counts there puts them back",
			  amd_device_node(run->gpu->dev), strerror(-ret));
	slot_table_unlock(run->table);
	run->started = false;
	return ret;
}

static int
gfx_stop(void *data, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	struct periodic_thread *thread = run->thread;
	int ret;

	if (!run->started)
		return 0;
	run->stopped = true;
	/* a child of fork() must not find a thread that is freed */
	run->thread = NULL;
	periodic_thread_destroy(thread);
	ret = end_counting(run, error);
	clock_mode_release(&run->clock, run->gpu);
	run->failure.code = 0;
	return ret;
}

static int
gfx_start(void *data, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (run->started)
		return error_set(error, -EALREADY, "the counters run already");
	run->stopped = false;
	ret = slot_table_lock(run->table, error);
	if (ret)
		return ret;
	ret = run_start(run, error);
	slot_table_unlock(run->table);
	if (ret) {
		gfx_stop(run, NULL);
		clock_mode_release(&run->clock, run->gpu);
		return ret;
	}
	accumulator_begin(run->selection, ibs_sample(run->ibs));
	run->timestamp = ibs_sample(run->ibs)->timestamp;
	ret = run_ensure_thread(run, run->selection, error);
	pthread_mutex_lock(&run->mutex);
	run_publish(run);
	pthread_mutex_unlock(&run->mutex);
	if (ret)
		gfx_stop(run, NULL);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Arm and disarm                                                       */

static void
warn_of_xccs(const struct gfx_run *run)
{
	if (run->xccs && !(run->xccs & (run->xccs - 1)))
		log_write(&run->gpu->log, DRMPERF_LOG_WARNING,
			  "%s: counts die %d alone, of up to %u behind this "
			  "node",
			  amd_device_node(run->gpu->dev),
			  ffs((int)run->xccs) - 1, run->gpu->core.xccs);
}

static void
warn_of_limiter(const struct gpu *gpu)
{
	if (gpu_limiter_is_on(gpu))
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s: its limiter of peak operations (PTL) is on: "
			  "some counters cannot be had, and may stay 0",
			  amd_device_node(gpu->dev));
}

/*
 * Test the sync bit, once per GPU, before commands are written that rely on it.
 */
static int
find_sync(struct gfx_run *run, struct drmperf_error *error)
{
	struct core *core = &run->gpu->core;
	int ret;

	if (!grbmh_sync_is_unknown(core))
		return 0;
	ret = slot_table_lock(run->table, error);
	if (ret)
		return ret;
	ret = grbmh_sync_find(run->ctx, core, error);
	slot_table_unlock(run->table);
	return ret;
}

/* Create the context for the XCCs that count. */
static int
choose_context(struct gfx_run *run, struct drmperf_error *error)
{
	const unsigned xccs = run->gpu->core.xccs;
	bool all;
	int ret = xcc_choose(run->gpu, &all, error);

	if (ret)
		return ret;
	if (all) {
		run->xccs = (UINT32_C(1) << xccs) - 1;
		return amd_context_create_on_xccs(run->gpu->dev, &run->ctx,
						  error);
	}
	ret = amd_context_create(run->gpu->dev, &run->ctx, error);
	if (ret)
		return ret;
	ret = xcc_find(run->ctx, xccs, &run->xccs, error);
	if (ret)
		amd_context_destroy(run->ctx);
	return ret;
}

static int
gfx_run_prepare(struct gfx_run *run, struct drmperf_error *error)
{
	int ret = choose_context(run, error);

	if (ret)
		return ret;
	warn_of_xccs(run);
	warn_of_limiter(run->gpu);
	run_set_limits(run);
	run_select(run->selects, run->selection);
	ret = find_sync(run, error);
	if (ret)
		goto destroy;
	ret = run_write_ibs(run, run->selection, NULL, run->selects, true,
			    &run->ibs, error);
	if (!ret)
		return 0;
destroy:
	amd_context_destroy(run->ctx);
	return ret;
}

static void
run_free(struct gfx_run *run)
{
	selection_destroy(run->selection);
	latest_finish(&run->latest);
	free(run->requests);
	free(run->selects);
	free(run);
}

static int
run_alloc(struct gpu *gpu, const struct run_options *options,
	  const struct counter_request *requests, size_t count,
	  struct gfx_run **out, struct drmperf_error *error)
{
	struct gfx_run *run = calloc(1, sizeof(*run));

	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->selects = select_regs_create(&gpu->core);
	run->requests = run_copy_requests(requests, count);
	if (!run->selects || !run->requests) {
		run_free(run);
		return error_set(error, -ENOMEM, "no memory");
	}
	run->request_count = count;
	run->gpu = gpu;
	pthread_mutex_init(&run->mutex, NULL);
	latest_init(&run->latest, options->relaxed);
	*out = run;
	return 0;
}

static int
gfx_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct gpu *gpu = device;
	struct gfx_run *run = NULL;
	int ret;

	ret = gfx_end_deferred(gpu, error);
	if (ret)
		return ret;
	ret = run_alloc(gpu, options, requests, count, &run, error);
	if (ret)
		return ret;
	ret = clock_mode_choose(&run->asked, options->clock,
				gpu_needs_clock(gpu), error);
	if (!ret)
		ret = selection_create(&gpu->core, gpu->first_group, requests,
				       count, NULL, &run->selection, error);
	if (!ret)
		ret = slot_table_open(amd_device_node(gpu->dev), &gpu->core,
				      &run->table, error);
	if (ret)
		goto free_run;
	ret = gfx_run_prepare(run, error);
	if (ret)
		goto unlock;
	gpu_use_clock(gpu);
	*out = run;
	return 0;

unlock:
	slot_table_close(run->table);
free_run:
	run_free(run);
	return ret;
}

static void
free_run_memory(struct gfx_run *run)
{
	clock_mode_release(&run->clock, run->gpu);
	ibs_destroy(run->ibs);
	/* A context that was created in this mode must not outlive it. */
	amd_context_destroy(run->ctx);
	gpu_leave_clock(run->gpu);
	slot_table_close(run->table);
	pthread_mutex_destroy(&run->mutex);
	pthread_mutex_destroy(&run->latest.lock);
	run_free(run);
}

static void
gfx_run_defer_clear(struct gfx_run *run)
{
	struct gpu *gpu = run->gpu;

	run->next_deferred = atomic_load(&gpu->deferred);
	while (!atomic_compare_exchange_weak(&gpu->deferred,
					     &run->next_deferred, run))
		;
}

static void
gfx_disarm(void *data)
{
	struct gfx_run *run = data;

	if (!run->stopped)
		gfx_stop(run, NULL);
	if (run->started)
		gfx_run_defer_clear(run);
	else
		free_run_memory(run);
}

int
gfx_end_deferred(struct gpu *gpu, struct drmperf_error *error)
{
	struct gfx_run *run = atomic_exchange(&gpu->deferred, NULL);
	int ret = 0;

	while (run) {
		struct gfx_run *next = run->next_deferred;

		/* wait only once for a process that keeps the lock */
		if (!ret)
			ret = end_counting(run, error);
		if (run->started)
			gfx_run_defer_clear(run);
		else
			free_run_memory(run);
		run = next;
	}
	return ret;
}

/*
 * Release deferred runs. If the lock still cannot be taken, the GPU's counters
 * go on until another process begins or ends counting.
 */
void
gfx_release_deferred(struct gpu *gpu)
{
	struct gfx_run *run;

	gfx_end_deferred(gpu, NULL);
	run = atomic_exchange(&gpu->deferred, NULL);
	while (run) {
		struct gfx_run *next = run->next_deferred;

		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "%s: counters are left on, since another process "
			  "keeps the lock",
			  amd_device_node(gpu->dev));
		free_run_memory(run);
		run = next;
	}
}

static void
gfx_abandon(void *data)
{
	struct gfx_run *run = data;

	periodic_thread_abandon(run->thread);
	ibs_abandon(run->ibs);
	amd_context_abandon(run->ctx);
	slot_table_abandon(run->table);
	run_free(run);
}

static void
gfx_keep_clock(void *device, bool on)
{
	if (on)
		gpu_use_clock(device);
	else
		gpu_leave_clock(device);
}

/* Limit counting to stages, which are numbered as the mask's bits are. */
static int
gfx_limit(void *device, uint32_t setting, uint64_t stages, uint32_t *out,
	  struct drmperf_error *error)
{
	const uint32_t left = setting & DRMPERF_STAGE_ALL & (uint32_t)stages;

	(void)device;
	if (!left)
		return error_set(error, -EINVAL,
				 "this GPU has none of the shader stages that "
				 "are to be counted");
	*out = (setting & ~(uint32_t)DRMPERF_STAGE_ALL) | left;
	return 0;
}

void
gfx_abandon_deferred(struct gpu *gpu)
{
	struct gfx_run *run = atomic_exchange(&gpu->deferred, NULL);

	while (run) {
		struct gfx_run *next = run->next_deferred;

		gfx_abandon(run);
		run = next;
	}
}

static int
gfx_reopen(void *device)
{
	return gpu_reopen(device);
}

const struct domain_ops gfx_domain_ops = {
	.keep = gfx_keep_clock,
	.arm = gfx_arm,
	.reopen = gfx_reopen,
	.limit = gfx_limit,
	.change = gfx_reconfigure,
	.start = gfx_start,
	.sample = run_sample,
	.sample_submit = run_submit_sample,
	.sample_wait = run_wait_sample,
	.origin = gfx_origin,
	.stop = gfx_stop,
	.disarm = gfx_disarm,
	.abandon = gfx_abandon,
};
