/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 7: an event of each block is counted by the library and sampled 100
 * times in a second, while other processes compute (work.c).
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/monotonic.h"
#include "driver/amdgpu/selftest/counted.h"
#include "driver/amdgpu/selftest/dies.h"
#include "driver/amdgpu/selftest/stages.h"

#define NAME "load.samples"
#define SAMPLES_PER_SECOND 100u
#define PERIOD_NS UINT64_C(10000000)

/* So often, who waits hears that it goes on. */
#define SAMPLES_PER_WORD 1000u

static void
add_block(struct counted *counted, size_t index)
{
	const struct bench *bench = counted->bench;
	const struct core *core = &bench->gpu->core;
	uint32_t end = UINT32_C(1) << core->blocks[index].id_bits;

	for (uint32_t id = 1; id < end; id++) {
		if (!core_event_name(core, index, id, bench->arena))
			continue;
		counted_add_id(counted, index, id);
		return;
	}
}

static void
wait_until(uint64_t ns)
{
	uint64_t now = monotonic_ns();

	if (now < ns)
		bench_wait(ns - now);
}

static int
sample_all(struct counted *counted, const char *expected, unsigned *taken)
{
	unsigned samples = counted->bench->memory->seconds * SAMPLES_PER_SECOND;
	uint64_t start = monotonic_ns();
	int ret = 0;

	for (unsigned i = 0; !ret && i < samples; i++) {
		/* what is late is not made up for */
		if (i && monotonic_ns() > start + (i + 1) * PERIOD_NS)
			continue;
		if (*taken % SAMPLES_PER_WORD == 0)
			ret = bench_announce(counted->bench, NAME, expected,
					     "samples of all blocks");
		wait_until(start + i * PERIOD_NS);
		if (!ret && counted_sample(counted))
			return -EIO;
		(*taken)++;
	}
	return ret;
}

static int
say_failed(struct counted *counted, const char *expected, unsigned taken)
{
	struct bench *bench = counted->bench;
	bool reset = counted_was_reset(counted);
	const char *cause = reset ? "the GPU was reset" : counted->error.cause;

	bench_claim(bench, SELFTEST_FAIL, NAME, expected,
		    "after %u samples: %s", taken, cause);
	return reset ? error_set(bench->error, -ECANCELED, "%s", cause) : 0;
}

static int
count(struct counted *counted, const char *expected)
{
	unsigned taken = 0;
	int ret;

	if (counted_start(counted))
		return say_failed(counted, expected, taken);
	ret = sample_all(counted, expected, &taken);
	if (ret == -EIO)
		return say_failed(counted, expected, taken);
	if (!ret)
		bench_claim(counted->bench, SELFTEST_PASS, NAME, expected,
			    "%u samples, none failed", taken);
	return ret;
}

int
stage_load(struct bench *bench)
{
	const struct core *core = &bench->gpu->core;
	struct counted counted;
	char expected[80];
	int ret;

	if (!stage_may_count(bench))
		return 0;
	ret = dies_choose(bench);
	if (ret)
		return ret < 0 ? ret : 0;
	counted_init(&counted, bench);
	for (size_t i = 0; i < core->block_count; i++)
		add_block(&counted, i);
	snprintf(expected, sizeof(expected),
		 "%zu blocks sampled for %u s beside other work", counted.count,
		 bench->memory->seconds);
	ret = bench_announce(bench, NAME, expected, "counting begins");
	if (!ret)
		ret = count(&counted, expected);
	counted_finish(&counted);
	return ret < 0 ? ret : 0;
}
