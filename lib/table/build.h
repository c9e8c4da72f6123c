/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that are made in code: what a reader of another dialect makes of a
 * file. Strings are not copied; they must live as long as the table, or in its
 * arena.
 */
#ifndef DRMPERF_LIB_TABLE_BUILD_H
#define DRMPERF_LIB_TABLE_BUILD_H

#include <stddef.h>

#include "table/table.h"

/* Takes a table that a reader has made; it owns it, whatever it returns. */
typedef int (*table_keep_fn)(void *data, struct table *table,
			     struct drmperf_error *error);

/* A table without a root, to be complained about as path. NULL: no memory. */
struct table *
table_create(const char *path);

/*
 * An element that belongs to nothing yet, with room for so many attributes;
 * its text is "". NULL: no memory.
 */
struct element *
table_element(struct table *table, const char *name, int line,
	      size_t attributes);

/* Add an attribute, for which there must be room; value NULL: do nothing. */
void
element_set(struct element *element, const char *name, const char *value);

#endif /* DRMPERF_LIB_TABLE_BUILD_H */
