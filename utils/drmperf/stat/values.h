/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of all events in one list, of each pass and of all passes together,
 * for conclusions from several of them.
 */
#ifndef DRMPERF_TOOL_STAT_VALUES_H
#define DRMPERF_TOOL_STAT_VALUES_H

#include "stat/types.h"
#include "verdict/verdict.h"

struct stat_values {
	struct selection_list choice; /* the events of all passes */
	size_t passes;
	/*
	 * The values of each pass, and behind them those of all passes: of an
	 * event that several passes have, the value of the first.
	 */
	struct verdict_value *list;
	bool can_join; /* the runs of the passes were alike */
};

/* Find the values. 0, or -ENOMEM; stat_values_finish() either way. */
int
stat_values_find(const struct stat_result *result, struct stat_values *out);
void
stat_values_finish(struct stat_values *values);

/* Return the values of a pass in the order of the list. */
const struct verdict_value *
stat_values_of_pass(const struct stat_values *values, size_t pass);
/*
 * Return the values of all passes; NULL if there are several and their runs
 * were not alike.
 */
const struct verdict_value *
stat_values_of_all(const struct stat_values *values);

#endif /* DRMPERF_TOOL_STAT_VALUES_H */
