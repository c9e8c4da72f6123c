/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/metrics.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "driver/metric.h"
#include "table/rows.h"

/* The metrics that were added, from here on in the description. */
struct added {
	struct description *description;
	const struct core *core;
	size_t first;
};

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
has_block(const struct core *core, const char *name, size_t length)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const char *block = core->blocks[i].name;

		if (!strncmp(block, name, length) && !block[length])
			return true;
	}
	return false;
}

/*
 * Return whether it is the name of a metric that is not known to be countable.
 */
static bool
is_left_out(const struct added *added, const char *name, size_t length)
{
	const struct description *description = added->description;

	for (size_t i = added->first; i < description->event_count; i++) {
		const struct description_event *other = &description->events[i];

		if (other->hidden && !strncmp(other->name, name, length) &&
		    !other->name[length])
			return true;
	}
	return false;
}

/*
 * Return whether a metric uses a missing block, directly or through a metric
 * that it names. Only words with a dot are looked at, whose first part is a
 * block; the catalog resolves the rest.
 */
static bool
can_count(const struct added *added, const struct description_event *metric)
{
	const char *at = metric->expression, *end;

	while (*at) {
		if (!is_word(*at) || isdigit((unsigned char)*at)) {
			/* a number, with its dot and exponent */
			do
				at++;
			while (isdigit((unsigned char)at[-1]) &&
			       (is_word(*at) || *at == '.'));
			continue;
		}
		for (end = at; is_word(*end); end++)
			;
		if (*end == '.') {
			if (!has_block(added->core, at, (size_t)(end - at)))
				return false;
			for (end++; is_word(*end); end++)
				;
		} else if (is_left_out(added, at, (size_t)(end - at))) {
			return false;
		}
		at = end;
	}
	return true;
}

/* Move the metrics that can be counted to the front, and drop the others. */
static void
drop_uncountable_metrics(const struct added *added)
{
	struct description *description = added->description;
	size_t kept = added->first;
	bool changed;

	do {
		changed = false;
		for (size_t i = added->first; i < description->event_count;
		     i++) {
			struct description_event *event =
				&description->events[i];

			if (event->hidden || can_count(added, event))
				continue;
			event->hidden = changed = true;
		}
	} while (changed);
	for (size_t i = added->first; i < description->event_count; i++)
		if (!description->events[i].hidden)
			description->events[kept++] = description->events[i];
	description->event_count = kept;
}

/* ------------------------------------------------------------------ */
/* Means over several XCCs                                              */

/*
 * Formulas expect the clock, and the extreme instances, of one XCC. Counters
 * are sums over all XCCs, so these are divided by the number of XCCs.
 */
static const char *const averaged[] = { "GRBM.", "max(", "min(", "avr(" };

/* Return where a word of the list begins next, and ends, or NULL. */
static const char *
find_averaged(const char *expression, const char **end)
{
	const char *first = NULL, *at;

	for (size_t i = 0; i < ARRAY_SIZE(averaged); i++) {
		at = strstr(expression, averaged[i]);
		while (at && at > expression && is_word(at[-1]))
			at = strstr(at + 1, averaged[i]);
		if (!at || (first && at > first))
			continue;
		first = at;
		*end = at + strlen(averaged[i]);
	}
	return first;
}

/* Return the end of what begins with such a word. */
static const char *
averaged_end(const char *at)
{
	if (at[-1] == '(')
		return at + strcspn(at, ")") + 1;
	while (is_word(*at))
		at++;
	return at;
}

/* Return the expression with means in the place of sums, or NULL. */
static const char *
average_xccs(const char *expression, unsigned xccs, struct arena *arena)
{
	const char *text = "", *at, *end;

	while ((at = find_averaged(expression, &end))) {
		end = averaged_end(end);
		text = arena_printf(arena, "%s%.*s(%.*s/%u)", text,
				    (int)(at - expression), expression,
				    (int)(end - at), at, xccs);
		if (!text)
			return NULL;
		expression = end;
	}
	return *text ? arena_printf(arena, "%s%s", text, expression)
		     : expression;
}

static int
average_metrics(const struct added *added, unsigned xccs)
{
	struct description *description = added->description;

	for (size_t i = added->first; xccs > 1 && i < description->event_count;
	     i++) {
		struct description_event *event = &description->events[i];

		event->expression = average_xccs(event->expression, xccs,
						 description->arena);
		if (!event->expression)
			return -ENOMEM;
	}
	return 0;
}

int
metrics_add(struct description *description, group_index group,
	    const struct core *core, unsigned xccs, struct drmperf_error *error)
{
	const struct added added = { description, core,
				     description->event_count };
	const struct table *table = core->table;
	const struct element *element;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, table, table->root->child, "metric",
		   description->arena);
	while (!ret && (ret = rows_next(&rows, &element, error)) > 0)
		ret = metric_add(description, group, table, element, error);
	if (!ret)
		ret = average_metrics(&added, xccs);
	if (!ret)
		drop_uncountable_metrics(&added);
	return ret;
}
