/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of drmperf stat share: the options (read by stat.c), a run of
 * the command (run.c) and its results, printed by report.c, for people by
 * text.c.
 */
#ifndef DRMPERF_TOOL_STAT_TYPES_H
#define DRMPERF_TOOL_STAT_TYPES_H

#include "process/queue_access.h"
#include "process/spawn.h"
#include "select/selection_list.h"
#include "stat/client_usage.h"
#include "util/held_clocks.h"
#include "util/records.h"
#include "util/tool.h"
#include "verdict/peaks.h"

struct output_file;

struct stat_options {
	const char *const *command; /* NULL terminated; empty: until Ctrl-C */
	unsigned interval_ms; /* 0: none */
	unsigned delay_ms; /* after the start of the command */
	unsigned timeout_ms; /* without a command; 0: none */
	pid_t pid; /* whose end is waited for in place of a command; 0: none */
	unsigned repeats;
	bool everything; /* CPU events of all processes */
	bool passes;
	const char *control; /* or NULL: chosen; "": none */
	bool formulas; /* are printed, of what is computed from counters */
	bool raw; /* values as they are, in units as listed */
	struct peaks peaks; /* of what metric groups count, or none */
	const struct event_lists *asked; /* by options */
	FILE *out; /* of what people read */
	struct output_file *file; /* to be followed with intervals, or NULL */
	struct records *records; /* of what programs read instead, or NULL */
};

/* One event of one pass, with a value per repeat. */
struct stat_row {
	struct drmperf_selection selection;
	const struct drmperf_event *counted; /* in its place; NULL: nothing */
	size_t pass;
	bool control; /* measured in every pass, not asked for */
	bool is_shown; /* else of a GPU that the command has not opened */
	bool was_open; /* the command has opened the GPU, which is a part */
	union drmperf_value *values; /* of each repeat that was done */
	unsigned count;
	uint64_t length_ns; /* for which they were counted, all together */
	int die; /* that counted, or one of these */
	bool may_miss_resets; /* of the GPU, see struct drmperf_sample_info */
	bool is_sampled; /* values are means of what was read in a run */
	double min, max; /* of all that was read, if they are */
	struct drmperf_error *reason; /* why a value was missing, or NULL */
};

enum {
	STAT_NO_DIE = -1, /* the GPU has no separate dies */
	STAT_DIES = -2, /* not the same one each time */
};

struct stat_part;

/* Runs, whether of one pass or of all, and how long they took together. */
struct stat_time {
	double seconds;
	size_t runs;
};

/* Results that are printed in the end. */
struct stat_result {
	struct stat_row *rows; /* pass by pass */
	size_t row_count;
	size_t passes;
	struct stat_time time, *pass_times; /* of all, and of each pass */
	struct client_usage_gaps gaps;
	struct held_clocks_list clocks; /* of each GPU's first run */
	struct queue_access_list queues;
};

/*
 * The origin of a value: when its count began and ended, by the GPU's time, and
 * its die.
 */
struct stat_origin {
	uint64_t start_ns, end_ns; /* from where counting began */
	int die;
};

/* One run, which may be repeated. */
struct stat_run {
	const struct tool *tool;
	const struct stat_options *options;
	struct spawn_signals *signals;
	const struct drmperf_selection *selections;
	struct stat_row *rows; /* those of this pass, one per selection */
	size_t row_count;
	size_t passes; /* of all */
	unsigned number; /* of this run, from 1 */
	struct stat_part *parts; /* what counts them, see part.h */
	size_t part_count;
	struct client_usage *use; /* NULL unless it is needed */
	struct sampled *sampled; /* NULL unless there are sensors to read */
	struct client_usage_gaps *gaps;
	struct held_clocks_list *clocks; /* of the result */
	struct queue_access_list *queues; /* of the result */
	/* per row: at the end, of one interval, and at its beginning */
	union drmperf_value *values, *step, *before;
	int *statuses, *step_statuses; /* of values and step */
	struct stat_origin *origins; /* of the interval, or of the whole run */
	double seconds;
	int interrupted; /* the signal, or 0 */
	bool counted; /* values and seconds are valid */
	bool too_short; /* it was over before counting began */
};

/*
 * Return the poll interval for the use of GPUs; scanning all processes is slow.
 */
static inline unsigned
stat_poll_ms(const struct stat_options *options)
{
	return options->everything ? 1000 : 100;
}

/*
 * Run the command once with the events counting. Returns the exit code to pass
 * on, or one of the tool's after a complaint.
 */
int
stat_run(struct stat_run *run);

/* Return why a value of the row was missing; lives as long as the row. */
static inline const char *
stat_reason(const struct stat_row *row)
{
	return row->reason ? row->reason->cause : "no memory for the reason";
}

/* Print the values of one interval. */
void
stat_print_interval(const struct stat_run *run, double seconds);
/* Write the values of a run, where each run has its own records. */
void
stat_write_run(const struct stat_run *run);
void
stat_print_result(const struct tool *tool, const struct stat_options *options,
		  const struct stat_result *result);
/* Return whether what was measured in every pass did not change. */
bool
stat_runs_are_alike(const struct stat_result *result);
/* Warn where the runs of different passes were not alike. */
void
stat_compare_runs(const struct tool *tool, const struct stat_result *result);
/* Warn of values that are missing, each cause once. False: none is. */
bool
stat_warn_missing(const struct tool *tool, const struct stat_result *result);
/* Warn where what processes use was not seen, or not up to their end. */
void
stat_report_gaps(const struct tool *tool, const struct stat_options *options,
		 const struct stat_result *result);

#endif /* DRMPERF_TOOL_STAT_TYPES_H */
