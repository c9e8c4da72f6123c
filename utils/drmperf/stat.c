/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf stat: count a command.
 */
#include "stat.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct counting {
	struct tool *tool;
	struct stat_options options;
	struct choice choice;
	struct drmperf_plan *plan;
	struct choice controls; /* events added to every pass */
	struct stat_result result;
	int status; /* of the last command */
};

/* ------------------------------------------------------------------ */
/* Control events                                                       */

/*
 * What tells whether two runs did the same work, by driver, best first. The
 * first that fits beside the events of every pass is taken.
 */
static const char *const control_names[] = {
	"amdgpu::SQ.WAVES",
	"amdgpu::GRBM.GUI_ACTIVE",
	"i915::oa.GpuCoreClocks",
};

static bool
device_is_used(const struct counting *stat, const struct drmperf_device *device)
{
	for (size_t i = 0; i < stat->choice.count; i++) {
		if (drmperf_event_device(stat->choice.selections[i].event) ==
		    device)
			return true;
	}
	return false;
}

/* The events of a pass, with the controls behind them. */
static int
pass_selections(const struct counting *stat, size_t pass, struct choice *out)
{
	size_t count;
	const size_t *events =
		drmperf_plan_pass_events(stat->plan, pass, &count);

	for (size_t i = 0; i < count; i++) {
		if (choice_add(out, &stat->choice.selections[events[i]]))
			return -ENOMEM;
	}
	for (size_t i = 0; i < stat->controls.count; i++) {
		if (choice_add(out, &stat->controls.selections[i]))
			return -ENOMEM;
	}
	return 0;
}

static bool
fits_every_pass(struct counting *stat)
{
	struct drmperf_plan_options options = { .size = sizeof(options),
						.max_passes = 1 };
	struct drmperf_plan *plan;
	bool fits = true;

	for (size_t pass = 0; fits && pass < drmperf_plan_passes(stat->plan);
	     pass++) {
		struct choice all = { 0 };

		fits = !pass_selections(stat, pass, &all) &&
		       !drmperf_plan_create(stat->tool->drmperf, all.selections,
					    all.count, &options, &plan, NULL);
		if (fits)
			drmperf_plan_destroy(plan);
		choice_finish(&all);
	}
	return fits;
}

/* Take the control if there is room for it in every pass. */
static bool
try_control(struct counting *stat, const struct drmperf_selection *selection)
{
	if (choice_add(&stat->controls, selection))
		return false;
	if (fits_every_pass(stat))
		return true;
	stat->controls.count--;
	return false;
}

static void
choose_control(struct counting *stat, const struct drmperf_device *device)
{
	struct drmperf_selection selection;
	char name[NAME_SIZE];

	for (size_t i = 0; i < sizeof(control_names) / sizeof(control_names[0]);
	     i++) {
		snprintf(name, sizeof(name), "%s:device=%u", control_names[i],
			 drmperf_device_index(device));
		if (!drmperf_event_find(stat->tool->drmperf, name, &selection,
					NULL) &&
		    drmperf_event_device(selection.event) == device &&
		    try_control(stat, &selection))
			return;
	}
	tool_warn(stat->tool,
		  "no control counter fits every pass on device %u: whether "
		  "the runs are alike cannot be told",
		  drmperf_device_index(device));
}

static int
choose_controls(struct counting *stat)
{
	const char *named = stat->options.control;
	struct choice choice = { 0 };
	char name[NAME_SIZE];
	int status = 0;

	if (drmperf_plan_passes(stat->plan) < 2)
		return 0;
	if (!named) {
		unsigned count = drmperf_device_count(stat->tool->drmperf);

		for (unsigned i = 0; i < count; i++) {
			struct drmperf_device *device =
				drmperf_device_at(stat->tool->drmperf, i);

			if (device_is_used(stat, device))
				choose_control(stat, device);
		}
		return 0;
	}
	if (!*named)
		return 0;
	status = choose_events(stat->tool, named, &choice);
	for (size_t i = 0; !status && i < choice.count; i++) {
		if (!try_control(stat, &choice.selections[i]))
			status = tool_fail(
				stat->tool,
				"the control counter %s does not "
				"fit every pass",
				choice_name(&choice.selections[i], "", name));
	}
	choice_finish(&choice);
	return status;
}

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

/* Rows for the events of a pass, at the end of the result. */
static struct stat_row *
add_rows(struct counting *stat, size_t pass, const struct choice *events)
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
			.values = calloc(stat->options.repeats,
					 sizeof(union drmperf_value)),
		};
		result->row_count++;
		if (!rows[first + i].values)
			return NULL;
	}
	return &rows[first];
}

static void
announce(const struct counting *stat, size_t pass, unsigned repeat)
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

/* Returns true to go on with the next run. */
static bool
run_once(struct counting *stat, struct stat_run *run)
{
	struct stat_result *result = &stat->result;

	stat->status = stat_run(run);
	if (!run->counted)
		return false;
	for (size_t i = 0; i < run->row_count; i++)
		run->rows[i].values[run->rows[i].count++] = run->values[i];
	result->seconds[result->runs++] = run->seconds;
	return !run->interrupted && !spawn_is_interrupted(run->signals);
}

static bool
run_pass(struct counting *stat, const struct spawn_signals *signals,
	 size_t pass, const struct choice *events)
{
	union drmperf_value *values =
		calloc(3 * events->count, sizeof(*values));
	struct stat_run run = {
		.tool = stat->tool,
		.options = &stat->options,
		.signals = signals,
		.selections = events->selections,
		.rows = add_rows(stat, pass, events),
		.row_count = events->count,
		.passes = stat->result.passes,
		.values = values,
		.step = values + events->count,
		.before = values + 2 * events->count,
	};
	bool more = run.rows && values;

	if (!more)
		stat->status = tool_fail(stat->tool, "no memory");
	for (unsigned i = 0; more && i < stat->options.repeats; i++) {
		announce(stat, pass, i);
		more = run_once(stat, &run);
	}
	free(values);
	return more;
}

static void
run_passes(struct counting *stat)
{
	struct spawn_signals signals;
	bool more = true;

	spawn_block_signals(&signals);
	for (size_t pass = 0; more && pass < stat->result.passes; pass++) {
		struct choice events = { 0 };

		if (pass_selections(stat, pass, &events)) {
			stat->status = tool_fail(stat->tool, "no memory");
			more = false;
		} else {
			more = run_pass(stat, &signals, pass, &events);
		}
		choice_finish(&events);
	}
	spawn_unblock_signals(&signals);
}

static void
run_all(struct counting *stat)
{
	struct stat_result *result = &stat->result;
	size_t runs;

	result->passes = drmperf_plan_passes(stat->plan);
	runs = result->passes * stat->options.repeats;
	result->seconds = calloc(runs, sizeof(*result->seconds));
	if (!result->seconds) {
		stat->status = tool_fail(stat->tool, "no memory");
		return;
	}
	run_passes(stat);
	if (result->runs && result->runs < runs)
		tool_warn(stat->tool, "ended after %zu of %zu runs",
			  result->runs, runs);
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static int
make_plan(struct counting *stat)
{
	struct drmperf_plan_options options = {
		.size = sizeof(options),
		.max_passes = stat->options.passes ? 0 : 1,
	};
	struct drmperf_error error;
	int ret;

	ret = drmperf_plan_create(stat->tool->drmperf, stat->choice.selections,
				  stat->choice.count, &options, &stat->plan,
				  &error);
	if (!ret)
		return 0;
	tool_complain(stat->tool, &error);
	if (ret == -ENOSPC)
		fputs("or: --passes runs the command once per pass\n", stderr);
	return TOOL_FAILED;
}

static void
stat_finish(struct counting *stat)
{
	for (size_t i = 0; i < stat->result.row_count; i++)
		free(stat->result.rows[i].values);
	free(stat->result.rows);
	free(stat->result.seconds);
	drmperf_plan_destroy(stat->plan);
	choice_finish(&stat->controls);
	choice_finish(&stat->choice);
}

static int
count_all(struct counting *stat)
{
	int status;

	status = make_plan(stat);
	if (!status)
		status = choose_controls(stat);
	if (status)
		return status;
	if (stat->options.interval_ms)
		stat_print_interval_head(&stat->options);
	run_all(stat);
	/* of one run the intervals have told everything */
	if (stat->result.runs &&
	    (!stat->options.interval_ms || stat->result.runs > 1))
		stat_print_result(&stat->options, &stat->result);
	stat_compare_runs(stat->tool, &stat->result);
	return stat->status;
}

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "interval", required_argument, NULL, 'I' },
	{ "all", no_argument, NULL, 'a' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "passes", no_argument, NULL, 'p' },
	{ "control", required_argument, NULL, 'c' },
	{ "csv", no_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int
read_option(struct counting *stat, int option, const char **output)
{
	struct stat_options *options = &stat->options;

	switch (option) {
	case 'e':
		return choose_events(stat->tool, optarg, &stat->choice);
	case 'I':
		return tool_read_number(stat->tool, optarg, "-I", 86400000,
					&options->interval_ms);
	case 'a':
		options->everything = true;
		return 0;
	case 'r':
		return tool_read_number(stat->tool, optarg, "-r", 1000000,
					&options->repeats);
	case 'p':
		options->passes = true;
		return 0;
	case 'c':
		options->control = strcmp(optarg, "none") ? optarg : "";
		return 0;
	case 'x':
		options->format = STAT_CSV;
		return 0;
	case 'j':
		options->format = STAT_JSON;
		return 0;
	case 'o':
		*output = optarg;
		return 0;
	default:
		return tool_usage_error(stat->tool, NULL);
	}
}

static int
check_usage(const struct counting *stat)
{
	if (!stat->choice.count)
		return tool_usage_error(stat->tool,
					"no events given: -e EVENTS");
	if (!stat->options.command[0] && !stat->options.everything)
		return tool_usage_error(stat->tool,
					"no command given; -a counts without "
					"one, until Ctrl-C");
	if (!stat->options.command[0] &&
	    (stat->options.repeats > 1 || stat->options.passes))
		return tool_usage_error(stat->tool,
					"-r and --passes run a command");
	return 0;
}

/* Counts that could not be written are a failure, as all output is. */
static int
finish_report(const struct counting *stat, const char *output, int status)
{
	bool failed = ferror(stat->options.out);

	if (output)
		failed |= fclose(stat->options.out) != 0;
	if (!failed)
		return status;
	tool_fail(stat->tool, "cannot write %s",
		  output ? output : "the counts");
	return status ? status : TOOL_FAILED;
}

static int
stat_main(struct tool *tool, int argc, char **argv)
{
	struct counting stat = { .tool = tool,
				 .options = { .repeats = 1, .out = stderr } };
	const char *output = NULL;
	int option, status = 0;

	while (!status && (option = getopt_long(argc, argv, "+e:I:ar:o:",
						long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(stat_command.usage, stdout);
			stat_finish(&stat);
			return 0;
		}
		status = read_option(&stat, option, &output);
	}
	stat.options.command = (const char *const *)argv + optind;
	if (!status)
		status = check_usage(&stat);
	if (!status && output) {
		stat.options.out = fopen(output, "we");
		if (!stat.options.out)
			status = tool_fail(tool, "%s: %s", output,
					   strerror(errno));
	}
	if (!status)
		status = count_all(&stat);
	if (stat.options.out)
		status = finish_report(&stat, output, status);
	stat_finish(&stat);
	return status;
}

const struct tool_command stat_command = {
	.name = "stat",
	.summary = "count a command",
	.usage =
		"usage: drmperf stat [OPTION]... -e EVENTS [--] COMMAND "
		"[ARGUMENT]...\n"
		"       drmperf stat [OPTION]... -e EVENTS -a\n"
		"Count events while a command runs, and print them on standard "
		"error.\n\n"
		"  -e, --event EVENTS   what to count; may be given more than "
		"once\n"
		"  -I, --interval MS    print the counts of every so many "
		"milliseconds\n"
		"  -a, --all            events of CPUs: of all processes; "
		"without a command\n"
		"                       count until Ctrl-C\n"
		"  -r, --repeat N       run it N times; print mean and "
		"deviation\n"
		"      --passes         events that need several passes: run "
		"the command once\n"
		"                       per pass\n"
		"      --control EVENT  measure this in every pass, to see "
		"that "
		"the runs are\n"
		"                       alike; \"none\": nothing (default: "
		"chosen by the GPU)\n"
		"      --csv            value,unit,event,pass,deviation_percent"
		"\n"
		"      --json           JSON; with -I one object per interval\n"
		"  -o, --output FILE    write to a file\n\n"
		"GPU counters count the whole GPU, whoever uses it; events of "
		"CPUs, such as\nperf::TASK-CLOCK, count the command, its "
		"threads and children. The exit code is\nthe command's; 125 if "
		"drmperf failed, 126 and 127 if the command cannot be run\n"
		"or is not there.\n",
	.run = stat_main,
};
