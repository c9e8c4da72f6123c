/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/row.h"

#include <math.h>
#include <stdio.h>

static void
row_remember(struct top_row *row, double value)
{
	struct top_history *history = &row->history;

	history->values[history->next] = value;
	history->next = (history->next + 1) % TOP_HISTORY;
	if (history->count < TOP_HISTORY)
		history->count++;
}

/* Write a value with its unit, as one text. */
static void
print_state(enum drmperf_unit unit, enum drmperf_kind kind, double value,
	    char text[2 * FORMAT_NUMBER_SIZE])
{
	char number[FORMAT_NUMBER_SIZE], name[FORMAT_NUMBER_SIZE];

	format_value(unit, kind, value, number, name);
	if (isnan(value))
		name[0] = '\0';
	snprintf(text, 2 * FORMAT_NUMBER_SIZE, "%s%s%s", number,
		 *name ? " " : "", name);
}

/* Return the share of a second, or of 100 percent; NaN if there is none. */
static double
natural_share(enum drmperf_unit unit, enum drmperf_kind kind, double value,
	      double seconds)
{
	if (unit == DRMPERF_UNIT_PERCENT)
		return value / 100;
	if (kind != DRMPERF_KIND_CUMULATIVE || seconds <= 0)
		return NAN;
	if (unit == DRMPERF_UNIT_NANOSECONDS)
		return value * 1e-9 / seconds;
	if (unit == DRMPERF_UNIT_MICROSECONDS)
		return value * 1e-6 / seconds;
	return NAN;
}

void
top_row_take(struct top_row *row, const struct top_source *source, size_t index,
	     bool has_limit)
{
	const struct drmperf_event *event = source->selections[index].event;
	enum drmperf_unit unit = drmperf_event_unit(event);
	enum drmperf_kind kind = drmperf_event_kind(event);
	double value, seconds, limit;

	if (!source->fresh) {
		top_row_skip(row);
		return;
	}
	value = top_source_number(source, index);
	seconds = source->seconds[index];
	row->share = natural_share(unit, kind, value, seconds);
	row->most[0] = '\0';
	if (kind == DRMPERF_KIND_CUMULATIVE)
		format_rate(unit, kind, value, seconds, row->figure);
	else
		print_state(unit, kind, value, row->figure);
	if (has_limit) {
		limit = top_source_number(source, index + 1);
		row->share = limit > 0 ? value / limit : NAN;
		print_state(unit, kind, limit, row->most);
	}
	if (kind == DRMPERF_KIND_CUMULATIVE && seconds > 0)
		value /= seconds;
	row->known = row->figure[0];
	row_remember(row, isnan(row->share) ? value : row->share);
}

void
top_row_take_share(struct top_row *row, double share)
{
	row->known = true;
	row->share = share;
	row->most[0] = '\0';
	print_state(DRMPERF_UNIT_PERCENT, DRMPERF_KIND_AVERAGE, 100 * share,
		    row->figure);
	row_remember(row, share);
}

void
top_row_take_bytes(struct top_row *row, double bytes)
{
	row->known = true;
	row->share = NAN;
	row->most[0] = '\0';
	print_state(DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY, bytes,
		    row->figure);
	row_remember(row, bytes);
}

void
top_row_skip(struct top_row *row)
{
	row->known = false;
	row->share = NAN;
	row->most[0] = '\0';
	row->figure[0] = '\0';
	row_remember(row, NAN);
}

static double
value_at(const struct top_history *history, size_t age)
{
	if (age >= history->count)
		return NAN;
	return history
		->values[(history->next + TOP_HISTORY - 1 - age) % TOP_HISTORY];
}

/* Return the greatest value. Shares are parts already, of 1. */
static double
row_greatest(const struct top_row *row)
{
	double most = 0;

	if (!isnan(row->share))
		return 1;
	for (size_t i = 0; i < row->history.count; i++)
		most = fmax(most, value_at(&row->history, i));
	return most;
}

double
top_row_level(const struct top_row *row, size_t age)
{
	double most = row_greatest(row), value = value_at(&row->history, age);

	if (isnan(value))
		return NAN;
	return most > 0 ? fmin(fmax(value / most, 0), 1) : 0;
}
