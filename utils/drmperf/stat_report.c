/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Runs are called alike when control counters differ by less than this. */
#define ALIKE_PERCENT 3.0
/* Time is less exact: a machine has other things to do. */
#define ALIKE_TIME_PERCENT 20.0
#define ALIKE_TIME_SECONDS 0.05

double
stat_number(const struct stat_row *row, union drmperf_value value)
{
	if (drmperf_event_type(row->selection.event) == DRMPERF_TYPE_DOUBLE)
		return value.f64;
	return (double)value.u64;
}

struct statistics {
	double mean;
	double deviation_percent; /* of the mean, standard error as perf's */
};

static struct statistics
statistics_of(const struct stat_row *row)
{
	struct statistics result = { 0 };
	double squares = 0;

	for (unsigned i = 0; i < row->count; i++)
		result.mean += stat_number(row, row->values[i]) / row->count;
	for (unsigned i = 0; i < row->count; i++) {
		double difference =
			stat_number(row, row->values[i]) - result.mean;

		squares += difference * difference;
	}
	if (row->count > 1 && result.mean != 0 && !isnan(result.mean))
		result.deviation_percent =
			100 * sqrt(squares / (row->count - 1) / row->count) /
			fabs(result.mean);
	return result;
}

static const char *
row_unit(const struct stat_row *row)
{
	return drmperf_unit_name(drmperf_event_unit(row->selection.event));
}

static bool
is_integer(const struct stat_row *row)
{
	return drmperf_event_type(row->selection.event) == DRMPERF_TYPE_UINT64;
}

/* With commas between thousands as a reader wants them: 1,234,567. */
static void
group_digits(uint64_t value, char *text)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, value);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*text++ = ',';
		*text++ = digits[i];
	}
	*text = '\0';
}

static void
format_value(const struct stat_row *row, char text[40])
{
	if (row->count == 1 && is_integer(row))
		group_digits(row->values[0].u64, text);
	else if (is_integer(row))
		group_digits((uint64_t)llround(statistics_of(row).mean), text);
	else if (isnan(statistics_of(row).mean))
		strcpy(text, "n/a");
	else
		snprintf(text, 40, "%.3f", statistics_of(row).mean);
}

static void
print_text_row(FILE *out, const struct stat_row *row, size_t passes)
{
	char value[40], name[NAME_SIZE];

	format_value(row, value);
	fprintf(out, "%20s  %-12s  %s", value, row_unit(row),
		choice_name(&row->selection, "", name));
	if (passes > 1)
		fprintf(out, "  (pass %zu%s)", row->pass + 1,
			row->control ? ", control" : "");
	if (row->count > 1)
		fprintf(out, "  ( +- %.2f%% )",
			statistics_of(row).deviation_percent);
	fputc('\n', out);
}

static double
mean_seconds(const struct stat_time *time)
{
	return time->runs ? time->seconds / (double)time->runs : 0;
}

static void
print_times(FILE *out, const struct stat_result *result)
{
	fprintf(out, "\n%20.6f  seconds elapsed%s\n",
		mean_seconds(&result->time),
		result->time.runs > 1 ? " per run" : "");
	for (size_t i = 0; result->passes > 1 && i < result->passes; i++) {
		if (result->pass_times[i].runs)
			fprintf(out, "%20.6f  seconds elapsed in pass %zu\n",
				mean_seconds(&result->pass_times[i]), i + 1);
	}
	fputc('\n', out);
}

static void
print_text(const struct stat_options *options, const struct stat_result *result)
{
	FILE *out = options->out;

	fputs("\n Counters", out);
	if (options->command[0]) {
		fputs(" of", out);
		for (size_t i = 0; options->command[i]; i++)
			fprintf(out, " %s", options->command[i]);
	}
	if (result->time.runs > 1)
		fprintf(out, " (%zu runs)", result->time.runs);
	fputs(":\n\n", out);
	for (size_t i = 0; i < result->row_count; i++) {
		if (result->rows[i].count)
			print_text_row(out, &result->rows[i], result->passes);
	}
	print_times(out, result);
}

void
stat_print_result(const struct stat_options *options,
		  const struct stat_result *result)
{
	if (options->records) {
		records_end(options->records, result->passes, result->time.runs,
			    mean_seconds(&result->time));
		return;
	}
	print_text(options, result);
	fflush(options->out);
}

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

static void
print_interval_row(const struct stat_run *run, size_t index, double seconds)
{
	struct stat_row row = run->rows[index];

	row.values = &run->step[index];
	row.count = 1;
	fprintf(run->options->out, "%14.6f ", seconds);
	print_text_row(run->options->out, &row, run->passes);
}

static void
write_records(const struct stat_run *run, const union drmperf_value *values)
{
	for (size_t i = 0; i < run->row_count; i++) {
		struct record record = stat_record(run, i, values[i]);

		records_write(run->options->records, &record);
	}
}

void
stat_print_interval(const struct stat_run *run, double seconds)
{
	if (run->options->records) {
		write_records(run, run->step);
		return;
	}
	for (size_t i = 0; i < run->row_count; i++)
		print_interval_row(run, i, seconds);
	fflush(run->options->out);
}

void
stat_write_run(const struct stat_run *run)
{
	if (run->options->records && !run->options->interval_ms)
		write_records(run, run->values);
}

/* ------------------------------------------------------------------ */
/* Were the runs alike?                                                 */

static bool
same_event(const struct stat_row *a, const struct stat_row *b)
{
	return a->selection.event == b->selection.event &&
	       a->selection.instance == b->selection.instance;
}

/* Warn unless a control counter was the same in a later pass. */
static void
compare_control(const struct tool *tool, const struct stat_row *first,
		const struct stat_row *other)
{
	double before = statistics_of(first).mean;
	double now = statistics_of(other).mean;
	double percent = before != 0 ? 100 * (now - before) / before
				     : (now != 0 ? 100 : 0);
	char name[NAME_SIZE];

	if (fabs(percent) < ALIKE_PERCENT)
		return;
	tool_warn(tool,
		  "the runs were not alike: %s was %.0f in pass 1 and %.0f in "
		  "pass %zu (%+.1f%%); do not combine values of different "
		  "passes",
		  choice_name(&first->selection, "", name), before, now,
		  other->pass + 1, percent);
}

/* With that of each later pass; nothing at all says nothing of the runs. */
static void
compare_controls(const struct tool *tool, const struct stat_result *result,
		 size_t first)
{
	const struct stat_row *rows = result->rows;
	bool counted = statistics_of(&rows[first]).mean != 0;
	char name[NAME_SIZE];

	for (size_t i = first + 1; i < result->row_count; i++) {
		if (!rows[i].control || !rows[i].count ||
		    !same_event(&rows[first], &rows[i]))
			continue;
		compare_control(tool, &rows[first], &rows[i]);
		counted |= statistics_of(&rows[i]).mean != 0;
	}
	if (!counted)
		tool_warn(tool,
			  "the control counter %s counted nothing: whether the "
			  "runs were alike cannot be told; try another one "
			  "(--control EVENT)",
			  choice_name(&rows[first].selection, "", name));
}

static void
compare_times(const struct tool *tool, const struct stat_result *result)
{
	double before = mean_seconds(&result->pass_times[0]);

	for (size_t i = 1; i < result->passes; i++) {
		double now = mean_seconds(&result->pass_times[i]);
		double percent = 100 * (now - before) / before;

		if (!result->pass_times[i].runs ||
		    fabs(now - before) < ALIKE_TIME_SECONDS ||
		    fabs(percent) < ALIKE_TIME_PERCENT)
			continue;
		tool_warn(tool,
			  "the runs were not alike: pass 1 took %.3f s and "
			  "pass %zu took %.3f s (%+.1f%%); do not combine what "
			  "depends on time",
			  before, i + 1, now, percent);
	}
}

void
stat_compare_runs(const struct tool *tool, const struct stat_result *result)
{
	const struct stat_row *rows = result->rows;

	if (result->passes < 2 || !result->time.runs)
		return;
	for (size_t i = 0; i < result->row_count; i++) {
		if (rows[i].control && rows[i].pass == 0 && rows[i].count)
			compare_controls(tool, result, i);
	}
	compare_times(tool, result);
}
