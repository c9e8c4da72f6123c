/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/yield.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Any number of processes may offer, and ask: the locks are shared ones. */
enum byte {
	BYTE_OFFER,
	BYTE_ASK,
};

static int
lock_byte(int fd, enum byte byte)
{
	struct flock lock = {
		.l_type = F_RDLCK,
		.l_whence = SEEK_SET,
		.l_start = byte,
		.l_len = 1,
	};

	return fcntl(fd, F_OFD_SETLK, &lock) ? -errno : 0;
}

/* Return whether another descriptor has the byte locked. */
static bool
is_locked(int fd, enum byte byte)
{
	struct flock lock = {
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = byte,
		.l_len = 1,
	};

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

static int
open_locked(const char *node, enum byte byte)
{
	int fd = open(node, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = lock_byte(fd, byte);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int
yield_offer(const char *node)
{
	return open_locked(node, BYTE_OFFER);
}

bool
yield_is_asked(int offer)
{
	return is_locked(offer, BYTE_ASK);
}

int
yield_ask(const char *node)
{
	int fd = open_locked(node, BYTE_ASK);

	if (fd < 0 || is_locked(fd, BYTE_OFFER))
		return fd;
	close(fd);
	return -ENOENT;
}
