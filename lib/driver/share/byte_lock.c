/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/byte_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct flock
flock_of_byte(short type, uint32_t byte)
{
	return (struct flock){
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = byte,
		.l_len = 1,
	};
}

static int
set_lock(int fd, short type, uint32_t byte)
{
	struct flock lock = flock_of_byte(type, byte);

	return fcntl(fd, F_OFD_SETLK, &lock) ? -errno : 0;
}

int
byte_lock_try(int fd, uint32_t byte)
{
	return set_lock(fd, F_WRLCK, byte);
}

int
byte_lock_try_shared(int fd, uint32_t byte)
{
	return set_lock(fd, F_RDLCK, byte);
}

void
byte_lock_release(int fd, uint32_t byte)
{
	set_lock(fd, F_UNLCK, byte);
}

bool
byte_lock_is_held(int fd, uint32_t byte)
{
	struct flock lock = flock_of_byte(F_WRLCK, byte);

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}
