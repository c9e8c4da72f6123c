/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static bool
is_filled(const unsigned char *bytes, size_t size, unsigned char with)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i] != with)
			return false;
	return true;
}

TEST_CASE(all, NULL, NULL, "arena");

/* Pieces of all sizes, aligned, zeroed, and none upon another. */
TEST(all, pieces_are_aligned_zeroed_and_apart)
{
	enum {
		COUNT = 3000
	};
	struct arena *arena = arena_create();
	unsigned char *pieces[COUNT];
	size_t sizes[COUNT], i;
	uint32_t state = 1;

	for (i = 0; i < COUNT; i++) {
		state = state * 1664525 + 1013904223;
		sizes[i] = state >> 24;
		if (i % 100 == 0)
			sizes[i] *= 1000;
		if (i % 7 == 0)
			arena_strndup(arena, "odd", i % 3);
		pieces[i] = arena_alloc(arena, sizes[i]);
		ck_assert_ptr_nonnull(pieces[i]);
		ck_assert_uint_eq((uintptr_t)pieces[i] % alignof(max_align_t),
				  0);
		ck_assert(is_filled(pieces[i], sizes[i], 0));
		memset(pieces[i], (int)(i % 255) + 1, sizes[i]);
	}
	for (i = 0; i < COUNT; i++)
		ck_assert(is_filled(pieces[i], sizes[i],
				    (unsigned char)(i % 255 + 1)));
	ck_assert_ptr_null(arena_alloc(arena, SIZE_MAX));
	arena_destroy(arena);
	arena_destroy(NULL);
}

/* Arrays are zeroed; a lack of memory, once met, is remembered. */
TEST(all, arrays_are_zeroed_and_a_lack_of_memory_is_remembered)
{
	struct arena *arena = arena_create();
	unsigned char *small = arena_array(arena, 3, 5);
	unsigned char *large = arena_array(arena, 1000, 1000);

	ck_assert(is_filled(small, 15, 0));
	ck_assert(is_filled(large, 1000000, 0));
	ck_assert_ptr_nonnull(arena_array(arena, 0, 5));
	ck_assert(!arena_is_short(arena));
	ck_assert_ptr_null(arena_array(arena, SIZE_MAX / 2, 3));
	ck_assert_ptr_nonnull(arena_array(arena, 1, 1));
	ck_assert(arena_is_short(arena));
	arena_destroy(arena);
	ck_assert_ptr_null(arena_array(NULL, 1, 1));
	ck_assert(arena_is_short(NULL));
}

TEST(all, strings_are_copied_and_formatted)
{
	struct arena *arena = arena_create();
	char *text;
	int i;

	ck_assert_str_eq(arena_strndup(arena, "hello", 4), "hell");
	ck_assert_str_eq(arena_strndup(arena, NULL, 0), "");
	ck_assert_ptr_null(arena_strndup(arena, "", SIZE_MAX));
	for (i = 0; i < 1000; i++) {
		text = arena_printf(arena, "%d %*s", i, i, "end");
		ck_assert_int_eq(atoi(text), i);
		ck_assert_str_eq(text + strlen(text) - 3, "end");
	}
	arena_destroy(arena);
}

/* ------------------------------------------------------------------ */
/* Errors, which are as small a matter                                  */

TEST(all, errors_have_cause_and_remedy)
{
	struct drmperf_error error = { .remedy = "of an older one" };

	ck_assert_int_eq(error_set(&error, -5, "%d of %s", 3, "four"), -5);
	ck_assert_int_eq(error.code, -5);
	ck_assert_str_eq(error.cause, "3 of four");
	ck_assert_str_eq(error.remedy, "");
	error_remedy(&error, "try %d", 2);
	ck_assert_str_eq(error.cause, "3 of four");
	ck_assert_str_eq(error.remedy, "try 2");
	/* with itself as an argument */
	error_set(&error, -6, "first %s, then %s", error.cause, error.remedy);
	ck_assert_str_eq(error.cause, "first 3 of four, then try 2");
	ck_assert_int_eq(error_set(NULL, -7, "nobody listens"), -7);
	error_remedy(NULL, "nobody listens");
	error_set(&error, -8, "%600d", 1);
	ck_assert_uint_eq(strlen(error.cause), sizeof(error.cause) - 1);
}

TEST(all, a_log_without_a_sink_is_silent)
{
	const struct log_sink none = { .log = NULL };

	log_write(&none, DRMPERF_LOG_ERROR, "nobody listens");
	log_write(NULL, DRMPERF_LOG_ERROR, "nobody listens");
}
