/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/cold.h"
#include "base/monotonic.h"
#include "driver/amdgpu/count/reset_check.h"
#include "driver/amdgpu/count/accumulator.h"
#include "driver/amdgpu/count/core_clock.h"

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
	uint32_t khz = amd_device_info(run->gpu->dev)->timestamp_khz;

	return khz ? (timestamp - run->timestamp) * 1000 / khz : 0;
}

enum run_trouble
run_check(const struct gfx_run *run, const struct selection *selection,
	  uint64_t core_clock_total, uint64_t timestamp)
{
	uint64_t elapsed = timestamp - run->timestamp;
	size_t full;

	/* A reset may set the GPU's clock back as well. */
	if (timestamp < run->timestamp)
		return RUN_TIME_BACK;
	if (selection->core_clock && elapsed > run->core_clock_ticks &&
	    selection->numbers.totals[selection->core_clock_cell] ==
		    core_clock_total)
		return RUN_GATED;
	if (accumulator_level(selection, &full) == ACCUMULATOR_FULL)
		return RUN_FULL;
	return elapsed >= run->wrap_ticks &&
			       accumulator_may_have_wrapped(
				       run->selection, run_clock_khz(run),
				       elapsed_us(run, timestamp))
		       ? RUN_LATE
		       : RUN_FINE;
}

static int
say_reset(struct gfx_run *run)
{
	error_set(&run->failure, -ECANCELED,
		  "%s: the GPU was reset while it counted",
		  amd_device_node(run->gpu->dev));
	error_remedy(&run->failure,
		     "stop counting and start again; the kernel log (dmesg) "
		     "names the program that hung the GPU");
	return -ECANCELED;
}

static void
gfx_run_advise_clocks(struct gfx_run *run)
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

static int
say_gated(struct gfx_run *run, uint64_t timestamp)
{
	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: %s did not "
		  "advance in %" PRIu64 " us",
		  amd_device_node(run->gpu->dev),
		  run->selection->core_clock->name, elapsed_us(run, timestamp));
	gfx_run_advise_clocks(run);
	return -ENODATA;
}

static int
say_backwards(struct gfx_run *run)
{
	error_set(&run->failure, -EIO,
		  "%s: a counter went backwards: its registers were changed, "
		  "or lost power, while they counted",
		  amd_device_node(run->gpu->dev));
	gfx_run_advise_clocks(run);
	return -EIO;
}

/*
 * Report timestamps that went backwards, as with some firmware of MI300
 * (ROCm/legacy-rocm-build issue 4079).
 */
static int
say_time_back(struct gfx_run *run, uint64_t timestamp)
{
	error_set(&run->failure, -EIO,
		  "%s: the GPU's clock went backwards while it counted, from "
		  "%" PRIu64 " to %" PRIu64 ": its times are wrong",
		  amd_device_node(run->gpu->dev), run->timestamp, timestamp);
	error_remedy(&run->failure,
		     "count again; if it comes back, newer firmware of the "
		     "GPU may tell right times");
	return -EIO;
}

static int
say_late(struct gfx_run *run, uint64_t timestamp)
{
	const struct selection *selection = run->selection;
	const struct cell *cell = accumulator_narrowest(selection);
	const char *block =
		selection->core
			->blocks[selection->counters[cell->counter].block]
			.name;

	error_set(&run->failure, -EIO,
		  "%s: counters of %s, of %u bits, were not read for %" PRIu64
		  " us and may have wrapped in that time",
		  amd_device_node(run->gpu->dev), block,
		  accumulator_slot(selection, cell)->bits,
		  elapsed_us(run, timestamp));
	error_remedy(&run->failure,
		     "do not stop the program while it counts, or leave out "
		     "the counters of %s",
		     block);
	return -EIO;
}

/* "SQ_WGP.CYCLES"; events of the user's tables have but a number. */
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

static int
say_full(struct gfx_run *run, const struct selection *selection)
{
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
		  amd_device_node(run->gpu->dev), name,
		  selection->numbers.masks[cell]);
	error_remedy(&run->failure,
		     "do not stop the program while it counts, or leave out "
		     "%s",
		     name);
	return -EIO;
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

/* That of a block; others may count elsewhere. */
static int
say_still(struct gfx_run *run, const struct block_clocks *block_clocks,
	  uint64_t timestamp)
{
	char name[128];
	const struct block *block =
		name_block_clock(run, &block_clocks->all[block_clocks->stopped],
				 name, sizeof(name));

	error_set(&run->failure, -ENODATA,
		  "%s: the clock of %s stood still: %s did not advance in "
		  "%" PRIu64 " us",
		  amd_device_node(run->gpu->dev), block->name, name,
		  elapsed_us(run, timestamp));
	gfx_run_advise_clocks(run);
	return -ENODATA;
}

/* A register that is 0 may also have lost power. */
static const char *
or_lost_power(const struct readback *readback)
{
	return readback->shows ? "" : ", or the graphics core lost power";
}

static int
say_clock_off(struct gfx_run *run, const struct readback *readback)
{
	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: another program "
		  "has switched it off%s: %s became 0x%x",
		  amd_device_node(run->gpu->dev), or_lost_power(readback),
		  readback->stolen, readback->shows);
	error_remedy(&run->failure,
		     "stop counting and start again, and see that no other "
		     "program holds or changes the GPU's clocks meanwhile");
	return -ENODATA;
}

static int
say_mode_ended(struct gfx_run *run)
{
	error_set(&run->failure, -ENODATA,
		  "%s: the clock of the counters stood still: the clock mode "
		  "in which they were counting has been ended%s",
		  amd_device_node(run->gpu->dev),
		  run->clock.held ? " in sysfs" : " by another program");
	error_remedy(&run->failure,
		     "stop counting and start again: drmperf then holds the "
		     "mode itself");
	return -ENODATA;
}

static int
say_stolen(struct gfx_run *run, const struct readback *readback)
{
	if (readback->clock_is_off)
		return say_clock_off(run, readback);
	error_set(&run->failure, -EIO,
		  "%s: another profiler took the counters%s: %s became 0x%x",
		  amd_device_node(run->gpu->dev), or_lost_power(readback),
		  readback->stolen, readback->shows);
	gfx_run_advise_clocks(run);
	return -EIO;
}

int
run_explain(struct gfx_run *run, const struct selection *selection,
	    const struct ibs *ibs, enum run_trouble trouble, uint64_t timestamp)
{
	if (trouble == RUN_FINE)
		return 0;
	if (trouble != RUN_LATE && trouble != RUN_FULL && trouble != RUN_STILL)
		slot_table_invalidate(run->table);
	if (amd_context_was_reset(run->ctx))
		return say_reset(run);
	switch (trouble) {
	case RUN_GATED:
		return say_gated(run, timestamp);
	case RUN_STILL:
		return say_still(run, &ibs->block_clocks, timestamp);
	case RUN_LATE:
		return say_late(run, timestamp);
	case RUN_FULL:
		return say_full(run, selection);
	case RUN_STOLEN:
		return say_stolen(run, &ibs->readback);
	case RUN_TIME_BACK:
		return say_time_back(run, timestamp);
	case RUN_MODE_ENDED:
		return say_mode_ended(run);
	case RUN_BACKWARDS:
	case RUN_FINE:
		break;
	}
	return say_backwards(run);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static uint64_t
core_clock_total(const struct selection *selection)
{
	return selection->core_clock
		       ? selection->numbers.totals[selection->core_clock_cell]
		       : 0;
}

int
run_tell(struct gfx_run *run, int ret)
{
	if (ret == -ECANCELED)
		slot_table_invalidate(run->table);
	return ret;
}

void
run_note_steering(const struct gfx_run *run, const struct ibs *ibs)
{
	if (ibs->index_is_unread)
		log_write(&run->gpu->log, DRMPERF_LOG_INFO,
			  "%s: GRBM_GFX_INDEX does not read back: what the "
			  "kernel writes to it during a sample goes unnoticed",
			  amd_device_node(run->gpu->dev));
}

int
run_say_lost(struct gfx_run *run)
{
	if (amd_context_was_reset(run->ctx))
		return say_reset(run);
	error_set(&run->failure, -ECANCELED,
		  "%s: another process that counts has seen the counters lose "
		  "their values",
		  amd_device_node(run->gpu->dev));
	error_remedy(&run->failure, "stop counting and start again");
	return -ECANCELED;
}

COLD bool
run_lose_core_clock(struct gfx_run *run)
{
	struct selection *selection = run->selection;

	if (!selection->core_clock_gives_way ||
	    slot_table_has(run->table, selection, selection->core_clock_cell))
		return false;
	core_clock_give_up(selection);
	return true;
}

/* Once for each block of an open GPU. */
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
		  "only while %s has work; drmperf selftest tells which",
		  amd_device_node(run->gpu->dev), block->name, name,
		  block->name);
}

/*
 * Return whether the event shows that the block's clock stood still; warn if it
 * may have. An event that others have replaced, or that is full, shows nothing.
 */
static bool
has_stopped(const struct gfx_run *run, struct block_clocks *block_clocks,
	    unsigned i)
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

COLD static enum run_trouble
look_at_block_clocks(const struct gfx_run *run, struct ibs *ibs, uint32_t still)
{
	struct block_clocks *block_clocks = &ibs->block_clocks;

	if (ibs_sample(ibs)->timestamp - run->timestamp <=
	    run->core_clock_ticks)
		return RUN_FINE;
	for (; still; still &= still - 1) {
		block_clocks->stopped = (unsigned)__builtin_ctz(still);
		if (has_stopped(run, block_clocks, block_clocks->stopped))
			return RUN_STILL;
	}
	return RUN_FINE;
}

enum run_trouble
run_check_block_clocks(const struct gfx_run *run, struct ibs *ibs)
{
	return look_at_block_clocks(
		run, ibs,
		block_clocks_stopped(&ibs->block_clocks, ibs_sample(ibs)));
}

COLD static enum run_trouble
look_closer(struct gfx_run *run, uint64_t before, uint32_t still)
{
	const uint64_t timestamp = ibs_sample(run->ibs)->timestamp;
	enum run_trouble trouble =
		run_check(run, run->selection, before, timestamp);

	if (trouble == RUN_GATED && run_lose_core_clock(run))
		trouble = run_check(run, run->selection, before, timestamp);
	return trouble ? trouble : look_at_block_clocks(run, run->ibs, still);
}

/*
 * Return what is wrong after a sample. Most of what run_check() looks for
 * cannot be where the core clock's event has counted and no counter can have
 * run full or wrapped.
 */
static inline enum run_trouble
gfx_run_check(struct gfx_run *run)
{
	struct selection *selection = run->selection;
	const struct commands_sample *sample = ibs_sample(run->ibs);
	const uint64_t before = core_clock_total(selection);
	const uint32_t still =
		block_clocks_stopped(&run->ibs->block_clocks, sample);

	if (accumulator_add(selection, sample))
		return RUN_BACKWARDS;
	if (core_clock_total(selection) != before && !selection->saturates &&
	    !still && sample->timestamp - run->timestamp < run->wrap_ticks &&
	    sample->timestamp >= run->timestamp)
		return RUN_FINE;
	return look_closer(run, before, still);
}

COLD static int
explain(struct gfx_run *run, enum run_trouble trouble)
{
	return run_explain(run, run->selection, run->ibs, trouble,
			   ibs_sample(run->ibs)->timestamp);
}

COLD static int
explain_stolen(struct gfx_run *run)
{
	readback_name_overwritten(&run->ibs->readback, ibs_sample(run->ibs));
	return explain(run, RUN_STOLEN);
}

/*
 * A reset check of which a sample says neither that it holds nor that it is
 * gone.
 */
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
 * A set of IBs has no reset check but the table's, and may be older than that.
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
		ibs->marked = now;
		return true;
	case RESET_CHECK_RESET:
		return false;
	case RESET_CHECK_UNRELIABLE:
		break;
	}
	return give_up_reset_check(run);
}

bool
run_is_marked(const struct gfx_run *run, struct ibs *ibs)
{
	const int32_t now = reset_check_difference(ibs_sample(ibs));

	return !ibs->reset_check.block || (now && now == ibs->marked) ||
	       look_for_reset_check(run, ibs);
}

/* Up to this sample the mode has lasted if it lasts now. */
COLD static bool
ask_for_mode(struct gfx_run *run)
{
	run->members = slot_table_members(run->table);
	return clock_mode_lasts(&run->clock, run->ctx);
}

bool
run_mode_has_ended(struct gfx_run *run)
{
	if (!run->clock.is_stable)
		return false;
	if (run->clock.held && run->members == slot_table_members(run->table))
		return false;
	return !ask_for_mode(run);
}

/*
 * The command processor has given the SQ's control registers to another ring,
 * where all else shows that the counters are ours; samples write them.
 */
COLD static bool
forgives(struct gfx_run *run, struct ibs *ibs)
{
	struct core *core = &run->gpu->core;

	if (!readback_has_lost_owner(&ibs->readback, ibs_sample(ibs)) ||
	    !run_is_marked(run, ibs))
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

/*
 * Check and accept the result of an IB that begins with a sample of all cells.
 */
static inline int
take_in(struct gfx_run *run)
{
	enum run_trouble trouble = gfx_run_check(run);

	if (trouble)
		return explain(run, trouble);
	run->timestamp = ibs_sample(run->ibs)->timestamp;
	return 0;
}

/*
 * Clear saturating counters; between the two samples of this, their counts are
 * lost.
 */
static int
gfx_run_clear(struct gfx_run *run)
{
	struct selection *selection = run->selection;
	int ret = run_tell(run, ibs_run(run->ibs, IB_CLEAR, &run->failure));

	if (!ret)
		ret = take_in(run);
	if (!ret)
		accumulator_begin_saturating(
			selection,
			&ibs_sample(run->ibs)->results[run->ibs->again]);
	return ret;
}

/*
 * Clear saturating counters if they are nearly full. Counters that other
 * processes read cannot be cleared: they run full.
 */
COLD static int
clear_if_full(struct gfx_run *run)
{
	size_t full;

	if (accumulator_level(run->selection, &full) == ACCUMULATOR_LOW ||
	    slot_table_others(run->table, false))
		return 0;
	return gfx_run_clear(run);
}

/* IB_SAMPLE has run. */
static inline int
take_in_sample(struct gfx_run *run)
{
	struct ibs *ibs = run->ibs;
	int ret;

	if (!readback_holds(&ibs->readback, ibs_sample(ibs)) &&
	    !forgives(run, ibs))
		return explain_stolen(run);
	if (!run_is_marked(run, ibs))
		return explain(run, RUN_BACKWARDS);
	if (run_mode_has_ended(run))
		return explain(run, RUN_MODE_ENDED);
	ret = take_in(run);
	return !ret && run->selection->saturates ? clear_if_full(run) : ret;
}

static inline int
lock_table(struct gfx_run *run)
{
	int ret = slot_table_lock_counting(run->table, &run->failure);

	return ret == -ECANCELED ? run_say_lost(run) : ret;
}

void
run_publish(struct gfx_run *run)
{
	latest_publish(&run->latest, run->selection, run->timestamp,
		       amd_context_ran_ns(run->ctx));
}

/* A sample has been taken in, or has failed. */
static inline void
note_sample(struct gfx_run *run, int ret)
{
	if (!run->latest.is_wanted)
		return;
	if (ret)
		latest_forget(&run->latest);
	else
		run_publish(run);
}

/* Bring all totals up to date; what goes wrong is put into run->failure. */
static inline int
take_sample_alone(struct gfx_run *run)
{
	int ret = lock_table(run);

	if (ret)
		return ret;
	ret = ibs_take_sample(run->ibs, &run->failure);
	ret = ret ? run_tell(run, ret) : take_in_sample(run);
	slot_table_unlock(run->table);
	note_sample(run, ret);
	return ret;
}

/*
 * Return whether the thread is to sample now: narrow counters do not wait, nor
 * do reads of the latest values while there are any.
 */
static bool
is_time_to_sample(struct gfx_run *run)
{
	const uint64_t now = monotonic_ns();

	if (!run->latest.is_wanted || latest_is_watched(&run->latest, now))
		return true;
	return run->keep_ns &&
	       now >= amd_context_ran_ns(run->ctx) + run->keep_ns;
}

static void
gfx_run_keep_values(void *data)
{
	struct gfx_run *run = data;

	pthread_mutex_lock(&run->mutex);
	if (!run->failure.code && is_time_to_sample(run) &&
	    take_sample_alone(run))
		run_fail(run, NULL);
	pthread_mutex_unlock(&run->mutex);
}

/* A thread samples as well; a handler of a signal neither waits nor logs. */
COLD static int
enter(struct gfx_run *run, bool at_once)
{
	if (at_once && amd_context_is_shown(run->ctx))
		return -EAGAIN;
	if (!run->thread)
		return 0;
	if (!at_once)
		return -pthread_mutex_lock(&run->mutex);
	return pthread_mutex_trylock(&run->mutex) ? -EAGAIN : 0;
}

static inline int
begin_read(struct gfx_run *run, enum drmperf_read_mode mode,
	   struct drmperf_error *error)
{
	const bool at_once = mode == DRIVER_READ_AT_ONCE;
	int ret = 0;

	if (!run->started)
		return error_set(error, -EINVAL, "nothing counts");
	if (run->thread || at_once)
		ret = enter(run, at_once);
	if (!ret)
		amd_context_silence(run->ctx, at_once);
	return ret;
}

static inline void
end_read(struct gfx_run *run)
{
	if (run->thread)
		pthread_mutex_unlock(&run->mutex);
}

static inline void
give_values(struct gfx_run *run, uint64_t *raw, uint64_t *time_ns)
{
	*time_ns = amd_context_ran_ns(run->ctx);
	run->given = run->timestamp;
	selection_answer(run->selection, run->selection->numbers.totals, raw);
}

/*
 * Give the last sample if it is new, or if a newer one is being waited for.
 * Returns false if a sample has to be taken.
 */
COLD static bool
give_latest(struct gfx_run *run, uint64_t *raw, uint64_t *time_ns)
{
	bool is_sampling, is_given;

	if (!run->started || !run->thread)
		return false;
	if (latest_get(&run->latest, true, run->selection, raw, &run->given,
		       time_ns))
		return true;
	is_sampling = pthread_mutex_trylock(&run->mutex);
	is_given = is_sampling &&
		   latest_get(&run->latest, false, run->selection, raw,
			      &run->given, time_ns);
	if (!is_sampling)
		pthread_mutex_unlock(&run->mutex);
	return is_given;
}

static inline bool
may_give_latest(const struct gfx_run *run, enum drmperf_read_mode mode)
{
	return mode == DRMPERF_READ_LATEST && run->latest.is_wanted;
}

/*
 * Only the GPU knows its counters: all modes of reading wait for it, but that
 * of the latest values where the session that started the run asked for it.
 */
int
run_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (may_give_latest(run, mode) && give_latest(run, raw, time_ns))
		return 0;
	ret = begin_read(run, mode, error);
	if (ret)
		return ret;
	if (run->failure.code || take_sample_alone(run))
		ret = run_fail(run, error);
	else
		give_values(run, raw, time_ns);
	end_read(run);
	return ret;
}

/*
 * Submit a sample, and keep the table locked until it has been read: another
 * process would select events that were read in its place.
 */
static int
submit_alone(struct gfx_run *run)
{
	int ret = lock_table(run);

	if (ret)
		return ret;
	ret = ibs_submit_sample(run->ibs, &run->failure);
	if (ret) {
		run_tell(run, ret);
		slot_table_unlock(run->table);
	}
	return ret;
}

int
run_submit_sample(void *data, enum drmperf_read_mode mode,
		  struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	/* the rest of such a read hardly waits */
	run->gives_latest = may_give_latest(run, mode);
	if (run->gives_latest)
		return 0;
	ret = begin_read(run, mode, error);
	if (ret)
		return ret;
	if (run->failure.code || submit_alone(run)) {
		ret = run_fail(run, error);
		end_read(run);
	}
	return ret;
}

int
run_wait_sample(void *data, bool briefly, uint64_t *raw, uint64_t *time_ns,
		struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (run->gives_latest)
		return run_sample(run, DRMPERF_READ_LATEST, raw, time_ns,
				  error);
	ret = ibs_wait_sample(run->ibs, briefly, &run->failure);
	if (ret == SUBMISSION_RUNS)
		return DRIVER_SAMPLE_PENDING;
	ret = ret ? run_tell(run, ret) : take_in_sample(run);
	slot_table_unlock(run->table);
	note_sample(run, ret);
	if (ret)
		ret = run_fail(run, error);
	else
		give_values(run, raw, time_ns);
	end_read(run);
	return ret;
}

int
run_keep(struct gfx_run *run, const struct selection *selection,
	 struct drmperf_error *error)
{
	uint64_t period_ms =
		accumulator_period_ms(selection, run_clock_khz(run));
	int ret;

	run->keep_ns = period_ms * 1000000;
	if (run->latest.is_wanted)
		period_ms = LATEST_PERIOD_MS;
	ret = latest_reserve(&run->latest, selection_total_count(selection));
	if (ret)
		return error_set(error, ret, "no memory");
	if (!period_ms || run->thread)
		return 0;
	ret = periodic_thread_create((unsigned)period_ms, gfx_run_keep_values,
				     run, &run->thread);
	if (ret)
		error_set(error, ret, "cannot start a thread: %s",
			  strerror(-ret));
	return ret;
}
