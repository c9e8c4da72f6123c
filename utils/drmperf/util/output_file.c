/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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
	return fd < 0 ? -errno : fd;
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
	fd = mkostemp(file->draft, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if ((!old || old->st_uid == geteuid() ||
	     !fchown(fd, old->st_uid, old->st_gid)) &&
	    !fchmod(fd, mode  ? mode
			: old ? old->st_mode & 0777
			      : usual_mode()))
		return fd;
	ret = -errno;
	unlink(file->draft);
	close(fd);
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
	if (file->draft[0] && rename(file->draft, file->path))
		return -errno;
	file->draft[0] = '\0';
	return 0;
}

int
output_file_close(struct output_file *file, bool keep)
{
	int ret = 0;

	if (file->out && ferror(file->out))
		ret = -EIO;
	if (file->out && fclose(file->out) && !ret)
		ret = -errno;
	file->out = NULL;
	if (keep && !ret)
		ret = output_file_publish(file);
	if (file->draft[0])
		unlink(file->draft);
	file->draft[0] = '\0';
	return ret;
}

int
output_file_remove(const char *path)
{
	return unlink(path) && errno != ENOENT ? -errno : 0;
}
