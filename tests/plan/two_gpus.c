/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/two_gpus.h"

#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_machine.h"

/* ------------------------------------------------------------------ */
/* The device                                                           */

enum {
	GFX,
	OA,
	PMU,
};

static const struct description_domain domains[] = {
	[GFX] = { .name = "gfx" },
	[OA] = { .name = "oa", .exclusive = true },
	[PMU] = { .name = "pmu" },
};

enum {
	SQ,
	TA,
	TCC,
	WIDE,
	METRIC,
	RAW,
	RENDER,
	COMPUTE,
	CLOCKS,
	TWIN,
};

static const struct description_group groups[] = {
	[SQ] = { .name = "SQ", .domain = GFX, .max_active = 4, .instances = 4 },
	[TA] = { .name = "TA", .domain = GFX, .max_active = 2, .instances = 8 },
	[TCC] = { .name = "TCC",
		  .domain = GFX,
		  .max_active = 4,
		  .instances = 16 },
	/* slots 0 and 1 only take events below 100 */
	[WIDE] = { .name = "WIDE",
		   .domain = GFX,
		   .max_active = 4,
		   .instances = 1 },
	[METRIC] = { .name = "metric", .domain = GFX, .instances = 1 },
	[RAW] = { .name = "raw", .domain = OA, .instances = 1 },
	[RENDER] = { .name = "Render",
		     .domain = OA,
		     .max_active = 64,
		     .instances = 1,
		     .borrows = true,
		     .counters_of = RAW },
	[COMPUTE] = { .name = "Compute",
		      .domain = OA,
		      .max_active = 64,
		      .instances = 1,
		      .borrows = true,
		      .counters_of = RAW },
	[CLOCKS] = { .name = "CLOCKS",
		     .domain = PMU,
		     .max_active = 2,
		     .instances = 1 },
	/* shares the two slots of CLOCKS */
	[TWIN] = { .name = "TWIN",
		   .domain = PMU,
		   .max_active = 2,
		   .instances = 1,
		   .slot_pool = CLOCKS },
};

#define METRIC_OF(g, n, text)                                                  \
	.group = g, .name = n, .expression = text, .file = "test",             \
	.type = DRMPERF_TYPE_DOUBLE, .kind = DRMPERF_KIND_AVERAGE

#define STAGES_ALL 0x7f
#define STAGES_CS 0x40

static const struct description_event events[] = {
	{ .group = SQ, .name = "W0", .selector = 0, .setting = STAGES_ALL },
	{ .group = SQ, .name = "W1", .selector = 1, .setting = STAGES_ALL },
	{ .group = SQ, .name = "W2", .selector = 2, .setting = STAGES_ALL },
	{ .group = SQ, .name = "W3", .selector = 3, .setting = STAGES_ALL },
	{ .group = SQ, .name = "W4", .selector = 4, .setting = STAGES_ALL },
	{ .group = SQ, .name = "CS0", .selector = 0, .setting = STAGES_CS },
	{ .group = SQ, .name = "CS1", .selector = 1, .setting = STAGES_CS },
	{ .group = SQ, .name = "ACCUM_PREV", .selector = 9, .follows = true },
	{ .group = TA, .name = "T0", .selector = 0, .setting = STAGES_ALL },
	{ .group = TA, .name = "T1", .selector = 1, .setting = STAGES_ALL },
	{ .group = TA, .name = "T2", .selector = 2, .setting = STAGES_ALL },
	{ .group = TA, .name = "T3", .selector = 3, .setting = STAGES_ALL },
	{ .group = TCC, .name = "HIT", .selector = 0 },
	{ .group = TCC, .name = "MISS", .selector = 1 },
	{ .group = TCC, .name = "REQ", .selector = 2 },
	{ .group = TCC, .name = "READ", .selector = 3 },
	{ .group = TCC, .name = "WRITE", .selector = 4 },
	{ .group = WIDE, .name = "N0", .selector = 0 },
	{ .group = WIDE, .name = "N1", .selector = 1 },
	{ .group = WIDE, .name = "H0", .selector = 100, .slots = 0xc },
	{ .group = WIDE, .name = "H1", .selector = 101, .slots = 0xc },
	{ .group = WIDE, .name = "H2", .selector = 102, .slots = 0xc },
	{ .group = WIDE, .name = "NOWHERE", .selector = 103, .slots = 0x10 },
	{ METRIC_OF(METRIC, "Hit", "TCC.HIT/(TCC.HIT+TCC.MISS)") },
	{ METRIC_OF(METRIC, "Mixed", "TA.T0/TCC.REQ") },
	{ METRIC_OF(METRIC, "Busy", "SQ.W0+SQ.W1+SQ.W2") },
	{ METRIC_OF(METRIC, "Large", "TA.T0+TA.T1+TA.T2+TCC.HIT") },
	{ METRIC_OF(METRIC, "Stages", "SQ.W0/SQ.CS0") },
	{ METRIC_OF(METRIC, "Level", "accumulate(SQ.W0)/SQ.W1") },
	{ METRIC_OF(METRIC, "Level2", "accumulate(SQ.W2)") },
	{ METRIC_OF(METRIC, "Nothing", "1+1") },
	{ METRIC_OF(METRIC, "Peak", "max(TA.T0)") },
	{ METRIC_OF(METRIC, "Mean", "avr(TA.T0)") },
	{ METRIC_OF(METRIC, "Half", "TA.T0/2") },
	{ METRIC_OF(METRIC, "Broken", "TCC.HIT+") },
	{ METRIC_OF(METRIC, "Lost", "WIDE.NOWHERE+WIDE.N0") },
	{ .group = RAW, .name = "A0", .selector = 0, .hidden = true },
	{ .group = RAW, .name = "A1", .selector = 1, .hidden = true },
	{ .group = RAW, .name = "A2", .selector = 2, .hidden = true },
	{ METRIC_OF(RENDER, "GpuBusy", "A0") },
	{ METRIC_OF(RENDER, "Pixels", "A1+A2") },
	{ METRIC_OF(COMPUTE, "GpuBusy", "A0") },
	{ METRIC_OF(COMPUTE, "Threads", "A1+A2") },
	{ .group = CLOCKS, .name = "C0", .selector = 0 },
	{ .group = CLOCKS, .name = "C1", .selector = 1 },
	{ .group = TWIN, .name = "C0", .selector = 0 },
	{ .group = TWIN, .name = "C1", .selector = 1 },
};

static const struct domain_ops no_ops;

static int
describe_device(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	static int device;

	(void)target;
	(void)error;
	for (size_t i = 0; i < ARRAY_SIZE(domains); i++) {
		struct description_domain domain = domains[i];

		domain.ops = &no_ops;
		ck_assert(!description_add_domain(description, &domain, NULL));
	}
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		struct description_group group = groups[i];

		group.description = "A group.";
		group.instances_per_engine = group.instances;
		ck_assert(!description_add_group(description, &group, NULL));
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct description_event event = events[i];

		event.description = "An event.";
		if (!event.slots)
			event.slots = SLOTS_ANY;
		ck_assert(!description_add_event(description, &event));
	}
	*out = &device;
	return 0;
}

static void
release_device(void *device)
{
	(void)device;
}

static const struct driver driver = {
	.name = "fake",
	.describe = describe_device,
	.release = release_device,
	.abandon = release_device,
};

static const struct driver *const drivers[] = { &driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with two of them                                           */

struct drmperf *two_gpus_drmperf;

void
two_gpus_set_up(void)
{
	ck_assert_int_eq(state_create(NULL, drivers, fake_machine_begin(2),
				      &two_gpus_drmperf, NULL),
			 0);
}

void
two_gpus_clean_up(void)
{
	drmperf_destroy(two_gpus_drmperf);
	fake_machine_end();
}

size_t
two_gpus_read(const char *list, struct drmperf_selection *out)
{
	char buffer[1024], *rest = buffer, *word;
	size_t count = 0;

	ck_assert_uint_lt(strlen(list), sizeof(buffer));
	strcpy(buffer, list);
	while ((word = strsep(&rest, " ")) != NULL) {
		char *device = strchr(word, '/');
		struct drmperf_error error;
		char name[128];

		if (!*word)
			continue;
		if (device)
			*device++ = '\0';
		snprintf(name, sizeof(name), "fake::%s:device=%s", word,
			 device ? device : "0");
		ck_assert_uint_lt(count, TWO_GPUS_NAMES);
		if (drmperf_event_find(two_gpus_drmperf, name, &out[count++],
				       &error))
			ck_abort_msg("%s: %s", name, error.cause);
	}
	return count;
}

void
two_gpus_expect(const char *list, const char *text, const char *const *words)
{
	for (int i = 0; i < 4 && words[i]; i++)
		ck_assert_msg(strstr(text, words[i]), "%s: no \"%s\" in: %s",
			      list, words[i], text);
}
