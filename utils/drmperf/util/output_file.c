/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return the mode of a file that is made the usual way. */
static mode_t
usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int
open_directly(struct output_file *file, const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      mode ? mode : 0666);

	file->draft[0] = '\0';
	file->unnamed = -1;
	return fd < 0 ? -errno : fd;
}

/* Write where /proc has a descriptor, and return that. */
static const char *
format_descriptor(int fd, char text[32])
{
	snprintf(text, 32, "/proc/self/fd/%d", fd);
	return text;
}

/*
 * Create a draft without a name, of which nothing is left if this process is
 * killed. Returns a descriptor, or -1 where the filesystem has no such files.
 */
static int
create_unnamed(const char *path)
{
	char folder[PATH_MAX], text[32];
	int fd;

	strcpy(folder, path);
	fd = open(dirname(folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || !access(format_descriptor(fd, text), F_OK))
		return fd;
	close(fd);
	return -1;
}

/* Create a draft by its name, the end of which is chosen. */
static int
create_named(struct output_file *file)
{
	int fd = mkostemp(file->draft, O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Drop a draft, which has a name or has not. */
static void
drop_draft(struct output_file *file)
{
	if (file->draft[0] && file->unnamed < 0)
		unlink(file->draft);
	file->draft[0] = '\0';
	file->unnamed = -1;
}

/*
 * Create the draft of a file, whose owner and mode it gets if there is one. Its
 * name ends in six letters: readers of "*.prom" do not take it.
 */
static int
create_draft(struct output_file *file, const struct stat *old, mode_t mode)
{
	int fd, ret;

	if (snprintf(file->draft, sizeof(file->draft), "%s.XXXXXX",
		     file->path) >= (int)sizeof(file->draft))
		return -ENAMETOOLONG;
	file->unnamed = create_unnamed(file->path);
	fd = file->unnamed < 0 ? create_named(file) : file->unnamed;
	if (fd < 0)
		return fd;
	if ((!old || old->st_uid == geteuid() ||
	     !fchown(fd, old->st_uid, old->st_gid)) &&
	    !fchmod(fd, mode  ? mode
			: old ? old->st_mode & 0777
			      : usual_mode()))
		return fd;
	ret = -errno;
	drop_draft(file);
	close(fd);
	return ret;
}

/* Put six random letters at the end of the draft's name. */
static int
choose_name(struct output_file *file)
{
	char *end = file->draft + strlen(file->draft) - 6;
	unsigned char random[6];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -errno;
	for (size_t i = 0; i < sizeof(random); i++)
		end[i] = (char)('a' + random[i] % 26);
	return 0;
}

/* Link an unnamed draft to its name. Its descriptor is still open. */
static int
name_draft(struct output_file *file)
{
	char text[32];
	int ret = 0;

	if (!file->draft[0] || file->unnamed < 0)
		return 0;
	format_descriptor(file->unnamed, text);
	do {
		ret = choose_name(file);
		if (!ret && linkat(AT_FDCWD, text, AT_FDCWD, file->draft,
				   AT_SYMLINK_FOLLOW))
			ret = -errno;
	} while (ret == -EEXIST);
	if (!ret)
		file->unnamed = -1;
	return ret;
}

/* Find where the file is, which may have no file yet. */
static int
resolve_path(struct output_file *file, const char *path)
{
	if (realpath(path, file->path))
		return 0;
	if (snprintf(file->path, sizeof(file->path), "%s", path) >=
	    (int)sizeof(file->path))
		return -ENAMETOOLONG;
	return *path ? 0 : -ENOENT;
}

int
output_file_create(struct output_file *file, const char *path, mode_t mode)
{
	struct stat status;
	bool exists = !stat(path, &status);
	int ret = resolve_path(file, path);

	file->out = NULL;
	file->draft[0] = '\0';
	file->unnamed = -1;
	if (ret)
		return ret;
	if (exists && !S_ISREG(status.st_mode))
		return open_directly(file, path, mode);
	if (exists && access(path, W_OK))
		return -errno;
	ret = create_draft(file, exists ? &status : NULL, mode);
	return ret == -EACCES || ret == -EPERM ? open_directly(file, path, mode)
					       : ret;
}

int
output_file_open(struct output_file *file, const char *path)
{
	int fd = output_file_create(file, path, 0), ret;

	if (fd < 0)
		return fd;
	file->out = fdopen(fd, "w");
	if (file->out)
		return 0;
	ret = -errno;
	close(fd);
	output_file_close(file, false);
	return ret;
}

int
output_file_publish(struct output_file *file)
{
	int ret = name_draft(file);

	if (!ret && file->draft[0] && rename(file->draft, file->path))
		ret = -errno;
	if (!ret)
		file->draft[0] = '\0';
	return ret;
}

int
output_file_close(struct output_file *file, bool keep)
{
	int ret = 0;

	if (file->out && ferror(file->out))
		ret = -EIO;
	if (keep && !ret)
		ret = name_draft(file);
	if (file->out && fclose(file->out) && !ret)
		ret = -errno;
	file->out = NULL;
	if (keep && !ret)
		ret = output_file_publish(file);
	drop_draft(file);
	return ret;
}

int
output_file_remove(const char *path)
{
	return unlink(path) && errno != ENOENT ? -errno : 0;
}
