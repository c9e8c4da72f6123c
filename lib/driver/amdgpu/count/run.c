/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/monotonic.h"
#include "driver/amdgpu/count/die.h"
#include "driver/amdgpu/count/tally.h"

/*
 * The witness is asked only about intervals in which the slowest clock of a
 * graphics core advances by hundreds.
 */
#define WITNESS_US 20

/* ------------------------------------------------------------------ */
/* Failure                                                              */

static bool
is_fatal(int code)
{
	switch (code) {
	case -ECANCELED:
	case -EIO:
	case -ENODATA:
	case -ENODEV:
	case -ETIME:
		return true;
	}
	/* The kernel did not take the commands; it may do so next time. */
	return false;
}

int
run_fail(struct run *run, struct drmperf_error *error)
{
	int code = run->failure.code;

	if (error)
		*error = run->failure;
	if (!is_fatal(code))
		run->failure.code = 0;
	return code;
}

static uint64_t
elapsed_us(const struct run *run, uint64_t timestamp)
{
	uint32_t khz = queue_info(run->gpu->queue)->timestamp_khz;

	return khz ? (timestamp - run->timestamp) * 1000 / khz : 0;
}

static uint64_t
wrap_us(const struct run *run, const struct selection *selection)
{
	return tally_wrap_us(selection,
			     queue_info(run->gpu->queue)->engine_khz);
}

enum run_trouble
run_check(const struct run *run, const struct selection *selection,
	  uint64_t witnessed, uint64_t timestamp)
{
	uint64_t elapsed = elapsed_us(run, timestamp);
	uint64_t limit = wrap_us(run, run->selection);

	/* A reset may set the GPU's clock back as well. */
	if (timestamp < run->timestamp)
		return RUN_BACKWARDS;
	if (selection->witness && elapsed > WITNESS_US &&
	    selection->cells[selection->witness_cell].total == witnessed)
		return RUN_GATED;
	return limit && elapsed >= limit ? RUN_LATE : RUN_FINE;
}

static int
say_reset(struct run *run)
{
	error_set(&run->failure, -ECANCELED,
		  "%s: the GPU was reset while it counted",
		  queue_node(run->gpu->queue));
	error_remedy(&run->failure,
		     "stop the session and start it again; the kernel's log "
		     "(dmesg) tells which program hung the GPU");
	return -ECANCELED;
}

static void
advise(struct run *run)
{
	if (run->clock.held)
		error_remedy(&run->failure,
			     "see that no other profiler uses this GPU and "
			     "that it is not suspended (power/control in "
			     "sysfs)");
	else
		error_remedy(&run->failure,
			     "count with DRMPERF_CLOCK=profiling, which keeps "
			     "the graphics core awake, and see that no other "
			     "profiler uses this GPU");
}

static int
say_gated(struct run *run, uint64_t timestamp)
{
	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: %s did not "
		  "advance in %" PRIu64 " us",
		  queue_node(run->gpu->queue), run->selection->witness->name,
		  elapsed_us(run, timestamp));
	advise(run);
	return -ENODATA;
}

static int
say_backwards(struct run *run)
{
	error_set(&run->failure, -EIO,
		  "%s: a counter went backwards: its registers were changed, "
		  "or lost power, while they counted",
		  queue_node(run->gpu->queue));
	advise(run);
	return -EIO;
}

static int
say_late(struct run *run, uint64_t timestamp)
{
	const struct selection *selection = run->selection;
	const struct cell *cell = tally_narrowest(selection);
	const char *block =
		selection->core
			->blocks[selection->counters[cell->counter].block]
			.name;

	error_set(&run->failure, -EIO,
		  "%s: counters of %s, of %u bits, were not read for %" PRIu64
		  " us and may have wrapped in that time",
		  queue_node(run->gpu->queue), block,
		  tally_slot(selection, cell)->bits,
		  elapsed_us(run, timestamp));
	error_remedy(&run->failure,
		     "do not stop the program while it counts, or leave out "
		     "the counters of %s",
		     block);
	return -EIO;
}

int
run_explain(struct run *run, enum run_trouble trouble, uint64_t timestamp)
{
	if (trouble == RUN_FINE)
		return 0;
	if (channel_was_reset(run->channel))
		return say_reset(run);
	switch (trouble) {
	case RUN_GATED:
		return say_gated(run, timestamp);
	case RUN_LATE:
		return say_late(run, timestamp);
	case RUN_BACKWARDS:
	case RUN_FINE:
		break;
	}
	return say_backwards(run);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static uint64_t
witnessed(const struct selection *selection)
{
	return selection->witness
		       ? selection->cells[selection->witness_cell].total
		       : 0;
}

/* Bring all totals up to date; what goes wrong is put into run->failure. */
static int
take_sample(struct run *run)
{
	const struct commands_sample *sample = tape_sample(run->tape);
	uint64_t before = witnessed(run->selection);
	enum run_trouble trouble = RUN_BACKWARDS;
	int ret;

	ret = tape_run(run->tape, TAPE_SAMPLE, &run->failure);
	if (ret)
		return ret;
	if (!tally_add(run->selection, sample))
		trouble = run_check(run, run->selection, before,
				    sample->timestamp);
	if (trouble)
		return run_explain(run, trouble, sample->timestamp);
	run->timestamp = sample->timestamp;
	return 0;
}

static void
give_answers(const struct selection *selection, uint64_t *raw)
{
	for (size_t i = 0; i < selection->answer_count; i++) {
		const struct answer *answer = &selection->answers[i];

		for (size_t k = 0; k < answer->cell_count; k++)
			*raw++ = selection->cells[answer->first_cell + k].total;
	}
}

static int
sample_locked(struct run *run, uint64_t *raw, uint64_t *time_ns,
	      struct drmperf_error *error)
{
	uint64_t begin, end;
	int ret;

	if (run->failure.code)
		return run_fail(run, error);
	begin = monotonic_ns();
	ret = take_sample(run);
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
run_sample(struct run *run, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
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

static void
keep(void *data)
{
	struct run *run = data;

	pthread_mutex_lock(&run->mutex);
	if (!run->failure.code && take_sample(run))
		run_fail(run, NULL);
	pthread_mutex_unlock(&run->mutex);
}

int
run_keep(struct run *run, const struct selection *selection,
	 struct drmperf_error *error)
{
	const struct queue_info *info = queue_info(run->gpu->queue);
	uint64_t period_ms = tally_period_ms(selection, info->engine_khz);
	int ret;

	if (!period_ms || run->keeper)
		return 0;
	ret = keeper_create((unsigned)period_ms, keep, run, &run->keeper);
	if (ret)
		error_set(error, ret, "cannot start a thread: %s",
			  strerror(-ret));
	return ret;
}

/* ------------------------------------------------------------------ */
/* Start and stop                                                       */

void
run_select(struct commands_block *blocks, const struct selection *selection)
{
	for (size_t i = 0; i < selection->core->block_count; i++)
		blocks[i].changed = 0;
	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		struct commands_block *block = &blocks[counter->block];
		uint64_t bit = UINT64_C(1) << counter->slot;

		if (block->used & bit &&
		    block->ids[counter->slot] == counter->id)
			continue;
		block->used |= bit;
		block->changed |= bit;
		block->ids[counter->slot] = counter->id;
	}
}

/*
 * Put the hardware back. A context that has seen a reset takes no commands;
 * a fresh one does.
 */
static int
restore(struct run *run, struct drmperf_error *error)
{
	int ret = run->failure.code;

	if (ret == -ENODEV)
		return run_fail(run, error);
	if (ret != -ECANCELED && ret != -ETIME)
		ret = tape_run(run->tape, TAPE_STOP, error);
	if (!ret || ret == -ENODEV)
		return ret;
	/* The clocks belong to the context that ends here. */
	clock_release(&run->clock, run->channel);
	ret = channel_renew(run->channel, error);
	return ret ? ret : tape_run(run->tape, TAPE_STOP, error);
}

static int
run_stop(struct run *run, struct drmperf_error *error)
{
	int ret;

	if (!run->started)
		return 0;
	keeper_destroy(run->keeper);
	run->keeper = NULL;
	ret = restore(run, error);
	clock_release(&run->clock, run->channel);
	run->failure.code = 0;
	run->started = false;
	return ret;
}

static int
run_start(struct run *run, struct drmperf_error *error)
{
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
		run_stop(run, NULL);
		return ret;
	}
	tally_begin(run->selection, tape_sample(run->tape));
	run->timestamp = tape_sample(run->tape)->timestamp;
	ret = run_keep(run, run->selection, error);
	if (ret)
		run_stop(run, NULL);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Arm and disarm                                                       */

static void
warn_of_dies(const struct run *run)
{
	if (run->dies)
		log_write(&run->gpu->log, DRMPERF_LOG_WARNING,
			  "%s: counts die %d alone, of up to %u behind this "
			  "node",
			  queue_node(run->gpu->queue), ffs((int)run->dies) - 1,
			  run->gpu->core.dies);
}

static int
prepare(struct run *run, struct drmperf_error *error)
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
run_free(struct run *run)
{
	selection_destroy(run->selection);
	free(run->blocks);
	free(run);
}

static int
run_alloc(struct gpu *gpu, struct run **out, struct drmperf_error *error)
{
	struct run *run = calloc(1, sizeof(*run));

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
run_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, struct run **out,
	struct drmperf_error *error)
{
	struct gpu *gpu = device;
	struct run *run = NULL;
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
run_disarm(struct run *run)
{
	run_stop(run, NULL);
	tape_destroy(run->tape);
	channel_destroy(run->channel);
	lock_release(&run->lock);
	pthread_mutex_destroy(&run->mutex);
	run_free(run);
}

static void
run_abandon(struct run *run)
{
	keeper_abandon(run->keeper);
	tape_abandon(run->tape);
	channel_abandon(run->channel);
	lock_abandon(&run->lock);
	run_free(run);
}

const struct domain_ops run_ops = {
	.arm = run_arm,
	.change = run_change,
	.start = run_start,
	.sample = run_sample,
	.stop = run_stop,
	.disarm = run_disarm,
	.abandon = run_abandon,
};
