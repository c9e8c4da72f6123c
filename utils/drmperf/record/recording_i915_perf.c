/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_i915_perf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/columns.h"
#include "record/recording_reports.h"

/*
 * Return whether a file is i915-perf's. Such a file begins with a record of the
 * recorder's own, the version: a type, from 65536 on, no padding, and its size.
 */
bool
recording_is_i915_perf(const struct recording *recording)
{
	static const uint8_t version[] = { 0, 0, 1, 0, 0, 0, 16, 0 };

	return recording->size >= sizeof(version) &&
	       !memcmp(recording->map, version, sizeof(version));
}

static const char *const no_words[] = { NULL };

/*
 * Choose all events of the one set that is there; momentary ones are not in
 * reports.
 */
static int
choose_set_events(struct drmperf_device *device, struct selection_list *choice)
{
	const struct drmperf_event *event;
	int ret = 0;

	for (size_t i = 0; !ret && (event = drmperf_event_at(device, i)); i++) {
		const struct drmperf_group *group = drmperf_event_group(event);
		const struct drmperf_selection selection = {
			.event = event,
			.instance = DRMPERF_ALL_INSTANCES,
		};

		/* oa.X is the X of the set */
		if (strcmp(drmperf_group_name(group),
			   drmperf_group_domain(group)) != 0 &&
		    drmperf_event_kind(event) != DRMPERF_KIND_MOMENTARY)
			ret = selection_list_add(choice, &selection);
	}
	return ret;
}

static int
find_series(const struct tool *tool, struct recording *recording)
{
	struct selection_list all = { 0 };
	int status;

	if (choose_set_events(drmperf_device_at(tool->drmperf, 0), &all))
		status = tool_fail(tool, "no memory");
	else
		status = columns_find(tool, &all, recording->i915_perf);
	selection_list_finish(&all);
	if (status)
		return status;
	recording->events = recording->i915_perf->events;
	recording->event_count = recording->i915_perf->event_count;
	recording->series_count = recording->i915_perf->choice.count;
	return 0;
}

static int
begin_reports(const struct recording *recording, struct drmperf_error *error)
{
	const struct selection_list *choice = &recording->i915_perf->choice;
	size_t *series = calloc(choice->count + 1, sizeof(*series));
	int ret;

	if (!series)
		return error->code = -ENOMEM;
	for (size_t i = 0; i < choice->count; i++)
		series[i] = i;
	ret = reports_begin(recording->reports, choice->selections, series,
			    choice->count, error);
	free(series);
	return ret;
}

int
recording_open_i915_perf(const struct tool *tool, const char *path,
			 struct recording *recording)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = tool_log,
						 .log_data = (void *)tool };
	struct drmperf_error error = { .cause = "no memory" };
	struct recording_reports *reports = calloc(1, sizeof(*reports));
	struct tool own = *tool;
	int status;

	recording->i915_perf = calloc(1, sizeof(*recording->i915_perf));
	recording->reports = reports;
	recording->reports_count = reports ? 1 : 0;
	if (!reports || !recording->i915_perf)
		return tool_fail(tool, "no memory");
	recording->command = no_words;
	if (drmperf_create_replay(&options, recording->map, recording->size,
				  &reports->drmperf, &error))
		return tool_complain_of(tool, path, &error);
	own.drmperf = reports->drmperf;
	own.device = NULL;
	status = find_series(&own, recording);
	if (!status && begin_reports(recording, &error))
		status = tool_complain(tool, &error);
	return status;
}

void
recording_close_i915_perf(struct recording *recording)
{
	columns_finish(recording->i915_perf);
	free(recording->i915_perf);
}
