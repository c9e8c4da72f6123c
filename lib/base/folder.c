/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/folder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void
folder_make(const char *path)
{
	char part[PATH_MAX];

	if (!*path ||
	    snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		return;
	for (char *at = part + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(part, 0700);
		*at = '/';
	}
}
