/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selftest/selftest.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/amdgpu/selftest/stages.h"
#include "driver/amdgpu/tested/tested.h"
#include "table/path.h"

static const struct {
	const char *title;
	int (*run)(struct bench *bench);
} stages[SELFTEST_STAGES + 1] = {
	{ "what the GPU is; nothing is submitted", stage_identity },
	{ "nothing, a store and the clock", stage_memory },
	{ "control registers, only read", stage_controls },
	{ "an event of its own for every instance, read back", stage_selects },
	{ "events that run by themselves, counted", stage_count },
	{ "waves of a shader that does nothing, counted", stage_waves },
	{ "registers as they were", stage_restore },
};

const char *
selftest_title(unsigned stage)
{
	return stages[stage].title;
}

static int
run_stage(struct bench *bench, const struct driver_target *target,
	  unsigned stage)
{
	const struct table *tables[] = { bench->gpu->table };
	int ret;

	ret = gpu_read_core(bench->gpu, target, tables, 1, bench->arena,
			    bench->error);
	if (!ret)
		ret = channel_create(bench->gpu->queue, &bench->channel,
				     bench->error);
	if (ret)
		return ret;
	ret = stages[stage].run(bench);
	channel_destroy(bench->channel);
	return ret;
}

static int
open_and_run(const struct selftest_gpu *gpu, unsigned stage,
	     struct bench *bench)
{
	struct driver_target target = { .root = "",
					.driver = "amdgpu",
					.address = gpu->address,
					.render = gpu->node,
					.primary = "" };
	struct table_path files;
	int ret;

	target.sysfs = arena_printf(bench->arena, "/sys/bus/pci/devices/%s",
				    gpu->address);
	if (!target.sysfs ||
	    table_path_init(&target.tables, &files,
			    secure_getenv("DRMPERF_EVENTS"), bench->arena))
		return error_set(bench->error, -ENOMEM, "no memory");
	ret = gpu_create(&target, &bench->gpu, bench->error);
	if (ret)
		return ret;
	if (tested_path(queue_info(bench->gpu->queue), bench->memory->results,
			sizeof(bench->memory->results)))
		bench->memory->results[0] = '\0';
	ret = run_stage(bench, &target, stage);
	gpu_destroy(bench->gpu);
	return ret;
}

int
selftest_run(const struct selftest_gpu *gpu, unsigned stage,
	     struct selftest_memory *memory, const struct selftest_host *host,
	     struct drmperf_error *error)
{
	struct bench bench = { .host = host,
			       .memory = memory,
			       .error = error,
			       .arena = arena_create() };
	int ret;

	if (!bench.arena)
		return error_set(error, -ENOMEM, "no memory");
	ret = open_and_run(gpu, stage, &bench);
	arena_destroy(bench.arena);
	return ret;
}
