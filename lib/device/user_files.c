/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/user_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table/table.h"

int
user_files_init(struct user_files *files, const char *paths,
		const struct log_sink *log, struct arena *arena,
		struct table_path *folders)
{
	const char *rocm = NULL;
	struct table_path named;

	if (!paths) {
		paths = secure_getenv("DRMPERF_EVENTS");
		rocm = secure_getenv("ROCP_METRICS");
	}
	*files = (struct user_files){ .log = log };
	pthread_mutex_init(&files->lock, NULL);
	if (table_path_init(folders, &named, paths, arena))
		return -ENOMEM;
	files->paths = named.directories;
	files->path_count = named.count;
	if (rocm && *rocm) {
		files->rocm_path = arena_strndup(arena, rocm, strlen(rocm));
		if (!files->rocm_path)
			return -ENOMEM;
	}
	return 0;
}

void
user_files_finish(struct user_files *files)
{
	user_tables_finish(&files->tables);
}

/*
 * Read the file that ROCP_METRICS names. The variable is meant for ROCm's
 * profiler, not for us: an error in the file must not keep users from counting.
 */
static int
read_rocm(struct user_files *files, struct drmperf_error *error)
{
	struct drmperf_error cause = { 0 };
	int err = 0;

	if (files->rocm_path)
		err = user_tables_add(&files->tables, files->rocm_path,
				      files->log, &cause);
	if (err == -ENOMEM)
		return error_set(error, err, "%s", cause.cause);
	if (err)
		log_write(files->log, DRMPERF_LOG_WARNING,
			  "ROCP_METRICS is not used: %s", cause.cause);
	return 0;
}

static int
read_files(struct user_files *files, struct drmperf_error *error)
{
	int err = read_rocm(files, error);

	for (size_t i = 0; !err && i < files->path_count; i++)
		err = user_tables_add(&files->tables, files->paths[i],
				      files->log, error);
	if (err)
		user_tables_finish(&files->tables);
	return err;
}

static int
error_add_file_remedy(int err, struct drmperf_error *error)
{
	if (err && err != -ENOMEM)
		error_remedy(error, "correct it, or remove it from the list of "
				    "event tables (DRMPERF_EVENTS)");
	return err;
}

int
user_files_read(struct user_files *files, struct drmperf_error *error)
{
	int err = 0;

	pthread_mutex_lock(&files->lock);
	if (!files->is_read) {
		err = read_files(files, error);
		files->is_read = !err;
	}
	pthread_mutex_unlock(&files->lock);
	return error_add_file_remedy(err, error);
}

int
user_files_add_remedy(const struct user_files *files, int err,
		      struct drmperf_error *error)
{
	return files->tables.count ? error_add_file_remedy(err, error) : err;
}
