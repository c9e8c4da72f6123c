/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log of a self-test: what was on its way to the GPU when the machine stood
 * still is on the disk.
 */
#ifndef DRMPERF_SELFTEST_LOG_H
#define DRMPERF_SELFTEST_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "selftest/checks/check.h"

/*
 * Make a new file in a folder that has to be the effective user's, or in place
 * of an earlier log; for this user alone. A descriptor, or -errno with a cause.
 */
int
selftest_log_create(const char *path, struct drmperf_error *error);

/*
 * Open what the user has named, which may be a pipe or a device; a file is made
 * as selftest_log_create() does, in whatever folder. The same results.
 */
int
selftest_log_open(const char *path, struct drmperf_error *error);

/* Write a line; nothing is buffered. Returns 0, or -errno. */
int
selftest_log_line(int fd, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Log entries of commands that may repeat. */
#define SELFTEST_LOG_KNOWN 8

struct selftest_log_known {
	struct {
		const uint32_t *at;
		uint32_t *dwords; /* as they were then */
		size_t count;
		unsigned number;
	} list[SELFTEST_LOG_KNOWN];
	unsigned next;
};

/*
 * Log commands that are going to be submitted; they are on the disk on return.
 * Commands that repeat earlier ones are logged by what has changed. Returns 0,
 * or -errno.
 */
int
selftest_log_commands(int fd, struct selftest_log_known *known,
		      const struct selftest_commands *commands);
void
selftest_log_forget(struct selftest_log_known *known);

#endif /* DRMPERF_SELFTEST_LOG_H */
