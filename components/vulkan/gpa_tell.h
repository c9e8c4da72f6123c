/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages for what VkResult has no codes for: on standard error if
 * DRMPERF_VERBOSE is set, as in the library's other API frontends.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_TELL_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_TELL_H

#include <vulkan/vulkan.h>

#include "frontend/frontend.h"

#define GPA_LAYER "VK_LAYER_DRMPERF_gpa"

/* The name of Vulkan's newer headers. */
#define GPA_VALIDATION_FAILED VK_ERROR_VALIDATION_FAILED_EXT

/* Print the reason, if messages are wanted, and return the result. */
__attribute__((format(printf, 3, 4))) VkResult
gpa_refuse(const char *where, VkResult result, const char *format, ...);

/* Report an error of libdrmperf's, and return a result; VK_SUCCESS for 0. */
VkResult
gpa_fail(const char *where, int code, const struct drmperf_error *error);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_TELL_H */
