/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/intel_node.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/support/check.h"

int
node_open(unsigned gpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + gpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

int
node_call(int fd, unsigned long request, void *arg)
{
	int result = ioctl(fd, request, arg);

	return result < 0 ? -errno : result;
}

int
node_read_id(unsigned gpu, const char *uuid)
{
	char path[128];
	FILE *file;
	int id = -1;

	snprintf(path, sizeof(path), "/sys/class/drm/card%u/metrics/%s/id", gpu,
		 uuid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	ck_assert_int_eq(fscanf(file, "%d", &id), 1);
	fclose(file);
	return id;
}

bool
node_is_readable(int stream)
{
	struct pollfd poller = { .fd = stream, .events = POLLIN };

	return poll(&poller, 1, 0) == 1 && poller.revents == POLLIN;
}

uint32_t
node_word(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}
