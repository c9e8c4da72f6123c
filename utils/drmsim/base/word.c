/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/word.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

int
sim_words_cut(char *p, struct sim_words *out)
{
	out->count = 0;
	for (;;) {
		while (is_blank(*p))
			p++;
		if (*p == '\0' || *p == '#')
			return 0;
		if (out->count == SIM_WORDS_MAX)
			return -E2BIG;
		if (*p == '"') {
			out->word[out->count++] = ++p;
			p = strchr(p, '"');
			if (!p)
				return -EINVAL;
		} else {
			out->word[out->count++] = p;
			while (*p != '\0' && !is_blank(*p))
				p++;
		}
		if (*p != '\0')
			*p++ = '\0';
	}
}

const char *
sim_word_value(const char *word, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(word, key, length) != 0 || word[length] != '=')
		return NULL;
	return word + length + 1;
}

int
sim_word_find(const char *word, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, names[i]) == 0)
			return (int)i;
	return -EINVAL;
}

int
sim_word_u64(const char *word, uint64_t *out)
{
	char *end;

	if (*word < '0' || *word > '9')
		return -EINVAL;
	errno = 0;
	unsigned long long value = strtoull(word, &end, 0);
	if (errno || *end)
		return -EINVAL;
	*out = value;
	return 0;
}

int
sim_word_bool(const char *word)
{
	static const char *const words[][2] = {
		{ "0", "1" },
		{ "off", "on" },
		{ "no", "yes" },
		{ "false", "true" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		for (int value = 0; value < 2; value++)
			if (strcmp(word, words[i][value]) == 0)
				return value;
	return -EINVAL;
}

/*
 * Parse digits with at most six decimals, in millionths; *end is what follows.
 */
static int
parse_decimal(const char *word, unsigned __int128 *out, const char **end)
{
	unsigned __int128 value = 0;
	unsigned decimals = 0;
	bool point = false;

	if (*word < '0' || *word > '9')
		return -EINVAL;
	for (; (*word >= '0' && *word <= '9') || (*word == '.' && !point);
	     word++) {
		if (*word == '.') {
			point = true;
			continue;
		}
		if (decimals == 6 || value > ((unsigned __int128)1 << 100))
			return -EINVAL;
		value = value * 10 + (unsigned)(*word - '0');
		decimals += point;
	}
	for (; decimals < 6; decimals++)
		value *= 10;
	*out = value;
	*end = word;
	return 0;
}

static int
parse_scaled(const char *word, const char *const *suffixes,
	     const uint64_t *factors, size_t count, uint64_t *out)
{
	unsigned __int128 value;
	const char *end;

	if (parse_decimal(word, &value, &end))
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(end, suffixes[i]) != 0)
			continue;
		if (value > ((unsigned __int128)1 << 90) / factors[i])
			return -ERANGE;
		value *= factors[i];
		if (value > UINT64_MAX)
			return -ERANGE;
		*out = (uint64_t)value;
		return 0;
	}
	return -EINVAL;
}

int
sim_word_time(const char *word, uint64_t *out)
{
	static const char *const suffixes[] = { "", "ns", "us", "ms", "s" };
	static const uint64_t factors[] = { 1, 1, 1000, 1000000, 1000000000 };
	uint64_t micro;
	int error = parse_scaled(word, suffixes, factors, 5, &micro);

	if (error)
		return error;
	if (micro % 1000000)
		return -EINVAL;
	*out = micro / 1000000;
	return 0;
}

int
sim_word_micro(const char *word, uint64_t *out)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	static const uint64_t factors[] = { 1, 1000, 1000000, 1000000000 };

	return parse_scaled(word, suffixes, factors, 4, out);
}
