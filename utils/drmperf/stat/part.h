/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a run of stat that one session counts. Usually these are all
 * events. Where stat finds out by itself which GPUs the command uses, each GPU
 * is a part, so that one which cannot be counted, or not yet, takes no other's
 * values.
 */
#ifndef DRMPERF_TOOL_STAT_PART_H
#define DRMPERF_TOOL_STAT_PART_H

#include "stat/types.h"

struct stat_part {
	struct drmperf_device *device; /* or NULL: no GPU alone */
	size_t *rows; /* of the run, one per selection */
	struct drmperf_selection *selections;
	size_t count;
	/* while it runs; interval is NULL unless an event needs it */
	struct drmperf_session *session, *interval;
	/* per selection */
	union drmperf_value *values;
	int *statuses;
	bool waits; /* until the command opens the GPU, to lower its clocks */
	bool is_started;
};

/* Cut a run into its parts. 0, or TOOL_FAILED after a complaint. */
int
stat_parts_create(struct stat_run *run);
void
stat_parts_destroy(struct stat_run *run);

/* Create the sessions; pid is the command's. 0, or TOOL_FAILED. */
int
stat_parts_open(struct stat_run *run, pid_t pid);
void
stat_parts_close(struct stat_run *run);

/*
 * Start all parts that wait for nothing. A GPU that is a part by itself may
 * fail: its rows have the reason. 0, or TOOL_FAILED if nothing can be counted.
 */
int
stat_parts_start(struct stat_run *run);

/* Return whether a part waits for the command to open its GPU. */
bool
stat_parts_wait(const struct stat_run *run);

/* Start what waited for GPUs that the command has open by now. */
void
stat_parts_start_late(struct stat_run *run);

/* Stop all; the first error is that of putting the hardware back. */
int
stat_parts_stop(struct stat_run *run, struct drmperf_error *error);

/* Read all rows since the start. 0, or TOOL_FAILED if nothing can be read. */
int
stat_parts_read(struct stat_run *run);

/* Read all rows of this interval, and begin the next one unless it is last. */
int
stat_parts_read_interval(struct stat_run *run, bool is_last);

/* Set where the values of all rows come from. */
void
stat_parts_take_origins(struct stat_run *run);

/*
 * Mark the rows that are shown: of GPUs that the command was seen to open, or,
 * if there is none, of the first one.
 */
void
stat_parts_show(struct stat_run *run);

#endif /* DRMPERF_TOOL_STAT_PART_H */
