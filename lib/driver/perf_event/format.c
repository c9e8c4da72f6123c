/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/format.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[PERF_CONFIG_WORDS] = { "config", "config1",
						      "config2" };

static bool
is_word(const char *text, size_t length, unsigned *out)
{
	for (unsigned i = 0; i < PERF_CONFIG_WORDS; i++) {
		if (strlen(words[i]) == length &&
		    !strncmp(words[i], text, length)) {
			*out = i;
			return true;
		}
	}
	return false;
}

/*
 * Take digits at *text, which moves behind them: strtoull() would take a sign.
 */
static bool
take_number(const char **text, int base, uint64_t *out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*out = strtoull(*text, &end, base);
	*text = end;
	return !errno;
}

/* Take "0-7" or "5" at *text, which moves behind it. */
static bool
take_bits(const char **text, uint64_t *mask)
{
	uint64_t first, last;

	if (!take_number(text, 10, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!take_number(text, 10, &last))
			return false;
	}
	if (first > last || last > 63)
		return false;
	for (uint64_t bit = first; bit <= last; bit++)
		*mask |= UINT64_C(1) << bit;
	return true;
}

int
pmu_format_parse(const char *text, struct pmu_format *out)
{
	size_t length = strcspn(text, ":");
	uint64_t mask = 0;

	if (!is_word(text, length, &out->word) || !text[length])
		return -EINVAL;
	text += length;
	do {
		text++;
		if (!take_bits(&text, &mask))
			return -EINVAL;
	} while (*text == ',');
	if (*text)
		return -EINVAL;
	out->mask = mask;
	return 0;
}

/* Spread the value's bits over those of the mask. */
static bool
deposit_bits(uint64_t value, uint64_t mask, uint64_t *word)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		*word |= (value & 1) << bit;
		value >>= 1;
	}
	return !value;
}

/* Return the format of this name; NULL. */
static const struct pmu_format *
find_format(const struct pmu_format *formats, size_t count, const char *name,
	    size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(formats[i].name) == length &&
		    !strncmp(formats[i].name, name, length))
			return &formats[i];
	}
	return NULL;
}

/* Find the bits that a term of the kernel's means. */
static bool
find_bits(const char *name, size_t length, const struct pmu_format *formats,
	  size_t format_count, struct pmu_format *out)
{
	const struct pmu_format *format =
		find_format(formats, format_count, name, length);

	*out = format ? *format : (struct pmu_format){ .mask = UINT64_MAX };
	return format || is_word(name, length, &out->word);
}

/* Take "=7" at *text, which moves behind it; nothing is 1. */
static int
set_bits(const char **text, const struct pmu_format *bits,
	 struct pmu_words *words)
{
	uint64_t value = 1;

	if (**text == '=') {
		++*text;
		if (**text == '?') {
			++*text;
			words->wanted[bits->word] |= bits->mask;
			return 0;
		}
		if (!take_number(text, 0, &value))
			return -EINVAL;
	}
	words->filled[bits->word] |= bits->mask;
	return deposit_bits(value, bits->mask, &words->config[bits->word])
		       ? 0
		       : -EINVAL;
}

int
pmu_terms_parse(const char *text, const struct pmu_format *formats,
		size_t format_count, struct pmu_words *words)
{
	struct pmu_format bits;

	for (;;) {
		size_t length = strcspn(text, "=,");

		if (!find_bits(text, length, formats, format_count, &bits))
			return -EINVAL;
		text += length;
		if (set_bits(&text, &bits, words))
			return -EINVAL;
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int
pmu_terms_complete(const char *text, const struct pmu_format *formats,
		   size_t format_count, struct pmu_words *words)
{
	for (;;) {
		size_t length = strcspn(text, "=:");
		const struct pmu_format *bits =
			find_format(formats, format_count, text, length);

		if (!bits)
			return -EINVAL;
		if (words->filled[bits->word] & bits->mask)
			return -EEXIST;
		text += length;
		if (!strncmp(text, "=?", 2) || set_bits(&text, bits, words))
			return -EINVAL;
		if (!*text)
			return 0;
		if (*text++ != ':')
			return -EINVAL;
	}
}

bool
pmu_words_lack(const struct pmu_words *words)
{
	for (unsigned i = 0; i < PERF_CONFIG_WORDS; i++) {
		if (words->wanted[i] & ~words->filled[i])
			return true;
	}
	return false;
}
