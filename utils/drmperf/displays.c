/* SPDX-License-Identifier: BSD-3-Clause */
#include "displays.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool
file_says(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	char line[32] = "";

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return !strcmp(line, word);
}

/* ".../card0/card0-DP-1/enabled" */
static void
take_name(char *path, char *out, size_t size)
{
	char *slash = strrchr(path, '/');

	*slash = '\0';
	slash = strrchr(path, '/');
	snprintf(out, size, "%s", slash + 1);
}

bool
displays_any(const char *root, const char *address, char *connector,
	     size_t size)
{
	char pattern[PATH_MAX];
	bool any = false;
	glob_t found;

	/* Linux drm_sysfs.c: whether a picture goes to the connector */
	snprintf(pattern, sizeof(pattern),
		 "%s/sys/bus/pci/devices/%s/drm/card*/card*-*/enabled", root,
		 address);
	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		return false;
	for (size_t i = 0; !any && i < found.gl_pathc; i++) {
		any = file_says(found.gl_pathv[i], "enabled");
		if (any)
			take_name(found.gl_pathv[i], connector, size);
	}
	globfree(&found);
	return any;
}
