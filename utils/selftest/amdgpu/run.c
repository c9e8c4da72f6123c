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
	int (*run)(struct bench *bench);
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
read_hidden(struct bench *bench, const struct driver_target *target,
	    const struct table *const *tables)
{
	struct selftest_memory *memory = bench->memory;
	const struct core *core = &bench->gpu->core;

	memory->item_count = hidden_count(core);
	bench->hidden = hidden_name(core, memory->item);
	bench->gpu->untested = bench->hidden;
	return gpu_read_core(bench->gpu, target, tables, 1, bench->arena,
			     bench->error);
}

/* A function to run on a GPU, and whether with a hidden item enabled. */
struct task {
	int (*run)(struct bench *bench);
	bool hidden;
};

static int
run_task(struct bench *bench, const struct driver_target *target,
	 const struct task *task)
{
	const struct table *tables[] = { bench->gpu->table };
	int ret;

	ret = gpu_read_core(bench->gpu, target, tables, 1, bench->arena,
			    bench->error);
	if (!ret && task->hidden)
		ret = read_hidden(bench, target, tables);
	if (!ret)
		ret = amd_context_create(bench->gpu->dev, &bench->ctx,
					 bench->error);
	if (ret)
		return ret;
	/* so that what copies_try() finds is in no other check */
	bench->gpu->core.commands.pairs = false;
	bench_observe(bench);
	ret = task->run(bench);
	amd_context_destroy(bench->ctx);
	return ret;
}

static int
open_and_run(const struct selftest_gpu *gpu, const struct task *task,
	     struct bench *bench)
{
	struct driver_target target = { .root = "",
					.driver = "amdgpu",
					.address = gpu->address,
					.render = gpu->node,
					.dies = gpu->dies,
					.primary = "" };
	struct table_path files;
	int ret;

	target.sysfs = arena_printf(bench->arena, "/sys/bus/pci/devices/%s",
				    gpu->address);
	if (!target.sysfs ||
	    table_path_init(&target.tables, &files,
			    secure_getenv("DRMPERF_EVENTS"), bench->arena))
		return error_set(bench->error, -ENOMEM, "no memory");
	bench->sysfs = target.sysfs;
	ret = gpu_create(&target, &bench->gpu, bench->error);
	if (ret)
		return ret;
	if (quirks_path(bench->gpu, bench->memory->results,
			sizeof(bench->memory->results)))
		bench->memory->results[0] = '\0';
	ret = run_task(bench, &target, task);
	gpu_destroy(bench->gpu);
	return ret;
}

static int
task_run(const struct selftest_gpu *gpu, const struct task *task,
	 struct bench *bench)
{
	int ret;

	bench->arena = arena_create();
	if (!bench->arena)
		return error_set(bench->error, -ENOMEM, "no memory");
	ret = open_and_run(gpu, task, bench);
	arena_destroy(bench->arena);
	return ret;
}

int
selftest_run(const struct selftest_gpu *gpu, unsigned stage,
	     struct selftest_memory *memory, const struct selftest_host *host,
	     struct drmperf_error *error)
{
	const struct task task = { .run = stages[stage].run,
				   .hidden = stage == SELFTEST_HIDDEN };
	struct bench bench = { .host = host,
			       .memory = memory,
			       .error = error };

	return task_run(gpu, &task, &bench);
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
	struct bench bench = {
		.host = &nobody, .memory = &memory, .work = work, .error = error
	};

	return task_run(gpu, &task, &bench);
}

static int
bench_launch_all(struct bench *bench)
{
	bench->die = bench->waves->die;
	if (bench->waves->stream)
		return shaders_stream(bench);
	return waves_launch_from(bench, "waves", "",
				 bench->waves->graphics ? PM4_ENGINE_GFX
							: PM4_ENGINE_COMPUTE,
				 bench->waves->enabled);
}

int
selftest_launch(const struct selftest_gpu *gpu,
		const struct selftest_waves *waves, struct drmperf_error *error)
{
	struct selftest_memory memory = { .seconds = 0 };
	const struct task task = { .run = bench_launch_all };
	struct bench bench = { .host = &nobody,
			       .memory = &memory,
			       .waves = waves,
			       .error = error };

	return task_run(gpu, &task, &bench);
}
