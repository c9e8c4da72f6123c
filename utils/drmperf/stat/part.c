/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* Which rows are a part                                                */

/* Return whether an event, or any of its GPU, was chosen of several GPUs. */
static bool
is_of_several(const struct selection_list *several,
	      const struct drmperf_event *event, bool any)
{
	for (size_t i = 0; several && i < several->count; i++) {
		const struct drmperf_event *one = several->selections[i].event;
		bool same_gpu = drmperf_event_device(one) ==
				drmperf_event_device(event);

		if (one == event || (any && same_gpu))
			return true;
	}
	return false;
}

/*
 * Return the GPU that a row's part is of, or NULL; controls go with the others.
 */
static struct drmperf_device *
device_of(const struct stat_run *run, size_t row)
{
	const struct drmperf_event *event = run->selections[row].event;

	return is_of_several(run->tool->automatic, event,
			     run->rows[row].control)
		       ? drmperf_event_device(event)
		       : NULL;
}

static struct stat_part *
find_part(const struct stat_run *run, const struct drmperf_device *device)
{
	for (size_t i = 0; i < run->part_count; i++) {
		if (run->parts[i].device == device)
			return &run->parts[i];
	}
	return NULL;
}

static struct stat_part *
add_part(struct stat_run *run, struct drmperf_device *device)
{
	struct stat_part *part = &run->parts[run->part_count++];

	part->device = device;
	part->waits = device && held_clocks_expected(device);
	part->rows = calloc(run->row_count, sizeof(*part->rows));
	part->selections = calloc(run->row_count, sizeof(*part->selections));
	part->values = calloc(run->row_count, sizeof(*part->values));
	part->statuses = calloc(run->row_count, sizeof(*part->statuses));
	return part;
}

int
stat_parts_create(struct stat_run *run)
{
	run->parts = calloc(run->row_count, sizeof(*run->parts));
	for (size_t i = 0; run->parts && i < run->row_count; i++) {
		struct drmperf_device *device = device_of(run, i);
		struct stat_part *part = find_part(run, device);

		if (!part)
			part = add_part(run, device);
		if (!part->rows || !part->selections || !part->values ||
		    !part->statuses)
			return tool_fail(run->tool, "no memory");
		part->rows[part->count] = i;
		part->selections[part->count++] = run->selections[i];
	}
	return run->parts ? 0 : tool_fail(run->tool, "no memory");
}

void
stat_parts_destroy(struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		free(run->parts[i].rows);
		free(run->parts[i].selections);
		free(run->parts[i].values);
		free(run->parts[i].statuses);
	}
	free(run->parts);
	run->parts = NULL;
	run->part_count = 0;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static bool
needs_interval_session(const struct stat_run *run, const struct stat_part *part)
{
	bool needs = false;

	for (size_t i = 0; run->options->interval_ms && i < part->count; i++)
		needs |= drmperf_event_kind(part->selections[i].event) !=
				 DRMPERF_KIND_CUMULATIVE &&
			 !client_usage_counts(part->selections[i].event);
	return needs;
}

static int
open_session(struct stat_run *run, const struct stat_part *part, pid_t pid,
	     struct drmperf_session **out)
{
	struct drmperf_session_options options = {
		.size = sizeof(options),
		.pid = run->options->everything ? -1
		       : run->options->pid	? run->options->pid
						: pid,
		.partial = 1,
	};
	struct drmperf_error error;

	if (drmperf_session_create(run->tool->drmperf, part->selections,
				   part->count, &options, out, &error))
		return tool_complain(run->tool, &error);
	return 0;
}

int
stat_parts_open(struct stat_run *run, pid_t pid)
{
	int status = 0;

	for (size_t i = 0; !status && i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];

		status = open_session(run, part, pid, &part->session);
		if (!status && needs_interval_session(run, part))
			status = open_session(run, part, pid, &part->interval);
	}
	return status;
}

void
stat_parts_close(struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];

		drmperf_session_destroy(part->interval);
		drmperf_session_destroy(part->session);
		part->interval = part->session = NULL;
		part->is_started = false;
		part->waits = part->device &&
			      held_clocks_expected(part->device);
	}
	queue_access_release(run->queues);
}

/* Keep the first reason, which is the one closest to what happened. */
static void
keep_reason(struct stat_row *row, const struct drmperf_error *reason)
{
	if (row->reason)
		return;
	row->reason = calloc(1, sizeof(*row->reason));
	if (row->reason)
		*row->reason = *reason;
}

static int
start_part(struct stat_run *run, struct stat_part *part,
	   struct drmperf_error *error)
{
	int ret;

	held_clocks_before(run->tool->drmperf, part->selections, part->count,
			   run->clocks);
	ret = queue_access_take(run->queues, part->selections, part->count,
				error);
	if (!ret)
		ret = drmperf_session_start(part->session, error);
	if (!ret && part->interval)
		ret = drmperf_session_start(part->interval, error);
	part->is_started = !ret;
	if (!ret)
		held_clocks_during(run->clocks);
	for (size_t i = 0; ret && part->device && i < part->count; i++) {
		part->statuses[i] = ret;
		keep_reason(&run->rows[part->rows[i]], error);
	}
	return ret;
}

int
stat_parts_start(struct stat_run *run)
{
	struct drmperf_error error, first = { 0 };
	bool any = false;

	for (size_t i = 0; i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];

		any |= part->waits;
		if (part->waits)
			continue;
		if (!start_part(run, part, &error))
			any = true;
		else if (!part->device)
			return tool_complain(run->tool, &error);
		else if (!first.code)
			first = error;
	}
	return any ? 0 : tool_complain(run->tool, &first);
}

bool
stat_parts_wait(const struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		if (run->parts[i].waits)
			return true;
	}
	return false;
}

void
stat_parts_start_late(struct stat_run *run)
{
	struct drmperf_error error;

	for (size_t i = 0; i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];

		if (!part->waits || !client_usage_has(run->use, part->device))
			continue;
		part->waits = false;
		start_part(run, part, &error);
	}
}

int
stat_parts_stop(struct stat_run *run, struct drmperf_error *error)
{
	int first = 0;

	for (size_t i = 0; i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];
		int ret;

		if (!part->is_started)
			continue;
		if (part->interval)
			drmperf_session_stop(part->interval, NULL);
		ret = drmperf_session_stop(part->session, first ? NULL : error);
		first = first ? first : ret;
	}
	queue_access_release(run->queues);
	return first;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static void
mark_missing(const struct stat_run *run, const struct stat_part *part,
	     const struct drmperf_session *session)
{
	struct drmperf_error reason;

	for (size_t i = 0; i < part->count; i++) {
		if (client_usage_counts(part->selections[i].event)) {
			part->statuses[i] = 0; /* it has another source */
		} else if (part->statuses[i]) {
			drmperf_session_explain(session, i, &reason);
			keep_reason(&run->rows[part->rows[i]], &reason);
		}
	}
}

/* Read a part. Rows of one that does not count keep the status of its start. */
static int
read_part(const struct stat_run *run, struct stat_part *part,
	  struct drmperf_session *session)
{
	struct drmperf_error error;
	int ret;

	if (!part->is_started) {
		for (size_t i = 0; part->waits && i < part->count; i++)
			part->statuses[i] = -ENODATA;
		return 0;
	}
	ret = drmperf_session_read(session, part->values, part->statuses, NULL,
				   &error);
	if (ret < 0)
		return tool_complain(run->tool, &error);
	if (ret)
		mark_missing(run, part, session);
	return 0;
}

static void
copy_values(const struct stat_part *part, union drmperf_value *values,
	    int *statuses)
{
	for (size_t i = 0; i < part->count; i++) {
		values[part->rows[i]] = part->values[i];
		statuses[part->rows[i]] = part->statuses[i];
	}
}

int
stat_parts_read(struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		if (read_part(run, &run->parts[i], run->parts[i].session))
			return TOOL_FAILED;
		copy_values(&run->parts[i], run->values, run->statuses);
	}
	return 0;
}

int
stat_parts_read_interval(struct stat_run *run, bool is_last)
{
	for (size_t i = 0; i < run->part_count; i++) {
		struct stat_part *part = &run->parts[i];

		if (!part->interval)
			continue;
		if (read_part(run, part, part->interval))
			return TOOL_FAILED;
		copy_values(part, run->step, run->step_statuses);
		/* what cannot be read now shows in the next interval */
		if (part->is_started && !is_last)
			drmperf_session_reset(part->interval, NULL);
	}
	return 0;
}

static void
take_origin(const struct stat_run *run, const struct stat_part *part,
	    size_t index)
{
	struct drmperf_sample_info origin = { .size = sizeof(origin),
					      .die = -1 };
	const size_t row = part->rows[index];
	struct stat_origin *out = &run->origins[row];

	if (part->is_started)
		drmperf_session_sample_info(part->session, index, &origin);
	out->die = origin.die;
	run->rows[row].may_miss_resets = origin.may_miss_resets;
	run->rows[row].counted = origin.event;
	out->start_ns = out->end_ns;
	if (!run->statuses[row])
		out->end_ns = origin.elapsed_ns;
}

/*
 * Take the origins of values. Intervals follow on each other; without them
 * there is one. That of a value that is missing goes on until there is one.
 */
void
stat_parts_take_origins(struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		for (size_t k = 0; k < run->parts[i].count; k++)
			take_origin(run, &run->parts[i], k);
	}
}

/* ------------------------------------------------------------------ */
/* Which rows are shown                                                 */

static bool
is_open(const struct stat_run *run, const struct stat_part *part)
{
	return part->device && client_usage_has(run->use, part->device);
}

/*
 * Return the first GPU that counts, which is shown if the command opens none.
 */
static const struct stat_part *
find_counting_part(const struct stat_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		if (run->parts[i].device && run->parts[i].is_started)
			return &run->parts[i];
	}
	return NULL;
}

/* Note what the command has open now; return whether it ever had a GPU open. */
static bool
note_open(const struct stat_run *run)
{
	bool any = false;

	for (size_t i = 0; i < run->part_count; i++) {
		const struct stat_part *part = &run->parts[i];
		bool now = is_open(run, part);

		for (size_t k = 0; k < part->count; k++) {
			struct stat_row *row = &run->rows[part->rows[k]];

			row->was_open |= now;
			any |= row->was_open;
		}
	}
	return any;
}

/*
 * Explain why a part is late: it has been open for too short a time, or could
 * not be started.
 */
static void
explain_late_part(const struct stat_run *run, const struct stat_part *part)
{
	struct drmperf_error reason = { .code = -ENODATA };

	snprintf(reason.cause, sizeof(reason.cause),
		 "counting lowers the clocks of GPU %u, so it waited for the "
		 "command to open it, which was too late",
		 drmperf_device_index(part->device));
	snprintf(reason.remedy, sizeof(reason.remedy),
		 "count it from the beginning with -d %u",
		 drmperf_device_index(part->device));
	for (size_t i = 0; i < part->count; i++)
		keep_reason(&run->rows[part->rows[i]], &reason);
}

void
stat_parts_show(struct stat_run *run)
{
	const struct stat_part *first =
		note_open(run) ? NULL : find_counting_part(run);

	for (size_t i = 0; i < run->part_count; i++) {
		const struct stat_part *part = &run->parts[i];

		if (is_open(run, part) && part->waits)
			explain_late_part(run, part);
		for (size_t k = 0; k < part->count; k++) {
			struct stat_row *row = &run->rows[part->rows[k]];

			row->is_shown = !part->device || part == first ||
					row->was_open;
		}
	}
}
