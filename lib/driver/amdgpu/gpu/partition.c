/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/gpu/partition.h"

#include <stdio.h>
#include <string.h>

unsigned
partition_dies(const char *sysfs, unsigned dies)
{
	char path[512], mode[16] = "";
	FILE *file;

	if (dies < 2)
		return dies;
	/* Linux amdgpu_gfx.c; all users may read it */
	snprintf(path, sizeof(path), "%s/current_compute_partition", sysfs);
	file = fopen(path, "re");
	if (!file)
		return dies;
	if (!fgets(mode, sizeof(mode), file))
		mode[0] = '\0';
	fclose(file);
	mode[strcspn(mode, "\n")] = '\0';
	return strcmp(mode, "CPX") ? dies : 1;
}
