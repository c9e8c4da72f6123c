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
 * Reads nothing. paths is what drmperf_options says; NULL: the environment.
 * *folders becomes where tables are looked for. -ENOMEM.
 */
int user_files_init(struct user_files *files, const char *paths,
		    const struct log_sink *log, struct arena *arena,
		    struct table_path *folders);
void user_files_finish(struct user_files *files);

/*
 * Read them unless that has been done; what failed is tried again. The errors
 * of user_tables_add().
 */
int user_files_read(struct user_files *files, struct drmperf_error *error);

/* Tell how to cure the user's files, where there are any; returns err. */
int
user_files_add_remedy(const struct user_files *files, int err,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_USER_FILES_H */
