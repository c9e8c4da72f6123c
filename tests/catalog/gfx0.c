/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/catalog/gfx0.h"

#include <stdio.h>
#include <string.h>

#include "catalog/find.h"
#include "tests/support/check.h"

const struct description_domain gfx0_domains[] = {
	[GFX] = { .name = "gfx" },
	[OA] = { .name = "oa", .exclusive = true },
};

const struct description_group gfx0_groups[] = {
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

struct gfx0_later gfx0_later;
struct catalog *gfx0_catalog;

int
gfx0_describe(void *device, group_index group, struct description *description,
	      struct drmperf_error *error)
{
	struct gfx0_later *state = device;
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
	struct gfx0_later *state = data;

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
	for (i = 0; i < ARRAY_SIZE(gfx0_domains); i++) {
		struct description_domain domain = gfx0_domains[i];

		domain.device = &gfx0_later;
		ck_assert(!description_add_domain(description, &domain, NULL));
	}
	for (i = 0; i < ARRAY_SIZE(gfx0_groups); i++) {
		struct description_group group = gfx0_groups[i];

		group.describe = is_later ? gfx0_describe : NULL;
		ck_assert(!description_add_group(description, &group, NULL));
	}
	ck_assert(!description_add_constant(description, "SE_NUM", 4));
}

void
gfx0_fill(struct description *description)
{
	size_t i;

	fill_but_events(description, false);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		ck_assert(!description_add_event(description, &events[i]));
}

void
gfx0_set_up(void)
{
	struct description description;

	gfx0_fill(&description);
	ck_assert(!catalog_create(&description, "amdgpu", NULL, NULL,
				  &gfx0_catalog, NULL));
	ck_assert_ptr_null(description.arena);
}

void
gfx0_set_up_later(void)
{
	static const struct log_sink sink = { keep_warning, &gfx0_later };
	struct description description;

	memset(&gfx0_later, 0, sizeof(gfx0_later));
	fill_but_events(&description, true);
	ck_assert(!catalog_create(&description, "amdgpu", NULL, &sink,
				  &gfx0_catalog, NULL));
	ck_assert_ptr_null(description.arena);
}

void
gfx0_clean_up(void)
{
	catalog_destroy(gfx0_catalog);
	catalog_destroy(NULL);
}

const struct drmperf_event *
gfx0_find(const char *name)
{
	const struct drmperf_event *event = NULL;
	struct drmperf_error error = { .cause = "" };

	ck_assert_msg(
		!catalog_find(gfx0_catalog, name, strlen(name), &event, &error),
		"%s: %s", name, error.cause);
	return event;
}
