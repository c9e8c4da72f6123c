/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
