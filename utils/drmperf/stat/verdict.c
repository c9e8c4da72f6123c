/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verdicts of stat, below the table or in the document of JSON.
 */
#include "stat/text.h"

#include <math.h>
#include <stdlib.h>

#include "util/verdict.h"

/* The events of all passes, and the values of each pass. */
struct verdicts {
	const struct tool *tool;
	const struct stat_options *options;
	const struct stat_result *result;
	struct selection_list choice;
	struct verdict_rules rules;
	struct verdict_value *values; /* choice.count of each pass */
};

static int
find_events(struct verdicts *verdicts)
{
	const struct stat_result *result = verdicts->result;
	int ret = 0;

	for (size_t i = 0; !ret && i < result->row_count; i++)
		ret = selection_list_add(&verdicts->choice,
					 &result->rows[i].selection);
	return ret;
}

static void
set_value(struct verdicts *verdicts, const struct stat_row *row)
{
	const size_t at =
		selection_list_index(&verdicts->choice, &row->selection);
	struct verdict_value *value =
		&verdicts->values[row->pass * verdicts->choice.count + at];

	if (!row->count)
		return;
	value->value = statistics_of(row).mean;
	value->per_second = stat_rate(row);
}

static int
find_values(struct verdicts *verdicts)
{
	const struct stat_result *result = verdicts->result;
	const size_t count = verdicts->choice.count;

	verdicts->values =
		calloc(result->passes * count + 1, sizeof(*verdicts->values));
	if (!verdicts->values)
		return -1;
	for (size_t i = 0; i < result->passes * count; i++) {
		const struct drmperf_event *event =
			verdicts->choice.selections[i % count].event;

		verdicts->values[i] = (struct verdict_value){
			.name = drmperf_event_name(event),
			.is_percent = drmperf_event_unit(event) ==
				      DRMPERF_UNIT_PERCENT,
			.value = NAN,
			.per_second = NAN,
		};
	}
	for (size_t i = 0; i < result->row_count; i++)
		set_value(verdicts, &result->rows[i]);
	return 0;
}

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

/* Find the values of the first pass that fits a rule; NULL: none does. */
static const struct verdict_value *
find_pass(const struct verdicts *verdicts, const struct verdict_rule *rule)
{
	for (size_t i = 0; i < verdicts->result->passes; i++) {
		const struct verdict_value *values =
			&verdicts->values[i * verdicts->choice.count];

		if (verdict_rule_holds(rule, values))
			return values;
	}
	return NULL;
}

/* Write the verdict of a GPU to the document, or print it if json is NULL. */
static void
report_verdict(const struct verdicts *verdicts, int device, struct json *json)
{
	for (size_t i = 0; i < verdicts->rules.count; i++) {
		const struct verdict_rule *rule = &verdicts->rules.list[i];
		const struct verdict_value *values =
			rule->device == device ? find_pass(verdicts, rule)
					       : NULL;

		if (!values)
			continue;
		if (json)
			verdict_write(json, rule, values);
		else
			verdict_print(verdicts->options->out, rule, values,
				      drmperf_device_count(
					      verdicts->tool->drmperf) > 1);
		return;
	}
}

static void
report_verdicts(const struct tool *tool, const struct stat_options *options,
		const struct stat_result *result, struct json *json)
{
	struct verdicts verdicts = { .tool = tool,
				     .options = options,
				     .result = result };
	const unsigned count = drmperf_device_count(tool->drmperf);

	/* Peaks are read if metric groups were asked for. */
	if (!options->peaks.devices)
		return;
	if (!find_events(&verdicts) && !find_values(&verdicts) &&
	    !verdict_rules_find(tool, &verdicts.choice, &options->peaks,
				&verdicts.rules)) {
		for (unsigned i = 0; i < count; i++) {
			if (!is_contradictory(&verdicts, i))
				report_verdict(&verdicts, (int)i, json);
		}
	}
	verdict_rules_finish(&verdicts.rules);
	selection_list_finish(&verdicts.choice);
	free(verdicts.values);
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
