/* SPDX-License-Identifier: BSD-3-Clause */
#include "rgp/rgp_put.h"

#include <endian.h>
#include <string.h>

void
rgp_put_u32(FILE *out, uint32_t value)
{
	value = htole32(value);
	fwrite(&value, sizeof(value), 1, out);
}

void
rgp_put_u64(FILE *out, uint64_t value)
{
	value = htole64(value);
	fwrite(&value, sizeof(value), 1, out);
}

void
rgp_put_head(FILE *out, enum rgp_chunk chunk, unsigned index, uint32_t version,
	     uint64_t size)
{
	rgp_put_u32(out, chunk | index << 8);
	rgp_put_u32(out, version);
	rgp_put_u32(out, (uint32_t)size);
	rgp_put_u32(out, 0);
}

void
rgp_put_zeros(FILE *out, size_t size)
{
	while (size--)
		putc(0, out);
}

void
rgp_put_text(FILE *out, const char *text, size_t size)
{
	const size_t length = strnlen(text, size - 1);

	fwrite(text, 1, length, out);
	rgp_put_zeros(out, size - length);
}
