/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ends of frames, for `drmperf vk --print`: presents, or, where a device
 * has no swapchains, submissions. They go to the functions behind them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_FRAMES_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_FRAMES_H

#include <vulkan/vulkan.h>

#include "gpa_device.h"

/* Return the function that ends a frame of the device, or NULL. */
PFN_vkVoidFunction
gpa_frames_function(const struct gpa_device *device, const char *name);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_FRAMES_H */
