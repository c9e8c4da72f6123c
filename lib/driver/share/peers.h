/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has the lock of a node, and the memory that those processes share: an
 * anonymous file that goes with the last of them, found among the descriptors
 * of whoever has the lock.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_PEERS_H
#define DRMPERF_LIB_DRIVER_SHARE_PEERS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Who has the lock; 0 if the kernel does not show that to us. */
pid_t peers_holder(const struct stat *node);

/*
 * A descriptor of its own for the memory of those who have the lock, which is
 * theirs for certain if is_wanted() says so. It returns 0; -EAGAIN if it cannot
 * be told yet; -ENOENT if it is something else.
 *
 * -EAGAIN if somebody is beginning or ending; -ENOENT if they share nothing, or
 * not with us, or have fewer capabilities than we or another user namespace, or
 * are not seen, as for a moment when all have just ended; -ENOMEM, -EMFILE,
 * -ENFILE.
 */
int peers_open_memory(const struct stat *node,
		      int (*is_wanted)(void *data, int fd), void *data);

/*
 * Return whether a process has the node open. It is false as well of a process
 * that this one may not look into.
 */
bool peers_has_node(pid_t pid, const struct stat *node);

#define PEERS_DESCRIPTION_SIZE 48

/*
 * Write what the user knows a process by: "pid 4711 (drmperf serve)", or
 * without the part in brackets if the kernel does not show it.
 */
void peers_describe(pid_t pid, char out[PEERS_DESCRIPTION_SIZE]);

/* A new one, empty; the same errors as memfd_create(). */
int peers_create_memory(void);

#endif /* DRMPERF_LIB_DRIVER_SHARE_PEERS_H */
