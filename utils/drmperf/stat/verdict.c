/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verdicts of stat, below the table or in the document of JSON.
 */
#include "stat/text.h"

#include <math.h>

#include "stat/values.h"

struct verdicts {
	const struct stat_options *options;
	const struct stat_result *result;
	struct stat_values values;
	struct verdict_rules rules;
	bool names_gpu;
};

/* Return whether a value of the GPU is an impossible one. */
static bool
is_contradictory(const struct verdicts *verdicts, unsigned device)
{
	const struct stat_result *result = verdicts->result;

	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];
		const struct drmperf_device *of =
			drmperf_event_device(row->selection.event);

		if (row->count && drmperf_device_index(of) == device &&
		    !isnan(stat_impossible_percent(verdicts->options, row)))
			return true;
	}
	return false;
}

/*
 * Find values that fit a rule: those of the first pass that has all of its
 * events, or else those of all passes together; of runs that were not alike,
 * those of any pass. NULL: none does. *passes is how many the values are of.
 */
static const struct verdict_value *
find_pass(const struct verdicts *verdicts, const struct verdict_rule *rule,
	  size_t *passes)
{
	const struct stat_values *values = &verdicts->values;
	const struct verdict_value *all = stat_values_of_all(values);

	*passes = 1;
	for (size_t i = 0; i < values->passes; i++) {
		const struct verdict_value *of_pass =
			stat_values_of_pass(values, i);

		if ((!all || verdict_rule_lacks_none(rule, of_pass, all)) &&
		    verdict_rule_holds(rule, of_pass))
			return of_pass;
	}
	*passes = values->passes;
	return all && verdict_rule_holds(rule, all) ? all : NULL;
}

/* Write the verdict of a GPU to the document, or print it if json is NULL. */
static void
report_verdict(const struct verdicts *verdicts, int device, struct json *json)
{
	for (size_t i = 0; i < verdicts->rules.count; i++) {
		const struct verdict_rule *rule = &verdicts->rules.list[i];
		const struct verdict_value *values = NULL;
		size_t passes = 1;

		if (rule->device == device)
			values = find_pass(verdicts, rule, &passes);
		if (!values)
			continue;
		if (json)
			verdict_write(json, rule, values, passes);
		else
			verdict_print(verdicts->options->out, rule, values,
				      passes, verdicts->names_gpu);
		return;
	}
}

static void
report_verdicts(const struct tool *tool, const struct stat_options *options,
		const struct stat_result *result, struct json *json)
{
	const unsigned count = drmperf_device_count(tool->drmperf);
	struct verdicts verdicts = { .options = options,
				     .result = result,
				     .names_gpu = count > 1 };

	/* Peaks are read if metric groups were asked for. */
	if (!options->peaks.devices)
		return;
	if (!stat_values_find(result, &verdicts.values) &&
	    !verdict_rules_find(tool, &verdicts.values.choice, options->asked,
				&options->peaks, &verdicts.rules)) {
		for (unsigned i = 0; i < count; i++) {
			if (!is_contradictory(&verdicts, i))
				report_verdict(&verdicts, (int)i, json);
		}
	}
	verdict_rules_finish(&verdicts.rules);
	stat_values_finish(&verdicts.values);
}

void
stat_print_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result)
{
	report_verdicts(tool, options, result, NULL);
}

void
stat_write_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json)
{
	json_open(json, "verdicts", '[');
	report_verdicts(tool, options, result, json);
	json_close(json, ']');
}
