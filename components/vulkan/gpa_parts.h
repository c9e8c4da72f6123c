/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A submission of the application's that is handed to the driver in parts. The
 * first part of each batch waits for the batch's semaphores, the last signals
 * them.
 *
 * A cut is a place between two parts. Command buffers are numbered over all
 * batches from 0: the cut before command buffer n is 2 n, that behind it
 * 2 n + 1. In front of the first of a batch the batch has waited already, and
 * behind the last it has not signalled yet.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_PARTS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan.h>

struct gpa_device;

/* Behind the last part. */
#define GPA_CUT_END SIZE_MAX

struct gpa_parts {
	struct gpa_device *device;
	VkQueue queue;
	uint32_t count;
	/* one of them is NULL */
	const VkSubmitInfo *submits;
	const VkSubmitInfo2 *submits2;
	/* what is next: a command buffer of a batch, and its number */
	uint32_t batch, index;
	size_t number;
	bool has_waited; /* the batch has */
	bool has_begun; /* some part was submitted */
};

/* Return how many command buffers a batch has. */
uint32_t
gpa_parts_batch_size(const struct gpa_parts *parts, uint32_t batch);
VkCommandBuffer
gpa_parts_buffer(const struct gpa_parts *parts, uint32_t batch, uint32_t i);
/*
 * Return whether there can be parts: batches have nothing in their pNext that
 * the layer cannot divide.
 */
bool
gpa_parts_can_be_cut(const struct gpa_parts *parts);
/* Return whether a batch waits for a timeline semaphore. */
bool
gpa_parts_wait_for_timelines(const struct gpa_parts *parts);
/*
 * Submit all up to a cut, with a fence behind it. Returns the errors of
 * vkQueueSubmit(), or VK_ERROR_DEVICE_LOST once a part was submitted.
 */
VkResult
gpa_parts_submit(struct gpa_parts *parts, size_t cut, VkFence fence);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_PARTS_H */
