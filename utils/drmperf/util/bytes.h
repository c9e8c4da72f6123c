/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that grow, and numbers as files have them: of fixed size with the
 * lowest byte first, or as varints, seven bits to a byte and the lowest first.
 */
#ifndef DRMPERF_TOOL_UTIL_BYTES_H
#define DRMPERF_TOOL_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *data;
	size_t size;
	size_t capacity;
	bool failed; /* no memory: what was added since is missing */
};

void
bytes_add(struct bytes *bytes, const void *data, size_t size);
void
bytes_add_u32(struct bytes *bytes, uint32_t value);
void
bytes_add_u64(struct bytes *bytes, uint64_t value);
void
bytes_add_double(struct bytes *bytes, double value);
void
bytes_add_varint(struct bytes *bytes, uint64_t value);
/* Add a number; a small one of either sign is short. */
void
bytes_add_signed(struct bytes *bytes, int64_t value);
/* Add a text, with the 0 at its end. */
void
bytes_add_text(struct bytes *bytes, const char *text);
void
bytes_finish(struct bytes *bytes);

/* Bytes that are read; past their end there are zeros, and failed is true. */
struct byte_reader {
	const uint8_t *at;
	const uint8_t *end;
	bool failed;
};

uint32_t
bytes_read_u32(struct byte_reader *reader);
uint64_t
bytes_read_u64(struct byte_reader *reader);
double
bytes_read_double(struct byte_reader *reader);
uint64_t
bytes_read_varint(struct byte_reader *reader);
int64_t
bytes_read_signed(struct byte_reader *reader);
/*
 * Return a text of the bytes, made printable there, so that they have to be
 * writable; "" where no 0 ends it.
 */
const char *
bytes_read_text(struct byte_reader *reader);

#endif /* DRMPERF_TOOL_UTIL_BYTES_H */
