/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames/frames.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "process/preload.h"
#include "process/queue_access.h"
#include "process/spawn.h"
#include "select/passes.h"
#include "util/output_file.h"

/* A count that is made frame by frame. */
struct frames_run {
	struct tool *tool;
	const struct frames_options *options;
	const char *const *command;
	struct event_request wanted;
	struct frames_result result;
	struct queue_access_list queues;
	FILE *out;
	struct output_file file; /* of -o */
};

/* ------------------------------------------------------------------ */
/* Options                                                              */

static int
check_options(const struct tool *tool, const struct frames_options *options,
	      const char *program)
{
	if (!options->print && (options->lists.count || options->output ||
				options->csv || options->json))
		return tool_usage_error(tool, "-e, -M, -o, --csv and --json "
					      "are for --print");
	if (options->csv && options->json)
		return tool_usage_error(tool,
					"either --csv or --json, not both");
	if (!program)
		return tool_usage_error(tool, "no program given");
	return preload_check_program(tool, program);
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static int
choose_frame_events(struct frames_run *run, const struct tool *tool)
{
	struct drmperf_error error;
	int status;

	run->wanted.of_whole_gpu = true;
	status = event_lists_read(tool, &run->options->lists,
				  "count it in another run", &run->wanted);
	if (!status)
		status = selection_list_refuse(
			tool, &run->wanted.choice, selection_is_of_cpus,
			"is an event of CPUs, which is not counted by frame",
			"drmperf stat, which counts it for the whole command");
	if (!status)
		status = event_request_check_scopes(tool, &run->wanted);
	if (!status && !passes_fit(tool, &run->wanted.choice, &error))
		status = tool_complain(tool, &error);
	if (status)
		return status;
	run->result.events = &run->wanted.choice;
	run->result.values =
		calloc(run->result.events->count, sizeof(*run->result.values));
	return run->result.values ? 0 : tool_fail(tool, "no memory");
}

/* Choose the events of the GPU that the program draws with. */
static int
choose_events_of_gpu(void *data, const struct drmperf_device *device)
{
	struct frames_run *run = data;
	struct tool tool = choose_one(run->tool);
	struct drmperf_error error;
	int status;

	tool.device = device;
	event_request_finish(&run->wanted);
	run->wanted = (struct event_request){ 0 };
	free(run->result.values);
	run->result.values = NULL;
	status = choose_frame_events(run, &tool);
	if (status)
		return status;
	queue_access_release(&run->queues);
	run->queues.count = 0; /* what was seen of the other GPU */
	return queue_access_take(&run->queues, run->result.events->selections,
				 run->result.events->count, &error)
		       ? tool_complain(run->tool, &error)
		       : 0;
}

/* ------------------------------------------------------------------ */
/* Output                                                               */

static int
open_output(struct frames_run *run)
{
	const struct frames_options *options = run->options;
	int ret;

	run->out = options->csv || options->json ? stdout : stderr;
	if (!options->output)
		return 0;
	ret = output_file_open(&run->file, options->output);
	if (ret)
		return tool_fail(run->tool, "%s: %s", options->output,
				 strerror(-ret));
	run->out = run->file.out;
	return 0;
}

/*
 * Close the output file, which is kept if frames were counted, and report if it
 * could not be written; main() reports errors of standard output.
 */
static int
close_output(struct frames_run *run, int status)
{
	int ret;

	if (!run->file.out)
		return status;
	ret = output_file_close(&run->file, ftell(run->file.out) > 0);
	if (!ret)
		return status;
	tool_fail(run->tool, "cannot write %s: %s", run->options->output,
		  strerror(-ret));
	return status ? status : TOOL_FAILED;
}

static int
complain_of_gpu(const struct frames_run *run)
{
	const char *gpu = run->result.other_gpu;

	tool_fail(run->tool,
		  "no frame was counted: the command draws with GPU %s, and no "
		  "event of that GPU was counted",
		  gpu);
	fprintf(stderr, "try: -d %s, and names without a device\n", gpu);
	return TOOL_FAILED;
}

static int
complain_of_nothing(const struct frames_run *run)
{
	if (run->result.other_gpu[0] && !run->result.processes)
		return complain_of_gpu(run);
	if (run->result.processes)
		tool_fail(run->tool, "no frame was counted: the command ended "
				     "within its first one");
	else
		tool_fail(run->tool,
			  "no frame was counted: the command never came to %s",
			  run->options->ends);
	fprintf(stderr,
		"try: run a program that draws for longer; its frames lie "
		"between the first and the last time that there is %s\n",
		run->options->ends);
	return TOOL_FAILED;
}

/* Print what was counted, whatever became of the command. */
static int
print_result(const struct frames_run *run, int status)
{
	const struct frames_result *result = &run->result;

	if (!result->frames) {
		complain_of_nothing(run);
		return status ? status : TOOL_FAILED;
	}
	frames_print(run->out, run->options, run->command, result);
	queue_access_print(stderr, "drmperf: ", &run->queues);
	if (result->processes > 1)
		tool_warn(run->tool,
			  "%u processes ended frames: those of all are in the "
			  "table",
			  result->processes);
	if (result->other_gpu[0])
		tool_warn(run->tool,
			  "frames that GPU %s drew are not in the table",
			  result->other_gpu);
	if (!result->reason.code)
		return status;
	tool_warn(run->tool, "values of some frames are missing: %s",
		  result->reason.cause);
	if (result->reason.remedy[0])
		fprintf(stderr, "  try: %s\n", result->reason.remedy);
	return status ? status : TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* The run                                                              */

static int
run_command(struct frames_run *run, struct spawn_signals *signals,
	    bool *has_run)
{
	const struct frames_choice choice = {
		.choose = run->tool->device ? NULL : choose_events_of_gpu,
		.data = run,
	};
	struct frame_counter *counter = NULL;
	struct spawn spawn;
	uint64_t begun_ns;
	int status = frame_counter_start(run->tool, &run->result, &choice,
					 &counter);

	*has_run = false;
	if (status)
		return status;
	status = spawn_prepare(run->tool, signals, run->command, &spawn);
	if (!status)
		status = spawn_exec(run->tool, run->command[0], &spawn);
	if (!status) {
		*has_run = true;
		begun_ns = spawn_now_ns();
		spawn_wait(&spawn, UINT64_MAX);
		run->result.seconds = (double)(spawn_now_ns() - begun_ns) / 1e9;
		status = spawn.status;
	}
	frame_counter_stop(counter);
	return status;
}

static int
count_frames(struct frames_run *run)
{
	const struct selection_list *events = run->result.events;
	struct spawn_signals signals;
	struct drmperf_error error;
	bool has_run = false;
	int status;

	spawn_block_signals(&signals);
	queue_access_prepare(&run->queues, events->selections, events->count);
	if (queue_access_take(&run->queues, events->selections, events->count,
			      &error))
		status = tool_complain(run->tool, &error);
	else
		status = run_command(run, &signals, &has_run);
	queue_access_release(&run->queues);
	if (has_run)
		status = print_result(run, status);
	status = close_output(run, status);
	spawn_unblock_signals(&signals);
	return status;
}

static int
frames_run(struct tool *tool, const struct frames_options *options,
	   const char *const *command)
{
	struct frames_run run = { .tool = tool,
				  .options = options,
				  .command = command };
	int status;

	if (!options->print)
		return spawn_run(tool, command);
	status = choose_frame_events(&run, tool);
	if (!status)
		status = open_output(&run);
	if (!status)
		status = count_frames(&run);
	queue_access_finish(&run.queues);
	held_clocks_finish(&run.result.clocks);
	free(run.result.values);
	event_request_finish(&run.wanted);
	return status;
}

int
frames_main(struct tool *tool, const struct tool_command *command, int argc,
	    char **argv, const char *ends,
	    int (*enable)(const struct tool *tool))
{
	struct frames_options options = { .ends = ends };
	int status = tool_read_options(tool, command, argc, argv, &options);

	if (!status)
		status = check_options(tool, &options, argv[optind]);
	if (!status)
		status = enable(tool);
	if (!status)
		status = frames_run(tool, &options,
				    (const char *const *)&argv[optind]);
	event_lists_finish(&options.lists);
	return status;
}
