/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/checks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cold.h"
#include "driver/amdgpu/perfcounter/accumulator.h"
#include "driver/amdgpu/selection/core_clock.h"

static uint64_t
sample_timestamp(const struct taken_sample *sample)
{
	return ibs_sample(sample->ibs)->timestamp;
}

static uint64_t
elapsed_ticks(const struct taken_sample *sample)
{
	return sample_timestamp(sample) - sample->run->timestamp;
}

static uint64_t
elapsed_us(const struct taken_sample *sample)
{
	uint32_t khz = amd_device_info(sample->run->gpu->dev)->timestamp_khz;

	return khz ? elapsed_ticks(sample) * 1000 / khz : 0;
}

static const char *
sample_node(const struct taken_sample *sample)
{
	return amd_device_node(sample->run->gpu->dev);
}

static void
advise_clocks(struct gfx_run *run)
{
	if (run->clock.held || run->clock.is_stable)
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

/*
 * Write the name of an event, "SQ_WGP.CYCLES"; events of the user's tables have
 * but a number.
 */
static void
name_event(const struct core *core, size_t index, uint32_t id, char *text,
	   size_t size)
{
	const char *block = core->blocks[index].name;
	struct arena *arena = arena_create();
	const char *event = NULL;

	if (arena)
		event = core_event_name(core, index, id, arena);
	if (event)
		snprintf(text, size, "%s.%s", block, event);
	else
		snprintf(text, size, "event %" PRIu32 " of %s", id, block);
	if (arena)
		arena_destroy(arena);
}

/* ------------------------------------------------------------------ */
/* Reset check                                                          */

/* Drop a reset check that neither holds nor shows a reset. */
COLD static bool
give_up_reset_check(const struct gfx_run *run)
{
	slot_table_drop_reset_check(run->table);
	log_write(&run->gpu->log, DRMPERF_LOG_INFO,
		  "%s: two counters of the same clock do not count alike: a "
		  "reset of all counters by another program may go unnoticed",
		  amd_device_node(run->gpu->dev));
	return true;
}

/*
 * Read the slot table's reset check again: another process may have recorded
 * one since these IBs were written.
 */
COLD static bool
look_for_reset_check(const struct gfx_run *run, struct ibs *ibs)
{
	struct commands_reset_check *read = &ibs->reset_check;
	const int32_t now = reset_check_difference(ibs_sample(ibs));
	struct commands_reset_check reset_check;
	const int32_t difference =
		slot_table_get_reset_check(run->table, &reset_check);

	if (!difference || reset_check.block != read->block ||
	    memcmp(reset_check.slots, read->slots, sizeof(reset_check.slots))) {
		read->block = NULL;
		return true;
	}
	switch (reset_check_look(difference, now)) {
	case RESET_CHECK_OK:
		ibs->difference = now;
		return true;
	case RESET_CHECK_RESET:
		return false;
	case RESET_CHECK_UNRELIABLE:
		break;
	}
	return give_up_reset_check(run);
}

/* Return whether the reset check, if there is one, holds in the IBs' sample. */
static bool
reset_check_holds(const struct gfx_run *run, struct ibs *ibs)
{
	const int32_t now = reset_check_difference(ibs_sample(ibs));

	return !ibs->reset_check.block || (now && now == ibs->difference) ||
	       look_for_reset_check(run, ibs);
}

static void
begin_reset_check(struct gfx_run *run)
{
	slot_table_set_reset_check(
		run->table, &run->ibs->reset_check,
		reset_check_difference(ibs_sample(run->ibs)));
}

static bool
finds_reset(const struct taken_sample *sample)
{
	return !reset_check_holds(sample->run, sample->ibs);
}

/* ------------------------------------------------------------------ */
/* Readback                                                             */

static void
begin_readback(struct gfx_run *run)
{
	struct ibs *ibs = run->ibs;

	readback_begin(&ibs->readback, ibs_sample(ibs), ibs_selects(ibs));
	ibs_turn(ibs);
}

/*
 * Return whether the clock was off when this process joined: the others have
 * lost counts then, which they can no longer notice themselves.
 */
static bool
joins_stopped_clock(const struct taken_sample *sample)
{
	return readback_clock_was_off(&sample->ibs->readback,
				      ibs_sample(sample->ibs));
}

static bool
continue_readback(const struct taken_sample *sample, const struct ibs *before)
{
	struct ibs *ibs = sample->ibs;

	if (!before)
		return !joins_stopped_clock(sample);
	if (!readback_continue(&ibs->readback, &before->readback,
			       ibs_sample(ibs), ibs_selects(ibs)))
		return false;
	ibs_turn(ibs);
	return true;
}

/*
 * Accept reset values in the SQ's control registers if all else shows that the
 * counters are ours: the command processor keeps these registers per ring. From
 * then on samples write them.
 */
static bool
forgives_lost_owner(const struct gfx_run *run, struct ibs *ibs)
{
	struct core *core = &run->gpu->core;

	if (!readback_has_lost_owner(&ibs->readback, ibs_sample(ibs)) ||
	    !reset_check_holds(run, ibs))
		return false;
	if (core->sq_control == CORE_SQ_DOUBTED)
		log_write(&run->gpu->log, DRMPERF_LOG_INFO,
			  "%s: SQ_PERFCOUNTER_CTRL belongs to the ring that "
			  "wrote it: another program that changes it may go "
			  "unnoticed",
			  amd_device_node(run->gpu->dev));
	core->sq_control = CORE_SQ_LOST;
	return true;
}

static bool
finds_overwritten(const struct taken_sample *sample)
{
	struct ibs *ibs = sample->ibs;

	if (readback_holds(&ibs->readback, ibs_sample(ibs)) ||
	    forgives_lost_owner(sample->run, ibs))
		return false;
	readback_name_overwritten(&ibs->readback, ibs_sample(ibs));
	return true;
}

/*
 * Return the addition to the error for a register that is 0: the GPU may have
 * lost power.
 */
static const char *
or_lost_power(const struct readback *readback)
{
	return readback->shows ? "" : ", or the graphics core lost power";
}

static int
explain_clock_off(struct gfx_run *run, const struct readback *readback)
{
	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: another program "
		  "has switched it off%s: %s became 0x%x",
		  amd_device_node(run->gpu->dev), or_lost_power(readback),
		  readback->overwritten, readback->shows);
	error_remedy(&run->failure,
		     "stop counting and start again, and see that no other "
		     "program holds or changes the GPU's clocks then");
	return -ENODATA;
}

static int
explain_overwritten(const struct taken_sample *sample)
{
	const struct readback *readback = &sample->ibs->readback;
	struct gfx_run *run = sample->run;

	if (readback->clock_is_off)
		return explain_clock_off(run, readback);
	error_set(&run->failure, -EIO,
		  "%s: another profiler took the counters%s: %s became 0x%x",
		  sample_node(sample), or_lost_power(readback),
		  readback->overwritten, readback->shows);
	advise_clocks(run);
	return -EIO;
}

/* ------------------------------------------------------------------ */
/* Clock mode                                                           */

/*
 * Return whether the clock mode has ended. The kernel is only asked if another
 * program holds the mode, or if processes have begun or ceased to count since.
 * If the mode is set now, it was set up to this sample.
 */
static bool
finds_mode_ended(const struct taken_sample *sample)
{
	struct gfx_run *run = sample->run;

	if (!run->clock.is_stable)
		return false;
	if (run->clock.held && run->members == slot_table_members(run->table))
		return false;
	run->members = slot_table_members(run->table);
	return !clock_mode_lasts(&run->clock, run->ctx);
}

static int
explain_mode_ended(const struct taken_sample *sample)
{
	struct gfx_run *run = sample->run;

	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: the clock mode "
		  "in which they were counting has been ended%s",
		  sample_node(sample),
		  run->clock.held ? " in sysfs" : " by another program");
	error_remedy(&run->failure,
		     "stop counting and start again: drmperf then holds the "
		     "mode itself");
	return -ENODATA;
}

/* ------------------------------------------------------------------ */
/* Counters and time                                                    */

static int
explain_went_back(const struct taken_sample *sample)
{
	error_set(&sample->run->failure, -EIO,
		  "%s: a counter went backwards: its registers were changed, "
		  "or lost power, while they counted",
		  sample_node(sample));
	advise_clocks(sample->run);
	return -EIO;
}

/*
 * Return whether the GPU's clock has gone back. A reset may set the GPU's clock
 * back as well.
 */
static bool
finds_time_back(const struct taken_sample *sample)
{
	return sample_timestamp(sample) < sample->run->timestamp;
}

/*
 * Report timestamps that went backwards, as with some firmware of MI300
 * (ROCm/legacy-rocm-build issue 4079).
 */
static int
explain_time_back(const struct taken_sample *sample)
{
	struct gfx_run *run = sample->run;

	error_set(&run->failure, -EIO,
		  "%s: the GPU's clock went backwards while it counted, from "
		  "%" PRIu64 " to %" PRIu64 ": its times are wrong",
		  sample_node(sample), run->timestamp,
		  sample_timestamp(sample));
	error_remedy(&run->failure,
		     "count again; if it comes back, newer firmware of the GPU "
		     "may report correct times");
	return -EIO;
}

static bool
finds_saturated(const struct taken_sample *sample)
{
	size_t full;

	return accumulator_level(sample->selection, &full) == ACCUMULATOR_FULL;
}

static int
explain_saturated(const struct taken_sample *sample)
{
	const struct selection *selection = sample->selection;
	struct gfx_run *run = sample->run;
	const struct counter *counter;
	size_t cell = 0;
	char name[128];

	accumulator_level(selection, &cell);
	counter = &selection->counters[selection->cells[cell].counter];
	name_event(selection->core, counter->block, counter->id, name,
		   sizeof(name));
	error_set(&run->failure, -EIO,
		  "%s: %s has counted more than its counter holds, which stops "
		  "at %" PRIu64,
		  sample_node(sample), name, selection->numbers.masks[cell]);
	error_remedy(&run->failure,
		     "do not stop the program while it counts, or leave out "
		     "%s",
		     name);
	return -EIO;
}

/*
 * Return whether a narrow counter of the run may have wrapped before this
 * sample.
 */
static bool
finds_late_read(const struct taken_sample *sample)
{
	const struct gfx_run *run = sample->run;

	return elapsed_ticks(sample) >= run->wrap_ticks &&
	       accumulator_may_have_wrapped(run->selection, run_clock_khz(run),
					    elapsed_us(sample));
}

static int
explain_late_read(const struct taken_sample *sample)
{
	struct gfx_run *run = sample->run;
	const struct selection *selection = run->selection;
	const struct value_cell *cell = accumulator_narrowest(selection);
	const char *block =
		selection->core
			->blocks[selection->counters[cell->counter].block]
			.name;

	error_set(&run->failure, -EIO,
		  "%s: counters of %s, of %u bits, were not read for %" PRIu64
		  " us and may have wrapped in that time",
		  sample_node(sample), block,
		  accumulator_slot(selection, cell)->bits, elapsed_us(sample));
	error_remedy(&run->failure,
		     "do not stop the program while it counts, or leave out "
		     "the counters of %s",
		     block);
	return -EIO;
}

/* ------------------------------------------------------------------ */
/* Core clock                                                           */

COLD bool
checks_lose_core_clock(const struct gfx_run *run, struct selection *selection)
{
	if (!selection->core_clock_gives_way ||
	    slot_table_has(run->table, selection, selection->core_clock_cell))
		return false;
	core_clock_drop(selection);
	return true;
}

static bool
finds_clock_gated(const struct taken_sample *sample)
{
	struct selection *selection = sample->selection;

	return selection->core_clock &&
	       elapsed_ticks(sample) > sample->run->core_clock_ticks &&
	       selection->numbers.totals[selection->core_clock_cell] ==
		       sample->core_clock_total &&
	       !checks_lose_core_clock(sample->run, selection);
}

static int
explain_clock_gated(const struct taken_sample *sample)
{
	error_set(&sample->run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: %s did not "
		  "advance in %" PRIu64 " us",
		  sample_node(sample), sample->selection->core_clock->name,
		  elapsed_us(sample));
	advise_clocks(sample->run);
	return -ENODATA;
}

/* ------------------------------------------------------------------ */
/* Clocks of blocks                                                     */

static void
begin_block_clocks(struct gfx_run *run)
{
	block_clocks_begin(&run->ibs->block_clocks, ibs_sample(run->ibs));
}

static bool
continue_block_clocks(const struct taken_sample *sample,
		      const struct ibs *before)
{
	struct block_clocks *block_clocks = &sample->ibs->block_clocks;

	block_clocks_begin(block_clocks, ibs_sample(sample->ibs));
	if (before) {
		block_clocks_continue(block_clocks, &before->block_clocks);
		block_clocks_stopped(block_clocks, ibs_sample(sample->ibs));
	}
	return true;
}

static const struct block *
name_block_clock(const struct gfx_run *run,
		 const struct commands_block_clock *block_clock, char *name,
		 size_t size)
{
	const struct core *core = &run->gpu->core;
	const struct block *block = &core->blocks[block_clock->block];

	name_event(core, block_clock->block, block->clock_id, name, size);
	return block;
}

/* Warn of a block's clock once for each open GPU. */
static void
warn_of_clock(const struct gfx_run *run,
	      const struct commands_block_clock *block_clock)
{
	const uint64_t bit = UINT64_C(1) << block_clock->block % 64;
	const struct block *block;
	char name[128];

	if (atomic_fetch_or(&run->gpu->doubted, bit) & bit)
		return;
	block = name_block_clock(run, block_clock, name, sizeof(name));
	log_write(&run->gpu->log, DRMPERF_LOG_WARNING,
		  "%s: the clock of %s may have stood still, so that nothing "
		  "was counted there: %s did not advance, unless it does so "
		  "only while %s has work; drmperf selftest finds out",
		  amd_device_node(run->gpu->dev), block->name, name,
		  block->name);
}

/*
 * Return whether the event proves that the block's clock stood still; warn if
 * that is only possible. An event that other processes have replaced, or a full
 * counter, proves nothing.
 */
static bool
block_clock_has_stopped(const struct gfx_run *run,
			struct block_clocks *block_clocks, unsigned i)
{
	const struct commands_block_clock *block_clock = &block_clocks->all[i];
	const struct block *block = &run->gpu->core.blocks[block_clock->block];

	if (block->saturates && block_clocks->last[i] == UINT32_MAX)
		return false;
	if (slot_table_has_block_clock(run->table, block_clock)) {
		if (block->clock == BLOCK_CLOCK_RUNS)
			return true;
		warn_of_clock(run, block_clock);
	}
	block_clocks->looked_at &= ~(UINT32_C(1) << i);
	return false;
}

/*
 * Return whether a block is gated; block_clocks_stopped() has looked at the
 * sample.
 */
static bool
finds_block_gated(const struct taken_sample *sample)
{
	struct block_clocks *block_clocks = &sample->ibs->block_clocks;

	if (elapsed_ticks(sample) <= sample->run->core_clock_ticks)
		return false;
	for (uint32_t still = block_clocks->still; still; still &= still - 1) {
		block_clocks->stopped = (unsigned)__builtin_ctz(still);
		if (block_clock_has_stopped(sample->run, block_clocks,
					    block_clocks->stopped))
			return true;
	}
	return false;
}

static int
explain_block_gated(const struct taken_sample *sample)
{
	const struct block_clocks *block_clocks = &sample->ibs->block_clocks;
	char name[128];
	const struct block *block = name_block_clock(
		sample->run, &block_clocks->all[block_clocks->stopped], name,
		sizeof(name));

	error_set(&sample->run->failure, -ENODATA,
		  "%s: the clock of %s stood still: %s did not advance in "
		  "%" PRIu64 " us",
		  sample_node(sample), block->name, name, elapsed_us(sample));
	advise_clocks(sample->run);
	return -ENODATA;
}

/* ------------------------------------------------------------------ */
/* The table                                                            */

static const struct check {
	void (*begin)(struct gfx_run *run);
	bool (*continue_check)(const struct taken_sample *sample,
			       const struct ibs *before);
	bool (*finds)(const struct taken_sample *sample);
	int (*explain)(const struct taken_sample *sample);
	bool is_own; /* other processes may go on counting */
} checks[SAMPLE_STATUSES] = {
	[SAMPLE_OVERWRITTEN] = { begin_readback, continue_readback,
				 finds_overwritten, explain_overwritten,
				 false },
	[SAMPLE_RESET] = { begin_reset_check, NULL, finds_reset,
			   explain_went_back, false },
	[SAMPLE_MODE_ENDED] = { NULL, NULL, finds_mode_ended,
				explain_mode_ended, false },
	[SAMPLE_WENT_BACK] = { NULL, NULL, NULL, explain_went_back, false },
	[SAMPLE_TIME_BACK] = { NULL, NULL, finds_time_back, explain_time_back,
			       false },
	[SAMPLE_CLOCK_GATED] = { NULL, NULL, finds_clock_gated,
				 explain_clock_gated, false },
	[SAMPLE_SATURATED] = { NULL, NULL, finds_saturated, explain_saturated,
			       true },
	[SAMPLE_LATE] = { NULL, NULL, finds_late_read, explain_late_read,
			  true },
	[SAMPLE_BLOCK_GATED] = { begin_block_clocks, continue_block_clocks,
				 finds_block_gated, explain_block_gated, true },
};

void
checks_begin(struct gfx_run *run)
{
	for (int i = 0; i < SAMPLE_STATUSES; i++)
		if (checks[i].begin)
			checks[i].begin(run);
}

enum sample_status
checks_continue(const struct taken_sample *sample, const struct ibs *before)
{
	for (int i = 0; i < SAMPLE_STATUSES; i++)
		if (checks[i].continue_check &&
		    !checks[i].continue_check(sample, before))
			return (enum sample_status)i;
	return SAMPLE_OK;
}

COLD enum sample_status
checks_find(const struct taken_sample *sample, enum sample_status first,
	    enum sample_status last)
{
	for (int i = (int)first; i <= (int)last; i++)
		if (checks[i].finds && checks[i].finds(sample))
			return (enum sample_status)i;
	return SAMPLE_OK;
}

static int
explain_reset(struct gfx_run *run)
{
	error_set(&run->failure, -ECANCELED,
		  "%s: the GPU was reset while it counted",
		  amd_device_node(run->gpu->dev));
	error_remedy(&run->failure,
		     "stop counting and start again; the kernel log (dmesg) "
		     "names the program that hung the GPU");
	return -ECANCELED;
}

COLD int
checks_explain(const struct taken_sample *sample, enum sample_status status)
{
	struct gfx_run *run = sample->run;

	if (status == SAMPLE_OK)
		return 0;
	if (!checks[status].is_own)
		slot_table_invalidate(run->table);
	if (amd_context_was_reset(run->ctx))
		return explain_reset(run);
	return checks[status].explain(sample);
}

int
checks_explain_lost(struct gfx_run *run)
{
	if (amd_context_was_reset(run->ctx))
		return explain_reset(run);
	error_set(&run->failure, -ECANCELED,
		  "%s: another process that counts has seen the counters lose "
		  "their values",
		  amd_device_node(run->gpu->dev));
	error_remedy(&run->failure, "stop counting and start again");
	return -ECANCELED;
}

/* ------------------------------------------------------------------ */
/* Selects that are written while counters run                          */

/* Samples until the reset check has counted long enough to say something. */
#define MAX_LOOKS 4
/* How many times the second counter's delay the first one must have counted. */
#define LONG_ENOUGH 3

static bool
core_changes_selects(const struct core *core, const struct select_regs *selects)
{
	uint64_t changed = 0;

	for (size_t i = 0; i < core->instance_count; i++)
		changed |= selects[i].changed;
	return changed;
}

/*
 * Sample until the reset check has counted long enough. A reset that it shows
 * is reported by the next sample, not here.
 */
static int
look_at_reset_check(struct gfx_run *run, struct drmperf_error *error)
{
	struct ibs *ibs = run->ibs;
	struct commands_reset_check reset_check;
	int64_t missed;
	int ret;

	for (int i = 0; i < MAX_LOOKS && ibs->reset_check.block; i++) {
		missed = llabs(
			slot_table_get_reset_check(run->table, &reset_check));
		if (!missed)
			break;
		ret = run_note_reset(run, ibs_run(ibs, IB_SAMPLE, error));
		if (ret)
			return ret;
		if (!reset_check_holds(run, ibs) ||
		    ibs_sample(ibs)->reset_check[0] / LONG_ENOUGH >= missed)
			break;
	}
	return 0;
}

static int
refuse_selects(const struct gfx_run *run, const char *found_by,
	       struct drmperf_error *error)
{
	error_set(error, -EBUSY,
		  "%s: counters run, and this GPU does not select other events "
		  "while they run, as %s",
		  amd_device_node(run->gpu->dev), found_by);
	error_remedy(error, "begin to count all events together, while no "
			    "other process counts");
	return -EBUSY;
}

int
checks_allow_selects(struct gfx_run *run, const struct select_regs *selects,
		     struct drmperf_error *error)
{
	const struct core *core = &run->gpu->core;
	int ret;

	if (!core_changes_selects(core, selects))
		return 0;
	if (core->commands.selects_wait)
		return refuse_selects(run, "drmperf selftest has found", error);
	ret = look_at_reset_check(run, error);
	if (ret || !slot_table_reset_check_was_wrong(run->table))
		return ret;
	return refuse_selects(run, "two counters of the same clock have shown",
			      error);
}
