/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/beside_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Something of this library's, for dladdr() to find. */
static const char anchor;

char *
beside_library(const char *file)
{
	char path[PATH_MAX], *slash, *out;
	struct link_map *map;
	Dl_info info;
	bool inside;

	if (!dladdr1(&anchor, &info, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	inside = !map->l_name[0];
	if ((inside && getauxval(AT_SECURE)) ||
	    !realpath(inside ? "/proc/self/exe" : info.dli_fname, path))
		return NULL;
	slash = strrchr(path, '/');
	if (asprintf(&out, "%.*s/../%s", (int)(slash - path), path, file) < 0)
		return NULL;
	return out;
}
