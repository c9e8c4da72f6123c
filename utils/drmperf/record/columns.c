/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/columns.h"

#include <errno.h>
#include <stdlib.h>

static bool
is_replaced(const struct columns *series,
	    const struct drmperf_selection *selection)
{
	return selection_list_index(&series->parts.replaced, selection) <
	       series->parts.replaced.count;
}

/* Choose the requested events first, then those that they are computed from. */
static int
columns_choose(struct columns *series, const struct selection_list *asked)
{
	const struct selection_list *parts = &series->parts.choice;
	int ret = 0;

	for (size_t i = 0; !ret && i < asked->count; i++) {
		if (!is_replaced(series, &asked->selections[i]))
			ret = selection_list_add(&series->choice,
						 &asked->selections[i]);
	}
	for (size_t i = 0; !ret && i < parts->count; i++)
		ret = selection_list_add(&series->choice,
					 &parts->selections[i]);
	return ret;
}

/* Return the name that an event of the GPU has been given before, or NULL. */
static const char *
find_chip(const struct columns *series, int device)
{
	for (size_t i = series->event_count - 1; i-- > 0;) {
		if (series->events[i].event.device == device)
			return series->events[i].chip;
	}
	return NULL;
}

/*
 * Return "Navi 31 (Radeon RX 7900 XTX)", of the event that is described. A
 * table is read for it, which takes longer than all the rest.
 */
static const char *
name_chip(struct columns *series, const struct drmperf_selection *selection)
{
	const struct drmperf_device *device =
		drmperf_event_device(selection->event);
	const char *known =
		find_chip(series, record_event_of(selection).device);
	char *chip = series->chips[series->event_count - 1];

	return known ? known : tool_chip(device, chip);
}

static struct recording_event *
columns_describe(struct columns *series,
		 const struct drmperf_selection *selection)
{
	const struct drmperf_device *device =
		drmperf_event_device(selection->event);
	struct recording_event *event = &series->events[series->event_count++];

	*event = (struct recording_event){
		.event = record_event_of(selection),
		.address = drmperf_device_address(device),
		.chip = name_chip(series, selection),
		.description = drmperf_event_description(selection->event),
		.series = selection_list_index(&series->choice, selection),
	};
	return event;
}

/*
 * Set the steps, whose parts have other numbers in the recording than in the
 * formula.
 */
static int
set_steps(const struct columns *series,
	  const struct drmperf_selection *selection,
	  struct recording_event *event)
{
	size_t at = selection_list_index(&series->parts.replaced, selection),
	       count;
	const struct drmperf_formula *formula = series->parts.formulas[at];
	const struct drmperf_selection *parts =
		drmperf_formula_parts(formula, &count);
	const struct drmperf_step *steps =
		drmperf_formula_steps(formula, &count);
	struct drmperf_step *own = calloc(count, sizeof(*own));

	if (!own)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		own[i] = steps[i];
		if (own[i].operation == DRMPERF_OPERATION_PART)
			own[i].part = (unsigned)selection_list_index(
				&series->choice, &parts[steps[i].part]);
	}
	event->steps = own;
	event->step_count = count;
	return 0;
}

/*
 * Describe the requested events in their order, then those that are only parts.
 */
static int
describe_columns(struct columns *series, const struct selection_list *asked)
{
	const struct selection_list *choice = &series->choice;
	size_t direct = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < asked->count; i++) {
		const struct drmperf_selection *selection =
			&asked->selections[i];
		struct recording_event *event =
			columns_describe(series, selection);

		event->asked = true;
		if (is_replaced(series, selection))
			ret = set_steps(series, selection, event);
		else
			direct++;
	}
	for (size_t i = direct; !ret && i < choice->count; i++)
		columns_describe(series, &choice->selections[i]);
	return ret;
}

int
columns_find(const struct tool *tool, const struct selection_list *asked,
	     struct columns *series)
{
	const struct drmperf_plan_options options = { .size = sizeof(options) };
	int ret = average_parts_find(tool, asked, &options, &series->parts);

	if (ret)
		return ret;
	ret = columns_choose(series, asked);
	if (!ret) {
		series->events = calloc(asked->count + series->choice.count,
					sizeof(*series->events));
		series->chips = calloc(asked->count + series->choice.count,
				       sizeof(*series->chips));
		ret = series->events && series->chips
			      ? describe_columns(series, asked)
			      : -ENOMEM;
	}
	return ret ? tool_fail(tool, "no memory") : 0;
}

void
columns_finish(struct columns *series)
{
	for (size_t i = 0; i < series->event_count; i++)
		free((struct drmperf_step *)series->events[i].steps);
	free(series->events);
	free(series->chips);
	selection_list_finish(&series->choice);
	average_parts_finish(&series->parts);
}
