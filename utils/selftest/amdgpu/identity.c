/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stage 0: what the kernel says of the GPU, against what the tables say.
 */
#include <stdio.h>
#include <string.h>

#include "selftest/amdgpu/kernel.h"
#include "selftest/amdgpu/stages.h"

static void
check_chip(const struct harness *harness)
{
	const struct amd_device_identity *identity =
		&amd_device_info(harness->gpu->dev)->identity;
	const struct chip *chip = &harness->gpu->chip;

	harness_check(harness, SELFTEST_PASS, "chip", "one that chips.xml has",
		      "%s (%s), family %u, revision 0x%x, core %u.%u.%u",
		      chip->name, chip->generation, identity->family,
		      identity->revision, identity->core >> 16 & 0xff,
		      identity->core >> 8 & 0xff, identity->core & 0xff);
}

static void
check_rings(const struct harness *harness)
{
	const struct amd_device_info *info = amd_device_info(harness->gpu->dev);
	const struct core_commands *commands = &harness->gpu->core.commands;
	bool all = info->has_ring[commands->samples] &&
		   info->has_ring[commands->graphics];
	char expected[32];

	snprintf(expected, sizeof(expected), "%s%s%s",
		 pm4_engine_name(commands->samples),
		 commands->samples == commands->graphics ? "" : " and ",
		 commands->samples == commands->graphics
			 ? ""
			 : pm4_engine_name(commands->graphics));
	harness_check(
		harness, all ? SELFTEST_PASS : SELFTEST_FAIL, "rings", expected,
		"%s%s%s", info->has_ring[PM4_ENGINE_GFX] ? "gfx" : "no gfx",
		" and ",
		info->has_ring[PM4_ENGINE_COMPUTE] ? "compute" : "no compute");
}

static void
check_firmware(const struct harness *harness)
{
	const struct amd_device_info *info = amd_device_info(harness->gpu->dev);
	bool all = true;

	for (int i = 0; i < PM4_ENGINES; i++)
		all = all && (!info->has_ring[i] || info->firmware[i]);
	harness_check(harness, all ? SELFTEST_PASS : SELFTEST_UNKNOWN,
		      "firmware", "a version for each ring",
		      "gfx %u, compute %u", info->firmware[PM4_ENGINE_GFX],
		      info->firmware[PM4_ENGINE_COMPUTE]);
}

/*
 * Check the shape: units may be fused off, but not be more than the chip has.
 */
static void
check_shape(const struct harness *harness)
{
	const struct topology *topology = &harness->gpu->topology;
	unsigned most = harness->gpu->chip.cus_per_array * topology->arrays *
			topology_engine_count(topology);
	unsigned units = topology_cu_count(topology);
	bool fits = units && (!most || units <= most);
	char expected[48];

	snprintf(expected, sizeof(expected), "1 to %u compute units", most);
	harness_check(
		harness, fits ? SELFTEST_PASS : SELFTEST_FAIL, "shape",
		most ? expected : "any compute units",
		"%u compute units in %u engines of %u arrays, %u channels",
		units, topology_engine_count(topology), topology->arrays,
		topology_channel_count(topology));
}

static void
check_blocks(const struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	char hidden[160] = "";
	size_t at = 0;

	for (size_t i = 0; i < core->hidden_count && at < sizeof(hidden); i++)
		at += (size_t)snprintf(
			hidden + at, sizeof(hidden) - at, "%s%s",
			i ? " " : ", hidden: ", core->hidden[i].name);
	harness_check(
		harness, core->block_count ? SELFTEST_PASS : SELFTEST_FAIL,
		"blocks", "at least one", "%zu%s", core->block_count, hidden);
}

static void
check_clock(const struct harness *harness)
{
	static const char *const names[] = {
		[STABLE_PSTATE_NONE] = "default",
		[STABLE_PSTATE_STANDARD] = "profiling",
		[STABLE_PSTATE_MIN_SCLK] = "min-engine",
		[STABLE_PSTATE_MIN_MCLK] = "min-memory",
		[STABLE_PSTATE_PEAK] = "peak",
	};
	enum stable_pstate clock;
	int ret = amd_context_get_pstate(harness->ctx, &clock);

	if (ret)
		harness_check(harness, SELFTEST_UNKNOWN, "clock-mode",
			      "default", "the kernel does not tell: %s",
			      strerrordesc_np(-ret));
	else
		harness_check(
			harness, harness_answer(clock == STABLE_PSTATE_NONE),
			"clock-mode", "default", "%s, engine at %u MHz",
			names[clock], amd_device_engine_mhz(harness->gpu->dev));
}

int
stage_identity(struct harness *harness)
{
	check_chip(harness);
	check_rings(harness);
	check_firmware(harness);
	check_shape(harness);
	check_blocks(harness);
	check_clock(harness);
	kernel_check_settings(harness);
	return 0;
}
