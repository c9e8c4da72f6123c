/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/name_syntax.h"

#include <stdio.h>
#include <string.h>

/*
 * ROCm's spelling of the characters that names may have: capitals throughout,
 * whatever the case of the event's name. 0: names may not have it.
 */
static const unsigned char spelling[256] = {
	['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',
	['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9',
	['A'] = 'A', ['B'] = 'B', ['C'] = 'C', ['D'] = 'D', ['E'] = 'E',
	['F'] = 'F', ['G'] = 'G', ['H'] = 'H', ['I'] = 'I', ['J'] = 'J',
	['K'] = 'K', ['L'] = 'L', ['M'] = 'M', ['N'] = 'N', ['O'] = 'O',
	['P'] = 'P', ['Q'] = 'Q', ['R'] = 'R', ['S'] = 'S', ['T'] = 'T',
	['U'] = 'U', ['V'] = 'V', ['W'] = 'W', ['X'] = 'X', ['Y'] = 'Y',
	['Z'] = 'Z', ['a'] = 'A', ['b'] = 'B', ['c'] = 'C', ['d'] = 'D',
	['e'] = 'E', ['f'] = 'F', ['g'] = 'G', ['h'] = 'H', ['i'] = 'I',
	['j'] = 'J', ['k'] = 'K', ['l'] = 'L', ['m'] = 'M', ['n'] = 'N',
	['o'] = 'O', ['p'] = 'P', ['q'] = 'Q', ['r'] = 'R', ['s'] = 'S',
	['t'] = 'T', ['u'] = 'U', ['v'] = 'V', ['w'] = 'W', ['x'] = 'X',
	['y'] = 'Y', ['z'] = 'Z', ['_'] = '_', ['-'] = '-', ['.'] = '_',
};

static unsigned char
spell_char(char c)
{
	return spelling[(unsigned char)c];
}

/*
 * The hash of a text is the value of a polynomial, with this for x; its first
 * character is the constant term.
 */
#define HASH_BASE 16777619u

uint32_t
name_syntax_hash(const char *name, size_t length)
{
	uint32_t hash = 0;

	while (length)
		hash = hash * HASH_BASE + spell_char(name[--length]);
	return hash;
}

struct name_syntax_prefix
name_syntax_prefix(const char *group, size_t length)
{
	struct name_syntax_prefix prefix = { .factor = 1 };
	size_t i;

	for (i = 0; i < length; i++)
		prefix.factor *= HASH_BASE;
	prefix.hash = name_syntax_hash(group, length) +
		      prefix.factor * spell_char('.');
	prefix.factor *= HASH_BASE;
	return prefix;
}

bool
name_syntax_measure(const char *name, size_t *length, uint32_t *hash)
{
	static const uint32_t two = HASH_BASE * HASH_BASE;
	static const uint32_t three = HASH_BASE * HASH_BASE * HASH_BASE;
	const char *c = name, *end = name + strlen(name);
	uint32_t value = 0, factor = 1;
	uint32_t illegal = 0; /* has more than eight bits if there was a 0 */

	*length = (size_t)(end - name);
	/* four at once, which do not wait for one another */
	for (; end - c >= 4; c += 4) {
		uint32_t i = spell_char(c[0]), k = spell_char(c[1]),
			 m = spell_char(c[2]), n = spell_char(c[3]);

		illegal |= (i - 1) | (k - 1) | (m - 1) | (n - 1);
		value += factor * (i + k * HASH_BASE + m * two + n * three);
		factor *= two * two;
	}
	for (; c < end; c++) {
		illegal |= spell_char(*c) - 1u;
		value += factor * spell_char(*c);
		factor *= HASH_BASE;
	}
	*hash = value;
	return *length && *length <= NAME_SYNTAX_MAX && illegal <= UINT8_MAX;
}

bool
name_syntax_is(const char *ours, const char *name, size_t length)
{
	return !strncmp(ours, name, length) && !ours[length];
}

bool
name_syntax_is_rocm(const char *ours, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!ours[i] || spell_char(ours[i]) != (unsigned char)name[i])
			return false;
	return !ours[length];
}

bool
name_syntax_is_in_any_case(const char *ours, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!ours[i] || spell_char(ours[i]) != spell_char(name[i]))
			return false;
	return !ours[length];
}

int
name_syntax_rocm(const char *group, const char *name, char *text, size_t size)
{
	int length = snprintf(text, size, "%s.%s", group, name);

	for (char *c = text; size && *c; c++) {
		if (spell_char(*c))
			*c = (char)spell_char(*c);
	}
	return length;
}

bool
name_syntax_is_legal(const char *name)
{
	size_t length;
	uint32_t hash;

	return name_syntax_measure(name, &length, &hash);
}

const char *
name_syntax_fault(const char *name)
{
	return strlen(name) > NAME_SYNTAX_MAX
		       ? "is too long for the name of an event"
		       : "is not a name for an event";
}
