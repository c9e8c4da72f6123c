/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool that librocprofiler64 loads by ROCP_TOOL_LIB: it wants calls of HSA's
 * looked at, and leaves in the environment what it was handed. TOOL_WANTS may
 * ask for more: "brief", or "untimed".
 */
#include <rocprofiler/rocprofiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void
OnLoadToolProp(rocprofiler_settings_t *settings);
EXPORT void
OnUnloadTool(void);

EXPORT void
OnLoadToolProp(rocprofiler_settings_t *settings)
{
	const char *wants = getenv("TOOL_WANTS");
	char text[64];

	snprintf(text, sizeof(text), "%u %u %u", settings->intercept_mode,
		 settings->code_obj_tracking, settings->timestamp_on);
	setenv("TOOL_WAS_HANDED", text, 1);
	settings->opt_mode = wants && !strcmp(wants, "brief");
	if (wants && !strcmp(wants, "untimed"))
		settings->timestamp_on = 0;
}

EXPORT void
OnUnloadTool(void)
{
	setenv("TOOL_WAS_UNLOADED", "1", 1);
}
