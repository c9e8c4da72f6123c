/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DRM nodes and their open files, and how the end of a file is noticed.
 *
 * What a process holds is a description of the node's one file in the
 * simulated /dev: flock() on it works between processes, and /proc/locks
 * names the holder. Its file offset is its identity (base/protocol.h).
 * inotify tells that some description of a node was closed for good, before
 * the closing system call returns or the dead process can be waited for; which
 * one it was shows in the lock that it held.
 */
#ifndef DRMSIM_KERNEL_NODE_H
#define DRMSIM_KERNEL_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sim;
struct sim_call;
struct sim_chardev;
struct sim_file;
struct sim_gpu;

#define SIM_DRM_MAJOR 226

/* Create the nodes' state, before the first node: 0 or -errno. */
int sim_nodes_create(struct sim *sim);
/* Destroy the nodes' state; all files are closed. */
void sim_nodes_destroy(struct sim *sim);
/*
 * Add a node; path is its file, as the host has it, and mode its permissions,
 * as if the caller owned nothing.
 */
int sim_node_add(struct sim_gpu *gpu, unsigned partition, const char *path,
		 unsigned minor, unsigned mode);
/* Create the file of a device that is no GPU's, which is made here. */
int
sim_node_add_chardev(struct sim *sim, const struct sim_chardev *device,
		     unsigned mode);
/* Write PROTOCOL_NODES. */
int sim_nodes_publish(struct sim *sim);

/* Handle PROTOCOL_OPEN and PROTOCOL_ACCESS. */
int sim_node_open(struct sim_call *call);
int sim_node_access(struct sim_call *call);

/* Return the open file of this id, or NULL if there is none. */
struct sim_file *sim_node_file(const struct sim *sim, uint64_t id);
/* Return the open file behind a descriptor of the caller, or NULL. */
struct sim_file *
sim_node_file_of_fd(const struct sim_call *call, int fd);
/* Return whether a descriptor of the process is of a node. */
bool sim_node_is_open(const struct sim *sim, pid_t pid, int fd);
/*
 * Return an open file of the GPU that is DRM master, or has this magic; or
 * NULL.
 */
struct sim_file *sim_node_master(const struct sim_gpu *gpu);
struct sim_file *sim_node_by_magic(const struct sim_gpu *gpu, uint32_t magic);

/* Take the news that something was closed. */
void sim_nodes_notice(struct sim *sim);
/* Close the files whose last descriptor is gone. */
void sim_nodes_check(struct sim *sim);
/*
 * Return true for a moment after such news: the file's end may be still to
 * come.
 */
bool sim_nodes_are_closing(const struct sim *sim);

#endif /* DRMSIM_KERNEL_NODE_H */
