/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/mux_list.h"

/* Where a list stands among the others of its set. */
struct rank {
	uint64_t id, priority;
};

static int
read_rank(const struct table *table, const struct element *list,
	  struct rank *out, struct drmperf_error *error)
{
	int ret = element_uint_or(table, list, "id", UINT32_MAX, 0, &out->id,
				  error);

	if (!ret)
		ret = element_uint_or(table, list, "priority", UINT32_MAX, 0,
				      &out->priority, error);
	return ret;
}

static bool
is_before(const struct rank *a, const struct rank *b)
{
	return a->id < b->id || (a->id == b->id && a->priority < b->priority);
}

int
mux_list_next(const struct constants *constants, const struct table *table,
	      const struct element *set, const struct element *list,
	      struct arena *arena, const struct element **out,
	      struct drmperf_error *error)
{
	const struct element *element = element_named(set->child, "mux");
	const struct element *best = NULL;
	struct rank last = { 0 }, rank, best_rank = { 0 };
	int ret = list ? read_rank(table, list, &last, error) : 0;
	bool holds;

	for (; element && !ret; element = element_named(element->next, "mux")) {
		ret = read_rank(table, element, &rank, error);
		if (ret || (list && rank.id <= last.id) ||
		    (best && !is_before(&rank, &best_rank)))
			continue;
		ret = condition_is_true(constants, table, element,
					element_attribute(element, "if"), arena,
					&holds, error);
		if (ret || !holds)
			continue;
		best = element;
		best_rank = rank;
	}
	if (!ret)
		*out = best;
	return ret;
}
