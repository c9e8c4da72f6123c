/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/waves.h"

#include <errno.h>
#include <string.h>

#include "process/spawn.h"
#include "rgp/rgp.h"
#include "rgp/rgp_put.h"
#include "util/output_file.h"

#define MIB (UINT64_C(1) << 20)

/* A trace that is being taken, and then written. */
struct waves {
	const struct tool *tool;
	const struct waves_options *options;
	struct drmperf_device *device;
	struct drmperf_trace *trace;
	struct rgp_facts facts; /* of which the file tells */
	struct rgp_own_machine machine;
	struct output_file file;
	uint64_t size; /* of what has been written */
	unsigned count; /* of engines */
	unsigned full, failed, unfinished;
	int ret; /* of writing */
};

/* ------------------------------------------------------------------ */
/* The file                                                             */

static void
write_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct waves *waves = data;
	const uint64_t size = rgp_engine_size(engine);
	const struct rgp_engine chunks = {
		.info = drmperf_trace_info(waves->trace),
		.engine = engine,
		.index = waves->count,
		.at = waves->size,
	};

	waves->full += engine->is_full;
	waves->failed += engine->has_failed;
	waves->unfinished += engine->is_unfinished;
	if (waves->size + size > RGP_MOST_BYTES)
		waves->ret = -EFBIG;
	if (waves->ret)
		return;
	rgp_put_engine(waves->file.out, &chunks);
	waves->size += size;
	waves->count++;
}

static int
write_file(struct waves *waves, struct drmperf_error *error)
{
	waves->size = rgp_put_facts(waves->file.out, &waves->facts);
	return drmperf_trace_end(waves->trace, write_engine, waves, error);
}

/* ------------------------------------------------------------------ */
/* Messages                                                             */

static void
warn_of_losses(const struct waves *waves)
{
	const struct drmperf_trace_info *info =
		drmperf_trace_info(waves->trace);

	if (waves->full)
		tool_warn(waves->tool,
			  "the buffers of %u of %u shader engines were full: "
			  "what came later is missing; try --buffer %llu%s",
			  waves->full, info->engine_count,
			  (unsigned long long)(2 * info->buffer_size / MIB),
			  waves->options->omit_instructions
				  ? ""
				  : ", or --no-instructions");
	if (waves->failed)
		tool_warn(waves->tool,
			  "%u shader engines could not write all of it",
			  waves->failed);
	if (waves->unfinished)
		tool_warn(waves->tool,
			  "%u shader engines did not finish: the end may be "
			  "missing",
			  waves->unfinished);
}

static int
finish_file(struct waves *waves)
{
	struct drmperf_error error = { 0 };
	const char *path = waves->options->path;
	int ret = write_file(waves, &error);

	if (ret && error.cause[0])
		return tool_complain(waves->tool, &error);
	if (!ret)
		ret = waves->ret;
	if (!ret)
		ret = output_file_close(&waves->file, true);
	if (ret)
		return tool_fail(waves->tool, "cannot write %s: %s", path,
				 ret == -EFBIG ? "it would have more than 2 GiB"
					       : strerror(-ret));
	fprintf(stderr, "drmperf trace: %s: %llu bytes of %u shader engines\n",
		path, (unsigned long long)waves->size, waves->count);
	warn_of_losses(waves);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static int
begin_trace(struct waves *waves)
{
	const struct waves_options *options = waves->options;
	const struct drmperf_trace_options wanted = {
		.size = sizeof(wanted),
		.buffer_size = options->buffer_mib * MIB,
		.omit_instructions = options->omit_instructions,
		.all_programs = 1,
		.supervise = 1,
	};
	struct drmperf_error error;

	if (drmperf_trace_create(waves->device, &wanted, &waves->trace, &error))
		return tool_complain(waves->tool, &error);
	rgp_facts_read(waves->device, &waves->machine, &waves->facts);
	return 0;
}

static int
trace_command_run(struct waves *waves, char **command)
{
	struct spawn_signals signals;
	struct spawn spawn;
	int status;

	spawn_block_signals(&signals);
	status = spawn_prepare(waves->tool, &signals,
			       (const char *const *)command, &spawn);
	if (!status && begin_trace(waves)) {
		spawn_cancel(&spawn);
		status = TOOL_FAILED;
	}
	if (!status)
		status = spawn_exec(waves->tool, command[0], &spawn);
	if (!status) {
		spawn_wait(&spawn, UINT64_MAX);
		status = finish_file(waves);
		if (spawn.status)
			status = spawn.status;
	}
	drmperf_trace_destroy(waves->trace);
	spawn_unblock_signals(&signals);
	return status;
}

int
trace_waves(const struct tool *tool, const struct waves_options *options,
	    char **command)
{
	struct waves waves = { .tool = tool, .options = options };
	int status, ret;

	waves.device = options->device ? options->device
				       : drmperf_device_default(tool->drmperf,
								"amdgpu");
	if (!waves.device)
		return tool_fail_no_gpu(tool);
	ret = output_file_open(&waves.file, options->path);
	if (ret)
		return tool_fail(tool, "cannot write %s: %s", options->path,
				 strerror(-ret));
	status = trace_command_run(&waves, command);
	output_file_close(&waves.file, false);
	return status;
}
