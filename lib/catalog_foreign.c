/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog_foreign.h"

#include <errno.h>

bool
foreign_any(const struct description *description)
{
	for (size_t i = 0; i < description->event_count; i++) {
		if (description->events[i].use)
			return true;
	}
	return false;
}

/* What an event that was found to be good so far is good for. */
static enum event_use
find_use(struct catalog *catalog, size_t index, const struct log_sink *log)
{
	const struct description_event *event =
		&catalog->description.events[index];
	const struct catalog_value *value;
	struct drmperf_error cause = { 0 };

	if (catalog_resolve(&catalog->events[index], &value, &cause)) {
		log_write(log, DRMPERF_LOG_WARNING, "%s; %s is left out",
			  cause.cause, catalog->events[index].name);
		return EVENT_USE_NONE;
	}
	if (value->counter_count)
		return EVENT_USE_LISTED;
	log_write(log, DRMPERF_LOG_WARNING,
		  "%s:%d: %s is left out: no counter is in it", event->file,
		  event->line, catalog->events[index].name);
	return EVENT_USE_HIDDEN;
}

size_t
foreign_check(struct catalog *catalog, const struct log_sink *log)
{
	const struct description *description = &catalog->description;
	size_t found = 0;

	for (size_t i = 0; i < description->event_count; i++) {
		const struct description_event *event = &description->events[i];

		if (!event->use || event->hidden || event->follows)
			continue;
		*event->use = find_use(catalog, i, log);
		found += *event->use != EVENT_USE_LISTED;
	}
	return found;
}

void
foreign_drop(struct description *description)
{
	size_t kept = 0;

	for (size_t i = 0; i < description->event_count; i++) {
		struct description_event event = description->events[i];

		if (event.use && *event.use == EVENT_USE_NONE)
			continue;
		if (event.use && *event.use == EVENT_USE_HIDDEN)
			event.hidden = true;
		description->events[kept++] = event;
	}
	description->event_count = kept;
}
