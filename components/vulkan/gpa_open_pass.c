/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_open_pass.h"

#include <stdlib.h>
#include <string.h>

#include "gpa_commands.h"

static uint32_t
rendering_attachments(const VkRenderingInfo *info)
{
	return info->colorAttachmentCount + 2;
}

/* Begin a part of a pass without an object. */
static void
commands_begin_rendering(const struct gpa_commands *commands,
			 enum gpa_pass_part part)
{
	VkRenderingInfo info = commands->pass.rendering;
	const VkRenderingAttachmentInfo *list =
		&commands->pass
			 .attachments[part * rendering_attachments(&info)];

	info.pColorAttachments = list;
	list += info.colorAttachmentCount;
	if (info.pDepthAttachment)
		info.pDepthAttachment = &list[0];
	if (info.pStencilAttachment)
		info.pStencilAttachment = &list[1];
	commands->device->next.CmdBeginRendering(commands->current, &info);
}

static void
commands_begin_part(const struct gpa_commands *commands,
		    enum gpa_pass_part part)
{
	VkRenderPassBeginInfo info = commands->pass.begin;

	if (commands->pass.attachments) {
		commands_begin_rendering(commands, part);
		return;
	}
	info.renderPass = commands->pass.parts[part];
	info.pNext = commands->pass.views ? &commands->pass.imageless : NULL;
	if (part != GPA_PASS_FIRST)
		info.clearValueCount = 0;
	commands->device->next.CmdBeginRenderPass(commands->current, &info,
						  commands->pass.contents);
}

/* Note why a pass that has begun cannot be cut. */
static bool
commands_refuse_pass(struct gpa_commands *commands, const char *uncut)
{
	commands->pass.uncut = uncut;
	return false;
}

/*
 * Copy the views of a framebuffer without images. False: there is something
 * else, or no memory.
 */
static bool
open_pass_copy_views(struct gpa_open_pass *pass,
		     const VkRenderPassBeginInfo *info)
{
	const VkRenderPassAttachmentBeginInfo *its = info->pNext;
	VkImageView *views;

	if (!its)
		return true;
	if (its->sType != VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO ||
	    its->pNext)
		return false;
	views = calloc(its->attachmentCount + 1, sizeof(*views));
	if (!views)
		return false;
	for (uint32_t i = 0; i < its->attachmentCount; i++)
		views[i] = its->pAttachments[i];
	pass->views = views;
	pass->imageless = *its;
	pass->imageless.pAttachments = views;
	return true;
}

/* One that the layer does not see might end the pass before its last part. */
static const char *
device_why_uncut(const struct gpa_device *device)
{
	return device->has_unknown_command || device->has_unknown_state
		       ? "the layer does not know all commands of the driver"
		       : NULL;
}

bool
gpa_open_pass_begin(struct gpa_commands *commands,
		    const VkRenderPassBeginInfo *info,
		    const VkSubpassBeginInfo *subpass)
{
	const struct gpa_pass *its = gpa_map_get(&commands->device->passes,
						 GPA_KEY(info->renderPass));
	const char *unknown = device_why_uncut(commands->device);

	gpa_open_pass_forget(commands);
	if (!its)
		return false;
	if (unknown)
		return commands_refuse_pass(commands, unknown);
	if (its->uncut)
		return commands_refuse_pass(commands, its->uncut);
	if (subpass->pNext || !open_pass_copy_views(&commands->pass, info))
		return commands_refuse_pass(commands, gpa_pass_chained);
	commands->pass.can_be_cut = true;
	commands->pass.contents = subpass->contents;
	commands->pass.begin = *info;
	memcpy(commands->pass.parts, its->parts, sizeof(its->parts));
	commands->pass.has_last = its->parts[GPA_PASS_LAST];
	commands_begin_part(commands, GPA_PASS_FIRST);
	return true;
}

/* What cannot be written need not be stored: it is the same behind a cut. */
static bool
attachment_is_read_only(const VkRenderingAttachmentInfo *it)
{
	if (it->loadOp != VK_ATTACHMENT_LOAD_OP_LOAD ||
	    it->storeOp != VK_ATTACHMENT_STORE_OP_NONE)
		return false;
	switch (it->imageLayout) {
	case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
	case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
	case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
	case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
		return true;
	default:
		return false;
	}
}

static const char *
rendering_why_uncut(const VkRenderingInfo *info,
		    const VkRenderingAttachmentInfo *list)
{
	if (info->flags &
	    (VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT))
		return "the render pass is suspended or resumed";
	if (info->pNext)
		return gpa_pass_chained;
	for (uint32_t i = 0; i < rendering_attachments(info); i++) {
		if (list[i].pNext)
			return gpa_pass_chained;
		if (!gpa_pass_ops_can_be_cut(list[i].loadOp, list[i].storeOp) &&
		    !attachment_is_read_only(&list[i]))
			return gpa_pass_kept;
	}
	return NULL;
}

static void
rendering_set_part(VkRenderingAttachmentInfo *it, enum gpa_pass_part part)
{
	if (part != GPA_PASS_FIRST)
		it->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
	if (part == GPA_PASS_LAST)
		return;
	if (it->storeOp != VK_ATTACHMENT_STORE_OP_NONE)
		it->storeOp = VK_ATTACHMENT_STORE_OP_STORE;
	it->resolveMode = VK_RESOLVE_MODE_NONE;
	it->resolveImageView = VK_NULL_HANDLE;
}

/* Copy the attachments as they are. */
static VkRenderingAttachmentInfo *
rendering_copy(const VkRenderingInfo *info)
{
	const uint32_t colors = info->colorAttachmentCount;
	VkRenderingAttachmentInfo *list =
		calloc((size_t)GPA_PASS_PARTS * rendering_attachments(info),
		       sizeof(*list));

	if (list && colors)
		memcpy(list, info->pColorAttachments, colors * sizeof(*list));
	if (list && info->pDepthAttachment)
		list[colors] = *info->pDepthAttachment;
	if (list && info->pStencilAttachment)
		list[colors + 1] = *info->pStencilAttachment;
	return list;
}

static void
open_pass_set_attachments(struct gpa_open_pass *pass)
{
	const uint32_t count = rendering_attachments(&pass->rendering);
	VkRenderingAttachmentInfo *list = pass->attachments;

	for (uint32_t i = GPA_PASS_PARTS * count; i-- > 0;) {
		list[i] = list[i % count];
		pass->has_last |= list[i].imageView && list[i].resolveMode;
		rendering_set_part(&list[i], (enum gpa_pass_part)(i / count));
	}
}

bool
gpa_open_pass_begin_rendering(struct gpa_commands *commands,
			      const VkRenderingInfo *info)
{
	VkRenderingAttachmentInfo *list;
	const char *uncut;

	gpa_open_pass_forget(commands);
	if (!commands->device->cuts_passes)
		return false;
	list = rendering_copy(info);
	uncut = device_why_uncut(commands->device);
	if (!uncut)
		uncut = list ? rendering_why_uncut(info, list)
			     : "memory is short";
	if (uncut) {
		free(list);
		return commands_refuse_pass(commands, uncut);
	}
	commands->pass.can_be_cut = true;
	commands->pass.attachments = list;
	commands->pass.rendering = *info;
	open_pass_set_attachments(&commands->pass);
	commands_begin_part(commands, GPA_PASS_FIRST);
	return true;
}

void
gpa_open_pass_continue(struct gpa_commands *commands)
{
	const VkRenderPass object = commands->inheritance.renderPass;
	const struct gpa_pass *its = NULL;

	if (object)
		its = gpa_map_get(&commands->device->passes, GPA_KEY(object));
	if (!commands->device->cuts_passes || (object && !its))
		return;
	commands->pass.uncut = its ? its->uncut : NULL;
	commands->pass.can_be_cut = !commands->pass.uncut;
	commands->pass.is_continued = true;
}

void
gpa_open_pass_leave(const struct gpa_commands *commands)
{
	const struct gpa_device_functions *next = &commands->device->next;

	if (commands->pass.is_continued)
		return;
	if (commands->pass.attachments)
		next->CmdEndRendering(commands->current);
	else
		next->CmdEndRenderPass(commands->current);
}

/* Begin another part, which finds what the one before has drawn. */
static void
commands_begin_later_part(const struct gpa_commands *commands,
			  enum gpa_pass_part part)
{
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask =
			VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};

	commands->device->next.CmdPipelineBarrier(
		commands->current, all, all, 0, 1, &barrier, 0, NULL, 0, NULL);
	commands_begin_part(commands, part);
}

void
gpa_open_pass_go_on(const struct gpa_commands *commands)
{
	if (!commands->pass.is_continued)
		commands_begin_later_part(commands, GPA_PASS_MIDDLE);
}

void
gpa_open_pass_end(struct gpa_commands *commands)
{
	gpa_open_pass_leave(commands);
	if (commands->pass.has_last) {
		commands_begin_later_part(commands, GPA_PASS_LAST);
		gpa_open_pass_leave(commands);
	}
	gpa_open_pass_forget(commands);
}

void
gpa_open_pass_forget(struct gpa_commands *commands)
{
	free(commands->pass.attachments);
	free(commands->pass.views);
	commands->pass = (struct gpa_open_pass){ 0 };
}
