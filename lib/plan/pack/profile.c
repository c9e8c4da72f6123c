/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Weights are multiples of this part of a pass. */
#define WEIGHT_UNIT UINT64_C(65536)

static int
profile_alloc(struct pack_profile *profile)
{
	const struct pack_space *space = profile->space;
	size_t demands = space->demand_first[space->alternative_count];

	profile->sure_first =
		calloc(space->item_count + 1, sizeof(*profile->sure_first));
	profile->sure = calloc(demands + 1, sizeof(*profile->sure));
	profile->item_value =
		calloc(space->item_count + 1, sizeof(*profile->item_value));
	profile->counter_value = calloc(space->counter_count + 1,
					sizeof(*profile->counter_value));
	profile->twin = calloc(space->item_count + 1, sizeof(*profile->twin));
	profile->counter_weight = calloc(space->counter_count + 1,
					 sizeof(*profile->counter_weight));
	profile->item_weight =
		calloc(space->item_count + 1, sizeof(*profile->item_weight));
	profile->item_size =
		calloc(space->item_count + 1, sizeof(*profile->item_size));
	return profile->sure_first && profile->sure && profile->item_value &&
			       profile->counter_value && profile->twin &&
			       profile->counter_weight &&
			       profile->item_weight && profile->item_size
		       ? 0
		       : -ENOMEM;
}

/* ------------------------------------------------------------------ */
/* Counters needed in any case                                          */

/* hits is zeroed, one per counter, and left so. */
static void
find_sure(struct pack_profile *profile, uint32_t *hits)
{
	const struct pack_space *space = profile->space;
	uint32_t at = 0;

	for (uint32_t item = 0; item < space->item_count; item++) {
		uint32_t first = space->alternative_first[item];
		uint32_t end = space->alternative_first[item + 1];

		for (uint32_t i = space->demand_first[first];
		     i < space->demand_first[end]; i++)
			hits[space->demands[i]]++;
		for (uint32_t i = space->demand_first[first];
		     i < space->demand_first[first + 1]; i++) {
			if (hits[space->demands[i]] == end - first)
				profile->sure[at++] = space->demands[i];
		}
		for (uint32_t i = space->demand_first[first];
		     i < space->demand_first[end]; i++)
			hits[space->demands[i]] = 0;
		profile->sure_first[item + 1] = at;
	}
}

/* ------------------------------------------------------------------ */
/* The main setting                                                     */

/* The value that all alternatives of an item want, or PACK_NONE. */
static uint32_t
sure_value(const struct pack_space *space, uint32_t item, uint32_t setting)
{
	uint32_t first = space->alternative_first[item];
	uint32_t value = pack_space_value(space, first, setting);

	for (uint32_t a = first + 1; a < space->alternative_first[item + 1];
	     a++) {
		if (pack_space_value(space, a, setting) != value)
			return PACK_NONE;
	}
	return value;
}

static void
choose_setting(struct pack_profile *profile)
{
	const struct pack_space *space = profile->space;
	uint32_t most = 0;

	profile->setting = PACK_NONE;
	for (uint32_t s = 0; s < space->setting_count; s++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < space->item_count; i++)
			count += sure_value(space, i, s) != PACK_NONE;
		if (count > most) {
			most = count;
			profile->setting = s;
		}
	}
}

static void
find_values(struct pack_profile *profile)
{
	const struct pack_space *space = profile->space;
	uint32_t setting = profile->setting;

	for (uint32_t i = 0; i < space->item_count; i++)
		profile->item_value[i] = PACK_NONE;
	for (uint32_t i = 0; i < space->counter_count; i++)
		profile->counter_value[i] = PACK_NONE;
	if (setting == PACK_NONE)
		return;
	profile->value_count = space->value_count[setting];
	for (uint32_t i = 0; i < space->item_count; i++)
		profile->item_value[i] = sure_value(space, i, setting);
	/* first any value, then none where somebody differs */
	for (int round = 0; round < 2; round++) {
		for (uint32_t a = 0; a < space->alternative_count; a++) {
			uint32_t value = pack_space_value(space, a, setting);

			for (uint32_t i = space->demand_first[a];
			     i < space->demand_first[a + 1]; i++) {
				uint32_t *of = &profile->counter_value
							[space->demands[i]];

				if (!round)
					*of = value;
				else if (*of != value)
					*of = PACK_NONE;
			}
		}
	}
}

/* ------------------------------------------------------------------ */
/* Twins                                                                */

struct twin_search {
	const struct pack_space *space;
	uint32_t *kind; /* per counter: alike have the same */
	uint32_t *kinds; /* per demand: the kind, sorted in each item */
	uint32_t *order;
};

static int
compare_counters(const void *left, const void *right, void *data)
{
	const struct pack_space *space = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint32_t a_count = space->rule_first[a + 1] - space->rule_first[a];
	uint32_t b_count = space->rule_first[b + 1] - space->rule_first[b];

	if (a_count != b_count)
		return a_count < b_count ? -1 : 1;
	return memcmp(&space->rules[space->rule_first[a]],
		      &space->rules[space->rule_first[b]],
		      a_count * sizeof(*space->rules));
}

/* Counters that obey the same rules are of a kind. */
static void
find_kinds(struct twin_search *search)
{
	const struct pack_space *space = search->space;
	uint32_t *order = search->order;

	for (uint32_t i = 0; i < space->counter_count; i++)
		order[i] = i;
	qsort_r(order, space->counter_count, sizeof(*order), compare_counters,
		(void *)space);
	for (uint32_t i = 0; i < space->counter_count; i++) {
		bool same = i && !compare_counters(&order[i - 1], &order[i],
						   (void *)space);

		search->kind[order[i]] = same ? search->kind[order[i - 1]] : i;
	}
}

/* Only items with one alternative are compared. */
static int
compare_items(const void *left, const void *right, void *data)
{
	const struct twin_search *search = data;
	const struct pack_space *space = search->space;
	uint32_t a = space->alternative_first[*(const uint32_t *)left];
	uint32_t b = space->alternative_first[*(const uint32_t *)right];
	uint32_t a_demands =
		space->demand_first[a + 1] - space->demand_first[a];
	uint32_t b_demands =
		space->demand_first[b + 1] - space->demand_first[b];
	uint32_t a_wants = space->want_first[a + 1] - space->want_first[a];
	uint32_t b_wants = space->want_first[b + 1] - space->want_first[b];
	int difference;

	if (a_demands != b_demands)
		return a_demands < b_demands ? -1 : 1;
	if (a_wants != b_wants)
		return a_wants < b_wants ? -1 : 1;
	difference = memcmp(&search->kinds[space->demand_first[a]],
			    &search->kinds[space->demand_first[b]],
			    a_demands * sizeof(*search->kinds));
	if (difference)
		return difference;
	return memcmp(&space->wants[space->want_first[a]],
		      &space->wants[space->want_first[b]],
		      a_wants * sizeof(*space->wants));
}

/* Whether nobody else needs any of the item's counters. */
static bool
keeps_to_itself(const struct pack_space *space, uint32_t item,
		const uint32_t *users)
{
	uint32_t a = space->alternative_first[item];

	if (space->alternative_first[item + 1] - a != 1)
		return false;
	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		if (users[space->demands[i]] != 1 ||
		    space->searched[space->demands[i]] != PACK_NONE)
			return false;
	}
	return true;
}

static void
link_twins(struct pack_profile *profile, struct twin_search *search,
	   uint32_t count)
{
	uint32_t *order = search->order;

	qsort_r(order, count, sizeof(*order), compare_items, search);
	for (uint32_t i = 0; i < count;) {
		uint32_t end = i + 1;

		while (end < count &&
		       !compare_items(&order[i], &order[end], search))
			end++;
		qsort(&order[i], end - i, sizeof(*order), pack_space_compare);
		while (++i < end)
			profile->twin[order[i]] = order[i - 1];
	}
}

/* users: per counter, how many alternatives have it. */
static int
find_twins(struct pack_profile *profile, const uint32_t *users)
{
	const struct pack_space *space = profile->space;
	size_t demands = space->demand_first[space->alternative_count];
	size_t most = space->item_count > space->counter_count
			      ? space->item_count
			      : space->counter_count;
	struct twin_search search = {
		.space = space,
		.kind = calloc(space->counter_count + 1, sizeof(uint32_t)),
		.kinds = calloc(demands + 1, sizeof(uint32_t)),
		.order = calloc(most + 1, sizeof(uint32_t)),
	};
	uint32_t count = 0;
	int ret = -ENOMEM;

	if (!search.kind || !search.kinds || !search.order)
		goto out;
	find_kinds(&search);
	for (uint32_t a = 0; a < space->alternative_count; a++) {
		uint32_t first = space->demand_first[a];
		uint32_t end = space->demand_first[a + 1];

		for (uint32_t i = first; i < end; i++)
			search.kinds[i] = search.kind[space->demands[i]];
		qsort(&search.kinds[first], end - first, sizeof(uint32_t),
		      pack_space_compare);
	}
	for (uint32_t i = 0; i < space->item_count; i++) {
		profile->twin[i] = PACK_NONE;
		if (keeps_to_itself(space, i, users))
			search.order[count++] = i;
	}
	link_twins(profile, &search, count);
	ret = 0;
out:
	free(search.kind);
	free(search.kinds);
	free(search.order);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Weights                                                              */

/*
 * A counter takes 1/limit of its rule in a pass, and that is the dearer the
 * more passes the rule alone asks for.
 */
static void
weigh_counters(struct pack_profile *profile, const uint32_t *users,
	       uint64_t *pressure)
{
	const struct pack_space *space = profile->space;

	for (uint32_t c = 0; c < space->counter_count; c++) {
		for (uint32_t i = space->rule_first[c];
		     users[c] && i < space->rule_first[c + 1]; i++)
			pressure[space->rules[i]]++;
	}
	for (uint32_t c = 0; c < space->counter_count; c++) {
		for (uint32_t i = space->rule_first[c];
		     i < space->rule_first[c + 1]; i++) {
			uint32_t rule = space->rules[i];
			uint64_t limit = space->limits[rule];

			profile->counter_weight[c] +=
				WEIGHT_UNIT * pressure[rule] / (limit * limit);
		}
		if (space->searched[c] != PACK_NONE)
			profile->counter_weight[c]++;
	}
}

static void
weigh_items(struct pack_profile *profile)
{
	const struct pack_space *space = profile->space;

	for (uint32_t item = 0; item < space->item_count; item++) {
		uint64_t least = UINT64_MAX;
		uint32_t smallest = UINT32_MAX;

		for (uint32_t a = space->alternative_first[item];
		     a < space->alternative_first[item + 1]; a++) {
			uint32_t size = space->demand_first[a + 1] -
					space->demand_first[a];
			uint64_t weight = 0;

			for (uint32_t i = space->demand_first[a];
			     i < space->demand_first[a + 1]; i++)
				weight += profile->counter_weight
						  [space->demands[i]];
			if (weight < least)
				least = weight;
			if (size < smallest)
				smallest = size;
		}
		profile->item_weight[item] = least;
		profile->item_size[item] = smallest;
	}
}

int
pack_profile_init(struct pack_profile *profile, const struct pack_space *space)
{
	uint32_t *users = calloc(space->counter_count + 1, sizeof(*users));
	uint64_t *pressure = calloc(space->rule_count + 1, sizeof(*pressure));
	int ret = -ENOMEM;

	*profile = (struct pack_profile){ .space = space };
	if (users && pressure)
		ret = profile_alloc(profile);
	if (!ret) {
		find_sure(profile, users);
		choose_setting(profile);
		find_values(profile);
		for (uint32_t i = 0;
		     i < space->demand_first[space->alternative_count]; i++)
			users[space->demands[i]]++;
		weigh_counters(profile, users, pressure);
		weigh_items(profile);
		ret = find_twins(profile, users);
	}
	free(users);
	free(pressure);
	if (ret)
		pack_profile_finish(profile);
	return ret;
}

void
pack_profile_finish(struct pack_profile *profile)
{
	free(profile->sure_first);
	free(profile->sure);
	free(profile->item_value);
	free(profile->counter_value);
	free(profile->twin);
	free(profile->counter_weight);
	free(profile->item_weight);
	free(profile->item_size);
	*profile = (struct pack_profile){ 0 };
}
