/* SPDX-License-Identifier: BSD-3-Clause */
/* A process and its descendants, by the parents that /proc shows. */
#ifndef DRMPERF_TOOL_PROCESS_PROCESS_TREE_H
#define DRMPERF_TOOL_PROCESS_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_tree;

/*
 * Create the tree of process pid, or of all processes if pid is 0; never with
 * the caller. If the caller adopts orphans (PR_SET_CHILD_SUBREAPER), pid is a
 * child of its own, and adopted processes that are not older belong to the
 * tree. NULL without memory.
 */
struct process_tree *
process_tree_create(pid_t pid, bool adopts);
void
process_tree_destroy(struct process_tree *tree);

/* Find the present processes. Reaps orphans that ended. 0, or -errno. */
int
process_tree_scan(struct process_tree *tree);

/* Return the next process of the last look, or 0 if there are no more. */
pid_t
process_tree_next(const struct process_tree *tree, size_t *at);

#endif /* DRMPERF_TOOL_PROCESS_PROCESS_TREE_H */
