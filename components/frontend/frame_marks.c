/* SPDX-License-Identifier: BSD-3-Clause */
#include "frontend/frame_marks.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The connection of a process; a child that it forks makes its own. */
static struct {
	pthread_mutex_t lock;
	pid_t owner; /* 0: none has tried to connect */
	int fd; /* -1: there is no tool */
	ino_t inode; /* of the socket: a program may close what it knows not */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static const char *
socket_name(void)
{
	const char *name = secure_getenv("DRMPERF_FRAMES");

	return name && *name ? name : NULL;
}

bool
frame_marks_are_wanted(void)
{
	return socket_name();
}

static void
tool_connect(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(name);
	struct stat status;

	all.owner = getpid();
	all.fd = -1;
	if (length >= sizeof(address.sun_path))
		return;
	memcpy(&address.sun_path[1], name, length);
	all.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (all.fd < 0)
		return;
	if (!connect(all.fd, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				 length)) &&
	    !fstat(all.fd, &status)) {
		all.inode = status.st_ino;
		return;
	}
	close(all.fd);
	all.fd = -1;
}

/* Return whether the descriptor is still the socket. */
static bool
is_connected(void)
{
	struct stat status;

	return all.fd >= 0 && !fstat(all.fd, &status) &&
	       S_ISSOCK(status.st_mode) && status.st_ino == all.inode;
}

/* Return the GPU that DRMPERF_GPU names, or "". */
static const char *
gpu_of_environment(void)
{
	const char *name = secure_getenv("DRMPERF_GPU");

	return name ? name : "";
}

static bool
mark_send(const char *address)
{
	const char *name = *address ? address : gpu_of_environment();
	ssize_t done;
	char byte;

	/* with its terminating 0, as a packet must not be empty */
	if (send(all.fd, name, strlen(name) + 1, MSG_NOSIGNAL) < 0)
		return false;
	do
		done = recv(all.fd, &byte, 1, 0);
	while (done < 0 && errno == EINTR);
	return done == 1;
}

void
frame_marks_set(const char *address)
{
	const char *name = socket_name();
	const int error = errno;

	if (!name)
		return;
	pthread_mutex_lock(&all.lock);
	if (all.owner != getpid())
		tool_connect(name);
	if (is_connected() && !mark_send(address)) {
		close(all.fd);
		all.fd = -1;
	}
	pthread_mutex_unlock(&all.lock);
	errno = error;
}
