/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 7: an event of each block is counted by the library and sampled 100
 * times in a second, while other processes compute (work.c).
 */
#include <errno.h>
#include <stdio.h>

#include "base/monotonic.h"
#include "selftest/amdgpu/counted.h"
#include "selftest/amdgpu/dies.h"
#include "selftest/amdgpu/kernel.h"
#include "selftest/amdgpu/stages.h"
#include "selftest/amdgpu/steering.h"

#define NAME "load.samples"
#define SAMPLES_PER_SECOND 100u
#define PERIOD_NS UINT64_C(10000000)

/* Samples between two progress reports to the waiting caller. */
#define SAMPLES_PER_WORD 1000u

static void
add_block(struct counted *counted, size_t index)
{
	const struct harness *harness = counted->harness;
	const struct core *core = &harness->gpu->core;
	uint32_t end = UINT32_C(1) << core->blocks[index].id_bits;

	for (uint32_t id = 1; id < end; id++) {
		if (!core_event_name(core, index, id, harness->arena))
			continue;
		counted_add_id(counted, index, id);
		return;
	}
}

static void
sleep_until(uint64_t ns)
{
	uint64_t now = monotonic_ns();

	if (now < ns)
		harness_wait(ns - now);
}

static int
sample_all(struct counted *counted, const char *expected, unsigned *taken)
{
	unsigned samples =
		counted->harness->memory->seconds * SAMPLES_PER_SECOND;
	uint64_t start = monotonic_ns();
	int ret = 0;

	for (unsigned i = 0; !ret && i < samples; i++) {
		/* what is late is not made up for */
		if (i && monotonic_ns() > start + (i + 1) * PERIOD_NS)
			continue;
		if (*taken % SAMPLES_PER_WORD == 0)
			ret = harness_announce(counted->harness, NAME, expected,
					       "samples of all blocks");
		sleep_until(start + i * PERIOD_NS);
		if (!ret && counted_sample(counted))
			return -EIO;
		(*taken)++;
	}
	return ret;
}

static int
explain_failed(struct counted *counted, const char *expected, unsigned taken)
{
	struct harness *harness = counted->harness;
	bool reset = counted_was_reset(counted);
	const char *cause = reset ? "the GPU was reset" : counted->error.cause;

	harness_check(harness, SELFTEST_FAIL, NAME, expected,
		      "after %u samples: %s", taken, cause);
	return reset ? error_set(harness->error, -ECANCELED, "%s", cause) : 0;
}

static int
load_count(struct counted *counted, const char *expected)
{
	unsigned taken = 0;
	int ret;

	if (counted_start(counted))
		return explain_failed(counted, expected, taken);
	ret = sample_all(counted, expected, &taken);
	if (ret == -EIO)
		return explain_failed(counted, expected, taken);
	if (!ret)
		harness_check(counted->harness, SELFTEST_PASS, NAME, expected,
			      "%u samples, none failed", taken);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Longer than the kernel's patience                                    */

#define LONG "load.long"

/* Samples that were taken while the command ran. */
struct company {
	unsigned samples;
	uint64_t longest_ns, lasted_ns;
};

/*
 * Sample while the command runs. Returns 0 if it has ended by itself, or has
 * had its time; 1 if there is none, or it has failed, for the reason *why.
 */
static int
sample_during_command(struct counted *counted, struct company *company,
		      const char **why)
{
	const struct selftest_host *host = counted->harness->host;
	uint64_t most = harness_beside_ns(counted->harness);
	uint64_t start = monotonic_ns(), before;
	int ret = host->beside(host->data, SELFTEST_BESIDE_BEGIN);

	while (!ret) {
		before = monotonic_ns();
		if (counted_sample(counted)) {
			ret = -EIO;
			break;
		}
		company->samples++;
		if (monotonic_ns() - before > company->longest_ns)
			company->longest_ns = monotonic_ns() - before;
		ret = host->beside(host->data, SELFTEST_BESIDE_LOOK);
		if (ret != 1)
			break;
		ret = monotonic_ns() - start > most ? -ETIMEDOUT : 0;
		harness_wait(PERIOD_NS);
	}
	company->lasted_ns = monotonic_ns() - start;
	host->beside(host->data, SELFTEST_BESIDE_END);
	if (!ret || ret == -ETIMEDOUT || ret == -EIO)
		return ret == -EIO ? ret : 0;
	*why = ret == -ENOSYS ? "no command was given: see --beside"
			      : "the command of --beside has failed";
	return 1;
}

static int
judge_long(struct counted *counted, const char *expected, unsigned timeout_ms)
{
	struct harness *harness = counted->harness;
	struct company company = { 0 };
	const char *why = NULL;
	int ret = counted_start(counted) ? -EIO : 0;

	if (!ret)
		ret = sample_during_command(counted, &company, &why);
	if (ret == -EIO) {
		bool reset = counted_was_reset(counted);
		const char *cause =
			reset ? "the GPU was reset" : counted->error.cause;

		harness_check(harness, SELFTEST_FAIL, LONG, expected,
			      "after %u samples: %s", company.samples, cause);
		return reset ? error_set(harness->error, -ECANCELED, "%s",
					 cause)
			     : 0;
	}
	if (ret)
		harness_check(harness, SELFTEST_UNKNOWN, LONG, expected, "%s",
			      why);
	else
		harness_check(harness,
			      company.lasted_ns / 1000000 > timeout_ms
				      ? SELFTEST_PASS
				      : SELFTEST_UNKNOWN,
			      LONG, expected,
			      "%u samples in %.1f s, the longest took %.3f s",
			      company.samples, (double)company.lasted_ns / 1e9,
			      (double)company.longest_ns / 1e9);
	return 0;
}

/*
 * Work by way of KFD has no time limit, but samples that wait behind it have:
 * the kernel then resets the ring by their fault.
 */
static int
try_long(struct harness *harness)
{
	unsigned timeout_ms = kernel_job_timeout_ms(harness);
	struct counted counted;
	char expected[96];
	int ret;

	snprintf(expected, sizeof(expected),
		 "samples come beside work longer than the job timeout, %u ms",
		 timeout_ms);
	ret = harness_announce(harness, LONG, expected,
			       "samples beside the command of --beside");
	if (ret)
		return ret;
	counted_init(&counted, harness);
	add_block(&counted, 0);
	ret = judge_long(&counted, expected, timeout_ms);
	counted_finish(&counted);
	return ret;
}

/* ------------------------------------------------------------------ */

int
stage_load(struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	struct counted counted;
	char expected[80];
	int ret;

	if (!stage_may_count(harness))
		return 0;
	ret = dies_choose(harness);
	if (ret)
		return ret < 0 ? ret : 0;
	counted_init(&counted, harness);
	for (size_t i = 0; i < core->block_count; i++)
		add_block(&counted, i);
	snprintf(expected, sizeof(expected),
		 "%zu blocks sampled for %u s beside other work", counted.count,
		 harness->memory->seconds);
	ret = harness_announce(harness, NAME, expected, "counting begins");
	if (!ret)
		ret = load_count(&counted, expected);
	counted_finish(&counted);
	if (ret >= 0)
		ret = steering_try_kernel(harness);
	if (ret >= 0)
		ret = try_long(harness);
	return ret < 0 ? ret : 0;
}
