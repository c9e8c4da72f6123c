/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans and their explanations over two devices with made-up groups.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device.h"
#include "device/state.h"
#include "drmperf.h"
#include "plan/plan.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define NAMES_MAX 40

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
describe(const struct driver_target *target, struct description *description,
	 void **out, struct drmperf_error *error)
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
release(void *device)
{
	(void)device;
}

static const struct driver driver = {
	.name = "fake",
	.describe = describe,
	.release = release,
	.abandon = release,
};

static const struct driver *const drivers[] = { &driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with two of them                                           */

static char root[64];
static struct drmperf *drmperf;

static void
make_device(const char *address)
{
	static const char *const files[][2] = {
		{ "class", "0x030000" },
		{ "vendor", "0x1002" },
		{ "device", "0x1234" },
	};
	char text[512];

	snprintf(text, sizeof(text),
		 "cd %s && mkdir -p sys/bus/pci/devices/%s/drm/card0 "
		 "sys/bus/pci/drivers/fake && ln -s ../../drivers/fake "
		 "sys/bus/pci/devices/%s/driver",
		 root, address, address);
	ck_assert_int_eq(system(text), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *file;

		snprintf(text, sizeof(text), "%s/sys/bus/pci/devices/%s/%s",
			 root, address, files[i][0]);
		file = fopen(text, "w");
		ck_assert_ptr_nonnull(file);
		fprintf(file, "%s\n", files[i][1]);
		fclose(file);
	}
}

static void
set_up(void)
{
	snprintf(root, sizeof(root), "/tmp/drmperf-plan-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	make_device("0000:03:00.0");
	make_device("0000:04:00.0");
	ck_assert_int_eq(state_create(NULL, drivers, root, &drmperf, NULL), 0);
}

static void
clean_up(void)
{
	char command[128];

	drmperf_destroy(drmperf);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

/*
 * The selections of "SQ.W0 metric.Hit/1 TCC.HIT[3]": a name, perhaps with its
 * device, perhaps with its instance. Returns how many.
 */
static size_t
read_list(const char *list, struct drmperf_selection *out)
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
		ck_assert_uint_lt(count, NAMES_MAX);
		if (drmperf_event_find(drmperf, name, &out[count++], &error))
			ck_abort_msg("%s: %s", name, error.cause);
	}
	return count;
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

/* Whether a list is one pass; if not, words that the complaint must have. */
static const struct pass_case {
	const char *list;
	int expected;
	const char *cause[4], *remedy[4];
} pass_cases[] = {
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3", 0, { NULL }, { NULL } },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4",
	  -ENOSPC,
	  { "SQ.W4", "group SQ of device 0 counts 4", "5 are", "SQ.W1" },
	  { "leave out one of fake::SQ.W4:device=0", "SQ.W3", "drmperf split",
	    NULL } },
	{ "SQ.W0 SQ.W0 SQ.W1 SQ.W1 SQ.W2 SQ.W2", 0, { NULL }, { NULL } },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4/1", 0, { NULL }, { NULL } },
	{ "metric.Busy SQ.W0 SQ.W3", 0, { NULL }, { NULL } },
	{ "metric.Busy SQ.W3 metric.Hit SQ.W4",
	  -ENOSPC,
	  { "SQ.W4", "metric.Busy", "and 5 are", NULL },
	  { "SQ.W4", "metric.Busy", " or ", NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ metric.Hit metric.Mixed",
	  0,
	  { NULL },
	  { NULL } },
	{ "TA.T0 TA.T1 TA.T2", -ENOSPC, { "group TA", NULL }, { NULL } },
	{ "TA.T1 TA.T2 metric.Mixed",
	  -ENOSPC,
	  { "metric.Mixed", "group TA", "TA.T1", "TA.T2" },
	  { NULL } },
	{ "SQ.W0 SQ.CS0",
	  -ENOSPC,
	  { "SQ.CS0", "domain gfx of device 0", "SQ.W0", NULL },
	  { "leave out fake::SQ.CS0:device=0 or fake::SQ.W0:device=0", NULL } },
	{ "TA.T0 TCC.HIT SQ.CS0", -ENOSPC, { "TA.T0", NULL }, { NULL } },
	{ "TCC.HIT SQ.CS0 SQ.CS1 WIDE.N0", 0, { NULL }, { NULL } },
	{ "SQ.W0/0 SQ.CS0/1", 0, { NULL }, { NULL } },
	{ "WIDE.H0 WIDE.N0 WIDE.N1 WIDE.H1", 0, { NULL }, { NULL } },
	{ "WIDE.H0 WIDE.N0 WIDE.H1 WIDE.H2",
	  -ENOSPC,
	  { "group WIDE of device 0 counts 2 of this kind", "WIDE.H0",
	    "WIDE.H1", NULL },
	  { NULL } },
	{ "Render.GpuBusy Render.Pixels", 0, { NULL }, { NULL } },
	{ "Render.Pixels oa.GpuBusy", 0, { NULL }, { NULL } },
	{ "oa.GpuBusy Compute.Threads", 0, { NULL }, { NULL } },
	{ "Render.Pixels oa.GpuBusy Compute.Threads",
	  -ENOSPC,
	  { "Compute.Threads", "domain oa of device 0 counts one group",
	    "Render.Pixels", NULL },
	  { NULL } },
	{ "Render.Pixels/0 Compute.Threads/1", 0, { NULL }, { NULL } },
	{ "Render.Pixels SQ.W0 CLOCKS.C0", 0, { NULL }, { NULL } },
	{ "CLOCKS.C0 TWIN.C0", 0, { NULL }, { NULL } },
	{ "CLOCKS.C0 TWIN.C0 CLOCKS.C1",
	  -ENOSPC,
	  { "group CLOCKS of device 0 counts 2", "TWIN.C0", NULL },
	  { NULL } },
	{ "metric.Level SQ.W2", 0, { NULL }, { NULL } },
	{ "metric.Level SQ.W0 SQ.W1 SQ.W3", 0, { NULL }, { NULL } },
	{ "metric.Level metric.Level2",
	  -ENOSPC,
	  { "metric.Level2", "and 5 are", NULL },
	  { NULL } },
	{ "metric.Nothing", 0, { NULL }, { NULL } },
	{ "SQ.W0 metric.Large",
	  -E2BIG,
	  { "metric.Large:device=0 fits no pass", "group TA of device 0",
	    "3 are wanted", NULL },
	  { "leave out fake::metric.Large", "--cut-metrics", NULL } },
	{ "metric.Stages",
	  -E2BIG,
	  { "metric.Stages", "domain gfx", "two", NULL },
	  { NULL } },
	/* an event that fits nowhere is told before what merely is too much */
	{ "TA.T0 TA.T1 TA.T2 metric.Large",
	  -E2BIG,
	  { "metric.Large", NULL },
	  { NULL } },
};

static void
expect_words(const char *list, const char *text, const char *const *words)
{
	for (int i = 0; i < 4 && words[i]; i++)
		ck_assert_msg(strstr(text, words[i]), "%s: no \"%s\" in: %s",
			      list, words[i], text);
}

START_TEST(one_pass)
{
	const struct pass_case *test = &pass_cases[_i];
	struct drmperf_selection selections[NAMES_MAX];
	const struct drmperf_event *chosen[NAMES_MAX];
	struct drmperf_error error = { .cause = "" };
	size_t count = read_list(test->list, selections);
	int ret;

	ret = plan_check_one_pass(drmperf, selections, count, chosen, &error);
	ck_assert_msg(ret == test->expected, "%s: %d: %s", test->list, ret,
		      error.cause);
	if (ret)
		ck_assert_int_eq(error.code, ret);
	expect_words(test->list, error.cause, test->cause);
	expect_words(test->list, error.remedy, test->remedy);
	/* without anyone to tell */
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, count, chosen, NULL),
		ret);
}
END_TEST

/* Who serves, where any of several may. */
START_TEST(any_is_chosen)
{
	static const struct {
		const char *list;
		const char *chosen; /* of the first */
	} cases[] = {
		{ "oa.GpuBusy", "fake::Render.GpuBusy" },
		{ "oa.GpuBusy Render.Pixels", "fake::Render.GpuBusy" },
		{ "oa.GpuBusy Compute.Threads", "fake::Compute.GpuBusy" },
		{ "oa.GpuBusy oa.Threads", "fake::Compute.GpuBusy" },
		{ "Compute.Threads oa.GpuBusy", "fake::Compute.Threads" },
		{ "oa.GpuBusy/1 Compute.Threads/0", "fake::Render.GpuBusy" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drmperf_selection selections[NAMES_MAX];
		const struct drmperf_event *chosen[NAMES_MAX];
		size_t count = read_list(cases[i].list, selections);

		ck_assert_int_eq(plan_check_one_pass(drmperf, selections, count,
						     chosen, NULL),
				 0);
		ck_assert_str_eq(drmperf_event_name(chosen[0]),
				 cases[i].chosen);
	}
}
END_TEST

/* A counter takes its slot in all instances at once. */
START_TEST(instances)
{
	struct drmperf_selection selections[8];
	const struct drmperf_event *chosen[8];
	struct drmperf_error error;
	size_t count = read_list("TCC.HIT TCC.HIT TCC.HIT TCC.MISS TCC.REQ "
				 "TCC.READ",
				 selections);

	for (int i = 0; i < 5; i++)
		selections[i].instance = i;
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, count, chosen, NULL),
		0);
	count = read_list("TCC.HIT TCC.MISS TCC.REQ TCC.READ TCC.WRITE",
			  selections);
	for (int i = 0; i < 5; i++)
		selections[i].instance = i;
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, count, chosen, NULL),
		-ENOSPC);
	selections[0].instance = 16;
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, 1, chosen, &error),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "TCC.HIT"));
	selections[0].instance = -2;
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, 1, chosen, NULL),
		-EINVAL);
	read_list("metric.Mixed", selections);
	selections[0].instance = 0;
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, 1, chosen, NULL),
		-EINVAL);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Passes                                                               */

/* Passes separated by a bar, events as letters from a; capitals: cut. */
static const struct plan_case {
	const char *list, *passes;
	bool cut;
} plan_cases[] = {
	{ "SQ.W0", "a", false },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4", "abcd|e", false },
	{ "TA.T0 TA.T1 TA.T2 TA.T3 TCC.HIT", "abe|cd", false },
	{ "TA.T0 TA.T1 TA.T2 TA.T0/1 TA.T1/1 TA.T2/1", "abde|cf", false },
	{ "SQ.CS0 TA.T0 SQ.CS1 SQ.W0", "ac|bd", false },
	{ "Render.Pixels Compute.Threads oa.GpuBusy SQ.W0 SQ.CS0", "acd|be",
	  false },
	{ "oa.Threads oa.Pixels oa.GpuBusy", "ac|b", false },
	{ "metric.Level metric.Level2 metric.Busy", "ac|b", false },
	{ "metric.Nothing metric.Nothing", "ab", false },
	{ "metric.Large", "A|A", true },
	{ "metric.Large TA.T3 TCC.MISS", "Ac|Ab", true },
	{ "metric.Stages SQ.CS1 SQ.W1", "Ac|Ab", true },
	{ "metric.Large metric.Hit metric.Mixed", "Abc|A", true },
};

START_TEST(passes)
{
	const struct plan_case *test = &plan_cases[_i];
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = test->cut,
	};
	struct drmperf_selection selections[NAMES_MAX];
	struct drmperf_error error;
	size_t count = read_list(test->list, selections), length = 0;
	struct drmperf_plan *plan;
	char text[128] = "";

	if (drmperf_plan_create(drmperf, selections, count, &options, &plan,
				&error))
		ck_abort_msg("%s: %s", test->list, error.cause);
	ck_assert(drmperf_plan_is_proved(plan));
	ck_assert_uint_eq(drmperf_plan_lower_bound(plan),
			  drmperf_plan_passes(plan));
	for (size_t pass = 0; pass < drmperf_plan_passes(plan); pass++) {
		size_t n;
		const size_t *members =
			drmperf_plan_pass_events(plan, pass, &n);

		if (pass)
			text[length++] = '|';
		for (size_t i = 0; i < n; i++) {
			bool cut = drmperf_plan_event_is_cut(plan, members[i]);

			text[length++] = (char)((cut ? 'A' : 'a') + members[i]);
		}
		ck_assert((drmperf_plan_conflict(plan, pass) == NULL) ==
			  (pass == 0));
	}
	ck_assert_msg(!strcmp(text, test->passes), "%s: %s, not %s", test->list,
		      text, test->passes);
	/* behind the last pass and the last event there is nothing */
	for (size_t pass = drmperf_plan_passes(plan); pass < 100; pass += 9) {
		size_t n = 1;

		ck_assert_ptr_null(drmperf_plan_pass_events(plan, pass, &n));
		ck_assert_uint_eq(n, 0);
		n = 1;
		ck_assert_ptr_null(
			drmperf_plan_event_counters(plan, pass, 0, &n));
		ck_assert_uint_eq(n, 0);
		ck_assert_ptr_null(drmperf_plan_conflict(plan, pass));
	}
	ck_assert(!drmperf_plan_event_is_cut(plan, count));
	ck_assert(!drmperf_plan_event_is_cut(plan, SIZE_MAX));
	drmperf_plan_destroy(plan);
}
END_TEST

/* The conflict between the first two passes. */
static const struct conflict_case {
	const char *list;
	bool cut;
	const char *group; /* NULL: a setting */
	unsigned limit, wanted;
	size_t event;
	const char *holders; /* digits */
	const char *remedy;
} conflict_cases[] = {
	{ "TA.T0 TCC.HIT TA.T1 TA.T2", false, "TA", 2, 3, 3, "02",
	  "leave out one of fake::TA.T2:device=0, fake::TA.T0:device=0 or "
	  "fake::TA.T1:device=0" },
	{ "SQ.W0 SQ.CS0", false, NULL, 1, 2, 1, "0",
	  "leave out fake::SQ.CS0:device=0 or fake::SQ.W0:device=0" },
	{ "WIDE.H0 WIDE.H1 WIDE.H2", false, "WIDE", 2, 3, 2, "01",
	  "leave out one of fake::WIDE.H2:device=0, fake::WIDE.H0:device=0 or "
	  "fake::WIDE.H1:device=0" },
	{ "SQ.W3 SQ.W4 metric.Busy", false, "SQ", 4, 5, 2, "01",
	  "leave out one of fake::metric.Busy:device=0, fake::SQ.W3:device=0 "
	  "or fake::SQ.W4:device=0" },
	{ "Render.Pixels Render.GpuBusy Compute.Threads", false, NULL, 1, 2, 2,
	  "01",
	  "leave out fake::Compute.Threads:device=0, or both "
	  "fake::Render.Pixels:device=0 and fake::Render.GpuBusy:device=0" },
	{ "metric.Large", true, "TA", 2, 3, 0, "",
	  "leave out fake::metric.Large:device=0" },
	/* part of the metric is in the way: it holds both slots */
	{ "metric.Large TA.T3", true, "TA", 2, 3, 0, "",
	  "leave out fake::metric.Large:device=0" },
};

START_TEST(conflicts)
{
	const struct conflict_case *test = &conflict_cases[_i];
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = test->cut,
	};
	struct drmperf_selection selections[NAMES_MAX];
	const struct drmperf_conflict *conflict;
	struct drmperf_plan *plan;
	char holders[16] = "", name[64];

	ck_assert_int_eq(drmperf_plan_create(drmperf, selections,
					     read_list(test->list, selections),
					     &options, &plan, NULL),
			 0);
	conflict = drmperf_plan_conflict(plan, 1);
	ck_assert_ptr_nonnull(conflict);
	if (test->group)
		ck_assert_str_eq(drmperf_group_name(conflict->group),
				 test->group);
	else
		ck_assert_ptr_null(conflict->group);
	ck_assert_uint_eq(conflict->limit, test->limit);
	ck_assert_uint_eq(conflict->wanted, test->wanted);
	ck_assert_uint_eq(conflict->event, test->event);
	for (size_t i = 0; i < conflict->holder_count; i++)
		holders[i] = (char)('0' + conflict->holders[i]);
	ck_assert_str_eq(holders, test->holders);
	ck_assert_str_eq(conflict->remedy, test->remedy);
	drmperf_selection_name(&selections[test->event], name, sizeof(name));
	ck_assert_msg(!strncmp(conflict->cause, name, strlen(name)), "%s",
		      conflict->cause);
	drmperf_plan_destroy(plan);
}
END_TEST

/* A part of a metric that was cut fills a pass like any other event. */
START_TEST(parts_are_in_the_way)
{
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = true,
	};
	struct drmperf_selection selections[NAMES_MAX];
	const struct drmperf_conflict *conflict;
	struct drmperf_plan *plan;
	const size_t *members;
	size_t count;

	count = read_list("TA.T3 metric.Large SQ.CS0 TA.T3", selections);
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
					     &options, &plan, NULL),
			 0);
	ck_assert_uint_eq(drmperf_plan_passes(plan), 3);
	members = drmperf_plan_pass_events(plan, 2, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(members[0], 2);
	conflict = drmperf_plan_conflict(plan, 2);
	ck_assert_ptr_nonnull(conflict);
	ck_assert_uint_eq(conflict->event, 2);
	ck_assert_uint_eq(conflict->holder_count, 1);
	ck_assert_uint_eq(conflict->holders[0], 1);
	drmperf_plan_destroy(plan);
}
END_TEST

/* What the passes count of a metric that was cut, pass by pass. */
START_TEST(parts)
{
	static const struct {
		const char *list;
		size_t event;
		const char *counters;
	} cases[] = {
		{ "metric.Large", 0,
		  "fake::TA.T0:device=0 fake::TA.T1:device=0 "
		  "fake::TCC.HIT:device=0|fake::TA.T2:device=0" },
		{ "SQ.CS1 metric.Stages/1", 1,
		  "fake::SQ.W0:device=1|fake::SQ.CS0:device=1" },
		{ "metric.Stages metric.Hit", 1, "|" },
		{ "metric.Stages TA.T0", 1, "|" },
	};
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = true,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drmperf_selection selections[NAMES_MAX];
		size_t count = read_list(cases[i].list, selections), n;
		struct drmperf_plan *plan;
		char text[512] = "";

		ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
						     &options, &plan, NULL),
				 0);
		for (size_t k = 0; k < drmperf_plan_passes(plan); k++) {
			const struct drmperf_selection *counters =
				drmperf_plan_event_counters(plan, k,
							    cases[i].event, &n);
			size_t length = strlen(text);

			ck_assert((counters == NULL) == (n == 0));
			length += (size_t)snprintf(text + length,
						   sizeof(text) - length, "%s",
						   k ? "|" : "");
			for (size_t j = 0; j < n; j++) {
				if (j)
					text[length++] = ' ';
				length += (size_t)drmperf_selection_name(
					&counters[j], text + length,
					sizeof(text) - length);
			}
		}
		ck_assert_str_eq(text, cases[i].counters);
		drmperf_plan_destroy(plan);
	}
}
END_TEST

/* Of a device with that event; by its name it cannot be found. */
static struct drmperf_selection
broken_event(const struct drmperf_event *of)
{
	const struct drmperf_device *device = drmperf_event_device(of);
	size_t i = 0;

	while (strcmp(drmperf_event_name(drmperf_event_at(device, i)),
		      "fake::metric.Broken") != 0)
		i++;
	return (struct drmperf_selection){
		.event = drmperf_event_at(device, i),
		.instance = DRMPERF_ALL_INSTANCES,
	};
}

START_TEST(refusals)
{
	struct drmperf_plan_options options = { .size = sizeof(options) };
	struct drmperf_selection selections[NAMES_MAX];
	struct drmperf_plan *const untouched =
		(struct drmperf_plan *)selections;
	struct drmperf_plan *plan = untouched;
	struct drmperf_error error;
	size_t count;

	count = read_list("TA.T0 TA.T1 TA.T2 TA.T3", selections);
	options.max_passes = 1;
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
					     &options, &plan, &error),
			 -ENOSPC);
	expect_words("one of two", error.cause,
		     (const char *const[]){ "2 passes, 1 is allowed",
					    "group TA", "TA.T2", "TA.T1" });
	expect_words("one of two", error.remedy,
		     (const char *const[]){ "leave out one of",
					    "allow more passes", NULL });
	options.max_passes = 2;
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
					     &options, &plan, &error),
			 0);
	drmperf_plan_destroy(plan);
	plan = untouched;

	options = (struct drmperf_plan_options){ .size = sizeof(options) };
	count = read_list("TA.T0 metric.Large", selections);
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
					     &options, &plan, &error),
			 -E2BIG);
	expect_words(
		"large", error.cause,
		(const char *const[]){ "metric.Large", "group TA", "3", NULL });
	/* not even a part of it fits */
	options.cut_metrics = true;
	count = read_list("TA.T0 metric.Lost", selections);
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, count,
					     &options, &plan, &error),
			 -E2BIG);
	expect_words("lost", error.cause,
		     (const char *const[]){ "metric.Lost", "group WIDE",
					    "counts 0", NULL });
	ck_assert_ptr_null(strstr(error.remedy, "cut"));

	selections[0] = broken_event(selections[0].event);
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, 1, NULL,
					     &plan, &error),
			 -EBADMSG);
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, 0, NULL,
					     &plan, &error),
			 -EINVAL);
	options.size = sizeof(options) + 1;
	ck_assert_int_eq(drmperf_plan_create(drmperf, selections, 1, &options,
					     &plan, &error),
			 -EINVAL);
	ck_assert_ptr_eq(plan, untouched);
	drmperf_plan_destroy(NULL);
}
END_TEST

/* Long lists of names end where there is room for no more. */
START_TEST(sentences_end)
{
	struct drmperf_selection selections[NAMES_MAX];
	const struct drmperf_event *chosen[NAMES_MAX];
	struct drmperf_error error;
	size_t count = 0;

	while (count < NAMES_MAX - 1)
		count += read_list("Render.Pixels", &selections[count]);
	count += read_list("Compute.Threads", &selections[count]);
	ck_assert_int_eq(
		plan_check_one_pass(drmperf, selections, count, chosen, &error),
		-ENOSPC);
	expect_words("many", error.cause,
		     (const char *const[]){ " more", NULL });
	expect_words(
		"many", error.remedy,
		(const char *const[]){ " more", "drmperf split finds", NULL });
}
END_TEST

static Suite *
plan_suite(void)
{
	Suite *suite = suite_create("plan");
	TCase *tcase = tcase_create("plan");

	tcase_add_checked_fixture(tcase, set_up, clean_up);
	tcase_add_loop_test(tcase, one_pass, 0, ARRAY_SIZE(pass_cases));
	tcase_add_test(tcase, any_is_chosen);
	tcase_add_test(tcase, instances);
	tcase_add_loop_test(tcase, passes, 0, ARRAY_SIZE(plan_cases));
	tcase_add_loop_test(tcase, conflicts, 0, ARRAY_SIZE(conflict_cases));
	tcase_add_test(tcase, parts_are_in_the_way);
	tcase_add_test(tcase, parts);
	tcase_add_test(tcase, refusals);
	tcase_add_test(tcase, sentences_end);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return suite_run(plan_suite());
}
