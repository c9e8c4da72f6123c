/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stat/figures.h"

#define NS_PER_S 1000000000.0

static int
find_events(struct stat_values *values, const struct stat_result *result)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < result->row_count; i++)
		ret = selection_list_add(&values->choice,
					 &result->rows[i].selection);
	return ret ? -ENOMEM : 0;
}

/* Return whether an event is time, which rules have as a share of time. */
static bool
is_time(const struct drmperf_event *event)
{
	return drmperf_event_kind(event) == DRMPERF_KIND_CUMULATIVE &&
	       drmperf_event_unit(event) == DRMPERF_UNIT_NANOSECONDS;
}

static void
init_values(struct stat_values *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct drmperf_event *event =
			values->choice.selections[i % values->choice.count]
				.event;

		values->list[i] = (struct verdict_value){
			.name = drmperf_event_name(event),
			.is_percent = is_time(event) ||
				      drmperf_event_unit(event) ==
					      DRMPERF_UNIT_PERCENT,
			.value = NAN,
			.per_second = NAN,
		};
	}
}

static void
set_value(struct stat_values *values, const struct stat_row *row)
{
	const size_t count = values->choice.count;
	const size_t at =
		selection_list_index(&values->choice, &row->selection);
	struct verdict_value *of_pass = &values->list[row->pass * count + at];
	struct verdict_value *of_all =
		&values->list[values->passes * count + at];

	if (!row->count)
		return;
	of_pass->per_second = stat_rate(row);
	of_pass->value = is_time(row->selection.event)
				 ? of_pass->per_second * 100 / NS_PER_S
				 : statistics_of(row).mean;
	if (isnan(of_all->value))
		*of_all = *of_pass;
}

int
stat_values_find(const struct stat_result *result, struct stat_values *out)
{
	size_t count;

	*out = (struct stat_values){
		.passes = result->passes,
		.can_join = stat_runs_are_alike(result),
	};
	if (find_events(out, result))
		return -ENOMEM;
	count = (result->passes + 1) * out->choice.count;
	out->list = calloc(count + 1, sizeof(*out->list));
	if (!out->list)
		return -ENOMEM;
	init_values(out, count);
	for (size_t i = 0; i < result->row_count; i++)
		set_value(out, &result->rows[i]);
	return 0;
}

void
stat_values_finish(struct stat_values *values)
{
	selection_list_finish(&values->choice);
	free(values->list);
	values->list = NULL;
}

const struct verdict_value *
stat_values_of_pass(const struct stat_values *values, size_t pass)
{
	return &values->list[pass * values->choice.count];
}

const struct verdict_value *
stat_values_of_all(const struct stat_values *values)
{
	if (values->passes > 1 && !values->can_join)
		return NULL;
	return stat_values_of_pass(values, values->passes);
}
