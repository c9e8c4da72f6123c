/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers, the same ones on every machine. */
#ifndef DRMPERF_TESTS_SUPPORT_RANDOM_H
#define DRMPERF_TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

/* Return the next number of xorshift64*; the state must not be 0. */
uint64_t
random_next(uint64_t *state);

/* Return a number from least to most. */
uint32_t
random_between(uint64_t *state, uint32_t least, uint32_t most);

#endif /* DRMPERF_TESTS_SUPPORT_RANDOM_H */
