/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 5: a known number of waves is launched and counted, with each of the
 * two switches that may let the SQ count them.
 *
 * Registers of compute: Linux gc_9_0_offset.h; the same from gfx7 to gfx12.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "driver/amdgpu/selftest/dies.h"
#include "driver/amdgpu/selftest/stages.h"
#include "driver/amdgpu/selftest/trial.h"

/* A prime, so that nothing divides or rounds it unseen. */
#define WAVES 10007u
#define THREADS 64u /* one wave of as many lanes, on gfx10 and later as well */

/* Instructions are fetched beyond the end of a shader. */
#define PROGRAM_DWORDS 64u
#define DONE PROGRAM_DWORDS
#define RESULTS (PROGRAM_DWORDS + 1)

/* s_endpgm, of the ISA documents */
#define END_OF_PROGRAM 0xbf810000u
#define END_OF_PROGRAM_GFX11 0xbfb00000u

/* Of COMPUTE_PGM_RSRC1 */
#define FLOAT_MODE (0xc0u << 12)
#define DX10_CLAMP (1u << 21) /* means something else on gfx12 */

#define FORCE_EN 1u

enum compute_register {
	COMPUTE_START_X = 0xb810,
	COMPUTE_NUM_THREAD_X = 0xb81c,
	COMPUTE_PGM_LO = 0xb830,
	COMPUTE_PGM_RSRC1 = 0xb848,
	COMPUTE_RESOURCE_LIMITS = 0xb854,
	COMPUTE_STATIC_THREAD_MGMT_SE0 = 0xb858,
	COMPUTE_TMPRING_SIZE = 0xb860,
	COMPUTE_STATIC_THREAD_MGMT_SE2 = 0xb864,
};

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
set_register(struct pm4 *pm4, uint32_t byte, uint32_t value)
{
	pm4_set_sh(pm4, pm4_sh((struct pm4_register){ byte }), value);
}

static void
set_pair(struct pm4 *pm4, uint32_t byte, uint32_t first, uint32_t second)
{
	set_register(pm4, byte, first);
	set_register(pm4, byte + 4, second);
}

static void
set_shader(struct pm4 *pm4, uint64_t program)
{
	uint32_t clamp = pm4->level < 12 ? DX10_CLAMP : 0;

	set_pair(pm4, COMPUTE_START_X, 0, 0);
	set_register(pm4, COMPUTE_START_X + 8, 0);
	set_pair(pm4, COMPUTE_NUM_THREAD_X, THREADS, 1);
	set_register(pm4, COMPUTE_NUM_THREAD_X + 8, 1);
	set_pair(pm4, COMPUTE_PGM_LO, (uint32_t)(program >> 8),
		 (uint32_t)(program >> 40));
	set_pair(pm4, COMPUTE_PGM_RSRC1, FLOAT_MODE | clamp, 0);
	set_register(pm4, COMPUTE_RESOURCE_LIMITS, 0);
	set_pair(pm4, COMPUTE_STATIC_THREAD_MGMT_SE0, UINT32_MAX, UINT32_MAX);
	set_register(pm4, COMPUTE_TMPRING_SIZE, 0);
	set_pair(pm4, COMPUTE_STATIC_THREAD_MGMT_SE2, UINT32_MAX, UINT32_MAX);
}

static void
write_waves(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct way *way = data;
	const struct core_control *enable =
		&core->controls[CORE_COMPUTE_PERFCOUNT_ENABLE];

	set_shader(pm4, results);
	if (enable->reg.byte)
		pm4_set_sh(pm4, pm4_sh(enable->reg),
			   way->enabled ? enable->value : enable->reset);
	pm4_dispatch(pm4, WAVES);
	pm4_wait_idle(pm4);
	/* The window that is open on graphics leaves it on. */
	if (enable->reg.byte && way->engine == PM4_ENGINE_COMPUTE)
		pm4_set_sh(pm4, pm4_sh(enable->reg), enable->reset);
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
	uint32_t program[PROGRAM_DWORDS], results[RESULTS];
	const struct experiment experiment = {
		.claim = way->claim,
		.expected = way->expected,
		.what = "waves launched",
		.engine = way->engine,
		.write = write_waves,
		.data = way,
		.results = RESULTS,
		.given = program,
		.given_count = PROGRAM_DWORDS,
		.done = DONE,
	};

	for (unsigned i = 0; i < PROGRAM_DWORDS; i++)
		program[i] = bench->gpu->core.level < 11 ? END_OF_PROGRAM
							 : END_OF_PROGRAM_GFX11;
	return bench_run(bench, &experiment, results);
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
	right = sum == (way->counts ? WAVES : 0);
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
