/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's PMUs of GPUs: their files in a made-up sysfs, and counting on
 * simulated GPUs in virtual time, below drmsim.
 */
#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/description.h"
#include "driver/driver.h"
#include "driver/perf_event/format.h"
#include "driver/perf_event/pmu.h"
#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/driver/described.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MS UINT64_C(1000000)

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

START_TEST(format)
{
	struct pmu_format out = { .word = 9 };

	ck_assert_int_eq(pmu_format_parse(formats[_i].text, &out),
			 formats[_i].result);
	if (formats[_i].result)
		return;
	ck_assert_uint_eq(out.word, formats[_i].word);
	ck_assert_uint_eq(out.mask, formats[_i].mask);
}
END_TEST

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
	{ "event=?", -EDESTADDRREQ, { 0 } },
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

START_TEST(term)
{
	static const struct pmu_format known[] = {
		{ "event", 0, 0xff },
		{ "umask", 0, 0xff00 },
		{ "split", 0, 0xf00010000 },
		{ "flag", 1, 1 },
	};
	uint64_t config[PERF_CONFIG_WORDS] = { 0 };

	ck_assert_int_eq(pmu_terms_parse(terms[_i].text, known,
					 ARRAY_SIZE(known), config),
			 terms[_i].result);
	for (size_t i = 0; !terms[_i].result && i < PERF_CONFIG_WORDS; i++)
		ck_assert_uint_eq(config[i], terms[_i].config[i]);
}
END_TEST

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
};

START_TEST(cpu_list)
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
END_TEST

/* ------------------------------------------------------------------ */
/* A made-up sysfs                                                      */

static char root[] = "/tmp/drmperf-pmu-XXXXXX";

static void
put(const char *file, const char *text)
{
	char path[400];
	FILE *out;

	snprintf(path, sizeof(path), "%s" PMU_FOLDERS "/%s", root, file);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	out = fopen(path, "we");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

static void
make_sysfs(void)
{
	strcpy(strrchr(root, '-'), "-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void
remove_sysfs(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

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

/* Everything wrong that an event can have; the others are not disturbed. */
START_TEST(malformed_events)
{
	static const char *const bad[] = { "empty",  "unknown", "large",
					   "number", "words",	"folder",
					   "scaled" };
	struct arena *arena = arena_create();
	struct drmperf_error error;
	struct pmu pmu;

	*warnings = '\0';
	put("gpu/type", "31\n");
	put("gpu/cpumask", "2-3\n");
	put("gpu/format/event", "config:0-7\n");
	put("gpu/format/odd", "config:bad\n");
	put("gpu/events/good10", "event=0x3\n");
	put("gpu/events/good9", "event=0x2\n");
	put("gpu/events/good9.unit", "ns\n");
	put("gpu/events/good9.scale", "2.5e-10\n");
	put("gpu/events/good9.snapshot", "1\n");
	put("gpu/events/good9.per-pkg", "1\n");
	put("gpu/events/good10.scale", "1\n");
	put("gpu/events/template", "event=?\n");
	put("gpu/events/empty", "");
	put("gpu/events/unknown", "odd=1\n");
	put("gpu/events/large", "event=0x100\n");
	put("gpu/events/number", "event=0xzz\n");
	put("gpu/events/words", "event=1 umask=2\n");
	put("gpu/events/a name", "event=1\n");
	put("gpu/events/folder/file", "event=1\n");
	put("gpu/events/scaled", "event=1\n");
	put("gpu/events/scaled.scale", "much\n");
	ck_assert_int_eq(
		pmu_read(root, "gpu", arena, &warning_sink, &pmu, &error), 0);
	ck_assert_uint_eq(pmu.type, 31);
	ck_assert_uint_eq(pmu.cpu_count, 2);
	ck_assert_int_eq(pmu.cpus[0], 2);
	ck_assert_uint_eq(pmu.event_count, 2);
	ck_assert_str_eq(pmu.events[0].name, "good9");
	ck_assert_str_eq(pmu.events[0].unit, "ns");
	ck_assert_str_eq(pmu.events[0].scale, "2.5e-10");
	ck_assert(pmu.events[0].is_snapshot);
	ck_assert_uint_eq(pmu.events[0].config[0], 2);
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
END_TEST

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

START_TEST(malformed_pmu)
{
	struct arena *arena = arena_create();
	struct drmperf_error error;
	struct pmu pmu;

	if (bad_pmus[_i].type)
		put("bad/type", bad_pmus[_i].type);
	if (bad_pmus[_i].cpumask)
		put("bad/cpumask", bad_pmus[_i].cpumask);
	ck_assert_int_eq(
		pmu_read(root, "bad", arena, &warning_sink, &pmu, &error),
		bad_pmus[_i].result);
	ck_assert_msg(strstr(error.cause, bad_pmus[_i].cause), "%s",
		      error.cause);
	arena_destroy(arena);
}
END_TEST

/* Which PMUs belong to which device. */
static const struct {
	const char *driver, *address, *primary;
	const char *events; /* the names, with a blank behind each */
} devices[] = {
	{ "i915", "0000:00:02.0", "/dev/dri/card0", "integrated " },
	{ "i915", "0000:03:00.0", "/dev/dri/card1", "discrete " },
	{ "i915", "0000:04:00.0", "/dev/dri/card2", "" },
	{ "xe", "0000:03:00.0", "/dev/dri/card1", "raw-c6 c6 speed " },
	{ "amdgpu", "0000:0a:00.0", "/dev/dri/card3", "link cake " },
	{ "amdgpu", "0000:0b:00.0", "/dev/dri/card33", "" },
	{ "amdgpu", "0000:0b:00.0", "", "" },
	{ "nouveau", "0000:00:02.0", "/dev/dri/card0", "" },
};

static void
put_gpus(void)
{
	put("i915/type", "20\n");
	put("i915/events/integrated", "config=1\n");
	put("i915_0000_03_00.0/type", "21\n");
	put("i915_0000_03_00.0/events/discrete", "config=1\n");
	put("xe_0000_03_00.0/type", "22\n");
	put("xe_0000_03_00.0/events/c6", "config=1\n");
	put("xe_0000_03_00.0/events/c6.unit", "ms\n");
	put("xe_0000_03_00.0/events/speed", "config=2\n");
	put("xe_0000_03_00.0/events/speed.unit", "MHz\n");
	put("amdgpu_3/type", "23\n");
	put("amdgpu_3/events/link", "config=1\n");
	put("amdgpu_df_3/type", "24\n");
	put("amdgpu_df_3/events/cake", "config=1\n");
	put("amdgpu_df_33/type", "wrong\n");
}

static void
append_names(char *names, const struct description *description,
	     group_index group)
{
	for (size_t i = 0; i < description->event_count; i++) {
		const struct description_event *event = &description->events[i];

		if (event->group == group)
			strcat(strcat(names, event->name), " ");
	}
}

/* With tables of the user nothing is left for later, and all is the same. */
static void
check_at_once(const struct driver_target *target,
	      const struct description *later)
{
	struct driver_target with_tables = *target;
	struct description description;
	struct drmperf_error error;
	void *part = NULL;

	with_tables.user_table_count = 1;
	ck_assert_int_eq(description_init(&description), 0);
	perf_event_driver.describe(&with_tables, &description, &part, &error);
	for (size_t i = 0; i < description.group_count; i++)
		ck_assert(!description.groups[i].describe);
	described_alike(&description, later);
	perf_event_driver.release(part);
	description_finish(&description);
}

START_TEST(device)
{
	const struct driver_target target = {
		.root = root,
		.driver = devices[_i].driver,
		.address = devices[_i].address,
		.primary = devices[_i].primary,
		.log = warning_sink,
	};
	struct description description;
	struct drmperf_error error;
	/* a PMU that is broken is told */
	const bool is_broken = !strcmp(target.primary, "/dev/dri/card33");
	char names[256] = "";
	void *part = NULL;

	*warnings = '\0';
	put_gpus();
	ck_assert_int_eq(description_init(&description), 0);
	ck_assert_int_eq(perf_event_driver.describe(&target, &description,
						    &part, &error),
			 is_broken ? -EBADMSG : 0);
	ck_assert_uint_eq(description.event_count, 0);
	ck_assert_int_eq(described_all(&description, &error), 0);
	for (size_t i = 0; i < description.group_count; i++) {
		ck_assert_str_eq(description.groups[i].name, "pmu");
		append_names(names, &description, (group_index)i);
	}
	ck_assert_str_eq(names, devices[_i].events);
	/* one domain for each PMU */
	ck_assert_uint_eq(description.domain_count, description.group_count);
	check_at_once(&target, &description);
	if (is_broken)
		ck_assert_ptr_nonnull(strstr(error.cause, "amdgpu_df_33/type"));
	ck_assert_str_eq(warnings, "");
	perf_event_driver.release(part);
	description_finish(&description);
}
END_TEST

START_TEST(pmu_without_events)
{
	const struct driver_target target = { .root = root,
					      .driver = "i915",
					      .address = "0000:00:02.0",
					      .primary = "" };
	struct description description;
	struct drmperf_error error;
	void *part = NULL;

	put("i915/type", "20\n");
	put("i915/events/event.unit", "ns\n");
	ck_assert_int_eq(description_init(&description), 0);
	ck_assert_int_eq(perf_event_driver.describe(&target, &description,
						    &part, &error),
			 0);
	ck_assert_uint_eq(description.group_count, 0);
	perf_event_driver.release(part);
	description_finish(&description);
}
END_TEST

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

START_TEST(scale)
{
	const struct driver_target target = { .root = root,
					      .driver = "i915",
					      .address = "0000:00:02.0",
					      .primary = "" };
	const struct description_event *event;
	struct description description;
	struct drmperf_error error;
	void *part = NULL;

	put("i915/type", "20\n");
	put("i915/events/event", "config=1\n");
	if (scales[_i].unit)
		put("i915/events/event.unit", scales[_i].unit);
	if (scales[_i].scale)
		put("i915/events/event.scale", scales[_i].scale);
	ck_assert_int_eq(description_init(&description), 0);
	ck_assert_int_eq(perf_event_driver.describe(&target, &description,
						    &part, &error),
			 0);
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
	perf_event_driver.release(part);
	description_finish(&description);
}
END_TEST

/* One that cannot be read is what is wrong, unless another one can be. */
START_TEST(unreadable_pmu_is_told)
{
	const struct driver_target target = { .root = root,
					      .driver = "i915",
					      .address = "0000:00:02.0",
					      .primary = "",
					      .log = warning_sink };
	struct description description;
	struct drmperf_error error = { .code = 0 };
	void *part = NULL;

	*warnings = '\0';
	put("i915/type", "twenty\n");
	put("i915/events/event", "config=1\n");
	ck_assert_int_eq(description_init(&description), 0);
	ck_assert_int_eq(perf_event_driver.describe(&target, &description,
						    &part, &error),
			 -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause, "i915/type is no number"));
	put("i915_0000_00_02.0/type", "21\n");
	put("i915_0000_00_02.0/events/event", "config=1\n");
	ck_assert_int_eq(perf_event_driver.describe(&target, &description,
						    &part, &error),
			 0);
	ck_assert_uint_eq(description.group_count, 1);
	ck_assert_int_eq(described_all(&description, &error), 0);
	ck_assert_uint_eq(description.event_count, 1);
	ck_assert_ptr_nonnull(strstr(warnings, "i915/type is no number"));
	perf_event_driver.release(part);
	description_finish(&description);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Simulated GPUs                                                       */

static struct drmperf *drmperf;
static struct drmperf_error error;

static void
set_up(void)
{
	memset(&error, 0, sizeof(error));
	ck_assert_msg(!drmperf_create(NULL, &drmperf, &error), "%s",
		      error.cause);
}

static void
tear_down(void)
{
	drmperf_destroy(drmperf);
}

static void
set(const char *key, const char *value)
{
	ck_assert_int_eq(drmsim_set(key, value), 0);
}

static void
advance(uint64_t ns)
{
	ck_assert_int_eq(drmsim_advance(ns), 0);
}

#define MOST_EVENTS 8
#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static struct drmperf_session *
open_session(const char *const *names)
{
	struct drmperf_selection selections[MOST_EVENTS];
	struct drmperf_session *session = NULL;
	size_t count = 0;

	for (; names[count]; count++)
		ck_assert_msg(!drmperf_event_find(drmperf, names[count],
						  &selections[count], &error),
			      "%s: %s", names[count], error.cause);
	ck_assert_msg(!drmperf_session_create(drmperf, selections, count, NULL,
					      &session, &error),
		      "%s", error.cause);
	return session;
}

static void
start(struct drmperf_session *session)
{
	ck_assert_msg(!drmperf_session_start(session, &error), "%s: %s",
		      error.cause, error.remedy);
}

static void
read_values(struct drmperf_session *session, union drmperf_value *values)
{
	ck_assert_msg(!drmperf_session_read(session, values, NULL, &error),
		      "%s: %s", error.cause, error.remedy);
}

/* The call failed so, and cause and remedy have these words. */
static void
check_error(int ret, int expected, const char *cause, const char *remedy)
{
	ck_assert_msg(ret == expected, "%d instead of %d: %s", ret, expected,
		      ret ? error.cause : "no error");
	ck_assert_int_eq(error.code, expected);
	ck_assert_msg(strstr(error.cause, cause), "cause: %s", error.cause);
	ck_assert_msg(strstr(error.remedy, remedy), "remedy: %s", error.remedy);
}

static uint64_t
calls(const char *kind)
{
	uint64_t count;

	ck_assert_int_eq(drmsim_calls(kind, &count), 0);
	return count;
}

/* What the scenario says is what comes out, in the event's unit. */
static const struct {
	const char *event;
	const char *key, *value;
	uint64_t count; /* in a second */
	enum drmperf_unit unit;
} counts[] = {
	{ "i915::pmu.rcs0-busy:device=0", "gpu0.engine-busy", "rcs0 62.5",
	  625000000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.vecs0-sema:device=0", "gpu0.engine-sema", "vecs0 0.001",
	  10000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.actual-frequency:device=0", "gpu0.gpu-clock", "600",
	  600000000, DRMPERF_UNIT_CYCLES },
	{ "i915::pmu.interrupts:device=0", "gpu0.interrupts", "12345", 12345,
	  DRMPERF_UNIT_EVENTS },
	{ "i915::pmu.rc6-residency:device=0", "gpu0.rc6", "33", 330000000,
	  DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.rc6-residency-gt1:device=1", "gpu1.rc6", "25", 250000000,
	  DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.vcs1-busy:device=1", "gpu1.engine-busy", "vcs1 3",
	  30000000, DRMPERF_UNIT_NANOSECONDS },
	{ "i915::pmu.requested-frequency-gt1:device=1",
	  "gpu1.requested-frequency", "900", 900000000, DRMPERF_UNIT_CYCLES },
	{ "i915::pmu.ccs0-busy:device=2", "gpu2.engine-busy", "ccs0 5",
	  50000000, DRMPERF_UNIT_NANOSECONDS },
	{ "amdgpu::pmu.cake0_pcsout_txdata", "gpu3.df-rate",
	  "cake0_pcsout_txdata 12.5M", 12500000, DRMPERF_UNIT_EVENTS },
};

START_TEST(counting)
{
	struct drmperf_session *session = open_session(NAMES(counts[_i].event));
	struct drmperf_selection selection;
	union drmperf_value value;

	set(counts[_i].key, counts[_i].value);
	ck_assert(!drmperf_event_find(drmperf, counts[_i].event, &selection,
				      &error));
	ck_assert_int_eq(drmperf_event_unit(selection.event), counts[_i].unit);
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_CUMULATIVE);
	start(session);
	read_values(session, &value);
	ck_assert_uint_eq(value.u64, 0);
	advance(1000 * MS);
	read_values(session, &value);
	ck_assert_uint_eq(value.u64, counts[_i].count);
	ck_assert_int_eq(drmperf_session_reset(session, &error), 0);
	advance(1000 * MS);
	ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
	advance(1000 * MS);
	read_values(session, &value);
	ck_assert_uint_eq(value.u64, counts[_i].count);
	drmperf_session_destroy(session);
}
END_TEST

/* Every event that is listed counts, each on its own PMU. */
START_TEST(all_events)
{
	struct drmperf_device *device =
		drmperf_device_at(drmperf, (unsigned)_i);
	const struct drmperf_event *event;
	size_t tried = 0;

	ck_assert_int_eq(drmperf_device_open(device, &error), 0);
	for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
		struct drmperf_selection selection = { event, -1 };
		struct drmperf_session *session;
		union drmperf_value value;

		if (strcmp(drmperf_group_domain(drmperf_event_group(event)),
			   "pmu"))
			continue;
		ck_assert(strlen(drmperf_event_description(event)) > 10);
		ck_assert_int_eq(drmperf_session_create(drmperf, &selection, 1,
							NULL, &session, &error),
				 0);
		start(session);
		advance(10 * MS);
		read_values(session, &value);
		drmperf_session_destroy(session);
		tried++;
	}
	ck_assert_uint_ge(tried, 10);
}
END_TEST

/* Any number of events of two PMUs: one read() for each. */
START_TEST(one_read_for_each_pmu)
{
	struct drmperf_session *session = open_session(NAMES(
		"i915::pmu.rcs0-busy:device=0", "i915::pmu.bcs0-busy:device=0",
		"i915::pmu.vcs0-busy:device=0",
		"i915::pmu.actual-frequency:device=0",
		"i915::pmu.interrupts:device=0", "i915::pmu.rcs0-busy:device=1",
		"i915::pmu.rcs0-wait:device=1"));
	union drmperf_value values[7];
	uint64_t before, opened = calls("perf_event_open");

	start(session);
	ck_assert_uint_eq(calls("perf_event_open") - opened, 7);
	before = calls("perf_event_read");
	read_values(session, values);
	ck_assert_uint_eq(calls("perf_event_read") - before, 2);
	drmperf_session_destroy(session);
}
END_TEST

/* Two sessions on one PMU, each with its own base line. */
START_TEST(two_sessions)
{
	const char *const *names = NAMES("i915::pmu.rcs0-busy:device=0");
	struct drmperf_session *one = open_session(names);
	struct drmperf_session *two = open_session(names);
	union drmperf_value value;

	set("gpu0.engine-busy", "rcs0 50");
	start(one);
	advance(10 * MS);
	start(two);
	advance(10 * MS);
	read_values(two, &value);
	ck_assert_uint_eq(value.u64, 5 * MS);
	read_values(one, &value);
	ck_assert_uint_eq(value.u64, 10 * MS);
	drmperf_session_destroy(two);
	advance(10 * MS);
	read_values(one, &value);
	ck_assert_uint_eq(value.u64, 15 * MS);
	drmperf_session_destroy(one);
}
END_TEST

static void
set_paranoid(const char *level)
{
	/* any machine: the simulated one's */
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "we");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", level);
	ck_assert_int_eq(fclose(file), 0);
}

static const struct {
	const char *level;
	const char *cause, *remedy; /* NULL: it is allowed */
} levels[] = {
	{ "2", "perf_event_paranoid is 2", "kernel.perf_event_paranoid=0" },
	{ "2", "no CAP_PERFMON", "cap_perfmon=ep" },
	{ "1", "perf_event_paranoid is 1", "kernel.perf_event_paranoid=0" },
	{ "3", "perf_event_paranoid is 3", "CAP_SYS_ADMIN" },
	{ "0", NULL, NULL },
};

/* The PMU is refused; the rest of the GPU counts. */
START_TEST(no_permission)
{
	const char *busy = "i915::pmu.rcs0-busy:device=0";
	struct drmperf_session *session = open_session(NAMES(busy));
	struct drmperf_session *fabric =
		open_session(NAMES("amdgpu::GRBM.COUNT"));

	set("unprivileged", "1");
	set_paranoid(levels[_i].level);
	if (levels[_i].cause)
		check_error(drmperf_session_start(session, &error), -EACCES,
			    levels[_i].cause, levels[_i].remedy);
	else
		start(session);
	start(fabric);
	set("unprivileged", "0");
	set_paranoid("2");
	drmperf_session_destroy(fabric);
	drmperf_session_destroy(session);
}
END_TEST

/* More than the fabric has: refused before anything is touched. */
START_TEST(too_many)
{
	const char *const *names =
		NAMES("amdgpu::pmu.cake0_pcsout_txdata",
		      "amdgpu::pmu.cake0_pcsout_txmeta",
		      "amdgpu::pmu.cake1_pcsout_txdata",
		      "amdgpu::pmu.cake1_pcsout_txmeta",
		      "amdgpu::pmu.xgmi_link0_data_outbound");
	struct drmperf_selection selections[5];
	struct drmperf_session *session;

	for (size_t i = 0; i < ARRAY_SIZE(selections); i++)
		ck_assert_int_eq(drmperf_event_find(drmperf, names[i],
						    &selections[i], &error),
				 0);
	check_error(drmperf_session_create(drmperf, selections, 5, NULL,
					   &session, &error),
		    -ENOSPC, "pmu", "leave out");
}
END_TEST

/* Another one has the fabric's counters: an error, and never an estimate. */
START_TEST(no_counters_left)
{
	struct drmperf_session *first =
		open_session(NAMES("amdgpu::pmu.cake0_pcsout_txdata",
				   "amdgpu::pmu.cake0_pcsout_txmeta",
				   "amdgpu::pmu.cake1_pcsout_txdata",
				   "amdgpu::pmu.cake1_pcsout_txmeta"));
	struct drmperf_session *second =
		open_session(NAMES("amdgpu::pmu.xgmi_link0_data_outbound"));
	union drmperf_value value;
	int ret;

	start(first);
	ret = drmperf_session_start(second, &error);
	if (!ret) {
		advance(10 * MS);
		ret = drmperf_session_read(second, &value, NULL, &error);
	}
	check_error(ret, -EBUSY, "no counters free", "fewer");
	drmperf_session_destroy(second);
	drmperf_session_destroy(first);
}
END_TEST

/* The child's copies do nothing; the parent's count goes on. */
START_TEST(forked_child)
{
	struct drmperf_session *session =
		open_session(NAMES("i915::pmu.rcs0-busy:device=0"));
	union drmperf_value value;
	int status;
	pid_t child;

	set("gpu0.engine-busy", "rcs0 50");
	start(session);
	advance(10 * MS);
	child = fork();
	if (!child) {
		if (drmperf_session_read(session, &value, NULL, NULL) !=
		    -ECHILD)
			_exit(1);
		drmperf_session_destroy(session);
		drmperf_destroy(drmperf);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	advance(10 * MS);
	read_values(session, &value);
	ck_assert_uint_eq(value.u64, 10 * MS);
	drmperf_session_destroy(session);
}
END_TEST

static const struct {
	const char *fault; /* of the next call */
	bool at_start;
	int result;
	const char *cause;
} faults[] = {
	{ "perf_event_open:1:ENOENT", true, -ENODEV, "does not count" },
	{ "perf_event_open:2:ENODEV", true, -ENODEV, "bcs0-busy" },
	{ "perf_event_open:1:EMFILE", true, -EMFILE, "too many files" },
	{ "perf_event_ioctl:1:ENODEV", true, -ENODEV, "cannot start" },
	{ "perf_event_read:1:ENODEV", true, -ENODEV, "cannot read" },
	{ "perf_event_read:1:ENODEV", false, -ENODEV, "cannot read" },
};

/* What fails leaves nothing behind, and works again afterwards. */
START_TEST(fault)
{
	struct drmperf_session *session =
		open_session(NAMES("i915::pmu.rcs0-busy:device=0",
				   "i915::pmu.bcs0-busy:device=0"));
	union drmperf_value values[2];
	int ret;

	if (!faults[_i].at_start)
		start(session);
	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	ret = faults[_i].at_start
		      ? drmperf_session_start(session, &error)
		      : drmperf_session_read(session, values, NULL, &error);
	check_error(ret, faults[_i].result, faults[_i].cause, "");
	if (faults[_i].at_start)
		start(session);
	read_values(session, values);
	drmperf_session_destroy(session);
}
END_TEST

/* Events of CPUs, of PMUs and of the GPU's own counters, in one session. */
START_TEST(beside_others)
{
	struct drmperf_session *session =
		open_session(NAMES("perf::TASK-CLOCK:u", "amdgpu::GRBM.COUNT",
				   "i915::pmu.rcs0-busy:device=0",
				   "i915::RenderBasic.GpuTime:device=0"));
	union drmperf_value values[4];
	int ret;

	set("gpu0.engine-busy", "rcs0 50");
	ret = drmperf_session_start(session, &error);
	if (ret == -EACCES || ret == -ENOSYS) {
		/* the host's kernel, not the simulated one, counts the first */
		printf("skip beside_others: %s\n", error.cause);
		drmperf_session_destroy(session);
		return;
	}
	ck_assert_int_eq(ret, 0);
	advance(10 * MS);
	read_values(session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_uint_ge(values[2].u64, 5 * MS);
	ck_assert_uint_ge(values[3].u64, 10 * MS);
	drmperf_session_destroy(session);
}
END_TEST

/* A GPU is unplugged while its PMU counts: who reads or stops is told. */
START_TEST(gone)
{
	struct drmperf_session *session =
		open_session(NAMES("i915::pmu.ccs0-busy:device=2"));
	struct drmperf_session *stopped =
		open_session(NAMES("i915::pmu.rcs0-busy:device=2"));
	struct drmperf_session *other =
		open_session(NAMES("i915::pmu.rcs0-busy:device=0"));
	union drmperf_value value;

	start(session);
	start(stopped);
	start(other);
	advance(10 * MS);
	read_values(session, &value);
	set("gpu2.gone", "on");
	advance(10 * MS);
	check_error(drmperf_session_read(session, &value, NULL, &error),
		    -ENODEV, "PMU i915_0000_03_00.0 vanished",
		    "when its driver is back");
	check_error(drmperf_session_stop(stopped, &error), -ENODEV,
		    "PMU i915_0000_03_00.0 vanished", "");
	read_values(other, &value);
	drmperf_session_destroy(session);
	drmperf_session_destroy(stopped);
	drmperf_session_destroy(other);
}
END_TEST

/* ------------------------------------------------------------------ */

static Suite *
file_suite(void)
{
	Suite *suite = suite_create("pmu_files");
	TCase *texts = tcase_create("texts");
	TCase *files = tcase_create("files");

	tcase_add_loop_test(texts, format, 0, ARRAY_SIZE(formats));
	tcase_add_loop_test(texts, term, 0, ARRAY_SIZE(terms));
	tcase_add_loop_test(texts, cpu_list, 0, ARRAY_SIZE(cpu_lists));
	tcase_add_checked_fixture(files, make_sysfs, remove_sysfs);
	tcase_add_test(files, malformed_events);
	tcase_add_loop_test(files, malformed_pmu, 0, ARRAY_SIZE(bad_pmus));
	tcase_add_loop_test(files, device, 0, ARRAY_SIZE(devices));
	tcase_add_test(files, pmu_without_events);
	tcase_add_loop_test(files, scale, 0, ARRAY_SIZE(scales));
	tcase_add_test(files, unreadable_pmu_is_told);
	suite_add_tcase(suite, texts);
	suite_add_tcase(suite, files);
	return suite;
}

static Suite *
gpu_suite(void)
{
	Suite *suite = suite_create("pmu_gpus");
	TCase *gpus = tcase_create("gpus");

	tcase_add_checked_fixture(gpus, set_up, tear_down);
	tcase_add_loop_test(gpus, counting, 0, ARRAY_SIZE(counts));
	tcase_add_loop_test(gpus, all_events, 0, 4);
	tcase_add_test(gpus, one_read_for_each_pmu);
	tcase_add_test(gpus, two_sessions);
	tcase_add_loop_test(gpus, no_permission, 0, ARRAY_SIZE(levels));
	tcase_add_test(gpus, too_many);
	tcase_add_test(gpus, no_counters_left);
	tcase_add_test(gpus, forked_child);
	tcase_add_loop_test(gpus, fault, 0, ARRAY_SIZE(faults));
	tcase_add_test(gpus, beside_others);
	tcase_add_test(gpus, gone);
	suite_add_tcase(suite, gpus);
	return suite;
}

static const char *const gpus[] = { "--time", "virtual", "--gpu", "skl",
				    "--gpu",  "mtl",	 "--gpu", "acmgt3",
				    "--gpu",  "vega20",	 NULL };

static const struct machine machines[] = { { gpus, "pmu_gpus" } };

int
main(void)
{
	int ret;

	if (drmsim_is_present())
		return suite_run(gpu_suite());
	ret = suite_run(file_suite());
	return below_drmsim(machines, ARRAY_SIZE(machines)) || ret;
}
