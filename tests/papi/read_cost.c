/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PAPI_read of a running set costs: one submission and one wait, and no
 * other system call, no allocation, no comparison of strings. And how often
 * PAPI_start and PAPI_stop ask the kernel.
 *
 * The functions below stand before those of the C library and of drmsim for
 * the whole process, and count what passes through them on its way there.
 *
 * usage: read_cost SUBMIT_REQUEST WAIT_REQUEST RINGS EVENT...
 * The requests are numbers of DRM ioctls, to be seen once each per read. To
 * start and to stop, so many rings have to be told; the rest are samples, and
 * PAPI_stop reads before it stops. Of events that do not come from a GPU's
 * command stream, "any any 0" allows all system calls and what it takes to
 * read their answers, but no allocation.
 */
#include <dlfcn.h>
#include <papi.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define READS 100
#define MAX_EVENTS 64

static bool watching;
static unsigned ioctls[256];
static unsigned other_calls, allocations, comparisons;

/* Declared where the C library's headers do not: same names, same types. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define VISIBLE __attribute__((visibility("default")))

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *
__libc_realloc(void *, size_t);
extern void
__libc_free(void *);

/* Of libpapi, libdrmperf or libdrm, and not of the simulator beneath them. */
static bool
is_watched(const void *caller)
{
	Dl_info info;

	if (!watching)
		return false;
	watching = false; /* dladdr() may do what is watched */
	if (!dladdr(caller, &info))
		info.dli_fname = "";
	watching = true;
	return __builtin_strstr(info.dli_fname, "libpapi") ||
	       __builtin_strstr(info.dli_fname, "libdrmperf") ||
	       __builtin_strstr(info.dli_fname, "libdrm_amdgpu") ||
	       __builtin_strstr(info.dli_fname, "libdrm.so");
}
#define CALLER __builtin_return_address(0)

VISIBLE void *
malloc(size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_malloc(size);
}

VISIBLE void *
calloc(size_t count, size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_calloc(count, size);
}

VISIBLE void *
realloc(void *old, size_t size)
{
	allocations += is_watched(CALLER);
	return __libc_realloc(old, size);
}

VISIBLE void
free(void *memory)
{
	allocations += is_watched(CALLER);
	__libc_free(memory);
}

VISIBLE int
strcmp(const char *a, const char *b)
{
	comparisons += is_watched(CALLER);
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

VISIBLE int
strncmp(const char *a, const char *b, size_t size)
{
	comparisons += is_watched(CALLER);
	while (size && *a && *a == *b) {
		a++;
		b++;
		size--;
	}
	return size ? (unsigned char)*a - (unsigned char)*b : 0;
}

VISIBLE int
ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (is_watched(CALLER))
		ioctls[_IOC_NR(request)]++;
	return NEXT(ioctl)(fd, request, argument);
}

VISIBLE ssize_t
read(int fd, void *buffer, size_t size)
{
	other_calls += is_watched(CALLER);
	return NEXT(read)(fd, buffer, size);
}

/* What the library's code calls where it has been hardened. */
ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room);

VISIBLE ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room)
{
	other_calls += is_watched(CALLER);
	return NEXT(__read_chk)(fd, buffer, size, room);
}

VISIBLE ssize_t
write(int fd, const void *buffer, size_t size)
{
	other_calls += is_watched(CALLER);
	return NEXT(write)(fd, buffer, size);
}

VISIBLE int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
	other_calls += is_watched(CALLER);
	return NEXT(poll)(fds, count, timeout);
}

VISIBLE void *
mmap(void *address, size_t size, int protection, int flags, int fd,
     off_t offset)
{
	other_calls += is_watched(CALLER);
	return NEXT(mmap)(address, size, protection, flags, fd, offset);
}

VISIBLE int
munmap(void *address, size_t size)
{
	other_calls += is_watched(CALLER);
	return NEXT(munmap)(address, size);
}

VISIBLE int
close(int fd)
{
	other_calls += is_watched(CALLER);
	return NEXT(close)(fd);
}

static int failed;

static void
tell(const char *name, bool holds, const char *what, unsigned found)
{
	if (holds) {
		printf("ok %s\n", name);
		return;
	}
	printf("not ok %s\n    | %s: %u\n", name, what, found);
	failed = 1;
}

static void
tell_allocations(void)
{
	tell("a read allocates nothing", allocations == 0, "calls",
	     allocations);
}

static unsigned
other_ioctls(unsigned submit, unsigned wait)
{
	unsigned others = 0, i;

	for (i = 0; i < 256; i++) {
		if (i != submit && i != wait)
			others += ioctls[i];
	}
	return others;
}

static void
tell_all(unsigned submit, unsigned wait)
{
	unsigned others = other_calls + other_ioctls(submit, wait);

	tell("a read is one submission", ioctls[submit] == READS, "submissions",
	     ioctls[submit]);
	tell("a read waits once", ioctls[wait] == READS, "waits", ioctls[wait]);
	tell("a read makes no other system call", others == 0, "others",
	     others);
	tell_allocations();
	tell("a read compares no strings", comparisons == 0, "comparisons",
	     comparisons);
}

/* So many others at most, the second time. */
static void
tell_switch(const char *name, unsigned submit, unsigned wait, unsigned most,
	    unsigned others_most)
{
	char text[128];

	snprintf(text, sizeof(text), "%s submits no more than it has to", name);
	tell(text, ioctls[submit] == most, "submissions", ioctls[submit]);
	snprintf(text, sizeof(text), "%s waits once for each", name);
	tell(text, ioctls[wait] == ioctls[submit], "waits", ioctls[wait]);
	snprintf(text, sizeof(text), "%s asks for nothing else", name);
	tell(text, other_ioctls(submit, wait) <= others_most, "other ioctls",
	     other_ioctls(submit, wait));
	memset(ioctls, 0, sizeof(ioctls));
}

/* The second time, when all that is done once has been done. */
static void
watch_switches(int set, unsigned submit, unsigned wait, unsigned rings)
{
	int ret;

	memset(ioctls, 0, sizeof(ioctls));
	watching = true;
	ret = PAPI_stop(set, NULL);
	watching = false;
	tell("PAPI_stop succeeds", ret == PAPI_OK, "failures", 1);
	tell_switch("PAPI_stop", submit, wait, rings + 2, 0);
	watching = true;
	ret = PAPI_start(set);
	watching = false;
	tell("PAPI_start succeeds", ret == PAPI_OK, "failures", 1);
	/* whether the GPU has been reset since */
	tell_switch("PAPI_start", submit, wait, rings + 1, 1);
}

int
main(int argc, char **argv)
{
	long long values[MAX_EVENTS];
	unsigned submit, wait;
	int set = PAPI_NULL;
	int i;

	if (argc < 5 || argc > MAX_EVENTS ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_create_eventset(&set) != PAPI_OK)
		return 2;
	for (i = 4; i < argc; i++) {
		if (PAPI_add_named_event(set, argv[i]) != PAPI_OK) {
			fprintf(stderr, "%s cannot be added\n", argv[i]);
			return 2;
		}
	}
	if (PAPI_start(set) != PAPI_OK || PAPI_read(set, values) != PAPI_OK)
		return 2;
	watching = true;
	for (i = 0; i < READS; i++) {
		if (PAPI_read(set, values) != PAPI_OK)
			break;
	}
	watching = false;
	tell("all reads succeed", i == READS, "successes", (unsigned)i);
	submit = (unsigned)strtoul(argv[1], NULL, 0);
	wait = (unsigned)strtoul(argv[2], NULL, 0);
	if (!strcmp(argv[1], "any")) {
		tell_allocations();
	} else {
		tell_all(submit, wait);
		watch_switches(set, submit, wait,
			       (unsigned)strtoul(argv[3], NULL, 0));
	}
	PAPI_stop(set, NULL);
	PAPI_shutdown();
	return failed;
}
