/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of engines that people know, in place of the kernel's. */
#ifndef DRMPERF_TOOL_TOP_ENGINE_NAMES_H
#define DRMPERF_TOOL_TOP_ENGINE_NAMES_H

#include <stddef.h>

/*
 * Print the name of an engine or of a class of engines: "Render 0" for "rcs0",
 * "Render" for "render". One that is not known is printed as it is.
 */
void
engine_name_print(const char *name, char *text, size_t size);

#endif /* DRMPERF_TOOL_TOP_ENGINE_NAMES_H */
