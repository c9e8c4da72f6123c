/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/two_gpus.h"

#include <stdio.h>
#include <string.h>

#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_driver.h"
#include "tests/support/fake_machine.h"

/* ------------------------------------------------------------------ */
/* The device                                                           */

enum {
	GFX,
	OA,
	PMU,
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

#define STAGES_ALL 0x7f
#define STAGES_CS 0x40

static const struct fake_model model = {
	.domains = {
		[GFX] = { .name = "gfx" },
		[OA] = { .name = "oa", .exclusive = true },
		[PMU] = { .name = "pmu" },
	},
	.groups = {
		[SQ] = { FAKE_GROUP(GFX, "SQ", 4, 4) },
		[TA] = { FAKE_GROUP(GFX, "TA", 2, 8) },
		[TCC] = { FAKE_GROUP(GFX, "TCC", 4, 16) },
		/* slots 0 and 1 only take events below 100 */
		[WIDE] = { FAKE_GROUP(GFX, "WIDE", 4, 1) },
		[METRIC] = { FAKE_GROUP(GFX, "metric", 0, 1) },
		[RAW] = { FAKE_GROUP(OA, "raw", 0, 1) },
		[RENDER] = { FAKE_GROUP(OA, "Render", 64, 1),
			     .borrows = true,
			     .counters_of = RAW },
		[COMPUTE] = { FAKE_GROUP(OA, "Compute", 64, 1),
			      .borrows = true,
			      .counters_of = RAW },
		[CLOCKS] = { FAKE_GROUP(PMU, "CLOCKS", 2, 1) },
		/* shares the two slots of CLOCKS */
		[TWIN] = { FAKE_GROUP(PMU, "TWIN", 2, 1),
			   .slot_pool = CLOCKS },
	},
	.events = {
		{ FAKE_EVENT(SQ, "W0", 0), .setting = STAGES_ALL },
		{ FAKE_EVENT(SQ, "W1", 1), .setting = STAGES_ALL },
		{ FAKE_EVENT(SQ, "W2", 2), .setting = STAGES_ALL },
		{ FAKE_EVENT(SQ, "W3", 3), .setting = STAGES_ALL },
		{ FAKE_EVENT(SQ, "W4", 4), .setting = STAGES_ALL },
		{ FAKE_EVENT(SQ, "CS0", 0), .setting = STAGES_CS },
		{ FAKE_EVENT(SQ, "CS1", 1), .setting = STAGES_CS },
		{ FAKE_EVENT(SQ, "ACCUM_PREV", 9), .follows = true },
		{ FAKE_EVENT(TA, "T0", 0), .setting = STAGES_ALL },
		{ FAKE_EVENT(TA, "T1", 1), .setting = STAGES_ALL },
		{ FAKE_EVENT(TA, "T2", 2), .setting = STAGES_ALL },
		{ FAKE_EVENT(TA, "T3", 3), .setting = STAGES_ALL },
		{ FAKE_EVENT(TCC, "HIT", 0) },
		{ FAKE_EVENT(TCC, "MISS", 1) },
		{ FAKE_EVENT(TCC, "REQ", 2) },
		{ FAKE_EVENT(TCC, "READ", 3) },
		{ FAKE_EVENT(TCC, "WRITE", 4) },
		{ FAKE_EVENT(WIDE, "N0", 0) },
		{ FAKE_EVENT(WIDE, "N1", 1) },
		{ FAKE_EVENT(WIDE, "H0", 100), .slots = 0xc },
		{ FAKE_EVENT(WIDE, "H1", 101), .slots = 0xc },
		{ FAKE_EVENT(WIDE, "H2", 102), .slots = 0xc },
		{ FAKE_EVENT(WIDE, "NOWHERE", 103), .slots = 0x10 },
		{ FAKE_METRIC(METRIC, "Hit", "TCC.HIT/(TCC.HIT+TCC.MISS)") },
		{ FAKE_METRIC(METRIC, "Mixed", "TA.T0/TCC.REQ") },
		{ FAKE_METRIC(METRIC, "Busy", "SQ.W0+SQ.W1+SQ.W2") },
		{ FAKE_METRIC(METRIC, "Large", "TA.T0+TA.T1+TA.T2+TCC.HIT") },
		{ FAKE_METRIC(METRIC, "Stages", "SQ.W0/SQ.CS0") },
		{ FAKE_METRIC(METRIC, "Level", "accumulate(SQ.W0)/SQ.W1") },
		{ FAKE_METRIC(METRIC, "Level2", "accumulate(SQ.W2)") },
		{ FAKE_METRIC(METRIC, "Nothing", "1+1") },
		{ FAKE_METRIC(METRIC, "Peak", "max(TA.T0)") },
		{ FAKE_METRIC(METRIC, "Mean", "avr(TA.T0)") },
		{ FAKE_METRIC(METRIC, "Half", "TA.T0/2") },
		{ FAKE_METRIC(METRIC, "Broken", "TCC.HIT+") },
		{ FAKE_METRIC(METRIC, "Lost", "WIDE.NOWHERE+WIDE.N0") },
		{ FAKE_EVENT(RAW, "A0", 0), .hidden = true },
		{ FAKE_EVENT(RAW, "A1", 1), .hidden = true },
		{ FAKE_EVENT(RAW, "A2", 2), .hidden = true },
		{ FAKE_METRIC(RENDER, "GpuBusy", "A0") },
		{ FAKE_METRIC(RENDER, "Pixels", "A1+A2") },
		{ FAKE_METRIC(COMPUTE, "GpuBusy", "A0") },
		{ FAKE_METRIC(COMPUTE, "Threads", "A1+A2") },
		{ FAKE_EVENT(CLOCKS, "C0", 0) },
		{ FAKE_EVENT(CLOCKS, "C1", 1) },
		{ FAKE_EVENT(TWIN, "C0", 0) },
		{ FAKE_EVENT(TWIN, "C1", 1) },
	},
};

static int
describe_gpu(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	static struct fake_gpu gpu;

	(void)target;
	(void)error;
	fake_describe(&model, NULL, description);
	*out = &gpu;
	return 0;
}

static const struct driver *const drivers[] = {
	&(const struct driver){ .name = "fake",
				.describe = describe_gpu,
				.release = fake_release,
				.abandon = fake_abandon },
	NULL,
};

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
