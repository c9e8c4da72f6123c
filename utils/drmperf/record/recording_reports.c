/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Return whether it is the age of a report: that which it had when it was read
 * says nothing later.
 */
static bool
is_age(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && !strcmp(end, ".ReportAge");
}

int
reports_rewind(struct recording_reports *reports, struct drmperf_error *error)
{
	if (!reports->session)
		return 0;
	reports->at = reports->end = NULL;
	reports->lost.code = 0;
	drmperf_session_stop(reports->session, NULL);
	return drmperf_session_start(reports->session, error);
}

int
reports_begin(struct recording_reports *reports,
	      const struct drmperf_selection *selections, const size_t *series,
	      size_t count, struct drmperf_error *error)
{
	int ret;

	if (!count)
		return 0;
	reports->series = calloc(count, sizeof(*reports->series));
	reports->values = calloc(count, sizeof(*reports->values));
	if (!reports->series || !reports->values)
		return -ENOMEM;
	memcpy(reports->series, series, count * sizeof(*series));
	reports->count = count;
	ret = drmperf_session_create(reports->drmperf, selections, count, NULL,
				     &reports->session, error);
	return ret ? ret : drmperf_session_start(reports->session, error);
}

int
reports_find_events(struct recording_reports *reports,
		    const struct recording *recording,
		    struct drmperf_error *error)
{
	struct drmperf_selection *found =
		calloc(recording->event_count + 1, sizeof(*found));
	size_t *series = calloc(recording->event_count + 1, sizeof(*series));
	size_t count = 0;
	int ret = found && series ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (event->steps || event->event.device != reports->device ||
		    is_age(event->event.name) ||
		    drmperf_event_find(reports->drmperf, event->event.name,
				       &found[count], NULL))
			continue;
		series[count++] = event->series;
	}
	if (!ret)
		ret = reports_begin(reports, found, series, count, error);
	free(found);
	free(series);
	return ret;
}

/* Deliver the values, all of which are of one clock. */
static void
reports_give(const struct recording_reports *reports,
	     struct recording_value *values)
{
	struct drmperf_sample_info origin = { .size = sizeof(origin) };

	drmperf_session_sample_info(reports->session, 0, &origin);
	for (size_t i = 0; i < reports->count; i++)
		values[reports->series[i]] = (struct recording_value){
			.value = reports->values[i],
			.end_ns = origin.elapsed_ns,
			.die = -1,
		};
}

int
reports_next(struct recording_reports *reports, uint64_t span_ns,
	     struct recording_value *values, uint64_t *time_ns)
{
	struct drmperf_error *error = &reports->lost;
	size_t used;
	int ret;

	if (!reports->session || error->code)
		reports->at = reports->end;
	if (reports->at == reports->end)
		return 0;
	ret = drmperf_session_replay(reports->session, reports->at,
				     (size_t)(reports->end - reports->at),
				     span_ns, &used, error);
	reports->at += used;
	if (!ret && !used)
		return 0;
	if (!ret)
		ret = drmperf_session_read(reports->session, reports->values,
					   NULL, time_ns, error);
	if (ret)
		return ret;
	reports_give(reports, values);
	return 1;
}

void
reports_finish(struct recording_reports *reports)
{
	drmperf_session_destroy(reports->session);
	drmperf_destroy(reports->drmperf);
	free(reports->series);
	free(reports->values);
	*reports = (struct recording_reports){ 0 };
}
