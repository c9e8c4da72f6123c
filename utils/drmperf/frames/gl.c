/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf gl: run a program whose OpenGL has GL_AMD_performance_monitor.
 */
#include "util/command.h"

#include <stdlib.h>

#include "frames/frames.h"
#include "process/preload.h"

#define GL_LIBRARY "libdrmperf-gl.so"

static int
replace_drivers(struct tool *tool, const char *text, void *object)
{
	(void)text;
	(void)object;
	return setenv("DRMPERF_GL", "override", 1)
		       ? tool_fail(tool, "no memory")
		       : 0;
}

static const struct command_option gl_options[] = { FRAMES_OPTIONS(
	{ "override", 0, NULL, COMMAND_CALL(replace_drivers),
	  .help = "replace the extension of a driver that has it, too; sets "
		  "DRMPERF_GL" }, ) };

static int
load_library(const struct tool *tool)
{
	return preload_own_library(tool, GL_LIBRARY);
}

static int
gl_run(struct tool *tool, int argc, char **argv)
{
	return frames_main(tool, &gl_command, argc, argv, "a swap of buffers",
			   load_library);
}

const struct tool_command gl_command = {
	.name = "gl",
	.summary = "run a program with GL_AMD_performance_monitor",
	.usage = "usage: drmperf gl [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		 "Run a program whose OpenGL, whatever the driver, has "
		 "GL_AMD_performance_monitor\nwith the counters of the GPU "
		 "that it draws with.\n",
	.options = gl_options,
	.notes = "Sets LD_PRELOAD. DRMPERF_VERBOSE=1 prints why a context "
		 "or a call is refused.\n",
	.takes_command = true,
	.run = gl_run,
};
