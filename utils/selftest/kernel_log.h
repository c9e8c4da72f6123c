/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of one of the kernel's drivers that come while something is tried.
 */
#ifndef DRMPERF_SELFTEST_KERNEL_LOG_H
#define DRMPERF_SELFTEST_KERNEL_LOG_H

#include <stddef.h>

/*
 * Open a file as /dev/kmsg is, to read from now on. Returns a descriptor, or
 * -errno.
 */
int
kernel_log_open(const char *path);

/*
 * Read a new error of the driver. Returns 1 with its text, 0 if there is none,
 * or -errno.
 */
int
kernel_log_next(int fd, const char *driver, char *text, size_t size);

#endif /* DRMPERF_SELFTEST_KERNEL_LOG_H */
