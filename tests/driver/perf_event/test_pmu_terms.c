/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Terms that a PMU's event leaves open: filled in by users, and, of xe's PMU,
 * by what the kernel tells of engines and GTs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/state.h"
#include "driver/driver.h"
#include "driver/perf_event/format.h"
#include "driver/perf_event/pmu.h"
#include "driver/perf_event/xe_events.h"
#include "driver/intel/xe_query.h"
#include "driver/intel/xe_uapi.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/driver/perf_event/sysfs.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

/* Linux drivers/gpu/drm/xe/xe_pmu.c */
#define PMU_NAME "xe_0000_03_00.0"

static void
put_xe(void)
{
	test_folder_make();
	sysfs_put(PMU_NAME "/type", "33\n");
	sysfs_put(PMU_NAME "/format/event", "config:0-11\n");
	sysfs_put(PMU_NAME "/format/engine_instance", "config:12-19\n");
	sysfs_put(PMU_NAME "/format/engine_class", "config:20-27\n");
	sysfs_put(PMU_NAME "/format/function", "config:44-59\n");
	sysfs_put(PMU_NAME "/format/gt", "config:60-63\n");
	sysfs_put(PMU_NAME "/events/engine-active-ticks", "event=0x02\n");
	sysfs_put(PMU_NAME "/events/engine-active-ticks.unit", "ticks\n");
	sysfs_put(PMU_NAME "/events/engine-total-ticks", "event=0x03\n");
	sysfs_put(PMU_NAME "/events/engine-total-ticks.unit", "ticks\n");
	sysfs_put(PMU_NAME "/events/gt-actual-frequency", "event=0x04\n");
	sysfs_put(PMU_NAME "/events/gt-actual-frequency.unit", "MHz\n");
	sysfs_put(PMU_NAME "/events/wants", "event=0x05,gt=?\n");
}

TEST_CASE(files, put_xe, test_folder_remove, "pmu_terms");

/* ------------------------------------------------------------------ */
/* Texts                                                                */

static const struct {
	const char *text; /* behind "event=2,gt=?" */
	int result;
	uint64_t config;
	bool lacks;
} completions[] = {
	{ "gt=1", 0, UINT64_C(0x1000000000000002), false },
	{ "class=3", 0, 0x300002, true },
	{ "class=3:gt=15", 0, UINT64_C(0xf000000000300002), false },
	{ "class=0x1f:gt=0", 0, 0x1f00002, false },
	{ "gt", 0, UINT64_C(0x1000000000000002), false },
	{ "gt=16", -EINVAL, 0, false },
	{ "gt=?", -EINVAL, 0, false },
	{ "gt=1:gt=1", -EEXIST, 0, false },
	{ "event=1", -EEXIST, 0, false },
	{ "low=1", -EEXIST, 0, false },
	{ "config=1", -EINVAL, 0, false },
	{ "instance=1", -EINVAL, 0, false },
	{ "gt=1,class=3", -EINVAL, 0, false },
	{ "gt=1:", -EINVAL, 0, false },
	{ "", -EINVAL, 0, false },
};

TEST_CASE(texts, NULL, NULL, "pmu_terms");

TEST_LOOP(texts, wanted_terms_are_filled_in, ARRAY_SIZE(completions))
{
	static const struct pmu_format formats[] = {
		{ "event", 0, 0xfff },
		{ "low", 0, 0xf },
		{ "class", 0, 0xff00000 },
		{ "gt", 0, UINT64_C(0xf000000000000000) },
	};
	struct pmu_words words = { .config = { 0 } };
	int ret;

	ck_assert(!pmu_terms_parse("event=2,gt=?", formats, 4, &words));
	ck_assert(pmu_words_lack(&words));
	ret = pmu_terms_complete(completions[_i].text, formats, 4, &words);
	ck_assert_int_eq(ret, completions[_i].result);
	if (ret)
		return;
	ck_assert_uint_eq(words.config[0], completions[_i].config);
	ck_assert_int_eq(pmu_words_lack(&words), completions[_i].lacks);
}

/* ------------------------------------------------------------------ */
/* Names of users                                                       */

static const struct {
	const char *name;
	int result;
	const char *cause, *remedy;
} names[] = {
	{ PMU_NAME "::engine-active-ticks:gt=1:engine_class=4", 0, "", "" },
	{ PMU_NAME "::wants:gt=1", 0, "", "" },
	{ PMU_NAME "::wants", -EINVAL, "wants more terms", ":gt=N" },
	{ PMU_NAME "::gt-actual-frequency:gt=16", -EINVAL, "too large",
	  ":engine_class=N, :engine_instance=N, :function=N, :gt=N" },
	{ PMU_NAME "::gt-actual-frequency:event=3", -EINVAL, "already",
	  ":gt=N" },
	{ PMU_NAME "::gt-actual-frequncy:gt=1", -ENOENT,
	  "no event \"gt-actual-frequncy\"", "gt-actual-frequency" },
};

TEST_LOOP(files, an_event_is_named_with_its_terms, ARRAY_SIZE(names))
{
	static const struct driver *const drivers[] = { &cpu_driver, NULL };
	struct drmperf_selection selection;
	int ret;

	ck_assert(!state_create(NULL, drivers, test_folder, &counting.drmperf,
				&counting.error));
	ret = drmperf_event_find(counting.drmperf, names[_i].name, &selection,
				 &counting.error);
	if (names[_i].result) {
		counting_failed(ret, names[_i].result, names[_i].cause,
				names[_i].remedy);
	} else {
		ck_assert_msg(!ret, "%s", counting.error.cause);
		ck_assert_str_eq(drmperf_event_name(selection.event),
				 names[_i].name);
	}
	drmperf_destroy(counting.drmperf);
}

/* ------------------------------------------------------------------ */
/* xe's engines and GTs                                                 */

/* Two GTs, and two engines that only the GT tells apart; 5 does no work. */
static const struct {
	uint32_t count, pad;
	struct xe_uapi_engine list[5];
} engines = {
	.count = 5,
	.list = { { .id = { 0, 0, 0, 0 } },
		  { .id = { 4, 1, 0, 0 } },
		  { .id = { 2, 0, 1, 0 } },
		  { .id = { 4, 1, 1, 0 } },
		  { .id = { 5, 0, 0, 0 } } },
};

static const struct {
	uint32_t count, pad;
	struct xe_uapi_gt list[2];
} gts = {
	.count = 2,
	.list = { { .type = XE_UAPI_GT_MAIN,
		    .id = 0,
		    .reference_hz = 19200000,
		    .ip_major = 20,
		    .ip_minor = 4 },
		  { .type = XE_UAPI_GT_MEDIA, .id = 1 } },
};

static struct xe_parts
decode_parts(void)
{
	struct xe_parts parts;

	ck_assert(!xe_engines_decode(&engines, sizeof(engines), &parts.engines,
				     &parts.engine_count));
	ck_assert(!xe_gts_decode(&gts, sizeof(gts), &parts.gts,
				 &parts.gt_count));
	return parts;
}

TEST(texts, answers_of_the_xe_kernel_are_decoded)
{
	struct xe_parts parts = decode_parts();
	struct xe_engine *list;
	struct xe_gt *gt;
	size_t count;

	/* sizes of the kernel's structures */
	ck_assert_uint_eq(XE_UAPI_IOCTL_QUERY, 0xc0286440);
	ck_assert_uint_eq(sizeof(engines), 8 + 5 * 32);
	ck_assert_uint_eq(sizeof(gts), 8 + 2 * 96);
	ck_assert_uint_eq(parts.engine_count, 5);
	ck_assert_uint_eq(parts.engines[3].engine_class, 4);
	ck_assert_uint_eq(parts.engines[3].instance, 1);
	ck_assert_uint_eq(parts.engines[3].gt, 1);
	ck_assert_uint_eq(parts.gt_count, 2);
	ck_assert_uint_eq(parts.gts[0].ip_major, 20);
	ck_assert_uint_eq(parts.gts[0].ip_minor, 4);
	ck_assert_uint_eq(parts.gts[0].reference_hz, 19200000);
	ck_assert_uint_eq(parts.gts[1].type, XE_UAPI_GT_MEDIA);
	xe_parts_free(&parts);
	/* an answer that is cut short */
	ck_assert_int_eq(xe_engines_decode(&engines, sizeof(engines) - 1, &list,
					   &count),
			 -EPROTO);
	ck_assert_int_eq(xe_engines_decode(&engines, 4, &list, &count),
			 -EPROTO);
	ck_assert_int_eq(xe_gts_decode(&gts, sizeof(gts) - 1, &gt, &count),
			 -EPROTO);
}

static const struct {
	const char *name;
	uint64_t config;
} expected[] = {
	{ "engine-active-ticks", 0x2 },
	{ "engine-total-ticks", 0x3 },
	{ "gt-actual-frequency", 0x4 },
	{ "wants", 0x5 },
	{ "rcs0-active-ticks", 0x2 },
	{ "ccs1-active-ticks", 0x401002 },
	{ "vcs0-active-ticks", UINT64_C(0x1000000000200002) },
	{ "gt1-ccs1-active-ticks", UINT64_C(0x1000000000401002) },
	{ "rcs0-total-ticks", 0x3 },
	{ "ccs1-total-ticks", 0x401003 },
	{ "vcs0-total-ticks", UINT64_C(0x1000000000200003) },
	{ "gt1-ccs1-total-ticks", UINT64_C(0x1000000000401003) },
	{ "gt0-actual-frequency", 0x4 },
	{ "gt1-actual-frequency", UINT64_C(0x1000000000000004) },
};

static void
ignore_log(void *data, enum drmperf_log_level level, const char *text)
{
	(void)data;
	ck_abort_msg("level %d: %s", (int)level, text);
}

TEST(files, events_are_spread_over_engines_and_gts)
{
	const struct log_sink sink = { .log = ignore_log };
	struct xe_parts parts = decode_parts();
	struct description description;
	struct drmperf_error error;
	struct arena *arena;
	struct pmu pmu;

	ck_assert(!description_init(&description));
	arena = description.arena;
	ck_assert(!pmu_read(test_folder, PMU_NAME, arena, &sink, &pmu, &error));
	ck_assert(!xe_events_add(&pmu, &parts, arena));
	ck_assert_uint_eq(pmu.event_count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		ck_assert_str_eq(pmu.events[i].name, expected[i].name);
		ck_assert_uint_eq(pmu.events[i].words.config[0],
				  expected[i].config);
	}
	ck_assert_str_eq(pmu.events[7].file, "engine-active-ticks");
	ck_assert_str_eq(pmu.events[7].unit, "ticks");
	ck_assert(!xe_events_add_busy(&pmu, 0, &description));
	ck_assert_uint_eq(description.event_count, 4);
	ck_assert_str_eq(description.events[3].name, "gt1-ccs1-busy");
	ck_assert_str_eq(
		description.events[3].expression,
		"100*'gt1-ccs1-active-ticks'/'gt1-ccs1-total-ticks'");
	xe_parts_free(&parts);
	description_finish(&description);
}
