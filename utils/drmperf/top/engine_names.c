/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/engine_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * The classes in fdinfo and in the names of PMU events, by driver. [Linux 6.12
 * i915_drm_client.c uabi_class_names, intel_engine_cs.c, xe_hw_engine_types.h
 * and xe_hw_engine_class_to_str(), amdgpu_fdinfo.c amdgpu_ip_name]
 */
static const struct {
	const char *kernel, *shown;
} names[] = {
	/* i915 in fdinfo */
	{ "render", "Render" },
	{ "copy", "Copy" },
	{ "video", "Video" },
	{ "video-enhance", "Enhance" },
	{ "compute", "Compute" }, /* of amdgpu, too */
	/* PMU of i915 and xe; xe in fdinfo */
	{ "rcs", "Render" },
	{ "bcs", "Copy" },
	{ "ccs", "Compute" },
	{ "vcs", "Video" },
	{ "vecs", "Enhance" },
	/* amdgpu in fdinfo */
	{ "gfx", "Graphics" },
	{ "dma", "Copy" },
	{ "dec", "Decode" },
	{ "enc", "Encode" },
	{ "enc_1", "Encode 1" },
	{ "jpeg", "JPEG" },
	{ "vpe", "Video" },
};

/* Return the length of what stands before the number at the end. */
static size_t
class_length(const char *name)
{
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length;
}

void
engine_name_print(const char *name, char *text, size_t size)
{
	const size_t length = class_length(name);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *kernel = names[i].kernel;
		const bool is_class = strlen(kernel) == length &&
				      !strncmp(kernel, name, length);

		if (!is_class && strcmp(kernel, name) != 0)
			continue;
		snprintf(text, size, "%s%s%s", names[i].shown,
			 is_class && name[length] ? " " : "",
			 is_class ? name + length : "");
		return;
	}
	snprintf(text, size, "%s", name);
}
