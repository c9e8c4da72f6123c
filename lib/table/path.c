/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/table.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static bool
is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Return whether there is any folder of a driver in it, where tables lie. */
static bool
has_folders(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct stat st;
	bool any = false;

	if (!dir)
		return false;
	while (!any && (entry = readdir(dir)))
		any = *entry->d_name != '.' &&
		      !fstatat(dirfd(dir), entry->d_name, &st, 0) &&
		      S_ISDIR(st.st_mode);
	closedir(dir);
	return any;
}

/* Find the folder of tables next to the library, or NULL. */
static const char *
find_own_tables(struct arena *arena)
{
	char *path = beside_library("share/drmperf/events");
	const char *copy =
		path ? arena_strndup(arena, path, strlen(path)) : NULL;

	free(path);
	return copy;
}

static size_t
count_parts(const char *user)
{
	size_t count = 1;

	for (; *user; user++)
		count += *user == ':';
	return count;
}

/* Cut the user's path at its colons; an empty part is nothing. */
static int
path_split(const char *user, const char **folders, size_t *folder_count,
	   const char **files, size_t *file_count, struct arena *arena)
{
	size_t length;

	for (;; user += length + 1) {
		length = strcspn(user, ":");
		if (length) {
			const char *part = arena_strndup(arena, user, length);

			if (!part)
				return -ENOMEM;
			if (is_folder(part) && has_folders(part))
				folders[(*folder_count)++] = part;
			else
				files[(*file_count)++] = part;
		}
		if (!user[length])
			return 0;
	}
}

int
table_path_init(struct table_path *path, struct table_path *files,
		const char *user, struct arena *arena)
{
	size_t room = 2 + (user ? count_parts(user) : 0);
	const char **folder_list, **file_list, *own;
	size_t folder_count = 0, file_count = 0;

	folder_list = arena_alloc(arena, room * sizeof(*folder_list));
	file_list = arena_alloc(arena, room * sizeof(*file_list));
	if (!folder_list || !file_list)
		return -ENOMEM;
	if (user && path_split(user, folder_list, &folder_count, file_list,
			       &file_count, arena))
		return -ENOMEM;
	own = find_own_tables(arena);
	if (own)
		folder_list[folder_count++] = own;
	folder_list[folder_count++] = DRMPERF_EVENTS_DIR;

	path->directories = folder_list;
	path->count = folder_count;
	files->directories = file_list;
	files->count = file_count;
	return 0;
}
