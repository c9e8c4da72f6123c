/* SPDX-License-Identifier: BSD-3-Clause */
/* drmperf report: print the contents of a recording. */
#include "report/outputs.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "report/kernels_page.h"
#include "report/stalls.h"
#include "util/command.h"
#include "util/output_file.h"

#define NS_PER_MS 1000000
#define DEFAULT_FILE "drmperf.data"

struct reporting {
	struct tool *tool;
	const char *path;
	unsigned interval_ms; /* 0: none */
	bool json, processes, regions, diff, stalls;
	const char *other; /* of --diff: the second file */
	const char *csv; /* its separator, or NULL */
	const char *output, *perfetto, *rgp, *html;
	const char *symbols, *flame; /* of --stalls */
	struct recording recording;
};

/* ------------------------------------------------------------------ */
/* Files                                                                */

static int
reporting_explain(const struct reporting *report, int ret)
{
	switch (ret) {
	case 0:
		return 0;
	case -ENODATA:
		if (report->recording.profile_count && !report->stalls)
			return tool_fail(report->tool,
					 "%s has no events, only samples of "
					 "EU stalls (drmperf report --stalls "
					 "%s)",
					 report->path, report->path);
		return tool_fail(report->tool,
				 "%s has less than two samples: nothing was "
				 "counted between them",
				 report->path);
	case -EBADMSG:
		return tool_fail(report->tool, "%s is damaged", report->path);
	case -ENOTSUP:
		return tool_fail(report->tool,
				 "%s is no stream of an AMD GPU, or of an "
				 "older drmperf: record one with drmperf "
				 "record --stream",
				 report->path);
	case -EFBIG:
		return tool_fail(report->tool,
				 "%s has more intervals than a file for RGP "
				 "has room for: record a shorter time",
				 report->path);
	default:
		return tool_fail(report->tool, "%s", strerror(-ret));
	}
}

/*
 * Open the output; without a path it is standard output, whose errors main()
 * reports.
 */
static int
open_output(const struct reporting *report, const char *path,
	    struct output_file *file)
{
	int ret;

	*file = (struct output_file){ .out = stdout };
	if (!path)
		return 0;
	ret = output_file_open(file, path);
	return ret ? tool_fail(report->tool, "%s: %s", path, strerror(-ret))
		   : 0;
}

/* Keep the file if all went well, else what was there before. */
static int
close_output(const struct reporting *report, const char *path,
	     struct output_file *file, int status)
{
	int ret;

	if (!path)
		return status;
	ret = output_file_close(file, !status);
	if (!ret || status)
		return status;
	return tool_fail(report->tool, "cannot write %s: %s", path,
			 strerror(-ret));
}

static int
write_file(struct reporting *report, const char *path,
	   int (*write)(struct recording *recording, FILE *out))
{
	struct output_file file;
	int status = open_output(report, path, &file);

	if (status)
		return status;
	status = reporting_explain(report, write(&report->recording, file.out));
	return close_output(report, path, &file, status);
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static int
write_records(struct reporting *report, FILE *out)
{
	struct records records = {
		.out = out,
		.format = report->csv		? RECORDS_CSV
			  : report->interval_ms ? RECORDS_JSON_LINES
						: RECORDS_JSON,
		.separator = report->csv,
		.command = report->recording.command,
	};
	uint64_t length = (uint64_t)report->interval_ms * NS_PER_MS;

	return report_records(&report->recording, length ? length : UINT64_MAX,
			      &records);
}

static int
write_table(struct reporting *report, FILE *out)
{
	struct recording *recording = &report->recording;

	if (report->regions)
		return report_regions(recording, report->json, out);
	if (report->csv || report->json)
		return write_records(report, out);
	if (report->processes)
		return report_processes(recording, out);
	if (report->interval_ms)
		return report_intervals(
			recording, (uint64_t)report->interval_ms * NS_PER_MS,
			out);
	return report_summary(recording, out);
}

static int
print_table(struct reporting *report)
{
	struct output_file file;
	int status = open_output(report, report->output, &file);

	if (status)
		return status;
	status = reporting_explain(report, write_table(report, file.out));
	return close_output(report, report->output, &file, status);
}

/* ------------------------------------------------------------------ */

/* Report the gaps in the recording, which has been read. */
static void
warn_of_gaps(struct reporting *report)
{
	const struct recording *recording = &report->recording;

	if (recording->gap.code)
		tool_warn(report->tool, "the recording %s: %s",
			  recording->goes_on ? "has gaps" : "ended early",
			  recording->gap.cause);
	if (recording->cut_off)
		tool_warn(report->tool,
			  "%s was cut off; its last %zu bytes are left out",
			  report->path, recording->cut_off);
	else if (!recording->ended)
		tool_warn(report->tool,
			  "%s was cut off; its samples are intact",
			  report->path);
}

/* ------------------------------------------------------------------ */
/* Stalls                                                               */

static int
write_stalls(struct reporting *report, const char *path,
	     const struct stalls_report *stalls)
{
	struct output_file file;
	int status = open_output(report, path, &file);

	if (status)
		return status;
	status = reporting_explain(
		report, stalls_write(&report->recording, stalls, file.out));
	return close_output(report, path, &file, status);
}

static int
write_stalls_page(struct reporting *report, const struct kernel_names *names)
{
	struct output_file file;
	int status = open_output(report, report->html, &file);

	if (status)
		return status;
	status =
		reporting_explain(report, report_stalls_html(&report->recording,
							     names, file.out));
	return close_output(report, report->html, &file, status);
}

static int
write_all_stalls(struct reporting *report, const struct kernel_names *names)
{
	struct stalls_report stalls = {
		.format = report->csv	 ? STALLS_CSV
			  : report->json ? STALLS_JSON
					 : STALLS_TABLE,
		.separator = report->csv,
		.names = names,
	};
	int status = 0;

	if ((!report->flame && !report->html) || report->csv || report->json ||
	    report->output)
		status = write_stalls(report, report->output, &stalls);
	if (!status && report->html)
		status = write_stalls_page(report, names);
	if (status || !report->flame)
		return status;
	stalls.format = STALLS_FLAME;
	return write_stalls(report, report->flame, &stalls);
}

static int
read_stalls(struct reporting *report)
{
	const int ret = stalls_read(&report->recording);

	if (ret == -ENODATA)
		return tool_fail(report->tool,
				 "%s has no samples of EU stalls: record them "
				 "with drmperf record --stalls",
				 report->path);
	return reporting_explain(report, ret);
}

static int
report_stalls(struct reporting *report)
{
	struct kernel_names names = { 0 };
	int status =
		recording_open(report->tool, report->path, &report->recording);

	if (!status)
		status = read_stalls(report);
	if (!status && report->symbols)
		status = kernel_names_read(report->tool, report->symbols,
					   &names);
	if (!status)
		status = write_all_stalls(report, &names);
	if (!status)
		warn_of_gaps(report);
	kernel_names_finish(&names);
	recording_close(&report->recording);
	return status;
}

/* ------------------------------------------------------------------ */

/* Write the table of --diff, or the page of --html. */
static int
report_change(struct reporting *report)
{
	const char *const paths[] = { report->path, report->other };
	const char *path = report->html ? report->html : report->output;
	struct output_file file;
	int status = open_output(report, path, &file);

	if (status)
		return status;
	status = report_diff(report->tool, paths, file.out, report->html);
	return close_output(report, path, &file, status);
}

/* Write the page of --html of a file that stat --kernels has written. */
static int
report_kernels(struct reporting *report)
{
	struct output_file file;
	int status = open_output(report, report->html, &file);

	if (status)
		return status;
	status = kernels_page_write(report->tool, report->path, file.out);
	return close_output(report, report->html, &file, status);
}

static int
report_recording(struct reporting *report)
{
	int status =
		recording_open(report->tool, report->path, &report->recording);

	if (!status && report->perfetto)
		status = write_file(report, report->perfetto, report_perfetto);
	if (!status && report->rgp)
		status = write_file(report, report->rgp, report_rgp);
	if (!status && report->html)
		status = write_file(report, report->html, report_html);
	if (!status && ((!report->perfetto && !report->rgp && !report->html) ||
			report->csv || report->json || report->processes ||
			report->regions || report->interval_ms))
		status = print_table(report);
	if (recording_has_been_read(&report->recording))
		warn_of_gaps(report);
	recording_close(&report->recording);
	return status;
}

/* ------------------------------------------------------------------ */
/* The command                                                          */

static const struct command_option report_options[] = {
	{ "interval", 'I', "MS", COMMAND_MS(struct reporting, interval_ms),
	  .help = "a table of intervals of at least MS milliseconds" },
	{ "processes", 0, NULL, COMMAND_FLAG(struct reporting, processes),
	  .help = "which programs ran when, and their counts" },
	{ "regions", 0, NULL, COMMAND_FLAG(struct reporting, regions),
	  .help = "counts of the regions that programs mark, by their names" },
	{ "diff", 0, NULL, COMMAND_FLAG(struct reporting, diff),
	  .help = "two recordings, or files of stat --json, side by side" },
	{ "stalls", 0, NULL, COMMAND_FLAG(struct reporting, stalls),
	  .help = "where programs waited, as record --stalls sampled it" },
	{ "symbols", 0, "DIR", COMMAND_TEXT(struct reporting, symbols),
	  .help = "with --stalls: names of kernels from ELF files and *.map" },
	{ "flame", 0, "FILE", COMMAND_TEXT(struct reporting, flame),
	  .help = "with --stalls: collapsed stacks, for flame graphs" },
	{ "csv", 0, NULL,
	  COMMAND_READ(struct reporting, csv, records_read_separator),
	  .help = "for programs: a record per event, or per event and "
		  "interval" },
	{ "field-separator", 'x', "SEP",
	  COMMAND_READ(struct reporting, csv, records_read_separator),
	  .help = "the same with SEP in place of commas" },
	{ "json", 0, NULL, COMMAND_FLAG(struct reporting, json),
	  .help = "the same as JSON; with -I one per line" },
	{ "output", 'o', "FILE", COMMAND_TEXT(struct reporting, output),
	  .help = "write the table to a file" },
	{ "perfetto", 0, "FILE", COMMAND_TEXT(struct reporting, perfetto),
	  .help = "write a trace for Perfetto (https://ui.perfetto.dev)" },
	{ "rgp", 0, "FILE", COMMAND_TEXT(struct reporting, rgp),
	  .help = "write what record --stream has recorded for AMD's Radeon "
		  "GPU Profiler" },
	{ "html", 0, "FILE", COMMAND_TEXT(struct reporting, html),
	  .help = "write a page with plots, for any browser; with --stalls "
		  "one with flame graphs; of a file of stat --kernels --json "
		  "one with its kernels" },
	{ 0 },
};

static int
check_stalls_usage(const struct reporting *report)
{
	if (!report->stalls && (report->symbols || report->flame))
		return tool_usage_error(report->tool,
					"--symbols and --flame go with "
					"--stalls");
	if (report->stalls &&
	    (report->diff || report->interval_ms || report->processes ||
	     report->regions || report->perfetto || report->rgp))
		return tool_usage_error(report->tool,
					"--stalls goes with --symbols, "
					"--flame, --html, --csv, --json and "
					"-o only");
	return 0;
}

static int
check_usage(const struct reporting *report)
{
	if (report->diff && !report->other)
		return tool_usage_error(report->tool,
					"--diff compares two files");
	if (report->diff &&
	    (report->csv || report->json || report->interval_ms ||
	     report->processes || report->regions || report->perfetto ||
	     report->rgp))
		return tool_usage_error(report->tool,
					"--diff goes with --html and -o only");
	if (report->csv && report->json)
		return tool_usage_error(report->tool,
					"either --csv or --json, not both");
	if (report->processes &&
	    (report->csv || report->json || report->interval_ms))
		return tool_usage_error(report->tool,
					"--processes is a table of its own: "
					"without -I, --csv and --json");
	if (report->regions &&
	    (report->csv || report->interval_ms || report->processes))
		return tool_usage_error(report->tool,
					"--regions is a table of its own: "
					"without -I, --csv and --processes");
	return 0;
}

static int
report_main(struct tool *tool, int argc, char **argv)
{
	struct reporting report = { .tool = tool, .path = DEFAULT_FILE };
	int status =
		tool_read_options(tool, &report_command, argc, argv, &report);

	if (!status && argc - optind > 1 + report.diff)
		status = tool_usage_error(tool, "too many files given");
	if (!status && argc > optind)
		report.path = argv[optind];
	if (!status && argc > optind + 1)
		report.other = argv[optind + 1];
	if (!status)
		status = check_usage(&report);
	if (!status)
		status = check_stalls_usage(&report);
	if (status)
		return status;
	if (report.stalls)
		return report_stalls(&report);
	if (report.diff)
		return report_change(&report);
	if (report.html && kernels_page_is_for(report.path))
		return report_kernels(&report);
	return report_recording(&report);
}

const struct tool_command report_command = {
	.name = "report",
	.summary = "show what drmperf record wrote",
	.usage = "usage: drmperf report [OPTION]... [FILE]\n"
		 "       drmperf report --diff [OPTION]... A B\n"
		 "Show a recording of drmperf record (default: "
		 "drmperf.data), or a file of\n"
		 "i915-perf-recorder: a summary table, or what the options "
		 "say.\n",
	.options = report_options,
	.run = report_main,
};
