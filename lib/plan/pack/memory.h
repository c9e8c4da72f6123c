/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays that are taken one by one and released all at once. Whether memory
 * was short is asked at the end. Large ones that are never used cost address
 * space only.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_MEMORY_H
#define DRMPERF_LIB_PLAN_PACK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed is empty. */
struct pack_memory {
	struct pack_block *blocks;
	bool is_short;
};

/* Take memory, zeroed and never of size 0; NULL when memory is or was short. */
void *pack_memory_take(struct pack_memory *memory, size_t count, size_t size);

static inline uint32_t *
pack_memory_numbers(struct pack_memory *memory, size_t count)
{
	return pack_memory_take(memory, count, sizeof(uint32_t));
}

void pack_memory_release(struct pack_memory *memory);

#endif /* DRMPERF_LIB_PLAN_PACK_MEMORY_H */
