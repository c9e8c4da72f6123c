/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

/* The price of a pass: many small numbers divide it. */
#define PASS_PRICE UINT64_C(5040)

struct cover_bound {
	const struct pack_model *model;
	const struct pack_problem *problem;
	const struct pack_component *component;
	uint64_t *left; /* per value: what is left of a pass */
};

/*
 * Return the price that can still be charged for an item; 0 if it accepts any
 * pass.
 */
static uint64_t
price_of(const struct cover_bound *cover, uint32_t item)
{
	uint64_t price = PASS_PRICE;

	PACK_EACH(a, cover->problem->alternative_first, item) {
		uint32_t value = pack_model_value(cover->model, a,
						  cover->component->setting);

		if (value == PACK_NONE)
			return 0;
		if (cover->left[value] < price)
			price = cover->left[value];
	}
	return price;
}

/*
 * Charge the counters of an item. Alternatives of one item that want the same
 * value are charged once: its passes serve the item only once.
 */
static void
cover_charge_item(const struct cover_bound *cover, uint32_t item,
		  uint64_t price)
{
	const uint32_t *first = cover->problem->alternative_first;
	uint32_t setting = cover->component->setting;

	PACK_EACH(a, first, item) {
		uint32_t value = pack_model_value(cover->model, a, setting);
		uint32_t before = first[item];

		while (pack_model_value(cover->model, before, setting) != value)
			before++;
		if (before == a)
			cover->left[value] -= price;
	}
}

/* Charge all items what is still possible, those of few choices first. */
static uint64_t
charge_all(const struct cover_bound *cover)
{
	const struct pack_component *component = cover->component;
	uint64_t sum = 0;

	for (uint32_t choices = 1, more; choices; choices = more) {
		more = 0;
		for (uint32_t i = 0; i < component->item_count; i++) {
			uint32_t item = component->items[i];
			uint32_t has = pack_range_size(
				cover->problem->alternative_first, item);
			uint64_t price;

			if (has > choices && (!more || has < more))
				more = has;
			if (has != choices)
				continue;
			price = price_of(cover, item);
			if (price)
				cover_charge_item(cover, item, price);
			sum += price;
		}
	}
	return sum;
}

uint32_t
pack_cover_bound(const struct pack_model *model,
		 const struct pack_component *component, struct arena *arena)
{
	struct cover_bound cover = { model, model->problem, component, NULL };
	uint64_t sum;

	if (component->setting == PACK_NONE)
		return 1;
	cover.left =
		arena_array(arena, component->value_count, sizeof(*cover.left));
	if (!cover.left)
		return 1;
	for (uint32_t v = 0; v < component->value_count; v++)
		cover.left[v] = PASS_PRICE;
	sum = charge_all(&cover);
	return sum ? (uint32_t)((sum + PASS_PRICE - 1) / PASS_PRICE) : 1;
}
