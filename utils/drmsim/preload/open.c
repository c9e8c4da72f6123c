/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening files. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/fault.h"
#include "preload/fdinfo.h"
#include "preload/next.h"
#include "preload/node.h"
#include "preload/raw.h"

/*
 * Files of sysfs that the server writes by what programs write into others: the
 * topology depends on the compute partitions of GPUs.
 */
static const char *const folders[] = {
	"/sys/class/kfd/",
	"/sys/devices/virtual/kfd/",
};

/* Bring the path up to date, if need be, before it is opened. */
static void
sysfs_refresh(const char *path)
{
	struct protocol_request request = { .kind = PROTOCOL_REFRESH };

	if (!channel_is_active() || !path)
		return;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			channel_call(&request, NULL, NULL, NULL);
}

/* Adopt the descriptor, which may be of a simulated file all the same. */
static int
open_adopt_fd(const char *path, int fd, int flags)
{
	if (node_may_be(path))
		return node_adopt(fd, flags);
	return fdinfo_is_name(path) ? fdinfo_adopt(fd, flags) : fd;
}

/* Open as open(), or as openat() where `at` says so. */
static int
open_any(bool at, int directory, const char *path, int flags, mode_t mode)
{
	int fd;

	next_need();
	if (node_is_path(path) && !(flags & O_PATH))
		return node_open(path, flags);
	sysfs_refresh(path);
	if (fault_strikes(PROTOCOL_OUTSIDE_FILE_OPEN))
		return -1;
	if (at && next.openat)
		fd = next.openat(directory, path, flags, mode);
	else if (!at && next.open)
		fd = next.open(path, flags, mode);
	else
		fd = (int)raw_result(raw_syscall(SYS_openat, directory,
						 (long)path, flags, (long)mode,
						 0, 0));
	return open_adopt_fd(path, fd, flags);
}

/* The mode argument is there only when a file may be made. */
#define TAKE_MODE(flags, mode)                                                 \
	do {                                                                   \
		if ((flags) & (O_CREAT | __O_TMPFILE)) {                       \
			va_list list;                                          \
			va_start(list, flags);                                 \
			mode = va_arg(list, mode_t);                           \
			va_end(list);                                          \
		}                                                              \
	} while (0)

EXPORT int
open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(flags, mode);
	return open_any(false, AT_FDCWD, path, flags, mode);
}
ALSO(open64, open);

EXPORT int
openat(int directory, const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(flags, mode);
	return open_any(true, directory, path, flags, mode);
}
ALSO(openat64, openat);

/* Open as libc does by itself here: what it has opened is exchanged. */
EXPORT FILE *
fopen(const char *restrict path, const char *restrict mode)
{
	FILE *file;

	next_need();
	sysfs_refresh(path);
	if (fault_strikes(PROTOCOL_OUTSIDE_FILE_OPEN))
		return NULL;
	file = next.fopen(path, mode);
	if (file && fdinfo_is_name(path))
		fdinfo_adopt(fileno(file), strchr(mode, 'e') ? O_CLOEXEC : 0);
	return file;
}
ALSO(fopen64, fopen);

EXPORT DIR *
opendir(const char *path)
{
	next_need();
	sysfs_refresh(path);
	return fault_strikes(PROTOCOL_OUTSIDE_FILE_OPEN) ? NULL
							 : next.opendir(path);
}

/* Implement functions that replace open() and others with _FORTIFY_SOURCE. */
int
__open_2(const char *path, int flags);
int
__open64_2(const char *path, int flags);
int
__openat_2(int directory, const char *path, int flags);
int
__openat64_2(int directory, const char *path, int flags);

EXPORT int
__open_2(const char *path, int flags)
{
	return open_any(false, AT_FDCWD, path, flags, 0);
}
ALSO(__open64_2, __open_2);

EXPORT int
__openat_2(int directory, const char *path, int flags)
{
	return open_any(true, directory, path, flags, 0);
}
ALSO(__openat64_2, __openat_2);
