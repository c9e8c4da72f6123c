/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <rocprofiler/rocprofiler.h>
#include <stdlib.h>
#include <string.h>

#include "roc_cxx.h"
#include "roc_dispatch.h"
#include "roc_enable.h"
#include "roc_error.h"
#include "roc_hooks.h"
#include "roc_kernels.h"
#include "roc_queues.h"
#include "roc_table.h"

const uint32_t HSA_AMD_TOOL_PRIORITY = 25;

/* The library that ROCP_TOOL_LIB names, while HSA runs; HSA has one lock. */
static void *tool;

static void
call_loaded(void (*load)(void), void (*load_with)(rocprofiler_settings_t *),
	    rocprofiler_settings_t *settings)
{
	if (load)
		load();
	else
		load_with(settings);
}

static int
load_tool(const char *path, rocprofiler_settings_t *settings,
	  struct drmperf_error *error)
{
	void (*load)(void);
	void (*load_with)(rocprofiler_settings_t *);

	tool = dlopen(path, RTLD_NOW);
	if (!tool)
		return fe_fail(error, -ENOENT, "see ROCP_TOOL_LIB", "%s",
			       dlerror());
	*(void **)&load = dlsym(tool, "OnLoadTool");
	*(void **)&load_with = dlsym(tool, "OnLoadToolProp");
	if ((load || load_with) && dlsym(tool, "OnUnloadTool")) {
		call_loaded(load, load_with, settings);
		return 0;
	}
	dlclose(tool);
	tool = NULL;
	return fe_fail(error, -ENOEXEC, "see ROCP_TOOL_LIB",
		       "%s lacks OnUnloadTool(), or both OnLoadTool() and "
		       "OnLoadToolProp()",
		       path);
}

/* Return 0: no; 1: yes; 2: with times, which there are with 1 as well. */
int
roc_tool_intercepts(bool *out, struct drmperf_error *error)
{
	const char *text = secure_getenv("ROCP_HSA_INTERCEPT");
	const int value = text ? atoi(text) : 0;

	*out = value;
	if (value < 0 || value > 2)
		return fe_fail(error, -EINVAL, "set it to 0, 1 or 2",
			       "ROCP_HSA_INTERCEPT is %d", value);
	return 0;
}

/*
 * Take HSA's tables, and begin to use them. Only intercepting needs them:
 * without them one can sample.
 */
static int
begin_hooks(void *tables, bool intercept, struct drmperf_error *error)
{
	int rc = roc_table_take(tables, error);

	if (!rc) {
		roc_cxx_begin();
		roc_kernels_begin();
		rc = roc_queues_begin(intercept, error);
	} else if (!intercept) {
		fe_report(ROC_LIBRARY, "OnLoad", rc, error);
		rc = 0;
	}
	return rc;
}

static int
tool_begin(void *tables, struct drmperf_error *error)
{
	const char *path = secure_getenv("ROCP_TOOL_LIB");
	rocprofiler_settings_t settings = { .intercept_mode = 1,
					    .code_obj_tracking = 1,
					    .timestamp_on = 1 };
	bool intercept;
	int rc = roc_tool_intercepts(&intercept, error);

	if (!rc)
		rc = begin_hooks(tables, intercept, error);
	if (!rc && path && *path)
		rc = load_tool(path, &settings, error);
	roc_queues_apply_settings(&settings);
	return rc;
}

static void
tool_end(void)
{
	roc_queues_end();
	roc_hooks_end();
	roc_dispatch_end();
	roc_enable_end();
	roc_table_restore();
	roc_kernels_end();
	roc_cxx_end();
}

bool
OnLoad(void *table, uint64_t runtime_version, uint64_t failed_tool_count,
       const char *const *failed_tool_names)
{
	struct drmperf_error error = { 0 };
	int rc;

	(void)runtime_version;
	(void)failed_tool_count;
	(void)failed_tool_names;
	rc = tool_begin(table, &error);
	if (rc)
		tool_end();
	return roc_end(__func__, rc, &error) == HSA_STATUS_SUCCESS;
}

void
OnUnload(void)
{
	void (*unload)(void);

	if (tool) {
		*(void **)&unload = dlsym(tool, "OnUnloadTool");
		unload();
	}
	tool_end();
	if (tool)
		dlclose(tool);
	tool = NULL;
}
