/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf gl: run a program whose OpenGL has GL_AMD_performance_monitor.
 */
#include "util/tool.h"

#include <getopt.h>
#include <stdlib.h>

#include "frames/frames.h"
#include "process/preload.h"
#include "select/selection_list.h"

#define GL_LIBRARY "libdrmperf-gl.so"

static int
replace_drivers(const struct tool *tool)
{
	return setenv("DRMPERF_GL", "override", 1)
		       ? tool_fail(tool, "no memory")
		       : 0;
}

#define OPTION_OVERRIDE 256

static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "override", no_argument, NULL, OPTION_OVERRIDE },
	FRAMES_LONG_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int
gl_run(struct tool *tool, int argc, char **argv)
{
	struct frames_options frames = { .ends = "a swap of buffers" };
	int option, status = 0;

	while (!status &&
	       (option = getopt_long(argc, argv, "+d:" FRAMES_SHORT_OPTIONS,
				     options, NULL)) != -1) {
		switch (option) {
		case 'd':
			status = choose_device_of_program(tool, optarg);
			if (!status)
				status = choose_own_device(tool, optarg);
			break;
		case OPTION_OVERRIDE:
			status = replace_drivers(tool);
			break;
		case 'h':
			fputs(gl_command.usage, stdout);
			frames_finish_options(&frames);
			return 0;
		default:
			status = frames_read_option(tool, &frames, option);
		}
	}
	if (!status)
		status = frames_check_options(tool, &frames);
	if (!status && !argv[optind])
		status = tool_usage_error(tool, "no program given");
	if (!status)
		status = preload_check_program(tool, argv[optind]);
	if (!status)
		status = preload_beside(tool, GL_LIBRARY);
	if (!status)
		status = frames_run(tool, &frames,
				    (const char *const *)&argv[optind]);
	frames_finish_options(&frames);
	return status;
}

const struct tool_command gl_command = {
	.name = "gl",
	.summary = "run a program with GL_AMD_performance_monitor",
	.usage = "usage: drmperf gl [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		 "Run a program whose OpenGL, whatever the driver, has "
		 "GL_AMD_performance_monitor\nwith the counters of the GPU "
		 "that it draws with.\n\n"
		 "  -d, --device N  the GPU, by number or PCI address, for "
		 "drivers that do not\n"
		 "                  say which they use; sets DRMPERF_GPU\n"
		 "      --override  replace the extension of a driver that has "
		 "it, too; sets\n"
		 "                  DRMPERF_GL\n" FRAMES_USAGE "\n"
		 "Sets LD_PRELOAD. DRMPERF_VERBOSE=1 prints why a context "
		 "or a call is refused.\n",
	.run = gl_run,
};
