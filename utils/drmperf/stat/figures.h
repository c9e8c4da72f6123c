/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of one row of stat: its values as numbers, their mean, its rate, and
 * the name that it is printed with.
 */
#ifndef DRMPERF_TOOL_STAT_FIGURES_H
#define DRMPERF_TOOL_STAT_FIGURES_H

#include "stat/types.h"

/* Return a value of the row's event as a number. */
double
stat_number(const struct stat_row *row, union drmperf_value value);

struct statistics {
	double mean;
	double deviation_percent; /* of the mean, standard error as perf's */
};

struct statistics
statistics_of(const struct stat_row *row);

/* Return whether the row's event counts up. */
bool
stat_row_adds_up(const struct stat_row *row);

/* Return whether the result has rows of a device. */
bool
stat_result_has_device(const struct stat_result *result,
		       const struct drmperf_device *device);

/* The range and sum of some values. */
struct stat_range {
	double sum, min, max;
	uint64_t count;
};

void
stat_range_add(struct stat_range *range, double value);

/* Return the rate per second; NaN where it does not add up, or without time. */
double
stat_rate(const struct stat_row *row);

double
mean_seconds(const struct stat_time *time);

/* Return the name, without the number of the GPU where there is but one. */
const char *
stat_row_name(const struct tool *tool, const struct stat_row *row,
	      char text[NAME_SIZE]);

#endif /* DRMPERF_TOOL_STAT_FIGURES_H */
