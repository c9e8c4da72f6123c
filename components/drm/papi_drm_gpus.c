/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_gpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"

void
papi_drm_gpus_forget(char **names)
{
	int i;

	for (i = 0; i < PAPI_PMU_MAX; i++) {
		free(names[i]);
		names[i] = NULL;
	}
}

static void
note_driver(const char *card, char **names)
{
	char path[512], target[512];
	const char *driver;
	ssize_t length;
	int i;

	snprintf(path, sizeof(path), DRM_CLASS "/%s/device/driver", card);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return;
	target[length] = '\0';
	driver = strrchr(target, '/');
	driver = driver ? driver + 1 : target;
	for (i = 0; i < PAPI_PMU_MAX && names[i]; i++) {
		if (!strcmp(names[i], driver))
			return;
	}
	if (i < PAPI_PMU_MAX)
		names[i] = strdup(driver);
}

bool
papi_drm_gpus_find(char **names)
{
	DIR *directory = opendir(DRM_CLASS);
	struct dirent *entry;
	bool found = false;

	if (!directory)
		return false;
	while ((entry = readdir(directory))) {
		/* card0, renderD128; connectors are card0-DP-1 */
		if ((strncmp(entry->d_name, "card", 4) &&
		     strncmp(entry->d_name, "renderD", 7)) ||
		    strchr(entry->d_name, '-'))
			continue;
		found = true;
		note_driver(entry->d_name, names);
	}
	closedir(directory);
	return found;
}
