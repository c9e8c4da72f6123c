/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf stat: count a command.
 */
#include "stat/types.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "select/event_lists.h"
#include "select/event_request.h"
#include "select/passes.h"
#include "stat/kernels.h"
#include "stat/reference_event.h"
#include "stat/text.h"
#include "util/command.h"
#include "util/output_file.h"

struct counting {
	struct tool *tool;
	struct stat_options options;
	struct event_request wanted;
	/* what is counted on all GPUs, without -d */
	struct selection_list several;
	struct passes passes;
	struct selection_list controls; /* events added to every pass */
	struct spawn_signals signals;
	struct stat_result result;
	int status; /* of the last command */
	struct event_lists lists;
	bool json, append;
	bool per_kernel; /* each kernel of the command in place of all GPUs */
	struct kernels_filter filter; /* of kernels */
	const char *csv; /* its separator, or NULL */
	const char *output; /* file, or NULL */
	struct output_file file;
	struct records records;
};

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static bool
is_control(const struct counting *stat,
	   const struct drmperf_selection *selection)
{
	for (size_t i = 0; i < stat->controls.count; i++) {
		if (stat->controls.selections[i].event == selection->event &&
		    stat->controls.selections[i].instance ==
			    selection->instance)
			return true;
	}
	return false;
}

/* Return rows for the events of a pass, at the end of the result. */
static struct stat_row *
add_rows(struct counting *stat, size_t pass,
	 const struct selection_list *events)
{
	struct stat_result *result = &stat->result;
	size_t first = result->row_count;
	struct stat_row *rows;

	rows = reallocarray(result->rows, first + events->count, sizeof(*rows));
	if (!rows)
		return NULL;
	result->rows = rows;
	for (size_t i = 0; i < events->count; i++) {
		rows[first + i] = (struct stat_row){
			.selection = events->selections[i],
			.pass = pass,
			.control = is_control(stat, &events->selections[i]),
		};
		result->row_count++;
	}
	return &rows[first];
}

static void
counting_announce(const struct counting *stat, size_t pass, unsigned repeat)
{
	if (stat->result.passes > 1)
		fprintf(stderr, "drmperf stat: pass %zu of %zu", pass + 1,
			stat->result.passes);
	if (stat->result.passes > 1 && stat->options.repeats > 1)
		fprintf(stderr, ", run %u of %u", repeat + 1,
			stat->options.repeats);
	if (stat->result.passes > 1)
		fputc('\n', stderr);
}

/* Keep a value. Most commands run once, whatever number they may run. */
static bool
keep_value(struct stat_row *row, union drmperf_value value)
{
	union drmperf_value *values = row->values;

	/* at each power of two there is no room left */
	if (!(row->count & (row->count - 1))) {
		values = reallocarray(values, row->count ? 2 * row->count : 1,
				      sizeof(*values));
		if (!values)
			return false;
		row->values = values;
	}
	values[row->count++] = value;
	return true;
}

static void
add_time(struct stat_time *time, double seconds)
{
	time->seconds += seconds;
	time->runs++;
}

/* Note before the run that it is of is counted. */
static void
note_die(struct stat_row *row, int die)
{
	if (!row->count)
		row->die = die;
	else if (row->die != die)
		row->die = STAT_DIES;
}

static bool
keep_values(struct counting *stat, const struct stat_run *run)
{
	for (size_t i = 0; i < run->row_count; i++) {
		if (!run->statuses[i])
			run->rows[i].length_ns += run->origins[i].end_ns;
		note_die(&run->rows[i], run->origins[i].die);
		if (!run->statuses[i] &&
		    !keep_value(&run->rows[i], run->values[i])) {
			stat->status = tool_fail(stat->tool, "no memory");
			return false;
		}
	}
	stat_write_run(run);
	add_time(&stat->result.time, run->seconds);
	add_time(&stat->result.pass_times[run->rows->pass], run->seconds);
	return true;
}

/* Returns true to go on with the next run. */
static bool
run_command_once(struct counting *stat, struct stat_run *run)
{
	stat->status = stat_run(run);
	if (run->too_short)
		tool_warn(stat->tool,
			  "nothing was counted: it was over before the %u ms "
			  "of -D",
			  stat->options.delay_ms);
	if (!run->counted)
		return false;
	/* a part of a run would spoil the mean of whole ones */
	if (run->interrupted && run->number > 1) {
		tool_warn(stat->tool, "run %u was interrupted and is left out",
			  run->number);
		return false;
	}
	return keep_values(stat, run) && !run->interrupted &&
	       !spawn_is_interrupted(run->signals);
}

static bool
run_pass(struct counting *stat, struct spawn_signals *signals, size_t pass,
	 const struct selection_list *events)
{
	union drmperf_value *values =
		calloc(3 * events->count, sizeof(*values));
	struct stat_origin *origins = calloc(events->count, sizeof(*origins));
	int *statuses = calloc(2 * events->count, sizeof(*statuses));
	struct stat_run run = {
		.tool = stat->tool,
		.options = &stat->options,
		.signals = signals,
		.selections = events->selections,
		.rows = add_rows(stat, pass, events),
		.row_count = events->count,
		.passes = stat->result.passes,
		.gaps = &stat->result.gaps,
		.clocks = &stat->result.clocks,
		.queues = &stat->result.queues,
		.values = values,
		.step = values + events->count,
		.before = values + 2 * events->count,
		.statuses = statuses,
		.step_statuses = statuses + events->count,
		.origins = origins,
	};
	bool more = run.rows && values && origins && statuses;

	if (!more)
		stat->status = tool_fail(stat->tool, "no memory");
	if (more && stat->options.interval_ms)
		stat_print_interval_head(&stat->options);
	for (unsigned i = 0; more && i < stat->options.repeats; i++) {
		counting_announce(stat, pass, i);
		run.number = i + 1;
		more = run_command_once(stat, &run);
	}
	free(statuses);
	free(origins);
	free(values);
	return more;
}

static void
run_passes(struct counting *stat)
{
	bool more = true;

	for (size_t pass = 0; more && pass < stat->result.passes; pass++) {
		struct selection_list events = { 0 };

		if (reference_event_pass(&stat->passes.list[pass],
					 &stat->controls, &events)) {
			stat->status = tool_fail(stat->tool, "no memory");
			more = false;
		} else {
			more = run_pass(stat, &stat->signals, pass, &events);
		}
		selection_list_finish(&events);
	}
}

static void
run_command_often(struct counting *stat)
{
	struct stat_result *result = &stat->result;
	size_t runs;

	result->passes = stat->passes.count;
	result->pass_times =
		calloc(result->passes, sizeof(*result->pass_times));
	if (!result->pass_times) {
		stat->status = tool_fail(stat->tool, "no memory");
		return;
	}
	runs = result->passes * stat->options.repeats;
	run_passes(stat);
	if (result->time.runs && result->time.runs < runs)
		tool_warn(stat->tool, "ended after %zu of %zu runs",
			  result->time.runs, runs);
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static void
finish_row(struct stat_row *row)
{
	free(row->values);
	free(row->reason);
}

static void
stat_finish(struct counting *stat)
{
	for (size_t i = 0; i < stat->result.row_count; i++)
		finish_row(&stat->result.rows[i]);
	free(stat->result.rows);
	free(stat->result.pass_times);
	queue_access_finish(&stat->result.queues);
	held_clocks_finish(&stat->result.clocks);
	passes_finish(&stat->passes);
	selection_list_finish(&stat->controls);
	selection_list_finish(&stat->several);
	event_request_finish(&stat->wanted);
	event_lists_finish(&stat->lists);
	peaks_finish(&stat->options.peaks);
}

/* Read the peaks for users of metric groups, to whom numbers may say little. */
static int
read_peaks(struct counting *stat)
{
	const struct records *records = stat->options.records;

	if (stat->options.raw || !event_lists_have_groups(&stat->lists) ||
	    (records && records->format != RECORDS_JSON))
		return 0;
	stat->options.asked = &stat->lists;
	return peaks_read(stat->tool, &stat->wanted.choice,
			  &stat->options.peaks);
}

/* Drop the rows of GPUs that the command has not opened. */
static void
drop_rows_not_shown(struct stat_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < result->row_count; i++) {
		if (result->rows[i].is_shown)
			result->rows[count++] = result->rows[i];
		else
			finish_row(&result->rows[i]);
	}
	result->row_count = count;
}

/* Complain that all GPUs waited for the command to open them. */
static int
complain_of_nothing(const struct tool *tool)
{
	tool_fail(tool, "nothing was counted: counting lowers the clocks of "
			"these GPUs, so it waited for the command to open "
			"one, which was not seen");
	fputs("try: count one in any case with -d, or what all programs do "
	      "with -a\n",
	      stderr);
	return TOOL_FAILED;
}

static int
count_passes(struct counting *stat)
{
	int status;

	status = passes_make(stat->tool, &stat->wanted, stat->options.passes,
			     &stat->passes);
	if (!status)
		status = reference_event_choose(
			stat->tool, stat->options.control, &stat->wanted.choice,
			&stat->passes, &stat->controls);
	if (status)
		return status;
	run_command_often(stat);
	drop_rows_not_shown(&stat->result);
	if (stat->result.time.runs && !stat->result.row_count)
		return complain_of_nothing(stat->tool);
	/* of one run the records of intervals have told everything */
	if (stat->result.time.runs &&
	    (!stat->options.interval_ms || stat->result.time.runs > 1 ||
	     !(stat->options.raw || stat->options.records)))
		stat_print_result(stat->tool, &stat->options, &stat->result);
	stat_compare_runs(stat->tool, &stat->result);
	stat_report_gaps(stat->tool, &stat->options, &stat->result);
	if (stat->result.time.runs &&
	    stat_warn_missing(stat->tool, &stat->result) && !stat->status)
		return TOOL_FAILED;
	return stat->status;
}

static int
count_kernels(struct counting *stat)
{
	struct kernels_options options = {
		.command = stat->options.command,
		.filter = stat->filter,
		.out = stat->options.out,
		.records = stat->options.records,
	};
	int status = kernels_check_events(stat->tool, &stat->wanted.choice);

	if (!status)
		status = passes_make(stat->tool, &stat->wanted,
				     stat->options.passes, &stat->passes);
	if (status)
		return status;
	options.runs_uncounted = stat->options.passes || stat->passes.count > 1;
	return kernels_count(stat->tool, &options, &stat->passes,
			     &stat->signals);
}

/*
 * Count one die. The library refuses a part of a GPU unless the environment
 * asks for it.
 */
static int
count_one_die(struct tool *tool, const char *text, void *object)
{
	(void)text;
	(void)object;
	return setenv("DRMPERF_DIES", "one", 1) ? tool_fail(tool, "no memory")
						: 0;
}

static int
read_control(struct tool *tool, const char *text, void *control)
{
	(void)tool;
	*(const char **)control = strcmp(text, "none") ? text : "";
	return 0;
}

static const struct command_option stat_options[] = {
	{ "event", 'e', "EVENTS",
	  COMMAND_READ(struct counting, lists, event_lists_add_events),
	  .help = "what to count; may be repeated; {A,B} stay in one pass" },
	{ "input", 'i', "FILE",
	  COMMAND_READ(struct counting, lists, event_lists_add_file),
	  .help = "events from a file: a list, or lines \"pmc: A B\" of ROC "
		  "profiler" },
	EVENT_LISTS_OPTIONS(struct counting),
	{ "per-die", 0, NULL, COMMAND_CALL(count_one_die),
	  .help = "count one die of a GPU with several (MI300), and name it" },
	{ "pid", 'p', "PID",
	  COMMAND_READ(struct counting, options.pid, tool_read_pid),
	  .help = "count until this process ends" },
	{ "all", 'a', NULL, COMMAND_FLAG(struct counting, options.everything),
	  .help = "count CPU events and fdinfo.* of all processes; without a "
		  "command until Ctrl-C" },
	{ "timeout", 0, "MS", COMMAND_MS(struct counting, options.timeout_ms),
	  .help = "with -a or -p: stop after MS milliseconds" },
	{ "delay", 'D', "MS", COMMAND_MS(struct counting, options.delay_ms),
	  .help = "begin to count MS milliseconds after the command" },
	{ "interval", 'I', "MS",
	  COMMAND_MS(struct counting, options.interval_ms),
	  .help = "print counts every MS milliseconds" },
	{ "repeat", 'r', "N",
	  COMMAND_NUMBER(struct counting, options.repeats, 1000000),
	  .help = "run N times; print mean and deviation" },
	{ "passes", 0, NULL, COMMAND_FLAG(struct counting, options.passes),
	  .help = "run the command once per pass if the events need several" },
	{ "control", 0, "EVENT",
	  COMMAND_READ(struct counting, options.control, read_control),
	  .help = "measure this in every pass, to compare the runs; \"none\" "
		  "measures none (default: chosen by the GPU)" },
	{ "kernels", 0, NULL, COMMAND_FLAG(struct counting, per_kernel),
	  .help = "count each kernel of the command (HIP, OpenMP on AMD GPUs) "
		  "on its own, by intercepting HSA's queues; one at a time" },
	{ "kernel", 0, "PATTERN",
	  COMMAND_READ(struct counting, filter, kernels_read_pattern),
	  .help = "with --kernels: those whose name has this regular "
		  "expression" },
	{ "skip", 0, "N", COMMAND_NUMBER(struct counting, filter.skip, INT_MAX),
	  .help = "with --kernels: leave out the first N dispatches of those" },
	{ "limit", 0, "N",
	  COMMAND_NUMBER(struct counting, filter.limit, INT_MAX),
	  .help = "with --kernels: count at most N of the others" },
	{ "pmc", 0, "EVENTS",
	  COMMAND_READ(struct counting, lists, event_lists_add_events),
	  .help = "the same as -e" },
	{ "csv", 0, NULL,
	  COMMAND_READ(struct counting, csv, records_read_separator),
	  .help = "for scripts, on standard output: a record per event and "
		  "run or interval" },
	{ "field-separator", 'x', "SEP",
	  COMMAND_READ(struct counting, csv, records_read_separator),
	  .help = "the same with SEP in place of commas" },
	{ "json", 0, NULL, COMMAND_FLAG(struct counting, json),
	  .help = "the same as JSON; with -I one per line" },
	{ "raw", 0, NULL, COMMAND_FLAG(struct counting, options.raw),
	  .help = "no rates, and no unit prefixes" },
	{ "verbose", 'v', NULL, COMMAND_FLAG(struct counting, options.formulas),
	  .help = "print the formulas of what is computed from counters, too" },
	{ "output", 'o', "FILE", COMMAND_TEXT(struct counting, output),
	  .help = "write to a file" },
	{ "append", 0, NULL, COMMAND_FLAG(struct counting, append),
	  .help = "append to that file" },
	{ 0 },
};

/* Return the error in the options that concern kernels, or NULL. */
static const char *
find_misuse_of_kernels(const struct counting *stat)
{
	const struct stat_options *options = &stat->options;

	if (!stat->per_kernel)
		return stat->filter.pattern || stat->filter.skip ||
				       stat->filter.limit
			       ? "--kernel, --skip, --limit are for --kernels"
			       : NULL;
	if (!options->command[0])
		return "--kernels counts the kernels of a command";
	if (options->everything || options->interval_ms || options->delay_ms ||
	    options->repeats > 1 || options->raw || options->control ||
	    stat->wanted.per_instance)
		return "--kernels does without -a, -D, -I, -r, --control, "
		       "--per-instance and --raw";
	if (!stat->lists.count)
		return "--kernels needs events: -e, -i or -M";
	return NULL;
}

/* Return the error in the options together, or NULL. */
static const char *
find_misuse(const struct counting *stat)
{
	const struct stat_options *options = &stat->options;
	bool has_command = options->command[0];

	if (has_command && options->pid)
		return "either a command or -p PID, not both";
	if (!has_command && !options->everything && !options->pid)
		return "no command given; -a counts without one, until Ctrl-C";
	if (!has_command && (options->repeats > 1 || options->passes))
		return "-r and --passes run a command";
	if (has_command && options->timeout_ms)
		return "--timeout is for -a and -p: a command ends by itself";
	if (stat->csv && stat->json)
		return "either --csv or --json, not both";
	if (options->raw && (stat->csv || stat->json))
		return "--raw is for text: --csv and --json have no prefixes";
	if (stat->append && !stat->output)
		return "--append appends to the file of -o";
	return find_misuse_of_kernels(stat);
}

static int
check_usage(const struct counting *stat)
{
	const char *misuse = find_misuse(stat);

	return misuse ? tool_usage_error(stat->tool, "%s", misuse) : 0;
}

/* Open the file of -o. What is appended to, as others may do, is no draft. */
static int
open_file(struct counting *stat)
{
	struct stat_options *options = &stat->options;
	int ret = 0;

	if (stat->append)
		stat->file.out = fopen(stat->output, "ae");
	else
		ret = output_file_open(&stat->file, stat->output);
	if (!ret && !stat->file.out)
		ret = -errno;
	if (ret)
		return tool_fail(stat->tool, "%s: %s", stat->output,
				 strerror(-ret));
	options->out = stat->file.out;
	options->file = &stat->file;
	return 0;
}

/*
 * Open the output. Formats for programs go to standard output, where no message
 * comes between; text for people to standard error, out of the way of the
 * command's output.
 */
static int
open_output(struct counting *stat)
{
	struct stat_options *options = &stat->options;
	int status = 0;

	if (stat->output)
		status = open_file(stat);
	else if (stat->csv || stat->json)
		options->out = stdout;
	if (status || (!stat->csv && !stat->json))
		return status;
	stat->records = (struct records){
		.out = options->out,
		.format = stat->csv		 ? RECORDS_CSV
			  : options->interval_ms ? RECORDS_JSON_LINES
						 : RECORDS_JSON,
		.separator = stat->csv,
		.goes_on = stat->append && ftell(options->out) > 0,
		.command = options->command,
	};
	options->records = &stat->records;
	return 0;
}

static int
fail_to_write(const struct counting *stat, int status, const char *what)
{
	tool_fail(stat->tool, "cannot write %s", what);
	return status ? status : TOOL_FAILED;
}

/*
 * Close the output; counts that could not be written are a failure, as all
 * output is. A file without any is not kept. main() reports errors of standard
 * output.
 */
static int
finish_output(struct counting *stat, int status)
{
	FILE *out = stat->options.out;
	int ret;

	if (out == stderr && ferror(out))
		return fail_to_write(stat, status, "the counts");
	if (!stat->file.out)
		return status;
	ret = output_file_close(&stat->file, ftell(out) > 0);
	return ret ? fail_to_write(stat, status, stat->output) : status;
}

static int
stat_main(struct tool *tool, int argc, char **argv)
{
	struct counting stat = { .tool = tool,
				 .options = { .repeats = 1, .out = stderr } };
	int status = tool_read_options(tool, &stat_command, argc, argv, &stat);

	stat.options.command = (const char *const *)argv + optind;
	stat.lists.has_command = *stat.options.command;
	if (!status)
		status = check_usage(&stat);
	/* Kernels of all programs are counted on one GPU. */
	if (!status && stat.per_kernel)
		status = kernels_choose_device(tool);
	else if (!status && !stat.options.everything)
		choose_automatically(tool, &stat.several);
	if (!status)
		status = event_lists_read(
			tool, &stat.lists,
			stat.options.passes
				? NULL
				: "--passes runs the command again for it",
			&stat.wanted);
	choose_settle(tool);
	if (!status)
		status = open_output(&stat);
	if (!status && !stat.per_kernel)
		status = read_peaks(&stat);
	spawn_block_signals(&stat.signals);
	if (!status && stat.per_kernel)
		status = count_kernels(&stat);
	else if (!status)
		status = count_passes(&stat);
	status = finish_output(&stat, status);
	spawn_unblock_signals(&stat.signals);
	stat_finish(&stat);
	return status;
}

const struct tool_command stat_command = {
	.name = "stat",
	.summary = "count a command",
	.usage = "usage: drmperf stat [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		 "       drmperf stat [OPTION]... -a | -p PID\n"
		 "Count events while a command runs, and print them.\n",
	.options = stat_options,
	.notes = "GPU counters count the whole GPU, all programs that use "
		 "it. CPU events, such as\n"
		 "task-clock, count the command, its threads and children. "
		 "The exit code is that\n"
		 "of the command; 125 if drmperf failed; 126 or 127 if the "
		 "command cannot be\n"
		 "run or is not found.\n",
	.takes_command = true,
	.run = stat_main,
};
