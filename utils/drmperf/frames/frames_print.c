/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames/frames.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "select/selection_list.h"
#include "util/format_number.h"
#include "util/records.h"

#define TIME_NAME "frame time"

static double
find_mean(const struct frames_values *values)
{
	return values->count ? values->sum / (double)values->count : NAN;
}

static double
value_if_any(const struct frames_values *values, double value)
{
	return values->count ? value : NAN;
}

/* ------------------------------------------------------------------ */
/* For people                                                           */

/*
 * Print a value with the prefix that suits it: of a time, and of what does not
 * add up.
 */
static void
print_scaled(FILE *out, enum drmperf_unit of, double value)
{
	char text[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];
	char both[2 * FORMAT_NUMBER_SIZE];

	format_value(of, DRMPERF_KIND_MOMENTARY, value, text, unit);
	snprintf(both, sizeof(both), "%s %s", text, unit);
	fprintf(out, " %16s", isnan(value) ? "n/a" : both);
}

/* Print a number. A mean of whole numbers need not be one. */
static void
print_number(FILE *out, const struct drmperf_selection *event, double value)
{
	char text[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];

	if (isnan(value))
		strcpy(text, "n/a");
	else if (drmperf_event_type(event->event) == DRMPERF_TYPE_UINT64 &&
		 value == floor(value) && value < 0x1p53)
		format_count((uint64_t)value, text);
	else
		format_value(drmperf_event_unit(event->event),
			     DRMPERF_KIND_CUMULATIVE, value, text, unit);
	fprintf(out, " %16s", text);
}

static void
print_event(FILE *out, int width, const struct drmperf_selection *event,
	    const struct frames_values *values)
{
	const double numbers[] = { find_mean(values),
				   value_if_any(values, values->min),
				   value_if_any(values, values->max) };
	const enum drmperf_unit unit = drmperf_event_unit(event->event);
	const bool adds_up =
		drmperf_event_kind(event->event) == DRMPERF_KIND_CUMULATIVE;
	char name[NAME_SIZE];

	fprintf(out, " %-*s", width, selection_name(event, "", name));
	for (size_t i = 0; i < 3; i++) {
		if (adds_up)
			print_number(out, event, numbers[i]);
		else
			print_scaled(out, unit, numbers[i]);
	}
	if (adds_up)
		fprintf(out, "  %s", drmperf_unit_name(unit));
	fputc('\n', out);
}

static int
find_width(const struct selection_list *events)
{
	size_t width = strlen(TIME_NAME);
	char name[NAME_SIZE];

	for (size_t i = 0; i < events->count; i++) {
		const size_t length = strlen(
			selection_name(&events->selections[i], "", name));

		width = length > width ? length : width;
	}
	return (int)width;
}

static void
print_table(FILE *out, const struct frames_options *options,
	    const struct frames_result *result)
{
	const struct frames_values *time = &result->time;
	const int width = find_width(result->events);
	char frames[FORMAT_NUMBER_SIZE];

	format_count(result->frames, frames);
	fprintf(out,
		"\n %s frame%s, each up to %s:\n\n %-*s %16s %16s %16s\n"
		" %-*s",
		frames, result->frames == 1 ? "" : "s", options->ends, width,
		"", "mean", "min", "max", width, TIME_NAME);
	print_scaled(out, DRMPERF_UNIT_NANOSECONDS, find_mean(time));
	print_scaled(out, DRMPERF_UNIT_NANOSECONDS, time->min);
	print_scaled(out, DRMPERF_UNIT_NANOSECONDS, time->max);
	fputc('\n', out);
	for (size_t i = 0; i < result->events->count; i++)
		print_event(out, width, &result->events->selections[i],
			    &result->values[i]);
	fprintf(out,
		"\n %.3f seconds elapsed\n\n The GPU is waited for at the end "
		"of each frame, so that each count is of its\n frame; without "
		"counting frames take less time.\n",
		result->seconds);
	held_clocks_print_note(out, &result->clocks);
	fputc('\n', out);
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

static void
write_csv_number(FILE *out, double value)
{
	char text[JSON_NUMBER_SIZE] = "";

	if (!isnan(value))
		json_format_double(value, text);
	fprintf(out, ",%s", text);
}

static void
write_csv_row(const struct records *records, const char *name,
	      enum drmperf_unit unit, const struct frames_values *values)
{
	records_write_csv_text(records, name);
	fprintf(records->out, ",%s,%" PRIu64, drmperf_unit_name(unit),
		values->count);
	write_csv_number(records->out, find_mean(values));
	write_csv_number(records->out, value_if_any(values, values->min));
	write_csv_number(records->out, value_if_any(values, values->max));
	fputc('\n', records->out);
}

static void
write_csv(FILE *out, const struct frames_result *result)
{
	const struct records records = { .out = out, .separator = "," };
	char name[NAME_SIZE];

	fputs("event,unit,frames,mean,min,max\n", out);
	write_csv_row(&records, TIME_NAME, DRMPERF_UNIT_NANOSECONDS,
		      &result->time);
	for (size_t i = 0; i < result->events->count; i++) {
		const struct drmperf_selection *event =
			&result->events->selections[i];

		write_csv_row(&records, selection_name(event, "", name),
			      drmperf_event_unit(event->event),
			      &result->values[i]);
	}
}

static void
write_json_values(struct json *json, const struct frames_values *values)
{
	json_uint(json, "frames", values->count);
	json_double(json, "mean", find_mean(values));
	json_double(json, "min", value_if_any(values, values->min));
	json_double(json, "max", value_if_any(values, values->max));
}

static void
write_json(FILE *out, const char *const *command,
	   const struct frames_result *result)
{
	struct json json = { .out = out };
	char name[NAME_SIZE];

	json_open(&json, NULL, '{');
	json_uint(&json, "schema", RECORDS_SCHEMA);
	json_open(&json, "command", '[');
	for (size_t i = 0; command[i]; i++)
		json_text(&json, NULL, command[i]);
	json_close(&json, ']');
	json_uint(&json, "frames", result->frames);
	json_open(&json, "frame_time_ns", '{');
	write_json_values(&json, &result->time);
	json_close(&json, '}');
	json_open(&json, "events", '[');
	for (size_t i = 0; i < result->events->count; i++) {
		const struct drmperf_selection *event =
			&result->events->selections[i];

		json_open(&json, NULL, '{');
		json_text(&json, "event", selection_name(event, "", name));
		json_text(&json, "unit",
			  drmperf_unit_name(drmperf_event_unit(event->event)));
		write_json_values(&json, &result->values[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_double(&json, "seconds", result->seconds);
	json_close(&json, '}');
	fputc('\n', out);
}

void
frames_print(FILE *out, const struct frames_options *options,
	     const char *const *command, const struct frames_result *result)
{
	if (options->csv)
		write_csv(out, result);
	else if (options->json)
		write_json(out, command, result);
	else
		print_table(out, options, result);
}
