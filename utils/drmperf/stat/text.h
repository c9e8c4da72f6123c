/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output of drmperf stat for people: a table of values, with a rate where they
 * add up; or with --raw the values as they are.
 */
#ifndef DRMPERF_TOOL_STAT_TEXT_H
#define DRMPERF_TOOL_STAT_TEXT_H

#include "stat/types.h"

void
stat_print_table(const struct tool *tool, const struct stat_options *options,
		 const struct stat_result *result);

/* Print the head of the table of intervals. */
void
stat_print_interval_head(const struct stat_options *options);

/*
 * Print the rows of one interval; seconds is when it was read, if its own clock
 * is not known.
 */
void
stat_print_interval_rows(const struct stat_run *run, double seconds);

/*
 * Print what follows from the values of each GPU by the verdicts of its tables,
 * how sure that is, from which values, and what to do next. Nothing is printed
 * where the events that were counted do not allow a verdict.
 */
void
stat_print_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result);

/* Write the same as a member "verdicts", an array, which may be empty. */
void
stat_write_verdicts(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json);

/*
 * Print operations and bytes of memory of each GPU beside what it can do, if
 * the events of its metric group "roofline" were counted.
 */
void
stat_print_rooflines(const struct tool *tool,
		     const struct stat_options *options,
		     const struct stat_result *result);

/* Write the same as a member "rooflines", an array, which may be empty. */
void
stat_write_rooflines(const struct tool *tool,
		     const struct stat_options *options,
		     const struct stat_result *result, struct json *json);

/*
 * Print the formulas of the events that are computed from others, if the
 * options ask for them. Events that are computed bit by bit have none.
 */
void
stat_print_formulas(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result);

/* Write the same as a member "formulas", an object of texts by event. */
void
stat_write_formulas(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json);

/*
 * Return the share in percent that this row shows and that cannot be, or NaN.
 */
double
stat_impossible_percent(const struct stat_options *options,
			const struct stat_row *row);

/*
 * Explain what is marked, and remark on values that cannot be, or contradict
 * others, below the table.
 */
void
stat_print_remarks(const struct stat_options *options,
		   const struct stat_result *result);

#endif /* DRMPERF_TOOL_STAT_TEXT_H */
