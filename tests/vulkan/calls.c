/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/vulkan/calls.h"

#include <stdlib.h>

#include "drmsim/control.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

struct world world;

void
open_lavapipe(void)
{
	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, true));
	ck_assert(world_has_extension(&world));
	world_open(&world, VK_QUEUE_COMPUTE_BIT, 0);
}

void
open_radv(void)
{
	unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      true));
	ck_assert(world_has_extension(&world));
	world_open(&world, VK_QUEUE_GRAPHICS_BIT, 0);
}

void
open_radv_compute(void)
{
	unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      true));
	world_open(&world, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
}

void
close_world(void)
{
	uint64_t violations = 0;

	world_end(&world);
	ck_assert_int_eq(drmsim_violations(&violations), 0);
	ck_assert_uint_eq(violations, 0);
}

void
set_clocks(VkGpaDeviceClockModeAMD mode)
{
	VkGpaDeviceClockModeInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_CLOCK_MODE_INFO_AMD,
		.clockMode = mode,
	};

	must_succeed(world.SetGpaDeviceClockMode(world.device, &info));
}

VkGpaDeviceGetClockInfoAMD
read_clocks(void)
{
	VkGpaDeviceGetClockInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_GET_CLOCK_INFO_AMD,
	};

	must_succeed(world.GetGpaDeviceClockInfo(world.device, &info));
	return info;
}

VkGpaPerfCounterAMD
waves_of(uint32_t engine)
{
	return (VkGpaPerfCounterAMD){ VK_GPA_PERF_BLOCK_SQ_AMD, engine,
				      SQ_WAVES };
}

void
must_succeed(VkResult result)
{
	ck_assert_int_eq(result, VK_SUCCESS);
}

void
begin_session(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	must_succeed(world.CmdBeginGpaSession(commands, session));
}

void
end_session(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	must_succeed(world.CmdEndGpaSession(commands, session));
}

void
run_session(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	end_session(commands, session);
	world_run(&world, commands);
}

void
destroy_session(VkGpaSessionAMD session)
{
	world_destroy_session(&world, session);
}

VkCommandBuffer
begin_primary(void)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	VkCommandBuffer commands =
		world_commands(&world, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	must_succeed(vkBeginCommandBuffer(commands, &begin));
	return commands;
}

VkCommandBuffer
begin_secondary(VkCommandBufferUsageFlags flags,
		const VkCommandBufferInheritanceInfo *inherited)
{
	static const VkCommandBufferInheritanceInfo no_pass = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = flags,
		.pInheritanceInfo = inherited ? inherited : &no_pass,
	};
	VkCommandBuffer commands =
		world_commands(&world, VK_COMMAND_BUFFER_LEVEL_SECONDARY);

	must_succeed(vkBeginCommandBuffer(commands, &begin));
	return commands;
}

void
run_commands(VkCommandBuffer commands)
{
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &commands,
	};

	must_succeed(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
	must_succeed(vkQueueWaitIdle(world.queue));
}

VkResult
read_sample(VkGpaSessionAMD session, uint32_t id)
{
	uint64_t value;
	size_t size = sizeof(value);

	must_succeed(world.GetGpaSessionStatus(world.device, session));
	return world.GetGpaSessionResults(world.device, session, id, &size,
					  &value);
}

void
pass_at(const struct gate *gate, uint64_t ms)
{
	gate_wait(&world, gate);
	scene_pass(ms * MS);
	gate_open(&world, gate);
}

uint32_t
read_blocks(VkGpaPerfBlockPropertiesAMD *blocks, uint32_t *engines)
{
	VkPhysicalDeviceGpaPropertiesAMD gpa = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD,
		.perfBlockCount = MOST_BLOCKS,
		.pPerfBlocks = blocks,
	};
	VkPhysicalDeviceProperties2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &gpa,
	};

	vkGetPhysicalDeviceProperties2(world.physical, &all);
	*engines = gpa.shaderEngineCount;
	ck_assert_uint_lt(gpa.perfBlockCount, MOST_BLOCKS);
	return gpa.perfBlockCount;
}

#define SQG_WAVES 20 /* of Navi 31, whose block has few events */
#define SQG_LAST 36

uint32_t
choose_engines(VkGpaPerfCounterAMD *counters)
{
	VkGpaPerfBlockPropertiesAMD blocks[MOST_BLOCKS];
	uint32_t engines, used = 0;
	const uint32_t count = read_blocks(blocks, &engines);

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0;
		     blocks[i].blockType == VK_GPA_PERF_BLOCK_SQ_AMD &&
		     k < blocks[i].instanceCount;
		     k++) {
			ck_assert_uint_lt(used, MOST_ENGINES);
			counters[used] = waves_of(k);
			if (blocks[i].maxEventID == SQG_LAST)
				counters[used].eventID = SQG_WAVES;
			used++;
		}
	}
	return used;
}

VkResult
try_sample(VkCommandBuffer commands, VkGpaSessionAMD session,
	   VkGpaSampleBeginInfoAMD info)
{
	uint32_t id;

	info.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD;
	return world.CmdBeginGpaSample(commands, session, &info, &id);
}

VkResult
measure_sample(const VkGpaSampleBeginInfoAMD *info, uint64_t *values)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id = UINT32_MAX;
	struct gate gate;
	VkResult result;

	gate_create(&world, &gate);
	begin_session(commands, session);
	result = world.CmdBeginGpaSample(commands, session, info, &id);
	gate_record(&gate, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit_beside(&world, commands);
	pass_at(&gate, 2);
	world_wait(&world);
	if (result == VK_SUCCESS)
		world_results(&world, session, id, values,
			      info->perfCounterCount);
	destroy_session(session);
	return result;
}

int
main(void)
{
	if (!drmsim_is_present()) {
		world_set_environment();
		return below_drmsim_all();
	}
	world_keep_drivers();
	return tests_run();
}
