/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders in which event tables are looked for.
 */
#ifndef DRMPERF_LIB_TABLE_PATH_H
#define DRMPERF_LIB_TABLE_PATH_H

#include "base/arena.h"
#include "table/table.h"

/*
 * Folders in order: those that the user names in "path[:path]", which may be
 * NULL; the one next to this library; the one of the installation. The user's
 * paths that are no folders, or none with folders of drivers in them, are files
 * to be read in addition; those go to *files. All is in the arena. -ENOMEM.
 */
int table_path_init(struct table_path *path, struct table_path *files,
		    const char *user, struct arena *arena);

#endif /* DRMPERF_LIB_TABLE_PATH_H */
