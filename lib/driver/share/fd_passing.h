/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pass descriptors to other processes of the same user. A server is an abstract
 * unix socket, which lives as long as any process has it open. All users can
 * see its name (/proc/net/unix), so a process gets nothing unless it sends the
 * secret.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_FD_PASSING_H
#define DRMPERF_LIB_DRIVER_SHARE_FD_PASSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FD_SERVER_NAME_SIZE 64
#define FD_PASSING_MAX 4

struct fd_secret {
	uint64_t words[2];
};

/* Make one at random. Returns 0, or a negative errno value. */
int
fd_secret_make(struct fd_secret *out);

/*
 * Open a server whose name the kernel chooses. Returns a descriptor, for
 * poll(), or a negative errno value.
 */
int
fd_server_open(char name[FD_SERVER_NAME_SIZE]);

/*
 * Open a server of a name that is agreed upon, shorter than
 * FD_SERVER_NAME_SIZE.
 * Returns a descriptor, or -EADDRINUSE if there is one, or -errno.
 */
int
fd_server_open_as(const char *name);

/* What a process of the same user must meet to get the descriptors. */
struct fd_server_terms {
	struct fd_secret secret; /* that it shows */
	bool (*is_allowed)(const void *data, pid_t pid); /* or NULL: any is */
	const void *data;
};

/*
 * Send all descriptors to the process that waits at the socket, if there is one
 * and it meets the terms.
 */
void
fd_server_answer(int server, const struct fd_server_terms *terms,
		 const int *passed, size_t count);

/*
 * Wait at a socket for exactly count descriptors. Returns 0; -EAGAIN if there
 * is no such socket, or it has been closed, or the secret is another;
 * -ETIMEDOUT; the errors of making descriptors.
 */
int
fd_client_fetch(const char *name, const struct fd_secret *secret, int *passed,
		size_t count, int timeout_ms);

/* Return whether a descriptor that was given is a server's socket. */
bool
fd_is_server(int fd);

/*
 * Return whether a descriptor that was given is an eventfd that never blocks:
 * writing to it raises no signal, as a pipe without reader would.
 */
bool
fd_is_eventfd(int fd);

#endif /* DRMPERF_LIB_DRIVER_SHARE_FD_PASSING_H */
