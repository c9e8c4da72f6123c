/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks double from the first size to the last. */
#define FIRST_CHUNK ((size_t)8 << 10)
#define LAST_CHUNK ((size_t)512 << 10)

struct chunk {
	struct chunk *next;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct chunk *chunks; /* all, for release */
	char *at; /* free part of the current chunk */
	size_t left;
	size_t chunk_size; /* of the next one */
	bool is_short; /* an array could not be had */
};

struct arena *
arena_create(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (arena)
		arena->chunk_size = FIRST_CHUNK;
	return arena;
}

void
arena_destroy(struct arena *arena)
{
	struct chunk *chunk, *next;

	if (!arena)
		return;
	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

void
arena_adopt(struct arena *arena, struct arena *other)
{
	struct chunk **last = &arena->chunks;

	while (*last)
		last = &(*last)->next;
	*last = other->chunks;
	free(other);
}

static char *
add_chunk(struct arena *arena, size_t size, bool is_zeroed)
{
	struct chunk *chunk;

	if (size > SIZE_MAX - sizeof(*chunk))
		return NULL;
	size += sizeof(*chunk);
	chunk = is_zeroed ? calloc(1, size) : malloc(size);
	if (!chunk)
		return NULL;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk->bytes;
}

/* Take size bytes from a new chunk, or one of their own. */
static char *
take_new_chunk(struct arena *arena, size_t size)
{
	char *bytes;

	if (size > arena->chunk_size / 4)
		return add_chunk(arena, size, false);
	bytes = add_chunk(arena, arena->chunk_size, false);
	if (!bytes)
		return NULL;
	arena->at = bytes + size;
	arena->left = arena->chunk_size - size;
	if (arena->chunk_size < LAST_CHUNK)
		arena->chunk_size *= 2;
	return bytes;
}

/* Take size bytes, of the current chunk if it has them. */
static inline char *
arena_take(struct arena *arena, size_t size)
{
	char *bytes = arena->at;

	if (size > arena->left)
		return take_new_chunk(arena, size);
	arena->at += size;
	arena->left -= size;
	return bytes;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	size_t gap = -(uintptr_t)arena->at & (alignof(max_align_t) - 1);
	char *bytes;

	if (gap > arena->left)
		gap = arena->left;
	/* Before the first block there is nothing to step over. */
	if (gap)
		arena->at += gap;
	arena->left -= gap;
	bytes = arena_take(arena, size);
	return bytes ? memset(bytes, 0, size) : NULL;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	void *array = NULL;

	if (!arena)
		return NULL;
	if (!__builtin_mul_overflow(count, size, &bytes))
		array = bytes > arena->chunk_size / 4
				? add_chunk(arena, bytes, true)
				: arena_alloc(arena, bytes ? bytes : 1);
	if (!array)
		arena->is_short = true;
	return array;
}

bool
arena_is_short(const struct arena *arena)
{
	return !arena || arena->is_short;
}

char *
arena_text(struct arena *arena, size_t size)
{
	return arena_take(arena, size);
}

char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy;

	if (length == SIZE_MAX)
		return NULL;
	copy = arena_take(arena, length + 1);
	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	char *text;
	va_list args;
	int length;

	/* most fit into what is left; the others are formatted once more */
	va_start(args, format);
	length = vsnprintf(arena->at, arena->left, format, args);
	va_end(args);
	if (length < 0)
		return NULL;
	if ((size_t)length < arena->left)
		return arena_take(arena, (size_t)length + 1);
	text = arena_take(arena, (size_t)length + 1);
	if (!text)
		return NULL;
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}
