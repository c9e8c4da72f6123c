/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On gfx12 a sample is complete once a bit has changed in SQG_PERFCOUNTER_CTRL
 * of each engine. PAL changes that of a pipe in use; the bit of one that Linux
 * does not use would hide nothing, but no driver is known to have tried it. On
 * the graphics ring PAL also waits for GRBMH_SYNC to show a new state in each
 * engine. Nothing here waits: the next command buffer reads what one has
 * written.
 */
#include "selftest/amdgpu/sync.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "driver/amdgpu/quirks/quirks.h"

struct written {
	uint32_t value;
};

static const struct core_control *
control_of(const struct core *core)
{
	return &core->controls[CORE_SQG_PERFCOUNTER_CTRL];
}

static void
write_control(struct pm4 *pm4, const struct core *core, uint64_t results,
	      const void *data)
{
	const struct written *written = data;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, control_of(core)->reg, written->value);
	pm4_store(pm4, 1, results);
}

/*
 * Read a control in commands of its own: reads may overtake writes of the same.
 */
static void
read_control(struct pm4 *pm4, const struct core *core, uint64_t results,
	     const void *data)
{
	const enum core_register *name = data;

	pm4_wait_idle(pm4);
	pm4_counter_window(pm4, true);
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		if (!(core->engines >> i & 1))
			continue;
		harness_set_index(pm4, core, BLOCK_ENGINE(i));
		pm4_copy_register(pm4, core->controls[*name].reg,
				  results + i * sizeof(uint32_t));
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
}

/* Read the bit where it was written: mask of engines. */
static int
sync_look(struct harness *harness, const char *check, uint32_t value,
	  uint32_t *engines)
{
	static const enum core_register name = CORE_SQG_PERFCOUNTER_CTRL;
	const struct core *core = &harness->gpu->core;
	const struct written written = { value };
	struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = "SQG_PERFCOUNTER_CTRL written",
		.engine = core->commands.samples,
		.source = core->commands.source,
		.write = write_control,
		.data = &written,
		.results = 1,
	};
	uint32_t seen[TOPOLOGY_ENGINES];
	int ret = harness_run(harness, &experiment, seen);

	if (ret)
		return ret;
	experiment.what = "and read of each engine";
	experiment.write = read_control;
	experiment.data = &name;
	experiment.results = TOPOLOGY_ENGINES;
	ret = harness_run(harness, &experiment, seen);
	*engines = 0;
	for (uint32_t i = 0; !ret && i < TOPOLOGY_ENGINES; i++) {
		if (core->engines >> i & 1 && seen[i] & control_of(core)->sync)
			*engines |= UINT32_C(1) << i;
	}
	return ret;
}

int
sync_try(struct harness *harness)
{
	static const char check[] = QUIRK_SYNC;
	const struct core *core = &harness->gpu->core;
	uint32_t sync = control_of(core)->sync, set, cleared = 0;
	char expected[64];
	int ret;

	if (!sync)
		return 0;
	ret = sync_look(harness, check, sync, &set);
	if (!ret)
		ret = sync_look(harness, check, control_of(core)->reset,
				&cleared);
	if (ret)
		return ret;
	snprintf(expected, sizeof(expected),
		 "bit 0x%" PRIx32 " comes and goes in engines 0x%" PRIx32, sync,
		 core->engines);
	harness_check(harness, harness_answer(set == core->engines && !cleared),
		      check, expected,
		      "it came in 0x%" PRIx32 ", stayed in 0x%" PRIx32, set,
		      cleared);
	return 0;
}

/* ------------------------------------------------------------------ */
/* GRBMH_SYNC                                                           */

static void
write_state(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	(void)data;
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, 0);
	pm4_store(pm4, 1, results);
}

/*
 * Read GRBMH_SYNC of each engine before and after it is written, which clears
 * it.
 */
static void
read_sync(struct pm4 *pm4, const struct core *core, uint64_t results,
	  const void *data)
{
	const struct core_control *sync = &core->controls[CORE_GRBMH_SYNC];

	(void)data;
	pm4_counter_window(pm4, true);
	for (uint32_t i = 0; i < TOPOLOGY_ENGINES; i++) {
		if (!(core->engines >> i & 1))
			continue;
		harness_set_index(pm4, core, BLOCK_ENGINE(i));
		pm4_copy_register(pm4, sync->reg,
				  results + 2 * i * sizeof(uint32_t));
		harness_set(pm4, sync->reg, sync->value);
		pm4_copy_register(pm4, sync->reg,
				  results + (2 * i + 1) * sizeof(uint32_t));
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
}

static int
read_engines(struct harness *harness, const char *expected, uint32_t *set,
	     uint32_t *left)
{
	const struct core *core = &harness->gpu->core;
	uint32_t mask = core->controls[CORE_GRBMH_SYNC].value;
	struct experiment experiment = {
		.check = QUIRK_GRBMH,
		.expected = expected,
		.what = "CP_PERFMON_CNTL written",
		.engine = PM4_ENGINE_GFX,
		.source = core->commands.source,
		.write = write_state,
		.results = 1,
	};
	uint32_t seen[2 * TOPOLOGY_ENGINES];
	int ret = harness_run(harness, &experiment, seen);

	if (ret)
		return ret;
	experiment.what = "GRBMH_SYNC read and written in each engine";
	experiment.write = read_sync;
	experiment.results = ARRAY_SIZE(seen);
	ret = harness_run(harness, &experiment, seen);
	*set = *left = 0;
	for (uint32_t i = 0; !ret && i < TOPOLOGY_ENGINES; i++) {
		if (!(core->engines >> i & 1))
			continue;
		*set |= (uint32_t)((seen[2 * i] & mask) == mask) << i;
		*left |= (uint32_t)((seen[2 * i + 1] & mask) != 0) << i;
	}
	return ret;
}

int
sync_try_graphics(struct harness *harness)
{
	struct core *core = &harness->gpu->core;
	struct core_control *sync = &core->controls[CORE_GRBMH_SYNC];
	uint32_t set, left;
	char expected[80];
	bool works;
	int ret;

	if (!sync->reg.byte ||
	    !amd_context_info(harness->ctx)->has_ring[PM4_ENGINE_GFX])
		return 0;
	snprintf(expected, sizeof(expected),
		 "GRBMH_SYNC comes with the state in engines 0x%" PRIx32
		 ", and goes",
		 core->engines);
	ret = read_engines(harness, expected, &set, &left);
	works = !ret && set == core->engines && !left;
	/* what does not come is not waited for */
	if (!works)
		sync->reg.byte = 0;
	if (!ret)
		harness_check(harness, harness_answer(works), QUIRK_GRBMH,
			      expected,
			      "it came in 0x%" PRIx32 ", stayed in 0x%" PRIx32,
			      set, left);
	return ret;
}
