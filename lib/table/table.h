/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event tables as they stand in events/: an XML document read into a tree.
 * What the elements mean is the business of the driver whose table it is;
 * events/README.md describes them.
 */
#ifndef DRMPERF_LIB_TABLE_TABLE_H
#define DRMPERF_LIB_TABLE_TABLE_H

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
	struct table_list *list; /* of a <list>: its lines; else NULL */
	int line;
};

/* A parsed file. Everything in it lives until table_destroy(). */
struct table {
	const char *path;
	struct element *root;
	struct arena *arena;
	char *text; /* of the file; elements refer to it */
};

/* Where tables are looked for, in order of preference. */
struct table_path {
	const char *const *directories;
	size_t count;
};

/*
 * Read a file, but for the lines of its lists: table_rows.h reads these.
 * -ENOENT, -EACCES ...; -EBADMSG with file and line if it is not well-formed;
 * -ENOMEM.
 */
int table_read(const char *path, struct table **out,
	       struct drmperf_error *error);

/* Its two halves: *text is freed by the caller; path is for complaints. */
int table_load(const char *path, char **text, size_t *length,
	       struct drmperf_error *error);
int table_parse(const char *path, const char *text, size_t length,
		struct table **out, struct drmperf_error *error);

/*
 * Read DRIVER/NAME.xml from the first directory that has it. -ENOENT with the
 * directories tried if none has.
 */
int table_find(const struct table_path *path, const char *driver,
	       const char *name, struct table **out,
	       struct drmperf_error *error);

void table_destroy(struct table *table);

/*
 * True for an <events> table whose driver attribute is that driver and whose
 * generation attribute is absent or that generation. Tables that come from
 * other people's files have an attribute target, the beginning of the names
 * that those people have for the GPUs ("gfx9" for gfx900 and gfx90c); and
 * except, names in the same file that say it more exactly.
 */
bool table_is_for(const struct table *table, const char *driver,
		  const char *generation, const char *target);

/* True for one that was translated from another dialect. */
bool table_is_foreign(const struct table *table);

/* The value of an attribute, or NULL. */
const char *element_attribute(const struct element *element, const char *name);

/*
 * The values of several attributes, which stand in the order of their names;
 * NULL for those that are absent. Quick where that is the element's order, too.
 */
void element_attributes(const struct element *element,
			const char *const *names, size_t count,
			const char **values);

/*
 * The next element of this name, from element itself on; NULL at the end. What
 * stands in lists is not among them.
 */
struct element *element_named(const struct element *element, const char *name);

/*
 * Attributes with checks; -EBADMSG naming file, line, element and attribute if
 * absent or not of the form. Numbers are decimal or 0x hexadecimal.
 */
int element_text(const struct table *table, const struct element *element,
		 const char *name, const char **out,
		 struct drmperf_error *error);
int element_uint(const struct table *table, const struct element *element,
		 const char *name, uint64_t max, uint64_t *out,
		 struct drmperf_error *error);
/* As element_uint(), for an attribute whose text is known. */
int element_number(const struct table *table, const struct element *element,
		   const char *name, const char *text, uint64_t max,
		   uint64_t *out, struct drmperf_error *error);
/* As element_uint(), but fallback if the attribute is absent. */
int element_uint_or(const struct table *table, const struct element *element,
		    const char *name, uint64_t max, uint64_t fallback,
		    uint64_t *out, struct drmperf_error *error);

/* A complaint about an element: "FILE:LINE: <block> ...". */
int element_error(const struct table *table, const struct element *element,
		  struct drmperf_error *error, const char *cause, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* DRMPERF_LIB_TABLE_TABLE_H */
