/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that matter. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/fault.h"
#include "preload/identity.h"
#include "preload/next.h"
#include "preload/raw.h"

static int
ioctl_simulated(uint32_t kind, uint64_t id, unsigned long request,
		uintptr_t argument)
{
	struct protocol_request call = {
		.kind = kind,
		.id = id,
		.a = request,
		.b = argument,
	};

	return (int)raw_result(channel_call(&call, NULL, NULL, NULL));
}

EXPORT int
ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	uint64_t id;

	va_start(list, request);
	uintptr_t argument = va_arg(list, uintptr_t);
	va_end(list);
	next_need();
	/* int callers sign-extend a request with its top bit set */
	request &= 0xffffffff;
	/* DRM, and KFD */
	if (_IOC_TYPE(request) == 'd' || _IOC_TYPE(request) == 'K') {
		id = identity_of_node(fd, NULL);
		if (id)
			return ioctl_simulated(PROTOCOL_IOCTL, id, request,
					       argument);
	}
	id = identity_of_stream(fd);
	if (id)
		return ioctl_simulated(PROTOCOL_STREAM_IOCTL, id, request,
				       argument);
	if (next.ioctl)
		return next.ioctl(fd, request, argument);
	return (int)raw_result(raw_syscall(SYS_ioctl, fd, (long)request,
					   (long)argument, 0, 0, 0));
}

EXPORT ssize_t
read(int fd, void *buffer, size_t size)
{
	uint64_t id = identity_of_stream(fd);

	if (id) {
		struct protocol_request call = {
			.kind = PROTOCOL_STREAM_READ,
			.id = id,
			.a = (uintptr_t)buffer,
			.b = size,
		};
		call.c = (uint64_t)raw_syscall(SYS_fcntl, fd, F_GETFL, 0, 0, 0,
					       0);
		return raw_result(channel_call(&call, NULL, NULL, NULL));
	}
	if (fault_strikes(PROTOCOL_OUTSIDE_FILE_READ))
		return -1;
	if (next.read)
		return next.read(fd, buffer, size);
	return raw_result(
		raw_syscall(SYS_read, fd, (long)buffer, (long)size, 0, 0, 0));
}

ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room);
void
__chk_fail(void) __attribute__((noreturn));

EXPORT ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room)
{
	if (size > room)
		__chk_fail();
	return read(fd, buffer, size);
}

static void *
map_raw(void *address, size_t length, int protection, int flags, int fd,
	off_t offset)
{
	return (void *)raw_result(raw_syscall(SYS_mmap, (long)address,
					      (long)length, protection, flags,
					      fd, offset));
}

EXPORT void *
mmap(void *address, size_t length, int protection, int flags, int fd,
     off_t offset)
{
	struct protocol_request call = {
		.a = (uint64_t)offset,
		.b = length,
		.c = (uint64_t)protection,
		.d = (uint64_t)flags,
	};
	struct protocol_reply reply;
	long error;
	int backing;
	void *result;

	if (fd < 0 || (flags & MAP_ANONYMOUS) || !channel_is_active())
		return map_raw(address, length, protection, flags, fd, offset);
	call.kind = PROTOCOL_MMAP;
	call.id = identity_of_node(fd, NULL);
	if (!call.id) {
		call.kind = PROTOCOL_STREAM_MMAP;
		call.id = identity_of_stream(fd);
	}
	if (!call.id)
		return map_raw(address, length, protection, flags, fd, offset);
	error = channel_call(&call, NULL, &reply, &backing);
	if (error < 0 || backing < 0) {
		errno = error < 0 ? (int)-error : ENODEV;
		return MAP_FAILED;
	}
	result = map_raw(address, length, protection, flags, backing,
			 (off_t)reply.offset);
	if (result != MAP_FAILED && (reply.flags & PROTOCOL_NO_FORK))
		raw_syscall(SYS_madvise, (long)result, (long)length,
			    MADV_DONTFORK, 0, 0, 0);
	raw_syscall(SYS_close, backing, 0, 0, 0, 0, 0);
	return result;
}
ALSO(mmap64, mmap);

/* ---- perf_event_open(), which libc has no function for */

static bool
is_simulated_event(const void *attributes)
{
	uint32_t type = 0;
	struct iovec to = { &type, sizeof(type) };
	struct iovec from = { (void *)(uintptr_t)attributes, sizeof(type) };
	long self = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);

	/* A bad pointer is the kernel's business. */
	return raw_syscall(SYS_process_vm_readv, self, (long)&to, 1,
			   (long)&from, 1, 0) == sizeof(type) &&
	       type >= PROTOCOL_PMU_TYPE;
}

EXPORT long
syscall(long number, ...)
{
	long argument[6];
	va_list list;

	va_start(list, number);
	for (unsigned i = 0; i < 6; i++)
		argument[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open && channel_is_active() &&
	    is_simulated_event((const void *)argument[0])) {
		struct protocol_request call = {
			.kind = PROTOCOL_PERF_OPEN,
			.a = (uint64_t)argument[0],
			.b = (uint64_t)argument[1],
			.c = (uint64_t)argument[2],
			.d = (uint64_t)argument[3],
			.e = (uint64_t)argument[4],
		};
		call.id = identity_of_stream((int)argument[3]);
		return raw_result(channel_call(&call, NULL, NULL, NULL));
	}
	return raw_result(raw_syscall(number, argument[0], argument[1],
				      argument[2], argument[3], argument[4],
				      argument[5]));
}
