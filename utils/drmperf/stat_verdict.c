/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verdicts of stat, below the table or in the document of JSON: what the values
 * of a GPU mean together, by the rules of the event tables.
 */
#include "stat_text.h"

#include <math.h>
#include <string.h>

/* A share is clear from here on, or if it is that far above its limit. */
#define CLEAR_PERCENT 80
#define CLEAR_MARGIN 20

/* The values of one pass, which were counted together. */
struct values {
	const struct stat_options *options;
	const struct stat_result *result;
	size_t pass;
};

/* Find the row of an event over all instances; NULL if it has no value. */
static const struct stat_row *
find_row(const struct values *values, const struct drmperf_event *event)
{
	for (size_t i = 0; i < values->result->row_count; i++) {
		const struct stat_row *row = &values->result->rows[i];

		if (row->selection.event == event && row->count &&
		    row->selection.instance == DRMPERF_ALL_INSTANCES &&
		    row->pass == values->pass)
			return row;
	}
	return NULL;
}

static double
value_of(const struct values *values, const struct drmperf_event *event)
{
	const struct stat_row *row = find_row(values, event);

	return row ? statistics_of(row).mean : NAN;
}

static double
share_of_peak(const struct values *values, const struct stat_row *row)
{
	const struct drmperf_peak *peak =
		peaks_find(&values->options->peaks, &row->selection);

	return peak && !peak->is_bound ? 100 * stat_rate(row) / peak->per_second
				       : NAN;
}

/* Compute what a condition looks at; NaN where it was not counted. */
static double
condition_value(const struct values *values,
		const struct drmperf_condition *condition)
{
	double sum = 0;
	bool any = false;

	for (size_t i = 0; i < condition->event_count; i++) {
		const struct stat_row *row =
			find_row(values, condition->events[i]);

		if (!row)
			continue;
		any = true;
		sum += condition->of_peak ? share_of_peak(values, row)
					  : statistics_of(row).mean;
	}
	if (condition->per)
		sum *= 100 / value_of(values, condition->per);
	return any ? sum : NAN;
}

static bool
verdict_holds(const struct values *values,
	      const struct drmperf_verdict *verdict)
{
	for (size_t i = 0; i < verdict->condition_count; i++) {
		const struct drmperf_condition *condition =
			&verdict->conditions[i];
		double value = condition_value(values, condition);

		if (!(value >= condition->from && value < condition->below))
			return false;
	}
	return true;
}

/* Whether each value is well above the lower limit of its condition. */
static bool
is_clear(const struct values *values, const struct drmperf_verdict *verdict)
{
	for (size_t i = 0; i < verdict->condition_count; i++) {
		const struct drmperf_condition *condition =
			&verdict->conditions[i];
		double value = condition_value(values, condition);

		if (value < CLEAR_PERCENT &&
		    value < condition->from + CLEAR_MARGIN)
			return false;
	}
	return true;
}

/* Tell how sure a verdict is; NULL if it concludes nothing. */
static const char *
verdict_certainty(const struct values *values,
		  const struct drmperf_verdict *verdict)
{
	if (verdict->is_open)
		return NULL;
	if (verdict->is_weak)
		return "a hint";
	return is_clear(values, verdict) ? "clear" : "probable";
}

/* ------------------------------------------------------------------ */
/* For people                                                           */

/* The name without "DRIVER::" and the group of metrics. */
static const char *
bare_name(const struct drmperf_event *event)
{
	const char *name = strstr(drmperf_event_name(event), "::") + 2;

	if (!strncmp(name, "oa.", strlen("oa.")))
		return name + strlen("oa.");
	if (!strncmp(name, "metric.", strlen("metric.")))
		return name + strlen("metric.");
	return name;
}

static void
print_condition(const struct values *values,
		const struct drmperf_condition *condition)
{
	FILE *out = values->options->out;
	const char *before = "";

	for (size_t i = 0; i < condition->event_count; i++) {
		if (!find_row(values, condition->events[i]))
			continue;
		fprintf(out, "%s%s", before, bare_name(condition->events[i]));
		before = " + ";
	}
	fprintf(out, " %.0f", condition_value(values, condition));
	if (condition->of_peak)
		fputs(" % of peak", out);
	else if (condition->per || drmperf_event_unit(condition->events[0]) ==
					   DRMPERF_UNIT_PERCENT)
		fputs(" %", out);
	if (condition->per)
		fprintf(out, " of %s", bare_name(condition->per));
}

static void
print_verdict(const struct tool *tool, const struct values *values,
	      const struct drmperf_device *device,
	      const struct drmperf_verdict *verdict)
{
	const char *sure = verdict_certainty(values, verdict);
	FILE *out = values->options->out;

	fputs("\n verdict", out);
	if (drmperf_device_count(tool->drmperf) > 1)
		fprintf(out, " of GPU %u", drmperf_device_index(device));
	fprintf(out, ": %s", verdict->text);
	if (sure)
		fprintf(out, " (%s)", sure);
	fputs("\n   (", out);
	for (size_t i = 0; i < verdict->condition_count; i++) {
		if (i)
			fputs(", ", out);
		print_condition(values, &verdict->conditions[i]);
	}
	fputs(")\n", out);
	if (verdict->next)
		fprintf(out, "   next: %s\n", verdict->next);
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

static void
write_condition(const struct values *values,
		const struct drmperf_condition *condition, struct json *json)
{
	json_open(json, NULL, '{');
	json_open(json, "events", '[');
	for (size_t i = 0; i < condition->event_count; i++) {
		if (find_row(values, condition->events[i]))
			json_text(json, NULL,
				  drmperf_event_name(condition->events[i]));
	}
	json_close(json, ']');
	json_double(json, "value", condition_value(values, condition));
	json_bool(json, "of_peak", condition->of_peak);
	if (condition->per)
		json_text(json, "per", drmperf_event_name(condition->per));
	json_close(json, '}');
}

static void
write_verdict(const struct values *values, const struct drmperf_device *device,
	      const struct drmperf_verdict *verdict, struct json *json)
{
	const char *sure = verdict_certainty(values, verdict);

	json_open(json, NULL, '{');
	json_uint(json, "device", drmperf_device_index(device));
	json_text(json, "name", verdict->name);
	json_text(json, "text", verdict->text);
	json_text(json, "sure", sure ? sure : "no");
	json_open(json, "from", '[');
	for (size_t i = 0; i < verdict->condition_count; i++)
		write_condition(values, &verdict->conditions[i], json);
	json_close(json, ']');
	json_text(json, "next", verdict->next ? verdict->next : "");
	json_close(json, '}');
}

/* ------------------------------------------------------------------ */
/* Finding verdicts                                                     */

/* Whether a value of the GPU is one that cannot be. */
static bool
is_contradictory(const struct stat_options *options,
		 const struct stat_result *result,
		 const struct drmperf_device *device)
{
	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];

		if (row->count &&
		    drmperf_event_device(row->selection.event) == device &&
		    !isnan(stat_impossible_percent(options, row)))
			return true;
	}
	return false;
}

/*
 * Find the first verdict that holds and set values->pass to the pass that it
 * holds in. NULL: none holds.
 */
static const struct drmperf_verdict *
find_verdict(struct values *values, const struct drmperf_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->count; i++) {
		for (values->pass = 0; values->pass < values->result->passes;
		     values->pass++) {
			if (verdict_holds(values, &verdicts->list[i]))
				return &verdicts->list[i];
		}
	}
	return NULL;
}

/* Write the verdict of a GPU to the document, or print it if json is NULL. */
static void
report_verdict(const struct tool *tool, struct values *values,
	       struct drmperf_device *device, struct json *json)
{
	struct drmperf_verdicts *verdicts = NULL;
	const struct drmperf_verdict *verdict = NULL;
	struct drmperf_error error;

	if (drmperf_verdicts_create(device, &verdicts, &error))
		tool_warn(tool, "no verdict: %s", error.cause);
	else
		verdict = find_verdict(values, verdicts);
	if (verdict && json)
		write_verdict(values, device, verdict, json);
	else if (verdict)
		print_verdict(tool, values, device, verdict);
	drmperf_verdicts_destroy(verdicts);
}

static void
report_each_verdict(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json)
{
	struct values values = { .options = options, .result = result };

	/* Peaks are read if metric groups were asked for. */
	if (!options->peaks.devices)
		return;
	for (unsigned i = 0; i < drmperf_device_count(tool->drmperf); i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (!is_contradictory(options, result, device))
			report_verdict(tool, &values, device, json);
	}
}

void
stat_print_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result)
{
	report_each_verdict(tool, options, result, NULL);
}

void
stat_write_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json)
{
	json_open(json, "verdicts", '[');
	report_each_verdict(tool, options, result, json);
	json_close(json, ']');
}
