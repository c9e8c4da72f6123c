/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_frames.h"

#include <string.h>

#include "frontend/frame_marks.h"
#include "gpa_capture.h"
#include "gpa_submit.h"

/* Longest wait: the queue may wait for what the application does later. */
#define FRAME_TIMEOUT_NS 1000000000ull

/*
 * Wait until the queue has done what was submitted. A fence that is not
 * signalled in time has to stay: the queue still uses it.
 */
static void
queue_finish(const struct gpa_device *device, VkQueue queue)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	const struct gpa_device_functions *next = &device->next;
	VkFence fence;
	VkResult result;

	if (next->CreateFence(device->handle, &info, NULL, &fence))
		return;
	result = next->QueueSubmit(queue, 0, NULL, fence);
	if (result == VK_SUCCESS)
		result = next->WaitForFences(device->handle, 1, &fence, VK_TRUE,
					     FRAME_TIMEOUT_NS);
	if (result != VK_TIMEOUT)
		next->DestroyFence(device->handle, fence, NULL);
}

static void
frame_end(const struct gpa_device *device, VkQueue queue)
{
	queue_finish(device, queue);
	if (device->capture)
		gpa_capture_next_frame(device->capture);
	if (frame_marks_are_wanted())
		frame_marks_set(device->address);
}

static VKAPI_ATTR VkResult VKAPI_CALL
frame_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info)
{
	const struct gpa_device *device = gpa_device_of(queue);
	const VkResult result = device->next.QueuePresentKHR(queue, info);

	frame_end(device, queue);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
frame_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
		  VkFence fence)
{
	const struct gpa_device *device = gpa_device_of(queue);
	const VkResult result =
		device->gpu ? gpa_QueueSubmit(queue, count, submits, fence)
			    : device->next.QueueSubmit(queue, count, submits,
						       fence);

	frame_end(device, queue);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
frame_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
		   VkFence fence)
{
	const struct gpa_device *device = gpa_device_of(queue);
	const VkResult result =
		device->gpu ? gpa_QueueSubmit2(queue, count, submits, fence)
			    : device->next.QueueSubmit2(queue, count, submits,
							fence);

	frame_end(device, queue);
	return result;
}

static const struct gpa_function submits[] = {
	{ "vkQueueSubmit", (PFN_vkVoidFunction)frame_QueueSubmit },
	{ "vkQueueSubmit2", (PFN_vkVoidFunction)frame_QueueSubmit2 },
	{ "vkQueueSubmit2KHR", (PFN_vkVoidFunction)frame_QueueSubmit2 },
};

PFN_vkVoidFunction
gpa_frames_function(const struct gpa_device *device, const char *name)
{
	if (!device->capture && !frame_marks_are_wanted())
		return NULL;
	if (device->next.QueuePresentKHR)
		return strcmp(name, "vkQueuePresentKHR")
			       ? NULL
			       : (PFN_vkVoidFunction)frame_QueuePresentKHR;
	return GPA_FUNCTION_FIND(submits, name);
}
