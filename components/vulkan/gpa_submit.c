/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submit.h"

#include "gpa_divided.h"
#include "gpa_submission.h"

/* Add the operations of all command buffers of a submission. */
static VkResult
parts_add_op_list(const struct gpa_parts *parts, struct gpa_device *device,
		  struct gpa_op_list *op_list)
{
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; parts->submits && i < parts->count; i++) {
		const VkSubmitInfo *submit = &parts->submits[i];

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferCount;
		     k++)
			result = gpa_op_list_add(op_list, device,
						 submit->pCommandBuffers[k]);
	}
	for (uint32_t i = 0; parts->submits2 && i < parts->count; i++) {
		const VkSubmitInfo2 *submit = &parts->submits2[i];
		const VkCommandBufferSubmitInfo *list =
			submit->pCommandBufferInfos;

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferInfoCount;
		     k++)
			result = gpa_op_list_add(op_list, device,
						 list[k].commandBuffer);
	}
	return result;
}

/* Set *submission to NULL where there is nothing to do but to submit. */
static VkResult
submit_begin(struct gpa_device *device, const struct gpa_parts *parts,
	     struct gpa_submission **submission)
{
	struct gpa_op_list op_list = { 0 };
	VkResult result = parts_add_op_list(parts, device, &op_list);

	*submission = NULL;
	if (result == VK_SUCCESS && op_list.count)
		return gpa_submission_create(device, parts->queue, &op_list,
					     submission);
	gpa_op_list_finish(&op_list);
	return result;
}

/*
 * Submit the application's fence behind the submission's: a program that has
 * waited for it finds the submission done.
 */
static VkResult
submit_with_operations(const struct gpa_device *device, struct gpa_parts *parts,
		       struct gpa_submission *submission, VkFence fence)
{
	VkResult result = gpa_submission_submit(submission, parts);

	return result == VK_SUCCESS && fence
		       ? device->next.QueueSubmit(parts->queue, 0, NULL, fence)
		       : result;
}

static VkResult
submit_without(const struct gpa_device *device, const struct gpa_parts *parts,
	       VkFence fence)
{
	return parts->submits2
		       ? device->next.QueueSubmit2(parts->queue, parts->count,
						   parts->submits2, fence)
		       : device->next.QueueSubmit(parts->queue, parts->count,
						  parts->submits, fence);
}

static VkResult
submit_parts(struct gpa_device *device, struct gpa_parts *parts, VkFence fence)
{
	const struct gpa_parts whole = *parts;
	struct gpa_submission *submission;
	struct gpa_divided divided;
	VkResult result = gpa_divided_make(&divided, device, parts);

	if (result != VK_SUCCESS)
		return result;
	result = submit_begin(device, &whole, &submission);
	if (result == VK_SUCCESS && submission)
		result = submit_with_operations(device, parts, submission,
						fence);
	else if (result == VK_SUCCESS)
		result = submit_without(device, parts, fence);
	gpa_divided_finish(&divided);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
		VkFence fence)
{
	struct gpa_device *device = gpa_device_of(queue);
	struct gpa_parts parts = { .device = device,
				   .queue = queue,
				   .count = count,
				   .submits = submits };

	return submit_parts(device, &parts, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
		 VkFence fence)
{
	struct gpa_device *device = gpa_device_of(queue);
	struct gpa_parts parts = { .device = device,
				   .queue = queue,
				   .count = count,
				   .submits2 = submits };

	return submit_parts(device, &parts, fence);
}
