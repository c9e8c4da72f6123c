/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
run_fail(struct gfx_run *run, struct drmperf_error *error)
{
	int code = run->failure.code;

	if (error)
		*error = run->failure;
	if (!is_fatal(code))
		run->failure.code = 0;
	return code;
}

static uint64_t
elapsed_us(const struct gfx_run *run, uint64_t timestamp)
{
	uint32_t khz = queue_info(run->gpu->queue)->timestamp_khz;

	return khz ? (timestamp - run->timestamp) * 1000 / khz : 0;
}

enum run_trouble
run_check(const struct gfx_run *run, const struct selection *selection,
	  uint64_t witnessed, uint64_t timestamp)
{
	uint64_t elapsed = elapsed_us(run, timestamp);

	/* A reset may set the GPU's clock back as well. */
	if (timestamp < run->timestamp)
		return RUN_BACKWARDS;
	if (selection->witness && elapsed > WITNESS_US &&
	    selection->cells[selection->witness_cell].total == witnessed)
		return RUN_GATED;
	return tally_may_have_wrapped(run->selection,
				      queue_info(run->gpu->queue)->engine_khz,
				      elapsed)
		       ? RUN_LATE
		       : RUN_FINE;
}

static int
say_reset(struct gfx_run *run)
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
advise(struct gfx_run *run)
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
say_gated(struct gfx_run *run, uint64_t timestamp)
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
say_backwards(struct gfx_run *run)
{
	error_set(&run->failure, -EIO,
		  "%s: a counter went backwards: its registers were changed, "
		  "or lost power, while they counted",
		  queue_node(run->gpu->queue));
	advise(run);
	return -EIO;
}

static int
say_late(struct gfx_run *run, uint64_t timestamp)
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
run_explain(struct gfx_run *run, enum run_trouble trouble, uint64_t timestamp)
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

int
run_take_sample(struct gfx_run *run)
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
keep(void *data)
{
	struct gfx_run *run = data;

	pthread_mutex_lock(&run->mutex);
	if (!run->failure.code && run_take_sample(run))
		run_fail(run, NULL);
	pthread_mutex_unlock(&run->mutex);
}

int
run_keep(struct gfx_run *run, const struct selection *selection,
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
/* Selects                                                              */

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
