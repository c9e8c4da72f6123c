/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/text.h"

#include <math.h>
#include <string.h>

#include "stat/figures.h"
#include "util/format_number.h"

#define NS_PER_S 1e9

/* ------------------------------------------------------------------ */
/* A row                                                                */

static bool
is_integer(const struct stat_row *row)
{
	return drmperf_event_type(row->selection.event) == DRMPERF_TYPE_UINT64;
}

/* Write an integer, not by way of a double, unless there are several. */
static void
format_integer(const struct stat_row *row, char text[FORMAT_NUMBER_SIZE])
{
	if (!row->count)
		strcpy(text, "n/a");
	else if (row->count == 1)
		format_count(row->values[0].u64, text);
	else
		format_count((uint64_t)llround(statistics_of(row).mean), text);
}

static void
format_raw(const struct stat_row *row, char text[FORMAT_NUMBER_SIZE])
{
	if (is_integer(row))
		format_integer(row, text);
	else if (isnan(statistics_of(row).mean))
		strcpy(text, "n/a");
	else
		snprintf(text, FORMAT_NUMBER_SIZE, "%.3f",
			 statistics_of(row).mean);
}

static const char *
row_unit(const struct stat_row *row)
{
	return drmperf_unit_name(drmperf_event_unit(row->selection.event));
}

static enum drmperf_scope
scope_of(const struct stat_row *row)
{
	return drmperf_event_scope(row->selection.event);
}

static void
print_values(FILE *out, const struct tool *tool, const struct stat_row *row)
{
	const enum drmperf_unit of = drmperf_event_unit(row->selection.event);
	const enum drmperf_kind kind = drmperf_event_kind(row->selection.event);
	const double mean = statistics_of(row).mean;
	char value[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE],
		rate[FORMAT_NUMBER_SIZE];
	char name[NAME_SIZE];

	format_value(of, kind, mean, value, unit);
	if (is_integer(row) && stat_row_adds_up(row))
		format_integer(row, value);
	format_rate(of, kind, mean * row->count,
		    (double)row->length_ns / NS_PER_S, rate);
	fprintf(out, "%20s  %-12s  %12s  %s%s", value, unit, rate,
		stat_row_name(tool, row, name),
		tool_scope_mark(scope_of(row)));
}

/* Print the share of the peak, where that is known. */
static void
print_share(const struct stat_options *options, const struct stat_row *row)
{
	const struct drmperf_peak *peak =
		options->raw ? NULL
			     : peaks_find(&options->peaks, &row->selection);
	double percent;

	if (!peak || peak->is_bound)
		return;
	percent = peak_share(peak, stat_rate(row));
	if (!isnan(percent))
		fprintf(options->out, "  (%.1f %% of peak)", percent);
}

static void
print_raw_values(FILE *out, const struct stat_row *row)
{
	char value[FORMAT_NUMBER_SIZE], name[NAME_SIZE];

	format_raw(row, value);
	fprintf(out, "%20s  %-12s  %s", value, row_unit(row),
		selection_name(&row->selection, "", name));
}

static void
print_die(FILE *out, const struct stat_row *row)
{
	const int partition = tool_partition(row->selection.event);

	if (row->die >= 0)
		fprintf(out, "  (die %d)", row->die);
	else if (row->die == STAT_DIES)
		fputs("  (one die in each run, not always the same)", out);
	else if (partition >= 0)
		fprintf(out, "  (partition %d)", partition);
}

/* Print the least and the most of a sensor that was read several times. */
static void
print_range(FILE *out, const struct stat_row *row)
{
	const enum drmperf_unit of = drmperf_event_unit(row->selection.event);
	const enum drmperf_kind kind = drmperf_event_kind(row->selection.event);
	char min[FORMAT_NUMBER_SIZE], max[FORMAT_NUMBER_SIZE],
		unit[FORMAT_NUMBER_SIZE];

	if (!row->is_sampled || row->min == row->max)
		return;
	format_value(of, kind, row->min, min, unit);
	fprintf(out, "  (%s %s", min, unit);
	format_value(of, kind, row->max, max, unit);
	fprintf(out, " to %s %s)", max, unit);
}

static void
print_row(const struct tool *tool, const struct stat_options *options,
	  const struct stat_row *row, size_t passes)
{
	FILE *out = options->out;

	if (options->raw)
		print_raw_values(out, row);
	else
		print_values(out, tool, row);
	print_share(options, row);
	print_range(out, row);
	print_die(out, row);
	if (passes > 1)
		fprintf(out, "  (pass %zu%s)", row->pass + 1,
			row->control ? ", control" : "");
	if (row->count > 1)
		fprintf(out, "  ( +- %.2f%% )",
			statistics_of(row).deviation_percent);
	fputc('\n', out);
}

/* ------------------------------------------------------------------ */
/* The table                                                            */

/*
 * Print once that counters are system wide: they count the work of any process.
 */
static void
print_scopes(FILE *out, const struct stat_result *result)
{
	const enum queue_access access = queue_access_least(&result->queues);
	size_t own = 0, marked = 0;

	for (size_t i = 0; i < result->row_count; i++) {
		enum drmperf_scope scope = scope_of(&result->rows[i]);

		own += scope == DRMPERF_SCOPE_PROCESS;
		marked += scope == DRMPERF_SCOPE_QUEUE;
	}
	if (own == result->row_count)
		return;
	fprintf(out, ",%s system wide%s", own ? " GPU counters" : "",
		marked ? queue_access_legend(access) : "");
}

/*
 * Print the GPUs whose events were counted, a line for each, and the numbers of
 * those that are not shown although no -d keeps them out.
 */
static void
print_gpus(const struct tool *tool, FILE *out, const struct stat_result *result)
{
	unsigned count = drmperf_device_count(tool->drmperf), counted = 0;
	const char *before = tool->automatic ? " Not shown: GPU"
						: " Not counted: GPU";
	char chip[TOOL_CHIP_SIZE];

	for (unsigned i = 0; i < count; i++) {
		const struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (!stat_result_has_device(result, device))
			continue;
		counted++;
		fprintf(out, " GPU %u: %s\n", i, tool_chip(device, chip));
	}
	if (counted == count || tool->device ||
	    (choose_means_several(tool) && !tool->automatic) ||
	    (!counted && !tool->automatic))
		return;
	for (unsigned i = 0; i < count; i++) {
		if (stat_result_has_device(result,
					   drmperf_device_at(tool->drmperf, i)))
			continue;
		fprintf(out, "%s %u", before, i);
		before = ",";
	}
	fputs(tool->automatic ? ": the command was not seen to open it "
				   "(-d chooses GPUs, -d all counts each)\n"
				 : " (-d chooses GPUs, -d all counts each)\n",
	      out);
}

static void
print_title(const struct tool *tool, const struct stat_options *options,
	    const struct stat_result *result)
{
	FILE *out = options->out;

	fputs("\n Counters", out);
	if (options->command[0]) {
		fputs(" of", out);
		for (size_t i = 0; options->command[i]; i++)
			fprintf(out, " %s", options->command[i]);
	}
	if (!options->raw)
		print_scopes(out, result);
	if (result->time.runs > 1)
		fprintf(out, " (%zu runs)", result->time.runs);
	fputs(":\n", out);
	print_gpus(tool, out, result);
	fputc('\n', out);
}

static void
print_head(FILE *out)
{
	fprintf(out, "%20s  %-12s  %12s  %s\n", "value", "unit", "rate",
		"event");
}

/* Sum of the events of a pass that count towards a peak. */
struct towards {
	const struct drmperf_peak *peak;
	double rate; /* NaN: nothing */
	size_t events;
};

/*
 * Sum up the rates of all events of the peak of this row that its pass has.
 * Nothing unless it is the first row of that peak: another pass is another run.
 */
static struct towards
sum_towards(const struct stat_options *options,
	    const struct stat_result *result, size_t first)
{
	struct towards sum = {
		.peak = peaks_find(&options->peaks,
				   &result->rows[first].selection),
	};

	for (size_t i = 0; sum.peak && i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];

		if (!row->count ||
		    peaks_find(&options->peaks, &row->selection) != sum.peak)
			continue;
		if (i < first)
			sum.rate = NAN;
		if (row->pass != result->rows[first].pass)
			continue;
		sum.rate += stat_rate(row);
		sum.events++;
	}
	return sum;
}

static void
print_peak(const struct tool *tool, const struct stat_options *options,
	   const struct towards *sum)
{
	const struct drmperf_peak *peak = sum->peak;
	const struct drmperf_event *event = peak->events[0];
	const enum drmperf_unit unit = drmperf_event_unit(event);
	char counted[FORMAT_NUMBER_SIZE], most[FORMAT_NUMBER_SIZE];

	format_rate(unit, DRMPERF_KIND_CUMULATIVE, sum->rate, 1, counted);
	format_rate(unit, DRMPERF_KIND_CUMULATIVE, peak->per_second, 1, most);
	fprintf(options->out, " %s", peak->group);
	if (drmperf_device_count(tool->drmperf) > 1)
		fprintf(options->out, " of device %u",
			drmperf_device_index(drmperf_event_device(event)));
	if (peak->is_bound)
		fprintf(options->out,
			": %s %s, of %s at most\n   (at most: %s)\n",
			peak->name, counted, most, peak->description);
	else
		fprintf(options->out,
			": %s%.0f %% of peak %s, %s of %s\n   (peak: %s)\n",
			sum->events < peak->event_count ? "at least " : "",
			peak_share(peak, sum->rate), peak->name, counted, most,
			peak->description);
}

static bool
has_counted(const struct stat_result *result, const struct drmperf_event *event)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (result->rows[i].count &&
		    result->rows[i].selection.event == event)
			return true;
	}
	return false;
}

/* Print why peaks of what was counted are not known. */
static void
print_unknown_peaks(const struct stat_options *options,
		    const struct stat_result *result,
		    const struct drmperf_peaks *peaks, bool *any)
{
	for (size_t i = 0; i < peaks->unknown_count; i++) {
		const struct drmperf_peak *peak = peaks->unknown[i];

		if (!has_counted(result, peak->events[0]))
			continue;
		if (!*any)
			fputc('\n', options->out);
		*any = true;
		fprintf(options->out, " %s: peak %s is not known\n   (%s)\n",
			peak->group, peak->name, peak->description);
	}
}

/* Print a line for each peak that counts are known towards, or that is not. */
static void
print_peaks(const struct tool *tool, const struct stat_options *options,
	    const struct stat_result *result)
{
	bool any = false;

	for (size_t i = 0; i < result->row_count; i++) {
		const struct towards sum = sum_towards(options, result, i);

		/* those of operations are roofs */
		if (!sum.events || sum.peak->operations > 0 ||
		    isnan(peak_share(sum.peak, sum.rate)))
			continue;
		if (!any)
			fputc('\n', options->out);
		any = true;
		print_peak(tool, options, &sum);
	}
	for (size_t i = 0; i < options->peaks.count; i++)
		print_unknown_peaks(options, result, options->peaks.devices[i],
				    &any);
}

/* Print a warning that values do not show themselves. */
static void
print_doubts(FILE *out, const struct stat_result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (!result->rows[i].may_miss_resets || !result->rows[i].count)
			continue;
		fputs("\n OA counters may be too low if the GPU was reset "
		      "(see dmesg): not every\n reset can be "
		      "noticed.\n",
		      out);
		return;
	}
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

void
stat_print_table(const struct tool *tool, const struct stat_options *options,
		 const struct stat_result *result)
{
	print_title(tool, options, result);
	if (!options->raw)
		print_head(options->out);
	for (size_t i = 0; i < result->row_count; i++) {
		if (result->rows[i].count || result->rows[i].reason)
			print_row(tool, options, &result->rows[i],
				  result->passes);
	}
	stat_print_verdicts(tool, options, result);
	stat_print_rooflines(tool, options, result);
	if (!options->raw)
		print_peaks(tool, options, result);
	if (!options->raw)
		stat_print_remarks(options, result);
	stat_print_formulas(tool, options, result);
	held_clocks_print_note(options->out, &result->clocks);
	print_doubts(options->out, result);
	print_times(options->out, result);
	fflush(options->out);
}

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

void
stat_print_interval_head(const struct stat_options *options)
{
	if (options->raw || options->records)
		return;
	fprintf(options->out, "%14s ", "time");
	print_head(options->out);
}

void
stat_print_interval_rows(const struct stat_run *run, double seconds)
{
	const struct stat_options *options = run->options;

	for (size_t i = 0; i < run->row_count; i++) {
		const struct stat_origin *origin = &run->origins[i];
		struct stat_row row = run->rows[i];
		double end = (double)origin->end_ns / NS_PER_S;

		if (!row.is_shown)
			continue;
		row.values = &run->step[i];
		row.count = !run->step_statuses[i];
		row.length_ns = origin->end_ns - origin->start_ns;
		row.die = origin->die;
		fprintf(options->out, "%14.6f ",
			options->raw || end <= 0 ? seconds : end);
		print_row(run->tool, options, &row, run->passes);
	}
	fflush(options->out);
}
