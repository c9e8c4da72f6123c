/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No public function is a cancellation point: a thread that ended in the midst
 * of one would keep its locks, and what it had opened, for ever. Each that may
 * open, read, wait or log says so in its first line; what it calls does not.
 * That line marks the thread as inside of the library, too.
 */
#ifndef DRMPERF_LIB_BASE_CANCELLATION_H
#define DRMPERF_LIB_BASE_CANCELLATION_H

#include <pthread.h>

#include "base/reentrancy.h"

static inline int
cancellation_disable(void)
{
	int state;

	reentrancy_enter();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

static inline void
cancellation_restore(const int *state)
{
	pthread_setcancelstate(*state, NULL);
	reentrancy_leave();
}

/* Until the function returns, wherever it does. */
#define NO_CANCELLATION                                                        \
	__attribute__((cleanup(cancellation_restore),                          \
		       unused)) const int cancellation = cancellation_disable()

#endif /* DRMPERF_LIB_BASE_CANCELLATION_H */
