/* SPDX-License-Identifier: BSD-3-Clause */
#include "metric_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "passes.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* Whose groups                                                         */

/* 0, or the exit status after a complaint. */
static int
read_first(const struct tool *tool, struct drmperf_metric_groups **out)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	struct drmperf_error first = { .code = 0 }, error;

	for (unsigned i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (tool->device && device != tool->device)
			continue;
		if (drmperf_metric_groups_create(device, out, &error)) {
			if (!first.code)
				first = error;
			continue;
		}
		if ((*out)->count)
			return 0;
		drmperf_metric_groups_destroy(*out);
	}
	if (first.code)
		return tool_complain(tool, &first);
	return tool_fail(tool, "%s",
			 count ? "this GPU has no metric groups: name events "
				 "with -e"
			       : "this machine has no supported GPU");
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

static int
complain_of_name(const struct tool *tool,
		 const struct drmperf_metric_groups *groups, const char *name)
{
	char names[400] = "";
	size_t length = 0;

	for (size_t i = 0; i < groups->count && length < sizeof(names); i++)
		length += (size_t)snprintf(names + length,
					   sizeof(names) - length, "%s%s",
					   i ? ", " : "", groups->list[i].name);
	return tool_fail(tool, "this GPU has no metric group \"%s\"; it has %s",
			 name, names);
}

/* ------------------------------------------------------------------ */
/* Counting them                                                        */

/* Groups that go into what is wanted. */
struct addition {
	const struct tool *tool;
	struct wanted *wanted;
	const char *hint; /* what helps where there is no room, or NULL */
	struct choice taken; /* and what was wanted before */
	struct choice omitted; /* has no room */
	bool nobody_asked; /* so what would be refused is left out */
	bool has_command;
	const struct drmperf_event *refused; /* one of those, or NULL */
};

/* Of one die of several, and thus refused without DRMPERF_DIES. */
static bool
is_refused(const struct drmperf_event *event)
{
	const char *dies = secure_getenv("DRMPERF_DIES");

	return drmperf_group_dies(drmperf_event_group(event)) > 1 &&
	       (!dies || !*dies);
}

static int
add_event(struct addition *addition, const struct drmperf_event *event)
{
	const struct choice one = {
		.selections =
			&(struct drmperf_selection){
				.event = event,
				.instance = DRMPERF_ALL_INSTANCES },
		.count = 1,
	};
	size_t before = addition->taken.count;

	if (addition->nobody_asked && is_refused(event)) {
		addition->refused = event;
		return 0;
	}
	if (choice_add(&addition->taken, one.selections))
		return -ENOMEM;
	if (!addition->hint ||
	    passes_fit(addition->tool, &addition->taken, NULL))
		return wanted_add_choice(addition->wanted, &one);
	addition->taken.count = before;
	return choice_add(&addition->omitted, one.selections);
}

static int
add_group(struct addition *addition, const struct drmperf_metric_group *group)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < group->event_count; i++)
		ret = add_event(addition, group->events[i]);
	return ret ? tool_fail(addition->tool, "no memory") : 0;
}

static void
tell_omitted(const struct addition *addition)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < addition->omitted.count; i++)
		tool_warn(addition->tool,
			  "%s is left out: it does not fit beside the others "
			  "(%s)",
			  choice_name(&addition->omitted.selections[i], "",
				      name),
			  addition->hint);
}

static int
add_named(struct addition *addition, const char *names,
	  const struct drmperf_metric_groups *groups)
{
	const struct choice *before = &addition->wanted->choice;
	char *copy = strdup(names), *rest = copy;
	char *name = copy ? strtok_r(copy, CHOICE_SEPARATORS, &rest) : NULL;
	int status = 0;

	if (!copy)
		return tool_fail(addition->tool, "no memory");
	if (!name)
		status = tool_usage_error(addition->tool,
					  "-M takes names of metric groups");
	for (size_t i = 0; !status && i < before->count; i++) {
		if (choice_add(&addition->taken, &before->selections[i]))
			status = tool_fail(addition->tool, "no memory");
	}
	for (; !status && name;
	     name = strtok_r(NULL, CHOICE_SEPARATORS, &rest)) {
		const struct drmperf_metric_group *group =
			find_group(groups, name);

		status = group ? add_group(addition, group)
			       : complain_of_name(addition->tool, groups, name);
	}
	free(copy);
	return status;
}

/* What the kernel tells of the GPU, in the place of counters. */
static int
add_told(struct addition *addition)
{
	static const char *const told[] = {
		"sensor.gpu-load",
		"sensor.gfx-mclk",
		"sensor.vram-usage",
		"fdinfo.engine-compute",
		"fdinfo.memory-vram",
	};
	const struct drmperf_device *device =
		drmperf_event_device(addition->refused);
	struct drmperf_selection selection;
	char name[NAME_SIZE];
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(told); i++) {
		snprintf(name, sizeof(name), "%s::%s:device=%u",
			 drmperf_device_driver(device), told[i],
			 drmperf_device_index(device));
		if (!drmperf_event_find(addition->tool->drmperf, name,
					&selection, NULL) &&
		    (addition->has_command ||
		     drmperf_event_scope(selection.event) !=
			     DRMPERF_SCOPE_PROCESS))
			ret = add_event(addition, selection.event);
	}
	if (ret)
		return tool_fail(addition->tool, "no memory");
	tool_warn(addition->tool,
		  "counters of GPU %u are left out: each would be that of one "
		  "die, of up to %u (DRMPERF_DIES=one counts one; in the "
		  "compute partition mode CPX each die is a device)",
		  drmperf_device_index(device),
		  drmperf_group_dies(drmperf_event_group(addition->refused)));
	return 0;
}

static int
add_to(struct addition *addition, const char *names)
{
	struct drmperf_metric_groups *groups;
	int status;

	status = read_first(addition->tool, &groups);
	if (status)
		return status;
	status = add_named(addition, names, groups);
	if (!status && addition->refused)
		status = add_told(addition);
	if (!status)
		tell_omitted(addition);
	choice_finish(&addition->taken);
	choice_finish(&addition->omitted);
	drmperf_metric_groups_destroy(groups);
	return status;
}

int
metric_groups_add(const struct tool *tool, const char *names, const char *hint,
		  struct wanted *wanted)
{
	struct addition addition = { .tool = tool,
				     .wanted = wanted,
				     .hint = hint };

	return add_to(&addition, names);
}

int
metric_groups_add_default(const struct tool *tool, const char *hint,
			  bool has_command, struct wanted *wanted)
{
	struct addition addition = { .tool = tool,
				     .wanted = wanted,
				     .hint = hint,
				     .nobody_asked = true,
				     .has_command = has_command };

	return add_to(&addition, METRIC_GROUPS_DEFAULT);
}

/* ------------------------------------------------------------------ */
/* Listing them                                                         */

static void
print_event(const struct tool *tool, const struct drmperf_metric_group *group,
	    const struct drmperf_event *event)
{
	const char *unit = drmperf_unit_name(drmperf_event_unit(event));
	char *own = tool_description(event);
	const char *description = own ? own : drmperf_event_description(event);
	char name[NAME_SIZE];

	choice_event_name(event, name);
	if (tool->terminal) {
		printf("  %s  %s\n", name, unit);
		tool_print_wrapped(tool, description, 6, false);
	} else {
		printf("%s\t%s\t%s\t%s\n", group->name, name, unit,
		       description);
	}
	free(own);
}

static void
print_group(const struct tool *tool, const struct drmperf_metric_group *group)
{
	if (tool->terminal)
		printf("%s: %s\n", group->name, group->description);
	for (size_t i = 0; i < group->event_count; i++)
		print_event(tool, group, group->events[i]);
}

static void
write_group(struct json *out, const struct drmperf_metric_group *group)
{
	char name[NAME_SIZE];

	json_open(out, NULL, '{');
	json_text(out, "name", group->name);
	json_text(out, "description", group->description);
	json_open(out, "events", '[');
	for (size_t i = 0; i < group->event_count; i++) {
		choice_event_name(group->events[i], name);
		json_text(out, NULL, name);
	}
	json_close(out, ']');
	json_close(out, '}');
}

/* How many groups were shown, or -1 after a complaint. */
static int
list_device(const struct tool *tool, struct drmperf_device *device,
	    const char *name, struct json *out)
{
	struct drmperf_metric_groups *groups;
	struct drmperf_error error;
	int shown = 0;

	if (drmperf_metric_groups_create(device, &groups, &error)) {
		tool_complain(tool, &error);
		return -1;
	}
	if (out) {
		json_open(out, NULL, '{');
		json_uint(out, "index", drmperf_device_index(device));
		json_text(out, "chip", drmperf_device_chip(device));
		json_open(out, "metric_groups", '[');
	}
	for (size_t i = 0; i < groups->count; i++) {
		const struct drmperf_metric_group *group = &groups->list[i];

		if (name && strcmp(group->name, name))
			continue;
		shown++;
		if (out)
			write_group(out, group);
		else
			print_group(tool, group);
	}
	if (out) {
		json_close(out, ']');
		json_close(out, '}');
	}
	drmperf_metric_groups_destroy(groups);
	return shown;
}

int
metric_groups_list(const struct tool *tool, const char *name, bool json)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	struct json out = { .out = stdout };
	bool failed = false, any = false;

	if (json)
		json_open(&out, NULL, '[');
	for (unsigned i = 0; i < count; i++) {
		int shown =
			list_device(tool, drmperf_device_at(tool->drmperf, i),
				    name, json ? &out : NULL);

		failed |= shown < 0;
		any |= shown > 0;
	}
	if (json) {
		json_close(&out, ']');
		putchar('\n');
	}
	if (!count)
		return tool_fail(tool, "this machine has no supported GPU");
	if (failed)
		return TOOL_FAILED;
	if (any)
		return 0;
	return tool_fail(tool, "no GPU has a metric group \"%s\"",
			 name ? name : "");
}
