/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters as the extension names them, by block, instance and number, and as
 * libdrmperf does.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_BLOCKS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_BLOCKS_H

#include <drmperf.h>
#include <drmperf/vk_amd_gpa_interface.h>
#include <stdbool.h>
#include <stddef.h>

/* Enough for one group of each type. */
#define GPA_BLOCKS_MAX 64

struct gpa_blocks {
	size_t count;
	struct gpa_block {
		const struct drmperf_group *group;
		VkGpaPerfBlockPropertiesAMD properties;
	} list[GPA_BLOCKS_MAX];
};

/* Fill in the blocks of an open device, in the order of its groups. */
void
gpa_blocks_fill(struct gpa_blocks *blocks, const struct drmperf_device *device);

/*
 * Find out how many counters of an instance of each block the GPU can stream.
 * Returns whether there is any.
 */
bool
gpa_blocks_look_for_streams(struct gpa_blocks *blocks, struct drmperf *drmperf);

/*
 * Find the event of a counter. Returns 0; -ENOENT, -ERANGE; the errors of
 * drmperf_group_find_id().
 */
int
gpa_blocks_find(const struct gpa_blocks *blocks,
		const VkGpaPerfCounterAMD *counter,
		struct drmperf_selection *out, struct drmperf_error *error);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_BLOCKS_H */
