/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_pass.h"

#include <stdlib.h>

#include "gpa_device.h"

/* ------------------------------------------------------------------ */
/* What can be cut                                                      */

const char gpa_pass_chained[] = "a render pass has structures in pNext";
const char gpa_pass_kept[] = "an attachment is neither loaded nor stored, or "
			     "shares its memory";
static const char several[] = "the render pass has several subpasses";
static const char input[] = "the render pass has input attachments";

bool
gpa_pass_ops_can_be_cut(VkAttachmentLoadOp load, VkAttachmentStoreOp store)
{
	return load <= VK_ATTACHMENT_LOAD_OP_DONT_CARE &&
	       store <= VK_ATTACHMENT_STORE_OP_DONT_CARE;
}

static const char *
info_why_uncut(const VkRenderPassCreateInfo *info)
{
	const VkBaseInStructure *chain = info->pNext;

	while (chain &&
	       chain->sType ==
		       VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)
		chain = chain->pNext;
	if (chain || info->flags)
		return gpa_pass_chained;
	if (info->subpassCount != 1)
		return several;
	if (info->pSubpasses->inputAttachmentCount)
		return input;
	for (uint32_t i = 0; i < info->attachmentCount; i++) {
		const VkAttachmentDescription *it = &info->pAttachments[i];

		if (it->flags ||
		    !gpa_pass_ops_can_be_cut(it->loadOp, it->storeOp) ||
		    !gpa_pass_ops_can_be_cut(it->stencilLoadOp,
					     it->stencilStoreOp))
			return gpa_pass_kept;
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Parts of render pass objects                                         */

static void
attachment_set_part(VkAttachmentDescription *it, VkImageLayout at_cut,
		    enum gpa_pass_part part)
{
	if (part != GPA_PASS_FIRST) {
		it->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
		it->stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
		it->initialLayout = at_cut;
	}
	if (part != GPA_PASS_LAST) {
		it->storeOp = VK_ATTACHMENT_STORE_OP_STORE;
		it->stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
		it->finalLayout = at_cut;
	}
}

static void
layouts_refer(VkImageLayout *layouts, const VkAttachmentReference *list,
	      uint32_t count)
{
	for (uint32_t i = 0; list && i < count; i++) {
		if (list[i].attachment != VK_ATTACHMENT_UNUSED)
			layouts[list[i].attachment] = list[i].layout;
	}
}

/*
 * Fill in the layout of each attachment at a cut. Returns whether the pass has
 * something to do behind its last draw.
 */
static bool
info_choose_layouts(const VkRenderPassCreateInfo *info, VkImageLayout *layouts)
{
	const VkSubpassDescription *subpass = info->pSubpasses;
	bool has_last = subpass->pResolveAttachments;

	for (uint32_t i = 0; i < info->attachmentCount; i++)
		layouts[i] = info->pAttachments[i].finalLayout;
	layouts_refer(layouts, subpass->pColorAttachments,
		      subpass->colorAttachmentCount);
	layouts_refer(layouts, subpass->pResolveAttachments,
		      subpass->colorAttachmentCount);
	layouts_refer(layouts, subpass->pDepthStencilAttachment, 1);
	for (uint32_t i = 0; i < info->attachmentCount; i++)
		has_last |= layouts[i] != info->pAttachments[i].finalLayout;
	return has_last;
}

static VkResult
info_create_part(const VkRenderPassCreateInfo *info, struct gpa_device *device,
		 const VkImageLayout *layouts, enum gpa_pass_part part,
		 VkRenderPass *out)
{
	VkAttachmentDescription *list =
		calloc(info->attachmentCount + 1, sizeof(*list));
	VkSubpassDescription subpass = *info->pSubpasses;
	VkRenderPassCreateInfo copy = *info;
	VkResult result;

	if (!list)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < info->attachmentCount; i++) {
		list[i] = info->pAttachments[i];
		attachment_set_part(&list[i], layouts[i], part);
	}
	if (part != GPA_PASS_LAST)
		subpass.pResolveAttachments = NULL;
	copy.pAttachments = list;
	copy.pSubpasses = &subpass;
	result =
		device->next.CreateRenderPass(device->handle, &copy, NULL, out);
	free(list);
	return result;
}

static VkResult
pass_create_parts(struct gpa_pass *pass, struct gpa_device *device,
		  const VkRenderPassCreateInfo *info)
{
	VkImageLayout *layouts =
		calloc(info->attachmentCount + 1, sizeof(*layouts));
	VkResult result = VK_SUCCESS;
	bool has_last;

	if (!layouts)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	has_last = info_choose_layouts(info, layouts);
	for (int i = 0;
	     result == VK_SUCCESS && i < GPA_PASS_LAST + (has_last ? 1 : 0);
	     i++)
		result = info_create_part(info, device, layouts,
					  (enum gpa_pass_part)i,
					  &pass->parts[i]);
	free(layouts);
	return result;
}

static void
pass_destroy(struct gpa_pass *pass, struct gpa_device *device)
{
	for (int i = 0; i < GPA_PASS_PARTS; i++)
		device->next.DestroyRenderPass(device->handle, pass->parts[i],
					       NULL);
	free(pass);
}

/*
 * Keep a pass that was created, with its parts unless there is a reason why it
 * is uncut; only then may info be NULL.
 */
static VkResult
device_keep_pass(struct gpa_device *device, VkRenderPass handle,
		 const VkRenderPassCreateInfo *info, const char *uncut)
{
	struct gpa_pass *pass = calloc(1, sizeof(*pass));
	VkResult result = VK_SUCCESS;

	if (!pass)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pass->uncut = uncut;
	if (info && !uncut)
		result = pass_create_parts(pass, device, info);
	if (result == VK_SUCCESS &&
	    gpa_map_put(&device->passes, GPA_KEY(handle), pass))
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (result != VK_SUCCESS)
		pass_destroy(pass, device);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
		     const VkAllocationCallbacks *allocator, VkRenderPass *out)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result =
		device->next.CreateRenderPass(handle, info, allocator, out);

	if (result != VK_SUCCESS || !device->cuts_passes)
		return result;
	result = device_keep_pass(device, *out, info, info_why_uncut(info));
	if (result != VK_SUCCESS)
		device->next.DestroyRenderPass(handle, *out, allocator);
	return result;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyRenderPass(VkDevice handle, VkRenderPass pass,
		      const VkAllocationCallbacks *allocator)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_pass *its = gpa_map_take(&device->passes, GPA_KEY(pass));

	if (its)
		pass_destroy(its, device);
	device->next.DestroyRenderPass(handle, pass, allocator);
}

/* ------------------------------------------------------------------ */
/* Render passes of later versions                                      */

/* A pass in the form of Vulkan 1.0. */
struct form {
	VkRenderPassCreateInfo info;
	VkRenderPassMultiviewCreateInfo multiview;
	VkSubpassDescription subpass;
	VkAttachmentDescription *attachments;
	VkAttachmentReference *references; /* colors, resolves, depth */
	VkSubpassDependency *dependencies;
	int32_t *offsets;
};

static bool
references_are_chained(const VkAttachmentReference2 *list, uint32_t count)
{
	for (uint32_t i = 0; list && i < count; i++) {
		if (list[i].pNext)
			return true;
	}
	return false;
}

static bool
subpass_is_chained(const VkSubpassDescription2 *it)
{
	return it->pNext ||
	       references_are_chained(it->pColorAttachments,
				      it->colorAttachmentCount) ||
	       references_are_chained(it->pResolveAttachments,
				      it->colorAttachmentCount) ||
	       references_are_chained(it->pDepthStencilAttachment, 1);
}

/* Return why a pass has no such form, or NULL. */
static const char *
info2_why_uncut(const VkRenderPassCreateInfo2 *info)
{
	bool is_chained = info->pNext;

	if (info->subpassCount != 1)
		return several;
	if (info->pSubpasses->inputAttachmentCount)
		return input;
	is_chained |= subpass_is_chained(info->pSubpasses);
	for (uint32_t i = 0; i < info->attachmentCount; i++)
		is_chained |= info->pAttachments[i].pNext != NULL;
	for (uint32_t i = 0; i < info->dependencyCount; i++)
		is_chained |= info->pDependencies[i].pNext != NULL;
	return is_chained ? gpa_pass_chained : NULL;
}

static void
form_finish(struct form *form)
{
	free(form->attachments);
	free(form->references);
	free(form->dependencies);
	free(form->offsets);
}

static const VkAttachmentReference *
convert_references(VkAttachmentReference *to,
		   const VkAttachmentReference2 *from, uint32_t count)
{
	for (uint32_t i = 0; from && i < count; i++)
		to[i] = (VkAttachmentReference){ from[i].attachment,
						 from[i].layout };
	return from ? to : NULL;
}

static void
form_set_subpass(struct form *form, const VkSubpassDescription2 *from)
{
	const uint32_t colors = from->colorAttachmentCount;
	VkAttachmentReference *to = form->references;

	form->subpass = (VkSubpassDescription){
		.flags = from->flags,
		.pipelineBindPoint = from->pipelineBindPoint,
		.colorAttachmentCount = colors,
		.pColorAttachments =
			convert_references(to, from->pColorAttachments, colors),
		.pResolveAttachments = convert_references(
			&to[colors], from->pResolveAttachments, colors),
		.pDepthStencilAttachment = convert_references(
			&to[2 * colors], from->pDepthStencilAttachment, 1),
		.preserveAttachmentCount = from->preserveAttachmentCount,
		.pPreserveAttachments = from->pPreserveAttachments,
	};
}

static void
form_set_attachment(struct form *form, const VkAttachmentDescription2 *from,
		    uint32_t i)
{
	form->attachments[i] = (VkAttachmentDescription){
		.flags = from->flags,
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

static void
form_set_dependency(struct form *form, const VkSubpassDependency2 *from,
		    uint32_t i)
{
	form->offsets[i] = from->viewOffset;
	form->dependencies[i] = (VkSubpassDependency){
		.srcSubpass = from->srcSubpass,
		.dstSubpass = from->dstSubpass,
		.srcStageMask = from->srcStageMask,
		.dstStageMask = from->dstStageMask,
		.srcAccessMask = from->srcAccessMask,
		.dstAccessMask = from->dstAccessMask,
		.dependencyFlags = from->dependencyFlags,
	};
}

static void
form_set_info(struct form *form, const VkRenderPassCreateInfo2 *from)
{
	form->multiview = (VkRenderPassMultiviewCreateInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
		.subpassCount = 1,
		.pViewMasks = &from->pSubpasses->viewMask,
		.dependencyCount = from->dependencyCount,
		.pViewOffsets = form->offsets,
		.correlationMaskCount = from->correlatedViewMaskCount,
		.pCorrelationMasks = from->pCorrelatedViewMasks,
	};
	form->info = (VkRenderPassCreateInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.pNext = from->pSubpasses->viewMask ? &form->multiview : NULL,
		.flags = from->flags,
		.attachmentCount = from->attachmentCount,
		.pAttachments = form->attachments,
		.subpassCount = 1,
		.pSubpasses = &form->subpass,
		.dependencyCount = from->dependencyCount,
		.pDependencies = form->dependencies,
	};
}

static VkResult
form_fill(struct form *form, const VkRenderPassCreateInfo2 *from)
{
	const VkSubpassDescription2 *subpass = from->pSubpasses;
	const size_t references = 2 * (size_t)subpass->colorAttachmentCount + 1;

	form->attachments =
		calloc(from->attachmentCount + 1, sizeof(*form->attachments));
	form->references = calloc(references, sizeof(*form->references));
	form->dependencies =
		calloc(from->dependencyCount + 1, sizeof(*form->dependencies));
	form->offsets =
		calloc(from->dependencyCount + 1, sizeof(*form->offsets));
	if (!form->attachments || !form->references || !form->dependencies ||
	    !form->offsets)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	form_set_subpass(form, subpass);
	for (uint32_t i = 0; i < from->attachmentCount; i++)
		form_set_attachment(form, &from->pAttachments[i], i);
	for (uint32_t i = 0; i < from->dependencyCount; i++)
		form_set_dependency(form, &from->pDependencies[i], i);
	form_set_info(form, from);
	return VK_SUCCESS;
}

static VkResult
device_keep_pass2(struct gpa_device *device, VkRenderPass handle,
		  const VkRenderPassCreateInfo2 *info)
{
	const char *uncut = info2_why_uncut(info);
	struct form form = { 0 };
	VkResult result;

	if (uncut)
		return device_keep_pass(device, handle, NULL, uncut);
	result = form_fill(&form, info);
	if (result == VK_SUCCESS)
		result = device_keep_pass(device, handle, &form.info,
					  info_why_uncut(&form.info));
	form_finish(&form);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
		      const VkAllocationCallbacks *allocator, VkRenderPass *out)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result =
		device->next.CreateRenderPass2(handle, info, allocator, out);

	if (result != VK_SUCCESS || !device->cuts_passes)
		return result;
	result = device_keep_pass2(device, *out, info);
	if (result != VK_SUCCESS)
		device->next.DestroyRenderPass(handle, *out, allocator);
	return result;
}
