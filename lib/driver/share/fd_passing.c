/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/fd_passing.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_TYPE (SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK)

/* Names that the kernel chooses are a 0 and a few hexadecimal digits. */
#define NAME_OFFSET (offsetof(struct sockaddr_un, sun_path) + 1)

/* A message of a secret and descriptors; that of a server has the secret 0. */
struct fd_packet {
	struct fd_secret secret;
	struct iovec part;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(FD_PASSING_MAX *
							 sizeof(int))];
	struct msghdr message;
};

static void
fd_packet_init(struct fd_packet *packet, size_t count)
{
	assert(count <= FD_PASSING_MAX);
	memset(packet, 0, sizeof(*packet));
	packet->part =
		(struct iovec){ &packet->secret, sizeof(packet->secret) };
	packet->message = (struct msghdr){
		.msg_iov = &packet->part,
		.msg_iovlen = 1,
		.msg_control = packet->control,
		.msg_controllen = CMSG_SPACE(count * sizeof(int)),
	};
}

/* Return whether the process at the other end may get the descriptors. */
static bool
is_allowed(const struct fd_server_terms *terms, int end)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(end, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.uid != geteuid())
		return false;
	return !terms->is_allowed || terms->is_allowed(terms->data, peer.pid);
}

static int
name_socket(int fd, char name[FD_SERVER_NAME_SIZE])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = sizeof(address.sun_family);

	if (bind(fd, (struct sockaddr *)&address, length))
		return -errno;
	length = sizeof(address);
	if (getsockname(fd, (struct sockaddr *)&address, &length))
		return -errno;
	if (length <= NAME_OFFSET ||
	    length - NAME_OFFSET >= FD_SERVER_NAME_SIZE)
		return -EINVAL;
	memset(name, 0, FD_SERVER_NAME_SIZE);
	memcpy(name, address.sun_path + 1, length - NAME_OFFSET);
	return 0;
}

int
fd_server_open(char name[FD_SERVER_NAME_SIZE])
{
	int fd = socket(AF_UNIX, SOCKET_TYPE, 0), ret;

	if (fd < 0)
		return -errno;
	ret = name_socket(fd, name);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int
fd_server_open_as(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strnlen(name, FD_SERVER_NAME_SIZE);
	int fd = socket(AF_UNIX, SOCKET_TYPE, 0), ret;

	if (fd < 0)
		return -errno;
	memcpy(address.sun_path + 1, name, length);
	if (!bind(fd, (struct sockaddr *)&address,
		  (socklen_t)(NAME_OFFSET + length)))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static int
fd_secret_send(int end, const struct fd_secret *secret, const int *passed,
	       size_t count)
{
	struct fd_packet packet;
	struct cmsghdr *header;

	fd_packet_init(&packet, count);
	if (secret)
		packet.secret = *secret;
	header = CMSG_FIRSTHDR(&packet.message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(header), passed, count * sizeof(int));
	return sendmsg(end, &packet.message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0
		       ? -errno
		       : 0;
}

static void
close_all(const struct cmsghdr *header)
{
	size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	int fd;

	for (size_t i = 0; i < count; i++) {
		memcpy(&fd, CMSG_DATA(header) + i * sizeof(fd), sizeof(fd));
		close(fd);
	}
}

static int
receive_fds(int end, struct fd_secret *secret, int *passed, size_t count)
{
	struct fd_packet packet;
	struct cmsghdr *header;
	ssize_t length;

	fd_packet_init(&packet, count);
	length = recvmsg(end, &packet.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	if (length < 0)
		return errno == ECONNRESET || errno == EINTR ? -EAGAIN : -errno;
	header = CMSG_FIRSTHDR(&packet.message);
	if (!header || header->cmsg_level != SOL_SOCKET ||
	    header->cmsg_type != SCM_RIGHTS)
		return -EAGAIN;
	if (length == sizeof(packet.secret) &&
	    header->cmsg_len == CMSG_LEN(count * sizeof(int))) {
		*secret = packet.secret;
		memcpy(passed, CMSG_DATA(header), count * sizeof(int));
		return 0;
	}
	close_all(header);
	/* The kernel cuts the list at the process's limit of descriptors. */
	return packet.message.msg_flags & MSG_CTRUNC ? -EMFILE : -EAGAIN;
}

/*
 * Compare two secrets in constant time, so that a guess cannot be improved by
 * timing.
 */
static bool
is_secret(const struct fd_secret *a, const struct fd_secret *b)
{
	return !((a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]));
}

void
fd_server_answer(int server, const struct fd_server_terms *terms,
		 const int *passed, size_t count)
{
	/* Initialized since the analyzers believe that -errno may be 0. */
	struct fd_secret shown = { { 0 } };
	int end = -1;

	if (receive_fds(server, &shown, &end, 1))
		return;
	/*
	 * The new socket has room for it; if sending fails, the process asks
	 * again.
	 */
	if (is_secret(&terms->secret, &shown) && is_allowed(terms, end))
		fd_secret_send(end, NULL, passed, count);
	close(end);
}

int
fd_secret_make(struct fd_secret *out)
{
	ssize_t length = getrandom(out, sizeof(*out), 0);

	if (length < 0)
		return -errno;
	return length == sizeof(*out) ? 0 : -EIO;
}

/* ------------------------------------------------------------------ */
/* The client's side                                                    */

static int
wait_for(int end, int timeout_ms)
{
	struct pollfd fd = { .fd = end, .events = POLLIN };
	int ret = poll(&fd, 1, timeout_ms);

	if (ret < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	return ret ? 0 : -ETIMEDOUT;
}

/* Send a message that shows the secret and brings the other end of a pair. */
static int
send_request(int line, const char *name, const struct fd_secret *secret,
	     int other)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strnlen(name, FD_SERVER_NAME_SIZE);
	int ret;

	memcpy(address.sun_path + 1, name, length);
	if (connect(line, (struct sockaddr *)&address,
		    (socklen_t)(NAME_OFFSET + length)))
		ret = -errno;
	else
		ret = fd_secret_send(line, secret, &other, 1);
	return ret == -ECONNREFUSED || ret == -EINTR ? -EAGAIN : ret;
}

static int
send_end(const char *name, const struct fd_secret *secret, int other)
{
	int line = socket(AF_UNIX, SOCKET_TYPE, 0), ret;

	if (line < 0)
		return -errno;
	ret = send_request(line, name, secret, other);
	close(line);
	return ret;
}

int
fd_client_fetch(const char *name, const struct fd_secret *secret, int *passed,
		size_t count, int timeout_ms)
{
	struct fd_secret none;
	int pair[2], ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, pair))
		return -errno;
	ret = send_end(name, secret, pair[1]);
	/* The end in the message is the only one, and goes with the socket. */
	close(pair[1]);
	if (!ret)
		ret = wait_for(pair[0], timeout_ms);
	if (!ret)
		ret = receive_fds(pair[0], &none, passed, count);
	close(pair[0]);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Checks of the descriptors received                                   */

static bool
never_blocks(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && flags & O_NONBLOCK;
}

static bool
has_socket_option(int fd, int option, int value)
{
	socklen_t size = sizeof(int);
	int is;

	return !getsockopt(fd, SOL_SOCKET, option, &is, &size) && is == value;
}

bool
fd_is_server(int fd)
{
	return has_socket_option(fd, SO_DOMAIN, AF_UNIX) &&
	       has_socket_option(fd, SO_TYPE, SOCK_DGRAM) && never_blocks(fd);
}

/* Return whether a descriptor has this name in the kernel. */
static bool
has_name(int fd, const char *name)
{
	char path[32], is[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = readlink(path, is, sizeof(is));
	return length == (ssize_t)strlen(name) &&
	       !memcmp(is, name, (size_t)length);
}

bool
fd_is_eventfd(int fd)
{
	return never_blocks(fd) && has_name(fd, "anon_inode:[eventfd]");
}
