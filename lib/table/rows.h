/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elements of one name among the children of another, in their order,
 * whether they are written as elements or as lines of lists. Lines are read
 * one by one, into no more than the words that they consist of:
 *
 *     rows_begin(&rows, table, block->child, "event", arena);
 *     while ((ret = rows_next(&rows, &event, error)) > 0)
 *         ...
 */
#ifndef DRMPERF_LIB_TABLE_ROWS_H
#define DRMPERF_LIB_TABLE_ROWS_H

#include "base/arena.h"
#include "table/list.h"
#include "table/table.h"

#define ROWS_ATTRIBUTES 16

struct rows {
	const struct table *table;
	struct arena *arena;
	const char *name;
	const struct element *next; /* where to look on */
	const struct table_list *list; /* the one being read, or NULL */
	const char *at; /* in the list */
	char *to, *to_end; /* room for words */
	struct element row; /* that a line stands for */
	struct element_attribute attributes[ROWS_ATTRIBUTES]; /* of it */
	/* which of these words the list's columns are, see rows_values() */
	const char *const *words;
	size_t places[TABLE_LIST_COLUMNS];
};

/*
 * Begin with this element, or none. The values of attributes may live in the
 * table or in the arena.
 */
void rows_begin(struct rows *rows, const struct table *table,
		const struct element *first, const char *name,
		struct arena *arena);

/*
 * Get the next row. Returns 1 with *out, which is valid until the next call if
 * it comes from a line; 0 at the end; -EBADMSG with file and line if it is
 * malformed; -ENOMEM.
 */
int rows_next(struct rows *rows, const struct element **out,
	  struct drmperf_error *error);

/* Returns how many rows there are from this element on, or a few more. */
size_t
rows_most(const struct element *first, const char *name);

/*
 * Get values like element_attributes(), of the present row; quick with the same
 * words each time.
 */
void rows_values(struct rows *rows, const struct element *row,
		 const char *const *words, size_t count, const char **values);

/*
 * Return a copy of a row that stays, in the arena; its strings are those of the
 * row. NULL: no memory.
 */
struct element *rows_keep(const struct element *row, struct arena *arena);

/*
 * Make elements of all lists of a table, for code that goes through them
 * freely. Returns 0, or the errors of rows_next().
 */
int table_expand(struct table *table, struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_ROWS_H */
