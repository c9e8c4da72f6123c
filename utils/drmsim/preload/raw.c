/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
long
raw_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
long
raw_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#else
#error "no system call sequence for this machine"
#endif

void
number_append(char *text, unsigned number)
{
	char digits[12];
	unsigned n = sizeof(digits) - 1;

	digits[n] = '\0';
	do {
		digits[--n] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	strcat(text, digits + n);
}

long
raw_open_in(const char *directory, const char *name, int flags)
{
	char path[128];

	if (strlen(directory) + 2 + strlen(name) > sizeof(path))
		return -ENAMETOOLONG;
	strcpy(path, directory);
	strcat(path, "/");
	strcat(path, name);
	return raw_syscall(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC,
			   0, 0, 0);
}

long
raw_result(long result)
{
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}
