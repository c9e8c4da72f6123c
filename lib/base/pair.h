/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two numbers at once, wherever numbers are, on any machine: what is done for
 * each hardware counter of a read is done for two of them.
 */
#ifndef DRMPERF_LIB_BASE_PAIR_H
#define DRMPERF_LIB_BASE_PAIR_H

#include <stdint.h>

typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef pair unaligned_pair __attribute__((aligned(8)));

static inline pair
pair_load(const uint64_t *numbers)
{
	return *(const unaligned_pair *)numbers;
}

static inline void
pair_store(uint64_t *numbers, pair value)
{
	*(unaligned_pair *)numbers = value;
}

/*
 * The same of numbers that stand as calloc() gives them, from an
 * even one on. */
static inline pair *
pair_at(uint64_t *numbers)
{
	return (pair *)__builtin_assume_aligned(numbers, sizeof(pair));
}

#endif /* DRMPERF_LIB_BASE_PAIR_H */
