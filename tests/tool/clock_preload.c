/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A clock that stands still: CLOCK_MONOTONIC is what the file TEST_CLOCK says,
 * in ns. Beside drmsim's virtual time it makes rates by the machine's own clock
 * come out the same each time. And a machine that has slept: CLOCK_BOOTTIME is
 * ahead by what the file TEST_SLEPT says.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000

static long long
read_clock(const char *path)
{
	char text[32] = "";
	long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);

	if (file < 0 || syscall(SYS_read, file, text, sizeof(text) - 1) < 0)
		_exit(99);
	syscall(SYS_close, file);
	return atoll(text);
}

__attribute__((visibility("default"))) int
clock_gettime(clockid_t clock, struct timespec *out)
{
	const char *path = getenv("TEST_CLOCK"), *slept = getenv("TEST_SLEPT");
	long long now;
	int ret;

	if (clock != CLOCK_MONOTONIC || !path) {
		ret = (int)syscall(SYS_clock_gettime, clock, out);
		if (clock == CLOCK_BOOTTIME && slept)
			out->tv_sec += read_clock(slept) / NS_PER_S;
		return ret;
	}
	now = read_clock(path);
	out->tv_sec = now / NS_PER_S;
	out->tv_nsec = now % NS_PER_S;
	return 0;
}
