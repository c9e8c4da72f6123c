/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/full_write.h"

#include <errno.h>
#include <unistd.h>

int
full_write(int fd, const void *data, size_t size)
{
	for (const char *at = data; size;) {
		ssize_t written = write(fd, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		at += written;
		size -= (size_t)written;
	}
	return 0;
}
