/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table: a tree of elements with attributes, read from a file or made by a
 * reader of another dialect.
 */
#ifndef DRMPERF_LIB_TABLE_ELEMENT_H
#define DRMPERF_LIB_TABLE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct element_attribute {
	const char *name;
	const char *value;
};

struct table_list;

struct element {
	const char *name;
	const char *text; /* trimmed, runs of blanks made one; "" if none */
	const struct element_attribute *attributes;
	size_t attribute_count;
	struct element *child; /* first child */
	struct element *next;  /* next sibling */
	const struct table_list *list; /* of a <list>: its lines; else NULL */
	int line;
};

/* Everything in it lives until table_destroy(). */
struct table {
	const char *path; /* of its file, for complaints */
	struct element *root;
	struct arena *arena;
	bool shares_arena; /* with another table, which owns it */
	const void
		*mapping; /* of a compiled file, which all refers to, or NULL */
	size_t mapping_size;
	struct table *next; /* in a table_store, or a list of its owner's */
};

/* Create a table without a root. NULL: no memory. */
struct table *
table_create(const char *path);
/*
 * Create another table of the same file, whose elements are in the arena of the
 * first; either may be destroyed before the other.
 */
struct table *
table_share(struct table *owner);
/*
 * Create another table with the elements of the owner, which is destroyed after
 * it, and an arena of its own: for readers of which each needs room for what it
 * reads of lists. NULL: no memory.
 */
struct table *
table_view(const struct table *owner);
void table_destroy(struct table *table);

/*
 * Make an element without parent, with room for this number of attributes; its
 * text is "". Strings are not copied: they must live as long as the table, or
 * in its arena. NULL: no memory.
 */
struct element *
table_element(struct table *table, const char *name, int line,
	      size_t attributes);

/* Add an attribute, for which there must be room; value NULL: do nothing. */
void
element_set(struct element *element, const char *name, const char *value);

/* Return the value of an attribute, or NULL. */
const char *element_attribute(const struct element *element, const char *name);

/*
 * Get the values of several attributes, in the order of their names; NULL for
 * those that are absent. Fast if the element has the same order.
 */
void element_attributes(const struct element *element,
			const char *const *names, size_t count,
			const char **values);

/*
 * Find the next element of this name, from element itself on; NULL at the end.
 * Elements of lists are not among them.
 */
struct element *element_named(const struct element *element, const char *name);
/* Count the elements that element_named() finds. */
size_t element_count(const struct element *element, const char *name);

/*
 * Read attributes with checks; -EBADMSG naming file, line, element and
 * attribute if absent or not of the form. Numbers are decimal or 0x
 * hexadecimal.
 */
int element_text(const struct table *table, const struct element *element,
		 const char *name, const char **out,
		 struct drmperf_error *error);
int element_uint(const struct table *table, const struct element *element,
		 const char *name, uint64_t max, uint64_t *out,
		 struct drmperf_error *error);
/* Read a number like element_uint(), from the known text of an attribute. */
int element_number(const struct table *table, const struct element *element,
		   const char *name, const char *text, uint64_t max,
		   uint64_t *out, struct drmperf_error *error);
/* Read a number like element_uint(); fallback if the attribute is absent. */
int element_uint_or(const struct table *table, const struct element *element,
		    const char *name, uint64_t max, uint64_t fallback,
		    uint64_t *out, struct drmperf_error *error);

/* Complain about an element: "FILE:LINE: <block> ...". */
int element_error(const struct table *table, const struct element *element,
		  struct drmperf_error *error, const char *cause, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* DRMPERF_LIB_TABLE_ELEMENT_H */
