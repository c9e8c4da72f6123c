/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t
file_read(int fd, void *data, size_t size)
{
	size_t length = 0;

	while (length < size) {
		ssize_t n = read(fd, (char *)data + length, size - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

int
text_file_read(const char *folder, const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t length;
	int fd, ret;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	ret = -errno;
	close(fd);
	if (length < 0)
		return ret;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

int
number_file_read(const char *folder, const char *name, uint64_t *out)
{
	char text[32], *end;
	int err = text_file_read(folder, name, text, sizeof(text));

	if (err)
		return err;
	*out = strtoull(text, &end, 0);
	return end == text ? -ENODATA : 0;
}

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
