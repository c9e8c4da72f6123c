/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/printable.h"

#include <string.h>

size_t
printable_character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	/* of the second byte: no surrogates, no more bytes than needed */
	unsigned least = 0x80, most = 0xbf;
	size_t size = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;

	if (c[0] < 0x80)
		return 1;
	if (c[0] < 0xc2 || c[0] > 0xf4)
		return 0;
	if (c[0] == 0xe0)
		least = 0xa0;
	else if (c[0] == 0xf0)
		least = 0x90;
	else if (c[0] == 0xed)
		most = 0x9f;
	else if (c[0] == 0xf4)
		most = 0x8f;
	if (c[1] < least || c[1] > most)
		return 0;
	for (size_t i = 2; i < size; i++) {
		if (c[i] >> 6 != 2)
			return 0;
	}
	return size;
}

/*
 * Return whether a text begins with one of C1: U+0080 to U+009F, which are two
 * bytes, the second one the number.
 */
bool
printable_is_control(const char *text, size_t size)
{
	const unsigned char *c = (const unsigned char *)text;

	if (size == 1)
		return c[0] < 0x20 || c[0] == 0x7f;
	return size == 2 && c[0] == 0xc2 && c[1] < 0xa0;
}

void
printable_write(FILE *out, const char *text, size_t length)
{
	while (length && *text) {
		size_t size = printable_character(text);

		if (!size || size > length) {
			size = 1;
			fputc('?', out);
		} else if (printable_is_control(text, size) && *text != '\n' &&
			   *text != '\t') {
			fputc('?', out);
		} else {
			fwrite(text, 1, size, out);
		}
		text += size;
		length -= size;
	}
}

void
printable_clean(char *text)
{
	while (*text) {
		size_t size = printable_character(text);

		if (!size || printable_is_control(text, size))
			memset(text, '?', size ? size : 1);
		text += size ? size : 1;
	}
}
