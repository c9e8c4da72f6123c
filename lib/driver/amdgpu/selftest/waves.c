/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 5: a known number of waves is launched and counted, with each of the
 * two switches that may let the SQ count them.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "driver/amdgpu/selftest/dies.h"
#include "driver/amdgpu/selftest/launch.h"
#include "driver/amdgpu/selftest/stages.h"
#include "driver/amdgpu/selftest/trial.h"
#include "driver/amdgpu/selftest/waves.h"

#define THREADS 64u /* one wave of as many lanes, on gfx10 and later as well */

#define DONE SHADER_DWORDS
#define RESULTS (SHADER_DWORDS + 1)

#define FORCE_EN 1u

struct way {
	const char *claim, *expected;
	enum pm4_engine engine; /* that launches the waves */
	bool forced; /* FORCE_EN is set */
	bool enabled; /* COMPUTE_PERFCOUNT_ENABLE is, where they are
				 * launched */
	bool counts; /* they are hoped to be seen */
};

static const struct way ways[] = {
	{ "waves.both", "10007", PM4_ENGINE_COMPUTE, true, true, true },
	{ "waves.enable", "10007", PM4_ENGINE_COMPUTE, false, true, true },
	{ "waves.force-en", "10007", PM4_ENGINE_COMPUTE, true, false, true },
	{ "waves.neither", "0", PM4_ENGINE_COMPUTE, false, false, false },
	{ "waves.gfx", "10007", PM4_ENGINE_GFX, false, true, true },
};

/* ------------------------------------------------------------------ */
/* Commands                                                             */

static void
write_waves(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct way *way = data;
	const struct launch launch = {
		.threads = THREADS,
		.groups = WAVES_COUNT,
		.enabled = way->enabled,
		/* The window that is open on graphics leaves it on. */
		.stays_set = way->engine == PM4_ENGINE_GFX,
	};

	launch_write(pm4, core, results, &launch);
	pm4_store(pm4, 1, results + DONE * sizeof(uint32_t));
}

/* Where FORCE_EN is: from gfx11 on in two registers. */
static const enum core_register forces[] = { CORE_SQ_PERFCOUNTER_CTRL2,
					     CORE_SQG_PERFCOUNTER_CTRL2 };

static void
write_unforced(struct pm4 *pm4, const struct core *core, uint64_t results,
	       const void *data)
{
	(void)data;
	bench_set_index(pm4, core, BLOCK_BROADCAST);
	for (size_t i = 0; i < ARRAY_SIZE(forces); i++) {
		const struct core_control *control =
			&core->controls[forces[i]];

		if (control->reg.byte)
			bench_set(pm4, control->reg,
				  control->value & ~FORCE_EN);
	}
	pm4_store(pm4, 1, results);
}

/* ------------------------------------------------------------------ */

static int
launch(struct bench *bench, const struct way *way)
{
	struct shader shader;
	uint32_t results[RESULTS];
	const struct experiment experiment = {
		.claim = way->claim,
		.expected = way->expected,
		.what = "waves launched",
		.engine = way->engine,
		.write = write_waves,
		.data = way,
		.results = RESULTS,
		.given = shader.dwords,
		.given_count = SHADER_DWORDS,
		.done = DONE,
	};

	shader_begin(&shader, bench->gpu->core.level);
	shader_end(&shader);
	return bench_run(bench, &experiment, results);
}

int
waves_launch(struct bench *bench, const char *claim, const char *expected)
{
	const struct way way = { .claim = claim,
				 .expected = expected,
				 .engine = PM4_ENGINE_COMPUTE,
				 .enabled = true };

	return launch(bench, &way);
}

static int
clear_force(struct bench *bench, const struct way *way)
{
	const struct core *core = &bench->gpu->core;
	const struct experiment experiment = {
		.claim = way->claim,
		.expected = way->expected,
		.what = "FORCE_EN cleared",
		.engine = core->commands.samples,
		.write = write_unforced,
		.results = 1,
	};
	uint32_t done;

	if (way->forced || !core->controls[CORE_SQ_PERFCOUNTER_CTRL2].reg.byte)
		return 0;
	return bench_run(bench, &experiment, &done);
}

static void
claim_waves(const struct trial *trial, const struct way *way)
{
	uint64_t sum = 0;
	bool right;

	for (size_t i = 0; i < trial->commands.read_count; i++)
		sum += trial->values[1][i] - trial->values[0][i];
	right = sum == (way->counts ? WAVES_COUNT : 0);
	bench_claim(trial->bench, right ? SELFTEST_PASS : SELFTEST_FAIL,
		    way->claim, way->expected, "%" PRIu64, sum);
}

static int
try_way(struct trial *trial, const struct way *way)
{
	struct bench *bench = trial->bench;
	enum pm4_engine engine = bench->gpu->core.commands.samples;
	int ret;

	ret = trial_start(trial, way->claim, engine, true);
	if (!ret)
		ret = clear_force(bench, way);
	if (!ret)
		ret = trial_sample_once(trial, way->claim, engine,
					TRIAL_AS_LIBRARY, 0);
	if (!ret)
		ret = launch(bench, way);
	if (!ret)
		ret = trial_sample_once(trial, way->claim, engine,
					TRIAL_AS_LIBRARY, 1);
	if (!ret)
		claim_waves(trial, way);
	return trial_stop(trial, way->claim, engine, true, ret);
}

static bool
can_be_tried(const struct trial *trial, const struct way *way)
{
	const struct core *core = trial->commands.core;

	return trial_has_ring(trial, way->engine) &&
	       (!way->forced ||
		core->controls[CORE_SQ_PERFCOUNTER_CTRL2].reg.byte);
}

static int
try_ways(struct trial *trial)
{
	struct bench *bench = trial->bench;
	int refused = channel_set_clock(bench->channel, CHANNEL_CLOCK_STANDARD);
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(ways); i++)
		if (can_be_tried(trial, &ways[i]))
			ret = try_way(trial, &ways[i]);
	if (!refused)
		channel_set_clock(bench->channel, CHANNEL_CLOCK_NORMAL);
	return ret < 0 ? ret : 0;
}

int
stage_waves(struct bench *bench)
{
	struct trial trial;
	int ret;

	if (!stage_may_count(bench))
		return 0;
	ret = dies_choose(bench);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = trial_init_event(&trial, bench, "SQ", "WAVES");
	if (ret == -ENOENT) {
		bench_claim(bench, SELFTEST_UNKNOWN, "waves", "SQ.WAVES",
			    "the table has no such event");
		return 0;
	}
	if (ret)
		return ret;
	ret = try_ways(&trial);
	trial_finish(&trial);
	return ret;
}
