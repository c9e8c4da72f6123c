/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.12 xe_query.c, query_mem_regions] */
#include "driver/xe/memory.h"

#include <errno.h>

#include "driver/intel/xe_query.h"
#include "driver/intel/xe_uapi.h"

/* More than any GPU has. */
#define MOST_REGIONS 32

int
xe_memory_read(int node, struct memory_regions *out)
{
	struct {
		struct xe_uapi_regions header;
		struct xe_uapi_region list[MOST_REGIONS];
	} answer = { 0 };
	struct memory_regions regions = { 0 };
	int ret = xe_query_into(node, XE_UAPI_QUERY_MEM_REGIONS, &answer,
				sizeof(answer));

	if (ret)
		return ret;
	if (answer.header.count > MOST_REGIONS)
		return -EPROTO;
	for (uint32_t i = 0; i < answer.header.count; i++) {
		const struct xe_uapi_region *region = &answer.list[i];

		if (region->mem_class == XE_UAPI_MEM_CLASS_VRAM) {
			regions.vram_total += region->total;
			regions.vram_used += region->used;
		} else if (region->mem_class == XE_UAPI_MEM_CLASS_SYSTEM) {
			regions.system_total += region->total;
			regions.system_used += region->used;
		}
	}
	*out = regions;
	return 0;
}
