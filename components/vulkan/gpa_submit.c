/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submit.h"

#include "gpa_job.h"

/* NULL into *job where there is nothing to do but to submit. */
static VkResult
submit_begin(struct gpa_device *device, VkQueue queue,
	     struct gpa_actions *actions, VkResult result, struct gpa_job **job)
{
	*job = NULL;
	if (result == VK_SUCCESS && actions->count)
		return gpa_job_create(device, queue, actions, job);
	gpa_actions_finish(actions);
	return result;
}

/*
 * Submit the application's fence behind the job's: a program that has waited
 * for it finds the job done.
 */
static VkResult
submit_end(struct gpa_device *device, VkQueue queue, struct gpa_job *job,
	   VkFence fence, VkResult result)
{
	if (!job)
		return result;
	gpa_job_submitted(job, result);
	return result == VK_SUCCESS && fence
		       ? device->next.QueueSubmit(queue, 0, NULL, fence)
		       : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
		VkFence fence)
{
	struct gpa_device *device = gpa_device_of(queue);
	struct gpa_actions actions = { 0 };
	struct gpa_job *job;
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; i < count; i++) {
		const VkSubmitInfo *submit = &submits[i];

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferCount;
		     k++)
			result = gpa_actions_add(&actions, device,
						 submit->pCommandBuffers[k]);
	}
	result = submit_begin(device, queue, &actions, result, &job);
	if (result != VK_SUCCESS)
		return result;
	result = device->next.QueueSubmit(queue, count, submits,
					 job ? gpa_job_fence(job) : fence);
	return submit_end(device, queue, job, fence, result);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
		 VkFence fence)
{
	struct gpa_device *device = gpa_device_of(queue);
	struct gpa_actions actions = { 0 };
	struct gpa_job *job;
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; i < count; i++) {
		const VkSubmitInfo2 *submit = &submits[i];
		const VkCommandBufferSubmitInfo *list =
			submit->pCommandBufferInfos;

		for (uint32_t k = 0;
		     result == VK_SUCCESS && k < submit->commandBufferInfoCount;
		     k++)
			result = gpa_actions_add(&actions, device,
						 list[k].commandBuffer);
	}
	result = submit_begin(device, queue, &actions, result, &job);
	if (result != VK_SUCCESS)
		return result;
	result = device->next.QueueSubmit2(queue, count, submits,
					  job ? gpa_job_fence(job) : fence);
	return submit_end(device, queue, job, fence, result);
}
