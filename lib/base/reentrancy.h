/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knowing, in a signal's handler, that the signal came while this thread was
 * in a call of the library, which may hold locks and have changed its data only
 * in part.
 */
#ifndef DRMPERF_LIB_BASE_REENTRANCY_H
#define DRMPERF_LIB_BASE_REENTRANCY_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * Return how many calls of the library this thread is in. Memory of a thread is
 * otherwise made when it is first touched, which may be in a handler.
 */
extern __thread unsigned inside_depth
	__attribute__((tls_model("initial-exec")));

static inline void
reentrancy_enter(void)
{
	inside_depth++;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void
reentrancy_leave(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	inside_depth--;
}

/* Return true if the call that asks has interrupted another one. */
static inline bool
reentrancy_is_nested(void)
{
	return inside_depth > 1;
}

#endif /* DRMPERF_LIB_BASE_REENTRANCY_H */
