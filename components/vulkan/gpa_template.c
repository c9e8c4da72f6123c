/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_template.h"

#include <stdlib.h>
#include <string.h>

#include "gpa_device.h"

#define PUSHED VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR

/* A template, by its handle in device->templates. */
struct template
{
	VkPipelineBindPoint point;
	uint32_t count;
	VkDescriptorUpdateTemplateEntry entries[];
};

/* ------------------------------------------------------------------ */
/* Lives                                                                */

static VkResult
device_keep_template(struct gpa_device *device,
		     VkDescriptorUpdateTemplate handle,
		     const VkDescriptorUpdateTemplateCreateInfo *info)
{
	const size_t size = info->descriptorUpdateEntryCount *
			    sizeof(*info->pDescriptorUpdateEntries);
	struct template *its = malloc(sizeof(*its) + size);

	if (!its)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	its->point = info->pipelineBindPoint;
	its->count = info->descriptorUpdateEntryCount;
	memcpy(its->entries, info->pDescriptorUpdateEntries, size);
	if (!gpa_map_put(&device->templates, GPA_KEY(handle), its))
		return VK_SUCCESS;
	free(its);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateDescriptorUpdateTemplate(
	VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
	const VkAllocationCallbacks *allocator, VkDescriptorUpdateTemplate *out)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result = device->next.CreateDescriptorUpdateTemplate(
		handle, info, allocator, out);

	if (result != VK_SUCCESS || info->templateType != PUSHED)
		return result;
	result = device_keep_template(device, *out, info);
	if (result != VK_SUCCESS)
		device->next.DestroyDescriptorUpdateTemplate(handle, *out,
							     allocator);
	return result;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyDescriptorUpdateTemplate(VkDevice handle,
				    VkDescriptorUpdateTemplate template,
				    const VkAllocationCallbacks *allocator)
{
	struct gpa_device *device = gpa_device_of(handle);

	free(gpa_map_take(&device->templates, GPA_KEY(template)));
	device->next.DestroyDescriptorUpdateTemplate(handle, template,
						     allocator);
}

/* ------------------------------------------------------------------ */
/* Data                                                                 */

/* Return the size of a descriptor in the data, or 0 if it is not known. */
static size_t
type_size(VkDescriptorType type)
{
	switch (type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return sizeof(VkDescriptorImageInfo);
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return sizeof(VkBufferView);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return sizeof(VkDescriptorBufferInfo);
	default:
		return 0;
	}
}

/* Return the size of all, or 0 if one is not known. */
static size_t
template_size(const struct template *template)
{
	size_t all = 0;

	for (uint32_t i = 0; i < template->count; i++) {
		const VkDescriptorUpdateTemplateEntry *it =
			&template->entries[i];
		const size_t size = type_size(it->descriptorType);

		if (!size)
			return 0;
		all += it->descriptorCount * size;
	}
	return all;
}

/* Copy the descriptors of an entry one behind the other. */
static char *
entry_gather(const VkDescriptorUpdateTemplateEntry *entry, const char *data,
	     char *to)
{
	const size_t size = type_size(entry->descriptorType);

	for (uint32_t i = 0; i < entry->descriptorCount; i++, to += size)
		memcpy(to, &data[entry->offset + i * entry->stride], size);
	return to;
}

/* The driver looks at the pointer for the type alone. */
static VkWriteDescriptorSet
entry_write(const VkDescriptorUpdateTemplateEntry *entry, void *infos)
{
	return (VkWriteDescriptorSet){
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstBinding = entry->dstBinding,
		.dstArrayElement = entry->dstArrayElement,
		.descriptorCount = entry->descriptorCount,
		.descriptorType = entry->descriptorType,
		.pImageInfo = infos,
		.pBufferInfo = infos,
		.pTexelBufferView = infos,
	};
}

bool
gpa_template_write(struct gpa_device *device,
		   VkDescriptorUpdateTemplate template, const void *data,
		   struct gpa_template_writes *writes)
{
	const struct template *its =
		gpa_map_get(&device->templates, GPA_KEY(template));
	const size_t size = its ? template_size(its) : 0;
	char *at;

	if (!size)
		return false;
	*writes = (struct gpa_template_writes){
		.point = its->point,
		.count = its->count,
		.list = calloc(its->count, sizeof(*writes->list)),
		.infos = malloc(size),
	};
	at = writes->infos;
	if (!writes->list || !at) {
		gpa_template_forget(writes);
		return false;
	}
	for (uint32_t i = 0; i < its->count; i++) {
		writes->list[i] = entry_write(&its->entries[i], at);
		at = entry_gather(&its->entries[i], data, at);
	}
	return true;
}

void
gpa_template_forget(struct gpa_template_writes *writes)
{
	free(writes->list);
	free(writes->infos);
}
