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

/* Digits at *text, which moves behind them: strtoull() would take a sign. */
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

/* "0-7" or "5" at *text, which moves behind it. */
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
deposit(uint64_t value, uint64_t mask, uint64_t *word)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		*word |= (value & 1) << bit;
		value >>= 1;
	}
	return !value;
}

static int
set_term(const char *name, size_t length, uint64_t value,
	 const struct pmu_format *formats, size_t format_count,
	 uint64_t config[PERF_CONFIG_WORDS])
{
	unsigned word;

	for (size_t i = 0; i < format_count; i++) {
		const struct pmu_format *format = &formats[i];

		if (strlen(format->name) != length ||
		    strncmp(format->name, name, length))
			continue;
		return deposit(value, format->mask, &config[format->word])
			       ? 0
			       : -EINVAL;
	}
	if (!is_word(name, length, &word))
		return -EINVAL;
	config[word] |= value;
	return 0;
}

int
pmu_terms_parse(const char *text, const struct pmu_format *formats,
		size_t format_count, uint64_t config[PERF_CONFIG_WORDS])
{
	int ret;

	for (;;) {
		const char *name = text;
		size_t length = strcspn(text, "=,");
		uint64_t value = 1;

		text += length;
		if (*text == '=') {
			text++;
			if (*text == '?')
				return -EDESTADDRREQ;
			if (!take_number(&text, 0, &value))
				return -EINVAL;
		}
		ret = set_term(name, length, value, formats, format_count,
			       config);
		if (ret || !*text)
			return ret;
		if (*text++ != ',')
			return -EINVAL;
	}
}
