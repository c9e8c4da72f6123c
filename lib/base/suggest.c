/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME (sizeof(((struct suggestions *)NULL)->wanted))
#define TOO_FAR 0xffffu

/* Shorter ones are in too many names. */
#define SHORTEST_PART 3

static char
fold_char(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 'a' - 'A');
	return c == '-' || c == '.' ? '_' : c;
}

/* Make a folded copy, cut to size. Returns its length. */
static size_t
fold_text(char *to, const char *from, size_t length)
{
	size_t i;

	for (i = 0; i < length && i < MAX_NAME - 1 && from[i]; i++)
		to[i] = fold_char(from[i]);
	to[i] = '\0';
	return i;
}

static unsigned
min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Count the letters to change, add or leave out (Levenshtein), row by row. */
static unsigned
count_edits(const char *a, size_t a_length, const char *b, size_t b_length)
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
				min_of(change, min_of(row[j], row[j + 1]) + 1);
		}
	}
	return row[b_length];
}

/* Return how far apart; differences in length decide between equals. */
static unsigned
suggestions_distance(const struct suggestions *suggestions,
		     const char *candidate, size_t length)
{
	unsigned apart, most = 1 + (unsigned)suggestions->length / 3;
	size_t longer = length > suggestions->length
				? length - suggestions->length
				: suggestions->length - length;

	if (suggestions->length >= SHORTEST_PART &&
	    strstr(candidate, suggestions->wanted))
		apart = longer ? 1 : 0;
	else if (longer > most)
		return TOO_FAR;
	else
		apart = count_edits(suggestions->wanted, suggestions->length,
				    candidate, length);
	return apart > most ? TOO_FAR : apart << 8 | (unsigned)longer;
}

void
suggest_init(struct suggestions *suggestions, const char *wanted, size_t length)
{
	suggestions->length = fold_text(suggestions->wanted, wanted, length);
	suggestions->count = 0;
}

/* Take a name out of the list if it is there, and farther than that. */
static void
suggestions_forget(struct suggestions *suggestions, const char *name)
{
	size_t i;

	for (i = 0; i < suggestions->count; i++)
		if (suggestions->best[i].name == name)
			break;
	if (i == suggestions->count)
		return;
	suggestions->count--;
	memmove(&suggestions->best[i], &suggestions->best[i + 1],
		(suggestions->count - i) * sizeof(suggestions->best[0]));
}

void
suggest_offer(struct suggestions *suggestions, const char *candidate,
	      const char *name)
{
	char folded[MAX_NAME];
	size_t length = fold_text(folded, candidate, MAX_NAME), i;
	unsigned apart = suggestions_distance(suggestions, folded, length);

	if (apart == TOO_FAR)
		return;
	for (i = 0;
	     i < suggestions->count && suggestions->best[i].distance <= apart;
	     i++)
		if (suggestions->best[i].name == name)
			return;
	if (i == SUGGEST_NAMES)
		return;
	suggestions_forget(suggestions, name);
	if (suggestions->count == SUGGEST_NAMES)
		suggestions->count--;
	memmove(&suggestions->best[i + 1], &suggestions->best[i],
		(suggestions->count - i) * sizeof(suggestions->best[0]));
	suggestions->best[i].name = name;
	suggestions->best[i].distance = apart;
	suggestions->count++;
}

void
suggest_list(const struct suggestions *suggestions, char *text, size_t size)
{
	size_t i, length = 0;

	text[0] = '\0';
	for (i = 0; i < suggestions->count && length < size; i++) {
		const char *between = i == 0			    ? ""
				      : i + 1 == suggestions->count ? " or "
								    : ", ";

		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   between, suggestions->best[i].name);
	}
}
