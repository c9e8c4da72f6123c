/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_parts.h"

#include "gpa_chain.h"
#include "gpa_device.h"

#define TIMELINE VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO
#define PROTECTED VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO
#define PERFORMANCE_QUERY VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR

/* ------------------------------------------------------------------ */
/* Batches                                                              */

static bool
chain_can_be_cut(const void *chain)
{
	for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
		if (at->sType != TIMELINE && at->sType != PROTECTED &&
		    at->sType != PERFORMANCE_QUERY)
			return false;
	}
	return true;
}

bool
gpa_parts_can_be_cut(const struct gpa_parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++) {
		if (!chain_can_be_cut(parts->submits
					      ? parts->submits[i].pNext
					      : parts->submits2[i].pNext))
			return false;
	}
	return true;
}

static bool
batch_waits_for_timeline(const struct gpa_parts *parts, uint32_t batch)
{
	const VkTimelineSemaphoreSubmitInfo *values;
	const VkSubmitInfo2 *submit;

	if (parts->submits) {
		values = gpa_chain_find(&parts->submits[batch], TIMELINE);
		return values && values->waitSemaphoreValueCount;
	}
	/* those of binary semaphores have a value that is ignored */
	submit = &parts->submits2[batch];
	for (uint32_t i = 0; i < submit->waitSemaphoreInfoCount; i++) {
		if (submit->pWaitSemaphoreInfos[i].value)
			return true;
	}
	return false;
}

bool
gpa_parts_wait_for_timelines(const struct gpa_parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++) {
		if (batch_waits_for_timeline(parts, i))
			return true;
	}
	return false;
}

uint32_t
gpa_parts_batch_size(const struct gpa_parts *parts, uint32_t batch)
{
	return parts->submits ? parts->submits[batch].commandBufferCount
			      : parts->submits2[batch].commandBufferInfoCount;
}

VkCommandBuffer
gpa_parts_buffer(const struct gpa_parts *parts, uint32_t batch, uint32_t i)
{
	return parts->submits ? parts->submits[batch].pCommandBuffers[i]
			      : parts->submits2[batch]
					.pCommandBufferInfos[i]
					.commandBuffer;
}

/* ------------------------------------------------------------------ */
/* Parts                                                                */

/*
 * Submit that number of command buffers of the batch, and its signals if they
 * are the last.
 */
static VkResult
part_submit(const struct gpa_parts *parts, uint32_t count, bool is_last)
{
	const VkSubmitInfo *whole = &parts->submits[parts->batch];
	const VkTimelineSemaphoreSubmitInfo *values =
		gpa_chain_find(whole, TIMELINE);
	const VkProtectedSubmitInfo *protected =
		gpa_chain_find(whole, PROTECTED);
	const VkPerformanceQuerySubmitInfoKHR *query =
		gpa_chain_find(whole, PERFORMANCE_QUERY);
	VkTimelineSemaphoreSubmitInfo part_values;
	VkPerformanceQuerySubmitInfoKHR part_query;
	VkProtectedSubmitInfo part_protected;
	VkSubmitInfo part = *whole;

	part.pNext = NULL;
	part.commandBufferCount = count;
	if (count)
		part.pCommandBuffers += parts->index;
	if (parts->has_waited)
		part.waitSemaphoreCount = 0;
	if (!is_last)
		part.signalSemaphoreCount = 0;
	if (values) {
		part_values = *values;
		part_values.pNext = part.pNext;
		if (parts->has_waited)
			part_values.waitSemaphoreValueCount = 0;
		if (!is_last)
			part_values.signalSemaphoreValueCount = 0;
		part.pNext = &part_values;
	}
	if (protected) {
		part_protected = *protected;
		part_protected.pNext = part.pNext;
		part.pNext = &part_protected;
	}
	if (query) {
		part_query = *query;
		part_query.pNext = part.pNext;
		part.pNext = &part_query;
	}
	return parts->device->next.QueueSubmit(parts->queue, 1, &part,
					       VK_NULL_HANDLE);
}

static VkResult
part_submit2(const struct gpa_parts *parts, uint32_t count, bool is_last)
{
	VkSubmitInfo2 part = parts->submits2[parts->batch];

	part.commandBufferInfoCount = count;
	if (count)
		part.pCommandBufferInfos += parts->index;
	if (parts->has_waited)
		part.waitSemaphoreInfoCount = 0;
	if (!is_last)
		part.signalSemaphoreInfoCount = 0;
	return parts->device->next.QueueSubmit2(parts->queue, 1, &part,
						VK_NULL_HANDLE);
}

/* Submit the next command buffers of the batch. */
static VkResult
parts_submit_some(struct gpa_parts *parts, uint32_t count, bool is_last)
{
	VkResult result;

	if (!count && parts->has_waited && !is_last)
		return VK_SUCCESS;
	result = parts->submits ? part_submit(parts, count, is_last)
				: part_submit2(parts, count, is_last);
	if (result != VK_SUCCESS)
		return result;
	parts->has_begun = true;
	parts->has_waited = true;
	parts->index += count;
	parts->number += count;
	return VK_SUCCESS;
}

/* Submit the rest of the batch if the cut is behind it. */
static VkResult
parts_submit_batch(struct gpa_parts *parts, size_t cut, bool *is_there)
{
	const uint32_t left =
		gpa_parts_batch_size(parts, parts->batch) - parts->index;
	const size_t end = parts->number + left;
	size_t count;
	VkResult result;

	if (cut >= 2 * end) {
		result = parts_submit_some(parts, left, true);
		parts->batch++;
		parts->index = 0;
		parts->has_waited = false;
		return result;
	}
	*is_there = true;
	/* the cut is behind the last one of a batch before */
	if (cut < 2 * parts->number && !parts->index)
		return VK_SUCCESS;
	count = (cut + 1) / 2 - parts->number;
	return parts_submit_some(parts, (uint32_t)count, false);
}

static VkResult
parts_submit_whole(struct gpa_parts *parts, VkFence fence)
{
	const struct gpa_device_functions *next = &parts->device->next;

	parts->batch = parts->count;
	parts->has_begun = true;
	/* there may be neither list, and no vkQueueSubmit2() either */
	return parts->submits2 ? next->QueueSubmit2(parts->queue, parts->count,
						    parts->submits2, fence)
			       : next->QueueSubmit(parts->queue, parts->count,
						   parts->submits, fence);
}

VkResult
gpa_parts_submit(struct gpa_parts *parts, size_t cut, VkFence fence)
{
	VkResult result = VK_SUCCESS;
	bool is_there = false;

	if (cut == GPA_CUT_END && !parts->has_begun)
		return parts_submit_whole(parts, fence);
	while (result == VK_SUCCESS && !is_there && parts->batch < parts->count)
		result = parts_submit_batch(parts, cut, &is_there);
	if (result == VK_SUCCESS && fence)
		result = parts->device->next.QueueSubmit(parts->queue, 0, NULL,
							 fence);
	return result != VK_SUCCESS && parts->has_begun ? VK_ERROR_DEVICE_LOST
							: result;
}
