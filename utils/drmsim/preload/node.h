/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes by their paths. */
#ifndef DRMSIM_PRELOAD_NODE_H
#define DRMSIM_PRELOAD_NODE_H

#include <stdbool.h>

bool node_is_path(const char *path);
/* open() on such a path. */
int node_open(const char *path, int flags);
/*
 * A path whose last part is a node's name, or that names a descriptor
 * (/proc/self/fd/3, /dev/fd/3), so that it may be one.
 */
bool node_may_be(const char *path);
/*
 * A node reached by a way that names did not show: a relative path, a
 * directory's descriptor, /proc/self/fd. What was opened is the bare file of
 * the simulated /dev: the descriptor of an open node takes its place.
 */
int node_adopt(int fd, int flags);

#endif /* DRMSIM_PRELOAD_NODE_H */
