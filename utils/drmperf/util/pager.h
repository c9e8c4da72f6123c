/* SPDX-License-Identifier: BSD-3-Clause */
/* Output on a terminal, a screen at a time, as git does it. */
#ifndef DRMPERF_PAGER_H
#define DRMPERF_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/tool.h"

struct pager {
	const char *command; /* for messages */
	pid_t pid; /* 0: there is none */
	int output, messages; /* what the standard streams were; -1: the same */
};

/*
 * Have what is printed from here on go to DRMPERF_PAGER, PAGER, or less, if
 * standard output is a terminal; messages go with it, if they would have been
 * on a terminal, too. Nothing happens if the command is "cat" or empty, or if
 * there is no less, or no memory.
 */
void
pager_begin(struct pager *pager, const struct tool *tool);

/*
 * Wait until it has been read; what is printed goes where it did before. To
 * leave the pager early is no failure. Returns status, or TOOL_FAILED after a
 * complaint if the pager could not be run.
 */
int
pager_end(struct pager *pager, const struct tool *tool, int status);

#endif /* DRMPERF_PAGER_H */
