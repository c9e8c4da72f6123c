/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf split: events cut into passes, and why.
 */
#include "util/command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "select/average_parts.h"
#include "select/formula.h"
#include "select/selection_list.h"
#include "util/json.h"

#define NS_PER_MS 1000000

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_PAPI,
	FORMAT_SCOREP,
	FORMAT_TAU,
};

/* Events requested, and the plan for them. */
struct splitting {
	const struct tool *tool;
	const struct selection_list *choice;
	const struct average_parts *parts; /* NULL: not asked for */
	const struct drmperf_plan *plan;
};

static const char *
event_name(const struct splitting *split, size_t event, char text[NAME_SIZE])
{
	return selection_name(&split->choice->selections[event], "", text);
}

/* ------------------------------------------------------------------ */
/* Formulas                                                             */

/*
 * Print a formula as a comment for readers of the lines before it. ParaProf
 * takes the text before the first '=' for the name.
 */
static void
print_formula(const struct splitting *split,
	      const struct drmperf_selection *event,
	      const struct drmperf_formula *formula, enum format format)
{
	static const struct {
		const char *begin, *equals;
		enum dialect dialect;
	} looks[] = {
		[FORMAT_TEXT] = { "formula ", " = ", DIALECT_PLAIN },
		[FORMAT_PAPI] = { "# ", " = ", DIALECT_PAPI },
		[FORMAT_SCOREP] = { "# CubePL of ", ": ", DIALECT_CUBE },
		[FORMAT_TAU] = { "# ParaProf: ", " = ", DIALECT_PARAPROF },
	};
	enum dialect dialect = looks[format].dialect;
	char *text = formula_text(split->tool, formula, dialect);
	char name[NAME_SIZE];

	selection_name(event, "", name);
	if (format == FORMAT_TAU)
		selection_list_drop_equal_signs(name);
	if (text) {
		printf("%s%s%s%s\n", looks[format].begin, name,
		       looks[format].equals, text);
	} else {
		text = formula_text(split->tool, formula, DIALECT_PAPI);
		printf("# not for ParaProf, which only adds, subtracts, "
		       "multiplies and divides: %s = %s\n",
		       name, text ? text : "");
	}
	free(text);
}

static void
print_formulas(const struct splitting *split, enum format format)
{
	const struct average_parts *parts = split->parts;

	for (size_t i = 0; parts && i < parts->replaced.count; i++)
		print_formula(split, &parts->replaced.selections[i],
			      parts->formulas[i], format);
}

/*
 * Write "formulas": {EVENT: FORMULA}, where parts are asked for. Returns 0, or
 * -ENOMEM.
 */
static int
write_formulas(const struct splitting *split, struct json *out)
{
	const struct average_parts *parts = split->parts;
	int ret = 0;

	if (!parts)
		return 0;
	json_open(out, "formulas", '{');
	for (size_t i = 0; !ret && i < parts->replaced.count; i++) {
		char name[NAME_SIZE], *text = formula_text(
			split->tool, parts->formulas[i], DIALECT_PLAIN);

		if (text)
			json_text(out,
				  selection_name(&parts->replaced.selections[i],
						 "", name),
				  text);
		else
			ret = -ENOMEM;
		free(text);
	}
	json_close(out, '}');
	return ret;
}

/* ------------------------------------------------------------------ */
/* For people                                                           */

static void
print_conflict(const struct drmperf_conflict *conflict)
{
	if (!conflict)
		return;
	printf("  because %s\n", conflict->cause);
	printf("  try: %s\n", conflict->remedy);
}

/*
 * Print, in place of an event that was cut, those of its counters that are
 * here.
 */
static void
print_part(const struct splitting *split, size_t pass, size_t event)
{
	char name[NAME_SIZE];
	size_t count;
	const struct drmperf_selection *counters =
		drmperf_plan_event_counters(split->plan, pass, event, &count);

	for (size_t i = 0; i < count; i++)
		printf("    %s\n", selection_name(&counters[i], "", name));
}

static void
print_pass(const struct splitting *split, size_t pass)
{
	char name[NAME_SIZE];
	size_t count;
	const size_t *events =
		drmperf_plan_pass_events(split->plan, pass, &count);

	printf("pass %zu:\n", pass + 1);
	print_conflict(drmperf_plan_conflict(split->plan, pass));
	for (size_t i = 0; i < count; i++) {
		bool cut = drmperf_plan_event_is_cut(split->plan, events[i]);

		printf("  %s%s\n", event_name(split, events[i], name),
		       cut ? "  (cut; its counters in this pass:)" : "");
		if (cut)
			print_part(split, pass, events[i]);
	}
}

static void
print_text(const struct splitting *split)
{
	size_t passes = drmperf_plan_passes(split->plan);

	printf("%zu pass%s, ", passes, passes == 1 ? "" : "es");
	if (drmperf_plan_is_proved(split->plan))
		puts("proved fewest");
	else
		printf("best found, bound %zu\n",
		       drmperf_plan_lower_bound(split->plan));
	for (size_t pass = 0; pass < passes; pass++)
		print_pass(split, pass);
	print_formulas(split, FORMAT_TEXT);
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

/*
 * Return whether it can be named: a counter that only means something behind
 * another one has no name.
 */
static bool
can_be_named(const struct splitting *split,
	     const struct drmperf_selection *counter)
{
	struct drmperf_selection found;
	char name[NAME_SIZE];

	return !drmperf_event_find(split->tool->drmperf,
				   selection_name(counter, "", name), &found,
				   NULL);
}

static int
add_part(const struct splitting *split, size_t pass, size_t event,
	 struct selection_list *out)
{
	char name[NAME_SIZE];
	size_t count;
	const struct drmperf_selection *counters =
		drmperf_plan_event_counters(split->plan, pass, event, &count);

	for (size_t i = 0; i < count; i++) {
		if (!can_be_named(split, &counters[i]))
			tool_warn(split->tool,
				  "%s cannot be counted alone and is left out",
				  selection_name(&counters[i], "", name));
		else if (selection_list_add(out, &counters[i]))
			return -ENOMEM;
	}
	return 0;
}

/* List the events to count in a pass: counters in place of averages. */
static int
list_pass(const struct splitting *split, size_t pass,
	  struct selection_list *out)
{
	size_t count;
	const size_t *events =
		drmperf_plan_pass_events(split->plan, pass, &count);
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		if (drmperf_plan_event_is_cut(split->plan, events[i]))
			ret = add_part(split, pass, events[i], out);
		else
			ret = selection_list_add(
				out, &split->choice->selections[events[i]]);
	}
	return ret;
}

static void
write_names(struct json *out, const struct drmperf_selection *selections,
	    size_t count)
{
	char name[NAME_SIZE];

	json_open(out, NULL, '[');
	for (size_t i = 0; i < count; i++)
		json_text(out, NULL, selection_name(&selections[i], "", name));
	json_close(out, ']');
}

/*
 * Write "cut": {EVENT: [[COUNTER, ...], ...]}, but only where something was
 * cut.
 */
static void
write_cut(const struct splitting *split, struct json *out)
{
	char name[NAME_SIZE];
	bool any = false;

	for (size_t i = 0; i < split->choice->count; i++) {
		if (!drmperf_plan_event_is_cut(split->plan, i))
			continue;
		if (!any)
			json_open(out, "cut", '{');
		any = true;
		json_open(out, event_name(split, i, name), '[');
		for (size_t pass = 0; pass < drmperf_plan_passes(split->plan);
		     pass++) {
			size_t count;
			const struct drmperf_selection *counters =
				drmperf_plan_event_counters(split->plan, pass,
							    i, &count);

			write_names(out, counters, count);
		}
		json_close(out, ']');
	}
	if (any)
		json_close(out, '}');
}

static int
write_json(const struct splitting *split, const struct selection_list *passes)
{
	struct json out = { .out = stdout };
	int ret;

	json_open(&out, NULL, '{');
	json_open(&out, "passes", '[');
	for (size_t i = 0; i < drmperf_plan_passes(split->plan); i++)
		write_names(&out, passes[i].selections, passes[i].count);
	json_close(&out, ']');
	json_bool(&out, "proved", drmperf_plan_is_proved(split->plan));
	json_uint(&out, "lower_bound", drmperf_plan_lower_bound(split->plan));
	write_cut(split, &out);
	ret = write_formulas(split, &out);
	json_close(&out, '}');
	putchar('\n');
	return ret;
}

/*
 * Return whether it is the one thing that means the same at the end as the
 * difference to before.
 */
static bool
event_adds_up(const struct drmperf_selection *selection)
{
	return drmperf_event_kind(selection->event) == DRMPERF_KIND_CUMULATIVE;
}

static void
print_line(const struct splitting *split, const struct selection_list *events,
	   enum format format)
{
	bool is_instant = false;
	char name[NAME_SIZE];

	/* TAU ends where its first metric is 0 at a region's beginning. */
	if (format == FORMAT_TAU)
		printf("TIME,");
	for (size_t i = 0; i < events->count; i++) {
		const struct drmperf_selection *event = &events->selections[i];

		if (i)
			putchar(',');
		selection_name(event, selection_papi_prefix(event), name);
		if (format == FORMAT_PAPI) {
			selection_list_print_high_level(stdout, name,
							event_adds_up(event),
							&is_instant);
			continue;
		}
		if (format == FORMAT_SCOREP && split->parts)
			selection_cube_name(split->tool, event, name);
		if (format == FORMAT_TAU)
			printf("PAPI_NATIVE_%s", name);
		else
			printf("%s%s", event_adds_up(event) ? "" : "!", name);
	}
	putchar('\n');
}

/*
 * Warn of differences, which are all that TAU has; Score-P takes values as they
 * are into its traces only.
 */
static void
warn_of_differences(const struct splitting *split,
		    const struct selection_list *events, enum format format)
{
	static const char *const differences[] = {
		[FORMAT_SCOREP] = "in Score-P's profiles, not its traces, "
				  "differences of it",
		[FORMAT_TAU] = "TAU's differences of it",
	};
	char name[NAME_SIZE];

	for (size_t i = 0; i < events->count; i++) {
		if (!event_adds_up(&events->selections[i]))
			tool_warn(split->tool,
				  "%s does not add up: %s mean nothing",
				  selection_name(&events->selections[i], "",
						 name),
				  differences[format]);
	}
}

/*
 * Print one line per pass, as the programs want it in their environment. TAU
 * takes for PAPI's what begins with PAPI, and what follows PAPI_NATIVE_ for the
 * name; Score-P's traces have values as they are of what begins with '!'.
 */
static void
print_assignments(const struct splitting *split,
		  const struct selection_list *passes, enum format format)
{
	static const char *const variables[] = {
		[FORMAT_PAPI] = "PAPI_EVENTS",
		[FORMAT_SCOREP] = "SCOREP_METRIC_PAPI",
		[FORMAT_TAU] = "TAU_METRICS",
	};

	for (size_t pass = 0; pass < drmperf_plan_passes(split->plan); pass++) {
		if (format != FORMAT_PAPI)
			warn_of_differences(split, &passes[pass], format);
		printf("%s=", variables[format]);
		print_line(split, &passes[pass], format);
	}
	print_formulas(split, format);
}

static void
warn_of_cuts(const struct splitting *split)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < split->choice->count; i++) {
		if (drmperf_plan_event_is_cut(split->plan, i))
			tool_warn(split->tool,
				  "%s is cut: its counters are listed instead",
				  event_name(split, i, name));
	}
}

static int
print_for_programs(const struct splitting *split, enum format format)
{
	size_t count = drmperf_plan_passes(split->plan);
	struct selection_list *passes = calloc(count, sizeof(*passes));
	int ret = passes ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < count; i++)
		ret = list_pass(split, i, &passes[i]);
	if (!ret) {
		warn_of_cuts(split);
		if (format == FORMAT_JSON)
			ret = write_json(split, passes);
		else
			print_assignments(split, passes, format);
	}
	for (size_t i = 0; passes && i < count; i++)
		selection_list_finish(&passes[i]);
	free(passes);
	return ret ? tool_fail(split->tool, "no memory") : 0;
}

/* ------------------------------------------------------------------ */

static int
events_split(const struct tool *tool, const struct selection_list *choice,
	     const struct average_parts *parts,
	     const struct drmperf_plan_options *options, enum format format)
{
	struct splitting split = {
		.tool = tool,
		.choice = choice,
		.parts = parts,
	};
	struct drmperf_plan *plan;
	struct drmperf_error error;
	int status = 0;

	if (drmperf_plan_create(tool->drmperf, choice->selections,
				choice->count, options, &plan, &error))
		return tool_complain(tool, &error);
	split.plan = plan;
	if (format == FORMAT_TEXT)
		print_text(&split);
	else
		status = print_for_programs(&split, format);
	drmperf_plan_destroy(plan);
	return status;
}

static int
split_parts(const struct tool *tool, const struct selection_list *choice,
	    const struct drmperf_plan_options *options, enum format format)
{
	struct average_parts parts;
	int status = average_parts_find(tool, choice, options, &parts);

	if (!status)
		status = events_split(tool, &parts.choice, &parts, options,
				      format);
	average_parts_finish(&parts);
	return status;
}

/* What options say. */
struct split_choice {
	bool formats[FORMAT_TAU + 1]; /* that are asked for */
	bool parts, composes;
	struct drmperf_plan_options plan;
	unsigned budget_ms; /* 0: the usual */
};

static const struct command_option split_options[] = {
	{ "compose", 0, NULL, COMMAND_FLAG(struct split_choice, composes),
	  .help = "put Intel metric sets together from the events, on Xe2 and "
		  "later; to count them so, set DRMPERF_COMPOSE=1" },
	{ "cut-metrics", 0, NULL,
	  COMMAND_FLAG(struct split_choice, plan.cut_metrics),
	  .help = "spread a metric over passes if it fits no single one" },
	{ "budget", 0, "MS", COMMAND_MS(struct split_choice, budget_ms),
	  .help = "how long to look for fewer passes (default 100)" },
	{ "json", 0, NULL,
	  COMMAND_FLAG(struct split_choice, formats[FORMAT_JSON]),
	  .help = "{\"passes\": [[EVENT, ...], ...], \"proved\": BOOL, "
		  "\"lower_bound\": N}; where a metric was cut also \"cut\": "
		  "{EVENT: [[COUNTER, ...], ...]}, by pass" },
	{ "papi", 0, NULL,
	  COMMAND_FLAG(struct split_choice, formats[FORMAT_PAPI]),
	  .help = "one PAPI_EVENTS= line per pass, for PAPI's high level" },
	{ "parts", 0, NULL, COMMAND_FLAG(struct split_choice, parts),
	  .help = "counters in place of averages, and the formula to apply to "
		  "their differences; with --json \"formulas\": {EVENT: "
		  "TEXT}, with --tau, which implies it, for ParaProf, with "
		  "--scorep for Cube" },
	{ "scorep", 0, NULL,
	  COMMAND_FLAG(struct split_choice, formats[FORMAT_SCOREP]),
	  .help = "one SCOREP_METRIC_PAPI= line per pass" },
	{ "tau", 0, NULL,
	  COMMAND_FLAG(struct split_choice, formats[FORMAT_TAU]),
	  .help = "one TAU_METRICS= line per pass" },
	{ 0 },
};

/* Find the format. Returns 0, or TOOL_USAGE after a complaint about two. */
static int
find_format(const struct tool *tool, const bool *formats, enum format *out)
{
	*out = FORMAT_TEXT;
	for (enum format f = FORMAT_JSON; f <= FORMAT_TAU; f++) {
		if (formats[f] && *out != FORMAT_TEXT)
			return tool_usage_error(tool,
						"one of --json, --papi, "
						"--scorep and --tau, not two");
		if (formats[f])
			*out = f;
	}
	return 0;
}

static int
split_run(struct tool *tool, int argc, char **argv)
{
	struct split_choice asked = { .plan.size = sizeof(asked.plan) };
	struct selection_list choice = { 0 };
	enum format format;
	int status =
		tool_read_options(tool, &split_command, argc, argv, &asked);

	if (!status)
		status = find_format(tool, asked.formats, &format);
	if (!status && optind == argc)
		status = tool_usage_error(tool, "no events given");
	if (status)
		return status;
	if (asked.composes)
		setenv("DRMPERF_COMPOSE", "1", 1);
	asked.plan.budget_ns = (uint64_t)asked.budget_ms * NS_PER_MS;
	for (; !status && optind < argc; optind++)
		status = choose_events(tool, argv[optind], &choice);
	/* TAU subtracts what it reads, which leaves nothing of an average */
	if (!status && (asked.parts || format == FORMAT_TAU))
		status = split_parts(tool, &choice, &asked.plan, format);
	else if (!status)
		status = events_split(tool, &choice, NULL, &asked.plan, format);
	selection_list_finish(&choice);
	return status;
}

const struct tool_command split_command = {
	.name = "split",
	.summary = "cut events into the fewest passes, and say why",
	.usage = "usage: drmperf split [OPTION]... EVENTS...\n"
		 "Cut events into the fewest passes. Nothing is counted.\n",
	.options = split_options,
	.run = split_run,
};
