/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that have the lock of a node, and the memory that they share:
 * an anonymous file that goes with the last of them, found among the
 * descriptors of any process that has the lock.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_PEERS_H
#define DRMPERF_LIB_DRIVER_SHARE_PEERS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Return a process that has the lock; 0 if the kernel does not show one. */
pid_t peers_holder(const struct stat *node);

/*
 * Open the memory of the processes that have the lock, as a descriptor of its
 * own. is_wanted() decides whether a file is that memory: it returns 0; -EAGAIN
 * if that cannot be decided yet; -ENOENT if it is something else.
 *
 * Returns the descriptor; -EAGAIN if a process is joining or leaving; -ENOENT
 * if the processes share nothing, refuse us, have fewer capabilities or another
 * user namespace, or cannot be seen, as for a moment after all have ended;
 * -ENOMEM, -EMFILE, -ENFILE.
 */
int peers_open_memory(const struct stat *node,
		      int (*is_wanted)(void *data, int fd), void *data);

/*
 * Return whether a process has the node open; false also if this process may
 * not inspect it.
 */
bool peers_has_node(pid_t pid, const struct stat *node);

#define PEERS_DESCRIPTION_SIZE 48

/*
 * Write how messages name a process: "pid 4711 (drmperf serve)", or without the
 * part in brackets if the kernel does not show it.
 */
void peers_describe(pid_t pid, char out[PEERS_DESCRIPTION_SIZE]);

/* Create empty memory. Returns a descriptor, or memfd_create()'s errors. */
int peers_create_memory(void);

#endif /* DRMPERF_LIB_DRIVER_SHARE_PEERS_H */
