/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf split: events cut into passes, and why.
 */
#include "tool.h"

#include <getopt.h>
#include <stdlib.h>

#include "choose.h"
#include "json.h"

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_PAPI,
	FORMAT_TAU,
};

static void
print_conflict(const struct choice *choice,
	       const struct drmperf_conflict *conflict)
{
	char name[NAME_SIZE];

	if (!conflict)
		return;
	if (conflict->event < choice->count)
		printf("  because %s does not fit before:\n",
		       choice_name(&choice->selections[conflict->event], "",
				   name));
	if (conflict->group)
		printf("    %s counts %u at once, %u are wanted\n",
		       drmperf_group_name(conflict->group), conflict->limit,
		       conflict->wanted);
	if (conflict->remedy)
		printf("    %s\n", conflict->remedy);
}

static void
print_text(const struct choice *choice, const struct drmperf_plan *plan)
{
	size_t passes = drmperf_plan_passes(plan), count;
	char name[NAME_SIZE];

	printf("%zu pass%s, %s", passes, passes == 1 ? "" : "es",
	       drmperf_plan_is_proved(plan) ? "proved to be the fewest"
					    : "the best found");
	if (!drmperf_plan_is_proved(plan))
		printf(", not below %zu", drmperf_plan_lower_bound(plan));
	putchar('\n');
	for (size_t pass = 0; pass < passes; pass++) {
		const size_t *events =
			drmperf_plan_pass_events(plan, pass, &count);

		printf("pass %zu:\n", pass + 1);
		print_conflict(choice, drmperf_plan_conflict(plan, pass));
		for (size_t i = 0; i < count; i++)
			printf("  %s%s\n",
			       choice_name(&choice->selections[events[i]], "",
					   name),
			       drmperf_plan_event_is_cut(plan, events[i])
				       ? "  (cut)"
				       : "");
	}
}

static void
write_json(const struct choice *choice, const struct drmperf_plan *plan)
{
	struct json out = { .out = stdout };
	size_t passes = drmperf_plan_passes(plan), count;
	char name[NAME_SIZE];

	json_open(&out, NULL, '{');
	json_open(&out, "passes", '[');
	for (size_t pass = 0; pass < passes; pass++) {
		const size_t *events =
			drmperf_plan_pass_events(plan, pass, &count);

		json_open(&out, NULL, '[');
		for (size_t i = 0; i < count; i++)
			json_text(&out, NULL,
				  choice_name(&choice->selections[events[i]],
					      "", name));
		json_close(&out, ']');
	}
	json_close(&out, ']');
	json_bool(&out, "proved", drmperf_plan_is_proved(plan));
	json_uint(&out, "lower_bound", drmperf_plan_lower_bound(plan));
	json_open(&out, "cut", '[');
	for (size_t i = 0; i < choice->count; i++) {
		if (drmperf_plan_event_is_cut(plan, i))
			json_text(
				&out, NULL,
				choice_name(&choice->selections[i], "", name));
	}
	json_close(&out, ']');
	json_close(&out, '}');
	putchar('\n');
}

/* One line per pass, as the programs want it in their environment. */
static void
print_assignments(const struct choice *choice, const struct drmperf_plan *plan,
		  enum format format)
{
	size_t passes = drmperf_plan_passes(plan), count;
	char name[NAME_SIZE];

	for (size_t pass = 0; pass < passes; pass++) {
		const size_t *events =
			drmperf_plan_pass_events(plan, pass, &count);

		fputs(format == FORMAT_PAPI ? "PAPI_EVENTS=" : "TAU_METRICS=",
		      stdout);
		for (size_t i = 0; i < count; i++)
			printf("%s%s", i ? "," : "",
			       choice_name(&choice->selections[events[i]],
					   "drm:::", name));
		/* TAU takes ':' as the separator unless there is a comma. */
		if (format == FORMAT_TAU && count == 1)
			putchar(',');
		putchar('\n');
	}
}

static int
print_plan(const struct choice *choice, const struct drmperf_plan *plan,
	   enum format format)
{
	switch (format) {
	case FORMAT_TEXT:
		print_text(choice, plan);
		break;
	case FORMAT_JSON:
		write_json(choice, plan);
		break;
	case FORMAT_PAPI:
	case FORMAT_TAU:
		print_assignments(choice, plan, format);
		break;
	}
	return 0;
}

static int
split(struct tool *tool, const struct choice *choice, bool cut_metrics,
      uint64_t budget_ns, enum format format)
{
	struct drmperf_plan_options options = { .size = sizeof(options),
						.budget_ns = budget_ns,
						.cut_metrics = cut_metrics };
	struct drmperf_plan *plan;
	struct drmperf_error error;
	int status;

	if (drmperf_plan_create(tool->drmperf, choice->selections,
				choice->count, &options, &plan, &error))
		return tool_complain(tool, &error);
	status = print_plan(choice, plan, format);
	drmperf_plan_destroy(plan);
	return status;
}

static const struct option options[] = {
	{ "cut-metrics", no_argument, NULL, 'c' },
	{ "budget", required_argument, NULL, 'b' },
	{ "json", no_argument, NULL, 'j' },
	{ "papi", no_argument, NULL, 'p' },
	{ "tau", no_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int
split_run(struct tool *tool, int argc, char **argv)
{
	struct choice choice = { 0 };
	enum format format = FORMAT_TEXT;
	bool cut_metrics = false;
	uint64_t budget_ns = 0;
	int option, status = 0;
	char *end;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			cut_metrics = true;
			break;
		case 'b':
			budget_ns = strtoull(optarg, &end, 10) * 1000000;
			if (end == optarg || *end)
				return tool_fail(tool, "--budget takes "
						       "milliseconds");
			break;
		case 'j':
			format = FORMAT_JSON;
			break;
		case 'p':
			format = FORMAT_PAPI;
			break;
		case 't':
			format = FORMAT_TAU;
			break;
		case 'h':
			fputs(split_command.usage, stdout);
			return 0;
		default:
			return tool_usage_error(tool);
		}
	}
	if (optind == argc) {
		tool_fail(tool, "no events given");
		return tool_usage_error(tool);
	}
	for (; !status && optind < argc; optind++)
		status = choose_events(tool, argv[optind], &choice);
	if (!status)
		status = split(tool, &choice, cut_metrics, budget_ns, format);
	choice_finish(&choice);
	return status;
}

const struct tool_command split_command = {
	.name = "split",
	.summary = "cut events into the fewest passes, and say why",
	.usage =
		"usage: drmperf split [OPTION]... EVENTS...\n"
		"Cut events into the fewest passes. Nothing is counted.\n\n"
		"      --cut-metrics  spread a metric over passes where it "
		"fits "
		"no single one\n"
		"      --budget MS    how long to look for fewer passes "
		"(default 100)\n"
		"      --json         {\"passes\": [[EVENT, ...], ...], "
		"\"proved\": BOOL,\n"
		"                     \"lower_bound\": N, \"cut\": [EVENT, "
		"...]}\n"
		"      --papi         one PAPI_EVENTS= line per pass\n"
		"      --tau          one TAU_METRICS= line per pass\n",
	.run = split_run,
};
