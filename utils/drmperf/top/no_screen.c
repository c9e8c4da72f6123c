/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacement of screen.c for builds without ncursesw. */
#include "top/state.h"

int
top_screen_run(struct top *top)
{
	const struct drmperf_error error = {
		.cause = "drmperf was built without ncursesw, so there is "
			 "no screen",
		.remedy = "print frames (-b), or build drmperf where ncursesw "
			  "is (Debian: libncurses-dev)",
	};

	return tool_complain(top->tool, &error);
}
