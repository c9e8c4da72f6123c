/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <rocprofiler/rocprofiler.h>
#include <stdlib.h>
#include <string.h>

#include "roc_error.h"

const uint32_t HSA_AMD_TOOL_PRIORITY = 25;

/* The library that ROCP_TOOL_LIB names, while HSA runs; HSA has one lock. */
static void *tool;

static void
call_loaded(void (*load)(void), void (*load_with)(rocprofiler_settings_t *))
{
	rocprofiler_settings_t settings = { 0 };

	if (load)
		load();
	else
		load_with(&settings);
}

static int
load_tool(const char *path, struct drmperf_error *error)
{
	void (*load)(void);
	void (*load_with)(rocprofiler_settings_t *);

	tool = dlopen(path, RTLD_NOW);
	if (!tool)
		return door_fail(error, -ENOENT, "see ROCP_TOOL_LIB", "%s",
				 dlerror());
	*(void **)&load = dlsym(tool, "OnLoadTool");
	*(void **)&load_with = dlsym(tool, "OnLoadToolProp");
	if ((load || load_with) && dlsym(tool, "OnUnloadTool")) {
		call_loaded(load, load_with);
		return 0;
	}
	dlclose(tool);
	tool = NULL;
	return door_fail(error, -ENOEXEC, "see ROCP_TOOL_LIB",
			 "%s lacks OnUnloadTool(), or both OnLoadTool() and "
			 "OnLoadToolProp()",
			 path);
}

static void
tell_intercept(void)
{
	const char *intercept = secure_getenv("ROCP_HSA_INTERCEPT");
	struct drmperf_error error;

	if (!intercept || !atoi(intercept))
		return;
	door_fail(&error, -ENOTSUP, "unset ROCP_HSA_INTERCEPT",
		  "this library does not intercept dispatches");
	door_tell(ROC_LIBRARY, "OnLoad", -ENOTSUP, &error);
}

bool
OnLoad(void *table, uint64_t runtime_version, uint64_t failed_tool_count,
       const char *const *failed_tool_names)
{
	const char *path = secure_getenv("ROCP_TOOL_LIB");
	struct drmperf_error error = { 0 };

	(void)table;
	(void)runtime_version;
	(void)failed_tool_count;
	(void)failed_tool_names;
	tell_intercept();
	return !path ||
	       roc_end(__func__, load_tool(path, &error), &error) ==
		       HSA_STATUS_SUCCESS;
}

void
OnUnload(void)
{
	void (*unload)(void);

	if (!tool)
		return;
	*(void **)&unload = dlsym(tool, "OnUnloadTool");
	unload();
	dlclose(tool);
	tool = NULL;
}
