/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 6: a counter of 32 bits that is full, and one whose result is written.
 * AMD PAL takes those of SQ_WGP for saturating (gfx9PerfExperiment.cpp); only
 * the GPU can show it.
 *
 * The sequencer's own cycles fill one in two to four seconds.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/trial.h"

#define EVENT "CYCLES"
#define FULL UINT32_MAX

#define WRAPS "full.wraps"
#define CLEARED "full.cleared"

#define FIRST_WAIT_NS UINT64_C(10000000)
#define WAIT_NS UINT64_C(250000000)
#define MOST_SECONDS 30
#define MOST_LOOKS (MOST_SECONDS * 4)

static const struct block *
find_narrow(const struct core *core)
{
	for (size_t i = 0; i < core->block_count; i++)
		if (core->blocks[i].saturates)
			return &core->blocks[i];
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Filling it                                                           */

enum end {
	END_UNSEEN,
	END_WRAPPED,
	END_STUCK
};

/* Return the gain in a second, by the first two samples. */
static double
trial_rate(const struct trial *trial)
{
	double khz = amd_context_info(trial->harness->ctx)->timestamp_khz;
	uint32_t gained = (uint32_t)(trial->values[1][0] - trial->values[0][0]);
	uint64_t ticks = trial->ticks[1] - trial->ticks[0];

	return ticks ? gained * khz * 1000 / (double)ticks : 0;
}

static bool
is_stuck(const struct trial *trial)
{
	return trial->values[0][0] == FULL && trial->values[1][0] == FULL;
}

/* Sample again: the last sample becomes the first of two. */
static int
take_second_sample(struct trial *trial, uint64_t wait_ns)
{
	trial->values[0][0] = trial->values[1][0];
	harness_wait(wait_ns);
	return trial_sample_once(trial, WRAPS,
				 trial->commands.core->commands.samples,
				 TRIAL_AS_LIBRARY, 1);
}

static int
trial_fill(struct trial *trial, enum end *end)
{
	int ret = 0;

	*end = END_UNSEEN;
	for (int i = 0; !ret && *end == END_UNSEEN && i < MOST_LOOKS; i++) {
		ret = take_second_sample(trial, WAIT_NS);
		if (!ret && is_stuck(trial))
			*end = END_STUCK;
		else if (!ret && trial->values[1][0] < trial->values[0][0])
			*end = END_WRAPPED;
	}
	return ret;
}

static void
check_end(const struct trial *trial, enum end end, double per_second)
{
	static const enum selftest_verdict verdicts[] = {
		[END_UNSEEN] = SELFTEST_UNKNOWN,
		[END_WRAPPED] = SELFTEST_PASS,
		[END_STUCK] = SELFTEST_NO,
	};
	static const char *const seen[] = {
		[END_UNSEEN] = "was not full yet, at",
		[END_WRAPPED] = "began again, now at",
		[END_STUCK] = "stays at",
	};

	harness_check(trial->harness, verdicts[end], WRAPS,
		      "a counter of 32 bits that is full begins again",
		      "%s." EVENT ", %.0f in a second, %s 0x%" PRIx64,
		      trial_block(trial, 0), per_second, seen[end],
		      trial->values[1][0]);
}

static int
try_full(struct trial *trial, enum end *end)
{
	enum pm4_engine engine = trial->commands.core->commands.samples;
	double per_second;
	int ret;

	ret = trial_sample_once(trial, WRAPS, engine, TRIAL_AS_LIBRARY, 0);
	if (ret)
		return ret;
	harness_wait(FIRST_WAIT_NS);
	ret = trial_sample_once(trial, WRAPS, engine, TRIAL_AS_LIBRARY, 1);
	if (ret)
		return ret;
	per_second = trial_rate(trial);
	*end = END_UNSEEN;
	/* A slow machine may have filled it since the samples. */
	if (is_stuck(trial))
		*end = END_STUCK;
	/* Not worth the time that it would take. */
	else if (per_second * MOST_SECONDS > FULL)
		ret = trial_fill(trial, end);
	if (!ret)
		check_end(trial, *end, per_second);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Emptying it                                                          */

/* Fill a counter so far that it cannot be taken for one that was cleared. */
static int
fill_a_part(struct trial *trial)
{
	int ret = 0;

	for (int i = 0; !ret && i < MOST_LOOKS; i++) {
		if (trial->values[1][0] > FULL / 8)
			return 0;
		ret = take_second_sample(trial, FIRST_WAIT_NS);
	}
	return ret;
}

static int
try_cleared(struct trial *trial)
{
	uint64_t before, cleared;
	bool right;
	int ret;

	ret = fill_a_part(trial);
	before = trial->values[1][0];
	if (!ret)
		ret = trial_clear(trial, CLEARED,
				  trial->commands.core->commands.samples, 1);
	if (ret)
		return ret;
	cleared = trial->values[1][0];
	ret = take_second_sample(trial, FIRST_WAIT_NS);
	if (ret)
		return ret;
	right = cleared < FULL / 16 && trial->values[1][0] != cleared;
	harness_check(trial->harness, right ? SELFTEST_PASS : SELFTEST_FAIL,
		      CLEARED,
		      "one that is written with 0 counts on from there",
		      "0x%" PRIx64 " became 0x%" PRIx64 ", then 0x%" PRIx64,
		      before, cleared, trial->values[1][0]);
	return 0;
}

/* ------------------------------------------------------------------ */

static int
try_counter(struct trial *trial)
{
	enum pm4_engine engine = trial->commands.core->commands.samples;
	enum end end = END_UNSEEN;
	int ret;

	ret = trial_start(trial, WRAPS, engine, true);
	if (!ret)
		ret = try_full(trial, &end);
	if (!ret && end != END_UNSEEN)
		ret = try_cleared(trial);
	return trial_stop(trial, WRAPS, engine, true, ret);
}

static int
try_with_clock(struct trial *trial)
{
	struct amd_context *ctx = trial->harness->ctx;
	int refused = amd_context_set_pstate(ctx, STABLE_PSTATE_STANDARD);
	int ret = try_counter(trial);

	if (!refused)
		amd_context_set_pstate(ctx, STABLE_PSTATE_NONE);
	return ret < 0 ? ret : 0;
}

int
stage_full(struct harness *harness)
{
	const struct block *block = find_narrow(&harness->gpu->core);
	struct trial trial;
	int ret;

	if (!stage_may_count(harness))
		return 0;
	if (!block) {
		harness_check(harness, SELFTEST_PASS, WRAPS,
			      "counters of 32 bits that are full begin again",
			      "none is so narrow");
		return 0;
	}
	ret = dies_choose(harness);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = trial_init_event(&trial, harness, block->name, EVENT);
	if (ret == -ENOENT) {
		harness_check(harness, SELFTEST_UNKNOWN, WRAPS,
			      "an event " EVENT " to fill it",
			      "%s has none, or too many instances",
			      block->name);
		return 0;
	}
	if (ret)
		return ret;
	ret = try_with_clock(&trial);
	trial_finish(&trial);
	return ret;
}
