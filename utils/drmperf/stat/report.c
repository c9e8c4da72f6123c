/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/types.h"

#include <string.h>

#include "stat/figures.h"
#include "stat/text.h"
#include "util/provenance.h"

static bool
has_rows(const void *data, const struct drmperf_device *device)
{
	return stat_result_has_device(data, device);
}

static void
end_records(const struct tool *tool, const struct stat_options *options,
	    const struct stat_result *result)
{
	struct json *json = records_end_events(options->records);

	if (json) {
		stat_write_verdicts(tool, options, result, json);
		stat_write_rooflines(tool, options, result, json);
		stat_write_formulas(tool, options, result, json);
		provenance_write(tool, has_rows, result, &result->clocks, json);
		if (result->queues.count)
			json_text(json, "queues",
				  queue_access_name(
					  queue_access_least(&result->queues)));
	}
	records_end(options->records, result->passes, result->time.runs,
		    mean_seconds(&result->time));
}

void
stat_print_result(const struct tool *tool, const struct stat_options *options,
		  const struct stat_result *result)
{
	if (options->records)
		end_records(tool, options, result);
	else
		stat_print_table(tool, options, result);
}

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

/* Return why there is no value, or NULL. */
static const char *
missing_reason(const struct stat_row *row, int status)
{
	if (!status)
		return NULL;
	return row->reason ? stat_reason(row) : "it is less than before";
}

/* Make the record of a value; a momentary one has no length. */
static struct record
make_record(const struct stat_run *run, size_t row, union drmperf_value value,
	    int status)
{
	const struct stat_origin *origin = &run->origins[row];
	bool is_momentary = drmperf_event_kind(run->selections[row].event) ==
			    DRMPERF_KIND_MOMENTARY;
	uint64_t start_ns = is_momentary ? origin->end_ns : origin->start_ns;

	const struct record_event event =
		record_event_of(&run->selections[row]);

	return (struct record){
		.event = event,
		.value = value,
		.run = run->number,
		.pass = run->rows[row].pass + 1,
		.die = origin->die,
		.start_ns = start_ns,
		.length_ns = origin->end_ns - start_ns,
		.control = run->rows[row].control,
		.clocks = held_clocks_find(run->clocks, event.device),
		.reason = missing_reason(&run->rows[row], status),
	};
}

static void
write_records(const struct stat_run *run, const union drmperf_value *values,
	      const int *statuses)
{
	for (size_t i = 0; i < run->row_count; i++) {
		struct record record =
			make_record(run, i, values[i], statuses[i]);

		if (!run->rows[i].is_shown)
			continue;
		records_write(run->options->records, &record);
	}
}

void
stat_print_interval(const struct stat_run *run, double seconds)
{
	if (run->options->records)
		write_records(run, run->step, run->step_statuses);
	else
		stat_print_interval_rows(run, seconds);
}

void
stat_write_run(const struct stat_run *run)
{
	if (run->options->records && !run->options->interval_ms)
		write_records(run, run->values, run->statuses);
}

/* ------------------------------------------------------------------ */
/* Why are values missing?                                              */

/* Return whether the cause was reported with an earlier row. */
static bool
is_repeated(const struct stat_result *result, size_t row)
{
	for (size_t i = 0; i < row; i++) {
		if (result->rows[i].reason &&
		    !strcmp(stat_reason(&result->rows[i]),
			    stat_reason(&result->rows[row])))
			return true;
	}
	return false;
}

bool
stat_warn_missing(const struct tool *tool, const struct stat_result *result)
{
	char name[NAME_SIZE];
	bool any = false;

	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];

		if (!row->reason)
			continue;
		any = true;
		if (is_repeated(result, i))
			continue;
		selection_name(&row->selection, "", name);
		tool_warn(tool, "%s is n/a%s: %s", name,
			  row->count ? " at times" : "", stat_reason(row));
		if (row->reason->remedy[0])
			fprintf(stderr, "  try: %s\n", row->reason->remedy);
	}
	return any;
}

/* ------------------------------------------------------------------ */
/* Was all seen of what processes use?                                  */

static bool
any_of_processes(const struct stat_result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (client_usage_counts(result->rows[i].selection.event))
			return true;
	}
	return false;
}

void
stat_report_gaps(const struct tool *tool, const struct stat_options *options,
		 const struct stat_result *result)
{
	double seconds = stat_poll_ms(options) / 1000.0;

	if (!result->time.runs || !any_of_processes(result))
		return;
	if (result->gaps.hidden)
		tool_warn(tool,
			  "fdinfo: %zu of the processes may not be looked at, "
			  "what they use is not counted; try as root",
			  result->gaps.hidden);
	if (!result->gaps.seen)
		tool_warn(tool,
			  "fdinfo: no process was seen with a GPU open; one "
			  "that has it for less than %.1f s can be missed",
			  seconds);
	else if (result->gaps.vanished)
		tool_warn(tool,
			  "fdinfo: what processes did in their last %.1f s is "
			  "not seen",
			  seconds);
}
