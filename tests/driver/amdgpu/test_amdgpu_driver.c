/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver behind its seam, on a simulated GPU in virtual time: what
 * it describes, and that what comes out is exact.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* What is described                                                    */

TEST_CASE(driver, gpu_open, gpu_close_clean, "amdgpu_driver");

TEST(driver, groups_are_described_with_their_limits)
{
	static const struct {
		const char *name;
		unsigned max_active, instances, per_engine;
		enum drmperf_scope scope;
	} expected[] = {
		{ "GRBM", 2, 1, 1, DRMPERF_SCOPE_DEVICE },
		{ "SQ", 8, 4, 1, DRMPERF_SCOPE_QUEUE },
		{ "TA", 2, 64, 16, DRMPERF_SCOPE_QUEUE },
		{ "TCP", 4, 64, 16, DRMPERF_SCOPE_QUEUE },
		{ "TCC", 4, 16, 16, DRMPERF_SCOPE_DEVICE },
		{ "SDMA", 2, 2, 2, DRMPERF_SCOPE_DEVICE },
		{ "GRBMSE", 1, 4, 1, DRMPERF_SCOPE_DEVICE },
	};

	ck_assert_str_eq(gpu.description.chip, "Vega 10");
	ck_assert_str_eq(gpu.description.generation, "gfx9");
	ck_assert_str_eq(gpu.description.domains[0].name, "gfx");
	ck_assert(!gpu.description.domains[0].exclusive);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct description_group *group =
			&gpu.description.groups[gpu_group(expected[i].name)];

		ck_assert_uint_eq(group->max_active, expected[i].max_active);
		ck_assert_uint_eq(group->instances, expected[i].instances);
		ck_assert_uint_eq(group->instances_per_engine,
				  expected[i].per_engine);
		ck_assert_int_eq(group->scope, expected[i].scope);
		ck_assert_str_ne(group->description, "");
	}
	ck_assert_str_eq(
		gpu.description.groups[gpu_group("TA")].instance_names[23],
		"se1.sa0.cu7");
	ck_assert_str_eq(gpu.description.groups[gpu_group("metric")].name,
			 "metric");
	/* Finding out does not take a command. */
	ck_assert_uint_eq(scene_calls("cs"), 0);
}

TEST(driver, events_are_described_with_their_selects)
{
	const struct description_event *waves = gpu_event("SQ", "WAVES");
	const struct description_event *metric =
		gpu_event("metric", "VALUBusy");

	ck_assert_ptr_nonnull(waves);
	ck_assert_uint_eq(waves->selector, 4);
	/* SQ_WAVES follows from the name */
	ck_assert_ptr_null(waves->alias);
	ck_assert_uint_eq(waves->setting, 0xffff007f);
	ck_assert_uint_eq(waves->slots, SLOTS_ANY);
	ck_assert_int_eq(waves->unit, DRMPERF_UNIT_WAVES);
	ck_assert_int_eq(waves->kind, DRMPERF_KIND_CUMULATIVE);
	ck_assert_int_eq(waves->type, DRMPERF_TYPE_UINT64);
	ck_assert_ptr_nonnull(metric);
	ck_assert_ptr_nonnull(metric->expression);
	ck_assert_uint_eq(gpu_event("TCC", "HIT")->setting, SETTING_NONE);
}

TEST(driver, constants_are_those_of_the_gpu)
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

		for (k = 0; k < gpu.description.constant_count; k++) {
			if (!strcmp(gpu.description.constants[k].name,
				    expected[i].name))
				break;
		}
		ck_assert_msg(k < gpu.description.constant_count, "%s",
			      expected[i].name);
		ck_assert_uint_eq(gpu.description.constants[k].value,
				  expected[i].value);
	}
}

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
TEST(driver, tables_of_the_user_replace_and_add)
{
	struct driver_target with_extra = gpu_target;
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
	gpu_close();
	ck_assert_msg(!gpu_try_open(&with_extra, &error), "%s", error.cause);
	for (size_t i = 0; i < gpu.description.event_count; i++)
		waves += gpu.description.events[i].group == gpu_group("SQ") &&
			 !strcmp(gpu.description.events[i].name, "WAVES");
	ck_assert_uint_eq(waves, 1);
	ck_assert_uint_eq(gpu_event("SQ", "WAVES")->selector, 5);
	ck_assert_str_eq(gpu_event("SQ", "WAVES")->description, "Ours.");
	ck_assert_uint_eq(gpu_event("SQ", "OUR_OWN")->selector, 6);
	ck_assert_str_eq(gpu_event("MINE", "It")->alias, "THEIRS_IT");
	ck_assert_uint_eq(gpu.description.groups[gpu_group("MINE")].instances,
			  4);
	gpu_close_clean();
	table_destroy(table);
	gpu_open();
}

TEST_CASE(amdgpu_denied, NULL, NULL, "amdgpu_denied");

TEST(amdgpu_denied, a_node_that_is_denied_is_an_error)
{
	struct drmperf_error error = { 0 };

	gpu_failed(gpu_try_open(&gpu_target, &error), -EACCES, &error, GPU_NODE,
		   "");
	ck_assert_str_ne(error.remedy, "");
	description_finish(&gpu.description);
}

/* ------------------------------------------------------------------ */
/* Exact values                                                         */

static uint32_t
highest_event(group_index group)
{
	uint32_t highest = 0;

	for (size_t i = 0; i < gpu.description.event_count; i++) {
		if (gpu.description.events[i].group == group &&
		    gpu.description.events[i].selector > highest)
			highest = gpu.description.events[i].selector;
	}
	return highest;
}

/*
 * Check a pass of every block, as many events at a time as it has counters,
 * every instance. Without a rate an event gains 1000 * (1 + instance + 256 *
 * event + 262144 * block) a second; the block's number is the simulator's, so
 * it is taken from the first value.
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
	run = gpu_begin(requests, count);
	scene_pass(10 * MS);
	gpu_sample(run);
	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = 0; k < group->instances; k++) {
			uint64_t value = gpu_gained(i * group->instances + k);

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
	gpu_end(run);
}

TEST(driver, every_block_counts_in_all_slots)
{
	uint64_t blocks[64];
	size_t block_count = 0;

	for (group_index g = 0; g < gpu.description.group_count; g++) {
		const struct description_group *group =
			&gpu.description.groups[g];
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

TEST(driver, all_blocks_at_once)
{
	struct counter_request requests[128] = { 0 };
	size_t count = 0, value = 0;
	void *run;

	for (group_index g = 0; g < gpu.description.group_count; g++) {
		for (unsigned i = 0; i < gpu.description.groups[g].max_active;
		     i++)
			requests[count++] = (struct counter_request){
				.group = g,
				.selector = highest_event(g) - i,
				.slots = SLOTS_ANY,
				.instance = 0,
			};
	}
	run = gpu_begin(requests, count);
	scene_pass(MS);
	gpu_sample(run);
	for (; value < count; value++)
		ck_assert_msg(
			(gpu_gained(value) - 1 -
			 256 * requests[value].selector) %
					262144 ==
				0,
			"%s event %u: %" PRIu64,
			gpu.description.groups[requests[value].group].name,
			requests[value].selector, gpu_gained(value));
	gpu_end(run);
}

/* Near their top when they start, and across it. */
TEST_LOOP(driver, counters_count_on_over_their_top, 5)
{
	static const struct {
		const char *block, *start, *rate;
	} cases[] = {
		{ "SQ", "SQ 0xffffffffffffff9c", "SQ.4 100000" },
		{ "SQ", "SQ 0xffffff9c", "SQ.4 100000" },
		{ "PA_SU", "PA_SU 0xffffffffff9c", "PA_SU.4 100000" },
		{ "EA", "EA 0xffffffffff9c", "EA.4 100000" },
		{ "SDMA", "SDMA 0xffffff9c", "SDMA.4 100000" },
	};
	struct counter_request asked;
	unsigned instances;
	void *run;

	scene_set("start-value", cases[_i].start);
	gpu_count_only(cases[_i].rate);
	asked = gpu_request(cases[_i].block, 4, ALL);
	instances = gpu.description.groups[asked.group].instances;
	run = gpu_begin(&asked, 1);
	for (uint64_t total = 50; total <= 250; total += 50) {
		scene_pass(MS / 2);
		gpu_sample(run);
		for (unsigned i = 0; i < instances; i++)
			ck_assert_msg(gpu_gained(i) == total,
				      "%s: %" PRIu64 ", not %" PRIu64,
				      cases[_i].rate, gpu_gained(i), total);
	}
	gpu_end(run);
}

TEST(driver, each_instance_counts_by_itself)
{
	const struct counter_request requests[] = {
		gpu_request("TCC", 17, 3), gpu_request("TCC", 17, 12),
		gpu_request("TCP", 6, 40), gpu_request("TCP", 7, 41),
		gpu_request("SQ", 4, 2),   gpu_request("SDMA", 3, 1),
	};
	void *run;

	gpu_count_only("TCC.17 instance=3 3000", "TCC.17 instance=12 12000",
		       "TCP.6 instance=40 40000", "TCP.7 instance=41 41000",
		       "SQ.4 instance=2 2000", "SDMA.3 instance=1 1000");
	run = gpu_begin(requests, ARRAY_SIZE(requests));
	scene_pass(100 * MS);
	gpu_expect(run, 300, 1200, 4000, 4100, 200, 100);
	gpu_end(run);
}

/* Work that others do is counted as well, whatever their queues say. */
TEST(driver, work_of_others)
{
	const struct counter_request requests[] = { gpu_request("SQ", 34, ALL),
						    gpu_request("SQ", 35, ALL),
						    gpu_request("TA", 36, 0),
						    gpu_request("TCC", 37, 0) };
	void *run;

	gpu_count_only("SQ.34 source=other 4000", "SQ.35 source=graphics 5000",
		       "TA.36 source=other 6000", "TCC.37 source=other 7000");
	run = gpu_begin(requests, ARRAY_SIZE(requests));
	scene_pass(10 * MS);
	gpu_expect(run, 0, 0, 0, 0, 50, 50, 50, 50, 0, 70);
	scene_set("force-en", "works");
	scene_pass(10 * MS);
	gpu_expect(run, 40, 40, 40, 40, 100, 100, 100, 100, 60, 140);
	scene_set("force-en", "ignored");
	gpu_end(run);
}

/* ACCUM_PREV sums the level of the counter in the slot before. */
TEST(driver, a_sum_follows_the_level_before_it)
{
	const struct counter_request requests[] = {
		gpu_request("SQ", 10, ALL), gpu_request("SQ", 5, ALL),
		gpu_follower("SQ", 1),	    gpu_request("SQ", 11, ALL),
		gpu_request("SQ", 5, ALL),
	};
	void *run;

	scene_set("clock", "sclk 1000");
	scene_set("level", "SQ.5 12");
	run = gpu_begin(requests, ARRAY_SIZE(requests));
	scene_pass(MS);
	gpu_sample(run);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(gpu_gained(2 * 4 + i), 12 * 1000 * 1000);
	gpu_end(run);
}

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

/* How long a sample's end is looked for in memory, and the waits of a read. */
static const struct {
	const char *spin_us;
	unsigned waits;
} spins[] = { { "0", 1 }, { "1000", 0 } };

/* Open the GPU again, with such a time. */
static void
reopen_with_spin(const char *spin_us)
{
	gpu_close();
	setenv("DRMPERF_SPIN_US", spin_us, 1);
	gpu_open();
}

TEST_LOOP(driver, one_submission_and_one_wait, ARRAY_SIZE(spins))
{
	const struct counter_request requests[] = {
		gpu_request("SQ", 4, ALL),
		gpu_request("TCC", 17, ALL),
		gpu_request("EA", 55, ALL),
		gpu_request("TCP", 6, 3),
	};
	uint64_t submissions, waits, all;
	void *run;

	reopen_with_spin(spins[_i].spin_us);
	run = gpu_begin(requests, ARRAY_SIZE(requests));
	submissions = scene_calls("cs");
	waits = scene_calls("wait_cs");
	all = gpu_calls();
	for (int i = 0; i < 10; i++)
		gpu_sample(run);
	ck_assert_uint_eq(scene_calls("cs") - submissions, 10);
	ck_assert_uint_eq(scene_calls("wait_cs") - waits, 10 * spins[_i].waits);
	ck_assert_uint_eq(gpu_calls() - all, 10 + 10 * spins[_i].waits);
	gpu_end(run);
}

static const struct {
	const char *key; /* of the scenario */
	const char *none; /* its value in the end */
	uint64_t least; /* gained by a sample that is held by it */
} holds[] = {
	{ "hold-pipe", "0", 20 * 1000 * 1000 },
	{ "late-fences", "0", 1000 * 1000 },
};

/*
 * A sample that is behind other work is not in memory yet, nor may its number
 * be when it has ended: its values are those of its own end, and the kernel is
 * asked.
 */
TEST_LOOP(driver, sample_not_in_memory, ARRAY_SIZE(holds))
{
	const struct counter_request asked = gpu_request("SQ", 4, ALL);
	uint64_t waits;
	void *run;

	reopen_with_spin("40");
	gpu_set_rates((const char *const[]){ "SQ.4 1000000000", NULL });
	run = gpu_begin(&asked, 1);
	gpu_sample(run);
	waits = scene_calls("wait_cs");
	scene_set(holds[_i].key, "20ms");
	memcpy(gpu_before, gpu_now, sizeof(gpu_now));
	scene_pass(MS);
	gpu_sample(run);
	ck_assert_uint_eq(scene_calls("wait_cs") - waits, 1);
	ck_assert_uint_ge(gpu_gained(0), holds[_i].least);
	scene_set(holds[_i].key, holds[_i].none);
	gpu_end(run);
}

/*
 * A fresh context after a reset counts its submissions from 0, so that a number
 * of the old one says nothing: whichever was the last there, the first sample
 * is waited for if it is held.
 */
TEST_LOOP(driver, numbers_of_old_context, 6)
{
	const struct counter_request asked = gpu_request("SQ", 4, ALL);
	struct drmperf_error error;
	uint64_t submissions, waits;
	void *run;

	reopen_with_spin("40");
	run = gpu_begin(&asked, 1);
	for (int i = 0; i < _i; i++)
		gpu_sample(run);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	ck_assert_int_eq(gpu_try_sample(run, &error), -ECANCELED);
	gpu_stop(run);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	scene_set("hold-pipe", "20ms");
	submissions = scene_calls("cs");
	waits = scene_calls("wait_cs");
	gpu_sample(run);
	ck_assert_uint_eq(scene_calls("cs") - submissions, 1);
	ck_assert_uint_eq(scene_calls("wait_cs") - waits, 1);
	gpu_end(run);
}

TEST(driver, start_stop_start)
{
	const struct counter_request asked = gpu_request("SQ", 4, 1);
	struct drmperf_error error;
	void *run;

	gpu_count_only("SQ.4 1000");
	run = gpu_begin(&asked, 1);
	ck_assert_int_eq(gpu.ops->start(run, &error), -EALREADY);
	scene_pass(7 * MS);
	gpu_expect(run, 7);
	gpu_stop(run);
	ck_assert_int_eq(gpu_try_sample(run, &error), -EINVAL);
	scene_pass(100 * MS);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	scene_pass(5 * MS);
	/* What went on in between is not counted, and nothing is taken back. */
	gpu_expect(run, 12);
	gpu_stop(run);
	gpu_end(run);
}

/* A counter that is armed, but not started, is disarmed as well. */
TEST(driver, disarm_at_any_time)
{
	const struct counter_request asked = gpu_request("SQ", 4, ALL);
	struct drmperf_error error;
	void *run = gpu_arm(&asked, 1);

	gpu.ops->disarm(run);
	run = gpu_arm(&asked, 1);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	gpu.ops->disarm(run);
	run = gpu_begin(&asked, 1);
	gpu_end(run);
}

/* ------------------------------------------------------------------ */
/* What users may look at                                               */

/* Count paragraphs, one per submission, of lines with up to eight dwords. */
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

TEST_LOOP(driver, command_buffers_are_dumped_when_asked_for, 5)
{
	static const char *const wishes[] = { "ib", "all,ib", "ib,all", "bi",
					      "" };
	static const unsigned expected[] = { 6, 6, 6, 0, 0 };
	struct counter_request asked;
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	void *run;

	ck_assert_ptr_nonnull(file);
	gpu_close();
	setenv("DRMPERF_DEBUG", wishes[_i], 1);
	gpu_open();
	asked = gpu_request("SQ", 4, ALL);
	dup2(fileno(file), STDERR_FILENO);
	run = gpu_begin(&asked, 1);
	gpu_sample(run);
	gpu_end(run);
	dup2(saved, STDERR_FILENO);
	close(saved);
	unsetenv("DRMPERF_DEBUG");
	ck_assert_uint_eq(count_paragraphs(file), expected[_i]);
	fclose(file);
}

TEST_MACHINE("amdgpu_driver", "--gpu",
	     "vega10,copied-registers=work,"
	     "posted-writes=late",
	     "--time", "virtual");
TEST_MACHINE("amdgpu_denied", "--gpu", "vega10,node-mode=0000");

/* hidden on gfx9, but registers that are copied */
TEST_SETTING(DRMPERF_UNTESTED, "EA SDMA MC_VM_L2");
