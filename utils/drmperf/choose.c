/* SPDX-License-Identifier: BSD-3-Clause */
#include "choose.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool
same_selection(const struct drmperf_selection *a,
	       const struct drmperf_selection *b)
{
	return a->event == b->event && a->instance == b->instance;
}

int
choice_add(struct choice *choice, const struct drmperf_selection *selection)
{
	struct drmperf_selection *selections = choice->selections;

	for (size_t i = 0; i < choice->count; i++) {
		if (same_selection(&selections[i], selection))
			return 0;
	}
	if (choice->count == choice->capacity) {
		size_t capacity = choice->capacity * 2 + 16;

		selections =
			reallocarray(selections, capacity, sizeof(*selections));
		if (!selections)
			return -ENOMEM;
		choice->selections = selections;
		choice->capacity = capacity;
	}
	choice->selections[choice->count++] = *selection;
	return 0;
}

void
choice_finish(struct choice *choice)
{
	free(choice->selections);
	memset(choice, 0, sizeof(*choice));
}

const char *
choice_name(const struct drmperf_selection *selection, const char *prefix,
	    char text[NAME_SIZE])
{
	size_t length = strlen(prefix);

	memcpy(text, prefix, length + 1);
	drmperf_selection_name(selection, text + length, NAME_SIZE - length);
	return text;
}

/* A pattern and the qualifiers behind it. */
struct pattern {
	char *glob;
	long device; /* or -1: all */
	long instance; /* or DRMPERF_ALL_INSTANCES */
};

static bool
read_qualifier(const char *text, const char *key, long *out)
{
	size_t length = strlen(key);
	char *end;

	if (strncmp(text, key, length))
		return false;
	*out = strtol(text + length, &end, 10);
	return end != text + length && !*end && *out >= 0 && *out <= INT_MAX;
}

/* Cut ":device=N" and ":instance=I" off the end of the glob. */
static void
split_qualifiers(struct pattern *pattern)
{
	char *colon;

	pattern->device = -1;
	pattern->instance = DRMPERF_ALL_INSTANCES;
	while ((colon = strrchr(pattern->glob, ':'))) {
		if (!read_qualifier(colon, ":device=", &pattern->device) &&
		    !read_qualifier(colon, ":instance=", &pattern->instance))
			return;
		*colon = '\0';
	}
}

static int
add_matching(const struct pattern *pattern, struct drmperf_device *device,
	     struct choice *choice, size_t *found)
{
	size_t count = drmperf_event_count(device);
	struct drmperf_selection selection = { .instance =
						       (int)pattern->instance };

	for (size_t i = 0; i < count; i++) {
		selection.event = drmperf_event_at(device, i);
		if (fnmatch(pattern->glob, drmperf_event_name(selection.event),
			    0))
			continue;
		if (selection.instance >=
		    (int)drmperf_event_instances(selection.event))
			continue;
		if (choice_add(choice, &selection))
			return -ENOMEM;
		++*found;
	}
	return 0;
}

/* Devices whose driver the pattern may mean; others stay asleep. */
static bool
may_match(const struct pattern *pattern, const struct drmperf_device *device)
{
	const char *driver = drmperf_device_driver(device);
	size_t length = strlen(driver);
	size_t plain = strcspn(pattern->glob, "*?[\\");

	if (pattern->device >= 0 &&
	    (unsigned)pattern->device != drmperf_device_index(device))
		return false;
	return !strncmp(pattern->glob, driver, plain < length ? plain : length);
}

static int
choose_pattern(const struct tool *tool, const char *item, struct choice *choice)
{
	struct pattern pattern = { .glob = strdup(item) };
	struct drmperf_error error = { 0 };
	size_t found = 0;
	int status = 0;

	if (!pattern.glob)
		return tool_fail(tool, "no memory");
	split_qualifiers(&pattern);
	for (unsigned i = 0; i < drmperf_device_count(tool->drmperf); i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);

		if (!may_match(&pattern, device))
			continue;
		if (drmperf_device_open(device, &error))
			continue;
		if (add_matching(&pattern, device, choice, &found)) {
			status = tool_fail(tool, "no memory");
			break;
		}
	}
	free(pattern.glob);
	if (status || found)
		return status;
	if (error.code)
		return tool_complain(tool, &error);
	tool_fail(tool, "no event matches \"%s\"", item);
	fputs("remedy: drmperf list shows all events\n", stderr);
	return TOOL_FAILED;
}

static int
choose_item(const struct tool *tool, const char *item, struct choice *choice)
{
	struct drmperf_selection selection;
	struct drmperf_error error;

	if (!strncmp(item, "drm:::", 6))
		item += 6;
	if (!drmperf_event_find(tool->drmperf, item, &selection, &error)) {
		if (choice_add(choice, &selection))
			return tool_fail(tool, "no memory");
		return 0;
	}
	if (strpbrk(item, "*?["))
		return choose_pattern(tool, item, choice);
	return tool_complain(tool, &error);
}

int
choose_events(const struct tool *tool, const char *list, struct choice *choice)
{
	char *copy = strdup(list), *rest = copy, *item;
	int status = 0;

	if (!copy)
		return tool_fail(tool, "no memory");
	while (!status && (item = strsep(&rest, ","))) {
		item += strspn(item, " \t\n");
		item[strcspn(item, " \t\n")] = '\0';
		if (*item)
			status = choose_item(tool, item, choice);
	}
	free(copy);
	if (!status && !choice->count)
		return tool_fail(tool, "the list of events is empty");
	return status;
}
