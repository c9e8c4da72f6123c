/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_TOOL_UTIL_FULL_WRITE_H
#define DRMPERF_TOOL_UTIL_FULL_WRITE_H

#include <stddef.h>

/* Write all of it to a descriptor. Returns 0 or -errno. */
int
full_write(int fd, const void *data, size_t size);

#endif /* DRMPERF_TOOL_UTIL_FULL_WRITE_H */
