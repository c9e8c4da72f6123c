/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of event tables that the user named, read once for all devices.
 */
#ifndef DRMPERF_LIB_DEVICE_USER_FILES_H
#define DRMPERF_LIB_DEVICE_USER_FILES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "catalog/user_tables.h"
#include "table/table.h"

struct user_files {
	const struct log_sink *log;
	const char *const *paths;
	size_t path_count;
	const char *rocm_path; /* ROC profiler's metric file, read first */
	struct user_tables tables;
	bool is_read;
	pthread_mutex_t lock; /* while they are being read */
};

/*
 * Initialize the list of files, reading none. paths is that of drmperf_options;
 * NULL means the environment. *folders becomes the folders that are searched
 * for tables. Returns 0, or -ENOMEM.
 */
int user_files_init(struct user_files *files, const char *paths,
		    const struct log_sink *log, struct arena *arena,
		    struct table_path *folders);
void user_files_finish(struct user_files *files);

/*
 * Read the files that have not been read yet; those that failed are tried
 * again. Returns 0, or the errors of user_tables_add().
 */
int user_files_read(struct user_files *files, struct drmperf_error *error);

/*
 * Add a remedy about the user's files to an error, if there are any. Returns
 * err.
 */
int
user_files_add_remedy(const struct user_files *files, int err,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_USER_FILES_H */
