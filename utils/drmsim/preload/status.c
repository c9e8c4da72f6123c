/* SPDX-License-Identifier: BSD-3-Clause */
/* Status of files, and the permission to open them. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/fault.h"
#include "preload/fdinfo.h"
#include "preload/identity.h"
#include "preload/next.h"
#include "preload/node.h"
#include "preload/raw.h"

/* ---- permissions */

static int
access_node(const char *path, int mode)
{
	struct protocol_request request = {
		.kind = PROTOCOL_ACCESS,
		.a = (uint64_t)(unsigned)mode,
	};

	return (int)raw_result(channel_call(&request, path, NULL, NULL));
}

EXPORT int
access(const char *path, int mode)
{
	next_need();
	if (node_is_path(path))
		return access_node(path, mode);
	if (next.access)
		return next.access(path, mode);
	return (int)raw_result(raw_syscall(SYS_faccessat, AT_FDCWD, (long)path,
					   mode, 0, 0, 0));
}

EXPORT int
faccessat(int directory, const char *path, int mode, int flags)
{
	if (node_is_path(path))
		return access_node(path, mode);
	next_need();
	return next.faccessat(directory, path, mode, flags);
}

EXPORT int
eaccess(const char *path, int mode)
{
	if (node_is_path(path))
		return access_node(path, mode);
	next_need();
	return next.eaccess(path, mode);
}

EXPORT int
euidaccess(const char *path, int mode)
{
	return eaccess(path, mode);
}

/* ---- what a node looks like */

static void
node_show(const struct protocol_node *node, struct stat *status)
{
	if (!node)
		return;
	status->st_mode = (status->st_mode & ~(mode_t)S_IFMT) | S_IFCHR;
	status->st_rdev = makedev(node->major, node->minor);
	status->st_size = 0;
}

static void
show_node(int fd, struct stat *status)
{
	const struct protocol_node *node = NULL;

	identity_of_node(fd, &node);
	node_show(node, status);
}

EXPORT int
fstat(int fd, struct stat *status)
{
	int result;

	next_need();
	if (fault_strikes(PROTOCOL_OUTSIDE_FSTAT))
		return -1;
	result = next.fstat(fd, status);
	if (result == 0 && S_ISREG(status->st_mode))
		show_node(fd, status);
	return result;
}
ALSO(fstat64, fstat);

int
__fxstat(int version, int fd, struct stat *status);
EXPORT int
__fxstat(int version, int fd, struct stat *status)
{
	int result;

	next_need();
	if (!next.fxstat)
		return fstat(fd, status);
	result = next.fxstat(version, fd, status);
	if (result == 0 && S_ISREG(status->st_mode))
		show_node(fd, status);
	return result;
}
ALSO(__fxstat64, __fxstat);

/*
 * Show the status of /proc/PID/fd/FD, which leads to the bare file of a node.
 */
static int
show_named(int result, const char *path, struct stat *status)
{
	if (result == 0 && S_ISREG(status->st_mode) && fdinfo_is_name(path))
		node_show(identity_of_inode(status->st_dev, status->st_ino),
			  status);
	return result;
}

/*
 * Return the kind of a call that takes a path or, with an empty one, a
 * descriptor.
 */
static enum protocol_outside_kind
kind_of(const char *path)
{
	return *path ? PROTOCOL_OUTSIDE_STAT : PROTOCOL_OUTSIDE_FSTAT;
}

EXPORT int
fstatat(int directory, const char *restrict path, struct stat *restrict status,
	int flags)
{
	next_need();
	if (fault_strikes(kind_of(path)))
		return -1;
	return show_named(next.fstatat(directory, path, status, flags), path,
			  status);
}
ALSO(fstatat64, fstatat);

EXPORT int
stat(const char *restrict path, struct stat *restrict status)
{
	next_need();
	if (fault_strikes(PROTOCOL_OUTSIDE_STAT))
		return -1;
	return show_named(next.stat(path, status), path, status);
}
ALSO(stat64, stat);

EXPORT int
lstat(const char *restrict path, struct stat *restrict status)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_STAT) ? -1
						    : next.lstat(path, status);
}
ALSO(lstat64, lstat);

EXPORT int
statx(int directory, const char *restrict path, int flags, unsigned mask,
      struct statx *restrict status)
{
	const struct protocol_node *node = NULL;
	int result;

	next_need();
	if (fault_strikes(kind_of(path)))
		return -1;
	result = next.statx(directory, path, flags, mask, status);
	if (result || *path || !S_ISREG(status->stx_mode))
		return result;
	identity_of_node(directory, &node);
	if (node) {
		status->stx_mode =
			(uint16_t)((status->stx_mode & ~S_IFMT) | S_IFCHR);
		status->stx_rdev_major = node->major;
		status->stx_rdev_minor = node->minor;
	}
	return result;
}
