/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/domain.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "base/monotonic.h"
#include "driver/amdgpu/count/change.h"
#include "driver/amdgpu/count/die.h"
#include "driver/amdgpu/count/run.h"
#include "driver/amdgpu/count/tally.h"

/* ------------------------------------------------------------------ */
/* Sample                                                               */

static void
give_answers(const struct selection *selection, uint64_t *raw)
{
	for (size_t i = 0; i < selection->answer_count; i++) {
		const struct answer *answer = &selection->answers[i];
		const struct cell *cell = &selection->cells[answer->first_cell];
		const struct cell *end = cell + answer->cell_count;

		while (cell < end)
			*raw++ = cell++->total;
	}
}

static int
sample_locked(struct gfx_run *run, uint64_t *raw, uint64_t *time_ns,
	      struct drmperf_error *error)
{
	uint64_t begin, end;
	int ret;

	if (run->failure.code)
		return run_fail(run, error);
	begin = monotonic_ns();
	ret = run_take_sample(run);
	end = monotonic_ns();
	if (ret)
		return run_fail(run, error);
	give_answers(run->selection, raw);
	*time_ns = begin + (end - begin) / 2;
	return 0;
}

/*
 * Only the GPU knows its counters, so there is no older value to be had
 * without waiting: both modes of reading are the same.
 */
static int
gfx_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	(void)mode;
	if (!run->started)
		return error_set(error, -EINVAL, "nothing counts");
	if (run->keeper)
		pthread_mutex_lock(&run->mutex);
	ret = sample_locked(run, raw, time_ns, error);
	if (run->keeper)
		pthread_mutex_unlock(&run->mutex);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Start and stop                                                       */

/*
 * Put the hardware back. A context that has seen a reset takes no commands;
 * a fresh one does. A GPU that has gone refuses both at once, and one that only
 * seemed to have gone must not go on counting.
 */
static int
restore(struct gfx_run *run, struct drmperf_error *error)
{
	int ret = run->failure.code;

	if (ret != -ECANCELED && ret != -ETIME)
		ret = tape_run(run->tape, TAPE_STOP, error);
	if (!ret)
		return 0;
	/* The clocks belong to the context that ends here. */
	clock_release(&run->clock, run->channel, NULL);
	ret = channel_renew(run->channel, error);
	if (ret)
		return ret;
	clock_forget(&run->clock);
	return tape_run(run->tape, TAPE_STOP, error);
}

static int
gfx_stop(void *data, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret, released;

	if (!run->started)
		return 0;
	keeper_destroy(run->keeper);
	run->keeper = NULL;
	ret = restore(run, error);
	released = clock_release(&run->clock, run->channel, ret ? NULL : error);
	if (!ret)
		ret = released;
	run->failure.code = 0;
	run->started = false;
	return ret;
}

static int
gfx_start(void *data, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (run->started)
		return error_set(error, -EALREADY, "the counters run already");
	ret = clock_hold(&run->clock, run->channel, &run->gpu->log, error);
	if (ret)
		return ret;
	ret = tape_run(run->tape, TAPE_START, error);
	run->started = true;
	if (ret) {
		run->failure.code = ret;
		gfx_stop(run, NULL);
		return ret;
	}
	tally_begin(run->selection, tape_sample(run->tape));
	run->timestamp = tape_sample(run->tape)->timestamp;
	ret = run_keep(run, run->selection, error);
	if (ret)
		gfx_stop(run, NULL);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Arm and disarm                                                       */

static void
warn_of_dies(const struct gfx_run *run)
{
	if (run->dies)
		log_write(&run->gpu->log, DRMPERF_LOG_WARNING,
			  "%s: counts die %d alone, of up to %u behind this "
			  "node",
			  queue_node(run->gpu->queue), ffs((int)run->dies) - 1,
			  run->gpu->core.dies);
}

static int
prepare(struct gfx_run *run, struct drmperf_error *error)
{
	int ret;

	ret = channel_create(run->gpu->queue, &run->channel, error);
	if (ret)
		return ret;
	ret = die_find(run->channel, run->gpu->core.dies, &run->dies, error);
	if (ret)
		goto destroy;
	warn_of_dies(run);
	run_select(run->blocks, run->selection);
	ret = tape_create(run->channel, run->dies, run->selection, NULL,
			  run->blocks, &run->tape, error);
	if (!ret)
		return 0;
destroy:
	channel_destroy(run->channel);
	return ret;
}

static bool
counters_need_clock(const struct gpu *gpu)
{
	return gpu->chip.gfxoff || core_clock_is_kernels(&gpu->core);
}

static void
run_free(struct gfx_run *run)
{
	selection_destroy(run->selection);
	free(run->blocks);
	free(run);
}

static int
run_alloc(struct gpu *gpu, struct gfx_run **out, struct drmperf_error *error)
{
	struct gfx_run *run = calloc(1, sizeof(*run));

	if (run)
		run->blocks =
			calloc(gpu->core.block_count + 1, sizeof(*run->blocks));
	if (!run || !run->blocks) {
		free(run);
		return error_set(error, -ENOMEM, "no memory");
	}
	run->gpu = gpu;
	pthread_mutex_init(&run->mutex, NULL);
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

	ret = run_alloc(gpu, &run, error);
	if (ret)
		return ret;
	ret = clock_choose(&run->clock, options->clock,
			   counters_need_clock(gpu), error);
	if (!ret)
		ret = selection_create(&gpu->core, gpu->first_group, requests,
				       count, NULL, &run->selection, error);
	if (!ret)
		ret = lock_take(&run->lock, queue_node(gpu->queue), error);
	if (ret)
		goto free_run;
	ret = prepare(run, error);
	if (ret)
		goto unlock;
	*out = run;
	return 0;

unlock:
	lock_release(&run->lock);
free_run:
	run_free(run);
	return ret;
}

static void
gfx_disarm(void *data)
{
	struct gfx_run *run = data;

	gfx_stop(run, NULL);
	/* what stop could not give back */
	clock_release(&run->clock, run->channel, NULL);
	tape_destroy(run->tape);
	channel_destroy(run->channel);
	lock_release(&run->lock);
	pthread_mutex_destroy(&run->mutex);
	run_free(run);
}

static void
gfx_abandon(void *data)
{
	struct gfx_run *run = data;

	keeper_abandon(run->keeper);
	tape_abandon(run->tape);
	channel_abandon(run->channel);
	lock_abandon(&run->lock);
	run_free(run);
}

const struct domain_ops gfx_domain_ops = {
	.arm = gfx_arm,
	.change = gfx_change,
	.start = gfx_start,
	.sample = gfx_sample,
	.stop = gfx_stop,
	.disarm = gfx_disarm,
	.abandon = gfx_abandon,
};
