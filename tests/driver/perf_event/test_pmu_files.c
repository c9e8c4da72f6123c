/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What files of the kernel's PMUs may say, in a made-up sysfs, and what is
 * described of a GPU by them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "driver/description.h"
#include "driver/driver.h"
#include "driver/perf_event/format.h"
#include "driver/perf_event/pmu.h"
#include "tests/support/check.h"
#include "tests/driver/described.h"
#include "tests/driver/perf_event/sysfs.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Formats and terms                                                    */

static const struct {
	const char *text;
	int result;
	unsigned word;
	uint64_t mask;
} formats[] = {
	{ "config:0-7", 0, 0, 0xff },
	{ "config:0-20", 0, 0, 0x1fffff },
	{ "config1:5", 0, 1, 0x20 },
	{ "config2:0-63", 0, 2, UINT64_MAX },
	{ "config:0-7,32-35", 0, 0, 0xf000000ff },
	{ "config:1,6-10,44", 0, 0, UINT64_C(0x1000000007c2) },
	{ "config", -EINVAL, 0, 0 },
	{ "config:", -EINVAL, 0, 0 },
	{ "config:7-0", -EINVAL, 0, 0 },
	{ "config:0-64", -EINVAL, 0, 0 },
	{ "config:-3", -EINVAL, 0, 0 },
	{ "config:0-7;", -EINVAL, 0, 0 },
	{ "config3:0-7", -EINVAL, 0, 0 },
	{ "configs:0-7", -EINVAL, 0, 0 },
	{ "", -EINVAL, 0, 0 },
};

TEST_CASE(texts, NULL, NULL, "pmu_files");

TEST_LOOP(texts, a_format_is_parsed_or_refused, ARRAY_SIZE(formats))
{
	struct pmu_format out = { .word = 9 };

	ck_assert_int_eq(pmu_format_parse(formats[_i].text, &out),
			 formats[_i].result);
	if (formats[_i].result)
		return;
	ck_assert_uint_eq(out.word, formats[_i].word);
	ck_assert_uint_eq(out.mask, formats[_i].mask);
}

static const struct {
	const char *text;
	int result;
	uint64_t config[PERF_CONFIG_WORDS];
} terms[] = {
	{ "config=0x1000000000100003", 0, { 0x1000000000100003 } },
	{ "event=0x7,umask=2", 0, { 0x207 } },
	{ "umask=2,event=0x7", 0, { 0x207 } },
	{ "event=255,flag", 0, { 0xff, 1 } },
	{ "event=0x100", -EINVAL, { 0 } },
	{ "split=0x1f", 0, { 0xf00010000 } },
	{ "split=0x20", -EINVAL, { 0 } },
	{ "event=1,config1=8,config2=9", 0, { 1, 8, 9 } },
	{ "event=?,umask=2", 0, { 0x200 } },
	{ "event=?umask", -EINVAL, { 0 } },
	{ "event", 0, { 1 } },
	{ "event=", -EINVAL, { 0 } },
	{ "event=-1", -EINVAL, { 0 } },
	{ "event=1,", -EINVAL, { 0 } },
	{ "event=1 ", -EINVAL, { 0 } },
	{ "even=1", -EINVAL, { 0 } },
	{ "events=1", -EINVAL, { 0 } },
	{ "event=0x10000000000000000", -EINVAL, { 0 } },
	{ "", -EINVAL, { 0 } },
};

TEST_LOOP(texts, a_term_is_parsed_or_refused, ARRAY_SIZE(terms))
{
	static const struct pmu_format known[] = {
		{ "event", 0, 0xff },
		{ "umask", 0, 0xff00 },
		{ "split", 0, 0xf00010000 },
		{ "flag", 1, 1 },
	};
	struct pmu_words words = { .config = { 0 } };

	ck_assert_int_eq(pmu_terms_parse(terms[_i].text, known,
					 ARRAY_SIZE(known), &words),
			 terms[_i].result);
	for (size_t i = 0; !terms[_i].result && i < PERF_CONFIG_WORDS; i++)
		ck_assert_uint_eq(words.config[i], terms[_i].config[i]);
}

static const struct {
	const char *text;
	int result;
	size_t count;
	int first, last;
} cpu_lists[] = {
	{ "0", 0, 1, 0, 0 },
	{ "0-3,8", 0, 5, 0, 8 },
	{ "12,15-16", 0, 3, 12, 16 },
	{ "", -EBADMSG, 0, 0, 0 },
	{ "0,", -EBADMSG, 0, 0, 0 },
	{ "3-1", -EBADMSG, 0, 0, 0 },
	{ "0-99999999999", -EBADMSG, 0, 0, 0 },
	{ "ff", -EBADMSG, 0, 0, 0 },
	{ "-1", -EBADMSG, 0, 0, 0 },
	{ "2,2", -EBADMSG, 0, 0, 0 },
	{ "0-3,3", -EBADMSG, 0, 0, 0 },
};

TEST_LOOP(texts, a_list_of_cpus_is_parsed_or_refused, ARRAY_SIZE(cpu_lists))
{
	struct arena *arena = arena_create();
	const int *cpus = NULL;
	size_t count = 0;

	ck_assert_int_eq(
		cpu_list_parse(cpu_lists[_i].text, arena, &cpus, &count),
		cpu_lists[_i].result);
	ck_assert_uint_eq(count, cpu_lists[_i].count);
	if (count) {
		ck_assert_int_eq(cpus[0], cpu_lists[_i].first);
		ck_assert_int_eq(cpus[count - 1], cpu_lists[_i].last);
	}
	arena_destroy(arena);
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static char warnings[4096];

static void
keep_warning(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level <= DRMPERF_LOG_WARNING &&
	    strlen(warnings) + strlen(message) + 2 < sizeof(warnings))
		strcat(strcat(warnings, message), "\n");
}

static const struct log_sink warning_sink = { .log = keep_warning };

TEST_CASE(files, test_folder_make, test_folder_remove, "pmu_files");

/* Everything wrong that an event can have; the others are not disturbed. */
TEST(files, malformed_events_are_left_out)
{
	static const char *const bad[] = { "empty",  "unknown", "large",
					   "number", "words",	"folder",
					   "scaled" };
	struct arena *arena = arena_create();
	struct drmperf_error error;
	struct pmu pmu;

	*warnings = '\0';
	sysfs_put("gpu/type", "31\n");
	sysfs_put("gpu/cpumask", "2-3\n");
	sysfs_put("gpu/format/event", "config:0-7\n");
	sysfs_put("gpu/format/odd", "config:bad\n");
	sysfs_put("gpu/events/good10", "event=0x3\n");
	sysfs_put("gpu/events/good9", "event=0x2\n");
	sysfs_put("gpu/events/good9.unit", "ns\n");
	sysfs_put("gpu/events/good9.scale", "2.5e-10\n");
	sysfs_put("gpu/events/good9.snapshot", "1\n");
	sysfs_put("gpu/events/good9.per-pkg", "1\n");
	sysfs_put("gpu/events/good10.scale", "1\n");
	sysfs_put("gpu/events/template", "event=?\n");
	sysfs_put("gpu/events/empty", "");
	sysfs_put("gpu/events/unknown", "odd=1\n");
	sysfs_put("gpu/events/large", "event=0x100\n");
	sysfs_put("gpu/events/number", "event=0xzz\n");
	sysfs_put("gpu/events/words", "event=1 umask=2\n");
	sysfs_put("gpu/events/a name", "event=1\n");
	sysfs_put("gpu/events/folder/file", "event=1\n");
	sysfs_put("gpu/events/scaled", "event=1\n");
	sysfs_put("gpu/events/scaled.scale", "much\n");
	ck_assert_int_eq(pmu_read(test_folder, "gpu", arena, &warning_sink,
				  &pmu, &error),
			 0);
	ck_assert_uint_eq(pmu.type, 31);
	ck_assert_uint_eq(pmu.cpu_count, 2);
	ck_assert_int_eq(pmu.cpus[0], 2);
	ck_assert_uint_eq(pmu.event_count, 3);
	ck_assert_str_eq(pmu.events[2].name, "template");
	ck_assert(pmu_words_lack(&pmu.events[2].words));
	ck_assert(!pmu_words_lack(&pmu.events[1].words));
	ck_assert_str_eq(pmu.events[0].name, "good9");
	ck_assert_str_eq(pmu.events[0].unit, "ns");
	ck_assert_str_eq(pmu.events[0].scale, "2.5e-10");
	ck_assert(pmu.events[0].is_snapshot);
	ck_assert_uint_eq(pmu.events[0].words.config[0], 2);
	ck_assert_str_eq(pmu.events[1].name, "good10");
	ck_assert_str_eq(pmu.events[1].unit, "");
	ck_assert_str_eq(pmu.events[1].scale, "");
	ck_assert(!pmu.events[1].is_snapshot);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char words[64];

		snprintf(words, sizeof(words), "PMU gpu: event \"%s\"", bad[i]);
		ck_assert_msg(strstr(warnings, words), "%s in %s", words,
			      warnings);
	}
	ck_assert_ptr_nonnull(strstr(warnings, "a name"));
	ck_assert_ptr_null(strstr(warnings, "template"));
	arena_destroy(arena);
}

static const struct {
	const char *type, *cpumask;
	int result;
	const char *cause;
} bad_pmus[] = {
	{ NULL, NULL, -ENOENT, "no PMU bad" },
	{ "", NULL, -EBADMSG, "bad/type is no number" },
	{ "-1\n", NULL, -EBADMSG, "bad/type is no number" },
	{ "12x\n", NULL, -EBADMSG, "bad/type is no number" },
	{ "4294967296\n", NULL, -EBADMSG, "bad/type is no number" },
	{ "12\n", "none\n", -EBADMSG, "bad/cpumask is no list" },
};

TEST_LOOP(files, a_malformed_pmu_is_refused, ARRAY_SIZE(bad_pmus))
{
	struct arena *arena = arena_create();
	struct drmperf_error error;
	struct pmu pmu;

	if (bad_pmus[_i].type)
		sysfs_put("bad/type", bad_pmus[_i].type);
	if (bad_pmus[_i].cpumask)
		sysfs_put("bad/cpumask", bad_pmus[_i].cpumask);
	ck_assert_int_eq(pmu_read(test_folder, "bad", arena, &warning_sink,
				  &pmu, &error),
			 bad_pmus[_i].result);
	ck_assert_msg(strstr(error.cause, bad_pmus[_i].cause), "%s",
		      error.cause);
	arena_destroy(arena);
}

/* By the type that the kernel has given; what has none is in no one's way. */
static const struct {
	uint32_t type;
	int result;
	const char *name;
} types[] = {
	{ 31, 0, "power" },
	{ 32, 0, "uncore_imc_0" },
	{ 33, -ENOENT, NULL },
	{ 0, -ENOENT, NULL },
};

TEST_LOOP(files, a_pmu_is_found_by_its_type, ARRAY_SIZE(types))
{
	struct arena *arena = arena_create();
	const char *name = NULL;

	sysfs_put("bad/type", "none\n");
	sysfs_put("cpu/cpumask", "0\n");
	sysfs_put("power/type", "31\n");
	sysfs_put("uncore_imc_0/type", "32\n");
	ck_assert_int_eq(
		pmu_find_type(test_folder, types[_i].type, arena, &name),
		types[_i].result);
	ck_assert_pstr_eq(name, types[_i].name);
	/* nor is a machine without any */
	ck_assert_int_eq(pmu_find_type("/nowhere", 31, arena, &name), -ENOENT);
	arena_destroy(arena);
}

/* ------------------------------------------------------------------ */
/* What is described of a GPU                                           */

static struct driver_target target;
static struct description description;
static struct drmperf_error error;
static void *part;

static int
describe_pmu(void)
{
	return perf_event_driver.describe(&target, &description, &part, &error);
}

static void
set_up(void)
{
	*warnings = '\0';
	part = NULL;
	test_folder_make();
	target = (struct driver_target){ .root = test_folder,
					 .driver = "i915",
					 .address = "0000:00:02.0",
					 .render = "",
					 .primary = "",
					 .log = warning_sink };
	ck_assert_int_eq(description_init(&description), 0);
}

static void
tear_down(void)
{
	perf_event_driver.release(part);
	description_finish(&description);
	test_folder_remove();
}

TEST_CASE(gpus, set_up, tear_down, "pmu_files");

/* Which PMUs belong to which device. */
static const struct {
	const char *driver, *address, *primary;
	const char *events; /* the names, with a blank behind each */
} devices[] = {
	{ "i915", "0000:00:02.0", "/dev/dri/card0", "integrated " },
	{ "i915", "0000:03:00.0", "/dev/dri/card1", "discrete " },
	{ "i915", "0000:04:00.0", "/dev/dri/card2", "" },
	/* where no GPU is at the place of the integrated one, that is this */
	{ "i915", "0000:06:10.0", "/dev/dri/card0", "integrated " },
	{ "i915", "0000:06:10.1", "/dev/dri/card0", "" },
	{ "xe", "0000:03:00.0", "", "raw-c6 c6 speed " },
	{ "amdgpu", "0000:0a:00.0", "/dev/dri/card3", "link cake " },
	{ "amdgpu", "0000:0b:00.0", "/dev/dri/card33", "" },
	{ "amdgpu", "0000:0b:00.0", "", "" },
	{ "nouveau", "0000:00:02.0", "/dev/dri/card0", "" },
};

static void
put_gpus(const char *address)
{
	/* those at 06:10 are in a virtual machine, alone */
	if (strncmp(address, "0000:06:10", 10) != 0)
		test_file_write("", "%s/sys/bus/pci/drivers/i915/0000:00:02.0",
				test_folder);
	sysfs_put("i915/type", "20\n");
	sysfs_put("i915/events/integrated", "config=1\n");
	sysfs_put("i915_0000_03_00.0/type", "21\n");
	sysfs_put("i915_0000_03_00.0/events/discrete", "config=1\n");
	sysfs_put("xe_0000_03_00.0/type", "22\n");
	sysfs_put("xe_0000_03_00.0/events/c6", "config=1\n");
	sysfs_put("xe_0000_03_00.0/events/c6.unit", "ms\n");
	sysfs_put("xe_0000_03_00.0/events/speed", "config=2\n");
	sysfs_put("xe_0000_03_00.0/events/speed.unit", "MHz\n");
	sysfs_put("amdgpu_3/type", "23\n");
	sysfs_put("amdgpu_3/events/link", "config=1\n");
	sysfs_put("amdgpu_df_3/type", "24\n");
	sysfs_put("amdgpu_df_3/events/cake", "config=1\n");
	sysfs_put("amdgpu_df_33/type", "wrong\n");
}

static void
append_names(char *names, group_index group)
{
	for (size_t i = 0; i < description.event_count; i++) {
		const struct description_event *event = &description.events[i];

		if (event->group == group)
			strcat(strcat(names, event->name), " ");
	}
}

/*
 * Check that with tables of the user nothing is left for later, and all is the
 * same.
 */
static void
check_at_once(void)
{
	struct driver_target with_tables = target;
	struct description now;
	void *part_now = NULL;

	with_tables.user_table_count = 1;
	ck_assert_int_eq(description_init(&now), 0);
	perf_event_driver.describe(&with_tables, &now, &part_now, &error);
	for (size_t i = 0; i < now.group_count; i++)
		ck_assert(!now.groups[i].describe);
	described_alike(&now, &description);
	perf_event_driver.release(part_now);
	description_finish(&now);
}

TEST_LOOP(gpus, a_gpus_pmu_is_found_by_its_address, ARRAY_SIZE(devices))
{
	/* a PMU that is broken is reported */
	const bool is_broken = !strcmp(devices[_i].primary, "/dev/dri/card33");
	char names[256] = "";

	put_gpus(devices[_i].address);
	target.driver = devices[_i].driver;
	target.address = devices[_i].address;
	target.primary = devices[_i].primary;
	ck_assert_int_eq(describe_pmu(), is_broken ? -EBADMSG : 0);
	ck_assert_uint_eq(description.event_count, 0);
	ck_assert_int_eq(described_all(&description, &error), 0);
	for (size_t i = 0; i < description.group_count; i++) {
		ck_assert_str_eq(description.groups[i].name, "pmu");
		append_names(names, (group_index)i);
	}
	ck_assert_str_eq(names, devices[_i].events);
	/* one domain for each PMU */
	ck_assert_uint_eq(description.domain_count, description.group_count);
	if (is_broken)
		ck_assert_ptr_nonnull(strstr(error.cause, "amdgpu_df_33/type"));
	check_at_once();
	ck_assert_str_eq(warnings, "");
}

TEST(gpus, pmu_without_events)
{
	sysfs_put("i915/type", "20\n");
	sysfs_put("i915/events/event.unit", "ns\n");
	ck_assert_int_eq(describe_pmu(), 0);
	ck_assert_uint_eq(description.group_count, 0);
}

/* What the kernel says of units and scales, and what we make of it. */
static const struct {
	const char *unit, *scale;
	enum drmperf_unit ours;
	enum drmperf_type type;
	const char *expression; /* NULL: the counter as it is */
} scales[] = {
	{ NULL, NULL, DRMPERF_UNIT_EVENTS, DRMPERF_TYPE_UINT64, NULL },
	{ "ns\n", NULL, DRMPERF_UNIT_NANOSECONDS, DRMPERF_TYPE_UINT64, NULL },
	{ "ns\n", "1\n", DRMPERF_UNIT_NANOSECONDS, DRMPERF_TYPE_UINT64, NULL },
	{ "M\n", NULL, DRMPERF_UNIT_CYCLES, DRMPERF_TYPE_UINT64,
	  "'raw-event'*1000000" },
	{ "ms", NULL, DRMPERF_UNIT_MICROSECONDS, DRMPERF_TYPE_UINT64,
	  "'raw-event'*1000" },
	{ "MiB\n", "64\n", DRMPERF_UNIT_KIBIBYTES, DRMPERF_TYPE_UINT64,
	  "'raw-event'*64*1024" },
	{ "Joules\n", "2.3283064365386962890625e-10\n", DRMPERF_UNIT_JOULES,
	  DRMPERF_TYPE_DOUBLE, "'raw-event'*2.3283064365386962890625e-10" },
	{ "furlongs\n", "0.5", DRMPERF_UNIT_NONE, DRMPERF_TYPE_DOUBLE,
	  "'raw-event'*0.5" },
};

TEST_LOOP(gpus, unit_and_scale_are_read_from_files, ARRAY_SIZE(scales))
{
	const struct description_event *event;

	sysfs_put("i915/type", "20\n");
	sysfs_put("i915/events/event", "config=1\n");
	if (scales[_i].unit)
		sysfs_put("i915/events/event.unit", scales[_i].unit);
	if (scales[_i].scale)
		sysfs_put("i915/events/event.scale", scales[_i].scale);
	ck_assert_int_eq(describe_pmu(), 0);
	ck_assert_int_eq(described_all(&description, &error), 0);
	ck_assert_uint_eq(description.event_count,
			  scales[_i].expression ? 2 : 1);
	event = &description.events[description.event_count - 1];
	ck_assert_str_eq(event->name, "event");
	ck_assert(!event->hidden);
	ck_assert_int_eq(event->unit, scales[_i].ours);
	ck_assert_int_eq(event->type, scales[_i].type);
	if (scales[_i].expression) {
		ck_assert_str_eq(event->expression, scales[_i].expression);
		ck_assert(description.events[0].hidden);
	} else {
		ck_assert_ptr_null(event->expression);
	}
	if (scales[_i].ours == DRMPERF_UNIT_NONE)
		ck_assert_ptr_nonnull(strstr(event->description, "furlongs"));
}

/* One that cannot be read is what is wrong, unless another one can be. */
TEST(gpus, unreadable_pmu_is_told)
{
	target.driver = "amdgpu";
	target.primary = "/dev/dri/card3";
	sysfs_put("amdgpu_3/type", "twenty\n");
	sysfs_put("amdgpu_3/events/event", "config=1\n");
	ck_assert_int_eq(describe_pmu(), -EBADMSG);
	ck_assert_ptr_nonnull(
		strstr(error.cause, "amdgpu_3/type is no number"));
	sysfs_put("amdgpu_df_3/type", "21\n");
	sysfs_put("amdgpu_df_3/events/event", "config=1\n");
	ck_assert_int_eq(describe_pmu(), 0);
	ck_assert_uint_eq(description.group_count, 1);
	ck_assert_int_eq(described_all(&description, &error), 0);
	ck_assert_uint_eq(description.event_count, 1);
	ck_assert_ptr_nonnull(strstr(warnings, "amdgpu_3/type is no number"));
}
