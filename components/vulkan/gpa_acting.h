/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that act: what makes the device do something, other than to change
 * the state that later commands find. Where they lie beside samples decides
 * where command buffers are cut. Render passes and secondary command buffers,
 * which are seen in gpa_record.c, act as well.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* Return the layer's function for an acting command, or NULL. */
PFN_vkVoidFunction
gpa_acting_function(const char *name);
/* Return whether a command of this name only changes state, or labels it. */
bool
gpa_acting_is_state(const char *name);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_H */
