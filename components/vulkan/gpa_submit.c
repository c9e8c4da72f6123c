/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submit.h"

#include "gpa_submission.h"

/* Add the steps of all command buffers of a submission. */
static VkResult
parts_add_actions(const struct gpa_parts *parts, struct gpa_device *device,
		  struct gpa_actions *actions)
{
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; parts->submits && i < parts->count; i++) {
		const VkSubmitInfo *submit = &parts->submits[i];

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferCount;
		     k++)
			result = gpa_actions_add(actions, device,
						 submit->pCommandBuffers[k]);
	}
	for (uint32_t i = 0; parts->submits2 && i < parts->count; i++) {
		const VkSubmitInfo2 *submit = &parts->submits2[i];
		const VkCommandBufferSubmitInfo *list =
			submit->pCommandBufferInfos;

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferInfoCount;
		     k++)
			result = gpa_actions_add(actions, device,
						 list[k].commandBuffer);
	}
	return result;
}

/* NULL into *job where there is nothing to do but to submit. */
static VkResult
submit_begin(struct gpa_device *device, const struct gpa_parts *parts,
	     struct gpa_job **job)
{
	struct gpa_actions actions = { 0 };
	VkResult result = parts_add_actions(parts, device, &actions);

	*job = NULL;
	if (result == VK_SUCCESS && actions.count)
		return gpa_job_create(device, parts->queue, &actions, job);
	gpa_actions_finish(&actions);
	return result;
}

/*
 * Submit the application's fence behind the job's: a program that has waited
 * for it finds the job done.
 */
static VkResult
submit_job(const struct gpa_device *device, struct gpa_parts *parts,
	   struct gpa_job *job, VkFence fence)
{
	VkResult result = gpa_job_submit(job, parts);

	return result == VK_SUCCESS && fence
		       ? device->next.QueueSubmit(parts->queue, 0, NULL, fence)
		       : result;
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
	struct gpa_job *job;
	VkResult result = submit_begin(device, &parts, &job);

	if (result != VK_SUCCESS)
		return result;
	return job ? submit_job(device, &parts, job, fence)
		   : device->next.QueueSubmit(queue, count, submits, fence);
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
	struct gpa_job *job;
	VkResult result = submit_begin(device, &parts, &job);

	if (result != VK_SUCCESS)
		return result;
	return job ? submit_job(device, &parts, job, fence)
		   : device->next.QueueSubmit2(queue, count, submits, fence);
}
