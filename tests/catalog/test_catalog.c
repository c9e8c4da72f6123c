/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/catalog.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "catalog/fill.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "expr/eval.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* A device                                                             */

enum {
	GFX,
	OA
};

enum {
	SQ,
	TCC,
	TA,
	METRIC,
	RAW,
	RENDER,
	COMPUTE
};

static const struct description_domain domains[] = {
	[GFX] = { .name = "gfx" },
	[OA] = { .name = "oa", .exclusive = true },
};

static const struct description_group groups[] = {
	[SQ] = { .name = "SQ",
		 .domain = GFX,
		 .max_active = 8,
		 .instances = 4,
		 .instances_per_engine = 1,
		 .scope = DRMPERF_SCOPE_QUEUE },
	[TCC] = { .name = "TCC",
		  .domain = GFX,
		  .max_active = 4,
		  .instances = 16,
		  .instances_per_engine = 16 },
	[TA] = { .name = "TA",
		 .domain = GFX,
		 .max_active = 2,
		 .instances = 16,
		 .instances_per_engine = 4 },
	[METRIC] = { .name = "metric",
		     .domain = GFX,
		     .instances = 1,
		     .instances_per_engine = 1 },
	[RAW] = { .name = "raw",
		  .domain = OA,
		  .instances = 1,
		  .instances_per_engine = 1 },
	[RENDER] = { .name = "Render",
		     .domain = OA,
		     .max_active = 2,
		     .instances = 1,
		     .instances_per_engine = 1,
		     .borrows = true,
		     .counters_of = RAW,
		     .scope = DRMPERF_SCOPE_QUEUE },
	[COMPUTE] = { .name = "Compute",
		      .domain = OA,
		      .max_active = 3,
		      .instances = 1,
		      .instances_per_engine = 1,
		      .borrows = true,
		      .counters_of = RAW },
};

#define METRIC_OF(g, n, text)                                                  \
	.group = g, .name = n, .expression = text, .file = "m.xml",            \
	.line = __LINE__, .type = DRMPERF_TYPE_DOUBLE,                         \
	.kind = DRMPERF_KIND_AVERAGE

/* In no order: a catalog sorts them. */
static const struct description_event events[] = {
	{ METRIC_OF(METRIC, "L2CacheHit", "100*TCC.HIT/(TCC.HIT+TCC_MISS)") },
	{ .group = TCC, .name = "HIT", .selector = 20 },
	{ .group = SQ, .name = "OLD", .selector = 1 },
	{ .group = SQ,
	  .name = "WAVES",
	  .selector = 4,
	  .slots = 0xff,
	  .alias = "SQ_WAVES" }, /* which it has anyway */
	{ .group = SQ, .name = "STAGE_A", .selector = 30, .setting = 1 },
	{ .group = SQ, .name = "STAGE_B", .selector = 30, .setting = 2 },
	{ .group = TCC, .name = "FOUR", .selector = 4 },
	{ .group = TCC, .name = "MISS", .selector = 22, .alias = "L2_MISS" },
	{ .group = SQ, .name = "Busy_cycles", .selector = 3, .setting = 7 },
	{ .group = SQ, .name = "busy.cycles", .selector = 5 },
	{ .group = TA, .name = "TA_BUSY", .selector = 15 },
	{ .group = TA, .name = "MINE", .selector = 16, .alias = "TCC_FOUR" },
	{ .group = SQ, .name = "ACCUM_PREV", .selector = 10, .follows = true },
	{ .group = SQ,
	  .name = "ACCUM_PREV_HIRES",
	  .selector = 11,
	  .follows = true },
	{ .group = SQ, .name = "LEVEL_WAVES", .selector = 12 },
	{ .group = SQ,
	  .name = "TEMPERATURE",
	  .selector = 13,
	  .kind = DRMPERF_KIND_MOMENTARY },
	{ .group = SQ, .name = "HIDDEN", .selector = 14, .hidden = true },
	{ METRIC_OF(SQ, "PerWave", "Busy_cycles/WAVES") },
	{ METRIC_OF(METRIC, "Occupancy", "accumulate(SQ.LEVEL_WAVES)/4") },
	{ METRIC_OF(METRIC, "OccupancyLow",
		    "accumulate(SQ_LEVEL_WAVES,LOW_RES)") },
	{ METRIC_OF(METRIC, "OccupancyNamed",
		    "accumulate(SQ.LEVEL_WAVES,ACCUM_PREV)") },
	{ METRIC_OF(METRIC, "OccupancyRocm",
		    "SQ_LEVEL_WAVES*0+SQ_ACCUM_PREV/SQ_WAVES") },
	{ METRIC_OF(METRIC, "OccupancyTwice",
		    "SQ_LEVEL_WAVES*0+SQ_ACCUM_PREV+SQ_ACCUM_PREV") },
	{ METRIC_OF(METRIC, "OccupancyLost", "SQ_ACCUM_PREV+SQ_WAVES") },
	{ METRIC_OF(METRIC, "OccupancyOther", "TCC_HIT*0+SQ_ACCUM_PREV") },
	{ METRIC_OF(METRIC, "Doubled", "SQ.PerWave+PerWaveAgain+SQ.WAVES") },
	{ METRIC_OF(METRIC, "PerWaveAgain", "SQ.PerWave*SQ.HIDDEN") },
	{ METRIC_OF(METRIC, "Mixed", "max(TA.TA_BUSY,16)+TCC.HIT") },
	{ METRIC_OF(METRIC, "Unlike", "SQ.WAVES+TCC.HIT") },
	{ METRIC_OF(METRIC, "Alike",
		    "SQ.WAVES+TCC.FOUR+SQ.STAGE_A+SQ.STAGE_B+SQ_WAVES") },
	{ METRIC_OF(METRIC, "TwoSums",
		    "accumulate(SQ.LEVEL_WAVES)/accumulate(SQ.WAVES)") },
	{ METRIC_OF(METRIC, "SumOfSum",
		    "SQ.LEVEL_WAVES+accumulate(SQ.ACCUM_PREV)") },
	{ METRIC_OF(METRIC, "Constant", "SE_NUM*2") },
	{ METRIC_OF(METRIC, "Loop", "Pool+1") },
	{ METRIC_OF(METRIC, "Pool", "Loop+1") },
	{ METRIC_OF(METRIC, "Broken", "SQ.WAVES+") },
	{ METRIC_OF(METRIC, "Unknown", "SQ.WAWES") },
	{ METRIC_OF(METRIC, "AnyOf", "oa.GpuBusy*2") },
	{ METRIC_OF(METRIC, "Ambiguous", "SQ_BUSY_CYCLES*2") },
	{ .group = SQ, .name = "OLD", .selector = 2 }, /* replaces */
	{ .group = RAW, .name = "A7", .selector = 107, .hidden = true },
	{ .group = RAW, .name = "GPU_CLOCK0", .selector = 1, .hidden = true },
	{ METRIC_OF(RENDER, "GpuBusy", "1 2 UADD"),
	  .language = EXPRESSION_OA_RPN }, /* replaced */
	{ METRIC_OF(RENDER, "GpuBusy", "A 7 READ 100 UMUL $GpuClocks FDIV"),
	  .language = EXPRESSION_OA_RPN },
	{ METRIC_OF(RENDER, "GpuClocks", "GPU_CLOCK 0 READ"),
	  .language = EXPRESSION_OA_RPN },
	{ METRIC_OF(RENDER, "Own", "B 0 READ"), .language = EXPRESSION_OA_RPN,
	  .alias = "MY_OWN" },
	{ .group = RENDER, .name = "B0", .selector = 200, .hidden = true },
	{ METRIC_OF(COMPUTE, "GpuBusy", "A 7 READ $SE_NUM UDIV"),
	  .language = EXPRESSION_OA_RPN },
	{ METRIC_OF(COMPUTE, "GpuClocks", "GPU_CLOCK 0 READ"),
	  .language = EXPRESSION_OA_RPN, .unit = DRMPERF_UNIT_CYCLES },
	{ METRIC_OF(COMPUTE, "Own", "1 2 UADD"), .hidden = true },
};

static struct catalog *catalog;

/* Of a device whose groups' events are described later. */
static struct later {
	unsigned calls[ARRAY_SIZE(groups)];
	int err; /* what describing SQ gives */
	unsigned warnings;
	char warning[600]; /* the last */
} later;

static int
describe(void *device, group_index group, struct description *description,
	 struct drmperf_error *error)
{
	struct later *state = device;
	size_t i;

	ck_assert_uint_eq(description->event_count, 0);
	state->calls[group]++;
	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].group == group)
			ck_assert(!description_add_event(description,
							 &events[i]));
	if (group == SQ && state->err)
		return error_set(error, state->err, "t.xml:7: <event> is bad");
	return 0;
}

static void
keep_warning(void *data, enum drmperf_log_level level, const char *message)
{
	struct later *state = data;

	ck_assert_int_eq(level, DRMPERF_LOG_WARNING);
	state->warnings++;
	snprintf(state->warning, sizeof(state->warning), "%s", message);
}

static void
fill_but_events(struct description *description, bool is_later)
{
	size_t i;

	ck_assert(!description_init(description));
	description->chip = "Test GPU";
	description->generation = "gfx0";
	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		struct description_domain domain = domains[i];

		domain.device = &later;
		ck_assert(!description_add_domain(description, &domain, NULL));
	}
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		struct description_group group = groups[i];

		group.describe = is_later ? describe : NULL;
		ck_assert(!description_add_group(description, &group, NULL));
	}
	ck_assert(!description_add_constant(description, "SE_NUM", 4));
}

static void
fill(struct description *description)
{
	size_t i;

	fill_but_events(description, false);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		ck_assert(!description_add_event(description, &events[i]));
}

static void
set_up(void)
{
	struct description description;

	fill(&description);
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &catalog,
				  NULL));
	ck_assert_ptr_null(description.arena);
}

static void
set_up_later(void)
{
	static const struct log_sink sink = { keep_warning, &later };
	struct description description;

	memset(&later, 0, sizeof(later));
	fill_but_events(&description, true);
	ck_assert(!catalog_create(&description, "amdgpu", NULL, &sink, &catalog,
				  NULL));
	ck_assert_ptr_null(description.arena);
}

static void
clean_up(void)
{
	catalog_destroy(catalog);
	catalog_destroy(NULL);
}

static const struct drmperf_event *
find(const char *name)
{
	const struct drmperf_event *event = NULL;
	struct drmperf_error error = { .cause = "" };

	ck_assert_msg(
		!catalog_find(catalog, name, strlen(name), &event, &error),
		"%s: %s", name, error.cause);
	return event;
}

/* ------------------------------------------------------------------ */
/* Order                                                                */

START_TEST(sorted_by_group)
{
	const struct catalog_list *list = catalog_list(catalog);
	size_t i, k, listed = 0;

	for (i = 0; i < catalog->description.group_count; i++) {
		const struct drmperf_group *group = &catalog->groups[i];

		ck_assert_uint_eq(group->first, listed);
		for (k = 0; k < group->count; k++) {
			const struct description_event *record =
				&group->records[k];

			ck_assert_uint_eq(record->group, i);
			ck_assert((record->hidden || record->follows) ==
				  (k >= group->listed));
			if (k < group->listed)
				ck_assert_ptr_eq(list->events[listed + k],
						 &group->events[k]);
		}
		listed += group->listed;
	}
	ck_assert_uint_eq(list->count, listed);
	/* WAVES, two stages, two cycles, LEVEL_WAVES, TEMPERATURE, PerWave, OLD
	 */
	ck_assert_uint_eq(catalog->groups[SQ].listed, 9);
	ck_assert_uint_eq(catalog->groups[RAW].listed, 0);
	ck_assert_str_eq(list->events[0]->name, "amdgpu::SQ.WAVES");
	ck_assert_ptr_eq(catalog_list(catalog), list);
}
END_TEST

START_TEST(slot_pools)
{
	const struct description_group shared = { .name = "SQX",
						  .slot_pool = TCC };
	const struct description *description = &catalog->description;
	struct description own;
	group_index index;
	size_t i;

	for (i = 0; i < description->group_count; i++)
		ck_assert_uint_eq(description->groups[i].slot_pool, i);
	fill(&own);
	ck_assert(!description_add_group(&own, &shared, &index));
	ck_assert_uint_eq(index, ARRAY_SIZE(groups));
	ck_assert_uint_eq(own.groups[index].slot_pool, TCC);
	description_finish(&own);
}
END_TEST

START_TEST(later_event_replaces)
{
	const struct drmperf_event *event = find("SQ.OLD");
	const struct drmperf_group *group = event->group;
	size_t i, count = 0;

	ck_assert_uint_eq(catalog_event_record(event)->selector, 2);
	for (i = 0; i < group->count; i++)
		if (!strcmp(group->events[i].name, "amdgpu::SQ.OLD"))
			count++;
	ck_assert_uint_eq(count, 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Names                                                                */

static const struct {
	const char *name;
	const char *found;
} spellings[] = {
	{ "SQ.WAVES", "amdgpu::SQ.WAVES" },
	{ "SQ_WAVES", "amdgpu::SQ.WAVES" },
	{ "TCC_HIT", "amdgpu::TCC.HIT" },
	{ "TA_TA_BUSY", "amdgpu::TA.TA_BUSY" },
	{ "TCC_MISS", "amdgpu::TCC.MISS" },
	{ "L2_MISS", "amdgpu::TCC.MISS" },
	{ "TCC.FOUR", "amdgpu::TCC.FOUR" },
	/* somebody's alias goes before what follows from another's name */
	{ "TCC_FOUR", "amdgpu::TA.MINE" },
	{ "SQ.Busy_cycles", "amdgpu::SQ.Busy_cycles" },
	{ "SQ.busy.cycles", "amdgpu::SQ.busy.cycles" },
	{ "metric.L2CacheHit", "amdgpu::metric.L2CacheHit" },
	{ "L2CacheHit", "amdgpu::metric.L2CacheHit" },
	{ "METRIC_L2CACHEHIT", "amdgpu::metric.L2CacheHit" },
	{ "Render.GpuBusy", "amdgpu::Render.GpuBusy" },
	{ "oa.GpuBusy", "amdgpu::oa.GpuBusy" },
	{ "MY_OWN", "amdgpu::Render.Own" },
};

START_TEST(found)
{
	ck_assert_str_eq(find(spellings[_i].name)->name, spellings[_i].found);
}
END_TEST

static const struct {
	const char *name;
	int err;
	const char *cause;
	const char *remedy;
} unknown[] = {
	{ "SQ.WAWES", -ENOENT, "Test GPU has no event \"SQ.WAWES\"",
	  "did you mean amdgpu::SQ.WAVES" },
	{ "sq.waves", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "SQ.WAVE", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "WAVES", -ENOENT, "has no event", "mean amdgpu::SQ.WAVES" },
	{ "L2_MIS", -ENOENT, "has no event", "amdgpu::TCC.MISS" },
	{ "L2CacheHits", -ENOENT, "has no event", "amdgpu::metric.L2CacheHit" },
	{ "something.else.entirely", -ENOENT, "has no event",
	  "\"drmperf list\" shows all events" },
	{ "SQ.HIDDEN", -ENOENT, "has no event", "" },
	{ "raw.A7", -ENOENT, "has no event", "" },
	{ "SQ.ACCUM_PREV", -ENOENT, "amdgpu::SQ.ACCUM_PREV sums",
	  "accumulate" },
	{ "SQ_BUSY_CYCLES", -EINVAL, "can mean several events", "" },
	{ "SQ", -ENOENT, "has no event", "" },
	{ "", -ENOENT, "has no event", "" },
};

START_TEST(not_found)
{
	struct drmperf_error error = { .remedy = "" };
	const struct drmperf_event *event = NULL;
	const char *name = unknown[_i].name;

	ck_assert_int_eq(
		catalog_find(catalog, name, strlen(name), &event, &error),
		unknown[_i].err);
	ck_assert_ptr_null(event);
	ck_assert_int_eq(error.code, unknown[_i].err);
	ck_assert_msg(strstr(error.cause, unknown[_i].cause) &&
			      strstr(error.remedy, unknown[_i].remedy),
		      "%s: %s; %s", name, error.cause, error.remedy);
	ck_assert_int_eq(
		catalog_find(catalog, name, strlen(name), &event, NULL),
		unknown[_i].err);
}
END_TEST

/* ------------------------------------------------------------------ */
/* What events are made of                                              */

static const struct {
	const char *name;
	unsigned instances;
	enum drmperf_scope scope;
	/* selectors; the last, where not 0, stands after the one at after */
	size_t count;
	uint32_t selectors[4];
	uint32_t after[4]; /* index + 1 */
	group_index group; /* of the first */
} made_of[] = {
	{ "SQ.WAVES", 4, DRMPERF_SCOPE_QUEUE, 1, { 4 }, { 0 }, SQ },
	{ "TCC.HIT", 16, DRMPERF_SCOPE_DEVICE, 1, { 20 }, { 0 }, TCC },
	{ "L2CacheHit", 16, DRMPERF_SCOPE_DEVICE, 2, { 20, 22 }, { 0 }, TCC },
	{ "SQ.PerWave", 4, DRMPERF_SCOPE_QUEUE, 2, { 3, 4 }, { 0 }, SQ },
	{ "Doubled", 4, DRMPERF_SCOPE_QUEUE, 3, { 3, 4, 14 }, { 0 }, SQ },
	{ "Mixed", 16, DRMPERF_SCOPE_DEVICE, 2, { 15, 20 }, { 0 }, TA },
	{ "Unlike", 0, DRMPERF_SCOPE_QUEUE, 2, { 4, 20 }, { 0 }, SQ },
	{ "Constant", 0, DRMPERF_SCOPE_DEVICE, 0, { 0 }, { 0 }, 0 },
	{ "Occupancy", 4, DRMPERF_SCOPE_QUEUE, 2, { 12, 11 }, { 0, 1 }, SQ },
	{ "OccupancyLow", 4, DRMPERF_SCOPE_QUEUE, 2, { 12, 10 }, { 0, 1 }, SQ },
	{ "OccupancyNamed",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 12, 10 },
	  { 0, 1 },
	  SQ },
	{ "OccupancyRocm",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  3,
	  { 12, 10, 4 },
	  { 0, 1, 0 },
	  SQ },
	{ "OccupancyTwice",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 12, 10 },
	  { 0, 1 },
	  SQ },
	{ "TwoSums",
	  4,
	  DRMPERF_SCOPE_QUEUE,
	  4,
	  { 12, 11, 4, 11 },
	  { 0, 1, 0, 3 },
	  SQ },
	{ "Alike", 0, DRMPERF_SCOPE_QUEUE, 4, { 4, 4, 30, 30 }, { 0 }, SQ },
	/* the metric set's own group counts, whoever described the counter */
	{ "Render.GpuBusy",
	  0,
	  DRMPERF_SCOPE_QUEUE,
	  2,
	  { 107, 1 },
	  { 0 },
	  RENDER },
	{ "Compute.GpuBusy",
	  0,
	  DRMPERF_SCOPE_DEVICE,
	  1,
	  { 107 },
	  { 0 },
	  COMPUTE },
	{ "Render.Own", 0, DRMPERF_SCOPE_QUEUE, 1, { 200 }, { 0 }, RENDER },
};

START_TEST(resolved)
{
	const struct drmperf_event *event = find(made_of[_i].name);
	const struct catalog_value *value = NULL, *again;
	struct drmperf_error error = { .cause = "" };
	size_t i;

	ck_assert_msg(!catalog_resolve(event, &value, &error), "%s",
		      error.cause);
	ck_assert_uint_eq(value->instances, made_of[_i].instances);
	ck_assert_uint_eq(value->scope, made_of[_i].scope);
	ck_assert_uint_eq(value->counter_count, made_of[_i].count);
	ck_assert_uint_eq(value->alternative_count, 0);
	ck_assert((value->program != NULL) ==
		  (catalog_event_record(event)->expression != NULL));
	for (i = 0; i < value->counter_count; i++) {
		uint32_t after = made_of[_i].after[i];

		ck_assert_uint_eq(value->counters[i].selector,
				  made_of[_i].selectors[i]);
		ck_assert_uint_eq(value->counters[i].after,
				  after ? after - 1 : CATALOG_ANYWHERE);
		ck_assert(!value->counters[i].momentary);
	}
	if (value->counter_count)
		ck_assert_uint_eq(value->counters[0].group, made_of[_i].group);
	ck_assert_int_eq(catalog_resolve(event, &again, NULL), 0);
	ck_assert_ptr_eq(value, again);
}
END_TEST

START_TEST(counters_say_what_drivers_need)
{
	const struct catalog_value *value;

	ck_assert(!catalog_resolve(find("SQ.Busy_cycles"), &value, NULL));
	ck_assert_uint_eq(value->counters[0].setting, 7);
	ck_assert(!catalog_resolve(find("SQ.WAVES"), &value, NULL));
	ck_assert_uint_eq(value->counters[0].slots, 0xff);
	ck_assert_str_eq(value->counters[0].event->name, "amdgpu::SQ.WAVES");
	ck_assert(!catalog_resolve(find("SQ.TEMPERATURE"), &value, NULL));
	ck_assert(value->counters[0].momentary);
}
END_TEST

START_TEST(values)
{
	static const uint64_t busy[] = { 1, 2, 3, 4 }, waves[] = { 5, 5, 5, 5 };
	const struct expr_input inputs[] = { { busy, 4 }, { waves, 4 } };
	const struct expr_input second[] = { { busy + 1, 1 }, { waves, 1 } };
	const struct catalog_value *value;

	ck_assert(!catalog_resolve(find("SQ.PerWave"), &value, NULL));
	ck_assert_double_eq(expr_eval(value->program, inputs).f64, 0.5);
	ck_assert_double_eq(expr_eval(value->program, second).f64, 0.4);
	ck_assert(!catalog_resolve(find("Constant"), &value, NULL));
	ck_assert_double_eq(expr_eval(value->program, NULL).f64, 8.0);
}
END_TEST

static const struct {
	const char *name;
	int err;
	const char *cause;
} broken[] = {
	{ "Broken", -EBADMSG, "at character 10 of the expression: a value" },
	{ "Unknown", -EBADMSG, "constant is called \"SQ.WAWES\"" },
	{ "Loop", -ELOOP, "it uses its own value" },
	{ "OccupancyLost", -EBADMSG,
	  "ACCUM_PREV sums the counter before it, but none of the same group" },
	{ "OccupancyOther", -EBADMSG, "sums the counter before it" },
	{ "SumOfSum", -EBADMSG, "a counter with one beside it" },
	{ "AnyOf", -EBADMSG, "amdgpu::oa.GpuBusy stands for several events" },
	{ "Ambiguous", -EBADMSG, "\"SQ_BUSY_CYCLES\" can mean several events" },
};

START_TEST(not_resolved)
{
	const struct drmperf_event *event = find(broken[_i].name);
	const struct catalog_value *value = NULL;
	struct drmperf_error error;
	char place[40];
	int again;

	snprintf(place, sizeof(place),
		 "m.xml:%d: ", catalog_event_record(event)->line);
	for (again = 0; again < 2; again++) {
		error.cause[0] = '\0';
		ck_assert_int_eq(catalog_resolve(event, &value, &error),
				 broken[_i].err);
		ck_assert_msg(strstr(error.cause, broken[_i].cause), "%s",
			      error.cause);
		/* a cycle is told where it closes */
		ck_assert(broken[_i].err == -ELOOP ||
			  !strncmp(error.cause, place, strlen(place)));
		ck_assert_ptr_null(value);
	}
}
END_TEST

START_TEST(alternatives)
{
	const struct catalog_value *value;
	const struct drmperf_event *event = find("oa.GpuBusy");
	const struct description_group *group;

	ck_assert(!catalog_resolve(event, &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 2);
	ck_assert_uint_eq(value->counter_count, 0);
	ck_assert_ptr_eq(value->alternatives[0], find("Render.GpuBusy"));
	ck_assert_ptr_eq(value->alternatives[1], find("Compute.GpuBusy"));
	ck_assert_uint_eq(value->instances, 0);
	/* the narrowest: there is no telling which one counts */
	ck_assert_int_eq(value->scope, DRMPERF_SCOPE_QUEUE);

	/* not the one with another unit */
	ck_assert(!catalog_resolve(find("oa.GpuClocks"), &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 1);
	ck_assert_ptr_eq(value->alternatives[0], find("Render.GpuClocks"));
	ck_assert(!catalog_resolve(find("oa.Own"), &value, NULL));
	ck_assert_uint_eq(value->alternative_count, 1);

	group = catalog_group_record(event->group);
	ck_assert_str_eq(group->name, "oa");
	ck_assert_uint_eq(group->domain, OA);
	ck_assert_uint_eq(group->max_active, 3);
	ck_assert_int_eq(group->scope, DRMPERF_SCOPE_QUEUE);
	ck_assert_uint_eq(event->group->listed, 3);
	ck_assert_str_ne(group->description, "");
}
END_TEST

/* What is said to use its own group's counters alone is held to that. */
START_TEST(local_metrics)
{
	static const struct description_event local[] = {
		{ .group = RAW, .name = "A7", .hidden = true },
		{ .group = TCC, .name = "HIT" },
		{ METRIC_OF(RENDER, "Good", "A7*2"), .is_local = true },
		{ METRIC_OF(RENDER, "Bad", "A7+TCC.HIT"), .is_local = true },
	};
	const struct drmperf_event *good, *bad;
	const struct catalog_value *value;
	struct description description;
	struct drmperf_error error;
	char place[40];

	catalog_destroy(catalog);
	ck_assert(!description_init(&description));
	for (size_t i = 0; i < ARRAY_SIZE(domains); i++)
		description_add_domain(&description, &domains[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		description_add_group(&description, &groups[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(local); i++)
		description_add_event(&description, &local[i]);
	ck_assert(!catalog_create(&description, "i915", NULL, NULL, &catalog,
				  NULL));
	good = find("Render.Good");
	bad = find("Render.Bad");
	/* a listing compiles nothing */
	ck_assert_int_eq(drmperf_event_scope(good), DRMPERF_SCOPE_QUEUE);
	ck_assert_uint_eq(drmperf_event_instances(good), 0);
	ck_assert_ptr_null(atomic_load(&good->value));
	ck_assert(!catalog_resolve(good, &value, NULL));
	ck_assert_int_eq(value->scope, DRMPERF_SCOPE_QUEUE);

	ck_assert_int_eq(catalog_resolve(bad, &value, &error), -EBADMSG);
	snprintf(place, sizeof(place), "m.xml:%d: Bad uses a counter of TCC,",
		 catalog_event_record(bad)->line);
	ck_assert_msg(!strncmp(error.cause, place, strlen(place)), "%s",
		      error.cause);
}
END_TEST

/* Metrics over other groups are of no metric set, wherever they stand. */
START_TEST(metrics_in_exclusive_domain)
{
	const struct description_group metrics = { .name = "metric" };
	const struct description_event event = { .name = "M",
						 .expression = "1" };
	struct description description;
	struct catalog *own;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(&description, &domains[OA], NULL));
	ck_assert(!description_add_group(&description, &metrics, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(
		!catalog_create(&description, "i915", NULL, NULL, &own, NULL));
	ck_assert_uint_eq(catalog_list(own)->count, 1);
	ck_assert_uint_eq(own->description.group_count, 1);
	catalog_destroy(own);
}
END_TEST

/* A driver's own group goes before one that stands for others. */
START_TEST(group_named_like_domain)
{
	const struct description_group named = { .name = "oa" };
	const struct description_group other = { .name = "Render" };
	const struct description_event event = { .group = 1, .name = "Busy" };
	struct description description;
	struct catalog *own;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(&description, &domains[OA], NULL));
	ck_assert(!description_add_group(&description, &named, NULL));
	ck_assert(!description_add_group(&description, &other, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(
		!catalog_create(&description, "i915", NULL, NULL, &own, NULL));
	ck_assert_uint_eq(own->description.group_count, 2);
	ck_assert_uint_eq(catalog_list(own)->count, 1);
	catalog_destroy(own);
}
END_TEST

/* The nearest first, each once, and no more than three. */
START_TEST(nearest_names)
{
	struct nearest nearest;
	char text[40];

	nearest_init(&nearest, "abc.def", 7);
	nearest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "");
	nearest_offer(&nearest, "xyz", "far");
	nearest_offer(&nearest, "abcxyef", "one");
	nearest_offer(&nearest, "abc_deg", "two");
	nearest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "two or one");
	nearest_offer(&nearest, "ABC-DEF", "one");
	nearest_offer(&nearest, "abc.deg", "one");
	nearest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "one or two");
	nearest_offer(&nearest, "abcdef", "three");
	nearest_offer(&nearest, "abxxdef", "four");
	nearest_offer(&nearest, "some.abc.def.thing", "five");
	nearest_list(&nearest, text, sizeof(text));
	ck_assert_str_eq(text, "one, two or three");
	nearest_list(&nearest, text, 8);
	ck_assert_str_eq(text, "one, tw");
}
END_TEST

/* ------------------------------------------------------------------ */
/* Groups whose events are described later                              */

/* Every letter is a group: s SQ, t TCC, a TA, m metric, r RAW, n, c. */
static void
check_described(const char *which)
{
	static const char letters[] = "stamrnc";
	char described[ARRAY_SIZE(groups) + 1] = "";
	size_t i, count = 0;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		ck_assert_uint_le(later.calls[i], 1);
		if (later.calls[i])
			described[count++] = letters[i];
	}
	ck_assert_str_eq(described, which);
}

static const struct {
	const char *name;
	const char *found; /* which groups are described to find it */
	const char *resolved; /* and to know what it is made of */
} needs[] = {
	{ "SQ.WAVES", "s", "s" },
	{ "SQ.PerWave", "s", "s" },
	{ "metric.Mixed", "m", "tam" },
	{ "metric.Constant", "m", "m" },
	{ "metric.Occupancy", "m", "sm" },
	{ "Render.GpuBusy", "n", "rn" },
	{ "Render.Own", "n", "n" },
	{ "oa.GpuBusy", "rnc", "rnc" },
	/* what a spelling can mean, only all of them tell */
	{ "SQ_WAVES", "stamrnc", "stamrnc" },
	{ "L2_MISS", "stamrnc", "stamrnc" },
	{ "Mixed", "stamrnc", "stamrnc" },
	{ "metric.L2CacheHit", "m", "stamrnc" }, /* says TCC_MISS */
};

START_TEST(only_what_is_needed)
{
	const struct drmperf_event *event;
	const struct catalog_value *value;

	check_described("");
	event = find(needs[_i].name);
	check_described(needs[_i].found);
	ck_assert(!catalog_resolve(event, &value, NULL));
	check_described(needs[_i].resolved);
	ck_assert_ptr_eq(find(needs[_i].name), event);
	check_described(needs[_i].resolved);
	ck_assert(catalog_list(catalog));
	check_described("stamrnc");
	ck_assert_ptr_eq(find(needs[_i].name), event);
	ck_assert_uint_eq(later.warnings, 0);
}
END_TEST

START_TEST(one_group)
{
	ck_assert(!catalog_fill(&catalog->groups[TCC], NULL));
	ck_assert_uint_eq(catalog->groups[TCC].listed, 3);
	ck_assert(!catalog_fill(&catalog->groups[TCC], NULL));
	check_described("t");
}
END_TEST

/* In whatever order groups are described, the list is the same. */
START_TEST(same_list)
{
	static const char *const before[] = { "Compute.GpuBusy", "oa.Own",
					      "TA.MINE", "SQ.OLD" };
	struct catalog *own, *const latecomer = catalog;
	const struct catalog_list *ours, *theirs;
	size_t i;

	set_up();
	own = catalog;
	catalog = latecomer;
	for (i = (size_t)_i; i < ARRAY_SIZE(before); i++)
		find(before[i]);
	ours = catalog_list(own);
	theirs = catalog_list(catalog);
	ck_assert_uint_eq(ours->count, theirs->count);
	for (i = 0; i < ours->count; i++) {
		const struct drmperf_event *a = ours->events[i];
		const struct drmperf_event *b = theirs->events[i];

		ck_assert_str_eq(a->name, b->name);
		ck_assert_mem_eq(catalog_event_record(a),
				 catalog_event_record(b),
				 sizeof(struct description_event));
	}
	catalog_destroy(own);
}
END_TEST

static void
check_failure(const char *name)
{
	const struct drmperf_event *event = NULL;
	struct drmperf_error error = { .code = 0 };

	ck_assert_int_eq(
		catalog_find(catalog, name, strlen(name), &event, &error),
		later.err);
	ck_assert_int_eq(error.code, later.err);
	ck_assert_str_eq(error.cause, "t.xml:7: <event> is bad");
	ck_assert_ptr_null(event);
}

/* The others can be used, and every time it is said what is wrong. */
START_TEST(malformed_group)
{
	const struct catalog_value *value;
	const struct catalog_list *list;
	struct drmperf_error error;
	size_t i;

	later.err = -EBADMSG;
	check_failure("SQ.WAVES");
	check_failure("SQ.WAWES");
	find("TCC.HIT");
	ck_assert_int_eq(catalog_fill(&catalog->groups[SQ], &error), -EBADMSG);
	ck_assert_int_eq(catalog_resolve(find("metric.Unlike"), &value, &error),
			 -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause, "t.xml:7: <event> is bad"));
	ck_assert_uint_eq(later.warnings, 0);
	list = catalog_list(catalog);
	ck_assert_uint_eq(later.warnings, 1);
	ck_assert_str_eq(
		later.warning,
		"t.xml:7: <event> is bad; the events of SQ are left out");
	ck_assert_uint_gt(list->count, 0);
	for (i = 0; i < list->count; i++)
		ck_assert_ptr_ne(list->events[i]->group, &catalog->groups[SQ]);
	ck_assert_ptr_eq(catalog_list(catalog), list);
	ck_assert_uint_eq(later.warnings, 1);
	find("TCC_HIT");
	check_described("stamrnc");
}
END_TEST

/* Memory may be there again the next time. */
START_TEST(short_memory)
{
	later.err = -ENOMEM;
	check_failure("SQ.WAVES");
	ck_assert_ptr_null(catalog_list(catalog));
	later.err = 0;
	find("SQ.WAVES");
	ck_assert_ptr_nonnull(catalog_list(catalog));
	ck_assert_uint_eq(later.calls[SQ], 3);
	ck_assert_uint_eq(later.calls[TCC], 1);
	ck_assert_uint_eq(later.warnings, 0);
}
END_TEST

/* What was described at once stays where a later group has its name. */
START_TEST(two_groups_of_one_name)
{
	struct description_group group = groups[SQ];
	const struct description_event event = { .group = 1,
						 .name = "WAVES",
						 .selector = 99 };
	struct description description;
	struct catalog *own;
	const struct drmperf_event *found;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(
		&description, &catalog->description.domains[GFX], NULL));
	group.describe = describe;
	ck_assert(!description_add_group(&description, &group, NULL));
	group.describe = NULL;
	ck_assert(!description_add_group(&description, &group, NULL));
	ck_assert(!description_add_event(&description, &event));
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &own,
				  NULL));
	ck_assert(!catalog_find(own, "SQ.WAVES", 8, &found, NULL));
	ck_assert_uint_eq(catalog_event_record(found)->selector, 99);
	ck_assert(!catalog_find(own, "SQ.LEVEL_WAVES", 14, &found, NULL));
	ck_assert_uint_eq(catalog_list(own)->count, 9);
	catalog_destroy(own);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Threads                                                              */

static void *
find_all(void *data)
{
	const struct drmperf_event **found = data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spellings); i++) {
		const char *name = spellings[i].name;

		if (catalog_find(catalog, name, strlen(name), &found[i], NULL))
			found[i] = NULL;
	}
	return NULL;
}

START_TEST(finding_threads)
{
	enum {
		THREADS = 4
	};
	const struct drmperf_event *found[THREADS][ARRAY_SIZE(spellings)];
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		ck_assert(
			!pthread_create(&threads[i], NULL, find_all, found[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 1; i < THREADS; i++)
		ck_assert_mem_eq(found[0], found[i], sizeof(found[0]));
	for (i = 0; i < ARRAY_SIZE(spellings); i++)
		ck_assert_str_eq(found[0][i]->name, spellings[i].found);
}
END_TEST

static void *
resolve_all(void *data)
{
	const struct catalog_list *list = catalog_list(catalog);
	const struct catalog_value **values = data;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (catalog_resolve(list->events[i], &values[i], NULL))
			values[i] = NULL;
	return NULL;
}

START_TEST(many_threads)
{
	enum {
		THREADS = 4
	};
	const struct catalog_value *values[THREADS][100] = { { NULL } };
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		ck_assert(!pthread_create(&threads[i], NULL, resolve_all,
					  values[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_lt(catalog_list(catalog)->count, 100);
	for (i = 1; i < THREADS; i++)
		ck_assert_mem_eq(values[0], values[i], sizeof(values[0]));
}
END_TEST

/* ------------------------------------------------------------------ */
/* Bad descriptions                                                     */

static const char *const bad_names[] = { "",	      "A B", "A,B",
					 "A:B",	      "A|B", "A@B",
					 "A\xc3\xa4", "A/B", "A[3]" };

START_TEST(illegal_names)
{
	const struct description_event event = {
		.group = SQ, .name = bad_names[_i], .file = "bad.xml", .line = 5
	};
	struct description description;
	struct catalog *none = NULL;
	struct drmperf_error error;

	fill(&description);
	ck_assert(!description_add_event(&description, &event));
	ck_assert_int_eq(catalog_create(&description, "amdgpu", NULL, NULL,
					&none, &error),
			 -EBADMSG);
	ck_assert_ptr_null(none);
	ck_assert_ptr_nonnull(strstr(error.cause, "bad.xml:5: \""));
	/* it is still the caller's */
	ck_assert_ptr_nonnull(description.arena);
	description_finish(&description);
}
END_TEST

/* Names that differ in the case of their letters, so many of them. */
static int
create_alike(size_t count, struct drmperf_error *error)
{
	struct description_event event = { .group = SQ, .file = "bad.xml" };
	struct catalog *many = NULL;
	struct description description;
	char names[100][12];
	int err;

	fill(&description);
	for (size_t i = 0; i < count; i++) {
		strcpy(names[i], "abcdefghijk");
		for (unsigned bit = 0; bit < 7; bit++)
			names[i][bit] ^= (char)((i >> bit & 1) << 5);
		event.name = names[i];
		ck_assert(!description_add_event(&description, &event));
	}
	err = catalog_create(&description, "amdgpu", NULL, NULL, &many, error);
	if (err)
		description_finish(&description);
	else
		catalog_destroy(many);
	return err;
}

START_TEST(alike_names)
{
	struct drmperf_error error;

	ck_assert(!create_alike(64, &error));
	ck_assert_int_eq(create_alike(65, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause,
				     "more than 64 events have names that ROCm "
				     "would spell like"));
}
END_TEST

START_TEST(no_events)
{
	struct description description;
	const struct drmperf_event *event;
	struct catalog *empty = NULL;

	ck_assert(!description_init(&description));
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &empty,
				  NULL));
	ck_assert_uint_eq(catalog_list(empty)->count, 0);
	ck_assert_int_eq(catalog_find(empty, "SQ.WAVES", 8, &event, NULL),
			 -ENOENT);
	catalog_destroy(empty);
}
END_TEST

/* More events than any table has, all found, each by two names. */
START_TEST(large)
{
	const size_t count = 20000;
	struct description description;
	struct catalog *all;
	size_t i;

	ck_assert(!description_init(&description));
	ck_assert(!description_add_domain(&description, &domains[GFX], NULL));
	ck_assert(!description_add_group(&description, &groups[SQ], NULL));
	for (i = 0; i < count; i++) {
		const struct description_event event = {
			.name = arena_printf(description.arena, "EVENT_%zu", i),
			.selector = (uint32_t)i,
		};

		ck_assert(!description_add_event(&description, &event));
	}
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL, &all,
				  NULL));
	ck_assert_uint_eq(catalog_list(all)->count, count);
	for (i = 0; i < count; i++) {
		const struct drmperf_event *event;
		char name[40];
		int n = snprintf(name, sizeof(name), "SQ%cEVENT_%zu",
				 i % 2 ? '.' : '_', i);

		ck_assert(!catalog_find(all, name, (size_t)n, &event, NULL));
		ck_assert_uint_eq(catalog_event_record(event)->selector, i);
	}
	catalog_destroy(all);
}
END_TEST

/* What holds whenever events are described. */
static TCase *
add_common(Suite *suite, const char *name, SFun fixture)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, fixture, clean_up);
	tcase_add_test(tcase, sorted_by_group);
	tcase_add_test(tcase, later_event_replaces);
	tcase_add_loop_test(tcase, found, 0, ARRAY_SIZE(spellings));
	tcase_add_loop_test(tcase, not_found, 0, ARRAY_SIZE(unknown));
	tcase_add_loop_test(tcase, resolved, 0, ARRAY_SIZE(made_of));
	tcase_add_test(tcase, counters_say_what_drivers_need);
	tcase_add_test(tcase, values);
	tcase_add_loop_test(tcase, not_resolved, 0, ARRAY_SIZE(broken));
	tcase_add_test(tcase, alternatives);
	tcase_add_test(tcase, many_threads);
	tcase_add_test(tcase, finding_threads);
	suite_add_tcase(suite, tcase);
	return tcase;
}

int
main(void)
{
	Suite *suite = suite_create("catalog");
	TCase *one = add_common(suite, "one", set_up);
	TCase *late = add_common(suite, "later", set_up_later);
	TCase *others = tcase_create("others");

	tcase_add_test(one, slot_pools);
	tcase_add_test(one, local_metrics);
	tcase_add_loop_test(late, only_what_is_needed, 0, ARRAY_SIZE(needs));
	tcase_add_test(late, one_group);
	tcase_add_loop_test(late, same_list, 0, 5);
	tcase_add_test(late, malformed_group);
	tcase_add_test(late, short_memory);
	tcase_add_test(late, two_groups_of_one_name);
	tcase_add_test(others, alike_names);
	tcase_add_loop_test(others, illegal_names, 0, ARRAY_SIZE(bad_names));
	tcase_add_test(others, no_events);
	tcase_add_test(others, metrics_in_exclusive_domain);
	tcase_add_test(others, group_named_like_domain);
	tcase_add_test(others, nearest_names);
	tcase_add_test(others, large);
	suite_add_tcase(suite, others);
	return suite_run(suite);
}
