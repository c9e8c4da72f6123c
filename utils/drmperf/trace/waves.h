/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of waves that drmperf takes itself while a command runs. */
#ifndef DRMPERF_TOOL_TRACE_WAVES_H
#define DRMPERF_TOOL_TRACE_WAVES_H

#include "util/tool.h"

struct waves_options {
	const char *path; /* of the file */
	struct drmperf_device *device; /* NULL: the first AMD GPU */
	unsigned buffer_mib; /* of each shader engine; 0: the library's */
	bool omit_instructions;
};

/* Trace a command. Returns the exit code to pass on. */
int
trace_waves(const struct tool *tool, const struct waves_options *options,
	    char **command);

#endif /* DRMPERF_TOOL_TRACE_WAVES_H */
