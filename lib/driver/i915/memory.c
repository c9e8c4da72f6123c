/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.12 i915_query.c, query_memregion_info] */
#include "driver/i915/memory.h"

#include <errno.h>

#include "driver/i915/kernel.h"
#include "driver/i915/uapi.h"

/* More than any GPU has; the answer ends with as many as there are. */
#define MOST_REGIONS 32
#define ANSWER_SIZE                                                            \
	(sizeof(struct drm_i915_query_memory_regions) +                        \
	 MOST_REGIONS * sizeof(struct drm_i915_memory_region_info))

int
i915_memory_read(int node, struct memory_regions *out)
{
	union {
		unsigned char room[ANSWER_SIZE];
		struct drm_i915_query_memory_regions header;
	} answer = { .room = { 0 } };
	struct memory_regions regions = { 0 };
	int ret = i915_query_into(node, DRM_I915_QUERY_MEMORY_REGIONS, &answer,
				  sizeof(answer));

	if (ret < 0)
		return ret;
	if (answer.header.num_regions > MOST_REGIONS)
		return -EPROTO;
	for (uint32_t i = 0; i < answer.header.num_regions; i++) {
		const struct drm_i915_memory_region_info *region =
			&answer.header.regions[i];

		if (region->region.memory_class != I915_MEMORY_CLASS_DEVICE)
			continue;
		if (region->unallocated_size > region->probed_size)
			return -EPROTO;
		regions.vram_total += region->probed_size;
		regions.vram_used +=
			region->probed_size - region->unallocated_size;
	}
	*out = regions;
	return 0;
}
