/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rgp_bytes.h"

#include <string.h>

void
rgp_add_head(struct bytes *bytes, enum rgp_chunk chunk, unsigned major,
	     unsigned minor, uint64_t size)
{
	bytes_add_u32(bytes, chunk);
	bytes_add_u32(bytes, major << 16 | minor);
	bytes_add_u32(bytes, (uint32_t)size);
	bytes_add_u32(bytes, 0);
}

void
rgp_add_zeros(struct bytes *bytes, size_t size)
{
	static const uint8_t zeros[64];

	for (; size > sizeof(zeros); size -= sizeof(zeros))
		bytes_add(bytes, zeros, sizeof(zeros));
	bytes_add(bytes, zeros, size);
}

void
rgp_add_text(struct bytes *bytes, const char *text, size_t size)
{
	const size_t length = strnlen(text, size - 1);

	bytes_add(bytes, text, length);
	rgp_add_zeros(bytes, size - length);
}
