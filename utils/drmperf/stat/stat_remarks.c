/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remarks below the table of stat: what a star means, and values that cannot
 * be, or that contradict others, with the likely cause and the cure.
 */
#include "stat/text.h"

#include <math.h>
#include <string.h>

#include "stat/figures.h"
#include "util/remarks.h"

/* A GPU that is busy for that share of the time surely does something. */
#define BUSY_PERCENT 10

/* Return the mean; NaN if there is no value. */
static double
mean_of(const struct stat_row *row)
{
	double sum = row->count ? 0 : NAN;

	for (unsigned i = 0; i < row->count; i++)
		sum += stat_number(row, row->values[i]);
	return sum / row->count;
}

static double
share_of_peak(const struct stat_options *options, const struct stat_row *row)
{
	const struct drmperf_peak *peak =
		peaks_find(&options->peaks, &row->selection);

	if (!peak || peak->is_bound || !row->length_ns)
		return NAN;
	return 100 * stat_rate(row) / peak->per_second;
}

/*
 * Return the share of time that a GPU is busy, in percent; NaN if the row does
 * not show that.
 */
static double
busy_percent(const struct stat_row *row)
{
	static const char *const names[] = { "::metric.GPUBusy", "::oa.GpuBusy",
					     "::sensor.gpu-load" };
	const char *name = drmperf_event_name(row->selection.event);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *at = strstr(name, names[i]);

		if (at && !at[strlen(names[i])])
			return mean_of(row);
	}
	return NAN;
}

static bool
is_marked(const struct stat_row *row)
{
	return drmperf_event_scope(row->selection.event) == DRMPERF_SCOPE_QUEUE;
}

/*
 * Return whether a row counts waves of queues that a counter may not see: a
 * busy GPU without any is odd.
 */
static bool
counts_work(const struct stat_row *row)
{
	return is_marked(row) && drmperf_event_unit(row->selection.event) ==
					 DRMPERF_UNIT_WAVES;
}

static void
explain_star(FILE *out, const struct stat_result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		if (!is_marked(&result->rows[i]))
			continue;
		queue_access_print_note(out,
					queue_access_least(&result->queues));
		return;
	}
}

static double
percent_of_all(const struct stat_options *options, const struct stat_row *row)
{
	const struct drmperf_event *event = row->selection.event;
	double percent = share_of_peak(options, row);

	if (isnan(percent) && drmperf_event_is_metric(event) &&
	    drmperf_event_unit(event) == DRMPERF_UNIT_PERCENT)
		percent = mean_of(row);
	return percent;
}

double
stat_impossible_percent(const struct stat_options *options,
			const struct stat_row *row)
{
	double percent = percent_of_all(options, row);

	return remarks_is_impossible(percent) ? percent : NAN;
}

/* Remark on a share of more than all of it. */
static void
remark_impossible(const struct stat_options *options,
		  const struct stat_row *row)
{
	double percent = stat_impossible_percent(options, row);
	char name[NAME_SIZE];

	if (!isnan(percent))
		remarks_print_impossible(
			options->out, selection_name(&row->selection, "", name),
			percent,
			isnan(share_of_peak(options, row))
				? ""
				: " of what the GPU can do");
}

/* Remark that no work is seen on a GPU that is busy. */
static void
remark_contradiction(const struct stat_options *options,
		     const struct stat_row *row, const struct stat_row *busy)
{
	char name[NAME_SIZE];

	fprintf(options->out,
		"\n %s is 0 although the GPU was busy for %.0f %% of the time:"
		"\n   probably the work is in queues that do not allow "
		"counting (*). Count events without\n   a star for it.\n",
		selection_name(&row->selection, "", name), mean_of(busy));
}

/*
 * Return the row that shows that the GPU of this one was busy in its pass, or
 * NULL.
 */
static const struct stat_row *
find_busy(const struct stat_result *result, const struct stat_row *row)
{
	const struct drmperf_device *device =
		drmperf_event_device(row->selection.event);

	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *other = &result->rows[i];

		if (other->pass == row->pass &&
		    drmperf_event_device(other->selection.event) == device &&
		    busy_percent(other) >= BUSY_PERCENT)
			return other;
	}
	return NULL;
}

void
stat_print_remarks(const struct stat_options *options,
		   const struct stat_result *result)
{
	bool is_told = false; /* one is enough of what has one cause */

	explain_star(options->out, result);
	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];
		const struct stat_row *busy = NULL;

		if (!row->count)
			continue;
		remark_impossible(options, row);
		if (!is_told && counts_work(row) && mean_of(row) == 0)
			busy = find_busy(result, row);
		if (busy)
			remark_contradiction(options, row, busy);
		is_told |= busy != NULL;
	}
}
