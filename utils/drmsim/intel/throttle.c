/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/throttle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"

enum {
	USUAL = 1 << SIM_THROTTLE_USUAL,
	CRESCENT_ISLAND = 1 << SIM_THROTTLE_CRESCENT_ISLAND,
	BOTH = USUAL | CRESCENT_ISLAND,
};

/* Bits are ours: programs do not see them. */
static const struct reason {
	const char *name;
	unsigned bit, sets;
} reasons[] = {
	{ "prochot", 0, BOTH },
	{ "thermal", 1, USUAL },
	{ "ratl", 5, BOTH },
	{ "vr_thermalert", 6, USUAL },
	{ "vr_tdc", 7, USUAL },
	{ "pl4", 8, BOTH },
	{ "pl1", 10, BOTH },
	{ "pl2", 11, BOTH },
	{ "soc_thermal", 16, CRESCENT_ISLAND },
	{ "mem_thermal", 17, CRESCENT_ISLAND },
	{ "vr_thermal", 18, CRESCENT_ISLAND },
	{ "iccmax", 19, CRESCENT_ISLAND },
	{ "soc_avg_thermal", 20, CRESCENT_ISLAND },
	{ "fastvmode", 21, CRESCENT_ISLAND },
	{ "psys_pl1", 22, CRESCENT_ISLAND },
	{ "psys_pl2", 23, CRESCENT_ISLAND },
	{ "p0_freq", 24, CRESCENT_ISLAND },
	{ "psys_crit", 25, CRESCENT_ISLAND },
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

static bool
is_of_set(const struct reason *reason, enum sim_throttle_set set)
{
	return reason->sets >> set & 1;
}

void
sim_throttle_files(uint32_t bits, enum sim_throttle_set set,
		   void (*put)(void *data, const char *name, bool is_so),
		   void *data)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		const bool is_so = bits >> reasons[i].bit & 1;

		if (!is_of_set(&reasons[i], set))
			continue;
		put(data, reasons[i].name, is_so);
		any |= is_so;
	}
	put(data, "status", any);
}

void
sim_throttle_text(uint32_t bits, enum sim_throttle_set set, char *text,
		  size_t size)
{
	size_t length = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!(bits >> reasons[i].bit & 1) ||
		    !is_of_set(&reasons[i], set))
			continue;
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   length ? " " : "", reasons[i].name);
	}
}
