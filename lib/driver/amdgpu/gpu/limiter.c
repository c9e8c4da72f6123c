/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/gpu/limiter.h"

#include <stdio.h>
#include <string.h>

bool
limiter_is_on(const char *sysfs)
{
	char path[512], state[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/ptl/ptl_enable", sysfs);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(state, sizeof(state), file))
		state[0] = '\0';
	fclose(file);
	return !strncmp(state, "enabled", 7);
}
