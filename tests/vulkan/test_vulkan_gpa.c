/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence: devices, their properties and
 * clocks. On lavapipe, which DRMPERF_GPU lends a simulated GPU in virtual
 * time, and on radv with a simulated GPU of its own. Comments in quotes are
 * the extension's words.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

static void
read_features(VkPhysicalDeviceGpaFeaturesAMD *features)
{
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = features,
	};

	memset(features, 0xff, sizeof(*features));
	features->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD;
	features->pNext = NULL;
	vkGetPhysicalDeviceFeatures2(world.physical, &all);
}

static void
read_properties(VkPhysicalDeviceGpaPropertiesAMD *properties,
		VkPhysicalDeviceGpaProperties2AMD *revision)
{
	VkPhysicalDeviceProperties2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = properties,
	};

	properties->sType =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD;
	properties->pNext = revision;
	revision->sType =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_2_AMD;
	vkGetPhysicalDeviceProperties2(world.physical, &all);
}

/* ------------------------------------------------------------------ */
/* 3.8, 3.9: properties and features                                    */

TEST_CASE(lavapipe, open_lavapipe, close_world, "vulkan_lavapipe");
TEST_CASE(radv, open_radv, close_world, "vulkan_radv");

/* "Device supports ..." */
TEST(lavapipe, features_are_told)
{
	VkPhysicalDeviceGpaFeaturesAMD features;

	read_features(&features);
	ck_assert_uint_eq(features.perfCounters, VK_TRUE);
	ck_assert_uint_eq(features.clockModes, VK_TRUE);
	ck_assert_uint_eq(features.streamingPerfCounters, VK_FALSE);
	ck_assert_uint_eq(features.sqThreadTracing, VK_FALSE);
}
TEST_ALSO(radv, features_are_told, 1);

/* "... if pPerfBlocks is NULL the number of available device blocks." */
TEST(lavapipe, block_count_is_told_without_an_array)
{
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0xffff };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount = 0 };

	read_properties(&properties, &revision);
	ck_assert_uint_gt(properties.perfBlockCount, 10);
	/* "Number of shader engines." */
	ck_assert_uint_eq(properties.shaderEngineCount, 4);
	/* "Reserved for future use." */
	ck_assert_uint_eq(properties.flags, 0);
	ck_assert_uint_eq(properties.maxSqttSeBufferSize, 0);
	/* "GPU revision ID", which drmsim has been told */
	ck_assert_uint_eq(revision.revisionId, 0xc1);
}

static const VkGpaPerfBlockPropertiesAMD *
block_of(const VkGpaPerfBlockPropertiesAMD *blocks, uint32_t count,
	 VkGpaPerfBlockAMD type)
{
	uint32_t i = 0;

	while (i < count && blocks[i].blockType != type)
		i++;
	ck_assert_uint_lt(i, count);
	return &blocks[i];
}

/* "Array containing available device blocks ..." */
TEST(lavapipe, blocks_are_told)
{
	VkGpaPerfBlockPropertiesAMD blocks[MOST_BLOCKS];
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0 };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount =
								MOST_BLOCKS,
							.pPerfBlocks = blocks };
	const VkGpaPerfBlockPropertiesAMD *block;

	read_properties(&properties, &revision);
	ck_assert_uint_lt(properties.perfBlockCount, MOST_BLOCKS);
	block = block_of(blocks, properties.perfBlockCount,
			 VK_GPA_PERF_BLOCK_SQ_AMD);
	ck_assert_uint_eq(block->flags, 0);
	ck_assert_uint_eq(block->instanceCount, 4);
	ck_assert_uint_eq(block->maxEventID, 373);
	ck_assert_uint_eq(block->maxGlobalSharedCounters, 8);
	ck_assert_uint_eq(block->maxStreamingCounters, 0);
	block = block_of(blocks, properties.perfBlockCount,
			 VK_GPA_PERF_BLOCK_TCC_AMD);
	ck_assert_uint_eq(block->instanceCount, 16);
	ck_assert_uint_eq(block->maxGlobalSharedCounters, 4);
	for (uint32_t i = 0; i < properties.perfBlockCount; i++)
		ck_assert_ptr_eq(block_of(blocks, properties.perfBlockCount,
					  blocks[i].blockType),
				 &blocks[i]);
}
TEST_ALSO(radv, blocks_are_told, 1);

/* "The size of the pPerfBlocks array": no more are written. */
TEST(lavapipe, short_arrays_of_blocks_are_kept)
{
	VkGpaPerfBlockPropertiesAMD blocks[3] = { [2] = { .maxEventID =
								  4711 } };
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0 };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount = 2,
							.pPerfBlocks = blocks };

	read_properties(&properties, &revision);
	ck_assert_uint_eq(properties.perfBlockCount, 2);
	ck_assert_uint_ne(blocks[1].maxEventID, 0);
	ck_assert_uint_eq(blocks[2].maxEventID, 4711);
}

/* ------------------------------------------------------------------ */
/* 3.3: clocks                                                          */

static VkResult
set_mode(VkGpaDeviceClockModeAMD mode, VkGpaDeviceClockModeInfoAMD *info)
{
	*info = (VkGpaDeviceClockModeInfoAMD){
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_CLOCK_MODE_INFO_AMD,
		.clockMode = mode,
		.memoryClockRatioToPeak = -1,
		.engineClockRatioToPeak = -1,
	};
	return world.SetGpaDeviceClockMode(world.device, info);
}

/* "Queries the current clock values only." */
TEST(lavapipe, clock_mode_query_tells_ratios)
{
	VkGpaDeviceClockModeInfoAMD info;
	VkGpaDeviceGetClockInfoAMD clocks = read_clocks();

	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_QUERY_AMD, &info));
	ck_assert(info.engineClockRatioToPeak > 0 &&
		  info.engineClockRatioToPeak <= 1);
	ck_assert(info.memoryClockRatioToPeak > 0 &&
		  info.memoryClockRatioToPeak <= 1);
	ck_assert(clocks.engineClockRatioToPeak == info.engineClockRatioToPeak);
	ck_assert(clocks.memoryClockRatioToPeak == info.memoryClockRatioToPeak);
	ck_assert_uint_gt(clocks.engineClockFrequency, 0);
	ck_assert_uint_gt(clocks.memoryClockFrequency, 0);
}

/* "Clocks set to maximum when possible", "lowest available level". */
TEST(lavapipe, clock_modes_are_set)
{
	VkGpaDeviceClockModeInfoAMD info;
	VkGpaDeviceGetClockInfoAMD peak, least;

	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_PEAK_AMD, &info));
	/* "if clockMode is ..._QUERY_AMD, returns the ratio": else not */
	ck_assert(info.engineClockRatioToPeak == -1);
	peak = read_clocks();
	ck_assert(peak.engineClockRatioToPeak == 1);
	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_MIN_ENGINE_AMD, &info));
	least = read_clocks();
	ck_assert_uint_lt(least.engineClockFrequency,
			  peak.engineClockFrequency);
	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_MIN_MEMORY_AMD, &info));
	least = read_clocks();
	ck_assert_uint_lt(least.memoryClockFrequency,
			  peak.memoryClockFrequency);
	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD, &info));
	must_succeed(set_mode(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD, &info));
}

TEST(lavapipe, unknown_clock_modes_are_refused)
{
	VkGpaDeviceClockModeInfoAMD info;

	ck_assert_int_eq(set_mode((VkGpaDeviceClockModeAMD)6, &info),
			 VK_ERROR_VALIDATION_FAILED_EXT);
}

/* ------------------------------------------------------------------ */
/* Devices                                                              */

static VkResult
try_device(const void *features, bool has_extension)
{
	static const char *const extensions[] = {
		VK_AMD_GPA_INTERFACE_EXTENSION_NAME
	};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = has_extension,
		.ppEnabledExtensionNames = extensions,
	};
	VkDevice device;
	VkResult result = vkCreateDevice(world.physical, &info, NULL, &device);

	if (result != VK_SUCCESS)
		return result;
	if (!has_extension)
		ck_assert(
			!vkGetDeviceProcAddr(device, "vkCreateGpaSessionAMD"));
	vkDestroyDevice(device, NULL);
	return result;
}

/* A feature that is not there cannot be enabled. */
TEST(lavapipe, missing_features_are_refused)
{
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.streamingPerfCounters = VK_TRUE,
	};

	ck_assert_int_eq(try_device(&features, true),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	features.streamingPerfCounters = VK_FALSE;
	features.sqThreadTracing = VK_TRUE;
	ck_assert_int_eq(try_device(&features, true),
			 VK_ERROR_FEATURE_NOT_PRESENT);
}

/* The driver does not see them, wherever they stand, and none loses them. */
TEST(lavapipe, features_are_taken_out_of_the_chain)
{
	VkPhysicalDeviceMultiviewFeatures last = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
	};
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.pNext = &last,
		.perfCounters = VK_TRUE,
	};
	VkPhysicalDeviceFeatures2 first = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features,
	};

	/* the validation layer complains if it finds it */
	must_succeed(try_device(&first, true));
	ck_assert_ptr_eq(first.pNext, &features);
	ck_assert_ptr_eq(features.pNext, &last);
}

TEST_CASE(names, NULL, NULL, "vulkan_lavapipe");

/* Then it stays: drivers skip what they do not know. */
TEST(names, chains_may_be_constant)
{
	static const VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.perfCounters = VK_TRUE,
	};
	static const VkPhysicalDeviceFeatures2 first = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = (void *)&features,
	};

	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	must_succeed(try_device(&first, true));
	world_end(&world);
}

/* A program that does not enable the extension does not get it. */
TEST(lavapipe, devices_without_the_extension_lack_its_commands)
{
	must_succeed(try_device(NULL, false));
	must_succeed(try_device(NULL, true));
}

/* ------------------------------------------------------------------ */
/* Which GPU serves                                                     */

/* A driver that tells no address is served if DRMPERF_GPU says by which. */
static const struct {
	const char *gpu; /* NULL: not set */
	bool is_served;
} names[] = {
	{ NULL, false },     { "", false },
	{ "0", true },	     { "1", true },
	{ "2", false },	     { "0000:03:00.0", true },
	{ "03:00.0", true }, { "0000:44:00.0", false },
	{ "vega10", false },
};

TEST_LOOP(names, gpus_are_named, ARRAY_SIZE(names))
{
	if (names[_i].gpu)
		setenv("DRMPERF_GPU", names[_i].gpu, 1);
	else
		unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	ck_assert_int_eq(world_has_extension(&world), names[_i].is_served);
	world_end(&world);
}

TEST_CASE(intel, NULL, NULL, "vulkan_intel");

/* A GPU that has no such blocks serves none. */
TEST(intel, other_gpus_are_left_alone)
{
	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	ck_assert(!world_has_extension(&world));
	ck_assert_int_eq(try_device(NULL, true),
			 VK_ERROR_EXTENSION_NOT_PRESENT);
	world_end(&world);
}

TEST_MACHINE("vulkan_lavapipe", "--strict", "--time", "virtual", "--gpu",
	     "vega10,revision=0xc1", "--gpu", "vega10");
TEST_MACHINE("vulkan_radv", "--strict", "--gpu", "vega10");
TEST_MACHINE("vulkan_intel", "--strict", "--time", "virtual", "--gpu", "skl");
