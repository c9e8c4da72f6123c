/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of descriptors. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/fault.h"
#include "preload/identity.h"
#include "preload/next.h"
#include "preload/raw.h"

static int
fcntl_any(int fd, int command, long argument)
{
	const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
	int result;

	if (copies && fault_strikes(PROTOCOL_OUTSIDE_DUP))
		return -1;
	if (next.fcntl)
		result = next.fcntl(fd, command, argument);
	else
		result = (int)raw_result(
			raw_syscall(SYS_fcntl, fd, command, argument, 0, 0, 0));
	if (copies)
		identity_duplicate(fd, result);
	return result;
}

EXPORT int
dup(int fd)
{
	int copy;

	if (fault_strikes(PROTOCOL_OUTSIDE_DUP))
		return -1;
	copy = (int)raw_result(raw_syscall(SYS_dup, fd, 0, 0, 0, 0, 0));
	identity_duplicate(fd, copy);
	return copy;
}

EXPORT int
dup3(int fd, int to, int flags)
{
	int copy;

	if (fault_strikes(PROTOCOL_OUTSIDE_DUP))
		return -1;
	copy = (int)raw_result(raw_syscall(SYS_dup3, fd, to, flags, 0, 0, 0));
	identity_duplicate(fd, copy);
	return copy;
}

EXPORT int
dup2(int fd, int to)
{
	int copy = fd == to ? fcntl_any(fd, F_GETFD, 0) : dup3(fd, to, 0);

	return copy < 0 ? copy : to;
}

EXPORT int
fcntl(int fd, int command, ...)
{
	va_list list;

	va_start(list, command);
	long argument = va_arg(list, long);
	va_end(list);
	return fcntl_any(fd, command, argument);
}
ALSO(fcntl64, fcntl);
