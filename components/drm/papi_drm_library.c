/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define SONAME "libdrmperf.so.0"

struct reason {
	char *text;
	size_t size;
};

static void __attribute__((format(printf, 2, 3)))
reason_append(struct reason *reason, const char *format, ...)
{
	size_t used = strlen(reason->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason->text + used, reason->size - used, format, arguments);
	va_end(arguments);
}

/*
 * Find SONAME in the folder of this code, which is libpapi's. If libpapi is
 * linked into the program, the dynamic linker only knows its argv[0], so the
 * path comes from the kernel; that is not trusted in a program with more rights
 * than its caller, who can link to it in any folder. A relative path is
 * ignored, since the current folder may have changed.
 */
static int
beside_libpapi(char *path, size_t size)
{
	struct link_map *map;
	char file[PATH_MAX];
	Dl_info info;
	const char *slash;
	bool inside;
	int length;

	if (!dladdr1((void *)papi_drm_library_open, &info, (void **)&map,
		     RTLD_DL_LINKMAP))
		return -ENOENT;
	inside = !map->l_name[0];
	if (inside ? getauxval(AT_SECURE) != 0 : info.dli_fname[0] != '/')
		return -ENOENT;
	if (!realpath(inside ? "/proc/self/exe" : info.dli_fname, file))
		return -errno;
	slash = strrchr(file, '/');
	length = snprintf(path, size, "%.*s/%s", (int)(slash - file), file,
			  SONAME);
	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static void *
try_open(const char *path, struct reason *reason)
{
	/* Not closed: a thread of the library may still run in its code. */
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	const char *error;

	if (handle)
		return handle;
	error = dlerror();
	reason_append(reason, "; %s", error ? error : path);
	return NULL;
}

static void *
find_library(struct reason *reason)
{
	const char *named = secure_getenv(PAPI_DRM_LIBRARY_ENVIRONMENT);
	char path[PATH_MAX];
	void *handle;

	reason_append(reason, SONAME " not found");
	/* If a file is named, only that file may be loaded. */
	if (named && named[0]) {
		handle = try_open(named, reason);
		if (!handle)
			reason_append(reason, "; %s names this file",
				      PAPI_DRM_LIBRARY_ENVIRONMENT);
		return handle;
	}
	handle = try_open(SONAME, reason);
	if (!handle && !beside_libpapi(path, sizeof(path)))
		handle = try_open(path, reason);
	if (!handle)
		reason_append(reason,
			      "; install drmperf, or set %s to the "
			      "library's path",
			      PAPI_DRM_LIBRARY_ENVIRONMENT);
	return handle;
}

/* Return the file behind an open library, for messages. */
static const char *
library_path(void *handle)
{
	void *symbol = dlsym(handle, "drmperf_version");
	Dl_info info;

	if (!symbol || !dladdr(symbol, &info))
		return SONAME;
	return info.dli_fname;
}

static int
library_resolve(struct papi_drm_library *library, struct reason *reason)
{
	const struct {
		const char *name;
		void *member;
	} functions[] = {
#define FUNCTION(name) { "drmperf_" #name, &library->name },
		PAPI_DRM_FUNCTIONS(FUNCTION)
#undef FUNCTION
	};
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *symbol = dlsym(library->handle, functions[i].name);

		if (!symbol) {
			reason_append(reason,
				      "%s has no %s: it is not the libdrmperf "
				      "this component was built for",
				      library_path(library->handle),
				      functions[i].name);
			return -ENOENT;
		}
		memcpy(functions[i].member, &symbol, sizeof(symbol));
	}
	if (library->version() >> 16 != DRMPERF_VERSION_MAJOR) {
		reason_append(reason,
			      "%s has major version %u, this component needs "
			      "%d",
			      library_path(library->handle),
			      library->version() >> 16, DRMPERF_VERSION_MAJOR);
		return -ENOENT;
	}
	return 0;
}

int
papi_drm_library_open(struct papi_drm_library *library, char *text, size_t size)
{
	struct reason reason = { text, size };
	struct papi_drm_library opened = { 0 };
	int rc;

	text[0] = '\0';
	opened.handle = find_library(&reason);
	if (!opened.handle)
		return -ENOENT;
	text[0] = '\0';
	rc = library_resolve(&opened, &reason);
	if (rc) {
		dlclose(opened.handle);
		return rc;
	}
	*library = opened;
	return 0;
}

void
papi_drm_library_close(struct papi_drm_library *library)
{
	if (library->handle)
		dlclose(library->handle);
	memset(library, 0, sizeof(*library));
}
