/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process can offer to give up counters when another one asks for them.
 * Offers and requests are locks on bytes of the render node (open file
 * description locks): any process that may open the node can take them, in any
 * container, and the kernel releases them when it dies. No data passes between
 * the processes.
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
