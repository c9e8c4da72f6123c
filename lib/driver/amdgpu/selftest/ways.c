/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 5, first part: a known number of waves is launched and counted, with
 * each of the two switches that may let the SQ count them, wherever they come
 * from; then without masks that some drivers write and others do not.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "driver/amdgpu/selftest/dies.h"
#include "driver/amdgpu/selftest/quads.h"
#include "driver/amdgpu/selftest/shaders.h"
#include "driver/amdgpu/selftest/stages.h"
#include "driver/amdgpu/selftest/trial.h"
#include "driver/amdgpu/selftest/waves.h"

#define FORCE_EN 1u

/* Who launches the waves. */
enum whose {
	OWN_QUEUE,
	OTHER_PROCESS,
	GRAPHICS_RING
};

static const struct {
	const char *prefix;
	enum pm4_engine engine;
} places[] = {
	[OWN_QUEUE] = { "waves", PM4_ENGINE_COMPUTE },
	[OTHER_PROCESS] = { "waves.other", PM4_ENGINE_COMPUTE },
	[GRAPHICS_RING] = { "waves.gfx", PM4_ENGINE_GFX },
};

/* Where the switches are set. */
static const struct {
	const char *name;
	bool forced; /* FORCE_EN is set */
	bool enabled; /* COMPUTE_PERFCOUNT_ENABLE is, where they are launched */
	bool asks; /* what comes of it is a question */
} switches[] = {
	{ "both", true, true, false },
	{ "enable", false, true, false },
	{ "force-en", true, false, true },
	{ "neither", false, false, true },
};

/* How long it is looked whether others launch waves, before and after. */
#define QUIET_NS UINT64_C(20000000)

struct way {
	char claim[BENCH_NAME_SIZE], expected[16];
	enum whose whose;
	bool forced, enabled, asks;
	uint64_t count; /* that is hoped to be seen */
	/* right before the waves, or NULL; as bench_run() */
	int (*prepare)(struct bench *bench, const struct way *way);
};

static void
choose_way(struct way *way, enum whose whose, size_t which)
{
	*way = (struct way){ .whose = whose,
			     .forced = switches[which].forced,
			     .enabled = switches[which].enabled,
			     .asks = switches[which].asks };
	/* PERFCOUNTER_START opens the graphics ring for all that it runs */
	if (way->forced || way->enabled || whose == GRAPHICS_RING)
		way->count = WAVES_COUNT;
	snprintf(way->claim, sizeof(way->claim), "%s.%s", places[whose].prefix,
		 switches[which].name);
	snprintf(way->expected, sizeof(way->expected), "%" PRIu64, way->count);
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

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
		const struct core_control *control = &core->controls[forces[i]];

		if (control->reg.byte)
			bench_set(pm4, control->reg,
				  control->value & ~FORCE_EN);
	}
	pm4_store(pm4, 1, results);
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

/* ------------------------------------------------------------------ */

/* What the other process submits is what this one has been seen to. */
static int
launch_elsewhere(struct bench *bench, const struct way *way)
{
	const struct selftest_waves waves = { .enabled = way->enabled,
					      .die = bench->die };
	int ret;

	ret = bench_announce(bench, way->claim, way->expected,
			     "waves launched by another process");
	if (ret)
		return ret;
	ret = bench->host->elsewhere(bench->host->data, &waves);
	if (!ret)
		return 0;
	bench_claim(bench, ret == -ECANCELED ? SELFTEST_FAIL : SELFTEST_UNKNOWN,
		    way->claim, way->expected, "the other process has failed");
	return ret == -ECANCELED
		       ? error_set(bench->error, ret,
				   "another process has failed to launch waves")
		       : 1;
}

static int
launch(struct bench *bench, const struct way *way)
{
	if (way->whose == OTHER_PROCESS)
		return launch_elsewhere(bench, way);
	return waves_launch_from(bench, way->claim, way->expected,
				 places[way->whose].engine, way->enabled);
}

/* What has been counted between the two samples. */
static uint64_t
sum_waves(const struct trial *trial)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < trial->commands.read_count; i++)
		sum += trial->values[1][i] - trial->values[0][i];
	return sum;
}

/* Add to *others what comes in a while in which nothing is launched here. */
static int
count_others(struct trial *trial, const struct way *way, uint64_t *others)
{
	enum pm4_engine engine = trial->commands.core->commands.samples;
	int ret = trial_sample_once(trial, way->claim, engine, TRIAL_AS_LIBRARY,
				    0);

	if (ret)
		return ret;
	bench_wait(QUIET_NS);
	ret = trial_sample_once(trial, way->claim, engine, TRIAL_AS_LIBRARY, 1);
	if (!ret)
		*others += sum_waves(trial);
	return ret;
}

/* A count that is wrong tells nothing where others launch waves, too. */
static int
claim_waves(struct trial *trial, const struct way *way, uint64_t others)
{
	const struct bench *bench = trial->bench;
	uint64_t sum = sum_waves(trial);
	int ret = 0;

	if (sum != way->count && !others)
		ret = count_others(trial, way, &others);
	if (ret)
		return ret;
	if (sum != way->count && others)
		bench_claim(bench, SELFTEST_UNKNOWN, way->claim, way->expected,
			    "%" PRIu64 ", but other programs use the GPU", sum);
	else if (way->asks)
		bench_claim(bench, bench_answer(sum == way->count), way->claim,
			    way->expected, "%" PRIu64, sum);
	else
		bench_claim(bench,
			    sum == way->count ? SELFTEST_PASS : SELFTEST_FAIL,
			    way->claim, way->expected, "%" PRIu64, sum);
	return 0;
}

static int
try_way(struct trial *trial, const struct way *way)
{
	struct bench *bench = trial->bench;
	enum pm4_engine engine = bench->gpu->core.commands.samples;
	uint64_t others = 0;
	int ret;

	ret = trial_start(trial, way->claim, engine, true);
	if (!ret)
		ret = clear_force(bench, way);
	if (!ret)
		ret = count_others(trial, way, &others);
	if (!ret)
		ret = trial_sample_once(trial, way->claim, engine,
					TRIAL_AS_LIBRARY, 0);
	if (!ret && way->prepare)
		ret = way->prepare(bench, way);
	if (!ret)
		ret = launch(bench, way);
	if (!ret)
		ret = trial_sample_once(trial, way->claim, engine,
					TRIAL_AS_LIBRARY, 1);
	if (!ret)
		ret = claim_waves(trial, way, others);
	return trial_stop(trial, way->claim, engine, true, ret);
}

static bool
can_be_tried(const struct trial *trial, const struct way *way)
{
	const struct core *core = trial->commands.core;

	return trial_has_ring(trial, places[way->whose].engine) &&
	       (!way->forced ||
		core->controls[CORE_SQ_PERFCOUNTER_CTRL2].reg.byte);
}

static int
try_ways(struct trial *trial)
{
	struct way way;
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		for (size_t k = 0; ret >= 0 && k < ARRAY_SIZE(switches); k++) {
			choose_way(&way, (enum whose)i, k);
			if (can_be_tried(trial, &way))
				ret = try_way(trial, &way);
		}
	return ret < 0 ? ret : 0;
}

/* ------------------------------------------------------------------ */
/* Masks                                                                */

/* Of SQ_PERFCOUNTER_CTRL; those of VMIDs are above. */
#define STAGES 0xffffu

static void
write_unmasked(struct pm4 *pm4, const struct core *core, uint64_t results,
	       const void *data)
{
	const struct core_control *control =
		&core->controls[CORE_SQ_PERFCOUNTER_CTRL];

	(void)data;
	bench_set_index(pm4, core, BLOCK_BROADCAST);
	bench_set(pm4, control->reg, control->value & STAGES);
	pm4_store(pm4, 1, results);
}

/* The next sample opens it again. */
static int
close_vmids(struct bench *bench, const struct way *way)
{
	const struct experiment experiment = {
		.claim = way->claim,
		.expected = way->expected,
		.what = "no VMID named in SQ_PERFCOUNTER_CTRL",
		.engine = bench->gpu->core.commands.samples,
		.write = write_unmasked,
		.results = 1,
	};
	uint32_t done;

	return bench_run(bench, &experiment, &done);
}

static int
try_vmid_mask(struct trial *trial)
{
	const struct core *core = trial->commands.core;
	struct way way;

	if (!(core->controls[CORE_SQ_PERFCOUNTER_CTRL].value & ~STAGES))
		return 0;
	choose_way(&way, OWN_QUEUE, 0);
	snprintf(way.claim, sizeof(way.claim), "waves.no-vmid-mask");
	way.prepare = close_vmids;
	way.asks = true;
	return try_way(trial, &way);
}

/* Selects without what the table adds to the event. */
static int
try_select_masks(struct trial *trial)
{
	struct core *core = &trial->bench->gpu->core;
	struct block *block = &core->blocks[trial->reads[0].block];
	const uint32_t added = block->select_or;
	struct way way;
	int ret;

	if (!added)
		return 0;
	choose_way(&way, OWN_QUEUE, 0);
	snprintf(way.claim, sizeof(way.claim), "waves.no-select-masks");
	way.asks = true;
	block->select_or = 0;
	ret = try_way(trial, &way);
	block->select_or = added;
	return ret;
}

static int
try_masks(struct trial *trial)
{
	int ret = try_vmid_mask(trial);

	return ret < 0 ? ret : try_select_masks(trial);
}

/* ------------------------------------------------------------------ */

static int
count_waves(struct bench *bench)
{
	struct trial trial;
	int ret = trial_init_event(&trial, bench, "SQ", "WAVES");

	if (ret == -ENOENT) {
		bench_claim(bench, SELFTEST_UNKNOWN, "waves", "SQ.WAVES",
			    "the table has no such event");
		return 0;
	}
	if (ret)
		return ret;
	ret = try_ways(&trial);
	if (!ret)
		ret = try_masks(&trial);
	trial_finish(&trial);
	return ret < 0 ? ret : 0;
}

int
stage_waves(struct bench *bench)
{
	int ret, refused;

	if (!stage_may_count(bench))
		return 0;
	ret = dies_choose(bench);
	if (ret)
		return ret < 0 ? ret : 0;
	refused = channel_set_clock(bench->channel, CHANNEL_CLOCK_STANDARD);
	ret = count_waves(bench);
	if (!refused)
		channel_set_clock(bench->channel, CHANNEL_CLOCK_NORMAL);
	if (!ret)
		ret = shaders_count(bench);
	return ret ? ret : quads_try(bench);
}
