/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/node.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/identity.h"
#include "preload/raw.h"

#define NODE_FOLDER "/dev/dri/"
#define KFD "/dev/kfd"

bool
node_is_path(const char *path)
{
	if (!channel_is_active() || !path)
		return false;
	if (strcmp(path, KFD) == 0)
		return true;
	return strncmp(path, NODE_FOLDER, strlen(NODE_FOLDER)) == 0 &&
	       path[strlen(NODE_FOLDER)] != '\0';
}

bool
node_may_be(const char *path)
{
	static const char descriptors[] = "/fd/";
	const size_t length = strlen(descriptors);
	const char *last;

	if (!channel_is_active() || !path)
		return false;
	last = strrchr(path, '/');
	last = last ? last + 1 : path;
	return strncmp(last, "card", 4) == 0 ||
	       strncmp(last, "renderD", 7) == 0 || strcmp(last, "kfd") == 0 ||
	       ((size_t)(last - path) >= length &&
		strncmp(last - length, descriptors, length) == 0);
}

int
node_open(const char *path, int flags)
{
	struct protocol_request request = {
		.kind = PROTOCOL_OPEN,
		.a = (uint64_t)(unsigned)flags,
	};

	return (int)raw_result(channel_call(&request, path, NULL, NULL));
}

int
node_adopt(int fd, int flags)
{
	const struct protocol_node *node = NULL;
	char path[64] = "/dev/char/";

	if (fd < 0 || (flags & O_PATH) || identity_of_node(fd, &node) || !node)
		return fd;
	number_append(path, node->major);
	strcat(path, ":");
	number_append(path, node->minor);
	raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	return node_open(path, flags);
}
