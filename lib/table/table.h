/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event tables as they stand in events/: XML files read into trees. What the
 * elements mean is the business of the driver whose table it is;
 * events/README.md describes them.
 */
#ifndef DRMPERF_LIB_TABLE_TABLE_H
#define DRMPERF_LIB_TABLE_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "table/element.h"

/*
 * Tables that have been read, which stay: GPUs of one kind have theirs in
 * common. Nobody writes to them.
 */
struct table_store {
	pthread_mutex_t lock;
	struct table *first;
};

void
table_store_init(struct table_store *store);
/* Destroy the tables. A forked child may do so: no lock is taken. */
void
table_store_finish(struct table_store *store);

/* Where tables are looked for, in order of preference. */
struct table_path {
	const char *const *directories;
	size_t count;
	struct table_store *store; /* where they are kept, or NULL */
};

/*
 * Read a file; released with table_destroy(). -ENOENT, -EACCES ...; -EBADMSG
 * with file and line if it is not well-formed; -ENOMEM.
 */
int table_read(const char *path, struct table **out,
	       struct drmperf_error *error);

/*
 * Do the halves of table_read(): *text is freed by the caller; path is for
 * complaints.
 */
int table_load(const char *path, char **text, size_t *length,
	       struct drmperf_error *error);
int table_parse(const char *path, const char *text, size_t length,
		struct table **out, struct drmperf_error *error);

/*
 * Read DRIVER/NAME.xml from the first directory that has it, or take what has
 * been read of that file before; the path's store outlives the table. -ENOENT
 * with the directories tried if none has.
 */
int table_find(const struct table_path *path, const char *driver,
	       const char *name, struct table **out,
	       struct drmperf_error *error);

/*
 * Find a table as table_find() does, of which <set name="SET"> is wanted alone:
 * the root is that, where it can be told from the rest without reading all,
 * else the file's. No store keeps it.
 */
int
table_find_set(const struct table_path *path, const char *driver,
	       const char *name, const char *set, struct table **out,
	       struct drmperf_error *error);

/*
 * Return true for an <events> table whose driver attribute is that driver and
 * whose generation attribute is absent or that generation. Tables that come
 * from other people's files have an attribute target, the beginning of the
 * names that those people have for the GPUs ("gfx9" for gfx900 and gfx90c); and
 * except, names in the same file that say it more exactly.
 */
bool table_is_for(const struct table *table, const char *driver,
		  const char *generation, const char *target);

/* Return true for a table that was translated from another dialect. */
bool table_is_foreign(const struct table *table);

/*
 * List the folders in order: those that the user names in "path[:path]", which
 * may be NULL; the one next to this library; the one of the installation. The
 * user's paths that are no folders, or none with folders of drivers in them,
 * are files to be read in addition; those go to *files. All is in the arena.
 * -ENOMEM.
 */
int
table_path_init(struct table_path *path, struct table_path *files,
		const char *user, struct arena *arena);

#endif /* DRMPERF_LIB_TABLE_TABLE_H */
