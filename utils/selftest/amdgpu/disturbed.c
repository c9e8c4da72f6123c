/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 8: a disturbance of counting has to give an error, or to do no harm: a
 * GPU that idles or sleeps while it counts, and another profiler, whose part is
 * played here. Whatever value the library gives has to be the right one.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "base/monotonic.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/waves.h"
#include "selftest/checks/sleep.h"

#define BLOCK "SQ"
#define EVENT "WAVES"

#define IDLE_NS UINT64_C(2000000000)
#define COUNTING_NS UINT64_C(200000000)

/* How long it is looked whether others launch waves. */
#define QUIET_NS UINT64_C(20000000)

/* Each sample looks at one of the selects. */
#define SAMPLES 4

static const char expected[] = "20014, or an error";

struct trouble {
	const char *check;
	/* 0; 1: it could not be had, for the reason *why; -errno */
	int (*make)(struct harness *harness, const char *check,
		    const char **why);
};

/* ------------------------------------------------------------------ */
/* Idle, and asleep                                                     */

static int
harness_wait_idle(struct harness *harness, const char *check, const char **why)
{
	(void)check, (void)why;
	harness_wait(harness->memory->seconds * UINT64_C(1000000000) < IDLE_NS
			     ? IDLE_NS / 8
			     : IDLE_NS);
	return 0;
}

static int
sleep_deeply(struct harness *harness, const char *check, const char **why)
{
	int ret;

	if (!sleep_is_allowed(harness->sysfs)) {
		*why = "it may not: power/control in sysfs is not \"auto\"";
		return 1;
	}
	ret = harness_announce(harness, check, expected, "left alone to sleep");
	if (ret)
		return ret;
	*why = "it does not fall asleep";
	return !sleep_wait(harness->sysfs, harness->memory->seconds);
}

static int
sleep_as_machine(struct harness *harness, const char *check, const char **why)
{
	int ret;

	ret = harness_announce(harness, check, expected,
			       "the machine suspended");
	if (ret)
		return ret;
	*why = sleep_with_machine(harness->host, harness->memory->seconds);
	return *why != NULL;
}

/* ------------------------------------------------------------------ */
/* Another profiler                                                     */

static void
store_done(struct pm4 *pm4, uint64_t results)
{
	pm4_store(pm4, 1, results);
}

/* Select an event in each counter of the block. */
static void
select_all(struct pm4 *pm4, const struct core *core, uint64_t results,
	   uint32_t select)
{
	const struct block *block = core_block(core, BLOCK);

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	for (unsigned i = 0; i < block->banks * block->max_active; i++)
		harness_set(pm4, block->slots[i].select, select);
	store_done(pm4, results);
}

static void
write_selects(struct pm4 *pm4, const struct core *core, uint64_t results,
	      const void *data)
{
	(void)data;
	/* another profiler's event */
	select_all(pm4, core, results, 1 | core_block(core, BLOCK)->select_or);
}

static void
write_no_selects(struct pm4 *pm4, const struct core *core, uint64_t results,
		 const void *data)
{
	(void)data;
	select_all(pm4, core, results, 0);
}

static void
write_masks(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	static const enum core_register names[] = { CORE_SQ_PERFCOUNTER_CTRL,
						    CORE_SQG_PERFCOUNTER_CTRL };

	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (core->controls[names[i]].reg.byte)
			harness_set(pm4, core->controls[names[i]].reg, 0);
	store_done(pm4, results);
}

static void
write_reset(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	struct pm4_register state = core->controls[CORE_CP_PERFMON_CNTL].reg;

	(void)data;
	harness_set(pm4, state, 0);
	harness_set(pm4, state, 1);
	store_done(pm4, results);
}

/*
 * Write the state that stops counters: not 2, which is said to harm counters on
 * gfx10.
 */
static void
write_stop(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	(void)data;
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, 0);
	store_done(pm4, results);
}

static int
harness_interfere(struct harness *harness, const char *check, const char *what,
		  void (*write)(struct pm4 *pm4, const struct core *core,
				uint64_t results, const void *data))
{
	return harness_run_commands(harness, check, "its commands come back",
				    what, write);
}

static int
take_selects(struct harness *harness, const char *check, const char **why)
{
	(void)why;
	return harness_interfere(harness, check, "other events selected",
				 write_selects);
}

static int
take_masks(struct harness *harness, const char *check, const char **why)
{
	(void)why;
	return harness_interfere(harness, check, "masks closed", write_masks);
}

static int
reset_counters(struct harness *harness, const char *check, const char **why)
{
	(void)why;
	return harness_interfere(harness, check, "counters reset", write_reset);
}

static int
stop_counters(struct harness *harness, const char *check, const char **why)
{
	(void)why;
	return harness_interfere(harness, check, "counters stopped",
				 write_stop);
}

static const struct trouble troubles[] = {
	{ "idle", harness_wait_idle },	   { "asleep", sleep_deeply },
	{ "suspended", sleep_as_machine }, { "stolen.selects", take_selects },
	{ "stolen.masks", take_masks },	   { "stolen.reset", reset_counters },
	{ "stolen.stop", stop_counters },
};

/* ------------------------------------------------------------------ */

static void
check_unknown(const struct harness *harness, const char *check, const char *why)
{
	harness_check(harness, SELFTEST_UNKNOWN, check, expected, "%s", why);
}

/*
 * Start counting, and check that waves counted before the disturbance are
 * right.
 */
static int
counted_begin(struct counted *counted, const char *check, bool *counts)
{
	struct harness *harness = counted->harness;
	int ret = counted_start(counted);

	*counts = false;
	if (ret) {
		check_unknown(harness, check, counted->error.cause);
		return 0;
	}
	ret = waves_launch(harness, check, expected);
	if (ret)
		return ret;
	if (counted_sample(counted))
		check_unknown(harness, check, counted->error.cause);
	else if (counted_sum(counted, 0) != WAVES_COUNT)
		check_unknown(harness, check,
			      "waves cannot be counted here: see stage 5");
	else
		*counts = true;
	return 0;
}

static int
fail_reset(struct harness *harness, const char *check)
{
	harness_check(harness, SELFTEST_FAIL, check, expected,
		      "the GPU was reset");
	return error_set(harness->error, -ECANCELED, "the GPU was reset");
}

/* Take the few samples within which the library has to notice; 1: it has. */
static int
counted_take_samples(struct counted *counted, const char *check,
		     unsigned samples)
{
	struct harness *harness = counted->harness;

	for (unsigned i = 0; i < samples; i++) {
		if (!counted_sample(counted))
			continue;
		if (counted_was_reset(counted))
			return fail_reset(harness, check);
		harness_check(harness, SELFTEST_PASS, check, expected, "%s",
			      counted->error.cause);
		return 1;
	}
	return 0;
}

/*
 * Return whether other programs launch waves: they are counted while nothing is
 * launched here.
 */
static bool
others_launch(struct counted *counted)
{
	uint64_t before = counted_sum(counted, 0);

	harness_wait(QUIET_NS);
	return counted_sample(counted) || counted_sum(counted, 0) != before;
}

static void
check_sum(struct counted *counted, const char *check, bool in_time)
{
	uint64_t sum = counted_sum(counted, 0);
	bool right = sum == 2 * WAVES_COUNT;
	const char *but = "";

	if (!right && !in_time)
		but = ", but this machine is too slow to tell";
	else if (!right && others_launch(counted))
		but = ", but other programs use the GPU";
	harness_check(counted->harness,
		      right  ? SELFTEST_PASS
		      : *but ? SELFTEST_UNKNOWN
			     : SELFTEST_FAIL,
		      check, expected, "%" PRIu64 "%s", sum, but);
}

/*
 * Count behind a reset: counters that were reset are noticed by what they lack,
 * which they must not have had the time to make up for.
 */
static int
count_behind(struct counted *counted, const struct trouble *trouble,
	     uint64_t counting_ns)
{
	struct harness *harness = counted->harness;
	uint64_t before = monotonic_ns();
	const char *why = NULL;
	bool in_time;
	int ret;

	ret = trouble->make(harness, trouble->check, &why);
	if (ret > 0 && why)
		check_unknown(harness, trouble->check, why);
	if (!ret)
		ret = counted_take_samples(counted, trouble->check, 1);
	in_time = trouble->make != reset_counters ||
		  (monotonic_ns() - before) * 2 < counting_ns;
	if (!ret)
		ret = waves_launch(harness, trouble->check, expected);
	if (!ret)
		ret = counted_take_samples(counted, trouble->check, SAMPLES);
	if (!ret)
		check_sum(counted, trouble->check, in_time);
	return ret;
}

static int
count_during_trouble(struct counted *counted, const struct trouble *trouble)
{
	uint64_t begun = monotonic_ns();
	bool counts;
	int ret;

	ret = counted_begin(counted, trouble->check, &counts);
	if (ret || !counts)
		return ret;
	harness_wait(COUNTING_NS);
	return count_behind(counted, trouble, monotonic_ns() - begun);
}

static int
try_trouble(struct harness *harness, const struct trouble *trouble)
{
	struct counted counted;
	int ret, cleared;

	ret = harness_announce(harness, trouble->check, expected,
			       "waves counted by the library");
	if (ret)
		return ret;
	counted_init(&counted, harness);
	ret = counted_add(&counted, BLOCK, EVENT);
	if (!ret)
		ret = count_during_trouble(&counted, trouble);
	counted_finish(&counted);
	if (ret < 0 || trouble->make != take_selects)
		return ret;
	cleared = harness_interfere(harness, trouble->check, "selects cleared",
				    write_no_selects);
	return cleared < 0 ? cleared : ret;
}

int
stage_disturbed(struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	const struct block *block = core_block(core, BLOCK);
	size_t index;
	uint32_t id;
	int ret;

	if (!stage_may_count(harness))
		return 0;
	index = block ? (size_t)(block - core->blocks) : 0;
	if (!block || core_event_id(core, index, EVENT, harness->arena, &id)) {
		harness_check(harness, SELFTEST_UNKNOWN, "idle", "SQ.WAVES",
			      "the table has no such event");
		return 0;
	}
	ret = dies_choose(harness);
	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(troubles); i++)
		ret = try_trouble(harness, &troubles[i]);
	return ret < 0 ? ret : 0;
}
