/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The intercepted functions. Each one asks whether a simulated file is meant
 * and otherwise does what the next library in line does, which may be
 * umockdev's preload, a sanitizer, or libc.
 */
#include "preload/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define NODE_FOLDER "/dev/dri/"

static struct {
	int (*open)(const char *, int, ...);
	int (*openat)(int, const char *, int, ...);
	int (*ioctl)(int, unsigned long, ...);
	ssize_t (*read)(int, void *, size_t);
	int (*fcntl)(int, int, ...);
	int (*fstat)(int, struct stat *);
	int (*fxstat)(int, int, struct stat *);
	int (*statx)(int, const char *, int, unsigned, struct statx *);
	int (*access)(const char *, int);
	int (*faccessat)(int, const char *, int, int);
	int (*eaccess)(const char *, int);
	int (*fstatat)(int, const char *, struct stat *, int);
	int (*stat)(const char *, struct stat *);
	FILE *(*fopen)(const char *, const char *);
	int (*setuid)(uid_t);
	int (*seteuid)(uid_t);
	int (*setreuid)(uid_t, uid_t);
	int (*setresuid)(uid_t, uid_t, uid_t);
} next;

static void
resolve(void *slot, const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	memcpy(slot, &function, sizeof(function));
}

enum { ASLEEP, STARTING, AWAKE };
static atomic_int state;

/*
 * Constructors of other libraries may run, and call us, before ours. While
 * the functions are being resolved, system calls are made directly.
 */
static void
shim_need(void)
{
	const char *directory;
	int expected = ASLEEP;

	if (state == AWAKE ||
	    !atomic_compare_exchange_strong(&state, &expected, STARTING))
		return;
	resolve(&next.open, "open");
	resolve(&next.openat, "openat");
	resolve(&next.ioctl, "ioctl");
	resolve(&next.read, "read");
	resolve(&next.fcntl, "fcntl");
	resolve(&next.fstat, "fstat");
	resolve(&next.fxstat, "__fxstat");
	resolve(&next.statx, "statx");
	resolve(&next.access, "access");
	resolve(&next.faccessat, "faccessat");
	resolve(&next.eaccess, "eaccess");
	resolve(&next.fstatat, "fstatat");
	resolve(&next.stat, "stat");
	resolve(&next.fopen, "fopen");
	resolve(&next.setuid, "setuid");
	resolve(&next.seteuid, "seteuid");
	resolve(&next.setreuid, "setreuid");
	resolve(&next.setresuid, "setresuid");
	directory = getenv(PROTOCOL_ENV);
	if (directory)
		channel_init(directory);
	if (channel_is_active()) {
		identity_init();
		pthread_atfork(NULL, NULL, channel_forget);
	}
	state = AWAKE;
}

__attribute__((constructor)) static void
shim_start(void)
{
	shim_need();
}

__attribute__((destructor)) static void
shim_end(void)
{
	channel_exit();
}

/* ---- opening */

static bool
is_node_path(const char *path)
{
	return channel_is_active() && path &&
	       strncmp(path, NODE_FOLDER, strlen(NODE_FOLDER)) == 0 &&
	       path[strlen(NODE_FOLDER)] != '\0';
}

/*
 * A path whose last part is a node's name, or that names a descriptor
 * (/proc/self/fd/3, /dev/fd/3), so that it may be one.
 */
static bool
may_be_node(const char *path)
{
	static const char descriptors[] = "/fd/";
	const size_t length = strlen(descriptors);
	const char *last;

	if (!channel_is_active() || !path)
		return false;
	last = strrchr(path, '/');
	last = last ? last + 1 : path;
	return strncmp(last, "card", 4) == 0 ||
	       strncmp(last, "renderD", 7) == 0 ||
	       ((size_t)(last - path) >= length &&
		strncmp(last - length, descriptors, length) == 0);
}

static int
open_node(const char *path, int flags)
{
	struct protocol_request request = {
		.kind = PROTOCOL_OPEN,
		.a = (uint64_t)(unsigned)flags,
	};

	return (int)raw_result(channel_call(&request, path, NULL, NULL));
}

/*
 * A node reached by a way that names did not show: a relative path, a
 * directory's descriptor, /proc/self/fd. What was opened is the bare file of
 * the simulated /dev; replace it by an open node.
 */
static int
adopt(int fd, int flags)
{
	const struct protocol_node *node = NULL;
	char path[64] = "/dev/char/";
	char digits[12];
	unsigned part[2];

	if (fd < 0 || (flags & O_PATH) || identity_of_node(fd, &node) || !node)
		return fd;
	part[0] = node->major;
	part[1] = node->minor;
	for (unsigned i = 0; i < 2; i++) {
		unsigned n = sizeof(digits) - 1;
		digits[n] = '\0';
		do {
			digits[--n] = (char)('0' + part[i] % 10);
			part[i] /= 10;
		} while (part[i]);
		strcat(path, digits + n);
		if (i == 0)
			strcat(path, ":");
	}
	raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	return open_node(path, flags);
}

static int
adopt_named(const char *path, int fd, int flags)
{
	if (may_be_node(path))
		return adopt(fd, flags);
	return fdinfo_is_name(path) ? fdinfo_adopt(fd, flags) : fd;
}

static int
open_any(const char *path, int flags, mode_t mode)
{
	int fd;

	shim_need();
	if (is_node_path(path) && !(flags & O_PATH))
		return open_node(path, flags);
	if (next.open)
		fd = next.open(path, flags, mode);
	else
		fd = (int)raw_result(raw_syscall(SYS_openat, AT_FDCWD,
						 (long)path, flags, (long)mode,
						 0, 0));
	return adopt_named(path, fd, flags);
}

static int
openat_any(int directory, const char *path, int flags, mode_t mode)
{
	int fd;

	shim_need();
	if (is_node_path(path) && !(flags & O_PATH))
		return open_node(path, flags);
	if (next.openat)
		fd = next.openat(directory, path, flags, mode);
	else
		fd = (int)raw_result(raw_syscall(SYS_openat, directory,
						 (long)path, flags, (long)mode,
						 0, 0));
	return adopt_named(path, fd, flags);
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
	return open_any(path, flags, mode);
}

EXPORT int
open64(const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(flags, mode);
	return open_any(path, flags | O_LARGEFILE, mode);
}

EXPORT int
openat(int directory, const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(flags, mode);
	return openat_any(directory, path, flags, mode);
}

EXPORT int
openat64(int directory, const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(flags, mode);
	return openat_any(directory, path, flags | O_LARGEFILE, mode);
}

/* libc opens by itself here: what it has opened is exchanged. */
EXPORT FILE *
fopen(const char *restrict path, const char *restrict mode)
{
	FILE *file;

	shim_need();
	file = next.fopen(path, mode);
	if (file && fdinfo_is_name(path))
		fdinfo_adopt(fileno(file), strchr(mode, 'e') ? O_CLOEXEC : 0);
	return file;
}

FILE *fopen64_shim(const char *path, const char *mode) __asm__("fopen64");
EXPORT FILE *
fopen64_shim(const char *path, const char *mode)
{
	return fopen(path, mode);
}

/* What open() becomes with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);

EXPORT int
__open_2(const char *path, int flags)
{
	return open_any(path, flags, 0);
}

EXPORT int
__open64_2(const char *path, int flags)
{
	return open_any(path, flags | O_LARGEFILE, 0);
}

EXPORT int
__openat_2(int directory, const char *path, int flags)
{
	return openat_any(directory, path, flags, 0);
}

EXPORT int
__openat64_2(int directory, const char *path, int flags)
{
	return openat_any(directory, path, flags | O_LARGEFILE, 0);
}

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
	shim_need();
	if (is_node_path(path))
		return access_node(path, mode);
	if (next.access)
		return next.access(path, mode);
	return (int)raw_result(raw_syscall(SYS_faccessat, AT_FDCWD, (long)path,
					   mode, 0, 0, 0));
}

EXPORT int
faccessat(int directory, const char *path, int mode, int flags)
{
	if (is_node_path(path))
		return access_node(path, mode);
	shim_need();
	return next.faccessat(directory, path, mode, flags);
}

EXPORT int
eaccess(const char *path, int mode)
{
	if (is_node_path(path))
		return access_node(path, mode);
	shim_need();
	return next.eaccess(path, mode);
}

EXPORT int
euidaccess(const char *path, int mode)
{
	return eaccess(path, mode);
}

/* ---- descriptors */

static int
fcntl_any(int fd, int command, long argument)
{
	int result;

	if (next.fcntl)
		result = next.fcntl(fd, command, argument);
	else
		result = (int)raw_result(raw_syscall(SYS_fcntl, fd, command,
						     argument, 0, 0, 0));
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		identity_duplicate(fd, result);
	return result;
}

EXPORT int
dup(int fd)
{
	int copy = (int)raw_result(raw_syscall(SYS_dup, fd, 0, 0, 0, 0, 0));

	identity_duplicate(fd, copy);
	return copy;
}

EXPORT int
dup3(int fd, int to, int flags)
{
	int copy = (int)raw_result(raw_syscall(SYS_dup3, fd, to, flags, 0, 0,
					       0));

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

EXPORT int
fcntl64(int fd, int command, ...)
{
	va_list list;

	va_start(list, command);
	long argument = va_arg(list, long);
	va_end(list);
	return fcntl_any(fd, command, argument);
}

/* ---- what a node looks like */

static void
show(const struct protocol_node *node, struct stat *status)
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
	show(node, status);
}

EXPORT int
fstat(int fd, struct stat *status)
{
	int result;

	shim_need();
	result = next.fstat(fd, status);
	if (result == 0 && S_ISREG(status->st_mode))
		show_node(fd, status);
	return result;
}

int fstat64_shim(int fd, struct stat *status) __asm__("fstat64");
EXPORT int
fstat64_shim(int fd, struct stat *status)
{
	return fstat(fd, status);
}

int __fxstat(int version, int fd, struct stat *status);
EXPORT int
__fxstat(int version, int fd, struct stat *status)
{
	int result;

	shim_need();
	if (!next.fxstat)
		return fstat(fd, status);
	result = next.fxstat(version, fd, status);
	if (result == 0 && S_ISREG(status->st_mode))
		show_node(fd, status);
	return result;
}

int fxstat64_shim(int version, int fd, struct stat *s) __asm__("__fxstat64");
EXPORT int
fxstat64_shim(int version, int fd, struct stat *status)
{
	return __fxstat(version, fd, status);
}

/* /proc/PID/fd/FD, which leads to the bare file of a node. */
static int
show_named(int result, const char *path, struct stat *status)
{
	if (result == 0 && S_ISREG(status->st_mode) && fdinfo_is_name(path))
		show(identity_of_inode(status->st_dev, status->st_ino), status);
	return result;
}

EXPORT int
fstatat(int directory, const char *restrict path, struct stat *restrict status,
	int flags)
{
	shim_need();
	return show_named(next.fstatat(directory, path, status, flags), path,
			  status);
}

int fstatat64_shim(int directory, const char *path, struct stat *status,
		   int flags) __asm__("fstatat64");
EXPORT int
fstatat64_shim(int directory, const char *path, struct stat *status, int flags)
{
	return fstatat(directory, path, status, flags);
}

EXPORT int
stat(const char *restrict path, struct stat *restrict status)
{
	shim_need();
	return show_named(next.stat(path, status), path, status);
}

int stat64_shim(const char *path, struct stat *status) __asm__("stat64");
EXPORT int
stat64_shim(const char *path, struct stat *status)
{
	return stat(path, status);
}

EXPORT int
statx(int directory, const char *restrict path, int flags, unsigned mask,
      struct statx *restrict status)
{
	const struct protocol_node *node = NULL;
	int result;

	shim_need();
	result = next.statx(directory, path, flags, mask, status);
	if (result || *path || !S_ISREG(status->stx_mode))
		return result;
	identity_of_node(directory, &node);
	if (node) {
		status->stx_mode = (uint16_t)((status->stx_mode & ~S_IFMT) |
					      S_IFCHR);
		status->stx_rdev_major = node->major;
		status->stx_rdev_minor = node->minor;
	}
	return result;
}

/* ---- the calls that matter */

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
	shim_need();
	/* int callers sign-extend a request with its top bit set */
	request &= 0xffffffff;
	if (_IOC_TYPE(request) == 'd') {
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
	if (next.read)
		return next.read(fd, buffer, size);
	return raw_result(raw_syscall(SYS_read, fd, (long)buffer, (long)size,
				      0, 0, 0));
}

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
void __chk_fail(void) __attribute__((noreturn));

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
	raw_syscall(SYS_close, backing, 0, 0, 0, 0, 0);
	return result;
}

void *mmap64_shim(void *address, size_t length, int protection, int flags,
		  int fd, off_t offset) __asm__("mmap64");
EXPORT void *
mmap64_shim(void *address, size_t length, int protection, int flags, int fd,
	    off_t offset)
{
	return mmap(address, length, protection, flags, fd, offset);
}

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

/* ---- another user: he may not connect to the simulator, so be connected */

EXPORT int
setuid(uid_t user)
{
	shim_need();
	channel_connect();
	return next.setuid(user);
}

EXPORT int
seteuid(uid_t user)
{
	shim_need();
	channel_connect();
	return next.seteuid(user);
}

EXPORT int
setreuid(uid_t real, uid_t effective)
{
	shim_need();
	channel_connect();
	return next.setreuid(real, effective);
}

EXPORT int
setresuid(uid_t real, uid_t effective, uid_t saved)
{
	shim_need();
	channel_connect();
	return next.setresuid(real, effective, saved);
}
