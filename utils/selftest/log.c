/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/results/results.h"
#include "util/full_write.h"

/* Create it in place of an earlier log; nothing is written through a link. */
static int
create_log(int folder, const char *name)
{
	struct stat status;
	int fd;

	if (!fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(status.st_mode))
		unlinkat(folder, name, 0);
	fd = openat(folder, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND |
			    O_CLOEXEC,
		    0600);
	return fd < 0 ? -errno : fd;
}

int
selftest_log_create(const char *path, struct drmperf_error *error)
{
	int folder = results_open_folder(path, error), fd;

	if (folder < 0)
		return folder;
	fd = create_log(folder, strrchr(path, '/') + 1);
	close(folder);
	if (fd < 0)
		snprintf(error->cause, sizeof(error->cause),
			 "cannot write %s: %s", path,
			 fd == -EEXIST ? "it is a link, or no file"
				       : strerror(-fd));
	return fd;
}

/*
 * Return whether it is a pipe or a device, unless another user has put it
 * there.
 */
static bool
is_no_file(const char *path, int *flags)
{
	struct stat status;

	/* links there are the system's */
	*flags = strncmp(path, "/dev/", 5) ? O_NOFOLLOW : 0;
	if (*flags ? lstat(path, &status) : stat(path, &status))
		return false;
	return !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode) &&
	       (!*flags || !status.st_uid || status.st_uid == geteuid());
}

int
selftest_log_open(const char *path, struct drmperf_error *error)
{
	int fd, flags;

	folder_make(path);
	if (is_no_file(path, &flags)) {
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags);
		fd = fd < 0 ? -errno : fd;
	} else {
		fd = create_log(AT_FDCWD, path);
	}
	if (fd < 0)
		snprintf(error->cause, sizeof(error->cause),
			 "cannot write %s: %s", path,
			 fd == -EEXIST ? "it is a link, or another user's"
				       : strerror(-fd));
	return fd;
}

int
selftest_log_line(int fd, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text) - 1, format, arguments);
	va_end(arguments);
	if (length > (int)sizeof(text) - 2)
		length = (int)sizeof(text) - 2;
	text[length++] = '\n';
	return full_write(fd, text, (size_t)length);
}

/* Write dwords in the form that umr's disassembler reads. */
static int
write_dwords(int fd, const uint32_t *dwords, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	int ret;

	if (!stream)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		fprintf(stream, "%s%08" PRIx32 "%s", i % 8 ? " " : "  ",
			dwords[i], i % 8 == 7 || i + 1 == count ? "\n" : "");
	ret = fclose(stream) ? -ENOMEM : full_write(fd, text, size);
	free(text);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Commands that repeat others                                          */

/* More that differ are other commands. */
#define MOST_CHANGED 4

static bool
known_repeats(const struct selftest_log_known *known, unsigned which,
	      const struct selftest_commands *commands)
{
	size_t changed = 0;

	if (known->list[which].at != commands->dwords ||
	    known->list[which].count != commands->count)
		return false;
	for (size_t i = 0; i < commands->count && changed <= MOST_CHANGED; i++)
		changed += known->list[which].dwords[i] != commands->dwords[i];
	return changed <= MOST_CHANGED;
}

static int
write_changed(int fd, const struct selftest_log_known *known, unsigned which,
	      const struct selftest_commands *commands)
{
	int ret;

	ret = selftest_log_line(fd, "submit %u to %s for %s: submit %u again",
				commands->number, commands->ring,
				commands->check, known->list[which].number);
	for (size_t i = 0; i < commands->count && !ret; i++)
		if (known->list[which].dwords[i] != commands->dwords[i])
			ret = selftest_log_line(
				fd, "  %08" PRIx32 " in place of dword %zu",
				commands->dwords[i], i);
	return ret;
}

/* Remember it in the place of those that were the first to come. */
static int
known_remember(struct selftest_log_known *known,
	       const struct selftest_commands *commands)
{
	unsigned which = known->next;
	uint32_t *copy = malloc(commands->count * sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	memcpy(copy, commands->dwords, commands->count * sizeof(*copy));
	free(known->list[which].dwords);
	known->list[which].at = commands->dwords;
	known->list[which].dwords = copy;
	known->list[which].count = commands->count;
	known->list[which].number = commands->number;
	known->next = (which + 1) % SELFTEST_LOG_KNOWN;
	return 0;
}

void
selftest_log_forget(struct selftest_log_known *known)
{
	for (unsigned i = 0; i < SELFTEST_LOG_KNOWN; i++)
		free(known->list[i].dwords);
}

/* ------------------------------------------------------------------ */

static int
write_whole(int fd, const struct selftest_commands *commands)
{
	int ret;

	ret = selftest_log_line(fd, "submit %u to %s for %s: %s, %zu dwords",
				commands->number, commands->ring,
				commands->check, commands->what,
				commands->count);
	return ret ? ret : write_dwords(fd, commands->dwords, commands->count);
}

static int
write_commands(int fd, struct selftest_log_known *known,
	       const struct selftest_commands *commands)
{
	int ret;

	if (!commands->may_repeat)
		return write_whole(fd, commands);
	for (unsigned i = 0; i < SELFTEST_LOG_KNOWN; i++)
		if (known_repeats(known, i, commands))
			return write_changed(fd, known, i, commands);
	ret = write_whole(fd, commands);
	return ret ? ret : known_remember(known, commands);
}

int
selftest_log_commands(int fd, struct selftest_log_known *known,
		      const struct selftest_commands *commands)
{
	int ret = write_commands(fd, known, commands);

	/* A pipe has no disk to wait for. */
	if (!ret && fsync(fd) && errno != EINVAL && errno != EROFS)
		ret = -errno;
	return ret;
}
