/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/waves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process/spawn.h"
#include "record/machine.h"
#include "report/rgp_bytes.h"
#include "report/rgp_facts.h"
#include "util/output_file.h"

#define DESCRIPTION_SIZE 32
#define DATA_HEAD_SIZE 24
#define MIB (UINT64_C(1) << 20)
#define NS_PER_S 1000000000ull

/* Offsets have a sign. */
#define MOST_BYTES INT32_MAX

/* A trace that is being taken, and then written. */
struct waves {
	const struct tool *tool;
	const struct waves_options *options;
	struct drmperf_device *device;
	struct drmperf_trace *trace;
	struct recording facts; /* of which the file tells */
	struct machine machine;
	struct held_clocks clocks;
	struct output_file file;
	uint64_t size; /* of what has been written */
	unsigned count; /* of engines */
	unsigned full, failed, unfinished;
	int ret; /* of writing */
};

/* ------------------------------------------------------------------ */
/* The file                                                             */

/* Return the format's number of what a version of the graphics core writes. */
static uint32_t
sqtt_version(unsigned core_level)
{
	switch (core_level) {
	case 9:
		return 0x6;
	case 10:
		return 0x7;
	case 11:
		return 0xb;
	default:
		return 0xc;
	}
}

static void
add_description(struct bytes *bytes, const struct waves *waves,
		const struct drmperf_trace_engine *engine)
{
	const struct drmperf_trace_info *info =
		drmperf_trace_info(waves->trace);

	rgp_add_head(bytes, RGP_SQTT_DESC, 0, 2, DESCRIPTION_SIZE);
	bytes_add_u32(bytes, engine->engine);
	bytes_add_u32(bytes, sqtt_version(info->core_level));
	bytes_add_u32(bytes, 1); /* versions of markers: 1 and 0 */
	bytes_add_u32(bytes, engine->unit);
}

static void
add_data_head(struct bytes *bytes, const struct waves *waves,
	      const struct drmperf_trace_engine *engine)
{
	const uint64_t head = DESCRIPTION_SIZE + DATA_HEAD_SIZE;

	rgp_add_head(bytes, RGP_SQTT_DATA, 0, 0, DATA_HEAD_SIZE + engine->size);
	bytes_add_u32(bytes, (uint32_t)(waves->size + head));
	bytes_add_u32(bytes, (uint32_t)engine->size);
}

static void
set_index(struct bytes *bytes, size_t at, unsigned index)
{
	if (!bytes->failed)
		((uint8_t *)bytes->data)[at + 1] = (uint8_t)index;
}

static void
write_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct waves *waves = data;
	const uint64_t size = DESCRIPTION_SIZE + DATA_HEAD_SIZE + engine->size;
	struct bytes bytes = { 0 };

	waves->full += engine->is_full;
	waves->failed += engine->has_failed;
	waves->unfinished += engine->is_unfinished;
	if (!waves->ret && waves->size + size > MOST_BYTES)
		waves->ret = -EFBIG;
	if (waves->ret)
		return;
	add_description(&bytes, waves, engine);
	add_data_head(&bytes, waves, engine);
	set_index(&bytes, 0, waves->count);
	set_index(&bytes, DESCRIPTION_SIZE, waves->count);
	if (bytes.failed)
		waves->ret = -ENOMEM;
	else
		fwrite(bytes.data, 1, bytes.size, waves->file.out);
	fwrite(engine->data, 1, engine->size, waves->file.out);
	bytes_finish(&bytes);
	waves->size += size;
	waves->count++;
}

static void
find_facts(struct waves *waves)
{
	struct drmperf_error error;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	machine_read(waves->device, &waves->machine);
	waves->clocks.held.size = sizeof(waves->clocks.held);
	waves->clocks.is_held = true;
	waves->clocks.is_known = !drmperf_device_clocks(
		waves->device, &waves->clocks.held, &error);
	waves->facts = (struct recording){
		.realtime_ns =
			(uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec,
		.machine = waves->machine.facts,
		.clocks = { &waves->clocks, waves->clocks.is_known },
	};
}

static int
write_file(struct waves *waves, struct drmperf_error *error)
{
	long end;
	int ret = rgp_write_facts(&waves->facts,
				  drmperf_device_chip(waves->device),
				  waves->file.out);

	if (ret)
		return ret;
	end = ftell(waves->file.out);
	if (end < 0)
		return -errno;
	waves->size = (uint64_t)end;
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
	find_facts(waves);
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
		status = spawn_go(waves->tool, command[0], &spawn);
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
