/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/selftest.h"

#include <errno.h>
#include <stdlib.h>

#include "selftest/amdgpu/hidden.h"
#include "selftest/amdgpu/shaders.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/waves.h"
#include "driver/amdgpu/quirks/quirks.h"
#include "table/table.h"

static const struct {
	const char *title;
	int (*run)(struct harness *harness);
} stages[SELFTEST_STAGES + 1] = {
	{ "what the GPU is; nothing is submitted", stage_identity },
	{ "nothing, a store and the clock", stage_memory },
	{ "control registers, only read", stage_controls },
	{ "an event of its own for every instance, read back", stage_selects },
	{ "events that run by themselves, counted", stage_count },
	{ "waves, instructions and memory accesses, counted", stage_waves },
	{ "counters of 32 bits, filled and emptied", stage_full },
	{ "counted beside work of other processes", stage_load },
	{ "counted through idleness, sleep and theft", stage_disturbed },
	{ "what is off until it is tested", stage_hidden },
	{ "registers as they were", stage_restore },
};

const char *
selftest_title(unsigned stage)
{
	return stages[stage].title;
}

/* Read the core again with one hidden item enabled, to try it. */
static int
read_hidden(struct harness *harness, const struct driver_target *target,
	    const struct table *const *tables)
{
	struct selftest_memory *memory = harness->memory;
	const struct core *core = &harness->gpu->core;

	memory->item_count = hidden_count(core);
	harness->hidden = hidden_name(core, memory->item);
	harness->gpu->untested = harness->hidden;
	return gpu_read_core(harness->gpu, target, tables, 1, harness->arena,
			     harness->error);
}

/* A function to run on a GPU, and whether with a hidden item enabled. */
struct task {
	int (*run)(struct harness *harness);
	bool hidden;
};

static int
run_task(struct harness *harness, const struct driver_target *target,
	 const struct task *task)
{
	const struct table *tables[] = { harness->gpu->table };
	int ret;

	ret = gpu_read_core(harness->gpu, target, tables, 1, harness->arena,
			    harness->error);
	if (!ret && task->hidden)
		ret = read_hidden(harness, target, tables);
	if (!ret)
		ret = amd_context_create(harness->gpu->dev, &harness->ctx,
					 harness->error);
	if (ret)
		return ret;
	/* so that what copies_try() finds is in no other check */
	harness->gpu->core.commands.pairs = false;
	harness_observe(harness);
	ret = task->run(harness);
	amd_context_destroy(harness->ctx);
	return ret;
}

static int
open_and_run(const struct selftest_gpu *gpu, const struct task *task,
	     struct harness *harness)
{
	struct driver_target target = { .root = "",
					.driver = "amdgpu",
					.address = gpu->address,
					.render = gpu->node,
					.dies = gpu->dies,
					.primary = "" };
	struct table_path files;
	int ret;

	target.sysfs = arena_printf(harness->arena, "/sys/bus/pci/devices/%s",
				    gpu->address);
	if (!target.sysfs ||
	    table_path_init(&target.tables, &files,
			    secure_getenv("DRMPERF_EVENTS"), harness->arena))
		return error_set(harness->error, -ENOMEM, "no memory");
	harness->sysfs = target.sysfs;
	ret = gpu_create(&target, &harness->gpu, harness->error);
	if (ret)
		return ret;
	if (quirks_path(harness->gpu, harness->memory->results,
			sizeof(harness->memory->results)))
		harness->memory->results[0] = '\0';
	ret = run_task(harness, &target, task);
	gpu_destroy(harness->gpu);
	return ret;
}

static int
task_run(const struct selftest_gpu *gpu, const struct task *task,
	 struct harness *harness)
{
	int ret;

	harness->arena = arena_create();
	if (!harness->arena)
		return error_set(harness->error, -ENOMEM, "no memory");
	ret = open_and_run(gpu, task, harness);
	arena_destroy(harness->arena);
	return ret;
}

int
selftest_run(const struct selftest_gpu *gpu, unsigned stage,
	     struct selftest_memory *memory, const struct selftest_host *host,
	     struct drmperf_error *error)
{
	const struct task task = { .run = stages[stage].run,
				   .hidden = stage == SELFTEST_HIDDEN };
	struct harness harness = { .host = host,
				   .memory = memory,
				   .error = error };

	return task_run(gpu, &task, &harness);
}

/* ------------------------------------------------------------------ */
/* Beside a stage                                                       */

static void
decide_nothing(void *data, const struct selftest_check *check)
{
	(void)data, (void)check;
}

/* Let all commands pass, for work outside the self-test's stages. */
static int
submit_freely(void *data, const struct selftest_commands *commands)
{
	(void)data, (void)commands;
	return 0;
}

static const struct selftest_host nobody = { .decided = decide_nothing,
					     .submitting = submit_freely };

int
selftest_work(const struct selftest_gpu *gpu, struct selftest_work *work,
	      struct drmperf_error *error)
{
	struct selftest_memory memory = { .seconds = 0 };
	const struct task task = { .run = work_run };
	struct harness harness = {
		.host = &nobody, .memory = &memory, .work = work, .error = error
	};

	return task_run(gpu, &task, &harness);
}

static int
harness_launch_all(struct harness *harness)
{
	harness->die = harness->waves->die;
	if (harness->waves->stream)
		return shaders_stream(harness);
	return waves_launch_from(harness, "waves", "",
				 harness->waves->graphics ? PM4_ENGINE_GFX
							  : PM4_ENGINE_COMPUTE,
				 harness->waves->enabled);
}

int
selftest_launch(const struct selftest_gpu *gpu,
		const struct selftest_waves *waves, struct drmperf_error *error)
{
	struct selftest_memory memory = { .seconds = 0 };
	const struct task task = { .run = harness_launch_all };
	struct harness harness = { .host = &nobody,
				   .memory = &memory,
				   .waves = waves,
				   .error = error };

	return task_run(gpu, &task, &harness);
}
