/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection of a GPU's events that are shown, with their labels: those that any
 * user may read, and that keep no GPU awake.
 */
#ifndef DRMPERF_TOOL_TOP_ROLES_H
#define DRMPERF_TOOL_TOP_ROLES_H

#include "top/row.h"

/*
 * Make one row per event, in the order of their kinds. Returns 0, or -ENOMEM.
 */
int
top_roles_find(struct drmperf *drmperf, struct drmperf_device *device,
	       struct top_row **rows, size_t *count);

/* Return the name of a kind, such as "power", for notes. */
const char *
top_kind_name(enum top_kind kind);

/*
 * Print the name of an engine or of a class of engines that people know, in
 * place of the kernel's: "Render 0" for "rcs0", "Render" for "render". One that
 * is not known is printed as it is.
 */
void
engine_name_print(const char *name, char *text, size_t size);

#endif /* DRMPERF_TOOL_TOP_ROLES_H */
