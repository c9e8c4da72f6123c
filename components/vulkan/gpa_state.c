/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_state.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gpa_commands.h"
#include "gpa_template.h"

/* What was pointed to. */
struct block {
	struct block *next;
	alignas(max_align_t) char bytes[];
};

/* The elements from one up to another, of something. */
struct extent {
	uint64_t of[2];
	uint64_t from, to;
	/* descriptors that were pushed */
	const VkWriteDescriptorSet *writes;
	bool in_pass; /* it lasts as long as the render pass */
};

struct gpa_state_call {
	struct gpa_state_call *next;
	void (*make)(const struct gpa_device_functions *next,
		     VkCommandBuffer buffer, const void *parameters);
	struct extent extent;
	struct block *blocks;
	bool is_whole; /* all that was pointed to was copied */
	alignas(max_align_t) char parameters[];
};

/* ------------------------------------------------------------------ */
/* Calls                                                                */

static void
call_destroy(struct gpa_state_call *call)
{
	while (call->blocks) {
		struct block *block = call->blocks;

		call->blocks = block->next;
		free(block);
	}
	free(call);
}

/* Return a copy that lives as long as the call, or NULL if there is none. */
static void *
call_copy(struct gpa_state_call *call, const void *from, size_t size)
{
	struct block *block;

	if (!from || !size)
		return NULL;
	block = malloc(sizeof(*block) + size);
	if (!block) {
		call->is_whole = false;
		return NULL;
	}
	memcpy(block->bytes, from, size);
	block->next = call->blocks;
	call->blocks = block;
	return block->bytes;
}

/* Copy what a write of descriptors points to. */
static void
call_copy_write(struct gpa_state_call *call, VkWriteDescriptorSet *write)
{
	const size_t count = write->descriptorCount;

	call->is_whole &= !write->pNext;
	switch (write->descriptorType) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		write->pImageInfo =
			call_copy(call, write->pImageInfo,
				  count * sizeof(*write->pImageInfo));
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		write->pTexelBufferView =
			call_copy(call, write->pTexelBufferView,
				  count * sizeof(*write->pTexelBufferView));
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		write->pBufferInfo =
			call_copy(call, write->pBufferInfo,
				  count * sizeof(*write->pBufferInfo));
		break;
	default:
		call->is_whole = false;
	}
}

static const VkWriteDescriptorSet *
call_copy_writes(struct gpa_state_call *call,
		 const VkWriteDescriptorSet *writes, uint32_t count)
{
	VkWriteDescriptorSet *copy =
		call_copy(call, writes, count * sizeof(*writes));

	for (uint32_t i = 0; copy && i < count; i++)
		call_copy_write(call, &copy[i]);
	return copy;
}

#if defined(VK_KHR_maintenance6) || defined(VK_KHR_dynamic_rendering_local_read)

/* Copy a structure, without those that it is chained to. */
static void *
call_copy_info(struct gpa_state_call *call, const void *info, size_t size)
{
	const VkBaseInStructure *its = info;

	call->is_whole &= !its->pNext;
	return call_copy(call, info, size);
}

/* Copy what a member of a copy points to. */
#define COPY_LIST(list, count)                                                 \
	(list) = call_copy(call, list, (size_t)(count) * sizeof(*(list)))

#endif

#ifdef VK_KHR_maintenance6

static const VkBindDescriptorSetsInfoKHR *
call_copy_sets(struct gpa_state_call *call,
	       const VkBindDescriptorSetsInfoKHR *info)
{
	VkBindDescriptorSetsInfoKHR *copy =
		call_copy_info(call, info, sizeof(*info));

	if (!copy)
		return NULL;
	COPY_LIST(copy->pDescriptorSets, copy->descriptorSetCount);
	COPY_LIST(copy->pDynamicOffsets, copy->dynamicOffsetCount);
	return copy;
}

static const VkPushConstantsInfoKHR *
call_copy_constants(struct gpa_state_call *call,
		    const VkPushConstantsInfoKHR *info)
{
	VkPushConstantsInfoKHR *copy =
		call_copy_info(call, info, sizeof(*info));

	if (copy)
		copy->pValues = call_copy(call, copy->pValues, copy->size);
	return copy;
}

static const VkPushDescriptorSetInfoKHR *
call_copy_pushed(struct gpa_state_call *call,
		 const VkPushDescriptorSetInfoKHR *info)
{
	VkPushDescriptorSetInfoKHR *copy =
		call_copy_info(call, info, sizeof(*info));

	if (copy)
		copy->pDescriptorWrites =
			call_copy_writes(call, copy->pDescriptorWrites,
					 copy->descriptorWriteCount);
	return copy;
}

#endif

#ifdef VK_KHR_dynamic_rendering_local_read

static const VkRenderingAttachmentLocationInfoKHR *
call_copy_locations(struct gpa_state_call *call,
		    const VkRenderingAttachmentLocationInfoKHR *info)
{
	VkRenderingAttachmentLocationInfoKHR *copy =
		call_copy_info(call, info, sizeof(*info));

	if (copy)
		COPY_LIST(copy->pColorAttachmentLocations,
			  copy->colorAttachmentCount);
	return copy;
}

static const VkRenderingInputAttachmentIndexInfoKHR *
call_copy_indices(struct gpa_state_call *call,
		  const VkRenderingInputAttachmentIndexInfoKHR *info)
{
	VkRenderingInputAttachmentIndexInfoKHR *copy =
		call_copy_info(call, info, sizeof(*info));

	if (!copy)
		return NULL;
	COPY_LIST(copy->pColorAttachmentInputIndices,
		  copy->colorAttachmentCount);
	COPY_LIST(copy->pDepthInputAttachmentIndex, 1);
	COPY_LIST(copy->pStencilInputAttachmentIndex, 1);
	return copy;
}

#endif

#ifdef VK_EXT_depth_bias_control

static const VkDepthBiasInfoEXT *
call_copy_depth_bias(struct gpa_state_call *call,
		     const VkDepthBiasInfoEXT *info)
{
	const VkBaseInStructure *chain = info->pNext;
	VkDepthBiasInfoEXT *copy = call_copy(call, info, sizeof(*info));

	if (!copy || !chain)
		return copy;
	call->is_whole &=
		!chain->pNext &&
		chain->sType ==
			VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT;
	copy->pNext = call_copy(call, chain,
				sizeof(VkDepthBiasRepresentationInfoEXT));
	return copy;
}

#endif

/* ------------------------------------------------------------------ */
/* Logs                                                                 */

static bool
writes_replace(const struct extent *newer, const struct extent *older)
{
	if (!newer->writes || newer->to != older->to)
		return false;
	for (uint64_t i = 0; i < newer->to; i++) {
		const VkWriteDescriptorSet *its = &newer->writes[i];
		const VkWriteDescriptorSet *other = &older->writes[i];

		if (its->dstBinding != other->dstBinding ||
		    its->dstArrayElement != other->dstArrayElement ||
		    its->descriptorCount != other->descriptorCount)
			return false;
	}
	return true;
}

static bool
call_replaces(const struct gpa_state_call *newer,
	      const struct gpa_state_call *older)
{
	const struct extent *its = &newer->extent, *other = &older->extent;

	if (newer->make != older->make || its->of[0] != other->of[0] ||
	    its->of[1] != other->of[1])
		return false;
	if (other->writes)
		return writes_replace(its, other);
	return its->from <= other->from && its->to >= other->to;
}

/* Append the call, and forget those that it replaces. */
static void
commands_log(struct gpa_commands *commands, struct gpa_state_call *call,
	     const char *name)
{
	struct gpa_state_call **at = &commands->state;

	if (!call->is_whole)
		commands->foreign = name;
	while (*at) {
		struct gpa_state_call *other = *at;

		if (call_replaces(call, other)) {
			*at = other->next;
			call_destroy(other);
		} else {
			at = &other->next;
		}
	}
	*at = call;
}

/* Return a call to be filled, or NULL: no memory. */
static struct gpa_state_call *
commands_new_call(struct gpa_commands *commands, size_t size, const char *name)
{
	struct gpa_state_call *call;

	if (!commands)
		return NULL;
	call = calloc(1, sizeof(*call) + size);
	if (call)
		call->is_whole = true;
	else
		commands->foreign = name;
	return call;
}

void
gpa_state_set_again(const struct gpa_commands *commands, bool in_pass)
{
	for (const struct gpa_state_call *call = commands->state; call;
	     call = call->next) {
		if (call->extent.in_pass == in_pass)
			call->make(&commands->device->next, commands->current,
				   call->parameters);
	}
}

static void
commands_forget(struct gpa_commands *commands, bool in_pass)
{
	struct gpa_state_call **at = &commands->state;

	while (*at) {
		struct gpa_state_call *call = *at;

		if (call->extent.in_pass != in_pass) {
			at = &call->next;
			continue;
		}
		*at = call->next;
		call_destroy(call);
	}
}

void
gpa_state_forget_pass(struct gpa_commands *commands)
{
	commands_forget(commands, true);
}

void
gpa_state_forget(struct gpa_commands *commands)
{
	commands_forget(commands, true);
	commands_forget(commands, false);
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

#define FIELDS_1(A) A a;
#define FIELDS_2(A, B) FIELDS_1(A) B b;
#define FIELDS_3(A, B, C) FIELDS_2(A, B) C c;
#define FIELDS_4(A, B, C, D) FIELDS_3(A, B, C) D d;
#define FIELDS_5(A, B, C, D, E) FIELDS_4(A, B, C, D) E e;
#define FIELDS_6(A, B, C, D, E, F) FIELDS_5(A, B, C, D, E) F f;
#define FIELDS_7(A, B, C, D, E, F, G) FIELDS_6(A, B, C, D, E, F) G g;

#define TYPED_1(A) A a
#define TYPED_2(A, B) TYPED_1(A), B b
#define TYPED_3(A, B, C) TYPED_2(A, B), C c
#define TYPED_4(A, B, C, D) TYPED_3(A, B, C), D d
#define TYPED_5(A, B, C, D, E) TYPED_4(A, B, C, D), E e
#define TYPED_6(A, B, C, D, E, F) TYPED_5(A, B, C, D, E), F f
#define TYPED_7(A, B, C, D, E, F, G) TYPED_6(A, B, C, D, E, F), G g

/* Parameters, each behind a prefix that may be empty. */
#define NAMES_1(p) p a
#define NAMES_2(p) NAMES_1(p), p b
#define NAMES_3(p) NAMES_2(p), p c
#define NAMES_4(p) NAMES_3(p), p d
#define NAMES_5(p) NAMES_4(p), p e
#define NAMES_6(p) NAMES_5(p), p f
#define NAMES_7(p) NAMES_6(p), p g

/* What a call replaces. */
#define ALL .to = 1
#define PART(what, first, count)                                               \
	.of = { (uint64_t)(what) }, .from = (first),                           \
	.to = (uint64_t)(first) + (count)
#define FACES(mask)                                                            \
	.from = !((mask)&VK_STENCIL_FACE_FRONT_BIT),                           \
	.to = 1 + !!((mask)&VK_STENCIL_FACE_BACK_BIT)
#define BYTES(layout, stages, first, count)                                    \
	.of = { (uint64_t)(uintptr_t)(layout), (stages) }, .from = (first),    \
	.to = (uint64_t)(first) + (count)
#define PUSHED                                                                 \
	.of = { (uint64_t)(a) | (uint64_t)(c) << 32,                           \
		(uint64_t)(uintptr_t)(b) },                                    \
	.to = (d), .writes = copy->e
#define PUSHED_2                                                               \
	.of = { a->stageFlags | (uint64_t)a->set << 32,                        \
		(uint64_t)(uintptr_t)a->layout },                              \
	.to = a->descriptorWriteCount,                                         \
	.writes = copy->a ? copy->a->pDescriptorWrites : NULL
#define IN_PASS .to = 1, .in_pass = true

/* What is copied. */
#define NOTHING
#define LIST_OF(list, count, type)                                             \
	copy->list = call_copy(call, list, (size_t)(count) * sizeof(type));
#define LIST(list, count) LIST_OF(list, count, *(list))
#define WRITES(list, count) copy->list = call_copy_writes(call, list, count);
#define COPY(info, kind) copy->info = call_copy_##kind(call, info);

#ifdef VK_EXT_shader_object
static uint64_t
stages_of(const VkShaderStageFlagBits *list, uint32_t count)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < count; i++)
		all |= (uint64_t)list[i];
	return all;
}
#endif

#define X(name, number, extent_, copies, ...)                                  \
	struct name##_parameters {                                             \
		FIELDS_##number(__VA_ARGS__)                                   \
	};                                                                     \
	static void make_##name(const struct gpa_device_functions *next,       \
				VkCommandBuffer buffer,                        \
				const void *parameters)                        \
	{                                                                      \
		const struct name##_parameters *its = parameters;              \
		next->name(buffer, NAMES_##number(its->));                     \
	}                                                                      \
	static VKAPI_ATTR void VKAPI_CALL set_##name(                          \
		VkCommandBuffer buffer, TYPED_##number(__VA_ARGS__))           \
	{                                                                      \
		struct gpa_device *device = gpa_device_of(buffer);             \
		struct gpa_commands *commands =                                \
			gpa_commands_of(device, buffer);                       \
		struct gpa_state_call *call = commands_new_call(               \
			commands, sizeof(struct name##_parameters),            \
			"vk" #name);                                           \
                                                                               \
		device->next.name(gpa_commands_current(commands, buffer),      \
				  NAMES_##number());                           \
		if (call) {                                                    \
			struct name##_parameters *copy =                       \
				(void *)call->parameters;                      \
                                                                               \
			*copy = (struct name##_parameters){                    \
				NAMES_##number()                               \
			};                                                     \
			copies call->make = make_##name;                       \
			call->extent = (struct extent){ extent_ };             \
			commands_log(commands, call, "vk" #name);              \
		}                                                              \
	}
GPA_STATE(X)
#undef X

/* Keep descriptors that were pushed by a template. */
static void
commands_log_pushed(struct gpa_commands *commands, VkPipelineLayout layout,
		    uint32_t set, const struct gpa_template_writes *writes,
		    const char *name)
{
	struct CmdPushDescriptorSetKHR_parameters *its;
	struct gpa_state_call *call =
		commands_new_call(commands, sizeof(*its), name);

	if (!call)
		return;
	its = (void *)call->parameters;
	its->a = writes->point;
	its->b = layout;
	its->c = set;
	its->d = writes->count;
	its->e = call_copy_writes(call, writes->list, writes->count);
	call->make = make_CmdPushDescriptorSetKHR;
	call->extent = (struct extent){
		.of = { (uint64_t)its->a | (uint64_t)set << 32,
			(uint64_t)(uintptr_t)layout },
		.to = its->d,
		.writes = its->e,
	};
	commands_log(commands, call, name);
}

static void
commands_log_template(struct gpa_commands *commands,
		      VkDescriptorUpdateTemplate template,
		      VkPipelineLayout layout, uint32_t set, const void *data,
		      const char *name)
{
	struct gpa_template_writes writes;

	if (gpa_template_write(commands->device, template, data, &writes)) {
		commands_log_pushed(commands, layout, set, &writes, name);
		gpa_template_forget(&writes);
	} else {
		commands->foreign = name;
	}
}

#define X(name, parameters, arguments, template, layout, set, data, chain)     \
	static VKAPI_ATTR void VKAPI_CALL set_##name parameters                \
	{                                                                      \
		struct gpa_device *device = gpa_device_of(buffer);             \
		struct gpa_commands *commands =                                \
			gpa_commands_of(device, buffer);                       \
                                                                               \
		if (commands)                                                  \
			commands_log_template(commands, template, layout, set, \
					      data, "vk" #name);               \
		if (commands && (chain))                                       \
			commands->foreign = "vk" #name;                        \
		buffer = gpa_commands_current(commands, buffer);               \
		device->next.name arguments;                                   \
	}
GPA_TEMPLATES(X)
#undef X

#define X(name, parameters, arguments)                                         \
	static VKAPI_ATTR void VKAPI_CALL set_##name parameters                \
	{                                                                      \
		struct gpa_device *device = gpa_device_of(buffer);             \
		struct gpa_commands *commands =                                \
			gpa_commands_of(device, buffer);                       \
                                                                               \
		if (commands)                                                  \
			commands->foreign = "vk" #name;                        \
		buffer = gpa_commands_current(commands, buffer);               \
		device->next.name arguments;                                   \
	}
GPA_FOREIGN(X)
#undef X

/*
 * Return the command buffer of a label: those of secondary ones have to end in
 * the same one.
 */
static VkCommandBuffer
buffer_label(struct gpa_device *device, VkCommandBuffer buffer,
	     const char *name)
{
	struct gpa_commands *commands = gpa_commands_of(device, buffer);

	if (commands && !commands->is_primary) {
		commands->open_scopes += strstr(name, "Begin") != NULL;
		commands->open_scopes -= strstr(name, "End") != NULL;
	}
	return gpa_commands_current(commands, buffer);
}

#define X(name, parameters, arguments)                                         \
	static VKAPI_ATTR void VKAPI_CALL set_##name parameters                \
	{                                                                      \
		struct gpa_device *device = gpa_device_of(buffer);             \
                                                                               \
		buffer = buffer_label(device, buffer, #name);                  \
		device->next.name arguments;                                   \
	}
GPA_LABELS(X)
#undef X

#define X(name, ...)                                                           \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&set_##name),   \
						    PFN_vk##name),             \
		       "vk" #name " has other parameters in vulkan_core.h");
GPA_STATE(X)
GPA_TEMPLATES(X)
GPA_FOREIGN(X)
GPA_LABELS(X)
#undef X

/* ------------------------------------------------------------------ */
/* By name                                                              */

static const struct gpa_function functions[] = {
#define X(name, ...) { "vk" #name, (PFN_vkVoidFunction)set_##name },
	GPA_STATE(X) GPA_TEMPLATES(X) GPA_FOREIGN(X) GPA_LABELS(X)
#undef X
#define X(alias, name) { "vk" #alias, (PFN_vkVoidFunction)set_##name },
		GPA_STATE_ALIASES(X) GPA_TEMPLATES_ALIASES(X)
			GPA_FOREIGN_ALIASES(X)
#undef X
};

PFN_vkVoidFunction
gpa_state_function(const char *name)
{
	return GPA_FUNCTION_FIND(functions, name);
}
