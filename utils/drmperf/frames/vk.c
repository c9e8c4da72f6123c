/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf vk: run a program with the layer that gives Vulkan the extension
 * VK_AMD_gpa_interface.
 */
#include "process/preload.h"
#include "util/command.h"

#include <dlfcn.h>
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
 * Search above the library's folder, which may lie deeper than the prefix
 * implies.
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
	if (preload_append(only && *only ? ONLY_PATH : MORE_PATH, ":",
			   folder) ||
	    preload_append(LAYERS, ":", LAYER))
		return tool_fail(tool, "no memory");
	return 0;
}

static const struct command_option vk_options[] = { FRAMES_OPTIONS() };

static int
vk_run(struct tool *tool, int argc, char **argv)
{
	return frames_main(tool, &vk_command, argc, argv,
			   "a present or a submission", vk_layer_enable);
}

const struct tool_command vk_command = {
	.name = "vk",
	.summary = "run a program with VK_AMD_gpa_interface",
	.usage = "usage: drmperf vk [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		 "Run a program with the Vulkan layer " LAYER ", which\n"
		 "adds the extension VK_AMD_gpa_interface to AMD GPUs, "
		 "whatever their driver.\n",
	.options = vk_options,
	.notes = "Sets VK_INSTANCE_LAYERS and VK_ADD_LAYER_PATH, or "
		 "VK_LAYER_PATH where that is set.\n",
	.takes_command = true,
	.run = vk_run,
};
