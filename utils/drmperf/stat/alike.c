/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing the runs of several passes, by control counters and by time.
 */
#include <math.h>

#include "stat/figures.h"
#include "stat/types.h"

/* Runs are called alike when control counters differ by less than this. */
#define ALIKE_PERCENT 3.0
/* Time is less exact: a machine has other things to do. */
#define ALIKE_TIME_PERCENT 20.0
#define ALIKE_TIME_SECONDS 0.05

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

/*
 * Compare with that of each later pass; nothing at all says nothing of the
 * runs.
 */
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
			  "runs were alike is not known; try another one "
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
