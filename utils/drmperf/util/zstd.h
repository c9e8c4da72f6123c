/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that libzstd compresses, which is loaded when one is wanted. */
#ifndef DRMPERF_TOOL_UTIL_ZSTD_H
#define DRMPERF_TOOL_UTIL_ZSTD_H

#include <stddef.h>
#include <stdio.h>

#define ZSTD_MOST_LEVEL 19

/*
 * Return a stream whose data goes to the file compressed: all of it when the
 * stream is flushed, so that a file that is cut off there can be read up to it.
 * The stream owns the file. NULL, and errno is ENOTSUP, if there is no libzstd;
 * or ENOMEM. Then the file is left as it is.
 */
FILE *
zstd_compress(int file, unsigned level);

/*
 * Expand a file, or as much of it as can be expanded if it was cut off or is
 * damaged. *out is memory of mmap(), or NULL if there is nothing. Returns 0;
 * -ENOTSUP if there is no libzstd; -ENOMEM.
 */
int
zstd_expand(const void *data, size_t size, void **out, size_t *out_size);

#endif /* DRMPERF_TOOL_UTIL_ZSTD_H */
