/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/intel_node.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/support/check.h"

#define KEPT_MAX 64

/* What the running test has opened and added; fd is -1 of what has gone. */
static struct {
	int fd, id;
	int (*remove)(int fd, int id); /* NULL: it is a file */
} kept[KEPT_MAX];
static unsigned kept_count;

void
node_keep_set(int fd, int id, int (*remove)(int fd, int id))
{
	if (fd < 0 || id < 0)
		return;
	ck_assert_uint_lt(kept_count, KEPT_MAX);
	kept[kept_count].fd = fd;
	kept[kept_count].id = id;
	kept[kept_count++].remove = remove;
}

void
node_keep(int fd)
{
	node_keep_set(fd, 0, NULL);
}

void
node_close(int fd)
{
	for (unsigned i = 0; i < kept_count; i++)
		if (kept[i].fd == fd)
			kept[i].fd = -1;
	close(fd);
}

void
nodes_close(void)
{
	while (kept_count > 0) {
		const int fd = kept[--kept_count].fd;

		if (fd < 0)
			continue;
		if (kept[kept_count].remove)
			kept[kept_count].remove(fd, kept[kept_count].id);
		else
			close(fd);
	}
}

int
node_opened(int stream)
{
	ck_assert_int_ge(stream, 0);
	return stream;
}

int
node_open(unsigned gpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + gpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	node_keep(fd);
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
