/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_event.h"

#include <errno.h>
#include <string.h>

double
papi_drm_event_scale(const struct papi_drm_library *library,
		     const struct papi_drm_event *event)
{
	const struct drmperf_event *counted = event->selection.event;

	if (library->event_type(counted) != DRMPERF_TYPE_DOUBLE)
		return 1;
	if (library->event_unit(counted) == DRMPERF_UNIT_RATIO)
		return 1e6;
	return 1e3;
}

/* A text in a caller's buffer, cut at its size. */
struct text {
	char *buffer;
	size_t size;
	size_t length; /* length of the whole text */
};

/*
 * Append a piece. Not by printf(), which would take most of the time: PAPI
 * requests every text of every event.
 */
static void
text_append_piece(struct text *text, const char *piece)
{
	size_t length = strlen(piece), room = 0;

	if (text->length < text->size)
		room = text->size - 1 - text->length;
	if (room > length)
		room = length;
	if (room)
		memcpy(text->buffer + text->length, piece, room);
	text->length += length;
}

static void
add_number(struct text *text, unsigned number)
{
	char digits[3 * sizeof(number) + 1], *at = digits + sizeof(digits);

	*--at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	text_append_piece(text, at);
}

/* Return 0; -ENAMETOOLONG if something was cut. */
static int
text_finish(struct text *text)
{
	bool is_cut = text->length >= text->size;

	if (text->size)
		text->buffer[is_cut ? text->size - 1 : text->length] = '\0';
	return is_cut ? -ENAMETOOLONG : 0;
}

int
papi_drm_event_name(const struct papi_drm_library *library,
		    const struct papi_drm_event *event, char *buffer,
		    size_t size)
{
	const struct drmperf_event *counted = event->selection.event;
	const int die = DRMPERF_DIE_OF(event->selection.instance);
	const int instance = DRMPERF_INSTANCE_OF(event->selection.instance);
	struct text text = { buffer, size, 0 };

	text_append_piece(&text, library->event_name(counted));
	if (event->names_device) {
		text_append_piece(&text, ":device=");
		add_number(&text, library->device_index(
					  library->event_device(counted)));
	}
	if (die >= 0) {
		text_append_piece(&text, ":die=");
		add_number(&text, (unsigned)die);
	}
	if (instance != DRMPERF_ALL_INSTANCES) {
		text_append_piece(&text, ":instance=");
		add_number(&text, (unsigned)instance);
	}
	if (event->as_double)
		text_append_piece(&text, DOUBLE_QUALIFIER);
	return text_finish(&text);
}

void
papi_drm_event_units(const struct papi_drm_library *library,
		     const struct papi_drm_event *event, char *buffer,
		     size_t size)
{
	const char *unit =
		library->unit_name(library->event_unit(event->selection.event));
	double scale = papi_drm_event_scale(library, event);
	struct text text = { buffer, size, 0 };

	if (event->as_double || scale == 1) {
		text_append_piece(&text, unit);
	} else {
		text_append_piece(&text, unit[0] ? unit : "number");
		text_append_piece(&text, "*");
		add_number(&text, (unsigned)scale);
	}
	text_finish(&text);
}

static void
add_group(const struct papi_drm_library *library,
	  const struct drmperf_event *event, struct text *text)
{
	const struct drmperf_group *group = library->event_group(event);
	unsigned max_active = library->group_max_active(group);
	unsigned instances = library->group_instances(group);
	unsigned dies = library->group_dies(group);

	text_append_piece(text, " [group ");
	text_append_piece(text, library->group_name(group));
	if (max_active) {
		text_append_piece(text, ", ");
		add_number(text, max_active);
		text_append_piece(text, " at once");
	}
	if (instances > 1) {
		text_append_piece(text, ", ");
		add_number(text, instances);
		text_append_piece(text, " instances");
	}
	if (dies > 1) {
		text_append_piece(text, ", one die of up to ");
		add_number(text, dies);
	}
	switch (library->event_scope(event)) {
	case DRMPERF_SCOPE_QUEUE:
		text_append_piece(text,
				  ", sees graphics and queues that allow it");
		break;
	case DRMPERF_SCOPE_PROCESS:
		text_append_piece(text, ", sees this process only");
		break;
	case DRMPERF_SCOPE_DEVICE:
		break;
	}
	if (library->event_kind(event) == DRMPERF_KIND_AVERAGE)
		text_append_piece(
			text,
			", average since start; differences mean nothing");
	if (library->event_type(event) == DRMPERF_TYPE_DOUBLE)
		text_append_piece(text, ", n/a: LLONG_MIN, NaN with :double");
	text_append_piece(text, "]");
}

/*
 * Add the qualifiers. PAPI's utilities show what follows "masks:" as the
 * description of the qualifier alone, and papi_event_chooser needs a colon in
 * it.
 */
static void
add_qualifiers(const struct papi_drm_library *library,
	       const struct papi_drm_event *event, struct text *text)
{
	const struct drmperf_event *counted = event->selection.event;
	const struct drmperf_device *device = library->event_device(counted);
	const char *separator = " masks:";

	if (event->names_device) {
		text_append_piece(text, separator);
		text_append_piece(text, "GPU ");
		add_number(text, library->device_index(device));
		text_append_piece(text, ", ");
		text_append_piece(text, library->device_chip(device));
		text_append_piece(text, " at ");
		text_append_piece(text, library->device_address(device));
		if (library->device_partition(device) >= 0) {
			text_append_piece(text, ", partition ");
			add_number(text, (unsigned)library->device_partition(
						 device));
		}
		separator = "; ";
	}
	if (DRMPERF_DIE_OF(event->selection.instance) >= 0) {
		text_append_piece(text, separator);
		text_append_piece(text, "one die, instead of the sum");
		separator = "; ";
	}
	if (DRMPERF_INSTANCE_OF(event->selection.instance) !=
	    DRMPERF_ALL_INSTANCES) {
		text_append_piece(text, separator);
		text_append_piece(text, "one instance, 0 to ");
		add_number(text, library->event_instances(counted) - 1);
		text_append_piece(text, ", instead of the sum");
		separator = "; ";
	}
	if (event->as_double) {
		text_append_piece(text, separator);
		text_append_piece(text, "a double instead of a scaled integer");
	}
}

void
papi_drm_event_describe(const struct papi_drm_library *library,
			const struct papi_drm_event *event, char *buffer,
			size_t size)
{
	const struct drmperf_event *counted = event->selection.event;
	struct text text = { buffer, size, 0 };

	text_append_piece(&text, library->event_description(counted));
	add_group(library, counted, &text);
	add_qualifiers(library, event, &text);
	text_finish(&text);
}

void
papi_drm_event_summary(const struct papi_drm_library *library,
		       const struct papi_drm_event *event, char *buffer,
		       size_t size)
{
	struct text text = { buffer, size, 0 };

	text_append_piece(&text,
			  library->event_description(event->selection.event));
	text_finish(&text);
}
