/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/table/allocated.h"

#include <malloc.h>
#include <stdlib.h>

static size_t live_bytes, peak_bytes;

void *
__real_malloc(size_t size);
void *
__real_calloc(size_t count, size_t size);
void *
__real_realloc(void *memory, size_t size);
void *
__real_reallocarray(void *memory, size_t count, size_t size);
void
__real_free(void *memory);

void *
__wrap_malloc(size_t size);
void *
__wrap_calloc(size_t count, size_t size);
void *
__wrap_realloc(void *memory, size_t size);
void *
__wrap_reallocarray(void *memory, size_t count, size_t size);
void
__wrap_free(void *memory);

static void *
count_memory(void *memory)
{
	live_bytes += malloc_usable_size(memory);
	if (peak_bytes < live_bytes)
		peak_bytes = live_bytes;
	return memory;
}

void *
__wrap_malloc(size_t size)
{
	return count_memory(__real_malloc(size));
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return count_memory(__real_calloc(n, size));
}

void *
__wrap_realloc(void *memory, size_t size)
{
	live_bytes -= malloc_usable_size(memory);
	return count_memory(__real_realloc(memory, size));
}

void *
__wrap_reallocarray(void *memory, size_t n, size_t size)
{
	live_bytes -= malloc_usable_size(memory);
	return count_memory(__real_reallocarray(memory, n, size));
}

void
__wrap_free(void *memory)
{
	live_bytes -= malloc_usable_size(memory);
	__real_free(memory);
}

void
allocated_begin(void)
{
	live_bytes = peak_bytes = 0;
}

size_t
allocated_most(void)
{
	return peak_bytes;
}
