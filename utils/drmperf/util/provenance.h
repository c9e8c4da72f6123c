/* SPDX-License-Identifier: BSD-3-Clause */
/* Origin of a measurement that is read later: machine, kernel, GPUs. */
#ifndef DRMPERF_TOOL_UTIL_PROVENANCE_H
#define DRMPERF_TOOL_UTIL_PROVENANCE_H

#include "util/held_clocks.h"
#include "util/json.h"
#include "util/tool.h"

/*
 * Write members "date" (UTC), "version" (drmperf's), "host", "kernel" and
 * "machine" into the open object, and "devices": index, pci, driver, chip and
 * product of each GPU that is wanted, with its clocks before and while it was
 * counted where counting holds them.
 */
void
provenance_write(const struct tool *tool,
		 bool (*is_wanted)(const void *data,
				   const struct drmperf_device *device),
		 const void *data, const struct held_clocks_list *clocks,
		 struct json *json);

#endif /* DRMPERF_TOOL_UTIL_PROVENANCE_H */
