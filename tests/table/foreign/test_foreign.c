/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other people's tables. tests/data/foreign has one small file for each
 * peculiarity of a dialect, and beside it, NAME.txt, what has to become of it:
 * the warnings, the tables for one GPU, and the events with their values. The
 * values were worked out by hand; to see what the library makes of a file now,
 * run this with DRMPERF_SHOW=1.
 *
 * DRMPERF_FOREIGN_TABLES names a folder with files as ROCm, Mesa and IGT ship
 * them, all of which have to load; Intel's have to give what ours do.
 */
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/catalog.h"
#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "catalog/user_tables.h"
#include "driver/i915/oa_config.h"
#include "expr/program.h"
#include "tests/support/check.h"
#include "tests/driver/i915/table.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define FOLDER "tests/data/foreign/"

/* What a file has become, as text. */
static char shown[1 << 16];
static size_t shown_length;

static void __attribute__((format(printf, 1, 2))) show(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(shown + shown_length, sizeof(shown) - shown_length,
		      format, args);
	va_end(args);
	ck_assert_int_ge(n, 0);
	shown_length += (size_t)n;
	ck_assert_uint_lt(shown_length, sizeof(shown));
}

/* Write a complaint, without the folder of the tests. */
static void
show_complaint(const char *mark, const char *text)
{
	const char *at;

	show("%s ", mark);
	while ((at = strstr(text, FOLDER))) {
		show("%.*s", (int)(at - text), text);
		text = at + strlen(FOLDER);
	}
	show("%s\n", text);
}

static void
show_warning(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	ck_assert_int_eq(level, DRMPERF_LOG_WARNING);
	show_complaint("!", message);
}

static const struct log_sink to_text = { .log = show_warning };

/* ------------------------------------------------------------------ */
/* An AMD GPU                                                           */

enum {
	SQ,
	TA,
	TCC,
	GRBM,
	METRIC
};

static const struct description_group groups[] = {
	[SQ] = { .name = "SQ", .instances = 4, .instances_per_engine = 1 },
	[TA] = { .name = "TA", .instances = 8, .instances_per_engine = 4 },
	[TCC] = { .name = "TCC", .instances = 4, .instances_per_engine = 4 },
	[GRBM] = { .name = "GRBM", .instances = 1, .instances_per_engine = 1 },
	[METRIC] = { .name = "metric",
		     .instances = 1,
		     .instances_per_engine = 1 },
};

static const struct description_event events[] = {
	{ .group = SQ, .name = "WAVES", .selector = 1 },
	{ .group = SQ, .name = "LEVEL_WAVES", .selector = 2 },
	{ .group = SQ, .name = "ACCUM_PREV", .selector = 3, .follows = true },
	{ .group = SQ,
	  .name = "ACCUM_PREV_HIRES",
	  .selector = 4,
	  .follows = true },
	{ .group = TA,
	  .name = "ta_busy",
	  .selector = 5,
	  .alias = "TA_TA_BUSY" },
	{ .group = TCC, .name = "HIT", .selector = 6 },
	{ .group = TCC, .name = "MISS", .selector = 7 },
	{ .group = GRBM, .name = "GUI_ACTIVE", .selector = 8 },
	{ .group = METRIC,
	  .name = "Wavefronts",
	  .description = "Ours",
	  .expression = "SQ.WAVES",
	  .unit = DRMPERF_UNIT_WAVES },
	{ .group = METRIC,
	  .name = "VALUBusy",
	  .description = "Ours",
	  .expression = "SQ.WAVES*2.5",
	  .unit = DRMPERF_UNIT_PERCENT,
	  .type = DRMPERF_TYPE_DOUBLE,
	  .kind = DRMPERF_KIND_AVERAGE },
};

static const struct description_constant constants[] = {
	{ "SE_NUM", 4 },
	{ "SIMD_NUM", 100 },
	{ "CU_NUM", 10 },
	{ "MAX_WAVE_SIZE", 1 },
};

static void
describe_table(struct description *description)
{
	static const struct description_domain domain = { .name = "gfx" };

	ck_assert(!description_init(description));
	description->chip = "Vega 10";
	description->generation = "gfx9";
	description->target = "gfx900";
	ck_assert(!description_add_domain(description, &domain, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		ck_assert(
			!description_add_group(description, &groups[i], NULL));
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		ck_assert(!description_add_event(description, &events[i]));
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		ck_assert(!description_add_constant(
			description, constants[i].name, constants[i].value));
}

/* ------------------------------------------------------------------ */
/* Showing                                                              */

static const char *const types[] = { "uint64", "double" };
static const char *const kinds[] = { "cumulative", "average", "momentary" };

/* Show that instance i of selector s counts 100 * s + i. */
static void
show_value(const struct catalog *catalog, const struct drmperf_event *event)
{
	static uint64_t raw[16][64];
	const struct description_event *record = catalog_event_record(event);
	struct expr_input inputs[16];
	const struct catalog_value *value;
	union drmperf_value result;

	ck_assert(!catalog_resolve(event, &value, NULL));
	ck_assert_uint_le(value->counter_count, ARRAY_SIZE(inputs));
	for (size_t i = 0; i < value->counter_count; i++) {
		const struct catalog_counter *counter = &value->counters[i];

		inputs[i].values = raw[i];
		inputs[i].count =
			catalog->description.groups[counter->group].instances;
		for (size_t k = 0; k < inputs[i].count; k++)
			raw[i][k] = 100 * counter->selector + k;
	}
	result = expr_eval(value->program, inputs);
	show(" %s %s %s = ", drmperf_unit_name(record->unit),
	     types[record->type], kinds[record->kind]);
	if (record->type == DRMPERF_TYPE_UINT64)
		show("%llu", (unsigned long long)result.u64);
	else
		show("%.10g", result.f64);
	show(" \"%s\"\n", record->description);
}

/*
 * Show the listed events that are of the file, and those of ours that remain.
 */
static void
show_catalog(struct catalog *catalog, group_index group)
{
	const struct catalog_list *list = catalog_list(catalog);

	for (size_t i = 0; i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];
		const struct description_event *record =
			catalog_event_record(event);

		if (!record->expression ||
		    (!record->use && record->group != group))
			continue;
		/* those of the domain stand for others */
		if (event->group->gather)
			continue;
		show("%c %s", record->use ? '+' : '=', event->name);
		show_value(catalog, event);
	}
}

static void
show_counters(const struct table *table)
{
	const struct element *element = table->root->child;

	for (; (element = element_named(element, "counter"));
	     element = element->next) {
		show("# %s block %s id %s \"%s\"\n",
		     element_attribute(element, "name"),
		     element_attribute(element, "block"),
		     element_attribute(element, "id"), element->text);
	}
}

/* ------------------------------------------------------------------ */
/* Small files                                                          */

static void
show_rocm(const char *path)
{
	struct user_tables extra = { 0 };
	struct drmperf_error error = { 0 };
	struct description description;
	struct catalog *catalog;
	int ret = user_tables_add(&extra, path, &to_text, &error);

	if (ret) {
		ck_assert_int_eq(error.code, ret);
		ck_assert_uint_eq(extra.count, 0);
		show_complaint("!!", error.cause);
		return;
	}
	describe_table(&description);
	for (size_t i = 0; i < extra.count; i++) {
		if (table_is_for(extra.tables[i], "amdgpu", "gfx9", "gfx900"))
			show_counters(extra.tables[i]);
	}
	ck_assert(!user_tables_apply(&extra, "amdgpu", &description, &to_text,
				     &error));
	ck_assert(!catalog_create(&description, "amdgpu", NULL, &to_text,
				  &catalog, &error));
	show_catalog(catalog, METRIC);
	catalog_destroy(catalog);
	user_tables_finish(&extra);
}

static void
show_registers(const char *name, const struct oa_registers *list)
{
	if (list->count)
		show("  %s", name);
	for (size_t i = 0; i < list->count; i++)
		show(" %x=%x", list->pairs[2 * i], list->pairs[2 * i + 1]);
}

static void
show_sets(const struct i915_table *table)
{
	for (size_t i = 0; i < table->gpu.oa.sets.count; i++) {
		const struct metric_set *set = &table->gpu.oa.sets.sets[i];
		struct oa_config config;

		if (!set->registers)
			continue;
		ck_assert(!oa_config_registers(&table->gpu.oa.constants,
					       set->table, set->registers,
					       &config, NULL));
		show("# %s %s %zu events", set->name,
		     element_attribute(set->registers, "guid"),
		     table->catalog->groups[set->group].listed);
		show_registers("mux", &config.mux);
		show_registers("boolean", &config.boolean);
		show_registers("flex", &config.flex);
		show("\n");
		oa_config_free(&config);
	}
}

static void
show_oa(const char *path)
{
	struct user_tables extra = { 0 };
	struct drmperf_error error = { 0 };
	struct i915_table table;

	if (user_tables_add(&extra, path, &to_text, &error)) {
		show_complaint("!!", error.cause);
		return;
	}
	i915_table_open_with(&table, i915_shape_find("sklgt2"), 4, &extra,
			     &to_text);
	show_sets(&table);
	show_catalog(table.catalog, UINT32_MAX);
	i915_table_close(&table);
	user_tables_finish(&extra);
}

static const char *const files[] = {
	"rocm/unquoted",
	"rocm/comments",
	"rocm/split",
	"rocm/entities",
	"rocm/wrapped",
	"rocm/inherit",
	"rocm/targets",
	"rocm/global",
	"rocm/global-only",
	"rocm/include",
	"rocm/loop",
	"rocm/specification",
	"rocm/stray",
	"rocm/nothing",
	"rocm/functions",
	"rocm/kinds",
	"rocm/faults",
	"rocm/special",
	"rocm/unclosed-value",
	"rocm/unclosed-tag",
	"rocm/unclosed-element",
	"rocm/unclosed-comment",
	"rocm/crossed",
	"rocm/words",
	"rocm/doctype",
	"rocm/deep",
	"rocm/zero-byte",
	"oa/basic",
	"oa/availability",
	"oa/alternatives",
	"oa/units",
	"oa/faults",
	"oa/chipsets",
	"oa/i965",
	"oa/replace",
	"oa/guids",
	"oa/malformed",
};

static void
read_expected(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");

	ck_assert_msg(file != NULL, "%s is missing", path);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

TEST_CASE(small, NULL, NULL, "foreign");

TEST_LOOP(small, small_file, ARRAY_SIZE(files))
{
	static char expected[sizeof(shown)];
	char path[200];

	shown_length = 0;
	shown[0] = '\0';
	snprintf(path, sizeof(path), FOLDER "%s.xml", files[_i]);
	if (!strncmp(files[_i], "oa/", 3))
		show_oa(path);
	else
		show_rocm(path);
	snprintf(path, sizeof(path), FOLDER "%s.txt", files[_i]);
	if (getenv("DRMPERF_SHOW")) {
		printf("%s\n%s", path, shown);
		return;
	}
	read_expected(path, expected, sizeof(expected));
	ck_assert_msg(!strcmp(shown, expected), "%s\nis\n%sand not\n%s", path,
		      shown, expected);
}

/* ------------------------------------------------------------------ */
/* Files in files                                                       */

static struct {
	unsigned files, tables, metrics, sets, compared, differing, warnings;
} seen;

static void
count_warning(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	(void)level;
	if (getenv("DRMPERF_SHOW"))
		puts(message);
	seen.warnings++;
}

static const struct log_sink to_count = { .log = count_warning };

/* Read the text of FILE_1, which includes FILE_2, and so on. */
static int
read_chain(const char *folder, unsigned count, struct drmperf_error *error)
{
	struct user_tables tables = { 0 };
	char path[100];
	int ret;

	for (unsigned i = 1; i <= count; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%u.xml", folder, i);
		file = fopen(path, "w");
		ck_assert_ptr_nonnull(file);
		if (i < count)
			fprintf(file, "#include \"%u.xml\"\n", i + 1);
		fputs("<gfx9></gfx9>\n", file);
		fclose(file);
	}
	snprintf(path, sizeof(path), "%s/1.xml", folder);
	ret = user_tables_add(&tables, path, &to_count, error);
	user_tables_finish(&tables);
	return ret;
}

TEST(small, chains)
{
	char folder[] = "/tmp/drmperf-foreign-XXXXXX", path[100];
	struct drmperf_error error;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert(!read_chain(folder, 16, &error));
	ck_assert_int_eq(read_chain(folder, 17, &error), -E2BIG);
	ck_assert_ptr_nonnull(strstr(error.cause,
				     "/16.xml:1: files include each other more "
				     "than 16 deep"));
	for (unsigned i = 1; i <= 17; i++) {
		snprintf(path, sizeof(path), "%s/%u.xml", folder, i);
		unlink(path);
	}
	ck_assert(!rmdir(folder));
}

/* ------------------------------------------------------------------ */
/* Real files                                                           */

#define ROUNDS 4

/*
 * Evaluate an event: equal raw counters have the same values in both catalogs.
 */
static union drmperf_value
evaluate_event(const struct drmperf_event *event,
	       const uint64_t values[OA_SLOT_COUNT])
{
	struct expr_input inputs[OA_SLOT_COUNT];
	const struct catalog_value *value;

	ck_assert(!catalog_resolve(event, &value, NULL));
	for (size_t i = 0; i < value->counter_count; i++)
		inputs[i] = (struct expr_input){
			&values[value->counters[i].selector], 1
		};
	return expr_eval(value->program, inputs);
}

/*
 * Return whether values are the same: our tables say max(a, b) - b where theirs
 * would wrap below zero.
 */
static bool
is_same(const struct description_event *record, union drmperf_value ours,
	union drmperf_value theirs)
{
	if (record->type == DRMPERF_TYPE_UINT64)
		return ours.u64 == theirs.u64 ||
		       (!ours.u64 && theirs.u64 >> 40);
	return fabs(ours.f64 - theirs.f64) <= 1e-9 * fabs(ours.f64) ||
	       (ours.f64 == 0 && (theirs.f64 > 1e9 || theirs.f64 < 0));
}

static void
compare_event(const struct i915_table *own, const struct drmperf_event *theirs,
	      const char *path)
{
	const char *name = strchr(theirs->name, ':') + 2;
	const struct drmperf_event *ours;
	uint64_t values[OA_SLOT_COUNT], seed = 42;
	struct drmperf_error error;

	if (catalog_find(own->catalog, name, strlen(name), &ours, &error))
		return;
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < OA_SLOT_COUNT; i++)
			values[i] = random_next(&seed) >> 44;
		if (!is_same(catalog_event_record(theirs),
			     evaluate_event(ours, values),
			     evaluate_event(theirs, values))) {
			printf("%s: %s is not what ours is\n", path,
			       theirs->name);
			seen.differing++;
			break;
		}
	}
	seen.compared++;
}

/* Sets of one name have different counters in Mesa and IGT here and there. */
static bool
has_our_guid(const struct table *registers, const struct metric_set *set)
{
	struct element *own = registers->root->child;
	const char *guid;

	if (!set || !set->registers)
		return false;
	guid = element_attribute(set->registers, "guid");
	for (; (own = element_named(own, "set")); own = own->next) {
		if (!strcmp(element_attribute(own, "name"), set->name))
			return guid &&
			       !strcmp(element_attribute(own, "guid"), guid);
	}
	return false;
}

static void
compare_all(const struct i915_shape *shape, const struct user_tables *extra,
	    const char *path)
{
	struct table *registers = i915_read_registers(shape->platform);
	struct i915_table own, with;
	const struct catalog_list *list;

	i915_table_open(&own, shape, 4);
	i915_table_open_with(&with, shape, 4, extra, &to_count);
	list = catalog_list(with.catalog);
	for (size_t i = 0; i < list->count; i++) {
		const struct description_event *record =
			catalog_event_record(list->events[i]);

		if (record->use &&
		    has_our_guid(registers, metric_sets_find(&with.gpu.oa.sets,
							     record->group)))
			compare_event(&own, list->events[i], path);
	}
	table_destroy(registers);
	i915_table_close(&with);
	i915_table_close(&own);
}

static void
count_elements(const struct table *table)
{
	const struct element *element;

	seen.tables++;
	for (element = table->root->child; element; element = element->next) {
		if (!strcmp(element->name, "set"))
			seen.sets++;
		else
			seen.metrics++;
	}
}

static bool
is_for_shape(const struct user_tables *extra, const char *name)
{
	for (size_t i = 0; i < extra->count; i++) {
		if (table_is_for(extra->tables[i], "i915", name, name))
			return true;
	}
	return false;
}

static int
load_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct user_tables extra = { 0 };
	struct drmperf_error error = { 0 };
	size_t length = strlen(path);

	(void)st;
	(void)ftw;
	if (type != FTW_F || length < 4 || strcmp(path + length - 4, ".xml"))
		return 0;
	ck_assert_msg(!user_tables_add(&extra, path, &to_count, &error), "%s",
		      error.cause);
	seen.files++;
	for (size_t i = 0; i < extra.count; i++)
		count_elements(extra.tables[i]);
	for (size_t i = 0; i < i915_shape_count; i++) {
		if (is_for_shape(&extra, i915_shapes[i].platform))
			compare_all(&i915_shapes[i], &extra, path);
	}
	user_tables_finish(&extra);
	return 0;
}

TEST_CASE(real, NULL, NULL, "foreign");

TEST(real, real_files)
{
	const char *folder = getenv("DRMPERF_FOREIGN_TABLES");

	if (!folder) {
		puts("skip real files: DRMPERF_FOREIGN_TABLES names no folder "
		     "with files of ROCm, Mesa or IGT");
		return;
	}
	ck_assert(!nftw(folder, load_file, 8, FTW_PHYS));
	ck_assert_uint_gt(seen.files, 0);
	/* releases correct an equation now and then, and keep the GUID */
	ck_assert_uint_le(seen.differing, seen.compared / 100);
	printf("%u files: %u tables, %u metrics and counters of ROCm, %u sets "
	       "of Intel; %u events compared with ours, %u differ; "
	       "%u warnings\n",
	       seen.files, seen.tables, seen.metrics, seen.sets, seen.compared,
	       seen.differing, seen.warnings);
}
