/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command buffers that are cut: the state that a program has set is set again
 * behind the cut, so that its picture stays as it is. With a driver that only
 * notes commands, and on lavapipe, which draws.
 */
#include <stdlib.h>
#include <string.h>

#include "gpa_acting.h"
#include "gpa_cut.h"
#include "gpa_open_pass.h"
#include "gpa_places.h"
#include "gpa_state.h"
#include "gpa_template.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

/* ------------------------------------------------------------------ */
/* Cuts                                                                 */

static VKAPI_ATTR VkResult VKAPI_CALL
set_no_data(VkDevice device, void *object)
{
	(void)device;
	(void)object;
	return VK_SUCCESS;
}

/* What is in the way of a cut behind a command that acts. */
static const struct {
	struct gpa_commands commands;
	bool is_unknown, is_group;
} uncut[] = {
	{ { .in_render_pass = true }, false, false },
	{ { .open_scopes = 1 }, false, false },
	{ { .foreign = "vkCmdSetDeviceMask" }, false, false },
	{ { .foreign = NULL }, true, false },
	{ { .foreign = NULL }, false, true },
};

TEST_CASE(state, NULL, NULL, "cuts");

TEST_LOOP(state, what_cannot_be_cut_is_refused, ARRAY_SIZE(uncut))
{
	struct gpa_device device = {
		.has_unknown_state = uncut[_i].is_unknown,
		.set_loader_data = uncut[_i].is_group ? NULL : set_no_data,
	};
	struct gpa_commands commands = uncut[_i].commands;

	commands.device = &device;
	commands.is_primary = true;
	must_succeed(gpa_places_can_begin(&commands, "test"));
	commands.has_acted = true;
	ck_assert_int_eq(gpa_places_can_begin(&commands, "test"),
			 VK_ERROR_FEATURE_NOT_PRESENT);
}

/*
 * A driver that notes the commands that set state, in each of two command
 * buffers. Handles begin with a table's address, as the loader makes them.
 */
static const void *const table = &uncut;
static const void *const second_part[] = { &uncut };

struct noted {
	const char *name;
	uint64_t arguments[7];
	unsigned count;
};

static struct noted noted[2][128];
static size_t noted_count[2];

static struct noted *
note_call(VkCommandBuffer buffer, const char *name)
{
	const unsigned part = buffer == (VkCommandBuffer)second_part;
	struct noted *it = &noted[part][noted_count[part]++];

	ck_assert_uint_le(noted_count[part], ARRAY_SIZE(noted[part]));
	*it = (struct noted){ .name = name };
	return it;
}

static void
note_argument(struct noted *it, const void *argument, size_t size)
{
	memcpy(&it->arguments[it->count++], argument, size);
}

#define TYPES_1(A) A a
#define TYPES_2(A, B) TYPES_1(A), B b
#define TYPES_3(A, B, C) TYPES_2(A, B), C c
#define TYPES_4(A, B, C, D) TYPES_3(A, B, C), D d
#define TYPES_5(A, B, C, D, E) TYPES_4(A, B, C, D), E e
#define TYPES_6(A, B, C, D, E, F) TYPES_5(A, B, C, D, E), F f
#define TYPES_7(A, B, C, D, E, F, G) TYPES_6(A, B, C, D, E, F), G g
#define NOTE(a) note_argument(it, &(a), sizeof(a));
#define NOTE_1 NOTE(a)
#define NOTE_2 NOTE_1 NOTE(b)
#define NOTE_3 NOTE_2 NOTE(c)
#define NOTE_4 NOTE_3 NOTE(d)
#define NOTE_5 NOTE_4 NOTE(e)
#define NOTE_6 NOTE_5 NOTE(f)
#define NOTE_7 NOTE_6 NOTE(g)

#define X(name, number, extent, copies, ...)                                   \
	static VKAPI_ATTR void VKAPI_CALL note_##name(                         \
		VkCommandBuffer buffer, TYPES_##number(__VA_ARGS__))           \
	{                                                                      \
		struct noted *it = note_call(buffer, #name);                   \
                                                                               \
		NOTE_##number                                                  \
	}
GPA_STATE(X)
#undef X

/* What all pointers of the program's point to; all else is 1. */
static const uint64_t pointed_to[512];

static void
fill_argument(void *argument, size_t size, const char *type)
{
	const uint64_t one = 1;
	const void *pointer = pointed_to;

	memcpy(argument, strchr(type, '*') ? (const void *)&pointer : &one,
	       size);
}

/* A value of a type. */
#define OF(type)                                                               \
	__extension__({                                                        \
		type value;                                                    \
		fill_argument(&value, sizeof(value), #type);                   \
		value;                                                         \
	})
#define ALL_1(A) OF(A)
#define ALL_2(A, B) ALL_1(A), OF(B)
#define ALL_3(A, B, C) ALL_2(A, B), OF(C)
#define ALL_4(A, B, C, D) ALL_3(A, B, C), OF(D)
#define ALL_5(A, B, C, D, E) ALL_4(A, B, C, D), OF(E)
#define ALL_6(A, B, C, D, E, F) ALL_5(A, B, C, D, E), OF(F)
#define ALL_7(A, B, C, D, E, F, G) ALL_6(A, B, C, D, E, F), OF(G)

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_second(VkDevice device, const VkCommandBufferAllocateInfo *info,
		VkCommandBuffer *out)
{
	(void)device;
	ck_assert_uint_eq(info->commandBufferCount, 1);
	*out = (VkCommandBuffer)second_part;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
free_second(VkDevice device, VkCommandPool pool, uint32_t count,
	    const VkCommandBuffer *list)
{
	(void)device;
	(void)pool;
	ck_assert_uint_eq(count, 1);
	ck_assert_ptr_eq(list[0], (VkCommandBuffer)second_part);
}

static VKAPI_ATTR VkResult VKAPI_CALL
begin_second(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info)
{
	ck_assert_ptr_eq(buffer, (VkCommandBuffer)second_part);
	ck_assert_uint_eq(info->flags,
			  VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
end_first(VkCommandBuffer buffer)
{
	ck_assert_ptr_ne(buffer, (VkCommandBuffer)second_part);
	return VK_SUCCESS;
}

#define TEMPLATE ((VkDescriptorUpdateTemplate)(uintptr_t)0x30)

static VKAPI_ATTR VkResult VKAPI_CALL
create_no_template(VkDevice device,
		   const VkDescriptorUpdateTemplateCreateInfo *info,
		   const VkAllocationCallbacks *allocator,
		   VkDescriptorUpdateTemplate *out)
{
	(void)device;
	(void)allocator;
	ck_assert_uint_gt(info->descriptorUpdateEntryCount, 0);
	*out = TEMPLATE;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_no_template(VkDevice device, VkDescriptorUpdateTemplate template,
		    const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	ck_assert(template == TEMPLATE);
}

static VKAPI_ATTR void VKAPI_CALL
push_nothing(VkCommandBuffer buffer, VkDescriptorUpdateTemplate template,
	     VkPipelineLayout layout, uint32_t set, const void *data)
{
	ck_assert_ptr_ne(buffer, (VkCommandBuffer)second_part);
	ck_assert(template == TEMPLATE && layout && data);
	ck_assert_uint_eq(set, 2);
}

static VKAPI_ATTR void VKAPI_CALL
leave_pass(VkCommandBuffer buffer)
{
	ck_assert_ptr_ne(buffer, (VkCommandBuffer)second_part);
}

static VKAPI_ATTR void VKAPI_CALL
go_on_in_pass(VkCommandBuffer buffer, const VkRenderPassBeginInfo *info,
	      VkSubpassContents contents)
{
	ck_assert_ptr_eq(buffer, (VkCommandBuffer)second_part);
	ck_assert_uint_eq(info->clearValueCount, 0);
	ck_assert_int_eq(contents, VK_SUBPASS_CONTENTS_INLINE);
}

static VKAPI_ATTR void VKAPI_CALL
wait_for_part(VkCommandBuffer buffer, VkPipelineStageFlags before,
	      VkPipelineStageFlags behind, VkDependencyFlags flags,
	      uint32_t count, const VkMemoryBarrier *list, uint32_t buffers,
	      const VkBufferMemoryBarrier *of_buffers, uint32_t images,
	      const VkImageMemoryBarrier *of_images)
{
	ck_assert_ptr_eq(buffer, (VkCommandBuffer)second_part);
	ck_assert_uint_eq(before & behind, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	ck_assert_uint_eq(list[0].srcAccessMask, VK_ACCESS_MEMORY_WRITE_BIT);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(flags + buffers + images, 0);
	ck_assert(!of_buffers && !of_images);
}

/* A command buffer of that driver, which acts. */
struct stage {
	const void *handle[1];
	struct gpa_device device;
	struct gpa_commands *commands;
};

static struct stage stage = {
	.handle = { &uncut },
	.device = {
		.handle = (VkDevice)&table,
		.next = {
#define X(name, ...) .name = note_##name,
			GPA_STATE(X)
#undef X
			.AllocateCommandBuffers = allocate_second,
			.FreeCommandBuffers = free_second,
			.BeginCommandBuffer = begin_second,
			.EndCommandBuffer = end_first,
			.CmdEndRenderPass = leave_pass,
			.CmdBeginRenderPass = go_on_in_pass,
			.CmdPipelineBarrier = wait_for_part,
			.CreateDescriptorUpdateTemplate = create_no_template,
			.DestroyDescriptorUpdateTemplate = destroy_no_template,
			.CmdPushDescriptorSetWithTemplateKHR = push_nothing,
		},
		.set_loader_data = set_no_data,
	},
};

static VkCommandBuffer
set_stage(void)
{
	const VkCommandBuffer buffer = (VkCommandBuffer)stage.handle;

	memset(noted_count, 0, sizeof(noted_count));
	gpa_map_init(&stage.device.commands);
	gpa_map_init(&stage.device.templates);
	ck_assert_int_eq(gpa_device_add(&stage.device), 0);
	stage.commands = calloc(1, sizeof(*stage.commands));
	*stage.commands = (struct gpa_commands){
		.device = &stage.device,
		.handle = buffer,
		.current = buffer,
		.is_primary = true,
		.has_acted = true,
		.usage = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	};
	ck_assert_int_eq(gpa_map_put(&stage.device.commands, GPA_KEY(buffer),
				     stage.commands),
			 0);
	return buffer;
}

static void
clear_stage(void)
{
	gpa_places_destroy(stage.commands);
	gpa_map_finish(&stage.device.commands, NULL);
	gpa_map_finish(&stage.device.templates, NULL);
	gpa_device_take(stage.device.handle);
}

#define CALL(name) ((PFN_vk##name)gpa_state_function("vk" #name))

/* Check that a call is made again, with a copy of what was pointed to. */
static void
check_again(const struct noted *first, const struct noted *second)
{
	ck_assert_str_eq(first->name, second->name);
	for (unsigned i = 0; i < first->count; i++) {
		if (first->arguments[i] == (uintptr_t)pointed_to)
			ck_assert_msg(second->arguments[i] &&
					      second->arguments[i] !=
						      first->arguments[i],
				      "%s: parameter %u is not copied",
				      first->name, i);
		else
			ck_assert_uint_eq(first->arguments[i],
					  second->arguments[i]);
	}
}

/* Each command that is kept, in the order of the calls. */
TEST(state, state_is_set_again_behind_a_cut)
{
	const VkCommandBuffer buffer = set_stage();

#define X(name, number, extent, copies, ...)                                   \
	CALL(name)(buffer, ALL_##number(__VA_ARGS__));
	GPA_STATE(X)
#undef X
	/* what lasts as long as a pass comes last */
	stage.commands->in_render_pass = true;
	stage.commands->pass.can_be_cut = true;
	ck_assert_uint_gt(noted_count[0], 0);
	ck_assert_uint_eq(noted_count[1], 0);
	ck_assert(gpa_cut_make(stage.commands, "test"));
	ck_assert_uint_eq(noted_count[0], noted_count[1]);
	for (size_t i = 0; i < noted_count[0]; i++)
		check_again(&noted[0][i], &noted[1][i]);
	/* and what comes behind it goes there */
	CALL(CmdSetLineWidth)(buffer, 1);
	ck_assert_uint_eq(noted_count[0] + 1, noted_count[1]);
	clear_stage();
}

static VKAPI_ATTR void VKAPI_CALL
begin_no_query(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query,
	       VkQueryControlFlags flags)
{
	ck_assert_ptr_eq(buffer, (VkCommandBuffer)stage.handle);
	ck_assert_ptr_null(pool);
	ck_assert_uint_eq(query + flags, 0);
}

static VKAPI_ATTR void VKAPI_CALL
end_no_query(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query)
{
	begin_no_query(buffer, pool, query, 0);
}

/* A query has to end in the command buffer that it begins in. */
TEST(state, queries_are_not_cut)
{
	const VkCommandBuffer buffer = set_stage();

	stage.device.next.CmdBeginQuery = begin_no_query;
	stage.device.next.CmdEndQuery = end_no_query;
	((PFN_vkCmdBeginQuery)gpa_acting_function("vkCmdBeginQuery"))(
		buffer, VK_NULL_HANDLE, 0, 0);
	ck_assert(!gpa_cut_make(stage.commands, "test"));
	((PFN_vkCmdEndQuery)gpa_acting_function("vkCmdEndQuery"))(
		buffer, VK_NULL_HANDLE, 0);
	ck_assert(gpa_cut_make(stage.commands, "test"));
	clear_stage();
}

/* ------------------------------------------------------------------ */
/* Attachments of passes without an object                              */

static VkRenderingAttachmentInfo drawn[2];

static VKAPI_ATTR void VKAPI_CALL
note_rendering(VkCommandBuffer buffer, const VkRenderingInfo *info)
{
	ck_assert_ptr_eq(buffer, stage.commands->current);
	drawn[0] = info->pColorAttachments[0];
	drawn[1] = *info->pDepthAttachment;
}

/* Layouts of depth that is not stored, and whether a cut leaves it alone. */
static const struct {
	VkImageLayout layout;
	bool can_be_cut;
} depths[] = {
	{ VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, true },
	{ VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, true },
	{ VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, false },
	{ VK_IMAGE_LAYOUT_GENERAL, false },
};

TEST_LOOP(state, attachments_are_stored_and_loaded_at_cuts, ARRAY_SIZE(depths))
{
	const VkRenderingAttachmentInfo color = {
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
	};
	const VkRenderingAttachmentInfo depth = {
		.imageLayout = depths[_i].layout,
		.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
		.storeOp = VK_ATTACHMENT_STORE_OP_NONE,
	};
	const VkRenderingInfo info = {
		.colorAttachmentCount = 1,
		.pColorAttachments = &color,
		.pDepthAttachment = &depth,
	};

	set_stage();
	stage.device.cuts_passes = true;
	stage.device.next.CmdBeginRendering = note_rendering;
	stage.device.next.CmdEndRendering = leave_pass;
	ck_assert(gpa_open_pass_begin_rendering(stage.commands, &info) ==
		  depths[_i].can_be_cut);
	if (depths[_i].can_be_cut) {
		ck_assert_int_eq(drawn[0].loadOp, VK_ATTACHMENT_LOAD_OP_CLEAR);
		ck_assert_int_eq(drawn[0].storeOp,
				 VK_ATTACHMENT_STORE_OP_STORE);
		stage.commands->in_render_pass = true;
		ck_assert(gpa_cut_make(stage.commands, "test"));
		ck_assert_int_eq(drawn[0].loadOp, VK_ATTACHMENT_LOAD_OP_LOAD);
		ck_assert_int_eq(drawn[1].storeOp, VK_ATTACHMENT_STORE_OP_NONE);
	}
	clear_stage();
}

/* ------------------------------------------------------------------ */
/* Calls that others replace                                            */

#define LAYOUT ((VkPipelineLayout)(uintptr_t)0x10)
#define OTHER_LAYOUT ((VkPipelineLayout)(uintptr_t)0x20)

static void
set_viewports(VkCommandBuffer buffer, uint32_t first, uint32_t count)
{
	static const VkViewport list[4];

	CALL(CmdSetViewport)(buffer, first, count, list);
}

static void
set_viewports_apart(VkCommandBuffer buffer)
{
	set_viewports(buffer, 0, 1);
	set_viewports(buffer, 1, 2);
	set_viewports(buffer, 2, 1);
}

static void
set_viewports_over_others(VkCommandBuffer buffer)
{
	set_viewports(buffer, 0, 1);
	set_viewports(buffer, 1, 2);
	set_viewports(buffer, 0, 3);
}

static void
set_faces_apart(VkCommandBuffer buffer)
{
	CALL(CmdSetStencilReference)(buffer, VK_STENCIL_FACE_FRONT_BIT, 1);
	CALL(CmdSetStencilReference)(buffer, VK_STENCIL_FACE_BACK_BIT, 2);
	CALL(CmdSetStencilReference)(buffer, VK_STENCIL_FACE_FRONT_BIT, 3);
}

static void
set_both_faces(VkCommandBuffer buffer)
{
	set_faces_apart(buffer);
	CALL(CmdSetStencilReference)(buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 4);
}

static void
bind_sets(VkCommandBuffer buffer, VkPipelineBindPoint point)
{
	static const VkDescriptorSet list[2];

	CALL(CmdBindDescriptorSets)(buffer, point, LAYOUT, 0, 2, list, 0, NULL);
	CALL(CmdBindDescriptorSets)(buffer, point, LAYOUT, 0, 1, list, 0, NULL);
}

static void
bind_sets_to_two_points(VkCommandBuffer buffer)
{
	bind_sets(buffer, VK_PIPELINE_BIND_POINT_GRAPHICS);
	bind_sets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE);
	bind_sets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE);
}

static void
push_bytes(VkCommandBuffer buffer, VkPipelineLayout layout, uint32_t first,
	   uint32_t count)
{
	static const char bytes[16];

	CALL(CmdPushConstants)
	(buffer, layout, VK_SHADER_STAGE_ALL, first, count, bytes);
}

static void
push_with_two_layouts(VkCommandBuffer buffer)
{
	push_bytes(buffer, LAYOUT, 0, 4);
	push_bytes(buffer, LAYOUT, 4, 4);
	push_bytes(buffer, OTHER_LAYOUT, 0, 8);
	push_bytes(buffer, OTHER_LAYOUT, 0, 16);
}

static void
push_descriptor(VkCommandBuffer buffer, uint32_t binding)
{
	const VkDescriptorBufferInfo info = { .range = VK_WHOLE_SIZE };
	const VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstBinding = binding,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
		.pBufferInfo = &info,
	};

	CALL(CmdPushDescriptorSetKHR)
	(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, LAYOUT, 0, 1, &write);
}

static void
push_descriptors(VkCommandBuffer buffer)
{
	push_descriptor(buffer, 0);
	push_descriptor(buffer, 1);
	push_descriptor(buffer, 0);
}

static void
bind_strides(VkCommandBuffer buffer)
{
	static const VkDeviceSize strides[2];
	static const VkBuffer list[2];

	CALL(CmdBindVertexBuffers2)(buffer, 0, 2, list, strides, NULL, strides);
	CALL(CmdBindVertexBuffers2)(buffer, 0, 2, list, strides, NULL, NULL);
	CALL(CmdBindVertexBuffers2)(buffer, 0, 2, list, strides, NULL, NULL);
}

static const struct {
	void (*set)(VkCommandBuffer buffer);
	size_t kept;
} replaced[] = {
	{ set_viewports_apart, 3 },	{ set_viewports_over_others, 1 },
	{ set_faces_apart, 2 },		{ set_both_faces, 1 },
	{ bind_sets_to_two_points, 4 }, { push_with_two_layouts, 3 },
	{ push_descriptors, 2 },	{ bind_strides, 2 },
};

/* A call goes when one that is later sets all of it again, and not before. */
TEST_LOOP(state, calls_are_kept_until_they_are_replaced, ARRAY_SIZE(replaced))
{
	const VkCommandBuffer buffer = set_stage();

	replaced[_i].set(buffer);
	ck_assert(gpa_cut_make(stage.commands, "test"));
	ck_assert_uint_eq(noted_count[1], replaced[_i].kept);
	clear_stage();
}

/* Data that a template reads at places and distances of its own. */
struct template_data {
	char gap[8];
	struct {
		VkDescriptorBufferInfo info;
		uint64_t gap;
	} buffers[2];
	VkDescriptorImageInfo image;
};

static const VkDescriptorUpdateTemplateEntry template_entries[] = {
	{ 1, 0, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
	  offsetof(struct template_data, buffers), 32 },
	{ 3, 4, 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	  offsetof(struct template_data, image), 0 },
};

static void
push_by_template(VkCommandBuffer buffer,
		 const VkDescriptorUpdateTemplateEntry *entries, uint32_t count)
{
	const VkDescriptorUpdateTemplateCreateInfo info = {
		.descriptorUpdateEntryCount = count,
		.pDescriptorUpdateEntries = entries,
		.templateType =
			VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
	};
	const struct template_data data = {
		.buffers = { { .info.offset = 5 }, { .info.offset = 6 } },
		.image = { .imageLayout = VK_IMAGE_LAYOUT_GENERAL },
	};
	VkDescriptorUpdateTemplate template;

	must_succeed(gpa_CreateDescriptorUpdateTemplate(
		stage.device.handle, &info, NULL, &template));
	CALL(CmdPushDescriptorSetWithTemplateKHR)
	(buffer, template, LAYOUT, 2, &data);
	gpa_DestroyDescriptorUpdateTemplate(stage.device.handle, template,
					    NULL);
}

/* What templates push is kept when they and their data are gone. */
TEST(state, descriptors_of_templates_are_pushed_again)
{
	const VkCommandBuffer buffer = set_stage();
	const struct noted *it = &noted[1][0];
	const VkWriteDescriptorSet *writes;

	push_by_template(buffer, template_entries,
			 ARRAY_SIZE(template_entries));
	ck_assert(gpa_cut_make(stage.commands, "test"));
	ck_assert_uint_eq(noted_count[1], 1);
	ck_assert_str_eq(it->name, "CmdPushDescriptorSetKHR");
	ck_assert_uint_eq(it->arguments[0], VK_PIPELINE_BIND_POINT_COMPUTE);
	ck_assert_uint_eq(it->arguments[1], (uintptr_t)LAYOUT);
	ck_assert_uint_eq(it->arguments[2], 2);
	ck_assert_uint_eq(it->arguments[3], 2);
	writes = (const VkWriteDescriptorSet *)(uintptr_t)it->arguments[4];
	ck_assert_uint_eq(writes[0].dstBinding, 1);
	ck_assert_uint_eq(writes[0].descriptorCount, 2);
	ck_assert_uint_eq(writes[0].pBufferInfo[0].offset, 5);
	ck_assert_uint_eq(writes[0].pBufferInfo[1].offset, 6);
	ck_assert_uint_eq(writes[1].dstBinding, 3);
	ck_assert_uint_eq(writes[1].dstArrayElement, 4);
	ck_assert_int_eq(writes[1].pImageInfo->imageLayout,
			 VK_IMAGE_LAYOUT_GENERAL);
	clear_stage();
}

/* There is no copy of a structure of an unknown kind. */
TEST(state, templates_of_other_kinds_are_in_the_way)
{
	const VkCommandBuffer buffer = set_stage();
	VkDescriptorUpdateTemplateEntry entry = template_entries[0];

	entry.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
	push_by_template(buffer, &entry, 1);
	ck_assert(!gpa_cut_make(stage.commands, "test"));
	clear_stage();
}

/* Structures that the layer does not know are not copied. */
TEST(state, state_that_is_not_kept_is_in_the_way)
{
	const VkCommandBuffer buffer = set_stage();
	const VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.pNext = &write,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
	};

	CALL(CmdPushDescriptorSetKHR)
	(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, LAYOUT, 0, 1, &write);
	ck_assert(!gpa_cut_make(stage.commands, "test"));
	ck_assert_uint_eq(noted_count[1], 0);
	clear_stage();
}

/* ------------------------------------------------------------------ */
/* Pictures                                                             */

#define SIDE 16
#define PASSES 4
#define STEP 256 /* of dynamic offsets: no device needs more */
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT VK_FORMAT_D16_UNORM

/* Takes a position. */
static const uint32_t vertex_shader[] = {
	0x07230203, 0x00010000, 0x00000000, 0x0000000c, 0x00000000, 0x00020011,
	0x00000001, 0x0003000e, 0x00000000, 0x00000001, 0x0007000f, 0x00000000,
	0x00000001, 0x6e69616d, 0x00000000, 0x00000002, 0x00000003, 0x00040047,
	0x00000002, 0x0000001e, 0x00000000, 0x00040047, 0x00000003, 0x0000000b,
	0x00000000, 0x00020013, 0x00000004, 0x00030021, 0x00000005, 0x00000004,
	0x00030016, 0x00000006, 0x00000020, 0x00040017, 0x00000007, 0x00000006,
	0x00000004, 0x00040020, 0x00000008, 0x00000001, 0x00000007, 0x00040020,
	0x00000009, 0x00000003, 0x00000007, 0x0004003b, 0x00000008, 0x00000002,
	0x00000001, 0x0004003b, 0x00000009, 0x00000003, 0x00000003, 0x00050036,
	0x00000004, 0x00000001, 0x00000000, 0x00000005, 0x000200f8, 0x0000000a,
	0x0004003d, 0x00000007, 0x0000000b, 0x00000002, 0x0003003e, 0x00000003,
	0x0000000b, 0x000100fd, 0x00010038,
};

/* Has a color that was pushed, times that of a uniform buffer. */
static const uint32_t fragment_shader[] = {
	0x07230203, 0x00010000, 0x00000000, 0x00000018, 0x00000000, 0x00020011,
	0x00000001, 0x0003000e, 0x00000000, 0x00000001, 0x0006000f, 0x00000004,
	0x00000001, 0x6e69616d, 0x00000000, 0x00000002, 0x00030010, 0x00000001,
	0x00000007, 0x00040047, 0x00000002, 0x0000001e, 0x00000000, 0x00050048,
	0x0000000a, 0x00000000, 0x00000023, 0x00000000, 0x00030047, 0x0000000a,
	0x00000002, 0x00050048, 0x00000016, 0x00000000, 0x00000023, 0x00000000,
	0x00030047, 0x00000016, 0x00000002, 0x00040047, 0x00000004, 0x00000022,
	0x00000000, 0x00040047, 0x00000004, 0x00000021, 0x00000000, 0x00020013,
	0x00000005, 0x00030021, 0x00000006, 0x00000005, 0x00030016, 0x00000007,
	0x00000020, 0x00040017, 0x00000008, 0x00000007, 0x00000004, 0x00040020,
	0x00000009, 0x00000003, 0x00000008, 0x0004003b, 0x00000009, 0x00000002,
	0x00000003, 0x0003001e, 0x0000000a, 0x00000008, 0x0003001e, 0x00000016,
	0x00000008, 0x00040020, 0x0000000b, 0x00000009, 0x0000000a, 0x0004003b,
	0x0000000b, 0x00000003, 0x00000009, 0x00040020, 0x0000000c, 0x00000002,
	0x00000016, 0x0004003b, 0x0000000c, 0x00000004, 0x00000002, 0x00040015,
	0x0000000d, 0x00000020, 0x00000001, 0x0004002b, 0x0000000d, 0x0000000e,
	0x00000000, 0x00040020, 0x0000000f, 0x00000009, 0x00000008, 0x00040020,
	0x00000010, 0x00000002, 0x00000008, 0x00050036, 0x00000005, 0x00000001,
	0x00000000, 0x00000006, 0x000200f8, 0x00000011, 0x00050041, 0x0000000f,
	0x00000012, 0x00000003, 0x0000000e, 0x0004003d, 0x00000008, 0x00000013,
	0x00000012, 0x00050041, 0x00000010, 0x00000014, 0x00000004, 0x0000000e,
	0x0004003d, 0x00000008, 0x00000015, 0x00000014, 0x00050085, 0x00000008,
	0x00000017, 0x00000013, 0x00000015, 0x0003003e, 0x00000002, 0x00000017,
	0x000100fd, 0x00010038,
};

/* A buffer that the host sees. */
struct memory {
	VkBuffer buffer;
	VkDeviceMemory handle;
	void *bytes;
};

/* An image that is drawn to. */
struct target {
	VkImage image;
	VkDeviceMemory memory;
	VkImageView view;
};

/*
 * How a picture is drawn: in a pass for each draw; or in one for all, of either
 * form of render pass objects, with a framebuffer without images, or without an
 * object.
 */
struct manner {
	enum {
		PASS_EACH,
		ONE_PASS,
		ONE_PASS2,
		IMAGELESS,
		RENDERING
	} pass;
	/*
	 * There are several samples, resolved at the end, and depth: what is
	 * drawn first is in front.
	 */
	bool is_deep;
	enum {
		IN_PRIMARY,
		IN_SECONDARY, /* with its passes */
		CONTINUED /* passes of the primary command buffer */
	} drawn;
};

struct picture {
	const struct manner *manner;
	struct target color;
	struct target samples; /* of several */
	struct target depth;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkDescriptorSetLayout set_layout;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	struct memory vertices, indices, colors, pixels;
};

static VkSampleCountFlagBits
samples_of(const struct picture *picture)
{
	return picture->manner->is_deep ? VK_SAMPLE_COUNT_4_BIT
					: VK_SAMPLE_COUNT_1_BIT;
}

static VkDeviceMemory
allocate_memory(const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags)
{
	VkPhysicalDeviceMemoryProperties all;
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs->size,
	};
	VkDeviceMemory memory;
	uint32_t i = 0;

	vkGetPhysicalDeviceMemoryProperties(world.physical, &all);
	while (i < all.memoryTypeCount &&
	       (!(needs->memoryTypeBits & 1u << i) ||
		(all.memoryTypes[i].propertyFlags & flags) != flags))
		i++;
	ck_assert_uint_lt(i, all.memoryTypeCount);
	info.memoryTypeIndex = i;
	must_succeed(vkAllocateMemory(world.device, &info, NULL, &memory));
	return memory;
}

static struct memory
create_memory(VkDeviceSize size, VkBufferUsageFlags usage)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = usage,
	};
	VkMemoryRequirements needs;
	struct memory memory;

	must_succeed(vkCreateBuffer(world.device, &info, NULL, &memory.buffer));
	vkGetBufferMemoryRequirements(world.device, memory.buffer, &needs);
	memory.handle = allocate_memory(
		&needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
				VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	must_succeed(vkBindBufferMemory(world.device, memory.buffer,
					memory.handle, 0));
	must_succeed(vkMapMemory(world.device, memory.handle, 0, VK_WHOLE_SIZE,
				 0, &memory.bytes));
	memset(memory.bytes, 0, size);
	return memory;
}

static void
destroy_memory(const struct memory *memory)
{
	vkDestroyBuffer(world.device, memory->buffer, NULL);
	vkFreeMemory(world.device, memory->handle, NULL);
}

/* Create two shapes, their corners, and two colors. */
static void
create_buffers(struct picture *picture)
{
	static const float corners[2][4][2] = {
		{ { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } },
		{ { -1, -1 }, { 0, -1 }, { -1, 1 }, { 0, 1 } },
	};
	static const float colors[2][4] = { { 1, 0.5f, 0.25f, 1 },
					    { 0.25f, 1, 0.5f, 1 } };
	static const uint16_t indices[] = { 0, 1, 2, 1, 3, 2 };

	picture->vertices = create_memory(sizeof(corners),
					  VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
	memcpy(picture->vertices.bytes, corners, sizeof(corners));
	picture->indices = create_memory(sizeof(indices),
					 VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
	memcpy(picture->indices.bytes, indices, sizeof(indices));
	picture->colors =
		create_memory(2 * STEP, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
	for (unsigned i = 0; i < 2; i++)
		memcpy((char *)picture->colors.bytes + i * STEP, colors[i],
		       sizeof(colors[i]));
	picture->pixels = create_memory((VkDeviceSize)SIDE * SIDE * 4,
					VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void
create_target(struct target *target, VkFormat format,
	      VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = format,
		.extent = { SIDE, SIDE, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = samples,
		.usage = usage,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = format,
		.subresourceRange = { format == DEPTH_FORMAT
					      ? VK_IMAGE_ASPECT_DEPTH_BIT
					      : VK_IMAGE_ASPECT_COLOR_BIT,
				      0, 1, 0, 1 },
	};
	VkMemoryRequirements needs;

	must_succeed(vkCreateImage(world.device, &info, NULL, &target->image));
	vkGetImageMemoryRequirements(world.device, target->image, &needs);
	target->memory = allocate_memory(&needs, 0);
	must_succeed(vkBindImageMemory(world.device, target->image,
				       target->memory, 0));
	view.image = target->image;
	must_succeed(
		vkCreateImageView(world.device, &view, NULL, &target->view));
}

#define COLOR_USAGE                                                            \
	(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |                                 \
	 VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |   \
	 VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)

static void
create_targets(struct picture *picture)
{
	const VkImageUsageFlags drawn = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;

	create_target(&picture->color, FORMAT, VK_SAMPLE_COUNT_1_BIT,
		      COLOR_USAGE);
	if (!picture->manner->is_deep)
		return;
	create_target(&picture->samples, FORMAT, samples_of(picture), drawn);
	create_target(&picture->depth, DEPTH_FORMAT, samples_of(picture),
		      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

static void
destroy_target(const struct target *target)
{
	vkDestroyImageView(world.device, target->view, NULL);
	vkDestroyImage(world.device, target->image, NULL);
	vkFreeMemory(world.device, target->memory, NULL);
}

#define INHERITED_RENDERING                                                    \
	VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO
#define DRAWN VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
#define DEPTH VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL

/* Describe an attachment that stays as it is before and behind a pass. */
static VkAttachmentDescription
describe_kept(void)
{
	return (VkAttachmentDescription){
		.format = FORMAT,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
		.initialLayout = VK_IMAGE_LAYOUT_GENERAL,
		.finalLayout = VK_IMAGE_LAYOUT_GENERAL,
	};
}

/* Describe one that is cleared, and not stored. */
static VkAttachmentDescription
describe_cleared(const struct picture *picture, VkFormat format,
		 VkImageLayout layout)
{
	VkAttachmentDescription it = describe_kept();

	it.format = format;
	it.samples = samples_of(picture);
	it.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
	it.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
	it.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
	it.finalLayout = layout;
	return it;
}

/* Describe colors, which are to be general in the end, resolved, and depth. */
static void
describe_attachments(const struct picture *picture,
		     VkAttachmentDescription list[3])
{
	list[0] = describe_cleared(picture, FORMAT, VK_IMAGE_LAYOUT_GENERAL);
	list[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
	list[1] = describe_kept();
	if (picture->manner->is_deep)
		list[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
	if (picture->manner->pass == PASS_EACH)
		list[0] = list[1];
	list[2] = describe_cleared(picture, DEPTH_FORMAT, DEPTH);
}

static VkAttachmentDescription2
attachment2_of(const VkAttachmentDescription *from)
{
	return (VkAttachmentDescription2){
		.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
		.format = from->format,
		.samples = from->samples,
		.loadOp = from->loadOp,
		.storeOp = from->storeOp,
		.stencilLoadOp = from->stencilLoadOp,
		.stencilStoreOp = from->stencilStoreOp,
		.initialLayout = from->initialLayout,
		.finalLayout = from->finalLayout,
	};
}

static VkAttachmentReference2
reference2_of(const VkAttachmentReference *from)
{
	return (VkAttachmentReference2){
		.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
		.attachment = from->attachment,
		.layout = from->layout,
		.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
	};
}

/* Create the same pass by the function of Vulkan 1.2. */
static void
create_pass2(struct picture *picture, const VkRenderPassCreateInfo *from)
{
	const VkSubpassDescription *subpass = from->pSubpasses;
	const VkAttachmentDescription2 attachments[] = {
		attachment2_of(&from->pAttachments[0]),
		attachment2_of(&from->pAttachments[1]),
		attachment2_of(&from->pAttachments[2]),
	};
	const VkAttachmentReference2 references[] = {
		reference2_of(subpass->pColorAttachments),
		reference2_of(subpass->pResolveAttachments),
		reference2_of(subpass->pDepthStencilAttachment),
	};
	const VkSubpassDescription2 subpass2 = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
		.pipelineBindPoint = subpass->pipelineBindPoint,
		.colorAttachmentCount = 1,
		.pColorAttachments = &references[0],
		.pResolveAttachments = &references[1],
		.pDepthStencilAttachment = &references[2],
	};
	const VkSubpassDependency2 dependency = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
		.srcSubpass = VK_SUBPASS_EXTERNAL,
		.srcStageMask = from->pDependencies->srcStageMask,
		.dstStageMask = from->pDependencies->dstStageMask,
		.srcAccessMask = from->pDependencies->srcAccessMask,
		.dstAccessMask = from->pDependencies->dstAccessMask,
	};
	const VkRenderPassCreateInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
		.attachmentCount = from->attachmentCount,
		.pAttachments = attachments,
		.subpassCount = 1,
		.pSubpasses = &subpass2,
		.dependencyCount = 1,
		.pDependencies = &dependency,
	};
	PFN_vkCreateRenderPass2 create =
		(PFN_vkCreateRenderPass2)vkGetDeviceProcAddr(
			world.device, "vkCreateRenderPass2KHR");

	must_succeed(create(world.device, &info, NULL, &picture->pass));
}

static void
create_pass(struct picture *picture)
{
	const bool is_each = picture->manner->pass == PASS_EACH;
	const bool is_deep = picture->manner->is_deep;
	const VkAttachmentReference references[] = {
		{ 0, is_each ? VK_IMAGE_LAYOUT_GENERAL : DRAWN },
		{ is_deep ? 1 : VK_ATTACHMENT_UNUSED, DRAWN },
		{ is_deep ? 2 : VK_ATTACHMENT_UNUSED, DEPTH },
	};
	const VkSubpassDescription subpass = {
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
		.colorAttachmentCount = 1,
		.pColorAttachments = &references[0],
		.pResolveAttachments = &references[1],
		.pDepthStencilAttachment = &references[2],
	};
	const VkSubpassDependency dependency = {
		.srcSubpass = VK_SUBPASS_EXTERNAL,
		.srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		.dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask =
			VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};
	VkAttachmentDescription attachments[3];
	const VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = is_deep ? 3 : 1,
		.pAttachments = attachments,
		.subpassCount = 1,
		.pSubpasses = &subpass,
		.dependencyCount = 1,
		.pDependencies = &dependency,
	};

	describe_attachments(picture, attachments);
	if (picture->manner->pass == ONE_PASS2)
		create_pass2(picture, &info);
	else
		must_succeed(vkCreateRenderPass(world.device, &info, NULL,
						&picture->pass));
}

/* Views of several samples come first, as those that are drawn to. */
static void
list_views(const struct picture *picture, VkImageView views[3])
{
	views[0] = picture->manner->is_deep ? picture->samples.view
					    : picture->color.view;
	views[1] = picture->color.view;
	views[2] = picture->depth.view;
}

static VkFramebufferAttachmentImageInfo
image_info(const VkFormat *format, VkImageUsageFlags usage)
{
	return (VkFramebufferAttachmentImageInfo){
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
		.usage = usage,
		.width = SIDE,
		.height = SIDE,
		.layerCount = 1,
		.viewFormatCount = 1,
		.pViewFormats = format,
	};
}

static void
create_framebuffer(struct picture *picture)
{
	static const VkFormat formats[] = { FORMAT, DEPTH_FORMAT };
	const VkFramebufferAttachmentImageInfo infos[] = {
		image_info(&formats[0], VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
		image_info(&formats[0], COLOR_USAGE),
		image_info(&formats[1],
			   VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
	};
	const VkFramebufferAttachmentsCreateInfo imageless = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
		.attachmentImageInfoCount = 3,
		.pAttachmentImageInfos = infos,
	};
	const bool is_imageless = picture->manner->pass == IMAGELESS;
	VkImageView views[3];
	const VkFramebufferCreateInfo framebuffer = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.pNext = is_imageless ? &imageless : NULL,
		.flags = is_imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0,
		.renderPass = picture->pass,
		.attachmentCount = picture->manner->is_deep ? 3 : 1,
		.pAttachments = views,
		.width = SIDE,
		.height = SIDE,
		.layers = 1,
	};

	list_views(picture, views);
	must_succeed(vkCreateFramebuffer(world.device, &framebuffer, NULL,
					 &picture->framebuffer));
}

static void
create_set(struct picture *picture)
{
	const VkDescriptorSetLayoutBinding binding = {
		.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
		.descriptorCount = 1,
		.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
	};
	const VkDescriptorSetLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding,
	};
	const VkDescriptorPoolSize size = { binding.descriptorType, 1 };
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size,
	};
	VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
		.pSetLayouts = &picture->set_layout,
	};
	const VkDescriptorBufferInfo colors = { picture->colors.buffer, 0, 16 };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = binding.descriptorType,
		.pBufferInfo = &colors,
	};

	must_succeed(vkCreateDescriptorSetLayout(world.device, &layout, NULL,
						 &picture->set_layout));
	must_succeed(vkCreateDescriptorPool(world.device, &pool, NULL,
					    &picture->pool));
	info.descriptorPool = picture->pool;
	must_succeed(
		vkAllocateDescriptorSets(world.device, &info, &picture->set));
	write.dstSet = picture->set;
	vkUpdateDescriptorSets(world.device, 1, &write, 0, NULL);
}

static VkShaderModule
create_shader(const uint32_t *words, size_t size)
{
	const VkShaderModuleCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = size,
		.pCode = words,
	};
	VkShaderModule shader;

	must_succeed(vkCreateShaderModule(world.device, &info, NULL, &shader));
	return shader;
}

static void
create_layout(struct picture *picture)
{
	const VkPushConstantRange range = { VK_SHADER_STAGE_FRAGMENT_BIT, 0,
					    16 };
	const VkPipelineLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &picture->set_layout,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range,
	};

	must_succeed(vkCreatePipelineLayout(world.device, &info, NULL,
					    &picture->layout));
}

#define STATE(name) VK_STRUCTURE_TYPE_PIPELINE_##name##_STATE_CREATE_INFO

/*
 * Create a drawing in which colors are added, as the blend constants have it.
 */
static void
create_drawing(struct picture *picture)
{
	const VkPipelineShaderStageCreateInfo shaders[] = {
		{ .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		  .stage = VK_SHADER_STAGE_VERTEX_BIT,
		  .module = create_shader(vertex_shader, sizeof(vertex_shader)),
		  .pName = "main" },
		{ .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		  .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
		  .module = create_shader(fragment_shader,
					  sizeof(fragment_shader)),
		  .pName = "main" },
	};
	const VkVertexInputBindingDescription binding = { .stride = 8 };
	const VkVertexInputAttributeDescription attribute = {
		.format = VK_FORMAT_R32G32_SFLOAT
	};
	const VkPipelineVertexInputStateCreateInfo input = {
		.sType = STATE(VERTEX_INPUT),
		.vertexBindingDescriptionCount = 1,
		.pVertexBindingDescriptions = &binding,
		.vertexAttributeDescriptionCount = 1,
		.pVertexAttributeDescriptions = &attribute,
	};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = STATE(INPUT_ASSEMBLY),
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
	};
	const VkPipelineViewportStateCreateInfo viewport = {
		.sType = STATE(VIEWPORT),
		.viewportCount = 1,
		.scissorCount = 1,
	};
	const VkPipelineRasterizationStateCreateInfo raster = {
		.sType = STATE(RASTERIZATION),
		.lineWidth = 1,
	};
	const VkPipelineMultisampleStateCreateInfo samples = {
		.sType = STATE(MULTISAMPLE),
		.rasterizationSamples = samples_of(picture),
	};
	const VkPipelineDepthStencilStateCreateInfo depth = {
		.sType = STATE(DEPTH_STENCIL),
		.depthTestEnable = picture->manner->is_deep,
		.depthWriteEnable = VK_TRUE,
		.depthCompareOp = VK_COMPARE_OP_LESS,
	};
	const VkFormat format = FORMAT;
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
		.depthAttachmentFormat = picture->manner->is_deep
						 ? DEPTH_FORMAT
						 : VK_FORMAT_UNDEFINED,
	};
	const VkPipelineColorBlendAttachmentState target = {
		.blendEnable = VK_TRUE,
		.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
		.dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
		.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
		.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
		.colorWriteMask = 0xf,
	};
	const VkPipelineColorBlendStateCreateInfo blend = {
		.sType = STATE(COLOR_BLEND),
		.attachmentCount = 1,
		.pAttachments = &target,
	};
	static const VkDynamicState states[] = {
		VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
		VK_DYNAMIC_STATE_BLEND_CONSTANTS
	};
	const VkPipelineDynamicStateCreateInfo dynamic = {
		.sType = STATE(DYNAMIC),
		.dynamicStateCount = ARRAY_SIZE(states),
		.pDynamicStates = states,
	};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = picture->pass ? NULL : &rendering,
		.stageCount = 2,
		.pStages = shaders,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewport,
		.pRasterizationState = &raster,
		.pMultisampleState = &samples,
		.pDepthStencilState = &depth,
		.pColorBlendState = &blend,
		.pDynamicState = &dynamic,
		.layout = picture->layout,
		.renderPass = picture->pass,
	};

	must_succeed(vkCreateGraphicsPipelines(world.device, VK_NULL_HANDLE, 1,
					       &info, NULL,
					       &picture->pipeline));
	for (unsigned i = 0; i < 2; i++)
		vkDestroyShaderModule(world.device, shaders[i].module, NULL);
}

static void
create_picture(struct picture *picture, const struct manner *manner)
{
	picture->manner = manner;
	create_buffers(picture);
	create_targets(picture);
	if (manner->pass != RENDERING) {
		create_pass(picture);
		create_framebuffer(picture);
	}
	create_set(picture);
	create_layout(picture);
	create_drawing(picture);
}

static void
destroy_picture(const struct picture *picture)
{
	vkDestroyPipeline(world.device, picture->pipeline, NULL);
	vkDestroyPipelineLayout(world.device, picture->layout, NULL);
	vkDestroyDescriptorPool(world.device, picture->pool, NULL);
	vkDestroyDescriptorSetLayout(world.device, picture->set_layout, NULL);
	vkDestroyFramebuffer(world.device, picture->framebuffer, NULL);
	vkDestroyRenderPass(world.device, picture->pass, NULL);
	destroy_target(&picture->color);
	destroy_target(&picture->samples);
	destroy_target(&picture->depth);
	destroy_memory(&picture->vertices);
	destroy_memory(&picture->indices);
	destroy_memory(&picture->colors);
	destroy_memory(&picture->pixels);
}

/* ------------------------------------------------------------------ */
/* Drawing                                                              */

static void
wait_for_all(VkCommandBuffer commands, const struct picture *picture,
	     VkImageLayout before)
{
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask =
			VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = before,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = picture->color.image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};

	vkCmdPipelineBarrier(commands, all, all, 0, 0, NULL, 0, NULL, 1,
			     &barrier);
}

static void
bind_shape(VkCommandBuffer commands, const struct picture *picture,
	   VkDeviceSize offset)
{
	vkCmdBindVertexBuffers(commands, 0, 1, &picture->vertices.buffer,
			       &offset);
}

static void
bind_color(VkCommandBuffer commands, const struct picture *picture,
	   uint32_t offset)
{
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
				picture->layout, 0, 1, &picture->set, 1,
				&offset);
}

static void
push_color(VkCommandBuffer commands, const struct picture *picture, float red)
{
	const float color[4] = { red, 0.5f, 0.75f, 1 };

	vkCmdPushConstants(commands, picture->layout,
			   VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(color),
			   color);
}

static void
set_scissor(VkCommandBuffer commands, int32_t left)
{
	const VkRect2D scissor = { { left, 0 }, { SIDE / 2, SIDE - 2 } };

	vkCmdSetScissor(commands, 0, 1, &scissor);
}

static void
set_blend(VkCommandBuffer commands, float red)
{
	const float constants[4] = { red, 0.5f, 0.25f, 1 };

	vkCmdSetBlendConstants(commands, constants);
}

static void
set_all(VkCommandBuffer commands, const struct picture *picture)
{
	const VkViewport viewport = { 0, 0, SIDE, SIDE, 0, 1 };

	vkCmdSetViewport(commands, 0, 1, &viewport);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
			  picture->pipeline);
	vkCmdBindIndexBuffer(commands, picture->indices.buffer, 0,
			     VK_INDEX_TYPE_UINT16);
	bind_shape(commands, picture, 0);
	bind_color(commands, picture, 0);
	push_color(commands, picture, 0.5f);
	set_scissor(commands, 0);
	set_blend(commands, 0.5f);
}

/* Set some: each pass changes something, and finds the rest as it was. */
static void
set_some(VkCommandBuffer commands, const struct picture *picture, unsigned pass)
{
	switch (pass) {
	case 0:
		set_all(commands, picture);
		break;
	case 1:
		set_scissor(commands, SIDE / 4);
		bind_color(commands, picture, STEP);
		break;
	case 2:
		push_color(commands, picture, 0.25f);
		bind_shape(commands, picture, 32);
		break;
	default:
		set_blend(commands, 1);
		set_scissor(commands, SIDE / 3);
	}
}

static const VkClearValue clears[] = {
	{ .color = { .float32 = { 0, 0, 0.25f, 1 } } },
	{ .color = { .float32 = { 0 } } },
	{ .depthStencil = { 1, 0 } },
};

#define EXECUTING VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT

static void
begin_rendering(VkCommandBuffer commands, const struct picture *picture)
{
	const bool resolves = picture->manner->is_deep;
	const VkRenderingAttachmentInfo color = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView =
			resolves ? picture->samples.view : picture->color.view,
		.imageLayout = VK_IMAGE_LAYOUT_GENERAL,
		.resolveMode = resolves ? VK_RESOLVE_MODE_AVERAGE_BIT : 0,
		.resolveImageView = resolves ? picture->color.view : NULL,
		.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = resolves ? VK_ATTACHMENT_STORE_OP_DONT_CARE
				    : VK_ATTACHMENT_STORE_OP_STORE,
		.clearValue = clears[0],
	};
	const VkRenderingAttachmentInfo depth = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView = picture->depth.view,
		.imageLayout = VK_IMAGE_LAYOUT_GENERAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
		.clearValue = clears[2],
	};
	const VkRenderingInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.flags = picture->manner->drawn == CONTINUED ? EXECUTING : 0,
		.renderArea = { .extent = { SIDE, SIDE } },
		.layerCount = 1,
		.colorAttachmentCount = 1,
		.pColorAttachments = &color,
		.pDepthAttachment = picture->manner->is_deep ? &depth : NULL,
	};
	PFN_vkCmdBeginRendering begin =
		(PFN_vkCmdBeginRendering)vkGetDeviceProcAddr(
			world.device, "vkCmdBeginRenderingKHR");

	begin(commands, &info);
}

static void
begin_pass(VkCommandBuffer commands, const struct picture *picture)
{
	VkImageView views[3];
	const VkRenderPassAttachmentBeginInfo imageless = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
		.attachmentCount = 3,
		.pAttachments = views,
	};
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.pNext = picture->manner->pass == IMAGELESS ? &imageless : NULL,
		.renderPass = picture->pass,
		.framebuffer = picture->framebuffer,
		.renderArea = { .extent = { SIDE, SIDE } },
		.clearValueCount = 3,
		.pClearValues = clears,
	};

	list_views(picture, views);
	if (picture->manner->pass == RENDERING)
		begin_rendering(commands, picture);
	else
		vkCmdBeginRenderPass(
			commands, &info,
			picture->manner->drawn == CONTINUED
				? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
				: VK_SUBPASS_CONTENTS_INLINE);
}

static void
end_pass(VkCommandBuffer commands, const struct picture *picture)
{
	PFN_vkCmdEndRendering end = (PFN_vkCmdEndRendering)vkGetDeviceProcAddr(
		world.device, "vkCmdEndRenderingKHR");

	if (picture->manner->pass == RENDERING)
		end(commands);
	else
		vkCmdEndRenderPass(commands);
}

/* Draw a number of times, in one pass or each in its own. */
static void
draw_often(VkCommandBuffer commands, const struct picture *picture,
	   unsigned times)
{
	const bool is_each = picture->manner->pass == PASS_EACH;

	while (times--) {
		if (is_each)
			begin_pass(commands, picture);
		vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
		if (!is_each)
			continue;
		end_pass(commands, picture);
		wait_for_all(commands, picture, VK_IMAGE_LAYOUT_GENERAL);
	}
}

/* Samples of both types, whose ids follow each other. */
static uint32_t
begin_samples(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	const VkGpaSampleBeginInfoAMD timing = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
	};
	VkGpaPerfCounterAMD counters[MOST_ENGINES];
	const uint32_t count = choose_engines(counters);
	const uint32_t id =
		world_sample(&world, commands, session, counters, count);
	uint32_t next;

	must_succeed(
		world.CmdBeginGpaSample(commands, session, &timing, &next));
	ck_assert_uint_eq(next, id + 1);
	return id;
}

static void
end_samples(VkCommandBuffer commands, VkGpaSessionAMD session, uint32_t id)
{
	world.CmdEndGpaSample(commands, session, id + 1);
	world.CmdEndGpaSample(commands, session, id);
}

static void
draw_all(VkCommandBuffer commands, const struct picture *picture,
	 VkGpaSessionAMD session)
{
	uint32_t id = 0;

	for (unsigned i = 0; i < PASSES; i++) {
		set_some(commands, picture, i);
		if (session)
			id = begin_samples(commands, session);
		draw_often(commands, picture, i + 1);
		if (session)
			end_samples(commands, session, id);
	}
}

/* Begin a secondary command buffer that goes on with the pass of a picture. */
static VkCommandBuffer
begin_continued(const struct picture *picture)
{
	static const VkFormat format = FORMAT;
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = INHERITED_RENDERING,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
		.depthAttachmentFormat = picture->manner->is_deep
						 ? DEPTH_FORMAT
						 : VK_FORMAT_UNDEFINED,
		.rasterizationSamples = samples_of(picture),
	};
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.pNext = picture->pass ? NULL : &rendering,
		.renderPass = picture->pass,
		.framebuffer = picture->framebuffer,
	};

	return begin_secondary(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
			       &inheritance);
}

static void
draw_picture(VkCommandBuffer commands, const struct picture *picture,
	     VkGpaSessionAMD session)
{
	const bool is_each = picture->manner->pass == PASS_EACH;
	static const VkClearColorValue black = { .float32 = { 0, 0, 0, 1 } };
	const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
						0, 1 };
	VkCommandBuffer secondary;

	wait_for_all(commands, picture, VK_IMAGE_LAYOUT_UNDEFINED);
	vkCmdClearColorImage(commands, picture->color.image,
			     VK_IMAGE_LAYOUT_GENERAL, &black, 1, &range);
	wait_for_all(commands, picture, VK_IMAGE_LAYOUT_GENERAL);
	if (!is_each)
		begin_pass(commands, picture);
	if (picture->manner->drawn == CONTINUED) {
		secondary = begin_continued(picture);
		draw_all(secondary, picture, session);
		must_succeed(vkEndCommandBuffer(secondary));
		vkCmdExecuteCommands(commands, 1, &secondary);
	} else {
		draw_all(commands, picture, session);
	}
	if (is_each)
		return;
	end_pass(commands, picture);
	wait_for_all(commands, picture, VK_IMAGE_LAYOUT_GENERAL);
}

static void
copy_pixels(VkCommandBuffer commands, const struct picture *picture)
{
	const VkBufferImageCopy copy = {
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageExtent = { SIDE, SIDE, 1 },
	};

	vkCmdCopyImageToBuffer(commands, picture->color.image,
			       VK_IMAGE_LAYOUT_GENERAL, picture->pixels.buffer,
			       1, &copy);
}

/* Add up what the samples have of all engines. */
static void
count_waves(VkGpaSessionAMD session, uint64_t waves[PASSES])
{
	VkGpaPerfCounterAMD counters[MOST_ENGINES];
	const uint32_t count = choose_engines(counters);
	uint64_t values[MOST_ENGINES];

	for (unsigned i = 0; i < PASSES; i++) {
		world_results(&world, session, 2 * i + 1, values, 2);
		ck_assert_uint_gt(values[0], 0);
		ck_assert_uint_ge(values[1], values[0]);
		world_results(&world, session, 2 * i, values, count);
		waves[i] = 0;
		for (uint32_t k = 0; k < count; k++)
			waves[i] += values[k];
	}
}

static void
record_picture(VkCommandBuffer commands, const struct picture *picture,
	       VkGpaSessionAMD session)
{
	if (session)
		begin_session(commands, session);
	draw_picture(commands, picture, session);
	if (session)
		end_session(commands, session);
}

static void
execute_picture(VkCommandBuffer commands, const struct picture *picture,
		VkGpaSessionAMD session)
{
	VkCommandBuffer secondary = begin_secondary(0, NULL);

	record_picture(secondary, picture, session);
	must_succeed(vkEndCommandBuffer(secondary));
	vkCmdExecuteCommands(commands, 1, &secondary);
}

/*
 * Take a picture, with samples around all that is drawn with the same state
 * unless waves is NULL; as often as it is submitted.
 */
static void
take_picture(const struct picture *picture, uint64_t *waves,
	     uint32_t pixels[SIDE * SIDE])
{
	VkGpaSessionAMD session =
		waves ? world_session(&world) : VK_NULL_HANDLE;
	VkCommandBuffer commands = begin_primary();

	if (picture->manner->drawn == IN_SECONDARY)
		execute_picture(commands, picture, session);
	else
		record_picture(commands, picture, session);
	copy_pixels(commands, picture);
	must_succeed(vkEndCommandBuffer(commands));
	for (unsigned i = 0; i < 2; i++) {
		memset(picture->pixels.bytes, 0, SIDE * SIDE * sizeof(*pixels));
		run_commands(commands);
	}
	memcpy(pixels, picture->pixels.bytes, SIDE * SIDE * sizeof(*pixels));
	if (session)
		count_waves(session, waves);
	vkFreeCommandBuffers(world.device, world.pool, 1, &commands);
	if (session)
		destroy_session(session);
}

static unsigned
count_colors(const uint32_t pixels[SIDE * SIDE])
{
	unsigned count = 0;

	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		unsigned k = 0;

		while (pixels[k] != pixels[i])
			k++;
		count += k == i;
	}
	return count;
}

static const struct manner manners[] = {
	{ PASS_EACH, false, IN_PRIMARY },  { ONE_PASS, false, IN_PRIMARY },
	{ ONE_PASS, true, IN_PRIMARY },	   { ONE_PASS2, true, IN_PRIMARY },
	{ RENDERING, false, IN_PRIMARY },  { RENDERING, true, IN_PRIMARY },
	{ RENDERING, true, IN_SECONDARY }, { IMAGELESS, true, IN_PRIMARY },
	{ ONE_PASS, true, CONTINUED },	   { RENDERING, true, CONTINUED },
};

static void
open_cutting(void)
{
	setenv("DRMPERF_VK_CUT_PASSES", "1", 1);
	open_lavapipe();
	unsetenv("DRMPERF_VK_CUT_PASSES");
}

TEST_CASE(passes, open_cutting, close_world, "cuts");

static void
open_cutting_radv(void)
{
	setenv("DRMPERF_VK_CUT_PASSES", "1", 1);
	open_radv();
	unsetenv("DRMPERF_VK_CUT_PASSES");
}

TEST_CASE(radv, open_cutting_radv, close_world, "cuts_radv");

TEST_CASE(lavapipe, open_lavapipe, close_world, "cuts");

/* Pixel by pixel. */
TEST_LOOP(lavapipe, pictures_stay_as_they_are, 1)
{
	uint32_t whole[SIDE * SIDE], cut[SIDE * SIDE];
	struct picture picture = { 0 };
	uint64_t waves[PASSES];

	create_picture(&picture, &manners[_i]);
	take_picture(&picture, NULL, whole);
	take_picture(&picture, waves, cut);
	/* what is cleared, and where what is drawn overlaps */
	ck_assert_uint_gt(count_colors(whole), 2);
	ck_assert_mem_eq(whole, cut, sizeof(whole));
	destroy_picture(&picture);
}
TEST_ALSO(passes, pictures_stay_as_they_are, ARRAY_SIZE(manners));

/* What is in the way of a cut in a pass. */
enum obstacle {
	SUBPASSES,
	INPUT,
	ALIAS,
	KEPT,
	QUERY,
	OBSTACLES
};

static VkRenderPass
create_uncut_pass(enum obstacle obstacle)
{
	VkAttachmentDescription attachment = describe_kept();
	const VkAttachmentReference reference = { 0, VK_IMAGE_LAYOUT_GENERAL };
	const VkSubpassDescription subpass = {
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
		.inputAttachmentCount = obstacle == INPUT,
		.pInputAttachments = &reference,
		.colorAttachmentCount = 1,
		.pColorAttachments = &reference,
	};
	const VkSubpassDescription subpasses[] = {
		subpass, { .pipelineBindPoint = subpass.pipelineBindPoint }
	};
	const VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = 1,
		.pAttachments = &attachment,
		.subpassCount = obstacle == SUBPASSES ? 2 : 1,
		.pSubpasses = subpasses,
	};
	VkRenderPass pass;

	if (obstacle == ALIAS)
		attachment.flags = VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT;
	if (obstacle == KEPT)
		attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
	must_succeed(vkCreateRenderPass(world.device, &info, NULL, &pass));
	return pass;
}

static VkQueryPool
begin_query(VkCommandBuffer commands)
{
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION,
		.queryCount = 1,
	};
	VkQueryPool queries;

	must_succeed(vkCreateQueryPool(world.device, &info, NULL, &queries));
	vkCmdResetQueryPool(commands, queries, 0, 1);
	vkCmdBeginQuery(commands, queries, 0, 0);
	return queries;
}

static void
refuse_sample(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);

	ck_assert_int_eq(try_sample(commands, session,
				    (VkGpaSampleBeginInfoAMD){
					    .perfCounterCount = 1,
					    .pPerfCounters = &counter }),
			 VK_ERROR_FEATURE_NOT_PRESENT);
}

/* They are drawn as they are, and no sample begins in them. */
TEST_LOOP(passes, passes_that_cannot_be_cut_are_refused, OBSTACLES)
{
	const enum obstacle obstacle = (enum obstacle)_i;
	const VkClearAttachment clear = { VK_IMAGE_ASPECT_COLOR_BIT, 0,
					  clears[0] };
	const VkClearRect all = { { .extent = { SIDE, SIDE } }, 0, 1 };
	struct picture picture = { .manner = &manners[0] };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	VkQueryPool queries = VK_NULL_HANDLE;

	create_targets(&picture);
	picture.pass = create_uncut_pass(obstacle);
	create_framebuffer(&picture);
	begin_session(commands, session);
	wait_for_all(commands, &picture, VK_IMAGE_LAYOUT_UNDEFINED);
	if (obstacle == QUERY)
		queries = begin_query(commands);
	begin_pass(commands, &picture);
	vkCmdClearAttachments(commands, 1, &clear, 1, &all);
	refuse_sample(commands, session);
	if (obstacle != QUERY)
		refuse_sample(begin_continued(&picture), session);
	if (obstacle == SUBPASSES)
		vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
	end_pass(commands, &picture);
	if (queries)
		vkCmdEndQuery(commands, queries, 0);
	run_session(commands, session);
	vkDestroyQueryPool(world.device, queries, NULL);
	vkDestroyFramebuffer(world.device, picture.framebuffer, NULL);
	vkDestroyRenderPass(world.device, picture.pass, NULL);
	destroy_target(&picture.color);
}

/* The pass that is inherited can be cut, and the one that executes cannot: it
 * is compatible with the former. */
TEST(passes, samples_fail_where_the_pass_is_not_cut)
{
	static const struct manner manner = { ONE_PASS, false, CONTINUED };
	const VkGpaPerfCounterAMD counter = waves_of(0);
	const VkClearAttachment clear = { VK_IMAGE_ASPECT_COLOR_BIT, 0,
					  clears[0] };
	const VkClearRect all = { { .extent = { SIDE, SIDE } }, 0, 1 };
	const VkRenderPass plain = create_uncut_pass(OBSTACLES);
	struct picture picture = { .manner = &manner, .pass = plain };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world), secondary;
	uint32_t id;

	create_targets(&picture);
	create_framebuffer(&picture);
	begin_session(commands, session);
	wait_for_all(commands, &picture, VK_IMAGE_LAYOUT_UNDEFINED);
	secondary = begin_continued(&picture);
	vkCmdClearAttachments(secondary, 1, &clear, 1, &all);
	id = world_sample(&world, secondary, session, &counter, 1);
	vkCmdClearAttachments(secondary, 1, &clear, 1, &all);
	world.CmdEndGpaSample(secondary, session, id);
	must_succeed(vkEndCommandBuffer(secondary));
	picture.pass = create_uncut_pass(KEPT);
	begin_pass(commands, &picture);
	vkCmdExecuteCommands(commands, 1, &secondary);
	end_pass(commands, &picture);
	run_session(commands, session);
	ck_assert_int_eq(read_sample(session, id),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	vkDestroyFramebuffer(world.device, picture.framebuffer, NULL);
	vkDestroyRenderPass(world.device, picture.pass, NULL);
	vkDestroyRenderPass(world.device, plain, NULL);
	destroy_target(&picture.color);
}

/* A simulated GPU draws nothing, but each draw has a wave. */
TEST_LOOP(radv, draws_of_a_pass_are_counted_apart, ARRAY_SIZE(manners))
{
	struct picture picture = { 0 };
	uint32_t pixels[SIDE * SIDE];
	uint64_t waves[PASSES];

	create_picture(&picture, &manners[_i]);
	take_picture(&picture, waves, pixels);
	for (unsigned i = 0; i < PASSES; i++)
		ck_assert_uint_eq(waves[i], i + 1);
	destroy_picture(&picture);
}

TEST_MACHINE("cuts", "--strict", "--time", "virtual", "--gpu", "vega10");
TEST_MACHINE("cuts_radv", "--strict", "--gpu", "vega10");
TEST_MACHINE("cuts_radv", "--strict", "--gpu", "navi21");
TEST_MACHINE("cuts_radv", "--strict", "--gpu", "navi31");
