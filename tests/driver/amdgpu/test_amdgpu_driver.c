/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver behind its seam, on simulated GPUs in virtual time: what
 * comes out must be exact.
 */
#include "driver/driver.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/driver/described.h"
#include "tests/suite.h"
#include "tests/threads.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define NODE "/dev/dri/renderD128"
#define MS UINT64_C(1000000)
#define ALL DRMPERF_ALL_INSTANCES
#define MOST_VALUES 1024

/* ------------------------------------------------------------------ */
/* A described GPU                                                      */

static void *device;
static struct description description;
static const struct domain_ops *ops;

static const char *const directories[] = { "events" };

static const struct driver_target target = {
	.driver = "amdgpu",
	.address = "0000:03:00.0",
	.sysfs = "/sys/bus/pci/devices/0000:03:00.0",
	.render = NODE,
	.primary = "/dev/dri/card0",
	.tables = { directories, 1 },
};

/* All there is to be counted, also what the driver leaves for later. */
static int
try_describe(struct drmperf_error *error)
{
	int ret;

	memset(&description, 0, sizeof(description));
	ck_assert_int_eq(description_init(&description), 0);
	ret = amdgpu_driver.describe(&target, &description, &device, error);
	if (!ret)
		ck_assert_int_eq(described_all(&description, error), 0);
	return ret;
}

static void
setup(void)
{
	struct drmperf_error error = { 0 };

	ck_assert_int_eq(drmsim_command("clear", NULL, 0), 0);
	ck_assert_msg(!try_describe(&error), "%s", error.cause);
	ck_assert_uint_eq(description.domain_count, 1);
	ops = description.domains[0].ops;
}

/* What the simulator has to complain about, but for what it was told to do. */
static void
check_violations(void)
{
	static char report[65536];
	char *rest = report, *line;

	ck_assert_int_eq(drmsim_command("report", report, sizeof(report)), 0);
	while ((line = strsep(&rest, "\n")))
		ck_assert_msg(strncmp(line, "violation", 9) ||
				      strstr(line, "by order of --fault"),
			      "%s", line);
}

static void
teardown(void)
{
	amdgpu_driver.release(device);
	description_finish(&description);
	check_violations();
}

static void
set(const char *key, const char *value)
{
	ck_assert_msg(!drmsim_set(key, value), "%s %s", key, value);
}

static void
set_rate(const char *event, unsigned long long rate)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %llu", event, rate);
	set("rate", text);
}

static void
pass(uint64_t ns)
{
	ck_assert_int_eq(drmsim_advance(ns), 0);
}

static uint64_t
calls(const char *kind)
{
	uint64_t count = 0;

	ck_assert_int_eq(drmsim_calls(kind, &count), 0);
	return count;
}

/* Calls of any kind. */
static uint64_t
all_calls(void)
{
	static const char *const kinds[] = {
		"bo_list", "cs",       "ctx",	     "gem_close", "gem_create",
		"gem_va",  "gem_mmap", "info",	     "mmap",	  "open",
		"version", "wait_cs",  "wait_fences"
	};
	uint64_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		count += calls(kinds[i]);
	return count;
}

static group_index
find_group(const char *name)
{
	for (group_index i = 0; i < description.group_count; i++) {
		if (!strcmp(description.groups[i].name, name))
			return i;
	}
	ck_abort_msg("no group %s", name);
	return 0;
}

static const struct description_event *
find_event(const char *group, const char *name)
{
	group_index index = find_group(group);

	for (size_t i = 0; i < description.event_count; i++) {
		if (description.events[i].group == index &&
		    !strcmp(description.events[i].name, name))
			return &description.events[i];
	}
	return NULL;
}

/* Event number id of a block, wherever it may sit. */
static struct counter_request
request(const char *group, uint32_t id, int32_t instance)
{
	return (struct counter_request){
		.group = find_group(group),
		.selector = id,
		.slots = SLOTS_ANY,
		.instance = instance,
	};
}

static struct counter_request
follower(const char *group, uint32_t id)
{
	struct counter_request made = request(group, id, ALL);

	made.follows = true;
	return made;
}

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static uint64_t before[MOST_VALUES], now[MOST_VALUES];

static void *
arm(const struct counter_request *requests, size_t count)
{
	static const struct run_options options = { .clock = 0 };
	struct drmperf_error error = { 0 };
	void *run;

	ck_assert_msg(
		!ops->arm(device, &options, requests, count, &run, &error),
		"%s", error.cause);
	return run;
}

static void
sample(void *run, uint64_t *raw)
{
	struct drmperf_error error = { 0 };
	uint64_t time_ns;

	ck_assert_msg(
		!ops->sample(run, DRMPERF_READ_FENCED, raw, &time_ns, &error),
		"%s", error.cause);
}

static void *
begin(const struct counter_request *requests, size_t count)
{
	struct drmperf_error error = { 0 };
	void *run = arm(requests, count);

	ck_assert_msg(!ops->start(run, &error), "%s", error.cause);
	sample(run, before);
	return run;
}

static int
try_sample(void *run, struct drmperf_error *error)
{
	uint64_t time_ns;

	memset(error, 0, sizeof(*error));
	return ops->sample(run, DRMPERF_READ_FENCED, now, &time_ns, error);
}

static void
end(void *run)
{
	struct drmperf_error error = { 0 };

	ck_assert_msg(!ops->stop(run, &error), "%s", error.cause);
	ops->disarm(run);
}

static uint64_t
gained(size_t value)
{
	return now[value] - before[value];
}

/* ------------------------------------------------------------------ */
/* What is described                                                    */

START_TEST(groups)
{
	static const struct {
		const char *name;
		unsigned max_active, instances, per_engine;
		enum drmperf_scope scope;
	} expected[] = {
		{ "GRBM", 2, 1, 1, DRMPERF_SCOPE_DEVICE },
		{ "SQ", 8, 4, 1, DRMPERF_SCOPE_DEVICE },
		{ "TA", 2, 64, 16, DRMPERF_SCOPE_QUEUE },
		{ "TCP", 4, 64, 16, DRMPERF_SCOPE_QUEUE },
		{ "TCC", 4, 16, 16, DRMPERF_SCOPE_DEVICE },
		{ "SDMA", 2, 2, 2, DRMPERF_SCOPE_DEVICE },
		{ "GRBMSE", 1, 4, 1, DRMPERF_SCOPE_DEVICE },
	};

	ck_assert_str_eq(description.chip, "Vega 10");
	ck_assert_str_eq(description.generation, "gfx9");
	ck_assert_str_eq(description.domains[0].name, "gfx");
	ck_assert(!description.domains[0].exclusive);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct description_group *group =
			&description.groups[find_group(expected[i].name)];

		ck_assert_uint_eq(group->max_active, expected[i].max_active);
		ck_assert_uint_eq(group->instances, expected[i].instances);
		ck_assert_uint_eq(group->instances_per_engine,
				  expected[i].per_engine);
		ck_assert_int_eq(group->scope, expected[i].scope);
		ck_assert_str_ne(group->description, "");
	}
	ck_assert_str_eq(
		description.groups[find_group("TA")].instance_names[23],
		"se1.sa0.cu7");
	ck_assert_str_eq(description.groups[find_group("metric")].name,
			 "metric");
	/* Finding out does not take a command. */
	ck_assert_uint_eq(calls("cs"), 0);
}
END_TEST

START_TEST(events)
{
	const struct description_event *waves = find_event("SQ", "WAVES");
	const struct description_event *metric =
		find_event("metric", "VALUBusy");

	ck_assert_ptr_nonnull(waves);
	ck_assert_uint_eq(waves->selector, 4);
	/* SQ_WAVES follows from the name */
	ck_assert_ptr_null(waves->alias);
	ck_assert_uint_eq(waves->setting, 0x7f);
	ck_assert_uint_eq(waves->slots, SLOTS_ANY);
	ck_assert_int_eq(waves->unit, DRMPERF_UNIT_WAVES);
	ck_assert_int_eq(waves->kind, DRMPERF_KIND_CUMULATIVE);
	ck_assert_int_eq(waves->type, DRMPERF_TYPE_UINT64);
	ck_assert_ptr_nonnull(metric);
	ck_assert_ptr_nonnull(metric->expression);
	ck_assert_uint_eq(find_event("TCC", "HIT")->setting, SETTING_NONE);
}
END_TEST

START_TEST(constants)
{
	static const struct {
		const char *name;
		uint64_t value;
	} expected[] = {
		{ "SE_NUM", 4 },
		{ "SA_PER_SE", 1 },
		{ "CU_NUM", 64 },
		{ "SIMD_NUM", 256 },
		{ "MAX_WAVE_SIZE", 64 },
		{ "L2_CHANNELS", 16 },
		{ "MAX_ENGINE_CLOCK_MHZ", 1630 },
		{ "MAX_MEMORY_CLOCK_MHZ", 945 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		size_t k;

		for (k = 0; k < description.constant_count; k++) {
			if (!strcmp(description.constants[k].name,
				    expected[i].name))
				break;
		}
		ck_assert_msg(k < description.constant_count, "%s",
			      expected[i].name);
		ck_assert_uint_eq(description.constants[k].value,
				  expected[i].value);
	}
}
END_TEST

/* ------------------------------------------------------------------ */
/* Exact values                                                         */

static uint32_t
highest_event(group_index group)
{
	uint32_t highest = 0;

	for (size_t i = 0; i < description.event_count; i++) {
		if (description.events[i].group == group &&
		    description.events[i].selector > highest)
			highest = description.events[i].selector;
	}
	return highest;
}

/*
 * Every block, as many events at a time as it has counters, every instance.
 * Without a rate an event gains 1000 * (1 + instance + 256 * event + 262144 *
 * block) a second; the block's number is the simulator's, so it is taken from
 * the first value.
 */
static void
check_pass(const struct description_group *group, group_index index,
	   const uint32_t *ids, unsigned count, uint64_t *block)
{
	struct counter_request requests[16] = { 0 };
	void *run;
	uint64_t expected;

	for (unsigned i = 0; i < count; i++)
		requests[i] = (struct counter_request){ .group = index,
							.selector = ids[i],
							.slots = SLOTS_ANY,
							.instance = ALL };
	run = begin(requests, count);
	pass(10 * MS);
	sample(run, now);
	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = 0; k < group->instances; k++) {
			uint64_t value = gained(i * group->instances + k);

			expected = 1 + k + 256 * ids[i];
			if (*block == UINT64_MAX)
				*block = (value / 10 - expected) / 262144;
			expected = 10 * (expected + 262144 * *block);
			ck_assert_msg(value == expected,
				      "%s event %u instance %u: %" PRIu64
				      ", not %" PRIu64,
				      group->name, ids[i], k, value, expected);
		}
	}
	end(run);
}

START_TEST(every_block)
{
	uint64_t blocks[64];
	size_t block_count = 0;

	for (group_index g = 0; g < description.group_count; g++) {
		const struct description_group *group = &description.groups[g];
		uint32_t ids[64], most = highest_event(g);
		unsigned count = 0;

		if (!group->max_active)
			continue;
		blocks[block_count] = UINT64_MAX;
		/* the highest ones and some below */
		for (; count < group->max_active && count <= most; count++)
			ids[count] = most - count;
		check_pass(group, g, ids, count, &blocks[block_count]);
		check_pass(group, g, ids, 1, &blocks[block_count]);
		for (size_t i = 0; i < block_count; i++)
			ck_assert_uint_ne(blocks[i], blocks[block_count]);
		block_count++;
	}
	ck_assert_uint_ge(block_count, 20);
}
END_TEST

START_TEST(all_blocks_at_once)
{
	struct counter_request requests[128] = { 0 };
	size_t count = 0, value = 0;
	void *run;

	for (group_index g = 0; g < description.group_count; g++) {
		for (unsigned i = 0; i < description.groups[g].max_active; i++)
			requests[count++] = (struct counter_request){
				.group = g,
				.selector = highest_event(g) - i,
				.slots = SLOTS_ANY,
				.instance = 0,
			};
	}
	run = begin(requests, count);
	pass(MS);
	sample(run, now);
	for (; value < count; value++)
		ck_assert_msg(
			(gained(value) - 1 - 256 * requests[value].selector) %
					262144 ==
				0,
			"%s event %u: %" PRIu64,
			description.groups[requests[value].group].name,
			requests[value].selector, gained(value));
	end(run);
}
END_TEST

/* Near their top when they start, and across it. */
START_TEST(wraps)
{
	static const struct {
		const char *block, *start, *event;
		unsigned long long rate;
	} cases[] = {
		{ "SQ", "SQ 0xffffffffffffff9c", "SQ.4", 100000 },
		{ "SQ", "SQ 0xffffff9c", "SQ.4", 100000 },
		{ "PA_SU", "PA_SU 0xffffffffff9c", "PA_SU.4", 100000 },
		{ "EA", "EA 0xffffffffff9c", "EA.4", 100000 },
		{ "SDMA", "SDMA 0xffffff9c", "SDMA.4", 100000 },
	};
	struct counter_request asked;
	unsigned instances;
	void *run;

	set("default", "zero");
	set("start-value", cases[_i].start);
	set_rate(cases[_i].event, cases[_i].rate);
	set_rate("GRBM.0", 1000000);
	asked = request(cases[_i].block, 4, ALL);
	instances = description.groups[asked.group].instances;
	run = begin(&asked, 1);
	for (uint64_t total = 50; total <= 250; total += 50) {
		pass(MS / 2);
		sample(run, now);
		for (unsigned i = 0; i < instances; i++)
			ck_assert_msg(gained(i) == total,
				      "%s: %" PRIu64 ", not %" PRIu64,
				      cases[_i].event, gained(i), total);
	}
	end(run);
	set("default", "formula");
}
END_TEST

START_TEST(instances)
{
	const struct counter_request requests[] = {
		request("TCC", 17, 3), request("TCC", 17, 12),
		request("TCP", 6, 40), request("TCP", 7, 41),
		request("SQ", 4, 2),   request("SDMA", 3, 1),
	};
	void *run;

	set("default", "zero");
	set("rate", "TCC.17 instance=3 3000");
	set("rate", "TCC.17 instance=12 12000");
	set("rate", "TCP.6 instance=40 40000");
	set("rate", "TCP.7 instance=41 41000");
	set("rate", "SQ.4 instance=2 2000");
	set("rate", "SDMA.3 instance=1 1000");
	set_rate("GRBM.0", 1000000);
	run = begin(requests, ARRAY_SIZE(requests));
	pass(100 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 300);
	ck_assert_uint_eq(gained(1), 1200);
	ck_assert_uint_eq(gained(2), 4000);
	ck_assert_uint_eq(gained(3), 4100);
	ck_assert_uint_eq(gained(4), 200);
	ck_assert_uint_eq(gained(5), 100);
	end(run);
	set("default", "formula");
}
END_TEST

/* Work that others do is counted as well, whatever their queues say. */
START_TEST(work_of_others)
{
	const struct counter_request requests[] = { request("SQ", 34, ALL),
						    request("SQ", 35, ALL),
						    request("TA", 36, 0),
						    request("TCC", 37, 0) };
	void *run;

	set("default", "zero");
	set("rate", "SQ.34 source=other 4000");
	set("rate", "SQ.35 source=graphics 5000");
	set("rate", "TA.36 source=other 6000");
	set("rate", "TCC.37 source=other 7000");
	set_rate("GRBM.0", 1000000);
	run = begin(requests, ARRAY_SIZE(requests));
	pass(10 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 40);
	ck_assert_uint_eq(gained(4), 50);
	ck_assert_uint_eq(gained(8), 60);
	ck_assert_uint_eq(gained(9), 70);
	end(run);
	set("default", "formula");
}
END_TEST

/* ACCUM_PREV sums the level of the counter in the slot before. */
START_TEST(accumulation)
{
	const struct counter_request requests[] = {
		request("SQ", 10, ALL), request("SQ", 5, ALL),
		follower("SQ", 1),	request("SQ", 11, ALL),
		request("SQ", 5, ALL),
	};
	void *run;

	set("clock", "sclk 1000");
	set("level", "SQ.5 12");
	run = begin(requests, ARRAY_SIZE(requests));
	pass(MS);
	sample(run, now);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(gained(2 * 4 + i), 12 * 1000 * 1000);
	end(run);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

START_TEST(one_submission_and_one_wait)
{
	const struct counter_request requests[] = {
		request("SQ", 4, ALL),
		request("TCC", 17, ALL),
		request("EA", 55, ALL),
		request("TCP", 6, 3),
	};
	void *run = begin(requests, ARRAY_SIZE(requests));
	uint64_t submissions = calls("cs"), waits = calls("wait_cs");
	uint64_t all = all_calls();

	for (int i = 0; i < 10; i++)
		sample(run, now);
	ck_assert_uint_eq(calls("cs") - submissions, 10);
	ck_assert_uint_eq(calls("wait_cs") - waits, 10);
	ck_assert_uint_eq(all_calls() - all, 20);
	end(run);
}
END_TEST

START_TEST(start_stop_start)
{
	const struct counter_request asked = request("SQ", 4, 1);
	struct drmperf_error error;
	void *run;

	set("default", "zero");
	set_rate("SQ.4", 1000);
	set_rate("GRBM.0", 1000000);
	run = begin(&asked, 1);
	ck_assert_int_eq(ops->start(run, &error), -EALREADY);
	pass(7 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 7);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ck_assert_int_eq(try_sample(run, &error), -EINVAL);
	pass(100 * MS);
	ck_assert_int_eq(ops->start(run, &error), 0);
	pass(5 * MS);
	/* What went on in between is not counted, and nothing is taken back. */
	sample(run, now);
	ck_assert_uint_eq(gained(0), 12);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ops->disarm(run);
	set("default", "formula");
}
END_TEST

/* A counter that is armed, but not started, is disarmed as well. */
START_TEST(disarm_at_any_time)
{
	const struct counter_request asked = request("SQ", 4, ALL);
	struct drmperf_error error;
	void *run = arm(&asked, 1);

	ops->disarm(run);
	run = arm(&asked, 1);
	ck_assert_int_eq(ops->start(run, &error), 0);
	ops->disarm(run);
	run = begin(&asked, 1);
	end(run);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Change                                                               */

static void
change(void *run, const struct counter_request *requests, size_t count)
{
	struct drmperf_error error = { 0 };

	ck_assert_msg(!ops->change(run, requests, count, &error), "%s",
		      error.cause);
}

START_TEST(change_keeps_counting)
{
	const struct counter_request first[] = {
		request("TCC", 17, 2),
		request("EA", 55, 1),
		request("SQ", 4, ALL),
		request("SDMA", 3, 0),
	};
	const struct counter_request second[] = {
		request("SDMA", 3, 0),	request("SDMA", 4, 0),
		request("EA", 57, 1),	request("SQ", 4, ALL),
		request("RLC", 2, ALL), request("TCC", 17, 2),
		request("EA", 55, 1),	request("RMI", 5, 3),
	};
	uint64_t at_change[16];
	void *run;

	set("default", "zero");
	set_rate("TCC.17", 17000);
	set_rate("EA.55", 55000);
	set_rate("EA.57", 57000);
	set_rate("SQ.4", 4000);
	set_rate("SDMA.3", 3000);
	set_rate("SDMA.4", 40000);
	set_rate("RLC.2", 2000);
	set_rate("RMI.5", 5000);
	set_rate("GRBM.0", 1000000);
	run = begin(first, ARRAY_SIZE(first));
	pass(10 * MS);
	change(run, second, ARRAY_SIZE(second));
	sample(run, at_change);
	pass(10 * MS);
	sample(run, now);
	/* new ones from the change on */
	ck_assert_uint_eq(now[1] - at_change[1], 400);
	ck_assert_uint_eq(now[2] - at_change[2], 570);
	ck_assert_uint_eq(now[7] - at_change[7], 20);
	ck_assert_uint_eq(now[10] - at_change[10], 50);
	/* old ones from the start on */
	ck_assert_uint_eq(now[0] - before[6], 60);
	ck_assert_uint_eq(now[3] - before[2], 80);
	ck_assert_uint_eq(now[6] - before[5], 80);
	ck_assert_uint_eq(now[8] - before[0], 340);
	ck_assert_uint_eq(now[9] - before[1], 1100);
	/* and back again */
	change(run, first, ARRAY_SIZE(first));
	pass(10 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 510);
	ck_assert_uint_eq(gained(1), 1650);
	ck_assert_uint_eq(gained(2), 120);
	ck_assert_uint_eq(gained(6), 90);
	end(run);
	set("default", "formula");
}
END_TEST

/* A pair needs two slots side by side: others must make room and count on. */
START_TEST(change_moves_counters)
{
	const struct counter_request first[] = {
		request("SQ", 20, ALL), request("SQ", 21, ALL),
		request("SQ", 22, ALL), request("SQ", 23, ALL),
		request("SQ", 24, ALL), request("SQ", 25, ALL),
		request("SQ", 26, ALL), request("SQ", 27, ALL),
	};
	/* every other one goes */
	const struct counter_request second[] = {
		request("SQ", 20, ALL),
		request("SQ", 22, ALL),
		request("SQ", 24, ALL),
		request("SQ", 26, ALL),
	};
	const struct counter_request third[] = {
		request("SQ", 20, ALL), request("SQ", 22, ALL),
		request("SQ", 24, ALL), request("SQ", 26, ALL),
		request("SQ", 5, ALL),	follower("SQ", 1),
		request("SQ", 6, ALL),	follower("SQ", 1),
	};
	uint64_t at_change[64];
	void *run;

	set("default", "zero");
	set("clock", "sclk 1000");
	set_rate("SQ.20", 20000);
	set_rate("SQ.22", 22000);
	set_rate("SQ.24", 24000);
	set_rate("SQ.26", 26000);
	set("level", "SQ.5 7");
	set("level", "SQ.6 8");
	set_rate("GRBM.0", 1000000);
	run = begin(first, ARRAY_SIZE(first));
	pass(MS);
	change(run, second, ARRAY_SIZE(second));
	pass(MS);
	change(run, third, ARRAY_SIZE(third));
	sample(run, at_change);
	pass(MS);
	sample(run, now);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(now[i] - before[i], 60);
		ck_assert_uint_eq(now[4 + i] - before[8 + i], 66);
		ck_assert_uint_eq(now[8 + i] - before[16 + i], 72);
		ck_assert_uint_eq(now[12 + i] - before[24 + i], 78);
		ck_assert_uint_eq(now[20 + i] - at_change[20 + i], 7000000);
		ck_assert_uint_eq(now[28 + i] - at_change[28 + i], 8000000);
	}
	end(run);
	set("default", "formula");
}
END_TEST

static struct counter_request
limited(const char *group, uint32_t id, uint64_t slots)
{
	struct counter_request made = request(group, id, 0);

	made.slots = slots;
	return made;
}

/* The first can move only after the second has, to a slot that is free. */
START_TEST(change_moves_one_after_another)
{
	const struct counter_request requests[] = {
		limited("TCC", 20, 0x3),
		limited("TCC", 21, 0x6),
		limited("TCC", 22, 0x1),
	};
	void *run;

	set("default", "zero");
	set_rate("TCC.20", 20000);
	set_rate("TCC.21", 21000);
	set_rate("TCC.22", 22000);
	set_rate("GRBM.0", 1000000);
	run = begin(requests, 2);
	pass(MS);
	change(run, requests, 3);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 20);
	ck_assert_uint_eq(gained(1), 21);
	before[2] = now[2];
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 40);
	ck_assert_uint_eq(gained(1), 42);
	ck_assert_uint_eq(gained(2), 22);
	end(run);
	set("default", "formula");
}
END_TEST

/* A pair that could only move by half its length stays, and counts on. */
START_TEST(change_that_would_lose_counts)
{
	const struct counter_request requests[] = {
		limited("SQ", 5, 0x3),
		follower("SQ", 1),
		limited("SQ", 22, 0x1),
	};
	struct drmperf_error error = { 0 };
	void *run;

	set("default", "zero");
	set("clock", "sclk 1000");
	set("level", "SQ.5 12");
	set_rate("SQ.5", 5000);
	set_rate("GRBM.0", 1000000);
	run = begin(requests, 2);
	pass(MS);
	ck_assert_int_eq(ops->change(run, requests, 3, &error), -EBUSY);
	ck_assert_str_ne(error.remedy, "");
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 10);
	ck_assert_uint_eq(gained(1), 12 * 2000000);
	end(run);
	set("default", "formula");
}
END_TEST

START_TEST(change_that_does_not_fit)
{
	const struct counter_request first[] = { request("TCC", 17, ALL) };
	struct counter_request second[5];
	struct drmperf_error error = { 0 };
	void *run;

	for (uint32_t i = 0; i < ARRAY_SIZE(second); i++)
		second[i] = request("TCC", 17 + i, ALL);
	set_rate("TCC.17", 17000);
	run = begin(first, 1);
	ck_assert_int_eq(ops->change(run, second, ARRAY_SIZE(second), &error),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.cause, "TCC"));
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 17);
	end(run);
}
END_TEST

/* Not started yet: there is nothing to lose. */
START_TEST(change_before_start)
{
	const struct counter_request first = request("TCC", 17, 0);
	const struct counter_request second[] = { request("SQ", 4, 0),
						  request("TCC", 18, 0) };
	struct drmperf_error error = { 0 };
	void *run = arm(&first, 1);

	set_rate("SQ.4", 4000);
	set_rate("TCC.18", 18000);
	change(run, second, 2);
	ck_assert_int_eq(ops->start(run, &error), 0);
	sample(run, before);
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 4);
	ck_assert_uint_eq(gained(1), 18);
	/* between stop and start values stay as they are */
	ck_assert_int_eq(ops->stop(run, &error), 0);
	change(run, &second[1], 1);
	ck_assert_int_eq(ops->start(run, &error), 0);
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(now[0] - before[1], 36);
	end(run);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Mishaps                                                              */

START_TEST(gpu_reset)
{
	const struct counter_request asked = request("SQ", 4, ALL);
	struct drmperf_error error;
	void *run = begin(&asked, 1);

	set_rate("SQ.4", 1000);
	pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error), -ECANCELED);
	ck_assert_ptr_nonnull(strstr(error.cause, "reset"));
	ck_assert_str_ne(error.remedy, "");
	/* dead until it is stopped */
	ck_assert_int_eq(try_sample(run, &error), -ECANCELED);
	ck_assert_int_eq(ops->change(run, &asked, 1, &error), -ECANCELED);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ck_assert_int_eq(ops->start(run, &error), 0);
	sample(run, before);
	pass(2 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 2);
	end(run);
	/* and with a new run */
	run = begin(&asked, 1);
	pass(3 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 3);
	end(run);
}
END_TEST

/* The next submission goes wrong. */
static const struct {
	int line;
	const char *fault;
	int ret;
	const char *cause;
	bool passes; /* the one after it goes well */
} faults[] = {
	{ __LINE__, "cs:1:ENOMEM", -ENOMEM, "memory", true },
	{ __LINE__, "cs:1:EHWPOISON", -EHWPOISON, "memory errors", true },
	{ __LINE__, "cs:1:EINVAL", -EINVAL, "refuses", true },
	{ __LINE__, "cs:1:ECANCELED", -ECANCELED, "reset", false },
	{ __LINE__, "hang:1", -ECANCELED, "reset", false },
};

START_TEST(fault_at_sample)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run;
	int ret;

	set("lockup-timeout", "500ms");
	set_rate("TCC.17", 1000);
	run = begin(&asked, 1);
	pass(MS);
	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	ret = try_sample(run, &error);
	ck_assert_msg(ret == faults[_i].ret, "line %d: %d: %s", faults[_i].line,
		      ret, error.cause);
	ck_assert_msg(strstr(error.cause, faults[_i].cause) != NULL,
		      "line %d: %s", faults[_i].line, error.cause);
	ck_assert_str_ne(error.remedy, "");
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error),
			 faults[_i].passes ? 0 : faults[_i].ret);
	if (faults[_i].passes)
		ck_assert_uint_eq(gained(0), 2);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ops->disarm(run);
	run = begin(&asked, 1);
	pass(3 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 3);
	end(run);
}
END_TEST

START_TEST(fault_at_start)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run = arm(&asked, 1);
	int ret;

	set("lockup-timeout", "500ms");
	set_rate("TCC.17", 1000);
	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	ret = ops->start(run, &error);
	ck_assert_msg(ret == faults[_i].ret, "line %d: %d: %s", faults[_i].line,
		      ret, error.cause);
	ck_assert_int_eq(ops->start(run, &error), 0);
	sample(run, before);
	pass(3 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 3);
	end(run);
}
END_TEST

START_TEST(fault_at_change)
{
	const struct counter_request first = request("TCC", 17, ALL);
	const struct counter_request second[] = { first,
						  request("SQ", 4, ALL) };
	struct drmperf_error error = { 0 };
	void *run;

	set("lockup-timeout", "500ms");
	set_rate("TCC.17", 1000);
	run = begin(&first, 1);
	pass(MS);
	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	ck_assert_int_eq(ops->change(run, second, 2, &error), faults[_i].ret);
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error),
			 faults[_i].passes ? 0 : faults[_i].ret);
	if (faults[_i].passes)
		ck_assert_uint_eq(gained(0), 2);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ops->disarm(run);
}
END_TEST

/* The hardware is put back all the same. */
START_TEST(fault_at_stop)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run = begin(&asked, 1);

	set("lockup-timeout", "500ms");
	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	ck_assert_msg(!ops->stop(run, &error), "line %d: %s", faults[_i].line,
		      error.cause);
	ops->disarm(run);
}
END_TEST

/* The kernel takes its time to find out that the ring hangs. */
START_TEST(no_answer)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run;

	set("lockup-timeout", "60s");
	set_rate("TCC.17", 1000);
	run = begin(&asked, 1);
	ck_assert_int_eq(drmsim_fault("hang:1"), 0);
	ck_assert_int_eq(try_sample(run, &error), -ETIME);
	ck_assert_ptr_nonnull(strstr(error.cause, "5 seconds"));
	ck_assert_int_eq(try_sample(run, &error), -ETIME);
	/* a fresh context is not behind the commands that hang */
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ops->disarm(run);
	pass(60000 * MS);
	set("lockup-timeout", "500ms");
	run = begin(&asked, 1);
	pass(3 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 3);
	end(run);
}
END_TEST

/* Narrow counters that nobody could read in time are not believed. */
START_TEST(late_for_narrow_counters)
{
	const struct counter_request requests[] = { request("SDMA", 3, 0),
						    request("TCC", 17, 0) };
	struct drmperf_error error;
	void *run;

	set("default", "zero");
	set_rate("SDMA.3", 1000);
	set_rate("TCC.17", 1000);
	set_rate("GRBM.0", 1000000);
	run = begin(requests, 2);
	pass(2000 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 2000);
	pass(3000 * MS);
	ck_assert_int_eq(try_sample(run, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.cause, "wrapped"));
	end(run);
	/* wide ones have all the time in the world */
	run = begin(&requests[1], 1);
	pass(100000 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 100000);
	/* and narrow ones may join them then */
	pass(100000 * MS);
	change(run, requests, 2);
	sample(run, before);
	pass(2000 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 2000);
	ck_assert_uint_eq(gained(1), 2000);
	end(run);
	set("default", "formula");
}
END_TEST

/* On a machine of its own, with narrow counters in other blocks. */
START_TEST(late_for_gfx11)
{
	struct counter_request asked;
	struct drmperf_error error;
	void *run;

	setup();
	asked = request("SQ_WGP", 3, 0);
	run = begin(&asked, 1);
	pass(3000 * MS);
	ck_assert_int_eq(try_sample(run, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.remedy, "counters of SQ_WGP"));
	end(run);
	amdgpu_driver.release(device);
	description_finish(&description);
}
END_TEST

/* Every request that arm makes fails once: nothing is left behind. */
START_TEST(fault_at_arm)
{
	static const char *const kinds[] = { "ctx", "gem_create", "gem_va",
					     "gem_mmap", "bo_list" };
	const struct counter_request asked = request("TCC", 17, ALL);
	static const struct run_options options = { .clock = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct drmperf_error error = { 0 };
		void *run = NULL;
		char fault[64];

		snprintf(fault, sizeof(fault), "%s:1:ENOMEM", kinds[i]);
		ck_assert_msg(!drmsim_fault(fault), "%s", fault);
		ck_assert_msg(ops->arm(device, &options, &asked, 1, &run,
				       &error) == -ENOMEM,
			      "%s: %s", kinds[i], error.cause);
		ck_assert_ptr_null(run);
		ck_assert_str_ne(error.cause, "");
		end(begin(&asked, 1));
	}
}
END_TEST

/* On a machine of its own: the GPU does not come back. */
START_TEST(gpu_gone)
{
	struct counter_request asked;
	struct drmperf_error error;
	void *run;

	setup();
	asked = request("TCC", 17, ALL);
	run = begin(&asked, 1);
	ck_assert_int_eq(drmsim_fault("gone:1"), 0);
	ck_assert_int_eq(try_sample(run, &error), -ENODEV);
	ck_assert_ptr_nonnull(strstr(error.cause, "gone"));
	ck_assert_int_eq(ops->stop(run, &error), -ENODEV);
	ops->disarm(run);
	amdgpu_driver.release(device);
	description_finish(&description);
}
END_TEST

START_TEST(gated_clock)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run = begin(&asked, 1);

	/* for a moment nobody can tell */
	set("gated-clock", "on");
	pass(1000);
	ck_assert_int_eq(try_sample(run, &error), 0);
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error), -ENODATA);
	ck_assert_ptr_nonnull(strstr(error.cause, "GRBM.COUNT"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_CLOCK=profiling"));
	/* what was missed does not come back with the clock */
	set("gated-clock", "off");
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error), -ENODATA);
	end(run);
	run = begin(&asked, 1);
	pass(MS);
	sample(run, now);
	end(run);
}
END_TEST

/* ------------------------------------------------------------------ */
/* What users may ask for                                               */

/* A paragraph per submission, of lines with up to eight dwords. */
static unsigned
count_paragraphs(FILE *file)
{
	unsigned paragraphs = 0, words, length;
	unsigned all = 0;
	bool inside = false;
	char line[128], *at;

	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		if (!strcmp(line, "\n")) {
			ck_assert(inside);
			/* as the kernel wants command buffers to be */
			ck_assert_uint_eq(all % 8, 0);
			inside = false;
			all = 0;
			continue;
		}
		paragraphs += !inside;
		inside = true;
		for (at = line, words = 0; *at; words++, at += length + 1) {
			length = (unsigned)strcspn(at, " \n");
			ck_assert_uint_eq(length, 8);
			ck_assert_uint_eq(strspn(at, "0123456789abcdef"), 8);
		}
		ck_assert_uint_le(words, 8);
		all += words;
	}
	ck_assert(!inside);
	return paragraphs;
}

START_TEST(dump)
{
	static const char *const wishes[] = { "ib", "all,ib", "ib,all", "bi",
					      "" };
	static const unsigned expected[] = { 4, 4, 4, 0, 0 };
	struct counter_request asked;
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	void *run;

	ck_assert_ptr_nonnull(file);
	amdgpu_driver.release(device);
	description_finish(&description);
	setenv("DRMPERF_DEBUG", wishes[_i], 1);
	setup();
	asked = request("SQ", 4, ALL);
	dup2(fileno(file), STDERR_FILENO);
	run = begin(&asked, 1);
	sample(run, now);
	end(run);
	dup2(saved, STDERR_FILENO);
	close(saved);
	unsetenv("DRMPERF_DEBUG");
	ck_assert_uint_eq(count_paragraphs(file), expected[_i]);
	fclose(file);
}
END_TEST

static const char extra_text[] =
	"<events driver='amdgpu' generation='gfx9'>\n"
	"<block name='SQ'>\n"
	"<event id='5' name='WAVES' unit='cycles'>Ours.</event>\n"
	"<event id='6' name='OUR_OWN' unit='waves'>Ours, too.</event>\n"
	"</block>\n"
	"<block name='MINE' style='generic' scope='se' instances='1' bits='64' "
	"window='uconfig' rocm='THEIRS'><description>New.</description>\n"
	"<slot select='0x36700' lo='0x34700' hi='0x34704' id-bits='9'/>\n"
	"<event id='7' name='It' unit='none'>The only one.</event>\n"
	"</block>\n"
	"</events>\n";

/* Tables of the user: events in place of ours, new ones, new blocks. */
START_TEST(user_tables)
{
	struct driver_target with_extra = target;
	struct drmperf_error error = { 0 };
	const struct table *extra[1];
	char path[] = "/tmp/test_amdgpu_driver.XXXXXX";
	struct table *table;
	int fd = mkstemp(path);
	unsigned waves = 0;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, extra_text, strlen(extra_text)),
			 (ssize_t)strlen(extra_text));
	close(fd);
	ck_assert_int_eq(table_read(path, &table, NULL), 0);
	unlink(path);
	extra[0] = table;
	with_extra.user_tables = extra;
	with_extra.user_table_count = 1;
	amdgpu_driver.release(device);
	description_finish(&description);
	ck_assert_int_eq(description_init(&description), 0);
	ck_assert_msg(!amdgpu_driver.describe(&with_extra, &description,
					      &device, &error),
		      "%s", error.cause);
	for (size_t i = 0; i < description.event_count; i++)
		waves += description.events[i].group == find_group("SQ") &&
			 !strcmp(description.events[i].name, "WAVES");
	ck_assert_uint_eq(waves, 1);
	ck_assert_uint_eq(find_event("SQ", "WAVES")->selector, 5);
	ck_assert_str_eq(find_event("SQ", "WAVES")->description, "Ours.");
	ck_assert_uint_eq(find_event("SQ", "OUR_OWN")->selector, 6);
	ck_assert_str_eq(find_event("MINE", "It")->alias, "THEIRS_IT");
	ck_assert_uint_eq(description.groups[find_group("MINE")].instances, 4);
	teardown();
	table_destroy(table);
	setup();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Clocks                                                               */

/* The level that the kernel holds, as another context sees it. */
static uint32_t
power_state(amdgpu_device_handle other)
{
	amdgpu_context_handle context;
	uint32_t state = 99;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(
		amdgpu_cs_ctx_stable_pstate(
			context, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &state),
		0);
	amdgpu_cs_ctx_free(context);
	return state;
}

static amdgpu_device_handle
open_other(void)
{
	amdgpu_device_handle other;
	uint32_t major, minor;
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(amdgpu_device_initialize(fd, &major, &minor, &other),
			 0);
	close(fd);
	return other;
}

/* Another program's commands on the same ring. */
static void
submit(amdgpu_device_handle other, const uint32_t *dwords, size_t count)
{
	struct amdgpu_bo_alloc_request memory = {
		.alloc_size = 4096,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct amdgpu_cs_ib_info ib = { .size = (uint32_t)count };
	struct amdgpu_cs_request request_ = { .ip_type = AMDGPU_HW_IP_COMPUTE,
					      .number_of_ibs = 1,
					      .ibs = &ib };
	struct amdgpu_cs_fence fence = { .ip_type = AMDGPU_HW_IP_COMPUTE };
	amdgpu_context_handle context;
	amdgpu_va_handle range;
	amdgpu_bo_handle bo;
	uint32_t expired;
	void *memory_of;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(amdgpu_bo_alloc(other, &memory, &bo), 0);
	ck_assert_int_eq(
		amdgpu_va_range_alloc(other, amdgpu_gpu_va_range_general, 4096,
				      0, 0, &ib.ib_mc_address, &range, 0),
		0);
	ck_assert_int_eq(amdgpu_bo_va_op(bo, 0, 4096, ib.ib_mc_address, 0,
					 AMDGPU_VA_OP_MAP),
			 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(bo, &memory_of), 0);
	memcpy(memory_of, dwords, count * sizeof(*dwords));
	ck_assert_int_eq(
		amdgpu_bo_list_create(other, 1, &bo, NULL, &request_.resources),
		0);
	ck_assert_int_eq(amdgpu_cs_submit(context, 0, &request_, 1), 0);
	fence.context = context;
	fence.fence = request_.seq_no;
	ck_assert_int_eq(
		amdgpu_cs_query_fence_status(&fence, 1000 * MS, 0, &expired),
		0);
	ck_assert(expired);
	amdgpu_bo_list_destroy(request_.resources);
	amdgpu_bo_va_op(bo, 0, 4096, ib.ib_mc_address, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_bo_cpu_unmap(bo);
	amdgpu_va_range_free(range);
	amdgpu_bo_free(bo);
	amdgpu_cs_ctx_free(context);
}

/* Somebody else's tool sets everything to zero. */
START_TEST(intruder)
{
	static const uint32_t reset[8] = { 0xc0017900, 0x1808,	   0,
					   0xffff1000, 0xffff1000, 0xffff1000,
					   0xffff1000, 0xffff1000 };
	const struct counter_request asked = request("TCC", 17, ALL);
	amdgpu_device_handle other = open_other();
	struct drmperf_error error;
	void *run = begin(&asked, 1);

	pass(10 * MS);
	sample(run, now);
	submit(other, reset, ARRAY_SIZE(reset));
	ck_assert_int_eq(try_sample(run, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.cause, "backwards"));
	end(run);
	amdgpu_device_deinitialize(other);
}
END_TEST

static const struct {
	enum drmperf_clock_mode asked;
	const char *environment;
	uint32_t state; /* while counting */
} clocks[] = {
	{ DRMPERF_CLOCK_AUTO, NULL, AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "auto", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "profiling", AMDGPU_CTX_STABLE_PSTATE_STANDARD },
	{ DRMPERF_CLOCK_AUTO, "peak", AMDGPU_CTX_STABLE_PSTATE_PEAK },
	{ DRMPERF_CLOCK_DEFAULT, "peak", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_PROFILING, NULL, AMDGPU_CTX_STABLE_PSTATE_STANDARD },
	{ DRMPERF_CLOCK_MIN_MEMORY, NULL, AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK },
	{ DRMPERF_CLOCK_MIN_ENGINE, NULL, AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK },
	{ DRMPERF_CLOCK_PEAK, NULL, AMDGPU_CTX_STABLE_PSTATE_PEAK },
};

START_TEST(clock_modes)
{
	const struct run_options options = { .clock = clocks[_i].asked };
	const struct counter_request asked = request("TCC", 17, ALL);
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run;

	unsetenv("DRMPERF_CLOCK");
	if (clocks[_i].environment)
		setenv("DRMPERF_CLOCK", clocks[_i].environment, 1);
	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &run, &error),
			 0);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	ck_assert_msg(!ops->start(run, &error), "%s", error.cause);
	ck_assert_uint_eq(power_state(other), clocks[_i].state);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	ck_assert_int_eq(ops->start(run, &error), 0);
	ops->disarm(run);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	amdgpu_device_deinitialize(other);
	unsetenv("DRMPERF_CLOCK");
}
END_TEST

START_TEST(unknown_clock_mode)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	static const struct run_options options = { .clock = 0 };
	struct drmperf_error error = { 0 };
	void *run;

	setenv("DRMPERF_CLOCK", "fast", 1);
	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &run, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "fast"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "profiling"));
	unsetenv("DRMPERF_CLOCK");
}
END_TEST

/* A reset does not keep us from giving the clocks back. */
START_TEST(clocks_after_reset)
{
	const struct run_options options = { .clock = DRMPERF_CLOCK_PROFILING };
	const struct counter_request asked = request("TCC", 17, ALL);
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run;

	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &run, &error),
			 0);
	ck_assert_int_eq(ops->start(run, &error), 0);
	pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	pass(MS);
	ck_assert_int_eq(try_sample(run, &error), -ECANCELED);
	ck_assert_int_eq(ops->stop(run, &error), 0);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	ops->disarm(run);
	amdgpu_device_deinitialize(other);
}
END_TEST

START_TEST(clocks_held_by_another)
{
	const struct run_options options = { .clock = DRMPERF_CLOCK_PROFILING };
	const struct counter_request asked = request("TCC", 17, ALL);
	amdgpu_device_handle other = open_other();
	amdgpu_context_handle context;
	struct drmperf_error error = { 0 };
	uint32_t state;
	void *run;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_PEAK, &state),
			 0);
	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &run, &error),
			 0);
	ck_assert_int_eq(ops->start(run, &error), -EBUSY);
	ck_assert_ptr_nonnull(strstr(error.cause, "profiling"));
	ops->disarm(run);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_PEAK);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_NONE, &state),
			 0);
	amdgpu_cs_ctx_free(context);
	amdgpu_device_deinitialize(other);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Others                                                               */

START_TEST(second_handle)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	static const struct run_options options = { .clock = 0 };
	struct drmperf_error error = { 0 };
	void *run = arm(&asked, 1), *second;
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &second, &error),
			 -EBUSY);
	ck_assert_ptr_nonnull(strstr(error.cause, pid));
	ck_assert_ptr_nonnull(strstr(error.cause, "this process"));
	ops->disarm(run);
	end(begin(&asked, 1));
}
END_TEST

/* Tell the other side of the pipe, or wait until it tells. */
static void
tell(const int *pipe_fds)
{
	ck_assert_int_eq(write(pipe_fds[1], "", 1), 1);
}

static void
listen(const int *pipe_fds)
{
	char byte;

	ck_assert_int_eq(read(pipe_fds[0], &byte, 1), 1);
}

/* A child that counts; whether it has let go of the parent's GPU or not. */
START_TEST(another_process)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	static const struct run_options options = { .clock = 0 };
	struct drmperf_error error = { 0 };
	void *run;
	int ready[2], status;
	char text[64];
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		if (_i)
			amdgpu_driver.abandon(device);
		if (try_describe(&error))
			_exit(1);
		begin(&asked, 1);
		tell(ready);
		pause();
		_exit(0);
	}
	listen(ready);
	snprintf(text, sizeof(text), "pid %d", (int)pid);
	ck_assert_int_eq(ops->arm(device, &options, &asked, 1, &run, &error),
			 -EBUSY);
	ck_assert_msg(strstr(error.cause, text) != NULL, "%s", error.cause);
	ck_assert_ptr_nonnull(strstr(error.cause, NODE));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	/* What it left behind does not matter. */
	set_rate("TCC.17", 1000);
	run = begin(&asked, 1);
	pass(3 * MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 3);
	end(run);
	close(ready[0]);
	close(ready[1]);
}
END_TEST

/* Calls while the parent, whose keeper may be at work, stands still. */
static uint64_t
calls_without_parent(void)
{
	uint64_t before, after = all_calls();

	kill(getppid(), SIGSTOP);
	threads_await_stop(getppid());
	/* and the last one has been answered */
	do {
		before = after;
		after = all_calls();
	} while (after != before);
	return after;
}

/* A child that lets go of everything is not felt by its parent. */
START_TEST(fork_and_abandon)
{
	const struct counter_request requests[] = { request("TCC", 17, ALL),
						    request("SDMA", 3, 0) };
	void *run;
	uint64_t ioctls;
	int status;
	pid_t pid;

	set_rate("TCC.17", 1000);
	run = begin(requests, 2);
	pass(MS);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		ioctls = calls_without_parent();
		ops->abandon(run);
		amdgpu_driver.abandon(device);
		description_finish(&description);
		status = all_calls() != ioctls;
		kill(getppid(), SIGCONT);
		_exit(status);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 2);
	end(run);
}
END_TEST

/* A child that uses the GPU by itself has a file of its own. */
START_TEST(fork_and_count)
{
	const struct counter_request asked = request("TCC", 17, ALL);
	static const struct run_options options = { .clock = 0 };
	struct drmperf_error error = { 0 };
	void *run;
	int refused[2], ended[2], status;
	pid_t pid;

	set_rate("TCC.17", 1000);
	run = begin(&asked, 1);
	pass(MS);
	ck_assert_int_eq(pipe(refused), 0);
	ck_assert_int_eq(pipe(ended), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		struct description parents = description;
		void *parents_device = device;
		void *parents_run = run;

		/* without letting go of the parent's first */
		if (try_describe(&error))
			_exit(1);
		if (ops->arm(device, &options, &asked, 1, &run, &error) !=
		    -EBUSY)
			_exit(2);
		tell(refused);
		listen(ended);
		run = begin(&asked, 1);
		pass(5 * MS);
		sample(run, now);
		end(run);
		amdgpu_driver.release(device);
		description_finish(&description);
		ops->abandon(parents_run);
		amdgpu_driver.abandon(parents_device);
		description_finish(&parents);
		_exit(gained(0) == 5 ? 0 : 3);
	}
	listen(refused);
	pass(MS);
	sample(run, now);
	ck_assert_uint_eq(gained(0), 2);
	end(run);
	tell(ended);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	end(begin(&asked, 1));
	close(refused[0]);
	close(refused[1]);
	close(ended[0]);
	close(ended[1]);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Machines that cannot be used                                         */

START_TEST(denied)
{
	struct drmperf_error error = { 0 };

	ck_assert_int_eq(try_describe(&error), -EACCES);
	ck_assert_ptr_nonnull(strstr(error.cause, NODE));
	ck_assert_str_ne(error.remedy, "");
	description_finish(&description);
}
END_TEST

/* ------------------------------------------------------------------ */

static Suite *
driver_suite(void)
{
	Suite *suite = suite_create("amdgpu_driver");
	TCase *tcase = tcase_create("driver");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, groups);
	tcase_add_test(tcase, events);
	tcase_add_test(tcase, constants);
	tcase_add_test(tcase, every_block);
	tcase_add_test(tcase, all_blocks_at_once);
	tcase_add_loop_test(tcase, wraps, 0, 5);
	tcase_add_test(tcase, instances);
	tcase_add_test(tcase, work_of_others);
	tcase_add_test(tcase, accumulation);
	tcase_add_test(tcase, one_submission_and_one_wait);
	tcase_add_test(tcase, start_stop_start);
	tcase_add_test(tcase, disarm_at_any_time);
	tcase_add_test(tcase, change_keeps_counting);
	tcase_add_test(tcase, change_moves_counters);
	tcase_add_test(tcase, change_moves_one_after_another);
	tcase_add_test(tcase, change_that_would_lose_counts);
	tcase_add_test(tcase, change_that_does_not_fit);
	tcase_add_test(tcase, change_before_start);
	tcase_add_test(tcase, gpu_reset);
	tcase_add_loop_test(tcase, fault_at_sample, 0, ARRAY_SIZE(faults));
	tcase_add_loop_test(tcase, fault_at_start, 0, ARRAY_SIZE(faults));
	tcase_add_loop_test(tcase, fault_at_change, 0, ARRAY_SIZE(faults));
	tcase_add_loop_test(tcase, fault_at_stop, 0, ARRAY_SIZE(faults));
	tcase_add_test(tcase, no_answer);
	tcase_add_test(tcase, late_for_narrow_counters);
	tcase_add_test(tcase, fault_at_arm);
	tcase_add_test(tcase, gated_clock);
	tcase_add_test(tcase, intruder);
	tcase_add_loop_test(tcase, dump, 0, 5);
	tcase_add_test(tcase, user_tables);
	tcase_add_loop_test(tcase, clock_modes, 0, ARRAY_SIZE(clocks));
	tcase_add_test(tcase, unknown_clock_mode);
	tcase_add_test(tcase, clocks_after_reset);
	tcase_add_test(tcase, clocks_held_by_another);
	tcase_add_test(tcase, second_handle);
	tcase_add_loop_test(tcase, another_process, 0, 2);
	tcase_add_test(tcase, fork_and_abandon);
	tcase_add_test(tcase, fork_and_count);
	suite_add_tcase(suite, tcase);
	return suite;
}

static Suite *
one_test_suite(const char *name, const TTest *test)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);

	tcase_add_test(tcase, test);
	suite_add_tcase(suite, tcase);
	return suite;
}

static const char *const vega10[] = { "--gpu", "vega10", "--time", "virtual",
				      NULL };
static const char *const navi31[] = { "--gpu", "navi31", "--time", "virtual",
				      NULL };
static const char *const vega10_denied[] = { "--gpu", "vega10,node-mode=0000",
					     NULL };

static const struct machine machines[] = {
	{ vega10, "amdgpu_driver" },
	{ vega10, "amdgpu_gone" },
	{ navi31, "amdgpu_late" },
	{ vega10_denied, "amdgpu_denied" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	runner = srunner_create(driver_suite());
	srunner_add_suite(runner, one_test_suite("amdgpu_gone", gpu_gone));
	srunner_add_suite(runner,
			  one_test_suite("amdgpu_late", late_for_gfx11));
	srunner_add_suite(runner, one_test_suite("amdgpu_denied", denied));
	return suites_run(runner);
}
