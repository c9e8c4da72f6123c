/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A submission of the application's with all parts of its command buffers in
 * their places.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_DIVIDED_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_DIVIDED_H

#include "gpa_chain.h"
#include "gpa_parts.h"

/* What the batches need; all NULL where no command buffer was cut. */
struct gpa_divided {
	VkSubmitInfo *submits;
	VkSubmitInfo2 *submits2;
	VkCommandBuffer *buffers;
	VkCommandBufferSubmitInfo *infos;
	/* masks of device groups, which have as many elements, of batches */
	struct gpa_taken *taken;
	uint32_t count;
};

/*
 * Have *parts submit the divided command buffers. VK_ERROR_OUT_OF_HOST_MEMORY.
 */
VkResult
gpa_divided_make(struct gpa_divided *divided, struct gpa_parts *parts);
void
gpa_divided_finish(struct gpa_divided *divided);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_DIVIDED_H */
