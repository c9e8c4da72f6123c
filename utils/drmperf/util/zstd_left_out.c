/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacement of zstd.c for builds without libzstd. */
#include "util/zstd.h"

#include <errno.h>

FILE *
zstd_compress(int file, unsigned level)
{
	(void)file;
	(void)level;
	errno = ENOTSUP;
	return NULL;
}

int
zstd_expand(const void *data, size_t size, void **out, size_t *out_size)
{
	(void)data;
	(void)size;
	(void)out;
	(void)out_size;
	return -ENOTSUP;
}
