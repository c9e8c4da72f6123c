/* SPDX-License-Identifier: BSD-3-Clause */
/* The project's libraries that a program is to load before its own. */
#ifndef DRMPERF_TOOL_PROCESS_PRELOAD_H
#define DRMPERF_TOOL_PROCESS_PRELOAD_H

#include <limits.h>
#include <stdbool.h>

#include "util/tool.h"

/* Find a library in the folder of libdrmperf; false: there is none. */
bool
preload_find(const char *library, char path[PATH_MAX]);

/* Find a required library. Returns 0, or TOOL_FAILED after a complaint. */
int
preload_require(const struct tool *tool, const char *library,
		char path[PATH_MAX]);

/*
 * Put a library from the folder of libdrmperf into LD_PRELOAD, behind what is
 * there. Returns 0, or TOOL_FAILED after a complaint.
 */
int
preload_own_library(const struct tool *tool, const char *library);

/*
 * Refuse a program that begins with rights of its own (set-user-ID, file
 * capabilities): it takes no library and no layer from its environment. Returns
 * 0, or TOOL_FAILED after a complaint.
 */
int
preload_check_program(const struct tool *tool, const char *program);

/*
 * Append a word to the list in a variable of the environment, behind the first
 * of its separators, unless it is there. Returns 0, or -ENOMEM.
 */
int
preload_append(const char *variable, const char *separators, const char *word);

#endif /* DRMPERF_TOOL_PROCESS_PRELOAD_H */
