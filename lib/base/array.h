/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_BASE_ARRAY_H
#define DRMPERF_LIB_BASE_ARRAY_H

#include <stdlib.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define ARRAY_FIRST_ROOM 16 /* a power of two */

/*
 * Return an array with room for one more, moved if need be; NULL, and the array
 * is as it was, without memory. The room is not stored: it is the next power of
 * two, so that an array whose count is one is taken for full.
 */
static inline void *
array_grow(void *array, size_t count, size_t size)
{
	if (count % ARRAY_FIRST_ROOM || (count & (count - 1)))
		return array;
	return reallocarray(array, count ? 2 * count : ARRAY_FIRST_ROOM, size);
}

#endif /* DRMPERF_LIB_BASE_ARRAY_H */
