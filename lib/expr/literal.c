/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/readers.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Read a number as strtod() does, without the decimal comma of the program's
 * locale.
 */
static bool
read_double(const char *text, size_t length, double *out)
{
	locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char copy[64], *end;

	if (c_locale == (locale_t)0)
		return false;
	if (length < sizeof(copy)) {
		memcpy(copy, text, length);
		copy[length] = '\0';
		*out = strtod_l(copy, &end, c_locale);
	}
	freelocale(c_locale);
	return length < sizeof(copy) && end == copy + length &&
	       *out - *out == 0.0; /* it is finite */
}

static unsigned
digit_value(char c)
{
	if (c <= '9')
		return (unsigned)(c - '0');
	return (unsigned)((c | 0x20) - 'a') + 10;
}

static bool
read_uint(const char *text, size_t length, uint64_t *out)
{
	unsigned base = length > 2 && (text[1] | 0x20) == 'x' ? 16 : 10;
	size_t i = base == 16 ? 2 : 0;
	uint64_t value = 0;

	for (; i < length; i++) {
		unsigned digit = digit_value(text[i]);

		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	*out = value;
	return true;
}

static size_t
count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Return the length of ".5" or ".5e-3" or "e9" at text; 0 if there is none. */
static size_t
fraction_length(const char *text)
{
	size_t length = 0, exponent;

	if (text[0] == '.')
		length = 1 + count_digits(text + 1);
	if ((text[length] | 0x20) != 'e')
		return length;
	exponent = length + 1;
	if (text[exponent] == '+' || text[exponent] == '-')
		exponent++;
	if (count_digits(text + exponent))
		length = exponent + count_digits(text + exponent);
	return length;
}

size_t
expr_literal(const char *text, struct expr_symbol *out)
{
	size_t length = count_digits(text);
	size_t more;

	*out = (struct expr_symbol){ .kind = EXPR_CONSTANT };
	if (!length)
		return 0;
	if (length == 1 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		more = strspn(text + 2, "0123456789abcdefABCDEF");
		length = more ? 2 + more : 0;
	} else {
		more = fraction_length(text + length);
		if (more) {
			length += more;
			out->type = DRMPERF_TYPE_DOUBLE;
			return read_double(text, length, &out->value.f64)
				       ? length
				       : 0;
		}
	}
	out->type = DRMPERF_TYPE_UINT64;
	return read_uint(text, length, &out->value.u64) ? length : 0;
}
