/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process and its descendants, by what /proc tells of parents.
 */
#ifndef DRMPERF_TOOL_RUN_PROCESS_TREE_H
#define DRMPERF_TOOL_RUN_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_tree;

/*
 * Of the process pid, or of all if that is 0; never the caller. If the caller
 * adopts orphans (PR_SET_CHILD_SUBREAPER), pid is a child of its own, and what
 * is adopted and not older belongs to it. NULL without memory.
 */
struct process_tree *
process_tree_create(pid_t pid, bool adopts);
void
process_tree_destroy(struct process_tree *tree);

/* See who is there now. Reaps orphans that ended. 0, or -errno. */
int
process_tree_look(struct process_tree *tree);

/* Those of the last look, one after another; 0: there are no more. */
pid_t
process_tree_next(const struct process_tree *tree, size_t *at);

#endif /* DRMPERF_TOOL_RUN_PROCESS_TREE_H */
