/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace of waves of one frame of a device, for `drmperf trace --sqtt`, whose
 * program need not use the extension: DRMPERF_VK_TRACE has the number of the
 * frame, from 0, bytes for each shader engine (0: the default), 1 to leave out
 * tokens of instructions, and the file, which must not exist.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_CAPTURE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_CAPTURE_H

#include "gpa_device.h"

/* Return whether the environment asks for a trace. */
bool
gpa_capture_is_wanted(void);

/*
 * Begin the first frame of a device that this GPU serves; NULL: none does.
 * Returns NULL if nothing will be traced.
 */
struct gpa_capture *
gpa_capture_create(struct gpa_device *device, const struct gpa_gpu *gpu);
/* End a frame, whose work has been done, and begin the next. */
void
gpa_capture_next_frame(struct gpa_capture *capture);
/* End a frame that goes on. NULL is allowed. */
void
gpa_capture_destroy(struct gpa_capture *capture);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CAPTURE_H */
