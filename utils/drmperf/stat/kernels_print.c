/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/format_number.h"
#include "util/printable.h"

/* Columns of a dispatch, by field. */
static const struct column {
	const char *name;
	enum kernels_field field;
} columns[] = {
	{ "dispatch", KERNELS_NUMBER }, { "kernel", KERNELS_NAME },
	{ "node", KERNELS_NODE },	{ "queue", KERNELS_QUEUE },
	{ "pid", KERNELS_PID },		{ "tid", KERNELS_TID },
	{ "grid", KERNELS_GRID },	{ "workgroup", KERNELS_WORKGROUP },
	{ "lds", KERNELS_LDS },		{ "scratch", KERNELS_SCRATCH },
	{ "vgprs", KERNELS_VGPRS },	{ "sgprs", KERNELS_SGPRS },
	{ "start_ns", KERNELS_START },	{ "end_ns", KERNELS_END },
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* Return AMD's name, for programs that read tables of rocprof. */
static const char *
event_name(const struct drmperf_selection *event, char text[NAME_SIZE])
{
	drmperf_event_rocm_name(event->event, text, NAME_SIZE);
	return text;
}

static bool
is_integer(const struct drmperf_selection *event)
{
	return drmperf_event_type(event->event) == DRMPERF_TYPE_UINT64;
}

/* Return whether an event adds up: sums of ratios and the like mean nothing. */
static bool
event_adds_up(const struct drmperf_selection *event)
{
	return drmperf_event_kind(event->event) == DRMPERF_KIND_CUMULATIVE;
}

static double
find_mean(const struct stat_range *values)
{
	return values->count ? values->sum / (double)values->count : NAN;
}

/* ------------------------------------------------------------------ */
/* CSV                                                                  */

static void
write_csv_head(const struct records *records,
	       const struct kernels_result *result)
{
	char name[NAME_SIZE];

	fputs("pass", records->out);
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(records->out, "%s%s", records->separator,
			columns[i].name);
	for (size_t i = 0; i < result->event_count; i++) {
		fputs(records->separator, records->out);
		records_write_csv_text(records,
				       event_name(result->events[i], name));
	}
	fputc('\n', records->out);
}

static void
write_csv(const struct records *records, const struct kernels_result *result,
	  const struct kernels_dispatch *dispatch)
{
	fprintf(records->out, "%zu", dispatch->pass + 1);
	for (size_t i = 0; i < COLUMNS; i++) {
		const char *text = dispatch->fields[columns[i].field];

		fputs(records->separator, records->out);
		if (strcmp(text, "-") != 0)
			records_write_csv_text(records, text);
	}
	for (size_t i = 0; i < result->event_count; i++) {
		const char *text =
			i < dispatch->first ||
					i >= dispatch->first + dispatch->count
				? "-"
				: dispatch->values[i - dispatch->first];

		fputs(records->separator, records->out);
		if (strcmp(text, "-") != 0)
			records_write_csv_text(records, text);
	}
	fputc('\n', records->out);
}

/* ------------------------------------------------------------------ */
/* JSON                                                                 */

static void
write_json_number(struct json *json, const char *key, const char *text)
{
	if (text[strspn(text, "0123456789")])
		json_double(json, key,
			    strcmp(text, "-") ? strtod(text, NULL) : NAN);
	else
		json_uint(json, key, strtoull(text, NULL, 10));
}

static void
open_document(const struct kernels_options *options)
{
	struct json *json = &options->records->json;

	records_open_document(json, options->command);
	json_bool(json, "one_at_a_time", true);
	json_open(json, "dispatches", '[');
}

static void
write_json(struct json *json, const struct kernels_result *result,
	   const struct kernels_dispatch *dispatch)
{
	char name[NAME_SIZE];

	json_open(json, NULL, '{');
	json_uint(json, "pass", dispatch->pass + 1);
	for (size_t i = 0; i < COLUMNS; i++) {
		const char *text = dispatch->fields[columns[i].field];

		if (columns[i].field == KERNELS_NAME)
			json_text(json, columns[i].name, text);
		else
			write_json_number(json, columns[i].name, text);
	}
	json_open(json, "events", '{');
	for (size_t i = 0; i < dispatch->count; i++) {
		const struct drmperf_selection *event =
			result->events[dispatch->first + i];

		write_json_number(json, event_name(event, name),
				  dispatch->values[i]);
	}
	json_close(json, '}');
	json_close(json, '}');
}

static void
write_json_values(struct json *json, const struct stat_range *values,
		  bool with_sum)
{
	const bool is_there = values->count;

	json_uint(json, "count", values->count);
	json_double(json, "sum", is_there && with_sum ? values->sum : NAN);
	json_double(json, "mean", find_mean(values));
	json_double(json, "min", is_there ? values->min : NAN);
	json_double(json, "max", is_there ? values->max : NAN);
}

static void
write_json_kernel(struct json *json, const struct kernels_result *result,
		  const struct kernels_kernel *kernel)
{
	char name[NAME_SIZE];

	json_open(json, NULL, '{');
	json_text(json, "kernel", kernel->name);
	json_uint(json, "calls", kernel->calls);
	json_open(json, "time_ns", '{');
	write_json_values(json, &kernel->time, true);
	json_close(json, '}');
	json_open(json, "events", '[');
	for (size_t i = 0; i < result->event_count; i++) {
		const struct drmperf_selection *event = result->events[i];

		json_open(json, NULL, '{');
		json_text(json, "event", event_name(event, name));
		json_text(json, "unit",
			  drmperf_unit_name(drmperf_event_unit(event->event)));
		write_json_values(json, &kernel->values[i],
				  event_adds_up(event));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
close_document(struct json *json, const struct kernels_result *result)
{
	json_close(json, ']');
	json_open(json, "kernels", '[');
	for (size_t i = 0; i < result->kernel_count; i++)
		write_json_kernel(json, result, result->kernels[i]);
	json_close(json, ']');
	json_uint(json, "passes", result->passes);
	json_double(json, "seconds", result->seconds);
	json_double(json, "seconds_uncounted", result->uncounted_seconds);
	json_close(json, '}');
	fputc('\n', json->out);
}

/* ------------------------------------------------------------------ */
/* The table                                                            */

/* Print a number. A mean of whole numbers need not be one. */
static void
print_number(FILE *out, const struct drmperf_selection *event, double value,
	     bool is_mean)
{
	char text[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];

	if (isnan(value))
		strcpy(text, "n/a");
	else if (is_integer(event) && value == floor(value) && value < 0x1p53)
		format_count((uint64_t)value, text);
	else
		format_value(drmperf_event_unit(event->event),
			     is_mean ? DRMPERF_KIND_CUMULATIVE
				     : drmperf_event_kind(event->event),
			     value, text, unit);
	fprintf(out, " %16s", text);
}

static void
print_event(FILE *out, const struct drmperf_selection *event,
	    const struct stat_range *values)
{
	const bool is_there = values->count;
	const enum drmperf_unit unit = drmperf_event_unit(event->event);
	char name[NAME_SIZE];

	fprintf(out, "   %-28s", event_name(event, name));
	if (event_adds_up(event))
		print_number(out, event, is_there ? values->sum : NAN, false);
	else
		fprintf(out, " %16s", "-");
	print_number(out, event, find_mean(values), true);
	print_number(out, event, is_there ? values->min : NAN, false);
	print_number(out, event, is_there ? values->max : NAN, false);
	fprintf(out, "  %s\n", drmperf_unit_name(unit));
}

static void
print_duration(FILE *out, double ns, bool is_there)
{
	char text[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];
	char both[2 * FORMAT_NUMBER_SIZE];

	format_value(DRMPERF_UNIT_NANOSECONDS, DRMPERF_KIND_MOMENTARY, ns, text,
		     unit);
	snprintf(both, sizeof(both), "%s %s", text, unit);
	fprintf(out, " %16s", is_there ? both : "n/a");
}

static void
print_kernel(FILE *out, const struct kernels_result *result,
	     const struct kernels_kernel *kernel)
{
	const struct stat_range *time = &kernel->time;
	char calls[FORMAT_NUMBER_SIZE];

	format_count(kernel->calls, calls);
	fputs("\n ", out);
	printable_write(out, kernel->name, strlen(kernel->name));
	fprintf(out, "\n   %-28s %16s %16s %16s %16s\n", "", "sum", "mean",
		"min", "max");
	fprintf(out, "   %-28s %16s\n   %-28s", "calls", calls, "time");
	print_duration(out, time->sum, time->count);
	print_duration(out, find_mean(time), time->count);
	print_duration(out, time->min, time->count);
	print_duration(out, time->max, time->count);
	fputc('\n', out);
	for (size_t i = 0; i < result->event_count; i++)
		print_event(out, result->events[i], &kernel->values[i]);
}

static void
print_seconds(FILE *out, const struct kernels_result *result)
{
	fprintf(out, "\n %.3f seconds elapsed", result->seconds);
	if (result->passes > 1)
		fprintf(out, " in all passes, %.3f in each",
			result->seconds / (double)result->passes);
	if (!isnan(result->uncounted_seconds))
		fprintf(out, "\n %.3f seconds elapsed without counting",
			result->uncounted_seconds);
	fputs("\n\n One kernel at a time ran on each GPU, so that each count "
	      "is its own; without\n counting the program takes less time",
	      out);
	fputs(isnan(result->uncounted_seconds)
		      ? ", which --passes measures first.\n\n"
		      : ".\n\n",
	      out);
}

static void
print_table(FILE *out, const struct kernels_result *result)
{
	fputs("\n Kernels, by their time:\n", out);
	for (size_t i = 0; i < result->kernel_count; i++)
		print_kernel(out, result, result->kernels[i]);
	print_seconds(out, result);
}

/* ------------------------------------------------------------------ */

void
kernels_print_head(const struct kernels_options *options,
		   const struct kernels_result *result)
{
	struct records *records = options->records;

	if (!records)
		return;
	records->json.out = records->out;
	if (records->format != RECORDS_CSV)
		open_document(options);
	else if (!records->goes_on)
		write_csv_head(records, result);
}

void
kernels_print_dispatch(const struct kernels_options *options,
		       const struct kernels_result *result,
		       const struct kernels_dispatch *dispatch)
{
	struct records *records = options->records;

	if (records && records->format == RECORDS_CSV)
		write_csv(records, result, dispatch);
	else if (records)
		write_json(&records->json, result, dispatch);
}

static int
compare_times(const void *a, const void *b)
{
	const struct kernels_kernel *const *left = a, *const *right = b;

	if ((*left)->time.sum != (*right)->time.sum)
		return (*left)->time.sum < (*right)->time.sum ? 1 : -1;
	return strcmp((*left)->name, (*right)->name);
}

void
kernels_print_result(const struct kernels_options *options,
		     struct kernels_result *result)
{
	struct records *records = options->records;

	if (result->kernel_count)
		qsort(result->kernels, result->kernel_count,
		      sizeof(*result->kernels), compare_times);
	if (!records)
		print_table(options->out, result);
	else if (records->format != RECORDS_CSV)
		close_document(&records->json, result);
}
