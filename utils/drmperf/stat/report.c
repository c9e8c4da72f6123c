/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/stat.h"

#include <math.h>
#include <string.h>

#include "stat/text.h"
#include "util/provenance.h"

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

static bool
has_rows(const void *data, const struct drmperf_device *device)
{
	const struct stat_result *result = data;

	for (size_t i = 0; i < result->row_count; i++) {
		if (drmperf_event_device(result->rows[i].selection.event) ==
		    device)
			return true;
	}
	return false;
}

static void
end_records(const struct tool *tool, const struct stat_options *options,
	    const struct stat_result *result)
{
	struct json *json = records_end_events(options->records);

	if (json) {
		stat_write_verdicts(tool, options, result, json);
		stat_write_rooflines(tool, options, result, json);
		stat_write_formulas(tool, options, result, json);
		provenance_write(tool, has_rows, result, &result->clocks, json);
		if (result->queues.count)
			json_text(json, "queues",
				  queue_access_name(
					  queue_access_least(&result->queues)));
	}
	records_end(options->records, result->passes, result->time.runs,
		    mean_seconds(&result->time));
}

void
stat_print_result(const struct tool *tool, const struct stat_options *options,
		  const struct stat_result *result)
{
	if (options->records)
		end_records(tool, options, result);
	else
		stat_print_table(tool, options, result);
}

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

static void
write_records(const struct stat_run *run, const union drmperf_value *values,
	      const int *statuses)
{
	for (size_t i = 0; i < run->row_count; i++) {
		struct record record =
			stat_record(run, i, values[i], statuses[i]);

		if (!run->rows[i].is_shown)
			continue;
		records_write(run->options->records, &record);
	}
}

void
stat_print_interval(const struct stat_run *run, double seconds)
{
	if (run->options->records)
		write_records(run, run->step, run->step_statuses);
	else
		stat_print_interval_rows(run, seconds);
}

void
stat_write_run(const struct stat_run *run)
{
	if (run->options->records && !run->options->interval_ms)
		write_records(run, run->values, run->statuses);
}

/* ------------------------------------------------------------------ */
/* Were the runs alike?                                                 */

static bool
same_event(const struct stat_row *a, const struct stat_row *b)
{
	return a->selection.event == b->selection.event &&
	       a->selection.instance == b->selection.instance;
}

/* Return by how much a control counter changed, in percent. */
static double
control_change(const struct stat_row *first, const struct stat_row *other)
{
	double before = statistics_of(first).mean;
	double now = statistics_of(other).mean;

	if (before == 0)
		return now != 0 ? 100 : 0;
	return 100 * (now - before) / before;
}

/* Warn unless a control counter was the same in a later pass. */
static void
compare_control(const struct tool *tool, const struct stat_row *first,
		const struct stat_row *other)
{
	double before = statistics_of(first).mean;
	double now = statistics_of(other).mean;
	double percent = control_change(first, other);
	char name[NAME_SIZE];

	if (fabs(percent) < ALIKE_PERCENT)
		return;
	tool_warn(tool,
		  "the runs were not alike: %s was %.0f in pass 1 and %.0f in "
		  "pass %zu (%+.1f%%); do not combine values of different "
		  "passes",
		  selection_name(&first->selection, "", name), before, now,
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
			  selection_name(&rows[first].selection, "", name));
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

static bool
is_control_of(const struct stat_row *first, const struct stat_row *other)
{
	return other->control && other->count && same_event(first, other);
}

bool
stat_runs_are_alike(const struct stat_result *result)
{
	const struct stat_row *rows = result->rows;

	for (size_t i = 0; i < result->row_count; i++) {
		if (!rows[i].control || rows[i].pass || !rows[i].count)
			continue;
		for (size_t k = i + 1; k < result->row_count; k++) {
			if (is_control_of(&rows[i], &rows[k]) &&
			    fabs(control_change(&rows[i], &rows[k])) >=
				    ALIKE_PERCENT)
				return false;
		}
	}
	return true;
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

/* ------------------------------------------------------------------ */
/* Why are values missing?                                              */

/* The cause was reported with an earlier row. */
static bool
is_repeated(const struct stat_result *result, size_t row)
{
	for (size_t i = 0; i < row; i++) {
		if (result->rows[i].reason &&
		    !strcmp(stat_reason(&result->rows[i]),
			    stat_reason(&result->rows[row])))
			return true;
	}
	return false;
}

bool
stat_warn_missing(const struct tool *tool, const struct stat_result *result)
{
	char name[NAME_SIZE];
	bool any = false;

	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];

		if (!row->reason)
			continue;
		any = true;
		if (is_repeated(result, i))
			continue;
		selection_name(&row->selection, "", name);
		tool_warn(tool, "%s is n/a%s: %s", name,
			  row->count ? " at times" : "", stat_reason(row));
		if (row->reason->remedy[0])
			fprintf(stderr, "  remedy: %s\n", row->reason->remedy);
	}
	return any;
}

/* ------------------------------------------------------------------ */
/* Was all seen of what processes use?                                  */

static bool
any_of_processes(const struct stat_result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (client_usage_counts(result->rows[i].selection.event))
			return true;
	}
	return false;
}

void
stat_tell_gaps(const struct tool *tool, const struct stat_options *options,
	       const struct stat_result *result)
{
	double seconds = stat_look_ms(options) / 1000.0;

	if (!result->time.runs || !any_of_processes(result))
		return;
	if (result->gaps.hidden)
		tool_warn(tool,
			  "fdinfo: %zu of the processes may not be looked at, "
			  "what they use is not counted; try as root",
			  result->gaps.hidden);
	if (!result->gaps.seen)
		tool_warn(tool,
			  "fdinfo: no process was seen with a GPU open; one "
			  "that has it for less than %.1f s can be missed",
			  seconds);
	else if (result->gaps.vanished)
		tool_warn(tool,
			  "fdinfo: what processes did in their last %.1f s is "
			  "not seen",
			  seconds);
}
