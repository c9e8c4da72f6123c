/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/textfile_collector.h"

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

/* node_exporter reads "*.prom": the draft ends in something else. */
int
textfile_collector_begin(const char *path, struct textfile_collector *file)
{
	int fd, ret;

	file->path = path;
	if (snprintf(file->draft, sizeof(file->draft), "%s.XXXXXX", path) >=
	    (int)sizeof(file->draft))
		return -ENAMETOOLONG;
	fd = mkostemp(file->draft, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file->out = fdopen(fd, "w");
	if (file->out && !fchmod(fd, usual_mode()))
		return 0;
	ret = -errno;
	unlink(file->draft);
	if (file->out)
		fclose(file->out);
	else
		close(fd);
	return ret;
}

int
textfile_collector_commit(struct textfile_collector *file)
{
	int ret = 0;

	if (ferror(file->out))
		ret = -EIO;
	if (fclose(file->out) && !ret)
		ret = -errno;
	if (!ret && rename(file->draft, file->path))
		ret = -errno;
	if (ret)
		unlink(file->draft);
	return ret;
}

int
textfile_collector_remove(const char *path)
{
	return unlink(path) && errno != ENOENT ? -errno : 0;
}
