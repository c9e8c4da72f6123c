/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf vk: run a program with the layer that gives Vulkan the extension
 * VK_AMD_gpa_interface.
 */
#include "process/preload.h"
#include "util/tool.h"

#include <dlfcn.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frames/frames.h"
#include "select/selection_list.h"

#define LAYER "VK_LAYER_DRMPERF_gpa"
#define LIBRARY "libVkLayer_drmperf_gpa.so"
#define MANIFEST "VkLayer_drmperf_gpa.json"
#define MANIFESTS "share/vulkan/explicit_layer.d"
#define LAYERS "VK_INSTANCE_LAYERS"
/* one of these: the first means that the loader looks nowhere else */
#define ONLY_PATH "VK_LAYER_PATH"
#define MORE_PATH "VK_ADD_LAYER_PATH"

/* ------------------------------------------------------------------ */
/* Where the layer is                                                   */

static bool
has_manifest(const char *folder)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", folder, MANIFEST) <
		       PATH_MAX &&
	       !access(path, R_OK);
}

static int
library_path(const struct tool *tool, char path[PATH_MAX])
{
	void *symbol = dlsym(RTLD_DEFAULT, "drmperf_version");
	Dl_info info;

	if (!symbol || !dladdr(symbol, &info) ||
	    !realpath(info.dli_fname, path))
		return tool_fail(tool, "cannot find libdrmperf's file");
	return 0;
}

/*
 * Look above the library's folder, which may lie deeper than the prefix says.
 */
static int
find_manifest(const struct tool *tool, char folder[PATH_MAX])
{
	char near[PATH_MAX], *slash;

	if (library_path(tool, near))
		return TOOL_FAILED;
	while ((slash = strrchr(near, '/'))) {
		*slash = '\0';
		if (snprintf(folder, PATH_MAX, "%s/" MANIFESTS, near) <
			    PATH_MAX &&
		    has_manifest(folder))
			return 0;
	}
	tool_fail(tool, "there is no " MANIFEST ", which " LIBRARY " needs");
	fputs("try: install drmperf as a whole; where it is built, Vulkan's "
	      "headers have to be there (Debian: libvulkan-dev)\n",
	      stderr);
	return TOOL_FAILED;
}

/* ------------------------------------------------------------------ */
/* The program's environment                                            */

/* Append to a variable of the environment, behind what is there. */
static int
environment_append(const struct tool *tool, const char *variable,
		   const char *word)
{
	const char *before = secure_getenv(variable);
	char *list;
	int failed;

	if (preload_lists(before, ":", word))
		return 0;
	if (asprintf(&list, "%s%s%s", before ? before : "",
		     before && *before ? ":" : "", word) < 0)
		return tool_fail(tool, "no memory");
	failed = setenv(variable, list, 1);
	free(list);
	return failed ? tool_fail(tool, "no memory") : 0;
}

int
vk_layer_enable(const struct tool *tool)
{
	const char *only = secure_getenv(ONLY_PATH);
	char folder[PATH_MAX];

	if (find_manifest(tool, folder))
		return TOOL_FAILED;
	if (strchr(folder, ':'))
		return tool_fail(tool,
				 MORE_PATH " has no way to write a path with "
					   "colons, %s",
				 folder);
	if (environment_append(tool, only && *only ? ONLY_PATH : MORE_PATH,
			       folder))
		return TOOL_FAILED;
	return environment_append(tool, LAYERS, LAYER);
}

/* By its address, which stays. */
static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	FRAMES_LONG_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int
vk_run(struct tool *tool, int argc, char **argv)
{
	struct frames_options frames = { .ends = "a present or a submission" };
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
		case 'h':
			fputs(vk_command.usage, stdout);
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
		status = vk_layer_enable(tool);
	if (!status)
		status = frames_run(tool, &frames,
				    (const char *const *)&argv[optind]);
	frames_finish_options(&frames);
	return status;
}

const struct tool_command vk_command = {
	.name = "vk",
	.summary = "run a program with VK_AMD_gpa_interface",
	.usage =
		"usage: drmperf vk [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		"Run a program with the Vulkan layer " LAYER ", which\n"
		"adds the extension VK_AMD_gpa_interface to AMD GPUs, "
		"whatever their driver.\n\n"
		"  -d, --device N  the GPU, by number or PCI address, for "
		"drivers that do not\n"
		"                  say which they use; sets DRMPERF_GPU\n"
		FRAMES_USAGE "\n"
		"Sets VK_INSTANCE_LAYERS and VK_ADD_LAYER_PATH, or "
		"VK_LAYER_PATH where that is set.\n",
	.run = vk_run,
};
