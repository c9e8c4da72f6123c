/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/selection_list.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "util/array.h"
#include "util/held_clocks.h"

static bool
same_selection(const struct drmperf_selection *a,
	       const struct drmperf_selection *b)
{
	return a->event == b->event && a->instance == b->instance;
}

size_t
selection_list_index(const struct selection_list *choice,
		     const struct drmperf_selection *selection)
{
	size_t i = 0;

	while (i < choice->count &&
	       !same_selection(&choice->selections[i], selection))
		i++;
	return i;
}

int
selection_list_add(struct selection_list *choice,
		   const struct drmperf_selection *selection)
{
	struct drmperf_selection *added;

	if (selection_list_index(choice, selection) < choice->count)
		return 0;
	added = array_add(&choice->selections, &choice->count, sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = *selection;
	return 0;
}

bool
selection_list_has_device(const struct selection_list *choice,
			  const struct drmperf_device *device)
{
	for (size_t i = 0; i < choice->count; i++) {
		if (drmperf_event_device(choice->selections[i].event) == device)
			return true;
	}
	return false;
}

void
selection_list_finish(struct selection_list *choice)
{
	free(choice->selections);
	memset(choice, 0, sizeof(*choice));
}

const char *
selection_name(const struct drmperf_selection *selection, const char *prefix,
	       char text[NAME_SIZE])
{
	size_t length = strlen(prefix);

	memcpy(text, prefix, length + 1);
	drmperf_selection_name(selection, text + length, NAME_SIZE - length);
	return text;
}

int
selection_list_refuse(const struct tool *tool,
		      const struct selection_list *choice,
		      bool (*is_wrong)(const struct drmperf_selection *),
		      const char *complaint, const char *cure)
{
	char name[NAME_SIZE];
	size_t i = 0;

	while (i < choice->count && !is_wrong(&choice->selections[i]))
		i++;
	if (i == choice->count)
		return 0;
	tool_fail(tool, "%s %s",
		  selection_name(&choice->selections[i], "", name), complaint);
	if (cure)
		fprintf(stderr, "try: %s\n", cure);
	return TOOL_FAILED;
}

void
selection_event_name(const struct drmperf_event *event, char text[NAME_SIZE])
{
	const struct drmperf_selection selection = {
		.event = event, .instance = DRMPERF_ALL_INSTANCES
	};

	selection_name(&selection, "", text);
}

bool
selection_is_of_cpus(const struct drmperf_selection *selection)
{
	const struct drmperf_device *device =
		drmperf_event_device(selection->event);

	return !strcmp(drmperf_device_driver(device), "cpu");
}

bool
selection_is_of_own_files(const struct drmperf_selection *selection)
{
	return drmperf_event_scope(selection->event) == DRMPERF_SCOPE_PROCESS &&
	       !selection_is_of_cpus(selection);
}

const char *
selection_papi_prefix(const struct drmperf_selection *selection)
{
	return selection_is_of_cpus(selection) ? "" : "drm:::";
}

const char *
selection_cube_name(const struct tool *tool,
		    const struct drmperf_selection *selection,
		    char text[NAME_SIZE])
{
	const char *prefix = selection_papi_prefix(selection);
	struct drmperf_selection found;

	selection_name(selection, prefix, text);
	for (char *at = text; (at = strpbrk(at, ".-"));)
		*at = '_';
	if (drmperf_event_find(tool->drmperf, text + strlen(prefix), &found,
			       NULL) ||
	    found.event != selection->event ||
	    found.instance != selection->instance)
		selection_name(selection, prefix, text);
	return text;
}

void
selection_list_drop_equal_signs(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++) {
		if (*from != '=')
			*to++ = *from;
	}
	*to = '\0';
}

void
selection_list_print_high_level(FILE *out, char *name, bool adds_up,
				bool *was_instant)
{
	if (adds_up) {
		fprintf(out, "%s%s", name,
			*was_instant && !strchr(name, '=') ? "=delta" : "");
	} else {
		selection_list_drop_equal_signs(name);
		fprintf(out, "%s=instant", name);
	}
	*was_instant = !adds_up;
}

/*
 * A pattern and the qualifiers behind it. As with plain names, no device means
 * the first one of a driver, and no instance all of them together; "*" means
 * each of them.
 */
struct pattern {
	char *glob;
	bool has_driver; /* else it is matched against GROUP.COUNTER */
	long device;
	long die, instance;
};

enum {
	FIRST_DEVICE = -1,
	SUM_OF_DIES = -1,
	SUM_OF_INSTANCES = -2,
	EACH = -3,
};

static bool
read_qualifier(const char *text, const char *key, long *out)
{
	size_t length = strlen(key);
	char *end;

	if (strncmp(text, key, length))
		return false;
	if (!strcmp(text + length, "*")) {
		*out = EACH;
		return true;
	}
	*out = strtol(text + length, &end, 10);
	return isdigit((unsigned char)text[length]) && !*end && *out <= INT_MAX;
}

/* Cut ":device=N", ":die=D" and ":instance=I" off the end of the glob. */
static void
split_qualifiers(struct pattern *pattern)
{
	char *colon;

	pattern->device = FIRST_DEVICE;
	pattern->die = SUM_OF_DIES;
	pattern->instance = SUM_OF_INSTANCES;
	while ((colon = strrchr(pattern->glob, ':'))) {
		if (!read_qualifier(colon, ":device=", &pattern->device) &&
		    !read_qualifier(colon, ":die=", &pattern->die) &&
		    !read_qualifier(colon, ":instance=", &pattern->instance))
			return;
		*colon = '\0';
	}
}

/* Add instances on a die, or on all of them together. */
static int
add_instances(const struct pattern *pattern, const struct drmperf_event *event,
	      long die, struct selection_list *choice, size_t *found)
{
	struct drmperf_selection selection = { .event = event };
	long count = (long)drmperf_event_instances(event);
	long first = pattern->instance, last = first;

	if (first == SUM_OF_INSTANCES) {
		first = last = DRMPERF_ALL_INSTANCES;
	} else if (first == EACH) {
		first = 0;
		last = count - 1;
	} else if (first >= count) {
		return 0;
	}
	for (long i = first; i <= last; i++) {
		selection.instance = (int)i;
		if (die != SUM_OF_DIES)
			selection.instance =
				DRMPERF_INSTANCE_ON_DIE((int)die, (int)i);
		if (selection_list_add(choice, &selection))
			return -ENOMEM;
		++*found;
	}
	return 0;
}

static int
add_dies(const struct pattern *pattern, const struct drmperf_event *event,
	 struct selection_list *choice, size_t *found)
{
	long count = (long)drmperf_event_dies(event);
	long first = pattern->die, last = first;
	int ret = 0;

	if (first == EACH) {
		first = 0;
		last = count - 1;
	} else if (first >= count) {
		return 0;
	}
	for (long die = first; die <= last && !ret; die++)
		ret = add_instances(pattern, event, die, choice, found);
	return ret;
}

static int
add_matching(const struct pattern *pattern, struct drmperf_device *device,
	     struct selection_list *choice, size_t *found)
{
	const struct drmperf_event *event;
	int ret = 0;

	for (size_t i = 0; !ret && (event = drmperf_event_at(device, i)); i++) {
		const char *name = drmperf_event_name(event);

		if (!pattern->has_driver)
			name = strstr(name, "::") + 2;
		if (!fnmatch(pattern->glob, name, FNM_CASEFOLD))
			ret = add_dies(pattern, event, choice, found);
	}
	return ret;
}

/*
 * Check that no GPU before this one has what a pattern without a device means:
 * found of them have, by their numbers. The first of each driver counts.
 */
static bool
is_first_found(const struct tool *tool, const bool *found, unsigned index)
{
	const char *driver =
		drmperf_device_driver(drmperf_device_at(tool->drmperf, index));

	for (unsigned i = 0; i < index; i++) {
		if (found[i] &&
		    !strcmp(driver, drmperf_device_driver(drmperf_device_at(
					    tool->drmperf, i))))
			return false;
	}
	return true;
}

/*
 * Return whether a device may match. Devices that the pattern cannot mean stay
 * asleep.
 */
static bool
may_match(const struct tool *tool, const struct pattern *pattern,
	  const bool *found, unsigned index)
{
	const char *driver =
		drmperf_device_driver(drmperf_device_at(tool->drmperf, index));
	size_t length = strlen(driver);
	size_t plain = strcspn(pattern->glob, "*?[\\");

	if (pattern->device == FIRST_DEVICE
		    ? !is_first_found(tool, found, index)
		    : pattern->device != EACH && pattern->device != (long)index)
		return false;
	return !pattern->has_driver ||
	       !strncasecmp(pattern->glob, driver,
			    plain < length ? plain : length);
}

/* NOTHING_MATCHES leaves the complaint to the caller. */
#define NOTHING_MATCHES (-1)

static int
choose_pattern(const struct tool *tool, const char *item,
	       struct selection_list *choice)
{
	struct pattern pattern = { .glob = strdup(item) };
	unsigned count = drmperf_device_count(tool->drmperf);
	bool *has = calloc(count + 1, sizeof(*has));
	struct drmperf_error error = { 0 };
	size_t found = 0;
	int status = 0;

	if (!pattern.glob || !has) {
		free(pattern.glob);
		free(has);
		return tool_fail(tool, "no memory");
	}
	split_qualifiers(&pattern);
	pattern.has_driver = strstr(pattern.glob, "::");
	for (unsigned i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);
		size_t before = found;

		if (!may_match(tool, &pattern, has, i) ||
		    drmperf_device_open(device, &error))
			continue;
		if (add_matching(&pattern, device, choice, &found)) {
			status = tool_fail(tool, "no memory");
			break;
		}
		has[i] = found > before;
	}
	free(pattern.glob);
	free(has);
	if (status || found)
		return status;
	return error.code ? tool_complain(tool, &error) : NOTHING_MATCHES;
}

/* Write the name with ":device=N" behind it, before what else follows a ':'. */
static void
name_device(const char *item, unsigned index, char text[NAME_SIZE])
{
	const char *name = strstr(item, "::");
	size_t length;

	name = name ? name + 2 : item;
	length = (size_t)(name - item) + strcspn(name, ":");
	snprintf(text, NAME_SIZE, "%.*s:device=%u%s", (int)length, item, index,
		 item + length);
}

/*
 * Choose by a name in any spelling with ":device=*", ":die=*" or ":instance=*",
 * and no pattern.
 */
static int
choose_each_device(const struct tool *tool, struct pattern *pattern,
		   struct selection_list *choice, struct drmperf_error *error)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	struct drmperf_selection selection;
	char name[NAME_SIZE];
	size_t found = 0;

	error->code = 0;
	if (pattern->device == FIRST_DEVICE) {
		if (!drmperf_event_find(tool->drmperf, pattern->glob,
					&selection, error) &&
		    add_dies(pattern, selection.event, choice, &found))
			return tool_fail(tool, "no memory");
		return found ? 0 : NOTHING_MATCHES;
	}
	for (unsigned i = 0; i < count; i++) {
		struct drmperf_error *first = error->code ? NULL : error;

		if (pattern->device != EACH && pattern->device != (long)i)
			continue;
		name_device(pattern->glob, i, name);
		if (!drmperf_event_find(tool->drmperf, name, &selection,
					first) &&
		    add_dies(pattern, selection.event, choice, &found))
			return tool_fail(tool, "no memory");
	}
	return found ? 0 : NOTHING_MATCHES;
}

/*
 * Choose a qualified item. Returns NOTHING_MATCHES, with an error, if the item
 * is not of that kind, too.
 */
static int
choose_qualified(const struct tool *tool, const char *item,
		 struct selection_list *choice, struct drmperf_error *error)
{
	struct pattern pattern = { .glob = strdup(item) };
	int status = NOTHING_MATCHES;

	if (!pattern.glob)
		return tool_fail(tool, "no memory");
	split_qualifiers(&pattern);
	if (!strpbrk(pattern.glob, "*?[") &&
	    strlen(item) + sizeof(":device=4294967295") <= NAME_SIZE)
		status = choose_each_device(tool, &pattern, choice, error);
	free(pattern.glob);
	return status;
}

/*
 * Choose a sum. ROCm's users write SQ_LEVEL_WAVES,SQ_ACCUM_PREV_HIRES: the sum
 * of what stands before it in the list. Returns whether that is meant and could
 * be done.
 */
static bool
choose_sum(const struct tool *tool, const char *item,
	   struct drmperf_selection *selection,
	   const struct selection_list *choice)
{
	static const char summing[] = "ACCUM_PREV_HIRES";
	size_t length = strlen(item), n = sizeof(summing) - 1;
	char name[NAME_SIZE + 16];

	if (!choice->count || length < n ||
	    strcasecmp(item + length - n, summing))
		return false;
	selection_name(&choice->selections[choice->count - 1], "", name);
	strcat(name, ":accumulate");
	return !drmperf_event_find(tool->drmperf, name, selection, NULL);
}

/*
 * Return the name with the device of -d, unless the name has one itself. What
 * may stand behind the name, ":instance=3", terms of PMUs, stays behind.
 */
static const char *
add_device(const struct tool *tool, const char *item, char text[NAME_SIZE])
{
	const char *name = strstr(item, "::");

	name = name ? name + 2 : item;
	if (!tool->device || strstr(name, ":device") || strchr(name, '/') ||
	    strlen(item) + sizeof(":device=4294967295") > NAME_SIZE)
		return item;
	name_device(item, drmperf_device_index(tool->device), text);
	return text;
}

/*
 * Choose "cycles" as in perf, and what has a name in full, whatever -d tells.
 * The error is replaced where CPUs cannot be counted, unless it is a GPU's
 * name.
 */
static bool
choose_of_cpus(const struct tool *tool, const char *item,
	       struct drmperf_selection *selection, struct drmperf_error *error)
{
	struct drmperf_error own;
	char name[NAME_SIZE];
	int ret;

	if (strpbrk(item, "*?[") || strlen(item) + 7 > sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%s%s",
		 strstr(item, "::") ? "" : "perf::", item);
	ret = drmperf_event_find(tool->drmperf, name, selection, &own);
	if (ret == -ENOTSUP && !strchr(item, '.'))
		*error = own;
	return !ret && selection_is_of_cpus(selection);
}

static int
choose_item_once(const struct tool *tool, const char *item,
		 struct selection_list *choice)
{
	struct drmperf_selection selection;
	struct drmperf_error error;
	char text[NAME_SIZE];
	const char *name;
	int status = NOTHING_MATCHES;

	name = add_device(tool, item, text);
	/* "TCC_HIT[3]" is a name */
	if (!drmperf_event_find(tool->drmperf, name, &selection, &error) ||
	    choose_sum(tool, item, &selection, choice) ||
	    choose_of_cpus(tool, item, &selection, &error)) {
		if (selection_list_add(choice, &selection))
			return tool_fail(tool, "no memory");
		return 0;
	}
	if (strchr(item, '*'))
		status = choose_qualified(tool, name, choice, &error);
	if (status == NOTHING_MATCHES && strpbrk(item, "*?["))
		status = choose_pattern(tool, name, choice);
	if (status != NOTHING_MATCHES)
		return status;
	if (!strpbrk(item, "*?"))
		return tool_complain(tool, &error);
	tool_fail(tool, "no event matches \"%s\"", item);
	fputs("try: drmperf list, which shows all events\n", stderr);
	return TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* Several GPUs                                                         */

static bool
has_bit(const struct tool *tool, unsigned index)
{
	return index < TOOL_MOST_DEVICES &&
	       tool->devices[index / 64] >> index % 64 & 1;
}

static unsigned
count_bits(const struct tool *tool)
{
	unsigned count = 0;

	for (unsigned i = 0; i < TOOL_MOST_DEVICES / 64; i++)
		count += (unsigned)__builtin_popcountll(tool->devices[i]);
	return count;
}

bool
choose_means(const struct tool *tool, const struct drmperf_device *device)
{
	if (tool->device)
		return device == tool->device;
	return !count_bits(tool) || has_bit(tool, drmperf_device_index(device));
}

bool
choose_means_several(const struct tool *tool)
{
	return !tool->device && count_bits(tool);
}

/*
 * Return whether the name may mean an event of the device, as far as its driver
 * shows.
 */
static bool
may_be_of(const struct drmperf_device *device, const char *item)
{
	const char *driver = drmperf_device_driver(device);
	size_t length = strlen(driver);

	return !strstr(item, "::") ||
	       (!strncasecmp(item, driver, length) &&
		!strncmp(item + length, "::", 2));
}

int
choose_note_several(const struct tool *tool,
		    const struct selection_list *choice, size_t first)
{
	const struct drmperf_selection *list = choice->selections;
	bool several = false;

	for (size_t i = first; i < choice->count; i++)
		several |= drmperf_event_device(list[i].event) !=
			   drmperf_event_device(list[first].event);
	for (size_t i = first; several && i < choice->count; i++) {
		if (selection_list_add(tool->automatic, &list[i]))
			return tool_fail(tool, "no memory");
	}
	return 0;
}

/*
 * Prefer the spelling. Names are found in any case, but one that is spelled so
 * is meant first.
 */
static void
prefer_spelling(const char *item, struct selection_list *choice, size_t first)
{
	size_t exact = first;

	for (size_t i = first; i < choice->count; i++) {
		if (strstr(drmperf_event_name(choice->selections[i].event),
			   item))
			choice->selections[exact++] = choice->selections[i];
	}
	if (exact > first)
		choice->count = exact;
}

/* Choose an item of each device. Devices that cannot be meant stay asleep. */
static int
choose_item_of_each(const struct tool *tool, const char *item,
		    struct selection_list *choice, bool *found)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	const size_t first = choice->count;
	struct drmperf_selection selection;
	struct tool one = *tool;
	char text[NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		one.device = drmperf_device_at(tool->drmperf, i);
		if (!choose_means(tool, one.device) ||
		    !may_be_of(one.device, item) ||
		    drmperf_event_find(tool->drmperf,
				       add_device(&one, item, text), &selection,
				       NULL) ||
		    (tool->automatic &&
		     !drmperf_event_may_count(selection.event)))
			continue;
		*found = true;
		if (selection_list_add(choice, &selection))
			return tool_fail(tool, "no memory");
	}
	if (!tool->automatic)
		return 0;
	prefer_spelling(item, choice, first);
	return choose_note_several(tool, choice, first);
}

/* Return whether counters of the GPU may be counted, or at least be opened. */
static bool
may_count_any(struct drmperf_device *device)
{
	return !drmperf_device_open(device, NULL) &&
	       !drmperf_device_status(device, NULL);
}

/*
 * Choose the events that a pattern without a device means on each GPU of -d, or
 * on all.
 */
static int
choose_pattern_of_each(const struct tool *tool, const char *item,
		       struct selection_list *choice)
{
	unsigned count = drmperf_device_count(tool->drmperf);
	size_t before = choice->count;
	char text[NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_device_at(tool->drmperf, i);
		int status;

		if (!choose_means(tool, device) || !may_be_of(device, item))
			continue;
		if (tool->automatic && !may_count_any(device))
			continue;
		name_device(item, i, text);
		status = choose_pattern(tool, text, choice);
		if (status && status != NOTHING_MATCHES)
			return status;
	}
	if (choice->count == before)
		return NOTHING_MATCHES;
	return tool->automatic ? choose_note_several(tool, choice, before) : 0;
}

static int
choose_item_everywhere(const struct tool *tool, const char *item,
		       struct selection_list *choice)
{
	struct tool one = choose_one(tool); /* its device complains */
	bool found = false;
	int status;

	if (!strncmp(item, "drm:::", 6))
		item += 6;
	for (unsigned i = 0; choose_means_several(&one); i++) {
		if (has_bit(tool, i))
			one.device = drmperf_device_at(tool->drmperf, i);
	}
	if (tool->device || strstr(item, ":device"))
		return choose_item_once(tool, item, choice);
	status = choose_item_of_each(tool, item, choice, &found);
	if (status || found)
		return status;
	if (!strpbrk(item, "*?[") ||
	    strlen(item) + sizeof(":device=4294967295") > NAME_SIZE)
		return choose_item_once(&one, item, choice);
	status = choose_pattern_of_each(tool, item, choice);
	return status == NOTHING_MATCHES ? choose_item_once(&one, item, choice)
					 : status;
}

static int
choose_item(const struct tool *tool, const char *item,
	    struct selection_list *choice)
{
	if (choose_means_several(tool))
		return choose_item_everywhere(tool, item, choice);
	if (!strncmp(item, "drm:::", 6))
		item += 6;
	return choose_item_once(tool, item, choice);
}

/* Function that chooses the events of one part of a list. */
typedef int (*choose_fn)(const struct tool *tool, const char *item,
			 struct selection_list *choice);

static int
choose_list(const struct tool *tool, const char *list, choose_fn choose,
	    struct selection_list *choice)
{
	char *copy = strdup(list), *rest = copy, *item;
	int status = 0;

	if (!copy)
		return tool_fail(tool, "no memory");
	while (!status && (item = strsep(&rest, SELECTION_SEPARATORS))) {
		if (*item)
			status = choose(tool, item, choice);
	}
	free(copy);
	if (!status && !choice->count)
		return tool_usage_error(tool, "the list of events is empty");
	return status;
}

int
choose_events(const struct tool *tool, const char *list,
	      struct selection_list *choice)
{
	return choose_list(tool, list, choose_item, choice);
}

int
choose_events_everywhere(const struct tool *tool, const char *list,
			 struct selection_list *choice)
{
	return choose_list(tool, list, choose_item_everywhere, choice);
}

/*
 * Parse "0000:03:00.0", which is the first partition too, or "0000:03:00.0/3"
 */
static bool
has_address(const struct drmperf_device *device, const char *text)
{
	const char *address = drmperf_device_address(device);
	const int partition = drmperf_device_partition(device);
	const size_t length = strcspn(text, "/");
	char *end = NULL;

	if (!strncmp(address, "0000:", 5) && length == strlen(address) - 5)
		address += 5;
	if (strlen(address) != length || strncasecmp(address, text, length))
		return false;
	if (!text[length])
		return partition <= 0;
	return isdigit((unsigned char)text[length + 1]) &&
	       strtol(text + length + 1, &end, 10) == partition && !*end;
}

static struct drmperf_device *
find_address(const struct tool *tool, const char *text)
{
	struct drmperf_device *device;

	for (unsigned i = 0; (device = drmperf_device_at(tool->drmperf, i));
	     i++) {
		if (has_address(device, text))
			return device;
	}
	return NULL;
}

/* Return "renderD128" of a device whose node that is, or "card0" of its GPU. */
static struct drmperf_device *
find_node(const struct tool *tool, const char *text)
{
	static const char folder[] = "/dev/dri/";
	struct drmperf_device *device;
	char path[64], target[256];
	const char *slash;
	ssize_t length;

	if (!strncmp(text, folder, strlen(folder)))
		text += strlen(folder);
	if (strchr(text, '/') || strlen(text) > 20)
		return NULL;
	for (unsigned i = 0; (device = drmperf_device_at(tool->drmperf, i));
	     i++) {
		const char *node = drmperf_device_node(device);

		if (!strncmp(node, folder, strlen(folder)) &&
		    !strcmp(node + strlen(folder), text))
			return device;
	}
	snprintf(path, sizeof(path), "/sys/class/drm/%s/device", text);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0 || strncmp(text, "card", 4))
		return NULL;
	target[length] = '\0';
	slash = strrchr(target, '/');
	return find_address(tool, slash ? slash + 1 : target);
}

struct drmperf_device *
choose_device(const struct tool *tool, const char *text)
{
	struct drmperf_device *device;
	unsigned long index;
	char *end;

	index = strtoul(text, &end, 10);
	if (isdigit((unsigned char)*text) && !*end)
		return index > UINT_MAX ? NULL
					: drmperf_device_at(tool->drmperf,
							    (unsigned)index);
	device = find_address(tool, text);
	return device ? device : find_node(tool, text);
}

int
choose_option_device(struct tool *tool, const char *text, void *device)
{
	struct drmperf_device *found = choose_device(tool, text);

	*(struct drmperf_device **)device = found;
	return found ? 0 : tool_fail(tool, "there is no device \"%s\"", text);
}

static int
add_own_device(struct tool *tool, const char *text)
{
	unsigned count = drmperf_device_count(tool->drmperf), first, end;
	const struct drmperf_device *device = choose_device(tool, text);

	if (!device && strcmp(text, "all"))
		return tool_fail(tool, "there is no device \"%s\"", text);
	if (!count)
		return tool_fail_no_gpu(tool);
	first = device ? drmperf_device_index(device) : 0;
	end = device ? first + 1 : count;
	if (end > TOOL_MOST_DEVICES)
		return tool_fail(tool, "-d takes the first %u devices",
				 TOOL_MOST_DEVICES);
	for (unsigned i = first; i < end; i++)
		tool->devices[i / 64] |= UINT64_C(1) << i % 64;
	return 0;
}

int
choose_own_device(struct tool *tool, const char *text, void *unused)
{
	char *copy = strdup(text), *rest = copy, *item;
	unsigned count = drmperf_device_count(tool->drmperf), i = 0;
	int status = 0;

	(void)unused;
	if (!copy)
		return tool_fail(tool, "no memory");
	while (!status && (item = strsep(&rest, ",")))
		status = add_own_device(tool, item);
	free(copy);
	while (i < count && !has_bit(tool, i))
		i++;
	tool->device = !status && count_bits(tool) == 1
			       ? drmperf_device_at(tool->drmperf, i)
			       : NULL;
	return status;
}

void
choose_automatically(struct tool *tool, struct selection_list *several)
{
	unsigned count = drmperf_device_count(tool->drmperf);

	if (tool->device || count_bits(tool) || count < 2 ||
	    count > TOOL_MOST_DEVICES)
		return;
	tool->automatic = several;
	for (unsigned i = 0; i < count; i++)
		tool->devices[i / 64] |= UINT64_C(1) << i % 64;
}

struct tool
choose_one(const struct tool *tool)
{
	struct tool one = *tool;

	if (one.automatic)
		memset(one.devices, 0, sizeof(one.devices));
	one.automatic = NULL;
	return one;
}

void
choose_leave_clocks(struct tool *tool)
{
	unsigned count = drmperf_device_count(tool->drmperf);

	for (unsigned i = 0; tool->automatic && i < count; i++) {
		if (held_clocks_expected(drmperf_device_at(tool->drmperf, i)))
			tool->devices[i / 64] &= ~(UINT64_C(1) << i % 64);
	}
	if (count_bits(tool) < 2)
		*tool = choose_one(tool);
}

void
choose_settle(struct tool *tool)
{
	if (tool->automatic && !tool->automatic->count)
		*tool = choose_one(tool);
}

int
choose_device_of_program(struct tool *tool, const char *text, void *unused)
{
	const struct drmperf_device *device = choose_device(tool, text);
	char name[TOOL_PLACE_SIZE], partition[16] = "";

	if (!device)
		return tool_fail(tool, "there is no device \"%s\"", text);
	if (drmperf_device_partition(device) > 0)
		snprintf(partition, sizeof(partition), "/%d",
			 drmperf_device_partition(device));
	snprintf(name, sizeof(name), "%s%s", drmperf_device_address(device),
		 partition);
	return setenv("DRMPERF_GPU", name, 1)
		       ? tool_fail(tool, "no memory")
		       : choose_own_device(tool, text, unused);
}
