/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/reference.h"

#include <stdlib.h>

#include "tests/plan/pack/checker.h"

/* Sort items by falling number of counters of their first alternative. */
static void
sort_by_size(const struct pack_problem *of, uint32_t *order)
{
	for (uint32_t i = 0; i < of->item_count; i++) {
		uint32_t at = i, a = of->alternative_first[i];
		uint32_t size = of->demand_first[a + 1] - of->demand_first[a];

		for (; at; at--) {
			uint32_t b = of->alternative_first[order[at - 1]];

			if (of->demand_first[b + 1] - of->demand_first[b] >=
			    size)
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
}

struct plain_pass {
	uint32_t *counters;
	uint32_t count;
};

/* Try to add an alternative to a pass. */
static bool
plain_add(const struct pack_problem *of, struct plain_pass *pass, uint32_t a)
{
	uint32_t before = pass->count;

	for (uint32_t i = of->demand_first[a]; i < of->demand_first[a + 1];
	     i++) {
		uint32_t at = 0;

		while (at < pass->count && pass->counters[at] != of->demands[i])
			at++;
		if (at == pass->count)
			pass->counters[pass->count++] = of->demands[i];
	}
	if (checker_fits(of, pass->counters, pass->count))
		return true;
	pass->count = before;
	return false;
}

uint32_t
plain_passes(const struct pack_problem *of)
{
	uint32_t *order = calloc(of->item_count + 1, sizeof(*order));
	struct plain_pass *passes = calloc(of->item_count + 1, sizeof(*passes));
	uint32_t count = 0;

	if (!order || !passes)
		abort();
	sort_by_size(of, order);
	for (uint32_t i = 0; i < of->item_count; i++) {
		uint32_t item = order[i], pass = 0, a;
		bool done = false;

		if (!checker_items_fit(of, &item, 1))
			continue;
		for (; !done; pass++) {
			if (pass == count) {
				passes[count++].counters = calloc(
					of->counter_count, sizeof(uint32_t));
				if (!passes[pass].counters)
					abort();
			}
			for (a = of->alternative_first[item];
			     !done && a < of->alternative_first[item + 1]; a++)
				done = plain_add(of, &passes[pass], a);
		}
	}
	for (uint32_t i = 0; i < count; i++)
		free(passes[i].counters);
	free(passes);
	free(order);
	return count;
}
