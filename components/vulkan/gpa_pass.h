/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Render passes that can be cut, where the user has asked for that. In place of
 * each, three others are begun, with which pipelines and framebuffers of the
 * first are compatible. What is in an attachment at a cut is stored, and
 * loaded again behind it; it stays in the layout that the pass draws in.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_PASS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_PASS_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct gpa_device;

/* Parts of a pass that was cut. */
enum gpa_pass_part {
	GPA_PASS_FIRST, /* has the loads of the pass */
	GPA_PASS_MIDDLE, /* behind each cut */
	GPA_PASS_LAST, /* has its resolves and last layouts, draws nothing */
	GPA_PASS_PARTS
};

/* A render pass, by its handle in device->passes. */
struct gpa_pass {
	const char *uncut; /* why it cannot be cut, or NULL */
	VkRenderPass parts[GPA_PASS_PARTS]; /* there may be no last one */
};

/* A pass that has begun in a command buffer, see gpa_open_pass.h. */
struct gpa_open_pass {
	bool can_be_cut;
	const char *uncut; /* the reason, unless it can be */
	/*
	 * A secondary command buffer goes on with it: the one that executes
	 * that ends the parts, and begins them.
	 */
	bool is_continued;
	bool has_last;
	VkSubpassContents contents;
	VkRenderPass parts[GPA_PASS_PARTS]; /* of a render pass object */
	VkRenderPassBeginInfo begin;
	VkRenderPassAttachmentBeginInfo imageless;
	VkImageView *views; /* of a framebuffer without images, or NULL */
	VkRenderingInfo rendering; /* without such an object */
	/* the attachments of each part: of colors, of depth, of stencil */
	VkRenderingAttachmentInfo *attachments;
};

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
		     const VkAllocationCallbacks *allocator, VkRenderPass *out);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
		      const VkAllocationCallbacks *allocator,
		      VkRenderPass *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyRenderPass(VkDevice handle, VkRenderPass pass,
		      const VkAllocationCallbacks *allocator);

/* Reasons, which objects and passes that have begun without one share. */
extern const char gpa_pass_chained[], gpa_pass_kept[];
/*
 * Return whether what is done with an attachment can be done part by part:
 * operations of later versions leave alone what is there.
 */
bool
gpa_pass_ops_can_be_cut(VkAttachmentLoadOp load, VkAttachmentStoreOp store);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_PASS_H */
