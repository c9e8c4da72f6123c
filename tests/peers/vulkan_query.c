/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Vulkan program for the test of radv: has the driver count with
 * VK_KHR_performance_query around dispatches of an empty compute shader with
 * 64 threads per work group, in as many passes as the driver asks for.
 *
 * usage: vulkan_query GROUPS DISPATCHES COUNTER...
 *
 * COUNTER is a name as the driver gives it ("Waves"). Writes the device's
 * name, then a line "COUNTER: VALUE" for each. Ends as vulkan_dispatch does.
 */
#include "tests/peers/vulkan_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNTERS 16
#define MAX_LISTED 256

/* Vulkan's names, where they do not fit on a line */
#define TYPE_COUNTER VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR
#define TYPE_DESCRIPTION VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR
#define TYPE_POOL VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR
#define TYPE_SUBMIT VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR
#define TYPE_FEATURES                                                          \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR
#define TYPE_LOCK VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR
#define ENUMERATE                                                              \
	"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR"
#define COUNT_PASSES "vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR"
typedef PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR
	enumerate_fn;
typedef PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR
	count_passes_fn;
typedef VkPhysicalDevicePerformanceQueryFeaturesKHR query_features;

struct counters {
	uint32_t count;
	uint32_t index[MAX_COUNTERS];
	VkPerformanceCounterStorageKHR storage[MAX_COUNTERS];
	char *const *names;
};

static PFN_vkVoidFunction
extension_function(const struct vulkan_program *program, const char *name)
{
	PFN_vkVoidFunction function =
		vkGetInstanceProcAddr(program->instance, name);

	if (!function)
		exit(2);
	return function;
}

static void
find_counters(const struct vulkan_program *program, struct counters *counters)
{
	static VkPerformanceCounterKHR listed[MAX_LISTED];
	static VkPerformanceCounterDescriptionKHR texts[MAX_LISTED];
	enumerate_fn enumerate =
		(enumerate_fn)extension_function(program, ENUMERATE);
	uint32_t count = MAX_LISTED;
	uint32_t i, j;

	for (i = 0; i < MAX_LISTED; i++) {
		listed[i].sType = TYPE_COUNTER;
		texts[i].sType = TYPE_DESCRIPTION;
	}
	vulkan_check("counters", enumerate(program->gpu, program->family,
					   &count, listed, texts));
	for (i = 0; i < counters->count; i++) {
		for (j = 0; j < count; j++)
			if (strcmp(texts[j].name, counters->names[i]) == 0)
				break;
		if (j == count) {
			fprintf(stderr, "%s: no such counter\n",
				counters->names[i]);
			exit(1);
		}
		counters->index[i] = j;
		counters->storage[i] = listed[j].storage;
	}
}

static VkQueryPool
create_pool(const struct vulkan_program *program,
	    const struct counters *counters, uint32_t *passes)
{
	VkQueryPoolPerformanceCreateInfoKHR performance = {
		.sType = TYPE_POOL,
		.queueFamilyIndex = program->family,
		.counterIndexCount = counters->count,
		.pCounterIndices = counters->index,
	};
	VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &performance,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = 1,
	};
	count_passes_fn count_passes =
		(count_passes_fn)extension_function(program, COUNT_PASSES);
	VkQueryPool pool;

	count_passes(program->gpu, &performance, passes);
	vulkan_check("vkCreateQueryPool",
		     vkCreateQueryPool(program->device, &info, NULL, &pool));
	return pool;
}

static void
submit_passes(const struct vulkan_program *program, uint32_t passes)
{
	uint32_t pass;

	for (pass = 0; pass < passes; pass++) {
		VkPerformanceQuerySubmitInfoKHR which = {
			.sType = TYPE_SUBMIT,
			.counterPassIndex = pass,
		};

		vulkan_submit(program, &which);
	}
}

static void
print_results(const struct counters *counters,
	      const VkPerformanceCounterResultKHR *results)
{
	uint32_t i;

	for (i = 0; i < counters->count; i++) {
		printf("%s: ", counters->names[i]);
		switch (counters->storage[i]) {
		case VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR:
			printf("%.3f\n", results[i].float64);
			break;
		case VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR:
			printf("%" PRIu64 "\n", results[i].uint64);
			break;
		default:
			printf("?\n");
			break;
		}
	}
}

int
main(int argc, char **argv)
{
	static const char *const extensions[] = {
		VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME,
	};
	query_features feature = {
		.sType = TYPE_FEATURES,
		.performanceCounterQueryPools = VK_TRUE,
	};
	VkAcquireProfilingLockInfoKHR lock = {
		.sType = TYPE_LOCK,
		.timeout = UINT64_MAX,
	};
	VkPerformanceCounterResultKHR results[MAX_COUNTERS] = { 0 };
	struct vulkan_program program;
	struct counters counters = { 0 };
	VkQueryPool pool;
	uint32_t passes;

	if (argc < 4 || argc - 3 > MAX_COUNTERS) {
		fprintf(stderr, "usage: vulkan_query GROUPS DISPATCHES "
				"COUNTER...\n");
		return 1;
	}
	counters.count = (uint32_t)argc - 3;
	counters.names = argv + 3;
	vulkan_create(&program, extensions, 1, &feature);
	find_counters(&program, &counters);
	pool = create_pool(&program, &counters, &passes);
	vulkan_check("vkAcquireProfilingLockKHR",
		     ((PFN_vkAcquireProfilingLockKHR)extension_function(
			     &program, "vkAcquireProfilingLockKHR"))(
			     program.device, &lock));
	vulkan_begin(&program);
	vkCmdResetQueryPool(program.commands, pool, 0, 1);
	vkCmdBeginQuery(program.commands, pool, 0, 0);
	vulkan_dispatch(&program, argv[1], argv[2]);
	vkCmdEndQuery(program.commands, pool, 0);
	vulkan_end(&program);
	submit_passes(&program, passes);
	vulkan_check("vkGetQueryPoolResults",
		     vkGetQueryPoolResults(program.device, pool, 0, 1,
					   sizeof(results), results,
					   sizeof(results),
					   VK_QUERY_RESULT_WAIT_BIT));
	((PFN_vkReleaseProfilingLockKHR)extension_function(
		&program, "vkReleaseProfilingLockKHR"))(program.device);
	print_results(&counters, results);
	vkDestroyQueryPool(program.device, pool, NULL);
	vulkan_destroy(&program);
	return 0;
}
