/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two numbers at once, wherever numbers are, on any machine: what is done for
 * each hardware counter of a read is done for two of them.
 */
#ifndef DRMPERF_LIB_BASE_VEC2_H
#define DRMPERF_LIB_BASE_VEC2_H

#include <stdint.h>

typedef uint64_t vec2 __attribute__((vector_size(16), may_alias));
typedef vec2 unaligned_vec2 __attribute__((aligned(8)));

static inline vec2
vec2_load(const uint64_t *numbers)
{
	return *(const unaligned_vec2 *)numbers;
}

static inline void
vec2_store(uint64_t *numbers, vec2 value)
{
	*(unaligned_vec2 *)numbers = value;
}

/* Return numbers, at an even index of calloc()'s memory, as vectors. */
static inline vec2 *
vec2_at(uint64_t *numbers)
{
	return (vec2 *)__builtin_assume_aligned(numbers, sizeof(vec2));
}

#endif /* DRMPERF_LIB_BASE_VEC2_H */
