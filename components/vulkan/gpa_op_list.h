/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of the command buffers of a submission, in their order. */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_OP_LIST_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_OP_LIST_H

#include "gpa_commands.h"

struct gpa_op_list {
	struct gpa_op *list; /* with references */
	size_t count;
	size_t command_buffers; /* with the parts of those that were added */
};

/*
 * Add to a list of operations. Returns VK_ERROR_OUT_OF_HOST_MEMORY also where
 * memory was short in recording.
 */
VkResult
gpa_op_list_add(struct gpa_op_list *op_list, struct gpa_device *device,
		VkCommandBuffer handle);
void
gpa_op_list_finish(struct gpa_op_list *op_list);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_OP_LIST_H */
