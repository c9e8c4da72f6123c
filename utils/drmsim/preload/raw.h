/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls without libc, and so without other preloads: syscall() itself is
 * intercepted by this library, and the socket calls by umockdev.
 */
#ifndef DRMSIM_PRELOAD_RAW_H
#define DRMSIM_PRELOAD_RAW_H


/* Returns the result or -errno. */
long raw_syscall(long number, long a, long b, long c, long d, long e, long f);
/* Open a file in a directory. Returns a descriptor or -errno. */
long
raw_open_in(const char *directory, const char *name, int flags);
/* Put a number behind the text, which has room for it. */
void
number_append(char *text, unsigned number);
/* Turn a raw result into what libc returns, with errno. */
long raw_result(long result);

#endif /* DRMSIM_PRELOAD_RAW_H */
