/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/counters.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "select/passes.h"

#define MOST_GROUPS 64

int
top_counters_add(char **list, const char *names)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", *list ? *list : "", *list ? "," : "",
		     names) < 0)
		return -ENOMEM;
	free(*list);
	*list = joined;
	return 0;
}

void
top_counters_finish(struct top_counters *counters)
{
	free(counters->events);
	free(counters->groups);
	free(counters->done);
	selection_list_finish(&counters->chosen);
}

/* ------------------------------------------------------------------ */
/* GPUs to look at                                                      */

/* Return the number behind ":device=" or ":device"; -1 if there is none. */
static long
device_number(const char *item)
{
	const char *text = strstr(item, ":device");

	if (!text)
		return -1;
	text += strlen(":device");
	text += *text == '=';
	return isdigit((unsigned char)*text) ? atol(text) : -1;
}

/* Return whether looking for a name would open this GPU. */
static bool
may_mean(const struct tool *tool, const char *item,
	 struct drmperf_device *device)
{
	const char *driver = drmperf_device_driver(device);
	const char *colons;
	long number = device_number(item);

	if (!strncmp(item, "drm:::", 6))
		item += 6;
	colons = strstr(item, "::");
	if (number >= 0)
		return (unsigned long)number == drmperf_device_index(device);
	if (tool->device)
		return device == tool->device;
	if (!colons || strpbrk(item, "*?["))
		return true;
	return strlen(driver) == (size_t)(colons - item) &&
	       !strncmp(item, driver, strlen(driver)) &&
	       drmperf_device_default(tool->drmperf, driver) == device;
}

static bool
would_wake(const struct top_counters *counters, const struct top_model *model)
{
	char *copy = strdup(counters->events), *rest = copy, *item;
	bool would = !copy;

	while (!would && (item = strsep(&rest, SELECTION_SEPARATORS))) {
		for (unsigned i = 0; i < model->device_count; i++)
			would |= *item && model->devices[i].asleep &&
				 may_mean(model->tool, item,
					  model->devices[i].device);
	}
	free(copy);
	return would;
}

/*
 * Return whether the groups of the device can be known, and those events that
 * are its own.
 */
static bool
is_ready(const struct top_counters *counters, const struct top_device *device)
{
	return !counters->done[drmperf_device_index(device->device)] &&
	       device->open && !device->asleep;
}

static bool
events_due(const struct top_counters *counters, const struct top_model *model)
{
	return counters->events && !counters->events_known &&
	       !would_wake(counters, model);
}

bool
top_counters_due(const struct top_counters *counters,
		 const struct top_model *model)
{
	if (!counters->events && !counters->groups)
		return false;
	if (events_due(counters, model))
		return true;
	for (unsigned i = 0; i < model->device_count; i++) {
		if (is_ready(counters, &model->devices[i]))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static int
find_events(struct top_counters *counters, const struct top_model *model)
{
	const struct selection_list *chosen = &counters->chosen;
	char name[NAME_SIZE];
	int status =
		choose_events(model->tool, counters->events, &counters->chosen);

	for (size_t i = 0; !status && i < chosen->count; i++) {
		const struct drmperf_device *device =
			drmperf_event_device(chosen->selections[i].event);

		if (drmperf_device_index(device) >= model->device_count)
			status =
				tool_fail(model->tool,
					  "%s is of the CPUs: drmperf stat "
					  "counts it",
					  selection_name(&chosen->selections[i],
							 "", name));
	}
	if (!status)
		status = selection_list_refuse(
			model->tool, chosen, selection_is_of_own_files,
			"would be the GPU use of drmperf itself",
			"drmperf top without it, which lists all processes");
	counters->events_known = !status;
	/* next to the groups, which may be counted already */
	memset(counters->done, 0,
	       model->device_count * sizeof(*counters->done));
	return status;
}

static int
add_events(const struct top_counters *counters, const struct top_device *device,
	   struct selection_list *out)
{
	for (size_t i = 0; i < counters->chosen.count; i++) {
		const struct drmperf_selection *selection =
			&counters->chosen.selections[i];

		if (drmperf_event_device(selection->event) == device->device &&
		    selection_list_add(out, selection))
			return -ENOMEM;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Groups                                                               */

/* Note a group that is not counted, and the reason. */
static void
note_left_out(struct top_device *device, const char *name, const char *why)
{
	size_t length = strlen(device->left_out);

	snprintf(device->left_out + length, sizeof(device->left_out) - length,
		 "%s%s: %s", length ? "; " : "", name, why);
}

static int
add_event(const struct tool *tool, struct top_device *device,
	  const struct drmperf_event *event, struct selection_list *out)
{
	const struct drmperf_selection selection = {
		.event = event, .instance = DRMPERF_ALL_INSTANCES
	};
	size_t before = out->count;

	/* the use of all processes is in rows of its own */
	if (selection_is_of_own_files(&selection))
		return 0;
	if (selection_list_add(out, &selection))
		return -ENOMEM;
	if (passes_fit(tool, out, NULL))
		return 0;
	out->count = before;
	note_left_out(device, strstr(drmperf_event_name(event), "::") + 2,
		      "it does not fit together with the other counters");
	return 0;
}

static int
add_group(const struct tool *tool, struct top_device *device,
	  const struct drmperf_metric_group *group, struct selection_list *out)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < group->event_count; i++)
		ret = add_event(tool, device, group->events[i], out);
	return ret;
}

static const struct drmperf_metric_group *
find_group(const struct drmperf_metric_groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (!strcmp(groups->list[i].name, name))
			return &groups->list[i];
	}
	return NULL;
}

/* Add the groups of the list that the GPU has. */
static int
add_named(struct top_counters *counters, const struct tool *tool,
	  struct top_device *device, const struct drmperf_metric_groups *groups,
	  struct selection_list *out)
{
	char *copy = strdup(counters->groups), *rest = copy, *name;
	unsigned place = 0;
	int ret = copy ? 0 : -ENOMEM;

	while (!ret && (name = strsep(&rest, SELECTION_SEPARATORS))) {
		const struct drmperf_metric_group *group =
			find_group(groups, name);

		if (group && place < MOST_GROUPS)
			counters->found |= (uint64_t)1 << place;
		if (group)
			ret = add_group(tool, device, group, out);
		else
			note_left_out(
				device, name,
				"this GPU has no metric group of this name");
		place++;
	}
	free(copy);
	return ret;
}

static int
add_groups(struct top_counters *counters, const struct tool *tool,
	   struct top_device *device, struct selection_list *out)
{
	struct drmperf_metric_groups *groups;
	struct drmperf_error error;
	int ret;

	device->left_out[0] = '\0';
	if (!counters->groups)
		return 0;
	ret = drmperf_metric_groups_create(device->device, &groups, &error);
	if (ret == -ENOMEM)
		return ret;
	if (ret) {
		note_left_out(device, "metric groups", error.cause);
		return 0;
	}
	ret = add_named(counters, tool, device, groups, out);
	drmperf_metric_groups_destroy(groups);
	return ret;
}

/* Refuse a name that no GPU has, once no GPU sleeps that might have it. */
static int
check_groups(const struct top_counters *counters, const struct top_model *model)
{
	char *copy, *rest, *name;
	unsigned place = 0;
	int status = 0;

	for (unsigned i = 0; i < model->device_count; i++) {
		if (!counters->done[i])
			return 0;
	}
	copy = rest = counters->groups ? strdup(counters->groups) : NULL;
	while (!status && (name = strsep(&rest, SELECTION_SEPARATORS))) {
		if (place < MOST_GROUPS && !(counters->found >> place & 1))
			status = tool_fail(model->tool,
					   "no GPU has a metric group \"%s\": "
					   "drmperf list -M shows them",
					   name);
		place++;
	}
	free(copy);
	return status;
}

/* ------------------------------------------------------------------ */

static int
update_device(struct top_counters *counters, struct top_model *model,
	      struct top_device *device)
{
	struct selection_list choice = { 0 };
	int status = 0;

	if (add_events(counters, device, &choice) ||
	    add_groups(counters, model->tool, device, &choice))
		status = tool_fail(model->tool, "no memory");
	if (!status)
		status = top_model_count(model, device, &choice);
	selection_list_finish(&choice);
	counters->done[drmperf_device_index(device->device)] = true;
	return status;
}

int
top_counters_update(struct top_counters *counters, struct top_model *model)
{
	int status = 0;

	if (events_due(counters, model))
		status = find_events(counters, model);
	for (unsigned i = 0; !status && i < model->device_count; i++) {
		if (is_ready(counters, &model->devices[i]))
			status = update_device(counters, model,
					       &model->devices[i]);
	}
	return status ? status : check_groups(counters, model);
}
