/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Templates by which descriptors are pushed. What they make of a program's data
 * is written out as descriptors, which outlive the template and the data.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_TEMPLATE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_TEMPLATE_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct gpa_device;

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateDescriptorUpdateTemplate(
	VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
	const VkAllocationCallbacks *allocator,
	VkDescriptorUpdateTemplate *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyDescriptorUpdateTemplate(VkDevice handle,
				    VkDescriptorUpdateTemplate template,
				    const VkAllocationCallbacks *allocator);

/* What a template writes. */
struct gpa_template_writes {
	VkPipelineBindPoint point;
	uint32_t count;
	VkWriteDescriptorSet *list;
	char *infos; /* that they point to */
};

/* Fill in *writes. False: there is no memory, or their kinds are not known. */
bool
gpa_template_write(struct gpa_device *device,
		   VkDescriptorUpdateTemplate template, const void *data,
		   struct gpa_template_writes *writes);
void
gpa_template_forget(struct gpa_template_writes *writes);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_TEMPLATE_H */
