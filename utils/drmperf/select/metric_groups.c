/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/metric_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "select/passes.h"
#include "util/json.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* Choice of a GPU by groups                                            */

static const struct drmperf_metric_group *
find_group(const struct drmperf_metric_groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (!strcasecmp(groups->list[i].name, name))
			return &groups->list[i];
	}
	return NULL;
}

/* The fitness of a GPU's groups; the first of the best GPUs is taken. */
enum fitness {
	FITNESS_NO_GROUPS,
	FITNESS_OTHER_GROUPS, /* not all that are asked for */
	FITNESS_HAS_THEM, /* but may not count them */
	FITNESS_MAY_COUNT,
};

static bool
may_count(const struct drmperf_metric_group *group)
{
	for (size_t i = 0; i < group->event_count; i++) {
		if (!drmperf_event_may_count(group->events[i]))
			return false;
	}
	return true;
}

static enum fitness
judge_groups(const struct drmperf_metric_groups *groups, const char *names)
{
	enum fitness fitness =
		groups->count ? FITNESS_MAY_COUNT : FITNESS_NO_GROUPS;

	while (groups->count &&
	       *(names += strspn(names, SELECTION_SEPARATORS))) {
		size_t length = strcspn(names, SELECTION_SEPARATORS);
		char name[NAME_SIZE];
		const struct drmperf_metric_group *group;

		snprintf(name, sizeof(name), "%.*s", (int)length, names);
		group = find_group(groups, name);
		names += length;
		if (!group)
			return FITNESS_OTHER_GROUPS;
		if (!may_count(group))
			fitness = FITNESS_HAS_THEM;
	}
	return fitness;
}

/*
 * Return whether the node was refused: then there is only what the kernel
 * reports, but counters are wanted.
 */
static bool
is_refused_device(const struct drmperf_device *device)
{
	int code = drmperf_device_status(device, NULL);

	return code == -EACCES || code == -EPERM;
}

/*
 * Read the groups of the first GPU of the tool's that has the names and may
 * count them, or of the one that comes nearest to that. 0, or the exit status
 * after a complaint.
 */
static int
read_groups_of_first_gpu(const struct tool *tool, const char *names,
			 struct drmperf_metric_groups **out,
			 const struct drmperf_device **out_device)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	struct drmperf_error first = { .code = 0 }, error;
	enum fitness best = FITNESS_NO_GROUPS;

	*out = NULL;
	for (unsigned i = 0; i < count && best < FITNESS_MAY_COUNT; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);
		struct drmperf_metric_groups *groups;
		enum fitness fitness;

		if (!choose_means(tool, device))
			continue;
		if (drmperf_metric_groups_create(device, &groups, &error)) {
			if (!first.code)
				first = error;
			continue;
		}
		fitness = judge_groups(groups, names);
		if (fitness == FITNESS_MAY_COUNT && is_refused_device(device))
			fitness = FITNESS_HAS_THEM;
		if (fitness <= best) {
			drmperf_metric_groups_destroy(groups);
			continue;
		}
		drmperf_metric_groups_destroy(*out);
		*out = groups;
		*out_device = device;
		best = fitness;
	}
	if (*out)
		return 0;
	if (first.code)
		return tool_complain(tool, &first);
	return count ? tool_fail(tool, "this GPU has no metric groups: name "
				       "events with -e")
		     : tool_fail_no_gpu(tool);
}

static int
complain_of_name(const struct tool *tool, const struct drmperf_device *device,
		 const struct drmperf_metric_groups *groups, const char *name)
{
	char names[400] = "", chip[TOOL_CHIP_SIZE];
	size_t length = 0;

	for (size_t i = 0; i < groups->count && length < sizeof(names); i++)
		length += (size_t)snprintf(names + length,
					   sizeof(names) - length, "%s%s",
					   i ? ", " : "", groups->list[i].name);
	tool_fail(tool, "GPU %u, %s, has no metric group \"%s\"; it has %s",
		  drmperf_device_index(device), tool_chip(device, chip), name,
		  names);
	if (!strcasecmp(name, "roofline"))
		fputs("cause: this GPU has no counters of floating-point "
		      "operations by type whose amounts are known\ntry: -M "
		      "compute, which shows how busy its units are, -M memory "
		      "what goes to memory\n",
		      stderr);
	if (drmperf_device_count(tool->drmperf) > 1)
		fputs("try: -d, which chooses another GPU\n", stderr);
	return TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* Counting them                                                        */

/* Groups that go into what is wanted. */
struct addition {
	const struct tool *tool;
	struct event_request *wanted;
	const char *hint; /* what helps where there is no room, or NULL */
	struct selection_list taken; /* and what was wanted before */
	struct selection_list omitted; /* has no room */
	bool nobody_asked; /* so what would be refused is left out */
	bool has_command;
	const struct drmperf_event *refused; /* one of those, or NULL */
};

/*
 * Return whether the event is of one die of several, and thus refused without
 * DRMPERF_DIES.
 */
static bool
is_refused(const struct drmperf_event *event)
{
	const char *dies = secure_getenv("DRMPERF_DIES");

	return drmperf_group_dies(drmperf_event_group(event)) > 1 &&
	       (!dies || !*dies);
}

static void
warn_of_own_files(const struct tool *tool,
		  const struct drmperf_selection *selection)
{
	char name[NAME_SIZE];

	tool_warn(tool,
		  "%s is left out: it would be the GPU use of drmperf itself "
		  "(drmperf stat counts that of a command)",
		  selection_name(selection, "", name));
}

static int
add_event(struct addition *addition, const struct drmperf_event *event)
{
	const struct selection_list one = {
		.selections =
			&(struct drmperf_selection){
				.event = event,
				.instance = DRMPERF_ALL_INSTANCES },
		.count = 1,
	};
	size_t before = addition->taken.count;

	if (addition->wanted->of_whole_gpu &&
	    selection_is_of_own_files(one.selections)) {
		warn_of_own_files(addition->tool, one.selections);
		return 0;
	}
	if (addition->nobody_asked && is_refused(event)) {
		addition->refused = event;
		return 0;
	}
	if (selection_list_add(&addition->taken, one.selections))
		return -ENOMEM;
	if (!addition->hint ||
	    passes_fit(addition->tool, &addition->taken, NULL))
		return event_request_add_choice(addition->wanted, &one);
	addition->taken.count = before;
	return selection_list_add(&addition->omitted, one.selections);
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
report_omitted(const struct addition *addition)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < addition->omitted.count; i++)
		tool_warn(addition->tool,
			  "%s is left out: it does not fit together with the "
			  "others (%s)",
			  selection_name(&addition->omitted.selections[i], "",
					 name),
			  addition->hint);
}

static int
add_named(struct addition *addition, const char *names,
	  const struct drmperf_device *device,
	  const struct drmperf_metric_groups *groups)
{
	const struct selection_list *before = &addition->wanted->choice;
	char *copy = strdup(names), *rest = copy;
	char *name = copy ? strtok_r(copy, SELECTION_SEPARATORS, &rest) : NULL;
	int status = 0;

	if (!copy)
		return tool_fail(addition->tool, "no memory");
	if (!name)
		status = tool_usage_error(addition->tool,
					  "-M takes names of metric groups");
	for (size_t i = 0; !status && i < before->count; i++) {
		if (selection_list_add(&addition->taken,
				       &before->selections[i]))
			status = tool_fail(addition->tool, "no memory");
	}
	for (; !status && name;
	     name = strtok_r(NULL, SELECTION_SEPARATORS, &rest)) {
		const struct drmperf_metric_group *group =
			find_group(groups, name);

		status = group ? add_group(addition, group)
			       : complain_of_name(addition->tool, device,
						  groups, name);
	}
	free(copy);
	return status;
}

/* Add values of the GPU that the kernel provides, in place of counters. */
static int
add_kernel_values(struct addition *addition)
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
add_group_events(struct addition *addition, const char *names)
{
	struct drmperf_metric_groups *groups = NULL;
	const struct drmperf_device *device = NULL;
	int status;

	status = read_groups_of_first_gpu(addition->tool, names, &groups,
					  &device);
	if (status)
		return status;
	status = add_named(addition, names, device, groups);
	if (!status && addition->refused)
		status = add_kernel_values(addition);
	if (!status)
		report_omitted(addition);
	selection_list_finish(&addition->taken);
	selection_list_finish(&addition->omitted);
	drmperf_metric_groups_destroy(groups);
	return status;
}

/* Return whether the groups of the tool's GPU may all be counted. */
static bool
may_count_groups(const struct tool *tool, const char *names)
{
	struct drmperf_device *device = drmperf_device_at(
		tool->drmperf, drmperf_device_index(tool->device));
	struct drmperf_metric_groups *groups;
	bool may;

	if (drmperf_metric_groups_create(device, &groups, NULL))
		return false;
	may = judge_groups(groups, names) == FITNESS_MAY_COUNT &&
	      !is_refused_device(device);
	drmperf_metric_groups_destroy(groups);
	return may;
}

static int
add_group_of_first_gpu(const struct addition *like, const char *names)
{
	const struct tool one = choose_one(like->tool);
	struct addition addition = *like;

	addition.tool = &one;
	return add_group_events(&addition, names);
}

/*
 * Add the groups of each GPU that is meant, or else of one. If the GPUs were
 * not chosen, those are meant whose groups may be counted.
 */
static int
add_to_each(const struct addition *like, const char *names)
{
	const struct tool *tool = like->tool;
	unsigned count = drmperf_device_count(tool->drmperf);
	const size_t first = like->wanted->choice.count;
	struct tool one = *tool;
	bool any = false;
	int status = 0;

	if (!choose_means_several(tool))
		return add_group_of_first_gpu(like, names);
	for (unsigned i = 0; !status && i < count; i++) {
		struct addition addition = *like;

		addition.tool = &one;
		one.device = drmperf_device_at(tool->drmperf, i);
		if (choose_means(tool, one.device) &&
		    (!tool->automatic || may_count_groups(&one, names))) {
			status = add_group_events(&addition, names);
			any = true;
		}
		one.device = NULL;
	}
	if (!any)
		return add_group_of_first_gpu(like, names);
	if (!status && tool->automatic)
		status = choose_note_several(tool, &like->wanted->choice,
					     first);
	return status;
}

int
metric_groups_add(const struct tool *tool, const char *names, const char *hint,
		  struct event_request *wanted)
{
	const struct addition addition = { .tool = tool,
					   .wanted = wanted,
					   .hint = hint };

	return add_to_each(&addition, names);
}

int
metric_groups_add_default(const struct tool *tool, const char *hint,
			  bool has_command, struct event_request *wanted)
{
	const struct addition addition = { .tool = tool,
					   .wanted = wanted,
					   .hint = hint,
					   .nobody_asked = true,
					   .has_command = has_command };

	return add_to_each(&addition, METRIC_GROUPS_DEFAULT);
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

	selection_event_name(event, name);
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
		selection_event_name(group->events[i], name);
		json_text(out, NULL, name);
	}
	json_close(out, ']');
	json_close(out, '}');
}

/* Return the number of groups shown, or -1 after a complaint. */
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

		if (name && strcasecmp(group->name, name))
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
		return tool_fail_no_gpu(tool);
	if (failed)
		return TOOL_FAILED;
	if (any)
		return 0;
	return tool_fail(tool, "no GPU has a metric group \"%s\"",
			 name ? name : "");
}
