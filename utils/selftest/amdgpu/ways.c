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
#include "base/monotonic.h"
#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/kfd.h"
#include "selftest/amdgpu/shaders.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/trial.h"
#include "selftest/amdgpu/waves.h"

#define FORCE_EN 1u

/* Source of the waves. */
enum whose {
	OWN_QUEUE,
	OTHER_PROCESS,
	GRAPHICS_RING,
	USERS_COMMAND /* by queues of KFD, if it is a HIP program */
};

static const struct {
	const char *prefix;
	enum pm4_engine engine;
} places[] = {
	[OWN_QUEUE] = { "waves", PM4_ENGINE_COMPUTE },
	[OTHER_PROCESS] = { "waves.other", PM4_ENGINE_COMPUTE },
	[GRAPHICS_RING] = { "waves.gfx", PM4_ENGINE_GFX },
	[USERS_COMMAND] = { "waves.kfd", PM4_ENGINE_COMPUTE },
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

/* How often it is looked whether the command has ended. */
#define LOOK_NS UINT64_C(2000000)

/* How long it is looked whether others launch waves, before and after. */
#define QUIET_NS UINT64_C(20000000)

struct way {
	char check[HARNESS_NAME_SIZE], expected[16];
	enum whose whose;
	bool forced, enabled, asks;
	uint64_t count; /* that is hoped to be seen */
	/* right before the waves, or NULL; as harness_run() */
	int (*prepare)(struct harness *harness, const struct way *way);
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
	snprintf(way->check, sizeof(way->check), "%s.%s", places[whose].prefix,
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
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	for (size_t i = 0; i < ARRAY_SIZE(forces); i++) {
		const struct core_control *control = &core->controls[forces[i]];

		if (control->reg.byte)
			harness_set(pm4, control->reg,
				    control->value & ~FORCE_EN);
	}
	pm4_store(pm4, 1, results);
}

static int
clear_force(struct harness *harness, const struct way *way)
{
	const struct core *core = &harness->gpu->core;

	if (way->forced || !core->controls[CORE_SQ_PERFCOUNTER_CTRL2].reg.byte)
		return 0;
	return harness_run_commands(harness, way->check, way->expected,
				    "FORCE_EN cleared", write_unforced);
}

/* ------------------------------------------------------------------ */

/* Have another process submit what this one has submitted without harm. */
static int
launch_elsewhere(struct harness *harness, const struct way *way)
{
	const struct selftest_waves waves = { .enabled = way->enabled,
					      .die = harness->die };
	int ret;

	ret = harness_announce(harness, way->check, way->expected,
			       "waves launched by another process");
	if (ret)
		return ret;
	ret = harness->host->elsewhere(harness->host->data, &waves);
	if (!ret)
		return 0;
	harness_check(
		harness, ret == -ECANCELED ? SELFTEST_FAIL : SELFTEST_UNKNOWN,
		way->check, way->expected, "the other process has failed");
	return ret == -ECANCELED
		       ? error_set(harness->error, ret,
				   "another process has failed to launch waves")
		       : 1;
}

/*
 * Wait until the command ends, or has had its time. Returns what host->beside()
 * does.
 */
static int
wait_for_command(const struct harness *harness)
{
	const struct selftest_host *host = harness->host;
	uint64_t end = monotonic_ns() + harness_beside_ns(harness);
	int ret = host->beside(host->data, SELFTEST_BESIDE_BEGIN);

	if (ret)
		return ret;
	while ((ret = host->beside(host->data, SELFTEST_BESIDE_LOOK)) == 1 &&
	       monotonic_ns() < end)
		harness_wait(LOOK_NS);
	host->beside(host->data, SELFTEST_BESIDE_END);
	return ret < 0 ? ret : 0;
}

/* Run the command, whose number of waves is not known. */
static int
run_command(struct harness *harness, const struct way *way)
{
	int ret = harness_announce(harness, way->check, way->expected,
				   "the command of --beside");

	if (ret)
		return ret;
	ret = wait_for_command(harness);
	if (!ret)
		return 0;
	harness_check(harness, SELFTEST_UNKNOWN, way->check, way->expected,
		      "%s",
		      ret == -ENOSYS ? "no command was given: see --beside"
				     : "the command of --beside has failed");
	return 1;
}

static int
way_launch(struct harness *harness, const struct way *way)
{
	if (way->whose == USERS_COMMAND)
		return run_command(harness, way);
	if (way->whose == OTHER_PROCESS)
		return launch_elsewhere(harness, way);
	return waves_launch_from(harness, way->check, way->expected,
				 places[way->whose].engine, way->enabled);
}

/* Sum what has been counted between the two samples. */
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
	int ret = trial_sample_once(trial, way->check, engine, TRIAL_AS_LIBRARY,
				    0);

	if (ret)
		return ret;
	harness_wait(QUIET_NS);
	ret = trial_sample_once(trial, way->check, engine, TRIAL_AS_LIBRARY, 1);
	if (!ret)
		*others += sum_waves(trial);
	return ret;
}

static bool
is_right(const struct way *way, uint64_t sum)
{
	return way->whose == USERS_COMMAND ? sum > 0 : sum == way->count;
}

/*
 * Check the count. A wrong count shows nothing where others launch waves, too.
 */
static int
check_waves(struct trial *trial, const struct way *way, uint64_t others)
{
	const struct harness *harness = trial->harness;
	uint64_t sum = sum_waves(trial);
	int ret = 0;

	if (!is_right(way, sum) && !others)
		ret = count_others(trial, way, &others);
	if (ret)
		return ret;
	/* Waves of others would be taken for the command's. */
	if (way->whose == USERS_COMMAND ? others > 0
					: !is_right(way, sum) && others)
		harness_check(
			harness, SELFTEST_UNKNOWN, way->check, way->expected,
			"%" PRIu64 ", but other programs use the GPU", sum);
	else if (way->asks)
		harness_check(harness, harness_answer(is_right(way, sum)),
			      way->check, way->expected, "%" PRIu64, sum);
	else
		harness_check(harness,
			      is_right(way, sum) ? SELFTEST_PASS
						 : SELFTEST_FAIL,
			      way->check, way->expected, "%" PRIu64, sum);
	return 0;
}

static int
try_way(struct trial *trial, const struct way *way)
{
	struct harness *harness = trial->harness;
	enum pm4_engine engine = harness->gpu->core.commands.samples;
	uint64_t others = 0;
	int ret;

	ret = trial_start(trial, way->check, engine, true);
	if (!ret)
		ret = clear_force(harness, way);
	if (!ret)
		ret = count_others(trial, way, &others);
	if (!ret)
		ret = trial_sample_once(trial, way->check, engine,
					TRIAL_AS_LIBRARY, 0);
	if (!ret && way->prepare)
		ret = way->prepare(harness, way);
	if (!ret)
		ret = way_launch(harness, way);
	if (!ret)
		ret = trial_sample_once(trial, way->check, engine,
					TRIAL_AS_LIBRARY, 1);
	if (!ret)
		ret = check_waves(trial, way, others);
	return trial_stop(trial, way->check, engine, true, ret);
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

	for (size_t i = 0; i <= GRAPHICS_RING; i++)
		for (size_t k = 0; ret >= 0 && k < ARRAY_SIZE(switches); k++) {
			choose_way(&way, (enum whose)i, k);
			if (can_be_tried(trial, &way))
				ret = try_way(trial, &way);
		}
	return ret < 0 ? ret : 0;
}

/* ------------------------------------------------------------------ */
/* Masks                                                                */

/* Stages of SQ_PERFCOUNTER_CTRL; the bits of VMIDs are above. */
#define STAGES 0xffffu

static void
write_unmasked(struct pm4 *pm4, const struct core *core, uint64_t results,
	       const void *data)
{
	const struct core_control *control =
		&core->controls[CORE_SQ_PERFCOUNTER_CTRL];

	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, control->reg, control->value & STAGES);
	pm4_store(pm4, 1, results);
}

/* Close the mask of VMIDs; the next sample opens it again. */
static int
close_vmids(struct harness *harness, const struct way *way)
{
	return harness_run_commands(harness, way->check, way->expected,
				    "no VMID named in SQ_PERFCOUNTER_CTRL",
				    write_unmasked);
}

static int
try_vmid_mask(struct trial *trial)
{
	const struct core *core = trial->commands.core;
	struct way way;

	if (!(core->controls[CORE_SQ_PERFCOUNTER_CTRL].value & ~STAGES))
		return 0;
	choose_way(&way, OWN_QUEUE, 0);
	snprintf(way.check, sizeof(way.check), "waves.no-vmid-mask");
	way.prepare = close_vmids;
	way.asks = true;
	return try_way(trial, &way);
}

/* Selects without what the table adds to the event. */
static int
try_select_masks(struct trial *trial)
{
	struct core *core = &trial->harness->gpu->core;
	struct block *block = &core->blocks[trial->reads[0].block];
	const uint32_t added = block->select_or;
	struct way way;
	int ret;

	if (!added)
		return 0;
	choose_way(&way, OWN_QUEUE, 0);
	snprintf(way.check, sizeof(way.check), "waves.no-select-masks");
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
/* Queues of KFD                                                        */

/*
 * Try the user's command. The kernel lets no process set
 * COMPUTE_PERFCOUNT_ENABLE in queues of KFD.
 */
static int
try_command(struct trial *trial)
{
	struct way way;
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(switches); i++) {
		if (switches[i].enabled)
			continue;
		choose_way(&way, USERS_COMMAND, i);
		way.asks = true;
		snprintf(way.expected, sizeof(way.expected), "waves of it");
		if (can_be_tried(trial, &way))
			ret = try_way(trial, &way);
	}
	return ret < 0 ? ret : 0;
}

/*
 * Try the user's command with the kernel's lock of profilers, which makes the
 * queues of KFD count, and with nothing else that would.
 */
static int
try_locked(struct trial *trial)
{
	struct profiler_lock *lock = kfd_take_lock(trial->harness);
	struct way way;
	int ret;

	if (!lock)
		return 0;
	choose_way(&way, USERS_COMMAND, ARRAY_SIZE(switches) - 1);
	way.asks = true;
	snprintf(way.check, sizeof(way.check), "waves.kfd.lock");
	snprintf(way.expected, sizeof(way.expected), "waves of it");
	ret = try_way(trial, &way);
	profiler_lock_release(lock, false);
	return ret < 0 ? ret : 0;
}

/* ------------------------------------------------------------------ */
/* Events of the SQG                                                    */

/*
 * AMD PAL and radv set both bits of SPI_CONFIG_CNTL around counting, radeonsi
 * and aqlprofile do not; before gfx9 command buffers may not write it.
 */
#define SPI_CONFIG_CNTL 0x31100u
#define SQG_EVENTS (3u << 24)
#define SQG_FIRST_LEVEL 9u
#define SQG_LAST_LEVEL 11u

struct bits {
	bool set;
};

static void
write_sqg_events(struct pm4 *pm4, const struct core *core, uint64_t results,
		 const void *data)
{
	const struct bits *bits = data;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_modify_register(pm4, (struct pm4_register){ SPI_CONFIG_CNTL },
			    SQG_EVENTS, bits->set ? SQG_EVENTS : 0);
	pm4_store(pm4, 1, results);
}

static int
set_sqg_events(struct harness *harness, const struct way *way, bool set)
{
	const struct bits bits = { set };
	const struct experiment experiment = {
		.check = way->check,
		.expected = way->expected,
		.what = set ? "events of the SQG turned on"
			    : "events of the SQG turned off",
		.engine = PM4_ENGINE_GFX,
		.write = write_sqg_events,
		.data = &bits,
		.results = 1,
	};
	uint32_t done;

	return harness_run(harness, &experiment, &done);
}

static void
read_sqg_events(struct pm4 *pm4, const struct core *core, uint64_t results,
		const void *data)
{
	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_copy_register(pm4, (struct pm4_register){ SPI_CONFIG_CNTL },
			  results);
}

/* Find out whether the events are on, before anything is tried. */
static int
find_sqg_events(struct harness *harness, const struct way *way, bool *set)
{
	const struct experiment experiment = {
		.check = way->check,
		.expected = way->expected,
		.what = "SPI_CONFIG_CNTL read",
		.engine = PM4_ENGINE_GFX,
		.source = harness->gpu->core.commands.source,
		.write = read_sqg_events,
		.results = 1,
	};
	uint32_t value;
	int ret = harness_run(harness, &experiment, &value);

	*set = !ret && (value & SQG_EVENTS) == SQG_EVENTS;
	return ret;
}

static int
turn_sqg_on(struct harness *harness, const struct way *way)
{
	return set_sqg_events(harness, way, true);
}

static int
turn_sqg_off(struct harness *harness, const struct way *way)
{
	return set_sqg_events(harness, way, false);
}

/*
 * Find out whether waves are counted only with the events, as sqg.off reports.
 */
static int
try_sqg_events(struct trial *trial)
{
	static const struct {
		const char *check;
		int (*prepare)(struct harness *harness, const struct way *way);
	} tries[] = { { "sqg.on", turn_sqg_on }, { "sqg.off", turn_sqg_off } };
	const struct core *core = trial->commands.core;
	struct way way;
	bool was_set;
	int ret, put_back;

	if (core->level < SQG_FIRST_LEVEL || core->level > SQG_LAST_LEVEL ||
	    !trial_has_ring(trial, PM4_ENGINE_GFX))
		return 0;
	choose_way(&way, OWN_QUEUE, 1);
	snprintf(way.check, sizeof(way.check), "%s", tries[0].check);
	ret = find_sqg_events(trial->harness, &way, &was_set);
	if (ret)
		return ret < 0 ? ret : 0;
	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(tries); i++) {
		/* COMPUTE_PERFCOUNT_ENABLE is enough on all generations */
		choose_way(&way, OWN_QUEUE, 1);
		snprintf(way.check, sizeof(way.check), "%s", tries[i].check);
		way.asks = true;
		way.prepare = tries[i].prepare;
		ret = try_way(trial, &way);
	}
	if (ret < 0)
		return ret;
	put_back = set_sqg_events(trial->harness, &way, was_set);
	return put_back < 0 ? put_back : 0;
}

/* ------------------------------------------------------------------ */

static int
count_waves(struct harness *harness)
{
	struct trial trial;
	int ret = trial_init_event(&trial, harness, "SQ", "WAVES");

	if (ret == -ENOENT) {
		harness_check(harness, SELFTEST_UNKNOWN, "waves", "SQ.WAVES",
			      "the table has no such event");
		return 0;
	}
	if (ret)
		return ret;
	ret = try_ways(&trial);
	if (!ret)
		ret = try_command(&trial);
	if (!ret)
		ret = try_sqg_events(&trial);
	if (!ret)
		ret = try_masks(&trial);
	/* the process becomes one of KFD's: the lock is taken in what it has */
	if (!ret)
		ret = kfd_count_dies(harness);
	if (!ret)
		ret = try_locked(&trial);
	trial_finish(&trial);
	return ret < 0 ? ret : 0;
}

int
stage_waves(struct harness *harness)
{
	int ret, refused;

	if (!stage_may_count(harness))
		return 0;
	ret = dies_choose(harness);
	if (ret)
		return ret < 0 ? ret : 0;
	refused = amd_context_set_pstate(harness->ctx, STABLE_PSTATE_STANDARD);
	ret = count_waves(harness);
	if (!refused)
		amd_context_set_pstate(harness->ctx, STABLE_PSTATE_NONE);
	if (!ret)
		ret = shaders_count(harness);
	return ret ? ret : quads_try(harness);
}
