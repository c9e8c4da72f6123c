/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every table in events/i915, as a GPU with all units of its platform lists
 * it: nothing is lost, every expression compiles and needs only what the
 * reports have, every event says what it is, and every register may be
 * written.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "catalog/resolve.h"
#include "driver/i915/oa_config.h"
#include "driver/intel/oa/raw_counters.h"
#include "table/rows.h"
#include "tests/support/check.h"
#include "tests/driver/described.h"
#include "tests/driver/i915/table.h"
#include "tests/driver/oa/bits.h"
#include "tests/support/suite.h"

#define STEPPING 4

/* ------------------------------------------------------------------ */
/* What there is                                                        */

/*
 * Metric sets, and counters of all of them together: as in the tables of IGT,
 * Mesa and Metrics Discovery, less those that only a query inside a command
 * buffer can read and, on Haswell, Cherry View and Elkhart Lake, those of
 * subslices that no such chip has.
 */
static const struct inventory {
	const char *platform;
	size_t sets, counters;
	size_t hidden; /* sets that are known and cannot be counted */
} inventories[] = {
	{ "hsw", 6, 298, 1 },	      { "bdw", 25, 897, 1 },
	{ "chv", 14, 526, 0 },	      { "sklgt2", 23, 758, 2 },
	{ "sklgt3", 23, 789, 2 },     { "sklgt4", 29, 1032, 2 },
	{ "bxt", 19, 643, 0 },	      { "kblgt2", 21, 684, 2 },
	{ "kblgt3", 23, 789, 2 },     { "glk", 18, 635, 0 },
	{ "cflgt2", 21, 684, 2 },     { "cflgt3", 23, 789, 2 },
	{ "cnl", 15, 628, 0 },	      { "icl", 20, 723, 2 },
	{ "ehl", 19, 677, 2 },	      { "tglgt1", 24, 504, 0 },
	{ "tglgt2", 27, 595, 0 },     { "rkl", 24, 503, 0 },
	{ "dg1", 27, 597, 0 },	      { "adl", 27, 595, 0 },
	{ "adls", 17, 386, 0 },	      { "adln", 17, 385, 0 },
	{ "acmgt1", 345, 2727, 4 },   { "acmgt2", 521, 4279, 14 },
	{ "acmgt3", 1043, 8321, 24 }, { "mtlgt2", 166, 1599, 0 },
	{ "mtlgt3", 254, 2368, 16 },  { "arlgt1", 165, 1592, 0 },
	{ "arlgt2", 270, 2574, 0 },
};

/*
 * Return whether an event is of the table: those of metric sets as listed; the
 * age of reports is not of the tables.
 */
static bool
is_of_table(const struct drmperf_event *event)
{
	const char *name = catalog_event_record(event)->name;

	return !event->group->gather && strcmp(name, "ReportAge");
}

TEST_CASE(all, NULL, NULL, "events_i915");

TEST_LOOP(all, nothing_is_lost, i915_shape_count)
{
	const struct i915_shape *shape = &i915_shapes[_i];
	const struct inventory *inventory = NULL;
	const struct catalog_list *list;
	struct i915_table table;
	const struct description_hidden *hidden;
	size_t counters = 0, hidden_count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(inventories); i++) {
		if (!strcmp(inventories[i].platform, shape->platform))
			inventory = &inventories[i];
	}
	ck_assert_ptr_nonnull(inventory);
	i915_table_open(&table, shape, STEPPING);
	list = catalog_list(table.catalog);
	for (size_t i = 0; i < list->count; i++)
		counters += is_of_table(list->events[i]);
	ck_assert_uint_eq(table.gpu.oa.sets.count, inventory->sets);
	ck_assert_uint_eq(counters, inventory->counters);
	for (hidden = table.catalog->description.hidden; hidden;
	     hidden = hidden->next)
		hidden_count++;
	ck_assert_uint_eq(hidden_count, inventory->hidden);
	i915_table_close(&table);
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

static void
check_words(const struct description_event *event, const char *set)
{
	const char *text = event->description;
	size_t length = text ? strlen(text) : 0;

	ck_assert_msg(length > 10 && text[length - 1] == '.' &&
			      isupper((unsigned char)text[0]) &&
			      !strpbrk(text, "#\\[]"),
		      "%s.%s: \"%s\"", set, event->name, text ? text : "");
	ck_assert_msg(event->unit != DRMPERF_UNIT_PERCENT ||
			      (event->type == DRMPERF_TYPE_DOUBLE &&
			       event->kind == DRMPERF_KIND_AVERAGE),
		      "%s.%s is an odd percentage", set, event->name);
}

/* Check that only what the set's reports have is read. */
static void
check_counters(const struct i915_table *table,
	       const struct drmperf_event *event)
{
	const struct description_event *record = catalog_event_record(event);
	const struct metric_set *set =
		metric_sets_find(&table->gpu.oa.sets, record->group);
	struct drmperf_error error = { .cause = "" };
	const struct catalog_value *value;

	ck_assert_msg(!catalog_resolve(event, &value, &error), "%s: %s",
		      event->name, error.cause);
	if (value->alternative_count)
		return;
	ck_assert_ptr_nonnull(set);
	ck_assert_uint_gt(value->counter_count, 0);
	for (size_t i = 0; i < value->counter_count; i++) {
		uint32_t selector = value->counters[i].selector;

		ck_assert_uint_eq(value->counters[i].group, record->group);
		if (selector == RAW_COUNTER_REPORT_AGE)
			continue;
		ck_assert_msg(format_bits(set->format, selector),
			      "%s reads slot %u, which %s lacks", event->name,
			      selector, set->format->name);
	}
}

TEST_LOOP(all, events_are_complete, i915_shape_count)
{
	const struct catalog_list *list;
	struct i915_table table;

	i915_table_open(&table, &i915_shapes[_i], STEPPING);
	list = catalog_list(table.catalog);
	for (size_t i = 0; i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];

		check_words(catalog_event_record(event),
			    drmperf_group_name(event->group));
		check_counters(&table, event);
	}
	i915_table_close(&table);
}

/* The sets of a GPU's table, read into a description without a catalog. */
struct reading {
	struct metric_sets sets;
	struct description description;
	struct table *table;
};

static int
describe_set(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	struct reading *reading = device;

	return metric_sets_describe(&reading->sets, group, description, error);
}

static void
read_sets(struct reading *reading, const struct i915_gpu *gpu, bool later)
{
	const struct description_domain domain = { .device = reading };
	struct drmperf_error error = { .cause = "" };

	memset(reading, 0, sizeof(*reading));
	reading->sets.describe = later ? describe_set : NULL;
	ck_assert(!table_read(gpu->oa.table->path, &reading->table, &error));
	ck_assert(!description_init(&reading->description));
	for (unsigned i = 0; i < OA_UNIT_COUNT; i++)
		ck_assert(!description_add_domain(&reading->description,
						  &domain,
						  &reading->sets.domains[i]));
	ck_assert(!raw_counters_add(&reading->description,
				    gpu->oa.platform.generation,
				    reading->sets.domains[OA_UNIT_RENDER],
				    &reading->sets.raw_group));
	ck_assert_msg(!metric_sets_read(&reading->sets, reading->table,
					&gpu->oa.platform, &gpu->oa.constants,
					&reading->description, &error),
		      "%s", error.cause);
	ck_assert_msg(!described_all(&reading->description, &error), "%s",
		      error.cause);
}

static void
close_reading(struct reading *reading)
{
	metric_sets_finish(&reading->sets);
	description_finish(&reading->description);
	table_destroy(reading->table);
}

TEST_LOOP(all, later_is_the_same, i915_shape_count)
{
	struct reading now, later;
	struct i915_table table;

	i915_table_open(&table, &i915_shapes[_i], STEPPING);
	read_sets(&now, &table.gpu, false);
	read_sets(&later, &table.gpu, true);
	described_alike(&now.description, &later.description);
	ck_assert_uint_eq(now.sets.count, later.sets.count);
	close_reading(&later);
	close_reading(&now);
	i915_table_close(&table);
}

TEST_LOOP(all, sets_are_described, i915_shape_count)
{
	struct i915_table table;

	i915_table_open(&table, &i915_shapes[_i], STEPPING);
	for (size_t i = 0; i < table.gpu.oa.sets.count; i++) {
		const struct metric_set *set = &table.gpu.oa.sets.sets[i];
		const struct description_group *group =
			&table.catalog->description.groups[set->group];
		size_t length = strlen(group->description);

		ck_assert_str_eq(group->name, set->name);
		ck_assert_msg(length > 8 &&
				      group->description[length - 1] == '.',
			      "%s: \"%s\"", set->name, group->description);
		ck_assert_int_eq(set->unit == OA_UNIT_MEDIA, set->format->wide);
	}
	i915_table_close(&table);
}

/* ------------------------------------------------------------------ */
/* Registers                                                            */

enum list {
	MUX,
	BOOLEAN,
	FLEX
};

/*
 * What the kernel lets be written (Linux 6.12 i915_perf.c), by the generations
 * from first to last; Cherry View, on its own, is not in the range of gen8.
 */
static const struct window {
	enum list list;
	enum oa_generation first, last;
	uint32_t from, to;
} windows[] = {
	{ BOOLEAN, OA_GEN7, OA_GEN9, 0x2710, 0x272c },
	{ BOOLEAN, OA_GEN7, OA_GEN9, 0x2740, 0x275c },
	{ BOOLEAN, OA_GEN7, OA_GEN9, 0x2770, 0x27ac },
	{ BOOLEAN, OA_GEN12, OA_XELPG, 0x2b2c, 0x2b2c },
	{ BOOLEAN, OA_GEN12, OA_XELPG, 0xd900, 0xd91c },
	{ BOOLEAN, OA_GEN12, OA_XELPG, 0xd920, 0xd93c },
	{ BOOLEAN, OA_GEN12, OA_XELPG, 0xd940, 0xd97c },
	{ BOOLEAN, OA_GEN12, OA_XELPG, 0xdc00, 0xdc44 },
	{ BOOLEAN, OA_XEHP, OA_XELPG, 0xdc48, 0xdc48 },
	{ BOOLEAN, OA_XEHP, OA_XELPG, 0xdd00, 0xdd48 },
	{ BOOLEAN, OA_XELPG, OA_XELPG, 0x393000, 0x39301c },
	{ BOOLEAN, OA_XELPG, OA_XELPG, 0x393020, 0x39303c },
	{ BOOLEAN, OA_XELPG, OA_XELPG, 0x393040, 0x39307c },
	{ BOOLEAN, OA_XELPG, OA_XELPG, 0x393200, 0x39323c },
	{ MUX, OA_GEN7, OA_GEN9, 0x91b8, 0x91cc },
	{ MUX, OA_GEN7, OA_GEN9, 0x9800, 0x9888 },
	{ MUX, OA_GEN7, OA_GEN9, 0xe180, 0xe180 },
	{ MUX, OA_GEN7, OA_GEN7, 0x9e80, 0x9ea4 },
	{ MUX, OA_GEN7, OA_GEN7, 0x9ec0, 0x9ec0 },
	{ MUX, OA_GEN7, OA_GEN7, 0x25100, 0x2ff90 },
	{ MUX, OA_GEN8, OA_GEN8, 0x182300, 0x1823a4 },
	{ MUX, OA_GEN8, OA_GEN9, 0xd00, 0xd2c },
	{ MUX, OA_GEN8, OA_GEN12, 0x20cc, 0x20cc },
	{ MUX, OA_GEN9, OA_GEN9, 0x91c8, 0x91dc },
	{ MUX, OA_GEN12, OA_XELPG, 0xd00, 0xd04 },
	{ MUX, OA_GEN12, OA_XELPG, 0xd0c, 0xd2c },
	{ MUX, OA_GEN12, OA_XELPG, 0x9840, 0x9840 },
	{ MUX, OA_GEN12, OA_XELPG, 0x9884, 0x9888 },
	{ MUX, OA_XEHP, OA_XEHP, 0x20cc, 0x20cc },
	{ MUX, OA_XELPG, OA_XELPG, 0x38d100, 0x38d114 },
	{ FLEX, OA_GEN8, OA_XELPG, 0xe458, 0xe45c },
	{ FLEX, OA_GEN8, OA_XELPG, 0xe558, 0xe55c },
	{ FLEX, OA_GEN8, OA_XELPG, 0xe658, 0xe65c },
	{ FLEX, OA_GEN8, OA_XELPG, 0xe758, 0xe758 },
};

static bool
may_be_written(enum oa_generation generation, enum list list, uint32_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(windows); i++) {
		const struct window *window = &windows[i];

		if (list == window->list && generation >= window->first &&
		    generation <= window->last && address >= window->from &&
		    address <= window->to && address % 4 == 0)
			return true;
	}
	return false;
}

static void
check_list(const struct i915_gpu *gpu, const char *set, enum list list,
	   const struct oa_registers *registers)
{
	for (size_t i = 0; i < registers->count; i++) {
		uint32_t address = registers->pairs[2 * i];

		ck_assert_msg(may_be_written(gpu->oa.platform.generation, list,
					     address),
			      "%s: register %x", set, address);
	}
}

static void
check_guid(const char *set, const char *guid)
{
	ck_assert_msg(strlen(guid) == 36, "%s: %s", set, guid);
	for (unsigned i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		ck_assert_msg(dash ? guid[i] == '-'
				   : isxdigit((unsigned char)guid[i]) &&
					      !isupper((unsigned char)guid[i]),
			      "%s: %s", set, guid);
	}
}

static const struct element *
find_set(const struct table *table, const char *name)
{
	const struct element *found = NULL, *element;

	for (element = table->root->child; element; element = element->next) {
		if (strcmp(element_attribute(element, "name"), name))
			continue;
		ck_assert_msg(!found, "two lists of %s", name);
		found = element;
	}
	ck_assert_msg(found, "no lists of %s", name);
	return found;
}

static void
check_registers(const struct i915_gpu *gpu, const struct table *table,
		const char *name)
{
	const struct element *element = find_set(table, name);
	struct drmperf_error error = { .cause = "" };
	struct oa_config config;

	check_guid(name, element_attribute(element, "guid"));
	ck_assert_msg(!oa_config_registers(&gpu->oa.constants, table, element,
					   &config, &error),
		      "%s", error.cause);
	check_list(gpu, name, MUX, &config.mux);
	check_list(gpu, name, BOOLEAN, &config.boolean);
	check_list(gpu, name, FLEX, &config.flex);
	/* A set that routes nothing would count nothing but what is fixed. */
	ck_assert_msg(config.mux.count + config.boolean.count, "%s", name);
	oa_config_free(&config);
}

TEST_LOOP(all, registers_may_be_written, i915_shape_count)
{
	struct i915_table table;
	struct table *registers;

	i915_table_open(&table, &i915_shapes[_i], STEPPING);
	registers = i915_read_registers(i915_shapes[_i].platform);
	for (size_t i = 0; i < table.gpu.oa.sets.count; i++)
		check_registers(&table.gpu, registers,
				table.gpu.oa.sets.sets[i].name);
	table_destroy(registers);
	i915_table_close(&table);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

TEST_LOOP(all, guids_are_unique, i915_shape_count)
{
	struct table *table = i915_read_registers(i915_shapes[_i].platform);
	static const char *guids[2000];
	const struct element *element;
	size_t count = 0;

	for (element = table->root->child; element; element = element->next) {
		ck_assert_uint_lt(count, ARRAY_SIZE(guids));
		guids[count++] = element_attribute(element, "guid");
	}
	qsort(guids, count, sizeof(guids[0]), compare_names);
	for (size_t i = 1; i < count; i++)
		ck_assert_str_ne(guids[i - 1], guids[i]);
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* Platforms                                                            */

/*
 * Return whether two are twins: Meteor and Arrow Lake, of which the number of
 * EUs tells which of two it is.
 */
static bool
is_twin(const struct element *a, const struct element *b)
{
	return element_attribute(a, "max-eus") &&
	       !strncmp(element_attribute(a, "name"),
			element_attribute(b, "name"), 3);
}

static void
check_ids(const struct element *first, const struct element *element)
{
	const char *ids = element_attribute(element, "ids");
	const struct element *other;
	char id[8];

	ck_assert_uint_eq((strlen(ids) + 1) % 5, 0);
	for (size_t at = 0; at < strlen(ids); at += 5) {
		snprintf(id, sizeof(id), "%.4s", ids + at);
		for (other = first; other != element; other = other->next) {
			ck_assert_msg(
				!strstr(element_attribute(other, "ids"), id) ||
					is_twin(other, element),
				"device %s is there twice", id);
		}
	}
}

TEST(all, devices_are_of_one_platform)
{
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;
	const struct element *element;
	char path[4200];
	size_t platforms = 0;

	snprintf(path, sizeof(path), "%s/i915/platforms.xml",
		 i915_table_folder());
	ck_assert_msg(!table_read(path, &table, &error) &&
			      !table_expand(table, &error),
		      "%s", error.cause);
	for (element = table->root->child; element; element = element->next) {
		check_ids(table->root->child, element);
		if (strcmp(element->name, "platform"))
			continue;
		platforms++;
		ck_assert(i915_shape_find(element_attribute(element, "name")));
	}
	ck_assert_uint_eq(platforms, i915_shape_count);
	table_destroy(table);
}

/*
 * Two tables a platform, those of platforms, metric groups, verdicts and
 * products: nothing else lies about.
 */
TEST(all, tables_are_used)
{
	char path[4200];
	struct dirent *entry;
	size_t files = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/i915", i915_table_folder());
	folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder)))
		files += entry->d_name[0] != '.';
	closedir(folder);
	ck_assert_uint_eq(files, 2 * i915_shape_count + 4);
}
