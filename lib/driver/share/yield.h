/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that a process gives up when another one asks for them. Both lock
 * bytes of the render node (open file description locks), which the kernel
 * allows to every process that may open the node, of any user and in any
 * container, and takes back when the process dies. Nothing but a lock is
 * passed on.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_YIELD_H
#define DRMPERF_LIB_DRIVER_SHARE_YIELD_H

#include <stdbool.h>

/*
 * Show others that counters of the node are given up on demand, for as long as
 * the descriptor is open. Returns the descriptor, or a negative errno value.
 */
int yield_offer(const char *node);

/* Return whether a process asks for counters, by the offer's descriptor. */
bool yield_is_asked(int offer);

/*
 * Ask for counters of the node until the descriptor is closed. Returns the
 * descriptor; -ENOENT if no process offers them; a negative errno value.
 */
int yield_ask(const char *node);

#endif /* DRMPERF_LIB_DRIVER_SHARE_YIELD_H */
