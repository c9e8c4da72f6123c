/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * futex(2) for words in memory that processes share. A wait may end for no
 * reason: look at the word again.
 */
#ifndef DRMPERF_LIB_BASE_FUTEX_H
#define DRMPERF_LIB_BASE_FUTEX_H

#include <stdint.h>

/*
 * Sleep until another thread wakes waiters of the word, for ns nanoseconds at
 * most. Return at once if the word has another value.
 */
void
futex_wait(const _Atomic uint32_t *word, uint32_t value, uint64_t ns);

/* Wake up to count waiters. */
void
futex_wake(const _Atomic uint32_t *word, int count);

#endif /* DRMPERF_LIB_BASE_FUTEX_H */
