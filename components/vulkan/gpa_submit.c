/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_submit.h"

#include "gpa_divided.h"
#include "gpa_submission.h"

/* Add the operations of all command buffers of a submission. */
static VkResult
parts_add_op_list(const struct gpa_parts *parts, struct gpa_op_list *op_list)
{
	VkResult result = VK_SUCCESS;

	for (uint32_t i = 0; i < parts->count; i++) {
		const uint32_t size = gpa_parts_batch_size(parts, i);

		for (uint32_t k = 0; result == VK_SUCCESS && k < size; k++)
			result = gpa_op_list_add(op_list, parts->device,
						 gpa_parts_buffer(parts, i, k));
	}
	return result;
}

/* Set *submission to NULL where there is nothing to do but to submit. */
static VkResult
submit_begin(const struct gpa_parts *parts, struct gpa_submission **submission)
{
	struct gpa_op_list op_list = { 0 };
	VkResult result = parts_add_op_list(parts, &op_list);

	*submission = NULL;
	if (result == VK_SUCCESS && op_list.count)
		return gpa_submission_create(parts->device, parts->queue,
					     &op_list, submission);
	gpa_op_list_finish(&op_list);
	return result;
}

/*
 * Submit the application's fence behind the submission's: a program that has
 * waited for it finds the submission done.
 */
static VkResult
submit_with_operations(struct gpa_parts *parts,
		       struct gpa_submission *submission, VkFence fence)
{
	VkResult result = gpa_submission_submit(submission, parts);

	return result == VK_SUCCESS && fence
		       ? parts->device->next.QueueSubmit(parts->queue, 0, NULL,
							 fence)
		       : result;
}

static VkResult
submit_parts(struct gpa_parts *parts, VkFence fence)
{
	const struct gpa_parts whole = *parts;
	struct gpa_submission *submission;
	struct gpa_divided divided;
	VkResult result = gpa_divided_make(&divided, parts);

	if (result != VK_SUCCESS)
		return result;
	result = submit_begin(&whole, &submission);
	if (result == VK_SUCCESS && submission)
		result = submit_with_operations(parts, submission, fence);
	else if (result == VK_SUCCESS)
		result = gpa_parts_submit(parts, GPA_CUT_END, fence);
	gpa_divided_finish(&divided);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
		VkFence fence)
{
	struct gpa_parts parts = { .device = gpa_device_of(queue),
				   .queue = queue,
				   .count = count,
				   .submits = submits };

	return submit_parts(&parts, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
		 VkFence fence)
{
	struct gpa_parts parts = { .device = gpa_device_of(queue),
				   .queue = queue,
				   .count = count,
				   .submits2 = submits };

	return submit_parts(&parts, fence);
}
