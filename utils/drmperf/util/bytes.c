/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/bytes.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "util/printable.h"

/* A varint of 64 bits has at most ten bytes. */
#define VARINT_BITS 7
#define VARINT_MORE 0x80

void
bytes_add(struct bytes *bytes, const void *data, size_t size)
{
	if (bytes->failed || !size)
		return;
	if (size > bytes->capacity - bytes->size) {
		size_t capacity = 2 * (bytes->size + size);
		uint8_t *larger = realloc(bytes->data, capacity);

		if (!larger) {
			bytes->failed = true;
			return;
		}
		bytes->data = larger;
		bytes->capacity = capacity;
	}
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void
bytes_add_u32(struct bytes *bytes, uint32_t value)
{
	value = htole32(value);
	bytes_add(bytes, &value, sizeof(value));
}

void
bytes_add_u64(struct bytes *bytes, uint64_t value)
{
	value = htole64(value);
	bytes_add(bytes, &value, sizeof(value));
}

void
bytes_add_double(struct bytes *bytes, double value)
{
	bytes_add_u64(bytes, (union drmperf_value){ .f64 = value }.u64);
}

void
bytes_add_varint(struct bytes *bytes, uint64_t value)
{
	uint8_t text[10];
	size_t size = 0;

	for (; value >= VARINT_MORE; value >>= VARINT_BITS)
		text[size++] = (uint8_t)(value | VARINT_MORE);
	text[size++] = (uint8_t)value;
	bytes_add(bytes, text, size);
}

/* Add a number such that 0, -1, 1, -2 become 0, 1, 2, 3. */
void
bytes_add_signed(struct bytes *bytes, int64_t value)
{
	uint64_t sign = value < 0 ? UINT64_MAX : 0;

	bytes_add_varint(bytes, (uint64_t)value << 1 ^ sign);
}

void
bytes_add_text(struct bytes *bytes, const char *text)
{
	bytes_add(bytes, text, strlen(text) + 1);
}

void
bytes_finish(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){ 0 };
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static void
read_bytes(struct byte_reader *reader, void *out, size_t size)
{
	if ((size_t)(reader->end - reader->at) < size) {
		reader->failed = true;
		reader->at = reader->end;
		memset(out, 0, size);
		return;
	}
	memcpy(out, reader->at, size);
	reader->at += size;
}

uint32_t
bytes_read_u32(struct byte_reader *reader)
{
	uint32_t value;

	read_bytes(reader, &value, sizeof(value));
	return le32toh(value);
}

uint64_t
bytes_read_u64(struct byte_reader *reader)
{
	uint64_t value;

	read_bytes(reader, &value, sizeof(value));
	return le64toh(value);
}

double
bytes_read_double(struct byte_reader *reader)
{
	return (union drmperf_value){ .u64 = bytes_read_u64(reader) }.f64;
}

uint64_t
bytes_read_varint(struct byte_reader *reader)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		read_bytes(reader, &byte, 1);
		value |= (uint64_t)(byte & ~VARINT_MORE) << shift;
		shift += VARINT_BITS;
	} while (byte & VARINT_MORE && shift < 64);
	if (byte & VARINT_MORE)
		reader->failed = true;
	return value;
}

int64_t
bytes_read_signed(struct byte_reader *reader)
{
	uint64_t value = bytes_read_varint(reader);

	return (int64_t)(value >> 1 ^ -(value & 1));
}

const char *
bytes_read_text(struct byte_reader *reader)
{
	const uint8_t *text = reader->at;
	const uint8_t *end =
		memchr(text, '\0', (size_t)(reader->end - reader->at));

	if (!end) {
		reader->failed = true;
		reader->at = reader->end;
		return "";
	}
	reader->at = end + 1;
	printable_clean((char *)(uintptr_t)text);
	return (const char *)text;
}
