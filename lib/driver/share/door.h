/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors for other processes of the same user. A door is a socket with a
 * name that no file has; it stays open as long as any process has it. The
 * name is seen by everybody (/proc/net/unix), so only a process that shows the
 * secret gets anything.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_DOOR_H
#define DRMPERF_LIB_DRIVER_SHARE_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define DOOR_NAME_SIZE 64
#define DOOR_GIFTS_MAX 4

struct door_secret {
	uint64_t words[2];
};

/* At random; or -errno. */
int door_make_secret(struct door_secret *out);

/* A descriptor, for poll(), or -errno. */
int door_open(char name[DOOR_NAME_SIZE]);

/*
 * Open a door of a name that is agreed upon, shorter than DOOR_NAME_SIZE.
 * Returns a descriptor, or -EADDRINUSE if there is one, or -errno.
 */
int door_open_as(const char *name);

/* What a process must be, besides of the same user, to be given anything. */
struct door_terms {
	struct door_secret secret; /* that it shows */
	bool (*is_allowed)(const void *data, pid_t pid); /* or NULL: any is */
	const void *data;
};

/*
 * Give all descriptors to the process that waits at the door, if there is one
 * that meets the terms.
 */
void door_serve(int door, const struct door_terms *terms, const int *gifts,
		size_t count);

/*
 * Wait at a door to be given exactly so many. -EAGAIN if there is none, or it
 * has been closed, or the secret is another; -ETIMEDOUT; what making
 * descriptors gives.
 */
int door_fetch(const char *name, const struct door_secret *secret, int *gifts,
	       size_t count, int timeout_ms);

/* Return whether a descriptor that was given is a door, and never blocks. */
bool door_is_door(int fd);

/*
 * Return whether a descriptor that was given is an eventfd that never blocks:
 * writing to it raises no signal, as a pipe without reader would.
 */
bool door_is_eventfd(int fd);

#endif /* DRMPERF_LIB_DRIVER_SHARE_DOOR_H */
