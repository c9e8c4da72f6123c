/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The preload library: a thin layer that recognises system calls on simulated
 * files and forwards them to the server.
 *
 * raw       system calls without libc, and so without other preloads
 * channel   connections to the server, one call at a time on each
 * identity  which descriptors are simulated
 * shim      the intercepted functions
 *
 * Nothing here allocates memory or takes a lock, so that the functions may be
 * used in signal handlers, between fork and exec, and below any allocator.
 */
#ifndef DRMSIM_PRELOAD_SHIM_H
#define DRMSIM_PRELOAD_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/protocol.h"

/* raw.c: all return the result or -errno. */
long raw_syscall(long number, long a, long b, long c, long d, long e, long f);
/* Turn a raw result into what libc returns, with errno. */
long raw_result(long result);

/* channel.c */
/* Set up once, from the directory in the environment. */
void channel_init(const char *directory);
bool channel_is_active(void);
/* The directory with a '/' at the end. */
const char *channel_directory(void);
/*
 * Carry out a request. memory pieces are written; a descriptor is installed
 * and, if the reply says so, stored. Returns the result or -errno. reply, if
 * not NULL, is filled; *fd, if not NULL, becomes the descriptor or -1.
 */
long channel_call(const struct protocol_request *request, const char *text,
		  struct protocol_reply *reply, int *fd);
/* Tell the server that the process ends in good order. */
void channel_exit(void);
void channel_forget(void); /* in a forked child */
/* Be connected, for calls to come that could not connect any more. */
void channel_connect(void);

/* identity.c */
void identity_init(void);
struct stat;
/* fstat() as the kernel answers it: 0 or -errno. */
long identity_status(int fd, struct stat *status);
/* The identity of the open file behind a node's descriptor, or 0. */
uint64_t identity_of_node(int fd, const struct protocol_node **node);
/* The identity of a stream, or 0; cheap for descriptors that never were one. */
uint64_t identity_of_stream(int fd);
void identity_add_stream(int fd, uint64_t id);
void identity_duplicate(int from, int to);
/* The node whose bare file this is, or NULL. */
const struct protocol_node *identity_of_inode(uint64_t device,
					      uint64_t inode);

/* fdinfo.c */
/* A path whose last part is a number, as descriptors have in /proc. */
bool fdinfo_is_name(const char *path);
/* If fd is of /proc/PID/fdinfo/FD of a node, let it show the simulated text. */
int fdinfo_adopt(int fd, int flags);

#endif /* DRMSIM_PRELOAD_SHIM_H */
