/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/reference.h"

#include <stdlib.h>

#include "tests/plan/pack/checker.h"

/* Return which sets of items fit one pass. */
static bool *
find_fitting(const struct pack_problem *problem)
{
	uint32_t count = problem->item_count, full = (1u << count) - 1;
	bool *fits = calloc((size_t)full + 1, sizeof(*fits));

	if (!fits)
		abort();
	for (uint32_t set = 1; set <= full; set++) {
		uint32_t items[BRUTE_ITEMS_MAX], size = 0;

		for (uint32_t i = 0; i < count; i++) {
			if (set >> i & 1)
				items[size++] = i;
		}
		fits[set] = checker_items_fit(problem, items, size);
	}
	return fits;
}

/*
 * Return the fewest passes over all ways to split the items into sets that fit.
 */
uint32_t
brute_fewest(const struct pack_problem *problem)
{
	uint32_t full = (1u << problem->item_count) - 1, result;
	uint32_t *fewest = calloc((size_t)full + 1, sizeof(*fewest));
	bool *fits = find_fitting(problem);

	if (!fewest)
		abort();
	for (uint32_t set = 1; set <= full; set++) {
		uint32_t lowest = set & (0 - set);

		fewest[set] = UINT32_MAX;
		for (uint32_t sub = set; sub; sub = (sub - 1) & set) {
			if ((sub & lowest) && fits[sub] &&
			    fewest[set & ~sub] + 1 < fewest[set])
				fewest[set] = fewest[set & ~sub] + 1;
		}
	}
	result = fewest[full];
	free(fits);
	free(fewest);
	return result;
}
