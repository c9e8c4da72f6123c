/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric groups: tables DRIVER/groups.xml of events by what they tell of.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cancellation.h"
#include "base/error.h"
#include "device/any_event.h"
#include "device/device.h"
#include "drmperf.h"
#include "table/table.h"

/* What the caller gets, and what it lies in. */
struct read_groups {
	struct drmperf_metric_groups groups; /* the first */
	struct table *table; /* or NULL; names and descriptions */
	struct arena *arena; /* lists */
};

/* Room for one more than there are elements of this name; NULL: no memory. */
static void *
room_for(struct read_groups *read, const struct element *element,
	 const char *name, size_t size)
{
	size_t count = 1;

	for (element = element_named(element, name); element;
	     element = element_named(element->next, name))
		count++;
	return arena_alloc(read->arena, count * size);
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
read_events(struct drmperf_device *device, struct read_groups *read,
	    const struct element *element, struct drmperf_metric_group *group,
	    struct drmperf_error *error)
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

		err = element_text(read->table, child, "any", &names, error);
		if (!err)
			err = any_event_find(device, names, &event, error);
		if (!err && !has_event(group, event))
			events[group->event_count++] = event;
		if (err == -ENOENT)
			err = 0;
	}
	return err;
}

static int
read_group(struct drmperf_device *device, struct read_groups *read,
	   const struct element *element, struct drmperf_metric_group *group,
	   struct drmperf_error *error)
{
	int err;

	*group = (struct drmperf_metric_group){ .event_count = 0 };
	err = element_text(read->table, element, "name", &group->name, error);
	if (!err)
		err = element_text(read->table, element, "description",
				   &group->description, error);
	return err ? err : read_events(device, read, element, group, error);
}

static int
read_table(struct drmperf_device *device, struct read_groups *read,
	   struct drmperf_error *error)
{
	const struct element *root = read->table->root;
	const struct element *child = element_named(root->child, "group");
	struct drmperf_metric_group *list =
		room_for(read, child, "group", sizeof(*list));
	int err = 0;

	if (strcmp(root->name, "metric-groups"))
		return element_error(read->table, root, error,
				     "is no table of metric groups");
	if (!list)
		return error_set(error, -ENOMEM, "no memory");
	read->groups.list = list;
	for (; !err && child; child = element_named(child->next, "group")) {
		struct drmperf_metric_group *next = &list[read->groups.count];

		err = read_group(device, read, child, next, error);
		if (!err && next->event_count)
			read->groups.count++;
	}
	return err;
}

static int
read_groups(struct drmperf_device *device, struct read_groups *read,
	    struct drmperf_error *error)
{
	int err;

	read->arena = arena_create();
	if (!read->arena)
		return error_set(error, -ENOMEM, "no memory");
	err = table_find(&device->target.tables, device->target.driver,
			 "groups", &read->table, error);
	if (err == -ENOENT)
		return 0;
	return err ? err : read_table(device, read, error);
}

int
drmperf_metric_groups_create(struct drmperf_device *device,
			     struct drmperf_metric_groups **out,
			     struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct read_groups *read;
	int err;

	err = drmperf_device_open(device, error);
	if (err)
		return err;
	read = calloc(1, sizeof(*read));
	if (!read)
		return error_set(error, -ENOMEM, "no memory");
	err = read_groups(device, read, error);
	if (err) {
		drmperf_metric_groups_destroy(&read->groups);
		return err;
	}
	*out = &read->groups;
	return 0;
}

void
drmperf_metric_groups_destroy(struct drmperf_metric_groups *groups)
{
	struct read_groups *read = (struct read_groups *)groups;

	if (!read)
		return;
	table_destroy(read->table);
	arena_destroy(read->arena);
	free(read);
}
