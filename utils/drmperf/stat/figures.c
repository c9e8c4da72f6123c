/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/figures.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

double
stat_number(const struct stat_row *row, union drmperf_value value)
{
	if (drmperf_event_type(row->selection.event) == DRMPERF_TYPE_DOUBLE)
		return value.f64;
	return (double)value.u64;
}

struct statistics
statistics_of(const struct stat_row *row)
{
	struct statistics result = { .mean = row->count ? 0 : NAN };
	double squares = 0;

	for (unsigned i = 0; i < row->count; i++)
		result.mean += stat_number(row, row->values[i]) / row->count;
	for (unsigned i = 0; i < row->count; i++) {
		double difference =
			stat_number(row, row->values[i]) - result.mean;

		squares += difference * difference;
	}
	if (row->count > 1 && result.mean != 0 && !isnan(result.mean))
		result.deviation_percent =
			100 * sqrt(squares / (row->count - 1) / row->count) /
			fabs(result.mean);
	return result;
}

double
mean_seconds(const struct stat_time *time)
{
	return time->runs ? time->seconds / (double)time->runs : 0;
}

bool
stat_row_adds_up(const struct stat_row *row)
{
	return drmperf_event_kind(row->selection.event) ==
	       DRMPERF_KIND_CUMULATIVE;
}

bool
stat_result_has_device(const struct stat_result *result,
		       const struct drmperf_device *device)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (drmperf_event_device(result->rows[i].selection.event) ==
		    device)
			return true;
	}
	return false;
}

void
stat_range_add(struct stat_range *range, double value)
{
	if (!range->count || value < range->min)
		range->min = value;
	if (!range->count || value > range->max)
		range->max = value;
	range->sum += value;
	range->count++;
}

double
stat_rate(const struct stat_row *row)
{
	if (!stat_row_adds_up(row) || !row->length_ns)
		return NAN;
	return statistics_of(row).mean * row->count * NS_PER_S /
	       (double)row->length_ns;
}

const char *
stat_row_name(const struct tool *tool, const struct stat_row *row,
	      char text[NAME_SIZE])
{
	static const char only[] = ":device=0";
	char *device;

	selection_name(&row->selection, "", text);
	device = strstr(text, only);
	if (device && drmperf_device_count(tool->drmperf) == 1)
		memmove(device, device + strlen(only),
			strlen(device + strlen(only)) + 1);
	return text;
}
