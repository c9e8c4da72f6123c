/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/yield.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "driver/share/byte_lock.h"

/*
 * Bytes of the node, under shared locks: several processes may offer and ask.
 */
enum byte {
	BYTE_OFFER,
	BYTE_ASK,
};

static int
open_locked(const char *node, enum byte byte)
{
	int fd = open(node, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = byte_lock_try_shared(fd, byte);
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
	return byte_lock_is_held(offer, BYTE_ASK);
}

int
yield_ask(const char *node)
{
	int fd = open_locked(node, BYTE_ASK);

	if (fd < 0 || byte_lock_is_held(fd, BYTE_OFFER))
		return fd;
	close(fd);
	return -ENOENT;
}
