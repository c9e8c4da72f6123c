/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

/*
 * Return whether an item accepts some values only, and none of those that are
 * taken.
 */
static bool
is_apart(const struct pack_model *model, uint32_t item, uint32_t setting,
	 const bool *taken)
{
	PACK_EACH(a, model->problem->alternative_first, item) {
		uint32_t value = pack_model_value(model, a, setting);

		if (value == PACK_NONE || taken[value])
			return false;
	}
	return true;
}

/* Take the values of items that are apart, those of few choices first. */
static uint32_t
count_apart(const struct pack_model *model,
	    const struct pack_component *component, bool *taken)
{
	const uint32_t *first = model->problem->alternative_first;
	uint32_t setting = component->setting, count = 0;

	for (uint32_t choices = 1, more; choices; choices = more) {
		more = 0;
		for (uint32_t i = 0; i < component->item_count; i++) {
			uint32_t item = component->items[i];
			uint32_t has = pack_range_size(first, item);

			if (has > choices && (!more || has < more))
				more = has;
			if (has != choices ||
			    !is_apart(model, item, setting, taken))
				continue;
			count++;
			PACK_EACH(a, first, item)
				taken[pack_model_value(model, a, setting)] =
					true;
		}
	}
	return count;
}

uint32_t
pack_cover_bound(const struct pack_model *model,
		 const struct pack_component *component, struct arena *arena)
{
	uint32_t count = 0;
	bool *taken;

	if (component->setting == PACK_NONE)
		return 1;
	taken = arena_array(arena, component->value_count, sizeof(*taken));
	if (taken)
		count = count_apart(model, component, taken);
	return count ? count : 1;
}
