/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is released all at once: event tables are thousands of small
 * strings and records that live exactly as long as their device.
 */
#ifndef DRMPERF_LIB_BASE_ARENA_H
#define DRMPERF_LIB_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void
arena_destroy(struct arena *arena); /* or NULL */

/*
 * Allocate memory, zeroed and aligned for any type; NULL when memory is short.
 */
void *arena_alloc(struct arena *arena, size_t size);

/*
 * Allocate a zeroed array, which is never of size 0. Of a large one that is not
 * used, or in parts only, the rest costs address space alone. Arrays may be
 * taken one after another, from an arena that may be NULL, and
 * arena_is_short() asked at the end.
 */
void *
arena_array(struct arena *arena, size_t count, size_t size);

/* Return whether there is no arena, or an array of it could not be had. */
bool
arena_is_short(const struct arena *arena);

/*
 * Return room for characters, not set to anything; NULL when memory is short.
 */
char *arena_text(struct arena *arena, size_t size);

/* Return a terminated copy of the first length bytes of text. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Return a formatted string. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes over all that is in the other arena, which is destroyed. */
void
arena_adopt(struct arena *arena, struct arena *other);

#endif /* DRMPERF_LIB_BASE_ARENA_H */
