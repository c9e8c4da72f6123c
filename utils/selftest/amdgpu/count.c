/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 4: events that run by themselves are counted, as the library counts
 * them, on each ring; then by less and less of what it does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "driver/amdgpu/quirks/quirks.h"
#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/sync.h"
#include "selftest/amdgpu/trial.h"

#define MOST_WRONG 0.01
#define MOST_FACTOR 2

struct counting {
	struct trial trial;
	double mhz; /* of the graphics core; 0: not known */
	/* the event of graphics runs where all is done that could be needed */
	bool graphics;
};

/* ------------------------------------------------------------------ */
/* Checks                                                               */

/* told: what does not run anyhow tells nothing. */
static void
check_moved(const struct trial *trial, const char *name, int read, bool told)
{
	enum selftest_verdict verdict =
		harness_answer(trial_moved(trial, read));

	harness_check(trial->harness, told ? verdict : SELFTEST_UNKNOWN, name,
		      "it moves", "%s.%s moved by %" PRIu64,
		      trial_block(trial, read), trial->events[read],
		      trial->values[1][read] - trial->values[0][read]);
}

static double
seen_mhz(const struct trial *trial, int read)
{
	double khz = amd_context_info(trial->harness->ctx)->timestamp_khz;
	double ticks = (double)(trial->ticks[1] - trial->ticks[0]);
	double count =
		(double)(trial->values[1][read] - trial->values[0][read]);

	return khz > 0 && ticks > 0 ? count / ticks * khz / 1000 : 0;
}

/*
 * Compare cycles of the graphics core with time. The ring passes if they are in
 * the range that is possible; how exactly the clock is held is reported only: a
 * GPU that is hot, or whose kernel names another frequency, counts as well.
 */
static void
check_rate(const struct counting *counting, const char *name,
	   enum pm4_engine engine, int grbm)
{
	const struct harness *harness = counting->trial.harness;
	double hoped = counting->mhz, mhz = seen_mhz(&counting->trial, grbm);
	bool counts = mhz > 0 && (hoped <= 0 || (mhz < hoped * MOST_FACTOR &&
						 mhz > hoped / MOST_FACTOR));
	char rate[HARNESS_NAME_SIZE], expected[64];

	if (hoped > 0)
		snprintf(expected, sizeof(expected),
			 "GRBM.COUNT between half and twice %.0f MHz", hoped);
	else
		snprintf(expected, sizeof(expected), "GRBM.COUNT moves");
	harness_check(harness, counts ? SELFTEST_PASS : SELFTEST_FAIL, name,
		      expected, "%.1f MHz", mhz);
	if (!counts || hoped <= 0)
		return;
	snprintf(expected, sizeof(expected),
		 "GRBM.COUNT at %.0f MHz within 1 %%", hoped);
	harness_check(harness,
		      harness_answer(mhz <= hoped * (1 + MOST_WRONG) &&
				     mhz >= hoped * (1 - MOST_WRONG)),
		      harness_name(rate, engine, "rate"), expected, "%.1f MHz",
		      mhz);
}

/*
 * Check that any block moves: if none does, counting does not work, whatever
 * GRBM does.
 */
static void
check_any(const struct trial *trial, enum pm4_engine engine)
{
	char name[HARNESS_NAME_SIZE];
	unsigned count = 0, of = 0;

	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		if (trial_is_graphics(trial, i) ||
		    !strcmp(trial_block(trial, i), "GRBM"))
			continue;
		of++;
		count += trial_moved(trial, i);
	}
	if (of)
		harness_check(trial->harness,
			      count ? SELFTEST_PASS : SELFTEST_FAIL,
			      harness_name(name, engine, "moves"),
			      "counters of some block move", "%u of %u moved",
			      count, of);
}

/* ------------------------------------------------------------------ */
/* On a ring                                                            */

static int
try_library(struct counting *counting, const char *check,
	    enum pm4_engine engine)
{
	struct trial *trial = &counting->trial;
	int grbm = trial_find(trial, "GRBM"), read = trial_find(trial, NULL);
	char name[HARNESS_NAME_SIZE], word[40];
	int ret = trial_sample(trial, check, engine, TRIAL_AS_LIBRARY);

	if (ret)
		return ret;
	if (grbm >= 0)
		check_rate(counting, check, engine, grbm);
	check_any(trial, engine);
	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		if (trial_is_graphics(trial, i))
			continue;
		snprintf(word, sizeof(word), "moves.%s", trial_block(trial, i));
		check_moved(trial, harness_name(name, engine, word), i, true);
	}
	if (engine == PM4_ENGINE_GFX && read >= 0)
		counting->graphics = trial_moved(trial, read);
	return 0;
}

/*
 * Check for blocks whose clock the library counts in addition to the requests.
 */
static void
check_clocks(const struct trial *trial, enum pm4_engine engine)
{
	const struct core *core = trial->commands.core;
	char name[HARNESS_NAME_SIZE], word[40];

	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		const struct commands_read *read = &trial->reads[i];
		const struct block *block = &core->blocks[read->block];

		if (block->clock == BLOCK_CLOCK_NONE || block->graphics)
			continue;
		snprintf(word, sizeof(word), "unheld.%s", block->name);
		check_moved(trial, harness_name(name, engine, word), i, true);
	}
}

/*
 * Count without a clock mode: while one is held, the kernel lets no clock of an
 * idle block stop. Where counting holds none, they may.
 */
static int
try_unheld(struct counting *counting, enum pm4_engine engine)
{
	struct trial *trial = &counting->trial;
	char check[HARNESS_NAME_SIZE];
	int ret;

	if (!trial_has_ring(trial, engine))
		return 0;
	harness_name(check, engine, "unheld");
	ret = trial_start(trial, check, engine, true);
	if (!ret)
		ret = trial_sample(trial, check, engine, TRIAL_AS_LIBRARY);
	if (!ret)
		check_clocks(trial, engine);
	return trial_stop(trial, check, engine, true, ret);
}

static int
try_latch(struct counting *counting, enum pm4_engine engine,
	  enum trial_latch latch)
{
	struct trial *trial = &counting->trial;
	const char *by = latch == TRIAL_EVENT ? "event" : "bit";
	int read = trial_find(trial, NULL), grbm = trial_find(trial, "GRBM");
	char name[HARNESS_NAME_SIZE], word[24];
	int ret;

	snprintf(word, sizeof(word), "latch-%s", by);
	ret = trial_sample(trial, harness_name(name, engine, word), engine,
			   latch);
	if (ret)
		return ret;
	if (grbm >= 0)
		check_moved(trial, name, grbm, true);
	if (read < 0 || !trial_latches(trial, read))
		return 0;
	snprintf(word, sizeof(word), "graphics-%s", by);
	check_moved(trial, harness_name(name, engine, word), read,
		    counting->graphics);
	return 0;
}

static int
try_ring(struct counting *counting, enum pm4_engine engine)
{
	char check[HARNESS_NAME_SIZE];
	int ret;

	harness_name(check, engine, "count");
	ret = trial_start(&counting->trial, check, engine, true);
	if (!ret)
		ret = try_library(counting, check, engine);
	if (!ret)
		ret = try_latch(counting, engine, TRIAL_EVENT);
	if (ret >= 0)
		ret = try_latch(counting, engine, TRIAL_BIT);
	return trial_stop(&counting->trial, check, engine, true, ret);
}

/* Try to count graphics on a ring without commands to start it. */
static int
try_unstarted(struct counting *counting)
{
	static const char check[] = "gfx.unstarted";
	struct trial *trial = &counting->trial;
	int read = trial_find(trial, NULL);
	int ret;

	if (read < 0 || !trial_latches(trial, read) ||
	    !trial_has_ring(trial, PM4_ENGINE_GFX) ||
	    !trial_has_ring(trial, PM4_ENGINE_COMPUTE))
		return 0;
	ret = trial_start(trial, check, PM4_ENGINE_COMPUTE, false);
	if (!ret)
		ret = trial_sample(trial, check, PM4_ENGINE_GFX,
				   TRIAL_EVENT | TRIAL_BIT);
	if (!ret)
		check_moved(trial, check, read, counting->graphics);
	return trial_stop(trial, check, PM4_ENGINE_COMPUTE, false, ret);
}

/* ------------------------------------------------------------------ */
/* The clock of counters                                                */

static void
write_gate(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	(void)data;
	harness_set(pm4, core->controls[CORE_RLC_PERFMON_CLK_CNTL].reg, 0);
	pm4_store(pm4, 1, results);
}

static void
check_ungated(const struct trial *trial, const char *check)
{
	unsigned count = 0, of = 0;

	for (int i = 0; i < (int)trial->commands.read_count; i++) {
		of += !trial_is_graphics(trial, i);
		count += !trial_is_graphics(trial, i) && trial_moved(trial, i);
	}
	harness_check(trial->harness, harness_answer(count == of), check,
		      "counters move without the bit", "%u of %u moved", count,
		      of);
}

/*
 * Count with RLC_PERFMON_CLK_CNTL cleared. GRBM may go on where others stand
 * still.
 */
static int
try_gated(struct counting *counting)
{
	static const char check[] = "clock-bit.0";
	struct trial *trial = &counting->trial;
	const struct core *core = trial->commands.core;
	enum pm4_engine engine = core->commands.samples;
	int ret;

	if (!core->controls[CORE_RLC_PERFMON_CLK_CNTL].reg.byte)
		return 0;
	ret = trial_start(trial, check, engine, true);
	if (!ret)
		ret = harness_run_commands(
			trial->harness, check, "its commands come back",
			"RLC_PERFMON_CLK_CNTL cleared", write_gate);
	if (!ret)
		ret = trial_sample(trial, check, engine, TRIAL_AS_LIBRARY);
	if (!ret)
		check_ungated(trial, check);
	return trial_stop(trial, check, engine, true, ret);
}

/* ------------------------------------------------------------------ */

static int
try_without_clock(struct counting *counting)
{
	int ret;

	if (gpu_needs_clock(counting->trial.harness->gpu))
		return 0;
	ret = try_unheld(counting, PM4_ENGINE_GFX);
	return ret < 0 ? ret : try_unheld(counting, PM4_ENGINE_COMPUTE);
}

static int
try_all(struct counting *counting)
{
	struct trial *trial = &counting->trial;
	int ret = 0;

	/* graphics first: it shows whether its event runs at all */
	if (trial_has_ring(trial, PM4_ENGINE_GFX))
		ret = try_ring(counting, PM4_ENGINE_GFX);
	if (ret >= 0 && trial_has_ring(trial, PM4_ENGINE_COMPUTE))
		ret = try_ring(counting, PM4_ENGINE_COMPUTE);
	if (ret >= 0)
		ret = try_unstarted(counting);
	return ret < 0 ? ret : try_gated(counting);
}

/*
 * Try in a power state that holds the clock still, if there is one to be had.
 */
static int
try_with_clock(struct counting *counting)
{
	struct harness *harness = counting->trial.harness;
	int refused =
		amd_context_set_pstate(harness->ctx, STABLE_PSTATE_STANDARD);
	enum selftest_verdict verdict = harness_answer(!refused);
	uint64_t mhz = 0;
	int ret;

	/* where counting needs none, it is as well to know */
	if (refused && gpu_needs_clock(harness->gpu))
		verdict = SELFTEST_FAIL;
	harness_check(harness, verdict, "clock-mode.profiling",
		      "it can be held", "%s",
		      refused ? strerrordesc_np(-refused) : "it is held");
	if (!refused &&
	    !amd_device_read_sensor(harness->gpu->dev,
				    AMD_SENSOR_STABLE_PSTATE_GFX_SCLK, &mhz))
		counting->mhz = (double)mhz;
	ret = try_all(counting);
	if (ret >= 0)
		ret = guards_try(harness);
	if (!refused)
		amd_context_set_pstate(harness->ctx, STABLE_PSTATE_NONE);
	return ret < 0 ? ret : 0;
}

/* Take over what a run before has found. */
static bool
take_over_results(const struct harness *harness)
{
	struct drmperf_error error;
	struct selftest_results results;
	bool work;

	if (!*harness->memory->results ||
	    results_read(&results, harness->memory->results, &error))
		return false;
	work = results_find(&results, "addresses") == RESULT_PASS;
	quirks_sync(&harness->gpu->core, &results);
	results_finish(&results);
	return work;
}

bool
stage_may_count(const struct harness *harness)
{
	bool worked = take_over_results(harness);

	if (worked || harness->memory->addresses_work)
		return true;
	harness_check(harness, SELFTEST_UNKNOWN, "count",
		      "that stage 3 has passed", "it has not, or not here");
	return false;
}

int
stage_count(struct harness *harness)
{
	struct counting counting = { .mhz = 0 };
	int ret;

	if (!stage_may_count(harness))
		return 0;
	ret = dies_choose(harness);
	if (!ret)
		ret = sync_try_graphics(harness);
	if (ret < 0)
		return ret;
	ret = trial_init(&counting.trial, harness);
	if (ret)
		return ret;
	ret = try_without_clock(&counting);
	if (ret >= 0)
		ret = try_with_clock(&counting);
	trial_finish(&counting.trial);
	return ret;
}
