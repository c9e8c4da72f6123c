/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LETTERS 6
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Remove a folder of this user that no process has locked. */
static void
remove_abandoned(int parent, const char *name, const char *file)
{
	struct stat status;
	int fd = openat(parent, name, OPEN_FLAGS);

	if (fd < 0)
		return;
	if (!fstat(fd, &status) && status.st_uid == geteuid() &&
	    !flock(fd, LOCK_EX | LOCK_NB)) {
		unlinkat(fd, file, 0);
		unlinkat(parent, name, AT_REMOVEDIR);
	}
	close(fd);
}

static bool
has_name(const char *entry, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(entry, name, length) && entry[length] == '.' &&
	       strlen(entry) == length + 1 + LETTERS;
}

static void
remove_all_left(const char *parent, const char *name, const char *file)
{
	DIR *list = opendir(parent);
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		if (has_name(entry->d_name, name))
			remove_abandoned(dirfd(list), entry->d_name, file);
	}
	if (list)
		closedir(list);
}

/* Lock a new folder. Returns whether no process has removed it. */
static bool
lock_folder(struct temporary_folder *folder)
{
	struct stat locked, there;

	folder->lock = open(folder->path, OPEN_FLAGS);
	if (folder->lock < 0)
		return false;
	/* some network filesystems have no locks: there it is not removed */
	flock(folder->lock, LOCK_EX);
	if (!fstat(folder->lock, &locked) && !stat(folder->path, &there) &&
	    locked.st_ino == there.st_ino && locked.st_dev == there.st_dev)
		return true;
	close(folder->lock);
	return false;
}

int
temporary_folder_create(struct temporary_folder *folder, const char *parent,
			const char *name, const char *file)
{
	remove_all_left(parent, name, file);
	do {
		if (snprintf(folder->path, sizeof(folder->path), "%s/%s.XXXXXX",
			     parent, name) >= (int)sizeof(folder->path))
			return -ENAMETOOLONG;
		if (!mkdtemp(folder->path))
			return -errno;
	} while (!lock_folder(folder));
	if (snprintf(folder->file, sizeof(folder->file), "%s/%s", folder->path,
		     file) < (int)sizeof(folder->file))
		return 0;
	temporary_folder_remove(folder);
	return -ENAMETOOLONG;
}

void
temporary_folder_remove(const struct temporary_folder *folder)
{
	unlink(folder->file);
	rmdir(folder->path);
	close(folder->lock);
}
