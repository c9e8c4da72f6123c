/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by one element after the other. */
#ifndef DRMPERF_TOOL_UTIL_ARRAY_H
#define DRMPERF_TOOL_UTIL_ARRAY_H

#include <stddef.h>

/*
 * Count one more element, which is zeroed, and return it; NULL without memory.
 * array: the address of the pointer to the elements, to which nothing else adds
 * any.
 */
void *
array_add(void *array, size_t *count, size_t size);

#endif /* DRMPERF_TOOL_UTIL_ARRAY_H */
