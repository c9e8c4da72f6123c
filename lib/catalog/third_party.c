/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/third_party.h"

#include "catalog/resolve.h"

bool
third_party_any(const struct description *description)
{
	for (size_t i = 0; i < description->event_count; i++) {
		if (description->events[i].use)
			return true;
	}
	return false;
}

/* Find the use of an event in which no fault was found so far. */
static enum event_use
find_use(const struct drmperf_event *event, const struct log_sink *log)
{
	const struct description_event *record = catalog_event_record(event);
	struct drmperf_error cause = { 0 };
	bool counts;

	if (catalog_try(event, &counts, &cause)) {
		log_write(log, DRMPERF_LOG_WARNING, "%s; %s is left out",
			  cause.cause, event->name);
		return EVENT_USE_NONE;
	}
	if (counts)
		return EVENT_USE_LISTED;
	log_write(log, DRMPERF_LOG_WARNING,
		  "%s:%d: %s is left out: no counter is in it", record->file,
		  record->line, event->name);
	return EVENT_USE_HIDDEN;
}

static size_t
check_group(const struct drmperf_group *group, const struct log_sink *log)
{
	size_t found = 0;

	for (size_t i = 0; i < group->listed; i++) {
		enum event_use *use = group->records[i].use;

		if (!use)
			continue;
		*use = find_use(&group->events[i], log);
		found += *use != EVENT_USE_LISTED;
	}
	return found;
}

size_t
third_party_check(struct catalog *catalog, const struct log_sink *log)
{
	size_t found = 0;

	for (size_t i = 0; i < catalog->description.group_count; i++)
		found += check_group(&catalog->groups[i], log);
	return found;
}

void
third_party_drop(struct description *description, bool replaced)
{
	size_t kept = 0;

	for (size_t i = 0; i < description->event_count; i++) {
		struct description_event event = description->events[i];

		if (event.use && *event.use == EVENT_USE_NONE)
			continue;
		if (event.use && *event.use == EVENT_USE_REPLACED && replaced)
			continue;
		if (event.use && *event.use == EVENT_USE_HIDDEN)
			event.hidden = true;
		description->events[kept++] = event;
	}
	description->event_count = kept;
}
