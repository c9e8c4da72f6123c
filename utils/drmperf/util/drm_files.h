/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The open files of GPUs' nodes that a process has, and what the kernel reports
 * of each in /proc/PID/fdinfo. Nothing here opens a node or wakes a GPU. [Linux
 * 6.12 Documentation/gpu/drm-usage-stats.rst]
 */
#ifndef DRMPERF_TOOL_UTIL_DRM_FILES_H
#define DRMPERF_TOOL_UTIL_DRM_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Visit a file's text; what is negative ends the visit, and is returned by it.
 */
typedef int
drm_file_visitor(void *data, const char *text);

/*
 * Visit the files of a process: how many there are. None if it is over. -EACCES
 * if they may not be looked at, or what the visitor returned.
 */
int
drm_files_visit(pid_t pid, drm_file_visitor *visit, void *data);

struct drm_line {
	char key[160]; /* without "drm-": "engine-gfx" */
	const char *value; /* in there as well */
};

/* Take the next line of DRM's from the text; false at the end. */
bool
drm_line_next(const char **text, struct drm_line *out);

/* Return the number of a value, in bytes or hertz where it is of these. */
uint64_t
drm_amount(const char *value);

#endif /* DRMPERF_TOOL_UTIL_DRM_FILES_H */
