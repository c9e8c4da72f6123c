/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/sample.h"

#include <errno.h>
#include <string.h>

#include "base/cold.h"
#include "base/monotonic.h"
#include "driver/amdgpu/perfcounter/accumulator.h"
#include "driver/amdgpu/perfcounter/checks.h"

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

/* ------------------------------------------------------------------ */
/* Samples                                                              */

void
run_note_steering(const struct gfx_run *run, const struct ibs *ibs)
{
	if (ibs->index_is_unread)
		log_write(&run->gpu->log, DRMPERF_LOG_INFO,
			  "%s: GRBM_GFX_INDEX does not read back: what the "
			  "kernel writes to it during a sample goes unnoticed",
			  amd_device_node(run->gpu->dev));
}

/* Explain a problem of the run's own sample. */
COLD static int
explain_sample(struct gfx_run *run, enum sample_status status)
{
	const struct taken_sample sample = { .run = run,
					     .selection = run->selection,
					     .ibs = run->ibs };

	return checks_explain(&sample, status);
}

COLD static int
look_closer(struct gfx_run *run, enum sample_status first,
	    enum sample_status last, uint64_t core_clock)
{
	const struct taken_sample sample = { .run = run,
					     .selection = run->selection,
					     .ibs = run->ibs,
					     .core_clock_total = core_clock };

	return checks_explain(&sample, checks_find(&sample, first, last));
}

/*
 * Add up a sample and check it. If the core clock's event has advanced and no
 * counter can be full or have wrapped, the other rows of the table need not be
 * checked.
 */
static ALWAYS_INLINE int
gfx_run_check(struct gfx_run *run, const struct commands_sample *sample)
{
	struct selection *selection = run->selection;
	const uint64_t *const clock =
		&selection->numbers.totals[selection->core_clock_cell];
	const uint64_t before = *clock;
	const uint32_t still =
		block_clocks_stopped(&run->ibs->block_clocks, sample);

	if (accumulator_add(selection, sample))
		return explain_sample(run, SAMPLE_WENT_BACK);
	if (selection->core_clock && *clock != before &&
	    !selection->saturates && !still &&
	    sample->timestamp - run->timestamp < run->wrap_ticks)
		return 0;
	return look_closer(run, SAMPLE_TIME_BACK, SAMPLE_BLOCK_GATED, before);
}

/*
 * Check and accept the result of an IB that begins with a sample of all cells.
 */
static ALWAYS_INLINE int
check_ib_result(struct gfx_run *run)
{
	const struct commands_sample *sample = ibs_sample(run->ibs);
	int ret = gfx_run_check(run, sample);

	if (!ret)
		run->timestamp = sample->timestamp;
	return ret;
}

/*
 * Clear saturating counters; between the two samples of this, their counts are
 * lost.
 */
static int
gfx_run_clear(struct gfx_run *run)
{
	struct selection *selection = run->selection;
	int ret =
		run_note_reset(run, ibs_run(run->ibs, IB_CLEAR, &run->failure));

	if (!ret)
		ret = check_ib_result(run);
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

/* Take in the sample that IB_SAMPLE has taken. */
static ALWAYS_INLINE int
accept_sample(struct gfx_run *run)
{
	int ret = checks_hold(run) ? 0
				   : look_closer(run, SAMPLE_OVERWRITTEN,
						 SAMPLE_MODE_ENDED, 0);

	if (!ret)
		ret = check_ib_result(run);
	return !ret && run->selection->saturates ? clear_if_full(run) : ret;
}

COLD static int
explain_unlocked(struct gfx_run *run, int ret)
{
	return ret == -ECANCELED ? checks_explain_lost(run) : ret;
}

static inline int
lock_table(struct gfx_run *run)
{
	int ret = slot_table_lock_counting(run->table, &run->failure);

	return ret ? explain_unlocked(run, ret) : 0;
}

void
run_publish(struct gfx_run *run)
{
	latest_publish(&run->latest, run->selection, run->timestamp,
		       amd_context_ran_ns(run->ctx));
}

/* Note that a sample has been taken in, or has failed. */
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
static ALWAYS_INLINE int
take_sample_alone(struct gfx_run *run)
{
	int ret = lock_table(run);

	if (ret)
		return ret;
	ret = ibs_take_sample(run->ibs, &run->failure);
	ret = ret ? run_note_reset(run, ret) : accept_sample(run);
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

/*
 * Lock the run if a thread samples as well. In a signal handler, do not wait,
 * and keep the context from logging.
 */
COLD static int
run_enter(struct gfx_run *run, bool at_once)
{
	if (at_once && amd_context_is_shown(run->ctx))
		return -EAGAIN;
	if (!run->thread)
		return 0;
	if (!at_once)
		return -pthread_mutex_lock(&run->mutex);
	return pthread_mutex_trylock(&run->mutex) ? -EAGAIN : 0;
}

static ALWAYS_INLINE int
begin_read(struct gfx_run *run, enum drmperf_read_mode mode,
	   struct drmperf_error *error)
{
	const bool at_once = mode == DRIVER_READ_AT_ONCE;
	int ret = 0;

	if (!run->started)
		return error_set(error, -EINVAL, "nothing counts");
	if (run->thread || at_once)
		ret = run_enter(run, at_once);
	if (!ret && run->is_silent != at_once) {
		run->is_silent = at_once;
		amd_context_silence(run->ctx, at_once);
	}
	return ret;
}

static inline void
end_read(struct gfx_run *run)
{
	if (run->thread)
		pthread_mutex_unlock(&run->mutex);
}

static inline void
copy_values(struct gfx_run *run, uint64_t *raw, uint64_t *time_ns)
{
	*time_ns = amd_context_ran_ns(run->ctx);
	run->given = run->timestamp;
	selection_answer(run->selection, run->selection->numbers.totals, raw);
}

/*
 * Copy the last sample if it is recent, or if the GPU is being waited for.
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
 * Sample the run. Only the GPU knows its counters: all modes of reading wait
 * for it, but that of the latest values where the session that started the run
 * asked for it.
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
		copy_values(run, raw, time_ns);
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
		run_note_reset(run, ret);
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

	/* the rest of such a sample hardly waits */
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
	ret = ret ? run_note_reset(run, ret) : accept_sample(run);
	slot_table_unlock(run->table);
	note_sample(run, ret);
	if (ret)
		ret = run_fail(run, error);
	else
		copy_values(run, raw, time_ns);
	end_read(run);
	return ret;
}

int
run_ensure_thread(struct gfx_run *run, const struct selection *selection,
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
	if (!period_ms || (run->thread && period_ms >= run->thread_ms))
		return 0;
	run->thread_ms = period_ms;
	if (run->thread) {
		periodic_thread_set_period(run->thread, (unsigned)period_ms);
		return 0;
	}
	ret = periodic_thread_create((unsigned)period_ms, gfx_run_keep_values,
				     run, &run->thread);
	if (ret)
		error_set(error, ret, "cannot start a thread: %s",
			  strerror(-ret));
	return ret;
}
