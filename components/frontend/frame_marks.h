/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks between the frames of a program, for `drmperf gl --print` and
 * `drmperf vk --print`, which count: the tool listens on the abstract socket
 * that DRMPERF_FRAMES names. A mark is a packet with the address of the GPU
 * that drew the frame, which the tool answers when it has read the counters.
 */
#ifndef DRMPERF_COMPONENTS_FRONTEND_FRAME_MARKS_H
#define DRMPERF_COMPONENTS_FRONTEND_FRAME_MARKS_H

#include <stdbool.h>

/* Return whether a tool asks for marks. */
bool
frame_marks_are_wanted(void);

/*
 * Mark the end of a frame, and wait for the answer. The caller has waited until
 * the GPU has drawn it. address is the GPU's on the PCI bus, or "" if the
 * driver does not report it: DRMPERF_GPU applies then. Does nothing if the tool
 * has ended.
 */
void
frame_marks_set(const char *address);

#endif /* DRMPERF_COMPONENTS_FRONTEND_FRAME_MARKS_H */
