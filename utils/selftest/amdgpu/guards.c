/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of stage 4: things of which sources say different things, or none. Of
 * SQ_PERFCOUNTER_CTRL it is said that the ring which writes CP_PERFMON_CNTL
 * owns it from there on, and that the kernel changes the ring between command
 * buffers; of GRBM that the first read behind a sample gives the sample before.
 * That an event can be selected while counters run is what counting beside
 * others relies on, and no driver known to us does it.
 */
#include "selftest/amdgpu/stages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "selftest/amdgpu/running.h"
#include "selftest/amdgpu/trial.h"

#define WAIT_NS UINT64_C(10000000)

/* Values of CP_PERFMON_CNTL */
#define STATE_RESET 0u
#define STATE_COUNT 1u
#define STATE_LATCH (1u << 10)

/* The kernel may change the ring at any time, or now and then. */
#define TURNS 8

/* ------------------------------------------------------------------ */
/* Control register of the SQ, and which ring owns it                   */

static void
write_control(struct pm4 *pm4, const struct core *core, uint64_t results,
	      const void *data)
{
	const struct core_control *control =
		&core->controls[CORE_SQ_PERFCOUNTER_CTRL];

	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, control->reg, control->value);
	pm4_store(pm4, 1, results);
}

/* Write the state, then read and reset the SQ's control register. */
static void
write_state(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct core_control *control =
		&core->controls[CORE_SQ_PERFCOUNTER_CTRL];

	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, STATE_RESET);
	pm4_copy_register(pm4, control->reg, results);
	harness_set(pm4, control->reg, control->reset);
}

static int
guards_run(struct harness *harness, const char *check, enum pm4_engine engine,
	   void (*write)(struct pm4 *pm4, const struct core *core,
			 uint64_t results, const void *data),
	   uint32_t *out)
{
	const struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = write == write_control ? "SQ_PERFCOUNTER_CTRL written"
					       : "CP_PERFMON_CNTL written",
		.engine = engine,
		.source = harness->gpu->core.commands.source,
		.write = write,
		.results = 1,
	};

	return harness_run(harness, &experiment, out);
}

/* Write a control on one ring, then the state on another, or on the same. */
static int
try_owner(struct harness *harness, const char *check, const char *expected,
	  enum pm4_engine first, enum pm4_engine second)
{
	const struct core *core = &harness->gpu->core;
	uint32_t value = core->controls[CORE_SQ_PERFCOUNTER_CTRL].value;
	uint32_t done, seen = value;
	int ret = 0;

	for (int i = 0; !ret && seen == value && i < TURNS; i++) {
		ret = guards_run(harness, check, first, write_control, &done);
		if (!ret)
			ret = guards_run(harness, check, second, write_state,
					 &seen);
	}
	if (!ret)
		harness_check(
			harness, harness_answer(seen == value), check, expected,
			"0x%" PRIx32 " of 0x%" PRIx32 " was left", seen, value);
	return ret;
}

static int
try_owners(struct harness *harness)
{
	const struct amd_device_info *info = amd_context_info(harness->ctx);
	enum pm4_engine samples = harness->gpu->core.commands.samples;
	int ret;

	ret = try_owner(harness, "control.kept",
			"the next command buffer finds SQ_PERFCOUNTER_CTRL",
			samples, samples);
	if (ret < 0 || !info->has_ring[PM4_ENGINE_GFX] ||
	    !info->has_ring[PM4_ENGINE_COMPUTE])
		return ret;
	return try_owner(harness, "control.shared",
			 "one of the other ring finds it as well",
			 PM4_ENGINE_COMPUTE, PM4_ENGINE_GFX);
}

/* ------------------------------------------------------------------ */
/* The first read behind a sample                                       */

enum {
	FIRST,
	SECOND,
	READ_DONE,
	READS
};

static void
write_reads(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct trial *trial = data;
	const struct commands_read *read = &trial->reads[0];
	struct pm4_register low =
		block_slot(&core->blocks[read->block], 0, read->slot)->low;

	/* by one means alone: a second sample would be as the first */
	pm4_wait_idle(pm4);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg,
		    STATE_COUNT | STATE_LATCH);
	pm4_wait_idle(pm4);
	pm4_copy_register(pm4, low, results + FIRST * sizeof(uint32_t));
	pm4_copy_register(pm4, low, results + SECOND * sizeof(uint32_t));
	pm4_store(pm4, 1, results + READ_DONE * sizeof(uint32_t));
}

/* Read GRBM twice in a sample, before which there has to be another one. */
static int
read_twice(const struct trial *trial, const char *check, enum pm4_engine engine)
{
	const struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = "GRBM read twice",
		.engine = engine,
		.source = trial->commands.core->commands.source,
		.write = write_reads,
		.data = trial,
		.results = READS,
		.done = READ_DONE,
	};
	uint32_t seen[READS];
	int ret = harness_run(trial->harness, &experiment, seen);

	if (!ret) {
		harness_wait(WAIT_NS);
		ret = harness_run(trial->harness, &experiment, seen);
	}
	if (!ret)
		harness_check(trial->harness,
			      harness_answer(seen[FIRST] == seen[SECOND]),
			      check, "the first read of GRBM is as the second",
			      "0x%" PRIx32 ", then 0x%" PRIx32, seen[FIRST],
			      seen[SECOND]);
	return ret;
}

static int
try_first_read(struct harness *harness)
{
	enum pm4_engine engine = harness->gpu->core.commands.samples;
	char check[HARNESS_NAME_SIZE];
	struct trial trial;
	int ret = trial_init_event(&trial, harness, "GRBM", "COUNT");

	harness_name(check, engine, "first-read");
	if (ret == -ENOENT) {
		harness_check(harness, SELFTEST_UNKNOWN, check, "GRBM.COUNT",
			      "the table has no such event");
		return 0;
	}
	if (ret)
		return ret;
	ret = trial_start(&trial, check, engine, true);
	if (!ret)
		ret = read_twice(&trial, check, engine);
	ret = trial_stop(&trial, check, engine, true, ret);
	trial_finish(&trial);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Selects while counters run                                           */

/* Compare the reset check's second counter with the first from there on. */
static void
check_selected(const struct trial *trial, const char *check)
{
	uint32_t seen[2];

	for (int i = 0; i < 2; i++)
		seen[i] = trial->marked[1][i] - trial->marked[0][i];
	/* latched by the same sample */
	harness_check(trial->harness,
		      harness_answer(seen[0] && seen[0] == seen[1]), check,
		      "two counters of the clock count alike",
		      "%" PRIu32 ", and %" PRIu32 " in the one begun later",
		      seen[0], seen[1]);
}

static int
try_running_select(struct harness *harness)
{
	static const char check[] = "select.running";
	enum pm4_engine engine = harness->gpu->core.commands.samples;
	struct trial trial;
	int ret = trial_init_event(&trial, harness, "GRBM", "COUNT");

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (trial_mark(&trial)) {
		ret = trial_start(&trial, check, engine, true);
		if (!ret)
			ret = trial_sample(&trial, check, engine,
					   TRIAL_AS_LIBRARY);
		if (!ret)
			check_selected(&trial, check);
		ret = trial_stop(&trial, check, engine, true, ret);
	}
	trial_finish(&trial);
	return ret;
}

int
guards_try(struct harness *harness)
{
	int ret = try_owners(harness);

	if (ret >= 0)
		ret = try_first_read(harness);
	if (ret >= 0)
		ret = try_running_select(harness);
	if (ret >= 0)
		ret = copies_try(harness);
	return ret < 0 ? ret : running_try(harness);
}
