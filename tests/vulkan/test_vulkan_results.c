/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence: results. On lavapipe, which
 * DRMPERF_GPU lends a simulated GPU in virtual time, and on radv with a
 * simulated GPU of its own. Comments in quotes are the extension's words.
 */
#include <dlfcn.h>
#include <vulkan/vk_layer.h>

#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

/* ------------------------------------------------------------------ */
/* 3.6: results                                                         */

TEST_CASE(lavapipe, open_lavapipe, close_world, "results_lavapipe");

/* "... or VK_NOT_READY otherwise" */
TEST(lavapipe, status_is_not_ready_before_the_end)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	begin_session(commands, session);
	end_session(commands, session);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	world_run(&world, commands);
	must_succeed(world.GetGpaSessionStatus(world.device, session));
}

/* "with pData set to NULL will return the size of the results data" */
TEST(lavapipe, sizes_of_results_are_told)
{
	const VkGpaPerfCounterAMD counters[] = { waves_of(0), waves_of(1) };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t values[2] = { 1, 4711 };
	size_t size = 0;
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, counters, 2);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	must_succeed(world.GetGpaSessionResults(world.device, session, id,
						&size, NULL));
	ck_assert_uint_eq(size, 16);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, values),
			 VK_NOT_READY);
	world_run(&world, commands);
	/* a smaller buffer gets what fits, and not a byte more */
	size = 15;
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, values),
			 VK_INCOMPLETE);
	ck_assert_uint_eq(size, 8);
	ck_assert_uint_eq(values[0], 0);
	ck_assert_uint_eq(values[1], 4711);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session,
						    id + 1, &size, NULL),
			 VK_ERROR_VALIDATION_FAILED_EXT);
}

/* ------------------------------------------------------------------ */
/* 3.7: resetting and copying                                           */

/* "Before reuse, a GPA session must be reset" */
TEST(lavapipe, sessions_are_reset_and_used_again)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	struct gate gate;
	uint64_t value;
	uint32_t id;

	scene_set("rate", "SQ.4 1000000");
	for (unsigned round = 1; round < 4; round++) {
		VkCommandBuffer commands = world_record(&world);

		gate_create(&world, &gate);
		begin_session(commands, session);
		id = world_sample(&world, commands, session, &counter, 1);
		gate_record(&gate, commands);
		world.CmdEndGpaSample(commands, session, id);
		end_session(commands, session);
		world_submit_beside(&world, commands);
		pass_at(&gate, round);
		world_wait(&world);
		world_results(&world, session, id, &value, 1);
		ck_assert_uint_eq(value, 1000 * round);
		must_succeed(world.ResetGpaSession(world.device, session));
		ck_assert_int_eq(
			world.GetGpaSessionStatus(world.device, session),
			VK_NOT_READY);
		vkFreeCommandBuffers(world.device, world.pool, 1, &commands);
	}
}

static VkCommandBuffer
record_secondary(VkGpaSessionAMD session, uint32_t *id)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkCommandBuffer commands = begin_secondary(
		VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, NULL);

	begin_session(commands, session);
	*id = world_sample(&world, commands, session, &counter, 1);
	world_dispatch(&world, commands, 100);
	world.CmdEndGpaSample(commands, session, *id);
	end_session(commands, session);
	must_succeed(vkEndCommandBuffer(commands));
	return commands;
}

TEST_CASE(radv, open_radv, close_world, "results_radv");

/* "multiple invocations of the same secondary command buffer" */
TEST(lavapipe, secondary_results_are_copied)
{
	VkGpaSessionAMD session = world_session(&world), copies[2];
	VkCommandBuffer primary = world_record(&world), secondary;
	uint64_t value;
	uint32_t id;

	secondary = record_secondary(session, &id);
	copies[0] = world_copy_session(&world, session);
	copies[1] = world_copy_session(&world, session);
	vkCmdExecuteCommands(primary, 1, &secondary);
	world.CmdCopyGpaSessionResults(primary, copies[0]);
	vkCmdExecuteCommands(primary, 1, &secondary);
	world.CmdCopyGpaSessionResults(primary, copies[1]);
	vkCmdExecuteCommands(primary, 1, &secondary);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, copies[0]),
			 VK_NOT_READY);
	world_run(&world, primary);
	world_results(&world, session, id, &value, 1);
	for (unsigned i = 0; i < 2; i++) {
		world_results(&world, copies[i], id, &value, 1);
		destroy_session(copies[i]);
	}
}
TEST_ALSO(radv, secondary_results_are_copied, 1);

#define DEVICE_FUNCTION(name)                                                  \
	PFN_vk##name name =                                                    \
		(PFN_vk##name)vkGetDeviceProcAddr(world.device, "vk" #name)

/* Names and tags of sessions do not reach the driver. */
TEST(lavapipe, sessions_have_names)
{
	VkGpaSessionAMD session = world_session(&world);
	const uint64_t object = (uint64_t)(uintptr_t)session;
	const VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_UNKNOWN,
		.objectHandle = object,
		.pObjectName = "a session",
	};
	const VkDebugUtilsObjectTagInfoEXT tag = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
		.objectHandle = object,
		.tagSize = 1,
		.pTag = "t",
	};
	VkDebugUtilsObjectNameInfoEXT of_device = name;
	DEVICE_FUNCTION(SetDebugUtilsObjectNameEXT);
	DEVICE_FUNCTION(SetDebugUtilsObjectTagEXT);

	ck_assert_ptr_nonnull(SetDebugUtilsObjectNameEXT);
	must_succeed(SetDebugUtilsObjectNameEXT(world.device, &name));
	must_succeed(SetDebugUtilsObjectTagEXT(world.device, &tag));
	of_device.objectType = VK_OBJECT_TYPE_DEVICE;
	of_device.objectHandle = (uint64_t)(uintptr_t)world.device;
	must_succeed(SetDebugUtilsObjectNameEXT(world.device, &of_device));
}
TEST_ALSO(radv, sessions_have_names, 1);

static void
expect_data(uint64_t object, VkObjectType type, VkPrivateDataSlot slot,
	    uint64_t expected)
{
	DEVICE_FUNCTION(GetPrivateDataEXT);
	uint64_t value = 4711;

	GetPrivateDataEXT(world.device, type, object, slot, &value);
	ck_assert_uint_eq(value, expected);
}

TEST(lavapipe, sessions_have_private_data)
{
	VkGpaSessionAMD session = world_session(&world);
	const uint64_t object = (uint64_t)(uintptr_t)session;
	const uint64_t device = (uint64_t)(uintptr_t)world.device;
	const VkPrivateDataSlotCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO,
	};
	VkPrivateDataSlot slots[2];
	DEVICE_FUNCTION(CreatePrivateDataSlotEXT);
	DEVICE_FUNCTION(SetPrivateDataEXT);
	DEVICE_FUNCTION(DestroyPrivateDataSlotEXT);

	for (int i = 0; i < 2; i++) {
		must_succeed(CreatePrivateDataSlotEXT(world.device, &info, NULL,
						      &slots[i]));
		expect_data(object, VK_OBJECT_TYPE_UNKNOWN, slots[i], 0);
		for (uint64_t value = 1; value < 3; value++) {
			must_succeed(SetPrivateDataEXT(
				world.device, VK_OBJECT_TYPE_UNKNOWN, object,
				slots[i], 10 * value + (uint64_t)i));
		}
		must_succeed(SetPrivateDataEXT(world.device,
					       VK_OBJECT_TYPE_DEVICE, device,
					       slots[i], 7));
	}
	expect_data(object, VK_OBJECT_TYPE_UNKNOWN, slots[0], 20);
	expect_data(object, VK_OBJECT_TYPE_UNKNOWN, slots[1], 21);
	expect_data(device, VK_OBJECT_TYPE_DEVICE, slots[0], 7);
	DestroyPrivateDataSlotEXT(world.device, slots[0], NULL);
	/* as one that was made later with the same handle would have it */
	expect_data(object, VK_OBJECT_TYPE_UNKNOWN, slots[0], 0);
	expect_data(object, VK_OBJECT_TYPE_UNKNOWN, slots[1], 21);
	DestroyPrivateDataSlotEXT(world.device, slots[1], NULL);
}
TEST_ALSO(radv, sessions_have_private_data, 1);

/* Layers above ask without an instance; those of Mesa and RenderDoc do. */
TEST(lavapipe, layers_get_functions_without_an_instance)
{
	static const char *const names[] = { "vkCreateDevice",
					     "vkDestroyInstance",
					     "vkGetInstanceProcAddr" };
	VkNegotiateLayerInterface version = {
		.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
		.loaderLayerInterfaceVersion = 2,
	};
	PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;
	void *layer = dlopen("libVkLayer_drmperf_gpa.so",
			     RTLD_NOW | RTLD_NOLOAD);

	ck_assert_msg(layer, "%s", dlerror());
	negotiate = (PFN_vkNegotiateLoaderLayerInterfaceVersion)dlsym(
		layer, "vkNegotiateLoaderLayerInterfaceVersion");
	must_succeed(negotiate(&version));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_ptr_nonnull(
			version.pfnGetInstanceProcAddr(NULL, names[i]));
	ck_assert_ptr_null(version.pfnGetInstanceProcAddr(NULL, "vkNothing"));
	dlclose(layer);
}

/* gfxreconstruct gives programs handles of its own, and passes on what it does
 * not know as it is. */
TEST(lavapipe, command_buffers_of_other_layers_are_refused)
{
	void *made_up[] = { *(void **)world.device, NULL };
	const VkCommandBuffer commands = (VkCommandBuffer)(void *)made_up;
	VkGpaSessionAMD session = world_session(&world);
	const VkGpaSampleBeginInfoAMD info = {
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
	};

	ck_assert_int_eq(world.CmdBeginGpaSession(commands, session),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	world.CmdEndGpaSample(commands, session, 0);
	ck_assert_int_eq(world.CmdEndGpaSession(commands, session),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	world.CmdCopyGpaSessionResults(commands, session);
}

/* A source "has been begun and ended and not reset since". */
TEST(lavapipe, copies_need_a_finished_source)
{
	VkGpaSessionAMD session = world_session(&world), copy;
	const VkGpaSessionCreateInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SESSION_CREATE_INFO_AMD,
		.secondaryCopySource = session,
	};

	ck_assert_int_eq(
		world.CreateGpaSession(world.device, &info, NULL, &copy),
		VK_ERROR_VALIDATION_FAILED_EXT);
}

/* ------------------------------------------------------------------ */
/* radv: work that the GPU does itself                                  */

/* Waves of a dispatch of known size, over all shader engines. */
TEST(radv, dispatches_are_counted_exactly)
{
	const VkGpaPerfCounterAMD counters[] = { waves_of(0), waves_of(1),
						 waves_of(2), waves_of(3) };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t values[4];
	uint32_t ids[2];

	begin_session(commands, session);
	world_dispatch(&world, commands, 77);
	for (unsigned i = 0; i < 2; i++) {
		ids[i] = world_sample(&world, commands, session, counters, 4);
		world_dispatch(&world, commands, 1000 * (i + 1));
		world.CmdEndGpaSample(commands, session, ids[i]);
		world_dispatch(&world, commands, 99);
	}
	run_session(commands, session);
	for (unsigned i = 0; i < 2; i++) {
		world_results(&world, session, ids[i], values, 4);
		ck_assert_uint_eq(values[0] + values[1] + values[2] + values[3],
				  1000 * (i + 1));
	}
}

TEST_MACHINE("results_lavapipe", "--strict", "--time", "virtual", "--gpu",
	     "vega10");
TEST_MACHINE("results_radv", "--strict", "--gpu", "vega10");
