/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output of drmperf report from a recording, or two: report.c has the options.
 */
#ifndef DRMPERF_TOOL_REPORT_OUTPUTS_H
#define DRMPERF_TOOL_REPORT_OUTPUTS_H

#include "report/bracket.h"
#include "report/interval.h"
#include "util/format_number.h"
#include "util/tool.h"

/*
 * All but report_diff() return 0, or a negative errno value; errors of out show
 * in ferror().
 */

/*
 * Write a table of the whole recording, with least, 95th percentile and most of
 * samples.
 */
int
report_summary(struct recording *recording, FILE *out);
/* Write a table of intervals of at least that length. */
int
report_intervals(struct recording *recording, uint64_t length_ns, FILE *out);
/* Between two samples. */
struct report_range {
	double least, most; /* heights of a plot; NaN: there is no value */
	double p95; /* what 95 % of the samples do not exceed */
	int die; /* as report_note_die() has it */
};

/*
 * All of a recording: arrays have an entry for each event. The rules are those
 * that the values fit, one at most for each GPU.
 */
struct report_overview {
	struct record *records;
	struct report_range *ranges;
	struct verdict_value *values;
	const struct verdict_rule **rules;
	size_t rule_count;
	uint64_t begin_ns, end_ns, samples;
};

/*
 * Read the whole recording. Returns 0, -ENODATA if there are no two samples, or
 * another negative errno value; the caller calls report_overview_finish()
 * either way.
 */
int
report_overview_read(struct recording *recording,
		     struct report_overview *overview);
void
report_overview_finish(struct report_overview *overview);

/* Return a value as verdicts and rooflines take it. */
struct verdict_value
report_verdict_value(const struct record *record);

/*
 * Compute the roofline's point of a GPU that has roofs; those of a GPU stand
 * together, and first is a number of the recording's roofs. False: it is not
 * the first of its GPU, or nothing is to be said.
 */
bool
report_roofline_point(const struct recording *recording, size_t first,
		      const struct verdict_value *values,
		      struct roofline_point *out);

/* Print the programs, their times, and what was counted while they ran. */
int
report_processes(struct recording *recording, FILE *out);
/*
 * Write what was counted in all regions of a name, those first that took
 * longest; as JSON, or as a table.
 */
int
report_regions(struct recording *recording, bool as_json, FILE *out);
/*
 * Write records of intervals of at least that length; UINT64_MAX: of all of it.
 */
int
report_records(struct recording *recording, uint64_t length_ns,
	       struct records *records);
/* Write a trace of Perfetto: counter tracks, and slices of processes. */
int
report_perfetto(struct recording *recording, FILE *out);
/*
 * Write a file for AMD's Radeon GPU Profiler. Returns -ENOTSUP if no GPU
 * streamed, and -EFBIG if there are too many intervals.
 */
int
report_rgp(struct recording *recording, FILE *out);
/* Write a page with plots that needs nothing else. */
int
report_html(struct recording *recording, FILE *out);

struct kernel_names;

/*
 * Write a page of flame graphs alone, of a recording that has been read by
 * stalls_read().
 */
int
report_stalls_html(const struct recording *recording,
		   const struct kernel_names *names, FILE *out);

/*
 * Write a table of the values of two files, recordings or documents that stat
 * --json wrote, with the change from the first to the second and whether it is
 * larger than the spread of the runs; as text, or as a page of HTML. Returns 0,
 * or TOOL_FAILED after a complaint.
 */
int
report_diff(const struct tool *tool, const char *const paths[2], FILE *out,
	    bool html);

/* "amdgpu::SQ.WAVES:device=1:instance=3"; the device if there are several. */
#define REPORT_NAME_SIZE 320
const char *
report_name(const struct recording *recording,
	    const struct recording_event *event, char text[REPORT_NAME_SIZE]);
/* Print a row of each event: its value of a bracket, unit, rate and name. */
void
report_print_bracket(const struct recording *recording,
		     const struct bracket *bracket, FILE *out);
/* Return what the mark of events means; "" if there are none. */
const char *
report_legend(const struct recording *recording);
/* Write a value and its unit; a count as it is, however large. */
void
report_value(const struct record *record, char value[FORMAT_NUMBER_SIZE],
	     char unit[FORMAT_NUMBER_SIZE]);
/* With its unit, "38.2 %" or "45.2 GB/s": a height that a plot has there. */
#define REPORT_FIGURE_SIZE 100
const char *
report_figure(const struct recording_event *event, double height,
	      char text[REPORT_FIGURE_SIZE]);
/*
 * Behind a name, of which die its values are: "  (die 3)", or "". What a walk
 * has seen of it begins with -1.
 */
#define REPORT_DIE_SIZE 48

void
report_note_die(int *die, int seen);
const char *
report_die(int die, char text[REPORT_DIE_SIZE]);
/* Write the command line that was recorded, or "", to out. */
void
report_print_command(const struct recording *recording, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_OUTPUTS_H */
