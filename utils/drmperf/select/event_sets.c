/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/event_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Number of sets of an event that are named, if there are more. */
#define NAMED 3

struct entry {
	const char *name; /* of the event, without its group's */
	const char *domain; /* units of one GPU may have the same names */
	const struct drmperf_event *common;
	const struct drmperf_group **sets;
	size_t count;
};

struct event_sets {
	struct entry *entries; /* by name and domain */
	size_t count;
	const struct drmperf_group **sets; /* of all entries, one by one */
};

/* Return "GpuBusy" */
static const char *
counter_name(const struct drmperf_event *event)
{
	const struct drmperf_group *group = drmperf_event_group(event);

	return strstr(drmperf_event_name(event), "::") + 2 +
	       strlen(drmperf_group_name(group)) + 1;
}

static const char *
domain_of(const struct drmperf_event *event)
{
	return drmperf_group_domain(drmperf_event_group(event));
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : strcmp(left->domain, right->domain);
}

bool
event_sets_is_common(const struct drmperf_group *group)
{
	return drmperf_group_is_exclusive(group) &&
	       !strcmp(drmperf_group_name(group), drmperf_group_domain(group));
}

static bool
is_set(const struct drmperf_group *group)
{
	return drmperf_group_is_exclusive(group) &&
	       !event_sets_is_common(group);
}

static bool
is_alike(const struct drmperf_event *a, const struct drmperf_event *b)
{
	return drmperf_event_unit(a) == drmperf_event_unit(b) &&
	       drmperf_event_type(a) == drmperf_event_type(b) &&
	       drmperf_event_kind(a) == drmperf_event_kind(b);
}

static struct entry *
event_sets_find(const struct event_sets *sets,
		const struct drmperf_event *event)
{
	const struct entry key = { .name = counter_name(event),
				   .domain = domain_of(event) };
	struct entry *entry;

	if (!sets->count)
		return NULL;
	entry = bsearch(&key, sets->entries, sets->count, sizeof(key), by_name);
	return entry && is_alike(entry->common, event) ? entry : NULL;
}

/* ------------------------------------------------------------------ */
/* Made                                                                 */

/* Return the number of events in groups of which this is true. */
static size_t
count_events(const struct drmperf_device *device,
	     bool (*is_so)(const struct drmperf_group *group))
{
	const struct drmperf_group *group;
	size_t count = 0;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++)
		count += is_so(group) ? drmperf_group_event_count(group) : 0;
	return count;
}

static void
add_entries(struct event_sets *sets, const struct drmperf_device *device)
{
	const struct drmperf_event *event;

	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++)
		if (event_sets_is_common(drmperf_event_group(event)))
			sets->entries[sets->count++] =
				(struct entry){ .name = counter_name(event),
						.domain = domain_of(event),
						.common = event };
	if (sets->count)
		qsort(sets->entries, sets->count, sizeof(*sets->entries),
		      by_name);
}

static void
count_sets(struct event_sets *sets, const struct drmperf_device *device)
{
	const struct drmperf_group **next = sets->sets;
	const struct drmperf_event *event;
	struct entry *entry;

	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
		entry = is_set(drmperf_event_group(event))
				? event_sets_find(sets, event)
				: NULL;
		if (entry)
			entry->count++;
	}
	for (size_t i = 0; i < sets->count; i++) {
		sets->entries[i].sets = next;
		next += sets->entries[i].count;
		sets->entries[i].count = 0;
	}
}

static void
add_sets(struct event_sets *sets, const struct drmperf_device *device)
{
	const struct drmperf_event *event;

	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
		const struct drmperf_group *group = drmperf_event_group(event);
		struct entry *entry =
			is_set(group) ? event_sets_find(sets, event) : NULL;

		if (entry)
			entry->sets[entry->count++] = group;
	}
}

struct event_sets *
event_sets_create(const struct drmperf_device *device)
{
	struct event_sets *sets = calloc(1, sizeof(*sets));

	if (!sets)
		return NULL;
	sets->entries = calloc(count_events(device, event_sets_is_common) + 1,
			       sizeof(*sets->entries));
	sets->sets =
		calloc(count_events(device, is_set) + 1, sizeof(*sets->sets));
	if (!sets->entries || !sets->sets) {
		event_sets_destroy(sets);
		return NULL;
	}
	add_entries(sets, device);
	count_sets(sets, device);
	add_sets(sets, device);
	return sets;
}

void
event_sets_destroy(struct event_sets *sets)
{
	if (!sets)
		return;
	free(sets->entries);
	free(sets->sets);
	free(sets);
}

/* ------------------------------------------------------------------ */
/* Asked                                                                */

const struct drmperf_event *
event_sets_common(const struct event_sets *sets,
		  const struct drmperf_event *event)
{
	const struct entry *entry = is_set(drmperf_event_group(event))
					    ? event_sets_find(sets, event)
					    : NULL;

	return entry ? entry->common : NULL;
}

size_t
event_sets_of(const struct event_sets *sets, const struct drmperf_event *common,
	      const struct drmperf_group *const **out)
{
	const struct entry *entry =
		event_sets_is_common(drmperf_event_group(common))
			? event_sets_find(sets, common)
			: NULL;

	*out = entry ? entry->sets : NULL;
	return entry ? entry->count : 0;
}

static const char *
list_separator(size_t i, size_t count, size_t named)
{
	if (!i)
		return " [in ";
	return i + 1 < count || named < count ? ", " : " and ";
}

/* Return room for the names and for what stands between them and behind. */
static size_t
text_size(const struct drmperf_group *const *groups, size_t count)
{
	size_t size = sizeof(" and 18446744073709551615 other sets]");

	for (size_t i = 0; i < count; i++)
		size += strlen(" [in ") + strlen(drmperf_group_name(groups[i]));
	return size;
}

int
event_sets_describe(const struct event_sets *sets,
		    const struct drmperf_event *common, char **text)
{
	const struct drmperf_group *const *groups;
	size_t count = event_sets_of(sets, common, &groups);
	size_t named = count > NAMED + 1 ? NAMED : count;
	char *to;

	*text = NULL;
	if (!count)
		return 0;
	to = malloc(text_size(groups, named));
	if (!to)
		return -ENOMEM;
	*text = to;
	for (size_t i = 0; i < named; i++) {
		to = stpcpy(to, list_separator(i, count, named));
		to = stpcpy(to, drmperf_group_name(groups[i]));
	}
	if (named < count)
		to += sprintf(to, " and %zu other sets", count - named);
	strcpy(to, "]");
	return 0;
}
