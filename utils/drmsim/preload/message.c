/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that come from other processes. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/identity.h"
#include "preload/next.h"
#include "preload/raw.h"

/* Adopt a pipe, which may be a stream of another process: the server knows. */
static void
message_adopt_fd(int fd)
{
	struct protocol_request request = {
		.kind = PROTOCOL_STREAM_FIND,
		.a = (uint64_t)fd,
	};
	long id = channel_call(&request, NULL, NULL, NULL);

	if (id > 0)
		identity_add_stream(fd, (uint64_t)id);
}

static void
adopt_all(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int fd;

	for (; header; header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET ||
		    header->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = CMSG_LEN(0);
		     at + sizeof(fd) <= header->cmsg_len; at += sizeof(fd)) {
			memcpy(&fd, (char *)header + at, sizeof(fd));
			if (identity_may_be_stream(fd))
				message_adopt_fd(fd);
		}
	}
}

EXPORT ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
	ssize_t length = raw_result(raw_syscall(
		SYS_recvmsg, fd, (long)message, flags, 0, 0, 0));
	int saved = errno;

	if (length >= 0 && channel_is_active())
		adopt_all(message);
	errno = saved;
	return length;
}
