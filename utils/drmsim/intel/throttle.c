/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/throttle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"

static const struct reason {
	const char *name;
	unsigned bit;
} reasons[] = {
	{ "prochot", 0 },	{ "thermal", 1 }, { "ratl", 5 },
	{ "vr_thermalert", 6 }, { "vr_tdc", 7 },  { "pl4", 8 },
	{ "pl1", 10 },		{ "pl2", 11 },
};

static uint32_t
find_reason(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!strcmp(reasons[i].name, name))
			return 1u << reasons[i].bit;
	}
	return 0;
}

int
sim_throttle_parse(const char *value, uint32_t *out)
{
	struct sim_words words;
	char buffer[128];
	uint32_t bits = 0;

	if (strlen(value) >= sizeof(buffer))
		return -EINVAL;
	strcpy(buffer, value);
	if (sim_words_cut(buffer, &words) || !words.count)
		return -EINVAL;
	for (size_t i = 0; i < words.count; i++) {
		uint32_t bit = find_reason(words.word[i]);

		if (!bit && (words.count > 1 || strcmp(words.word[i], "none")))
			return -EINVAL;
		bits |= bit;
	}
	*out = bits;
	return 0;
}

void
sim_throttle_files(uint32_t bits,
		   void (*put)(void *data, const char *name, bool is_so),
		   void *data)
{
	put(data, "status", bits != 0);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		put(data, reasons[i].name, bits >> reasons[i].bit & 1);
}

void
sim_throttle_text(uint32_t bits, char *text, size_t size)
{
	size_t length = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!(bits >> reasons[i].bit & 1))
			continue;
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   length ? " " : "", reasons[i].name);
	}
}
