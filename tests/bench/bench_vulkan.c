/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What samples of VK_AMD_gpa_interface cost a program: how much longer a queue
 * is busy with empty dispatches if there is a cumulative sample around each. On
 * lavapipe, with a simulated Vega 10: both have their part in it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/bench/row.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"
#include "tests/vulkan/world.h"

#define RUNS_MAX 21
#define SAMPLES_MAX 20

static struct world world;
static unsigned runs = RUNS_MAX;
static uint32_t samples = SAMPLES_MAX;

/* ------------------------------------------------------------------ */
/* One command buffer                                                   */

struct load {
	const VkGpaPerfCounterAMD *counters; /* NULL: no samples */
	uint32_t counter_count;
	uint32_t dispatches;
};

static void
record_sample(const struct load *load, VkCommandBuffer commands,
	      VkGpaSessionAMD session)
{
	const uint32_t id = world_sample(&world, commands, session,
					 load->counters, load->counter_count);

	world_dispatch(&world, commands, 1);
	world.CmdEndGpaSample(commands, session, id);
}

static void
record_load(const struct load *load, VkCommandBuffer commands,
	    VkGpaSessionAMD session)
{
	if (!load->counters) {
		for (uint32_t i = 0; i < load->dispatches; i++)
			world_dispatch(&world, commands, 1);
		return;
	}
	ck_assert_int_eq(world.CmdBeginGpaSession(commands, session),
			 VK_SUCCESS);
	for (uint32_t i = 0; i < load->dispatches; i++)
		record_sample(load, commands, session);
	ck_assert_int_eq(world.CmdEndGpaSession(commands, session), VK_SUCCESS);
}

/* Return how long its queue has it, submission included. */
static double
run_us(const struct load *load)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	double before, after;

	record_load(load, commands, session);
	before = bench_ms();
	world_run(&world, commands);
	after = bench_ms();
	if (load->counters)
		ck_assert_int_eq(
			world.GetGpaSessionStatus(world.device, session),
			VK_SUCCESS);
	world_destroy_session(&world, session);
	vkFreeCommandBuffers(world.device, world.pool, 1, &commands);
	return (after - before) * 1000;
}

static double
median_us(struct load load, uint32_t dispatches)
{
	double us[RUNS_MAX];

	load.dispatches = dispatches;
	for (unsigned i = 0; i < runs; i++)
		us[i] = run_us(&load);
	return bench_median(us, runs);
}

/* ------------------------------------------------------------------ */
/* What samples add                                                     */

static void
print_us(const char *what, double us)
{
	row_print(what, us > 0 ? us : 0, "us", (struct row_goal){ 0 });
}

/* Return the cost of that many samples, beyond the dispatches. */
static double
cost_us(const struct load *load, uint32_t count)
{
	const struct load bare = { 0 };

	return median_us(*load, count) - median_us(bare, count);
}

static void
measure_samples(const char *counters, const struct load *load)
{
	const double first = cost_us(load, 1);
	const double each = (cost_us(load, samples) - first) / (samples - 1);
	char what[80];

	snprintf(what, sizeof(what), "Vulkan, a submission with samples, %s",
		 counters);
	print_us(what, first - each);
	snprintf(what, sizeof(what), "Vulkan, each of its samples, %s",
		 counters);
	print_us(what, each);
}

/* Two events of the SQ in each shader engine; waves of one come first. */
static const VkGpaPerfCounterAMD counters[] = {
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 0, 4 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 1, 4 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 2, 4 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 3, 4 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 0, 14 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 1, 14 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 2, 14 },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 3, 14 },
};

TEST_CASE(samples, NULL, NULL, "samples");

TEST(samples, samples_cost)
{
	const struct load one = { counters, 1, 0 }, all = { counters, 8, 0 };

	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	world_open(&world, VK_QUEUE_COMPUTE_BIT, 0);
	/* what is made once */
	run_us(&(struct load){ counters, 8, 1 });
	measure_samples("1 counter", &one);
	measure_samples("8 counters", &all);
	world_end(&world);
}

/* ------------------------------------------------------------------ */

static const struct machine machine = {
	(const char *const[]){ "--strict", "--gpu", "vega10", NULL }, "samples"
};

int
main(void)
{
	if (!drmsim_is_present()) {
		world_set_environment();
		setenv("DRMPERF_GPU", "0", 1);
		return below_drmsim(&machine, 1);
	}
	if (bench_is_short()) {
		runs = 1;
		samples = 2;
	}
	return tests_run();
}
