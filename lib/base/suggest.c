/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME (sizeof(((struct suggestions *)NULL)->wanted))
#define TOO_FAR 0xffffu

/* Shorter ones are in too many names. */
#define SHORTEST_PART 3

static char
fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 'a' - 'A');
	return c == '-' || c == '.' ? '_' : c;
}

/* A folded copy, cut to size; its length. */
static size_t
fold_all(char *to, const char *from, size_t length)
{
	size_t i;

	for (i = 0; i < length && i < MAX_NAME - 1 && from[i]; i++)
		to[i] = fold(from[i]);
	to[i] = '\0';
	return i;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to change, add or leave out (Levenshtein), row by row. */
static unsigned
edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[MAX_NAME];
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		row[j] = (unsigned)j;
	for (i = 0; i < a_length; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i + 1;
		for (j = 0; j < b_length; j++) {
			unsigned change = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			row[j + 1] =
				least(change, least(row[j], row[j + 1]) + 1);
		}
	}
	return row[b_length];
}

/* How far apart; differences in length decide between equals. */
static unsigned
distance(const struct suggestions *nearest, const char *candidate,
	 size_t length)
{
	unsigned apart, most = 1 + (unsigned)nearest->length / 3;
	size_t longer = length > nearest->length ? length - nearest->length
						 : nearest->length - length;

	if (nearest->length >= SHORTEST_PART &&
	    strstr(candidate, nearest->wanted))
		apart = longer ? 1 : 0;
	else if (longer > most)
		return TOO_FAR;
	else
		apart = edits(nearest->wanted, nearest->length, candidate,
			      length);
	return apart > most ? TOO_FAR : apart << 8 | (unsigned)longer;
}

void
suggest_init(struct suggestions *nearest, const char *wanted, size_t length)
{
	nearest->length = fold_all(nearest->wanted, wanted, length);
	nearest->count = 0;
}

/* Take a name out of the list if it is there, and farther than that. */
static void
forget(struct suggestions *nearest, const char *name)
{
	size_t i;

	for (i = 0; i < nearest->count; i++)
		if (nearest->best[i].name == name)
			break;
	if (i == nearest->count)
		return;
	nearest->count--;
	memmove(&nearest->best[i], &nearest->best[i + 1],
		(nearest->count - i) * sizeof(nearest->best[0]));
}

void
suggest_offer(struct suggestions *nearest, const char *candidate,
	      const char *name)
{
	char folded[MAX_NAME];
	size_t length = fold_all(folded, candidate, MAX_NAME), i;
	unsigned apart = distance(nearest, folded, length);

	if (apart == TOO_FAR)
		return;
	for (i = 0; i < nearest->count && nearest->best[i].distance <= apart;
	     i++)
		if (nearest->best[i].name == name)
			return;
	if (i == SUGGEST_NAMES)
		return;
	forget(nearest, name);
	if (nearest->count == SUGGEST_NAMES)
		nearest->count--;
	memmove(&nearest->best[i + 1], &nearest->best[i],
		(nearest->count - i) * sizeof(nearest->best[0]));
	nearest->best[i].name = name;
	nearest->best[i].distance = apart;
	nearest->count++;
}

void
suggest_list(const struct suggestions *nearest, char *text, size_t size)
{
	size_t i, length = 0;

	text[0] = '\0';
	for (i = 0; i < nearest->count && length < size; i++) {
		const char *between = i == 0			? ""
				      : i + 1 == nearest->count ? " or "
								: ", ";

		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   between, nearest->best[i].name);
	}
}
