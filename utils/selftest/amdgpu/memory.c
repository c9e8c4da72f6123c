/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 1: a command buffer that does nothing, one that stores a value, and
 * the GPU's clock against the CPU's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/stages.h"

#define STORED 0x600dda7au

/* Reads of both clocks; the closest pair counts. */
#define LOOKS 4
#define FIRST_WAIT_NS UINT64_C(40000000)
#define LAST_WAIT_NS UINT64_C(2560000000)

/* Command buffers that ask the dies which of them takes commands. */
#define QUESTIONS 16

/* ------------------------------------------------------------------ */

static void
write_nothing(struct pm4 *pm4, const struct core *core, uint64_t results,
	      const void *data)
{
	(void)core, (void)results, (void)data;
	pm4_nop(pm4);
}

static void
write_store(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	(void)core, (void)data;
	pm4_store(pm4, STORED, results);
}

static int
try_nothing(struct harness *harness, enum pm4_engine engine)
{
	char name[HARNESS_NAME_SIZE];
	const struct experiment experiment = {
		.check = harness_name(name, engine, "nop"),
		.expected = "the fence comes",
		.what = "a packet that does nothing",
		.engine = engine,
		.write = write_nothing,
	};
	uint32_t none;
	int ret = harness_run(harness, &experiment, &none);

	if (!ret)
		harness_check(harness, SELFTEST_PASS, name, experiment.expected,
			      "it came");
	return ret;
}

static int
try_store(struct harness *harness, enum pm4_engine engine)
{
	char name[HARNESS_NAME_SIZE], expected[16];
	const struct experiment experiment = {
		.check = harness_name(name, engine, "store"),
		.expected = expected,
		.what = "a value stored in memory",
		.engine = engine,
		.write = write_store,
		.results = 1,
	};
	uint32_t seen;
	int ret;

	snprintf(expected, sizeof(expected), "0x%x", STORED);
	ret = harness_run(harness, &experiment, &seen);
	if (!ret)
		harness_check(harness,
			      seen == STORED ? SELFTEST_PASS : SELFTEST_FAIL,
			      name, expected, "0x%" PRIx32, seen);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The clock                                                            */

/* A moment of the GPU's clock, and between which two of the CPU's it was. */
struct look {
	uint64_t ticks;
	struct clock_moments moments;
};

static uint64_t
look_width(const struct look *look)
{
	return look->moments.after_ns - look->moments.before_ns;
}

static void
write_timestamp(struct pm4 *pm4, const struct core *core, uint64_t results,
		const void *data)
{
	(void)core, (void)data;
	pm4_copy_timestamp(pm4, results);
}

static int
read_shortest(struct harness *harness, const struct experiment *experiment,
	      struct look *out)
{
	uint32_t half[2];
	struct look look;
	int ret = 0;

	for (int i = 0; !ret && i < LOOKS; i++) {
		ret = harness_run_timed(harness, experiment, half,
					&look.moments);
		look.ticks = (uint64_t)half[1] << 32 | half[0];
		if (!ret && (!i || look_width(&look) < look_width(out)))
			*out = look;
	}
	return ret;
}

static struct clock_error
looks_compare(const struct harness *harness, const struct look *first,
	      const struct look *last)
{
	double khz = amd_context_info(harness->ctx)->timestamp_khz;
	double ns = (double)(last->ticks - first->ticks) / khz * 1e6;

	return clock_compare(ns, &first->moments, &last->moments);
}

static void
check_clock(const struct harness *harness, const char *name,
	    const char *expected, const struct clock_error *error)
{
	harness_check(harness, clock_verdict(error), name, expected,
		      "wrong by %.3f %%, known to %.3f %%", error->wrong * 100,
		      error->unsure * 100);
}

static int
try_clock(struct harness *harness, enum pm4_engine engine)
{
	char name[HARNESS_NAME_SIZE], expected[64];
	const struct experiment experiment = {
		.check = harness_name(name, engine, "clock"),
		.expected = expected,
		.what = "the GPU's clock",
		.engine = engine,
		.write = write_timestamp,
		.results = 2,
	};
	uint32_t khz = amd_context_info(harness->ctx)->timestamp_khz;
	struct clock_error error = { .unsure = 1 };
	struct look first = { 0 }, last = { 0 };
	int ret;

	snprintf(expected, sizeof(expected), "%" PRIu32 " kHz within %.1f %%",
		 khz, CLOCK_MOST_WRONG * 100);
	ret = read_shortest(harness, &experiment, &first);
	for (uint64_t ns = FIRST_WAIT_NS;
	     !ret && error.unsure > CLOCK_MOST_WRONG && ns <= LAST_WAIT_NS;
	     ns *= 2) {
		harness_wait(ns);
		ret = read_shortest(harness, &experiment, &last);
		if (!ret && khz)
			error = looks_compare(harness, &first, &last);
	}
	if (!ret && khz)
		check_clock(harness, name, expected, &error);
	else if (!ret)
		harness_check(harness, SELFTEST_UNKNOWN, name,
			      "a known frequency",
			      "the kernel does not tell it");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Dies                                                                 */

static int
try_dies(struct harness *harness, enum pm4_engine engine)
{
	uint32_t answers, all = 0;
	unsigned others = 0;
	int ret = 0;

	for (int i = 0; !ret && i < QUESTIONS; i++) {
		ret = dies_ask(harness, "dies.answer", engine, &answers);
		others += __builtin_popcount(answers) != 1;
		all |= answers;
	}
	if (ret)
		return ret;
	harness_check(harness, others ? SELFTEST_FAIL : SELFTEST_PASS,
		      "dies.answer", "one die takes each command buffer",
		      "in %u of %u it was none or several", others, QUESTIONS);
	harness_check(harness, harness_answer(__builtin_popcount(all) == 1),
		      "dies.same", "the same die takes them all",
		      "those of mask 0x%" PRIx32 " did", all);
	return 0;
}

/* ------------------------------------------------------------------ */

static int
try_ring(struct harness *harness, enum pm4_engine engine)
{
	int ret = try_nothing(harness, engine);

	if (!ret)
		ret = try_store(harness, engine);
	if (!ret)
		ret = try_clock(harness, engine);
	return ret;
}

int
stage_memory(struct harness *harness)
{
	const struct amd_device_info *info = amd_context_info(harness->ctx);
	static const enum pm4_engine engines[] = { PM4_ENGINE_COMPUTE,
						   PM4_ENGINE_GFX };
	int ret = 0;

	for (int i = 0; ret >= 0 && i < PM4_ENGINES; i++) {
		/* compute first: it does not delay the screen's work */
		if (info->has_ring[engines[i]])
			ret = try_ring(harness, engines[i]);
	}
	if (ret >= 0 && harness->gpu->core.xccs > 1)
		ret = try_dies(harness, info->engine);
	return ret < 0 ? ret : 0;
}
