/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric groups: tables DRIVER/groups.xml of events by what they tell of.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/error.h"
#include "device/any_event.h"
#include "device/device_table.h"
#include "drmperf.h"

/* The groups that the caller gets, and the memory they lie in. */
struct read_groups {
	struct drmperf_metric_groups groups; /* the first */
	struct device_table in; /* names and descriptions, lists */
};

/*
 * Return room for one more than there are elements of this name; NULL: no
 * memory.
 */
static void *
room_for(struct read_groups *read, const struct element *element,
	 const char *name, size_t size)
{
	return arena_alloc(read->in.arena,
			   (element_count(element, name) + 1) * size);
}

static bool
has_event(const struct drmperf_metric_group *group,
	  const struct drmperf_event *event)
{
	for (size_t i = 0; i < group->event_count; i++) {
		if (group->events[i] == event)
			return true;
	}
	return false;
}

static int
read_events(struct read_groups *read, const struct element *element,
	    struct drmperf_metric_group *group, struct drmperf_error *error)
{
	const struct element *child = element_named(element->child, "event");
	const struct drmperf_event **events =
		room_for(read, child, "event", sizeof(*events));
	int err = 0;

	if (!events)
		return error_set(error, -ENOMEM, "no memory");
	group->events = events;
	for (; !err && child; child = element_named(child->next, "event")) {
		const struct drmperf_event *event;
		const char *names;

		err = element_text(read->in.table, child, "any", &names, error);
		if (!err)
			err = any_event_find(read->in.device, names, &event,
					     error);
		if (!err && !has_event(group, event))
			events[group->event_count++] = event;
		if (err == -ENOENT)
			err = 0;
	}
	return err;
}

static int
read_group(struct read_groups *read, const struct element *element,
	   struct drmperf_metric_group *group, struct drmperf_error *error)
{
	int err;

	*group = (struct drmperf_metric_group){ .event_count = 0 };
	err = element_text(read->in.table, element, "name", &group->name,
			   error);
	if (!err)
		err = element_text(read->in.table, element, "description",
				   &group->description, error);
	return err ? err : read_events(read, element, group, error);
}

static bool
is_for_device(const struct read_groups *read, const struct element *element)
{
	const char *names = element_attribute(element, "generations");

	return !names || device_table_names_generation(&read->in, names);
}

static int
read_table(struct read_groups *read, struct drmperf_error *error)
{
	const struct element *root = read->in.table->root;
	const struct element *child = element_named(root->child, "group");
	struct drmperf_metric_group *list =
		room_for(read, child, "group", sizeof(*list));
	int err = 0;

	if (strcmp(root->name, "metric-groups"))
		return element_error(read->in.table, root, error,
				     "is no table of metric groups");
	if (!list)
		return error_set(error, -ENOMEM, "no memory");
	read->groups.list = list;
	for (; !err && child; child = element_named(child->next, "group")) {
		struct drmperf_metric_group *next = &list[read->groups.count];

		if (!is_for_device(read, child))
			continue;
		err = read_group(read, child, next, error);
		if (!err && next->event_count)
			read->groups.count++;
	}
	return err;
}

int
drmperf_metric_groups_create(struct drmperf_device *device,
			     struct drmperf_metric_groups **out,
			     struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct read_groups *read = calloc(1, sizeof(*read));
	int err;

	if (!read)
		return error_set(error, -ENOMEM, "no memory");
	err = device_table_open(&read->in, device, "groups", error);
	if (!err && read->in.table)
		err = read_table(read, error);
	if (err)
		drmperf_metric_groups_destroy(&read->groups);
	else
		*out = &read->groups;
	return err;
}

void
drmperf_metric_groups_destroy(struct drmperf_metric_groups *groups)
{
	struct read_groups *read = (struct read_groups *)groups;

	if (read)
		device_table_close(&read->in);
	free(read);
}
