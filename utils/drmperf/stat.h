/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf stat, in three parts: what is asked (stat.c), running the command
 * (stat_run.c), and what is printed (stat_report.c).
 */
#ifndef DRMPERF_TOOL_STAT_H
#define DRMPERF_TOOL_STAT_H

#include "choose.h"
#include "tool.h"

enum stat_format {
	STAT_TEXT,
	STAT_CSV,
	STAT_JSON,
};

struct stat_options {
	const char *const *command; /* NULL terminated; empty: until Ctrl-C */
	unsigned interval_ms; /* 0: none */
	unsigned repeats;
	bool everything; /* CPU events of all processes */
	bool passes;
	const char *control; /* or NULL: chosen; "": none */
	enum stat_format format;
	FILE *out;
};

/* One event of one pass, with a value per repeat. */
struct stat_row {
	struct drmperf_selection selection;
	size_t pass;
	bool control; /* measured in every pass, not asked for */
	union drmperf_value *values; /* options.repeats of them */
	unsigned count; /* repeats done */
};

/* All there is to say in the end. */
struct stat_result {
	struct stat_row *rows; /* pass by pass */
	size_t row_count;
	size_t passes;
	double *seconds; /* per run: pass * repeats + repeat */
	size_t runs;
};

double
stat_number(const struct stat_row *row, union drmperf_value value);

/*
 * Run the command once with the session counting. values gets one per event
 * of the session. Returns the exit code to pass on, or TOOL_FAILED after a
 * complaint; *interrupted becomes the signal that ended it, or 0.
 */
struct stat_run {
	const struct tool *tool;
	const struct stat_options *options;
	struct drmperf_session *session;
	struct stat_row *rows; /* those of this pass */
	size_t row_count;
	union drmperf_value *values;
	double seconds;
	int interrupted;
	bool counted; /* values and seconds are valid */
};
int
stat_run(struct stat_run *run);

/* One interval's values. */
void
stat_print_interval(const struct stat_run *run, double seconds);
void
stat_print_result(const struct tool *tool, const struct stat_options *options,
		  const struct stat_result *result);
/* Warn where the runs of different passes were not alike. */
void
stat_compare_runs(const struct tool *tool, const struct stat_result *result);

#endif /* DRMPERF_TOOL_STAT_H */
