/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes by their paths. */
#ifndef DRMSIM_PRELOAD_NODE_H
#define DRMSIM_PRELOAD_NODE_H

#include <stdbool.h>

bool node_is_path(const char *path);
/* Do open() on such a path. */
int node_open(const char *path, int flags);
/*
 * Return whether a path may be a node: its last part is a node's name, or it
 * names a descriptor (/proc/self/fd/3, /dev/fd/3).
 */
bool node_may_be(const char *path);
/*
 * Replace a descriptor of the bare file of the simulated /dev with that of an
 * open node, if the node was reached by a way that names did not show: a
 * relative path, a directory's descriptor, /proc/self/fd.
 */
int node_adopt(int fd, int flags);

#endif /* DRMSIM_PRELOAD_NODE_H */
