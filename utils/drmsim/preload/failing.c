/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are intercepted only so that they can fail. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

#include "preload/fault.h"
#include "preload/next.h"

EXPORT ssize_t
getdents64(int fd, void *buffer, size_t size)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_GETDENTS)
		       ? -1
		       : next.getdents64(fd, buffer, size);
}

EXPORT struct dirent *
readdir(DIR *folder)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_GETDENTS) ? NULL
							: next.readdir(folder);
}
ALSO(readdir64, readdir);

EXPORT ssize_t
pread(int fd, void *buffer, size_t size, off_t offset)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_FILE_READ)
		       ? -1
		       : next.pread(fd, buffer, size, offset);
}
ALSO(pread64, pread);

EXPORT int
flock(int fd, int operation)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_FLOCK)
		       ? -1
		       : next.flock(fd, operation);
}

EXPORT int
eventfd(unsigned count, int flags)
{
	next_need();
	return fault_strikes(PROTOCOL_OUTSIDE_EVENTFD)
		       ? -1
		       : next.eventfd(count, flags);
}

EXPORT int
pthread_create(pthread_t *restrict thread,
	       const pthread_attr_t *restrict attributes, void *(*run)(void *),
	       void *restrict data)
{
	int saved = errno, error = 0;

	next_need();
	if (fault_strikes(PROTOCOL_OUTSIDE_THREAD)) {
		error = errno;
		errno = saved;
		return error;
	}
	return next.pthread_create(thread, attributes, run, data);
}
