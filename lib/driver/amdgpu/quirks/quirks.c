/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/quirks/quirks.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "driver/results/results.h"

int
quirks_path(const struct gpu *gpu, char *path, size_t size)
{
	const struct amd_device_info *info = amd_device_info(gpu->dev);
	char key[RESULT_KEY_SIZE];

	results_key(key, gpu->sysfs, "amdgpu-%04x-%02x-%u-%u", info->device_id,
		    info->revision, info->firmware[PM4_ENGINE_GFX],
		    info->firmware[PM4_ENGINE_COMPUTE]);
	return results_path(path, size, key);
}

static enum result
find_engine_result(const struct selftest_results *results,
		   enum pm4_engine engine, const char *what)
{
	char name[RESULT_NAME_SIZE];

	snprintf(name, sizeof(name), "%s.%s", pm4_engine_name(engine), what);
	return results_find(results, name);
}

static const char *
source_check(enum pm4_source source)
{
	return source == PM4_SOURCE_COUNTER ? "source-4" : "source-0";
}

/*
 * Use the other source of register reads only if that has passed and the
 * table's has failed.
 */
static enum pm4_source
choose_source(const struct selftest_results *results, enum pm4_engine engine,
	      enum pm4_source source)
{
	enum pm4_source other = source == PM4_SOURCE_COUNTER
					? PM4_SOURCE_REGISTER
					: PM4_SOURCE_COUNTER;

	if (results_has_failed(find_engine_result(results, engine,
						  source_check(source))) &&
	    find_engine_result(results, engine, source_check(other)) ==
		    RESULT_PASS)
		return other;
	return source;
}

/* Checks that a ring must pass to be used at all. */
static const struct {
	const char *name;
	bool later; /* of another stage, which may not have run */
} ring_checks[] = { { "nop", false }, { "store", false }, { "count", true } };

static bool
ring_has_failed(const struct selftest_results *results, enum pm4_engine engine)
{
	for (size_t i = 0; i < ARRAY_SIZE(ring_checks); i++) {
		if (results_has_failed(find_engine_result(results, engine,
							  ring_checks[i].name)))
			return true;
	}
	return false;
}

static bool
ring_has_passed(const struct selftest_results *results, enum pm4_engine engine)
{
	for (size_t i = 0; i < ARRAY_SIZE(ring_checks); i++) {
		enum result verdict = find_engine_result(results, engine,
							 ring_checks[i].name);

		if (verdict != RESULT_PASS &&
		    !(ring_checks[i].later && verdict == RESULT_NEVER))
			return false;
	}
	return true;
}

static enum pm4_engine
choose_ring(const struct selftest_results *results, enum pm4_engine engine)
{
	enum pm4_engine other =
		engine == PM4_ENGINE_GFX ? PM4_ENGINE_COMPUTE : PM4_ENGINE_GFX;

	if (ring_has_failed(results, engine) && ring_has_passed(results, other))
		return other;
	return engine;
}

/*
 * Choose whether to set FORCE_EN. No document says whether it makes the SQ
 * count all waves: those of other processes, and of queues that do not allow
 * counting.
 */
static bool
choose_force_en(const struct selftest_results *results)
{
	enum result own = results_find(results, "waves.force-en");
	enum result other = results_find(results, "waves.other.force-en");
	enum result kfd = results_find(results, "waves.kfd.force-en");

	return !results_has_failed(own) && !results_has_failed(kfd) &&
	       other == RESULT_PASS;
}

static void
quirks_apply_results(struct gpu *gpu, const struct selftest_results *results)
{
	struct core_commands *commands = &gpu->core.commands;
	const struct core_commands before = *commands;

	commands->samples = choose_ring(results, commands->samples);
	commands->graphics = choose_ring(results, commands->graphics);
	commands->source =
		choose_source(results, commands->samples, commands->source);
	commands->selects_wait =
		results_has_failed(results_find(results, "select.running"));
	gpu->core.force_en = choose_force_en(results);
	if (commands->samples != before.samples ||
	    commands->graphics != before.graphics ||
	    commands->source != before.source)
		log_write(&gpu->log, DRMPERF_LOG_INFO,
			  "%s: samples are taken on %s, of graphics on %s, by "
			  "source %d, since drmperf selftest has found so",
			  amd_device_node(gpu->dev),
			  pm4_engine_name(commands->samples),
			  pm4_engine_name(commands->graphics),
			  (int)commands->source);
}

/* Disable the sync bit if the self-test has failed to see it change. */
void
quirks_sync(struct core *core, const struct selftest_results *results)
{
	if (results_has_failed(results_find(results, QUIRK_SYNC)))
		core->controls[CORE_SQG_PERFCOUNTER_CTRL].sync = 0;
	core->controls[CORE_GRBMH_SYNC].sync_is_kept =
		results_find(results, QUIRK_GRBMH) == RESULT_PASS;
}

/*
 * Set whether the SQ's control registers keep their values from one command
 * buffer to the next.
 */
static void
quirks_owner(struct core *core, const struct selftest_results *results)
{
	enum result kept = results_find(results, "control.kept");
	enum result shared = results_find(results, "control.shared");

	if (results_has_failed(kept) || results_has_failed(shared))
		core->sq_control = CORE_SQ_LOST;
	else if (kept == RESULT_PASS && shared == RESULT_PASS)
		core->sq_control = CORE_SQ_KEPT;
}

/* Program instances at once where that has been seen to work. */
static void
quirks_broadcast(struct core *core, const struct selftest_results *results)
{
	for (size_t i = 0; i < core->block_count; i++) {
		char name[RESULT_NAME_SIZE];

		if (!core->blocks[i].apart)
			continue;
		snprintf(name, sizeof(name), QUIRK_TOGETHER "%s",
			 core->blocks[i].name);
		core->blocks[i].apart =
			results_find(results, name) != RESULT_PASS;
	}
}

/*
 * The stages: all that is written if the SQ counts without its other masks
 * only.
 */
#define SQ_STAGES 0xffffu

static void
quirks_masks(struct core *core, const struct selftest_results *results)
{
	struct core_control *control =
		&core->controls[CORE_SQ_PERFCOUNTER_CTRL];

	if (!results_has_failed(results_find(results, "waves.enable")))
		return;
	if (results_find(results, "waves.no-vmid-mask") == RESULT_PASS)
		control->value &= SQ_STAGES;
	if (results_find(results, "waves.no-select-masks") != RESULT_PASS)
		return;
	for (size_t i = 0; i < core->block_count; i++)
		core->blocks[i].select_or = 0;
}

/* Discard the first read if it returns the previous sample. */
static void
quirks_first_read(struct core *core, const struct selftest_results *results)
{
	const struct block *grbm = core_block(core, "GRBM");
	enum result verdict = find_engine_result(
		results, core->commands.samples, "first-read");

	if (results_has_failed(verdict) && grbm && !core->commands.stale.byte)
		core->commands.stale = block_slot(grbm, 0, 0)->low;
}

/*
 * Copy two registers at once if that has worked on both rings, and not if it
 * has failed on one.
 */
static void
quirks_pairs(struct core *core, const struct selftest_results *results)
{
	const struct core_commands *commands = &core->commands;
	enum result samples =
		find_engine_result(results, commands->samples, QUIRK_PAIRS);
	enum result graphics =
		find_engine_result(results, commands->graphics, QUIRK_PAIRS);

	if (results_has_failed(samples) || results_has_failed(graphics))
		core->commands.pairs = false;
	else if (samples == RESULT_PASS && graphics == RESULT_PASS)
		core->commands.pairs = true;
}

/*
 * Do not clear 32-bit counters in time if the self-test has seen them wrap
 * rather than stop.
 */
static void
quirks_saturation(struct core *core, const struct selftest_results *results)
{
	if (results_find(results, "full.wraps") != RESULT_PASS)
		return;
	for (size_t i = 0; i < core->block_count; i++)
		core->blocks[i].saturates = false;
}

static enum result
verdict_on_clock(const struct selftest_results *results,
		 const struct core *core, const struct block *block,
		 const char *what)
{
	enum pm4_engine engine = block->graphics ? core->commands.graphics
						 : core->commands.samples;
	char name[40];

	snprintf(name, sizeof(name), "%s.%s", what, block->name);
	return find_engine_result(results, engine, name);
}

/*
 * Note which block clock events advance in an idle GPU: as the self-test has
 * seen it with a clock mode held, in which no clock stops, or without one if
 * counting holds none.
 */
static void
quirks_clocks(struct gpu *gpu, const struct selftest_results *results)
{
	struct core *core = &gpu->core;

	for (size_t i = 0; i < core->block_count; i++) {
		struct block *block = &core->blocks[i];
		enum result held, unheld;

		if (block->clock == BLOCK_CLOCK_NONE)
			continue;
		held = verdict_on_clock(results, core, block, "moves");
		unheld = gpu_needs_clock(gpu)
				 ? held
				 : verdict_on_clock(results, core, block,
						    "unheld");
		if (results_has_failed(held) || results_has_failed(unheld))
			block->clock = BLOCK_CLOCK_FAILS;
		else if (held == RESULT_PASS && unheld == RESULT_PASS)
			block->clock = BLOCK_CLOCK_RUNS;
	}
}

/* Read the results. Returns 1 if there are none to apply. */
static int
read_results(struct gpu *gpu, struct selftest_results *results,
	     struct drmperf_error *error)
{
	struct drmperf_error why;
	char path[PATH_MAX];
	int ret;

	if (quirks_path(gpu, path, sizeof(path)))
		return 1;
	ret = results_read(results, path, &why);
	if (error_is_transient(ret))
		return error_set(error, ret, "%s", why.cause);
	if (!ret)
		return 0;
	log_write(&gpu->log, DRMPERF_LOG_WARNING,
		  "results of drmperf selftest are ignored: %s", why.cause);
	return 1;
}

/* Return the list of hidden items for those with this result, or NULL. */
static const char **
list_of_verdict(struct gpu *gpu, enum result verdict)
{
	switch (verdict) {
	case RESULT_PASS:
		return &gpu->untested;
	case RESULT_FAIL:
	case RESULT_NO:
		return &gpu->failed;
	case RESULT_HANG:
		return &gpu->hanging;
	default:
		return NULL;
	}
}

static int
quirks_list_hidden(struct gpu *gpu, const struct selftest_results *results,
		   struct arena *arena)
{
	size_t length = strlen(QUIRK_HIDDEN);

	for (size_t i = 0; i < results->count; i++) {
		const struct selftest_result *check = &results->checks[i];
		const char **list = list_of_verdict(gpu, check->verdict);

		if (!list || strncmp(check->name, QUIRK_HIDDEN, length))
			continue;
		*list = arena_printf(arena, "%s %s", *list ? *list : "",
				     check->name + length);
		if (!*list)
			return -ENOMEM;
	}
	return 0;
}

int
quirks_offer(struct gpu *gpu, struct arena *arena, struct drmperf_error *error)
{
	struct selftest_results results;
	int ret = read_results(gpu, &results, error);

	if (ret)
		return ret < 0 ? ret : 0;
	ret = quirks_list_hidden(gpu, &results, arena);
	results_finish(&results);
	return ret ? error_set(error, ret, "no memory") : 0;
}

int
quirks_results(struct gpu *gpu, struct drmperf_error *error)
{
	struct selftest_results results;
	int ret = read_results(gpu, &results, error);

	if (ret)
		return ret < 0 ? ret : 0;
	quirks_apply_results(gpu, &results);
	quirks_first_read(&gpu->core, &results);
	quirks_pairs(&gpu->core, &results);
	quirks_sync(&gpu->core, &results);
	quirks_owner(&gpu->core, &results);
	quirks_broadcast(&gpu->core, &results);
	quirks_masks(&gpu->core, &results);
	quirks_saturation(&gpu->core, &results);
	quirks_clocks(gpu, &results);
	results_finish(&results);
	return 0;
}
