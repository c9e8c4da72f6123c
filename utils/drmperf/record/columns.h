/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of a recording: events that add up or are momentary as they are,
 * averages by the counters that they are computed from.
 */
#ifndef DRMPERF_TOOL_RECORD_COLUMNS_H
#define DRMPERF_TOOL_RECORD_COLUMNS_H

#include "record/recording.h"
#include "select/average_parts.h"
#include "util/tool.h"

struct columns {
	/* to be counted; their places are the series */
	struct selection_list choice;
	struct recording_event *events;
	size_t event_count;
	/* own */
	struct average_parts parts;
	char (*chips)[TOOL_CHIP_SIZE]; /* of each event */
};

/*
 * Find the columns of the events asked for. Returns 0, or the exit status after
 * a complaint; the caller calls columns_finish() either way.
 */
int
columns_find(const struct tool *tool, const struct selection_list *asked,
	     struct columns *series);
void
columns_finish(struct columns *series);

#endif /* DRMPERF_TOOL_RECORD_COLUMNS_H */
