/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf list: what can be counted.
 */
#include "util/command.h"

#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "select/aliases.h"
#include "select/event_sets.h"
#include "select/metric_groups.h"
#include "select/selection_list.h"
#include "util/json.h"
#include "util/pager.h"

/* Descriptions get a column of their own if there is that much room. */
#define LEAST_COLUMN 30

struct list_columns {
	size_t name, unit;
};

struct listing {
	const struct tool *tool;
	char *const *patterns; /* up to NULL */
	/* for each of them, what stat -e counts of the device by it, or NULL */
	const struct drmperf_event **meant;
	bool groups_only;
	bool metric_groups; /* in place of events */
	bool all; /* events of each metric set, too */
	bool by_words; /* of each pattern */
	bool each_once; /* of the device */
	bool json;
	const struct event_sets *sets; /* of the device */
	size_t shown;
	struct json out;
};

static const char *
kind_name(enum drmperf_kind kind)
{
	switch (kind) {
	case DRMPERF_KIND_CUMULATIVE:
		return "cumulative";
	case DRMPERF_KIND_AVERAGE:
		return "average";
	case DRMPERF_KIND_MOMENTARY:
		return "momentary";
	}
	return "";
}

/* Return a copy in which '_' and '-' are '.': ROCm's SQ_WAVES is SQ.WAVES. */
static const char *
name_respell(const char *name, char text[NAME_SIZE])
{
	snprintf(text, NAME_SIZE, "%s", name);
	for (char *at = text; (at = strpbrk(at, "_-")); at++)
		*at = '.';
	return text;
}

static bool
name_matches(const char *pattern, const char *name)
{
	const char *behind_driver = strstr(name, "::") + 2;

	return !fnmatch(pattern, name, FNM_CASEFOLD) ||
	       !fnmatch(pattern, behind_driver, FNM_CASEFOLD) ||
	       strcasestr(name, pattern);
}

/*
 * Return whether an event matches a pattern. A pattern may be a glob over the
 * name, with or without driver and device, or just a part of it or of the
 * description, in any case.
 */
static bool
event_matches_one(const struct drmperf_event *event, const char *pattern)
{
	char name[NAME_SIZE], respelled[NAME_SIZE], other[NAME_SIZE];

	selection_event_name(event, name);
	if (name_matches(pattern, name) ||
	    name_matches(pattern, drmperf_event_name(event)) ||
	    strcasestr(drmperf_event_description(event), pattern))
		return true;
	/* in brackets a '-' is another thing */
	return !strchr(pattern, '[') &&
	       name_matches(name_respell(pattern, other),
			    name_respell(name, respelled));
}

static bool
event_matches_word(const struct drmperf_event *event, const char *word)
{
	const char *const *other = aliases_of(word);

	if (event_matches_one(event, word))
		return true;
	for (; other && *other; other++) {
		if (event_matches_one(event, *other))
			return true;
	}
	return false;
}

/* Return whether the event matches each word of a pattern like "cache hit". */
static bool
event_matches_words(const struct drmperf_event *event, const char *pattern)
{
	char words[NAME_SIZE], *rest;
	const char *word;

	if (strlen(pattern) >= sizeof(words))
		return false;
	strcpy(words, pattern);
	word = strtok_r(words, " ", &rest);
	while (word && event_matches_word(event, word))
		word = strtok_r(NULL, " ", &rest);
	return !word;
}

/* Return whether the event matches all of the patterns. */
static bool
event_matches(const struct listing *listing, const struct drmperf_event *event)
{
	for (size_t i = 0; listing->patterns[i]; i++) {
		const char *pattern = listing->patterns[i];

		if (event != listing->meant[i] &&
		    !(listing->by_words ? event_matches_words(event, pattern)
					: event_matches_word(event, pattern)))
			return false;
	}
	return true;
}

/*
 * Return whether words are needed. Patterns are phrases, but their words where
 * no event has the phrase.
 */
static bool
needs_words(struct listing *listing, const struct drmperf_device *device)
{
	const struct drmperf_event *event;
	size_t i = 0;

	listing->by_words = false;
	while (listing->patterns[i] && !strchr(listing->patterns[i], ' '))
		i++;
	if (!listing->patterns[i])
		return false;
	for (i = 0; (event = drmperf_event_at(device, i)); i++) {
		if (event_matches(listing, event))
			return false;
	}
	return true;
}

/*
 * Return whether an event is shown. Events of metric sets are left to those of
 * any set that has them, unless the patterns mean a set.
 */
static bool
is_shown(const struct listing *listing, const struct drmperf_event *event)
{
	return event_matches(listing, event) &&
	       !(listing->each_once && event_sets_common(listing->sets, event));
}

/* Return whether a pattern matches an event of any set. */
static bool
means_common(const struct listing *listing, const struct drmperf_device *device)
{
	const struct drmperf_event *event;

	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++)
		if (event_sets_is_common(drmperf_event_group(event)) &&
		    event_matches(listing, event))
			return true;
	return false;
}

static bool
group_matches(const struct listing *listing,
	      const struct drmperf_device *device,
	      const struct drmperf_group *group)
{
	size_t first = drmperf_group_first_event(group);
	size_t end = first + drmperf_group_event_count(group);

	for (size_t i = first; i < end; i++) {
		if (is_shown(listing, drmperf_event_at(device, i)))
			return true;
	}
	return false;
}

#define BOLD "\033[1m"
#define GREEN "\033[32m"
#define DIM "\033[2m"
#define PLAIN "\033[0m"

static const char *
style_code(const struct tool *tool, const char *code)
{
	return tool->colour ? code : "";
}

/* Add the number of dies that can be named, if there are any. */
static int
add_dies(const struct drmperf_device *device,
	 const struct drmperf_group *group, char *text, size_t size)
{
	const struct drmperf_event *event = drmperf_event_at(
		device, drmperf_group_first_event(group));
	unsigned dies = 0;

	if (drmperf_group_event_count(group) && event)
		dies = drmperf_event_dies(event);
	return dies ? snprintf(text, size, ", summed over %u dies", dies) : 0;
}

static void
describe_limits(const struct drmperf_device *device,
		const struct drmperf_group *group, char *text, size_t size)
{
	unsigned instances = drmperf_group_instances(group);
	unsigned most = drmperf_group_max_active(group);
	size_t events = drmperf_group_event_count(group);
	int length = 0;

	if (!most) /* what they are made of decides */
		length = snprintf(text, size, "%zu events", events);
	else if (most >= events)
		length = snprintf(text, size, "all %zu at once", events);
	else
		length =
			snprintf(text, size, "%u of %zu at once", most, events);
	if (instances > 1 && length > 0 && (size_t)length < size)
		length += snprintf(text + length, size - (size_t)length,
				   ", %u instances", instances);
	if (length > 0 && (size_t)length < size)
		length += add_dies(device, group, text + length,
				   size - (size_t)length);
	if (drmperf_group_is_exclusive(group) && length > 0 &&
	    (size_t)length < size)
		length += snprintf(text + length, size - (size_t)length,
				   ", one group of %s at a time",
				   drmperf_group_domain(group));
	if (events && length > 0 && (size_t)length < size &&
	    drmperf_event_scope(drmperf_event_at(
		    device, drmperf_group_first_event(group))) ==
		    DRMPERF_SCOPE_QUEUE)
		snprintf(text + length, size - (size_t)length,
			 ", sees queues that allow it");
}

static void
print_group(const struct listing *listing, const struct drmperf_device *device,
	    const struct drmperf_group *group)
{
	const struct tool *tool = listing->tool;
	char limits[160];

	describe_limits(device, group, limits, sizeof(limits));
	if (!tool->terminal) {
		if (listing->groups_only)
			printf("%s::%s:device=%u\t%u\t%u\t%zu\t%s\n",
			       drmperf_device_driver(device),
			       drmperf_group_name(group),
			       drmperf_device_index(device),
			       drmperf_group_max_active(group),
			       drmperf_group_instances(group),
			       drmperf_group_event_count(group),
			       drmperf_group_description(group));
		return;
	}
	printf("\n%s%s%s  (%s)\n", style_code(tool, BOLD),
	       drmperf_group_name(group), style_code(tool, PLAIN), limits);
	tool_print_wrapped(tool, drmperf_group_description(group), 4, false);
}

/* Return the widths of the columns of a group's events. */
static struct list_columns
listing_measure(const struct listing *listing,
		const struct drmperf_device *device,
		const struct drmperf_group *group)
{
	size_t first = drmperf_group_first_event(group);
	size_t end = first + drmperf_group_event_count(group);
	struct list_columns columns = { 0 };

	for (size_t i = first; i < end; i++) {
		const struct drmperf_event *event = drmperf_event_at(device, i);
		char name[NAME_SIZE];
		size_t length;

		if (!is_shown(listing, event))
			continue;
		selection_event_name(event, name);
		length = strlen(name);
		if (length > columns.name)
			columns.name = length;
		length = strlen(drmperf_unit_name(drmperf_event_unit(event)));
		if (length > columns.unit)
			columns.unit = length;
	}
	return columns;
}

static void
print_described(const struct listing *listing,
		const struct drmperf_event *event,
		const struct list_columns *columns, const char *description)
{
	const struct tool *tool = listing->tool;
	const char *unit = drmperf_unit_name(drmperf_event_unit(event));
	size_t indent = 2 + columns->name + 2 + columns->unit + 2;
	char name[NAME_SIZE];

	selection_event_name(event, name);
	if (!tool->terminal) {
		printf("%s\t%s\t%s\n", name, unit, description);
		return;
	}
	printf("  %s%-*s%s  %s%-*s%s", style_code(tool, GREEN),
	       (int)columns->name, name, style_code(tool, PLAIN),
	       style_code(tool, DIM), (int)columns->unit, unit,
	       style_code(tool, PLAIN));
	if (indent + LEAST_COLUMN > tool->width) {
		putchar('\n');
		tool_print_wrapped(tool, description, 6, false);
	} else {
		fputs("  ", stdout);
		tool_print_wrapped(tool, description, indent, true);
	}
}

/* Print an event, with the metric sets that have it, if only some do. */
static void
print_event(const struct listing *listing, const struct drmperf_event *event,
	    const struct list_columns *columns)
{
	char *description = tool_description(event), *sets = NULL, *text = NULL;

	if (!event_sets_describe(listing->sets, event, &sets) && sets &&
	    description && asprintf(&text, "%s%s", description, sets) < 0)
		text = NULL;
	print_described(listing, event, columns,
			text	      ? text
			: description ? description
				      : drmperf_event_description(event));
	free(text);
	free(sets);
	free(description);
}

static void
write_sets(struct listing *listing, const struct drmperf_event *event)
{
	const struct drmperf_group *const *groups;
	size_t count = event_sets_of(listing->sets, event, &groups);

	if (!count)
		return;
	json_open(&listing->out, "sets", '[');
	for (size_t i = 0; i < count; i++)
		json_text(&listing->out, NULL, drmperf_group_name(groups[i]));
	json_close(&listing->out, ']');
}

static void
write_event(struct listing *listing, const struct drmperf_event *event)
{
	struct json *out = &listing->out;
	char name[NAME_SIZE];

	selection_event_name(event, name);
	json_open(out, NULL, '{');
	json_text(out, "name", name);
	json_text(out, "description", drmperf_event_description(event));
	json_text(out, "unit", drmperf_unit_name(drmperf_event_unit(event)));
	json_text(out, "type",
		  drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE ? "double"
								   : "uint64");
	json_text(out, "kind", kind_name(drmperf_event_kind(event)));
	json_text(out, "scope", tool_scope_name(drmperf_event_scope(event)));
	json_uint(out, "instances", drmperf_event_instances(event));
	if (drmperf_event_dies(event))
		json_uint(out, "dies", drmperf_event_dies(event));
	json_bool(out, "metric", drmperf_event_is_metric(event));
	write_sets(listing, event);
	json_close(out, '}');
}

static void
write_group_head(struct json *out, const struct drmperf_group *group)
{
	json_open(out, NULL, '{');
	json_text(out, "name", drmperf_group_name(group));
	json_text(out, "description", drmperf_group_description(group));
	json_text(out, "domain", drmperf_group_domain(group));
	json_bool(out, "exclusive", drmperf_group_is_exclusive(group));
	json_uint(out, "max_active", drmperf_group_max_active(group));
	json_uint(out, "instances", drmperf_group_instances(group));
	if (drmperf_group_dies(group) > 1)
		json_uint(out, "dies", drmperf_group_dies(group));
	json_uint(out, "event_count", drmperf_group_event_count(group));
}

static bool
is_named(const struct listing *listing, const struct drmperf_event *event)
{
	for (size_t i = 0; listing->patterns[i]; i++) {
		if (listing->meant[i] == event)
			return true;
	}
	return false;
}

/* List the events of a group that patterns name, or all its other events. */
static void
list_some_events(struct listing *listing, const struct drmperf_device *device,
		 const struct drmperf_group *group,
		 const struct list_columns *columns, bool meant)
{
	size_t first = drmperf_group_first_event(group);
	size_t end = first + drmperf_group_event_count(group);

	for (size_t i = first; i < end; i++) {
		const struct drmperf_event *event = drmperf_event_at(device, i);

		if (is_named(listing, event) != meant ||
		    !is_shown(listing, event))
			continue;
		if (listing->json)
			write_event(listing, event);
		else
			print_event(listing, event, columns);
	}
}

static void
list_events(struct listing *listing, const struct drmperf_device *device,
	    const struct drmperf_group *group)
{
	struct list_columns columns = { 0 };

	if (listing->tool->terminal && !listing->json)
		columns = listing_measure(listing, device, group);
	for (int meant = 1; meant >= 0; meant--)
		list_some_events(listing, device, group, &columns, meant);
}

static void
list_group(struct listing *listing, const struct drmperf_device *device,
	   const struct drmperf_group *group)
{
	listing->shown++;
	if (listing->json)
		write_group_head(&listing->out, group);
	else
		print_group(listing, device, group);
	if (!listing->groups_only) {
		if (listing->json)
			json_open(&listing->out, "events", '[');
		list_events(listing, device, group);
		if (listing->json)
			json_close(&listing->out, ']');
	}
	if (listing->json)
		json_close(&listing->out, '}');
}

/* Print "Aqua Vanjaram (Instinct MI300X)" */
static void
print_chip(const struct drmperf_device *device)
{
	char chip[TOOL_CHIP_SIZE], place[TOOL_PLACE_SIZE];

	printf(": %s, %s at %s\n", tool_chip(device, chip),
	       drmperf_device_driver(device), tool_place(device, place));
}

static void
begin_device(struct listing *listing, const struct drmperf_device *device)
{
	const struct tool *tool = listing->tool;
	struct json *out = &listing->out;
	char product[TOOL_CHIP_SIZE];

	if (listing->json) {
		json_open(out, NULL, '{');
		json_uint(out, "index", drmperf_device_index(device));
		json_text(out, "driver", drmperf_device_driver(device));
		json_text(out, "address", drmperf_device_address(device));
		if (drmperf_device_partition(device) >= 0)
			json_uint(out, "partition",
				  (unsigned)drmperf_device_partition(device));
		json_text(out, "chip", drmperf_device_chip(device));
		if (!drmperf_device_product(device, product, sizeof(product),
					    NULL))
			json_text(out, "product", product);
		json_text(out, "generation", drmperf_device_generation(device));
		json_open(out, "groups", '[');
	} else if (tool->terminal) {
		printf("%sdevice %u%s", style_code(tool, BOLD),
		       drmperf_device_index(device), style_code(tool, PLAIN));
		print_chip(device);
	}
}

/*
 * Return whether it is "EA", "amdgpu::EA.REQUESTS" or ROCm's "EA_REQUESTS" of a
 * group EA.
 */
static bool
names_group(const char *pattern, const char *group)
{
	const char *behind_driver = strstr(pattern, "::");
	const size_t length = strlen(group);

	if (behind_driver)
		pattern = behind_driver + 2;
	return !fnmatch(pattern, group, FNM_CASEFOLD) ||
	       (!strncasecmp(pattern, group, length) &&
		(pattern[length] == '.' || pattern[length] == '_'));
}

/* Print the reason why an event that matches a pattern is hidden. */
static void
report_hidden(const struct listing *listing,
	      const struct drmperf_device *device)
{
	const char *name, *reason;

	for (size_t i = 0;
	     (name = drmperf_device_blocked_group(device, i, &reason)); i++) {
		char *const *pattern = listing->patterns;

		while (*pattern && !names_group(*pattern, name))
			pattern++;
		if (!*pattern)
			continue;
		tool_warn(listing->tool,
			  strchr(name, '.')
				  ? "%s is not offered on %s: %s"
				  : "the events of %s are not offered on %s: "
				    "%s",
			  name, drmperf_device_chip(device), reason);
	}
}

/* Order of the list: groups that most users look for come first. */
enum rank {
	RANK_METRICS, /* over other groups, and of any metric set */
	RANK_SENSORS,
	RANK_COUNTERS,
	RANKS
};

static enum rank
rank_of(const struct drmperf_group *group)
{
	if (!strcmp(drmperf_group_name(group), "metric") ||
	    event_sets_is_common(group))
		return RANK_METRICS;
	return strcmp(drmperf_group_domain(group), "sensor") ? RANK_COUNTERS
							      : RANK_SENSORS;
}

static void
list_groups(struct listing *listing, const struct drmperf_device *device,
	    enum rank rank)
{
	const struct drmperf_group *group;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++) {
		if (rank_of(group) == rank &&
		    group_matches(listing, device, group))
			list_group(listing, device, group);
	}
}

/* Write a pattern without its spaces: "gpu busy" may mean GPUBusy. */
static void
join_words(const char *pattern, char *out)
{
	for (; *pattern; pattern++)
		if (*pattern != ' ')
			*out++ = *pattern;
	*out = '\0';
}

/*
 * Return the event of a device that stat -e counts by a pattern; NULL if none
 * is.
 */
static const struct drmperf_event *
find_named_event(const struct listing *listing,
		 const struct drmperf_device *device, const char *pattern)
{
	static const char qualifier[] = ":device=4294967295";
	struct drmperf_selection meant;
	char name[NAME_SIZE];

	if (strpbrk(pattern, "*?[:") ||
	    strlen(pattern) + sizeof(qualifier) > sizeof(name))
		return NULL;
	join_words(pattern, name);
	snprintf(name + strlen(name), sizeof(qualifier), ":device=%u",
		 drmperf_device_index(device));
	return drmperf_event_find(listing->tool->drmperf, name, &meant, NULL)
		       ? NULL
		       : meant.event;
}

static int
list_device(struct listing *listing, struct drmperf_device *device)
{
	struct drmperf_error error;
	struct event_sets *sets;

	if (drmperf_device_open(device, &error)) {
		tool_warn(listing->tool, "device %u: %s",
			  drmperf_device_index(device), error.cause);
		if (error.remedy[0])
			fprintf(stderr, "try: %s\n", error.remedy);
		return TOOL_FAILED;
	}
	sets = event_sets_create(device);
	if (!sets)
		return tool_fail(listing->tool, "no memory");
	listing->sets = sets;
	for (size_t i = 0; listing->patterns[i]; i++)
		listing->meant[i] = NULL;
	listing->by_words = needs_words(listing, device);
	for (size_t i = 0; listing->patterns[i]; i++)
		listing->meant[i] =
			find_named_event(listing, device, listing->patterns[i]);
	listing->each_once = !listing->all && !listing->json &&
			     !listing->groups_only &&
			     means_common(listing, device);
	begin_device(listing, device);
	for (enum rank rank = 0; rank < RANKS; rank++)
		list_groups(listing, device, rank);
	report_hidden(listing, device);
	event_sets_destroy(sets);
	if (listing->json) {
		json_close(&listing->out, ']');
		json_close(&listing->out, '}');
	} else if (listing->tool->terminal) {
		putchar('\n');
	}
	return 0;
}

static int
list_devices(struct listing *listing)
{
	const struct tool *tool = listing->tool;
	unsigned count = drmperf_device_count(tool->drmperf);
	int status = 0;

	if (listing->json)
		json_open(&listing->out, NULL, '[');
	for (unsigned i = 0; i < count; i++) {
		if (list_device(listing, drmperf_device_at(tool->drmperf, i)))
			status = TOOL_FAILED;
	}
	if (listing->json) {
		json_close(&listing->out, ']');
		putchar('\n');
	}
	if (!count)
		return tool_fail_no_gpu(tool);
	if (!status && !listing->shown)
		return tool_fail(tool, "no event matches \"%s\"%s",
				 *listing->patterns ? *listing->patterns : "",
				 *listing->patterns && listing->patterns[1]
					 ? " and the rest"
					 : "");
	return status;
}

static const struct command_option list_options[] = {
	{ "groups", 'g', NULL, COMMAND_FLAG(struct listing, groups_only),
	  .help = "only groups, with their limits" },
	{ "metric-groups", 'M', NULL,
	  COMMAND_FLAG(struct listing, metric_groups),
	  .help = "metric groups, as stat -M takes them, with events" },
	{ "all", 'a', NULL, COMMAND_FLAG(struct listing, all),
	  .help = "events of each Intel metric set, in place of each event "
		  "once with its sets" },
	{ "json", 'j', NULL, COMMAND_FLAG(struct listing, json),
	  .help = "as JSON" },
	{ 0 },
};

static int
list_run(struct tool *tool, int argc, char **argv)
{
	struct listing listing = { .tool = tool, .out = { .out = stdout } };
	struct pager pager;
	int status =
		tool_read_options(tool, &list_command, argc, argv, &listing);

	if (status)
		return status;
	if (listing.metric_groups && argc - optind > 1)
		return tool_usage_error(tool, "one metric group at most");
	if (listing.metric_groups && listing.groups_only)
		return tool_usage_error(tool, "either -g or -M, not both");
	listing.patterns = argv + optind;
	listing.meant = calloc((size_t)(argc - optind) + 1,
			       sizeof(*listing.meant));
	if (!listing.meant)
		return tool_fail(tool, "no memory");
	pager_begin(&pager, tool);
	status = listing.metric_groups
			 ? metric_groups_list(tool, argv[optind], listing.json)
			 : list_devices(&listing);
	free(listing.meant);
	return pager_end(&pager, tool, status);
}

const struct tool_command list_command = {
	.name = "list",
	.summary = "what can be counted: devices, groups, events",
	.usage = "usage: drmperf list [OPTION]... [PATTERN]...\n"
		 "       drmperf list -M [-j] [GROUP]\n"
		 "List the events of all GPUs, or those whose name or "
		 "description matches\n"
		 "each PATTERN.\n",
	.options = list_options,
	.notes = "PATTERN is a shell pattern over names (\"TCC.*\", "
		 "\"amdgpu::TCC.*\"), any part of a\n"
		 "name or description, or several words of them (\"cache "
		 "hit\"). Case does not matter,\n"
		 "nor whether a name has \".\", \"_\" or \"-\".\n"
		 "Written to a file or pipe, a line is NAME, UNIT and "
		 "DESCRIPTION between tabs;\n"
		 "with --groups NAME, limit, instances, number of events and "
		 "description; with\n"
		 "--metric-groups GROUP, NAME, UNIT and DESCRIPTION.\n",
	.run = list_run,
};
