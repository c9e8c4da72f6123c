/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The <counter> elements of a table, found by a counter's name. One
 * element may stand for many counters that differ by numbers in their names.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_COUNTER_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/name_index.h"
#include "drmperf.h"
#include "table/rows.h"

/* Most numbers in a name that other attributes refer to. */
#define COUNTER_NUMBERS_MAX 4

struct oa_counter {
	const char *pattern; /* name, with # for any number */
	size_t same; /* how much of it stands before the first # */
	bool many; /* it has a # */
	bool alone; /* no other name matches this pattern */
	bool numbered; /* the description has a number */
	const char *description, *expression, *condition; /* or NULL */
	int line; /* of the element */
	enum drmperf_unit unit;
	enum drmperf_type type;
	enum drmperf_kind kind;
};

struct counter_index {
	struct name_index names; /* gives positions in: */
	struct oa_counter *counters;
	size_t count, room;
	/*
	 * The pattern found last, tried first: names of one pattern come in
	 * sequence.
	 */
	const struct oa_counter *last;
};

/* Initialize an index. Returns 0, or -ENOMEM. */
int
counter_index_init(struct counter_index *index);
void
counter_index_finish(struct counter_index *index);

/* Make room for more counters than there are. -ENOMEM. */
int
counter_index_reserve(struct counter_index *index, size_t more);

/* A number in a counter's name. */
struct counter_number {
	const char *text;
	size_t length;
};

/*
 * Add the element that the rows are at, whose strings have to live as long as
 * the index. Not after the first look-up. -EBADMSG; -ENOMEM.
 */
int
counter_index_add(struct counter_index *index, struct rows *rows,
		  const struct element *element, struct drmperf_error *error);

/*
 * Find the element that describes a counter, and the numbers in its name. A
 * pattern without # takes precedence. NULL if there is none.
 */
const struct oa_counter *
counter_index_find(struct counter_index *index, const char *name,
		   struct counter_number numbers[COUNTER_NUMBERS_MAX]);

/* The longest text that is filled in, with its end; what is longer is cut. */
#define COUNTER_TEXT_MAX 512

/*
 * Write the text with #1, #2 ... replaced by the numbers. Returns its length.
 */
size_t
counter_fill_in(const char *text,
		const struct counter_number numbers[COUNTER_NUMBERS_MAX],
		char filled[COUNTER_TEXT_MAX]);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_COUNTER_H */
