/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/problem.h"

#include <errno.h>
#include <stdlib.h>

#include "catalog/resolve.h"
#include "device/device.h"

/* What a pool stands for: its first group that was needed. */
struct plan_pool {
	const struct catalog *catalog;
	group_index group;
	bool endless; /* of counters that need no slot */
};

/* What makes a counter different from others. */
struct plan_counter {
	uint32_t pool;
	group_index group;
	uint32_t selector;
	uint32_t setting;
	uint32_t after; /* counter, or PACK_NONE */
};

/* Which group of an exclusive domain counts, or what its counters share. */
struct plan_setting {
	const struct catalog *catalog;
	domain_index domain;
	bool is_group;
};

/* ------------------------------------------------------------------ */
/* Settings and pools                                                   */

static uint32_t
find_setting(struct plan_problem *problem, const struct catalog *catalog,
	     domain_index domain, bool is_group)
{
	uint32_t count = problem->packing.setting_count;
	struct plan_setting *settings;

	/* a few per device */
	for (uint32_t i = 0; i < count; i++) {
		const struct plan_setting *setting = &problem->settings[i];

		if (setting->catalog == catalog && setting->domain == domain &&
		    setting->is_group == is_group)
			return i;
	}
	settings =
		pack_problem_grow(&problem->packing, problem->settings, count,
				  &problem->setting_room, sizeof(*settings));
	if (!settings)
		return 0;
	problem->settings = settings;
	settings[count] = (struct plan_setting){ catalog, domain, is_group };
	return pack_problem_add_setting(&problem->packing);
}

/* FNV-1a, by words. */
static uint32_t
hash_words(const uint64_t *words, size_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t
add_pool(struct plan_problem *problem, const struct catalog *catalog,
	 group_index group, bool endless, uint32_t hash)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	struct pack_pool pool = {
		.slots = endless ? PACK_UNLIMITED : record->max_active,
		.setting = PACK_NONE,
	};
	uint32_t count = problem->packing.pool_count;
	struct plan_pool *pools =
		pack_problem_grow(&problem->packing, problem->pools, count,
				  &problem->pool_room, sizeof(*pools));

	if (!pools)
		return 0;
	problem->pools = pools;
	if (name_index_reserve(&problem->pool_index, 1)) {
		problem->packing.error = -ENOMEM;
		return 0;
	}
	name_index_insert(&problem->pool_index, hash, count);
	pools[count] = (struct plan_pool){ catalog, group, endless };
	if (description->domains[record->domain].exclusive) {
		pool.setting =
			find_setting(problem, catalog, record->domain, true);
		pool.value = group;
	}
	return pack_problem_add_pool(&problem->packing, &pool);
}

static uint32_t
find_pool(struct plan_problem *problem, const struct catalog *catalog,
	  group_index group, bool endless)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	size_t cursor = 0;
	uint32_t hash, found;

	/* groups of an exclusive domain do not count at once anyway */
	if (!description->domains[record->domain].exclusive)
		group = record->slot_pool;
	hash = hash_words(
		(const uint64_t[]){ (uintptr_t)catalog, group, endless }, 3);
	while ((found = name_index_next(&problem->pool_index, hash, &cursor)) !=
	       NAME_INDEX_END) {
		const struct plan_pool *pool = &problem->pools[found];

		if (pool->catalog == catalog && pool->group == group &&
		    pool->endless == endless)
			return found;
	}
	return add_pool(problem, catalog, group, endless, hash);
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static uint32_t
add_counter(struct plan_problem *problem, const struct catalog *catalog,
	    const struct catalog_counter *counter,
	    const struct plan_counter *key, uint32_t hash)
{
	const struct description_group *group =
		&catalog->description.groups[counter->group];
	struct pack_counter record = { .pool = key->pool,
				       .slots = counter->slots == SLOTS_NONE
							? PACK_ANY_SLOT
							: counter->slots,
				       .after = key->after,
				       .setting = PACK_NONE };
	uint32_t count = problem->packing.counter_count;
	struct plan_counter *counters =
		pack_problem_grow(&problem->packing, problem->counters, count,
				  &problem->counter_room, sizeof(*counters));

	if (!counters)
		return 0;
	problem->counters = counters;
	if (name_index_reserve(&problem->counter_index, 1)) {
		problem->packing.error = -ENOMEM;
		return 0;
	}
	name_index_insert(&problem->counter_index, hash, count);
	counters[count] = *key;
	if (counter->setting != SETTING_NONE) {
		record.setting =
			find_setting(problem, catalog, group->domain, false);
		record.value = counter->setting;
	}
	return pack_problem_add_counter(&problem->packing, &record);
}

static uint32_t
find_counter(struct plan_problem *problem, const struct catalog *catalog,
	     const struct catalog_counter *counter, uint32_t after)
{
	const struct plan_counter key = {
		.pool = find_pool(problem, catalog, counter->group,
				  counter->slots == SLOTS_NONE),
		.group = counter->group,
		.selector = counter->selector,
		.setting = counter->setting,
		.after = after,
	};
	uint32_t hash = hash_words((const uint64_t[]){ key.pool, key.group,
						       key.selector,
						       key.setting, key.after },
				   5);
	size_t cursor = 0;
	uint32_t found;

	while ((found = name_index_next(&problem->counter_index, hash,
					&cursor)) != NAME_INDEX_END) {
		const struct plan_counter *other = &problem->counters[found];

		if (other->pool == key.pool && other->group == key.group &&
		    other->selector == key.selector &&
		    other->setting == key.setting && other->after == key.after)
			return found;
	}
	return add_counter(problem, catalog, counter, &key, hash);
}

/*
 * Those it must sit after are found first. A list has a counter behind the one
 * it sits after, so the depth is bounded by its length.
 */
uint32_t
plan_problem_counter(struct plan_problem *problem,
		     const struct drmperf_event *event,
		     const struct catalog_value *value, uint32_t index)
{
	const struct catalog_counter *counter = &value->counters[index];
	uint32_t after = PACK_NONE;

	if (counter->after != CATALOG_ANYWHERE && counter->after < index)
		after = plan_problem_counter(problem, event, value,
					     counter->after);
	return find_counter(problem, event->group->catalog, counter, after);
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

static void
end_alternative(struct plan_problem *problem, const struct drmperf_event *event)
{
	uint32_t count = problem->packing.alternative_count;
	const struct drmperf_event **alternatives = pack_problem_grow(
		&problem->packing, problem->alternatives, count,
		&problem->alternative_room, sizeof(*alternatives));

	if (!alternatives)
		return;
	problem->alternatives = alternatives;
	alternatives[count] = event;
	pack_problem_end_alternative(&problem->packing);
}

static void
end_item(struct plan_problem *problem, uint32_t selection)
{
	uint32_t count = problem->packing.item_count;
	uint32_t *items =
		pack_problem_grow(&problem->packing, problem->items, count,
				  &problem->item_room, sizeof(*items));

	if (!items)
		return;
	problem->items = items;
	items[count] = selection;
	pack_problem_end_item(&problem->packing);
}

static void
add_alternative(struct plan_problem *problem, const struct drmperf_event *event,
		const struct catalog_value *value)
{
	for (uint32_t i = 0; i < value->counter_count; i++)
		pack_problem_add_demand(
			&problem->packing,
			plan_problem_counter(problem, event, value, i));
	end_alternative(problem, event);
}

static int
add_item(struct plan_problem *problem, uint32_t index,
	 struct drmperf_error *error)
{
	const struct drmperf_selection *selection = &problem->selections[index];
	const struct catalog_value *value, *one;
	int ret;

	ret = catalog_resolve(selection->event, &value, error);
	if (ret)
		return ret;
	if (selection->instance != DRMPERF_ALL_INSTANCES &&
	    (selection->instance < 0 ||
	     (unsigned)selection->instance >= value->instances))
		return error_set(error, -EINVAL, "%s has no instance %d",
				 drmperf_event_name(selection->event),
				 selection->instance);
	if (!value->alternative_count)
		add_alternative(problem, selection->event, value);
	for (size_t i = 0; i < value->alternative_count; i++) {
		ret = catalog_resolve(value->alternatives[i], &one, error);
		if (ret)
			return ret;
		add_alternative(problem, value->alternatives[i], one);
	}
	end_item(problem, index);
	return 0;
}

bool
plan_problem_lists(const uint32_t *list, uint32_t count, uint32_t element)
{
	uint32_t at = 0;

	while (at < count && list[at] < element)
		at++;
	return at < count && list[at] == element;
}

void
plan_problem_add_part(struct plan_problem *problem, uint32_t item,
		      uint32_t alternative, const uint32_t *counters,
		      uint32_t count)
{
	struct pack_problem *packing = &problem->packing;
	uint32_t first, end;

	if (packing->error)
		return;
	first = packing->demand_first[alternative];
	end = packing->demand_first[alternative + 1];
	for (uint32_t i = first; i < end; i++) {
		if (plan_problem_lists(counters, count, packing->demands[i]))
			pack_problem_add_demand(packing, packing->demands[i]);
	}
	end_alternative(problem, problem->alternatives[alternative]);
	end_item(problem, problem->items[item]);
}

/* ------------------------------------------------------------------ */

int
plan_problem_pack(struct plan_problem *problem)
{
	pack_destroy(problem->pack);
	problem->pack = NULL;
	return pack_create(&problem->packing, &problem->pack);
}

int
plan_problem_init(struct plan_problem *problem,
		  const struct drmperf_selection *selections, size_t count,
		  struct drmperf_error *error)
{
	int ret = 0;

	*problem = (struct plan_problem){ .selections = selections };
	if (count >= PACK_NONE)
		return error_set(error, -EINVAL, "too many events");
	if (name_index_init(&problem->pool_index, 0) ||
	    name_index_init(&problem->counter_index, count))
		problem->packing.error = -ENOMEM;
	for (uint32_t i = 0; i < count && !ret && !problem->packing.error; i++)
		ret = add_item(problem, i, error);
	if (!ret) {
		ret = plan_problem_pack(problem);
		if (ret)
			error_set(error, ret, "no memory for a plan");
	}
	if (ret)
		plan_problem_finish(problem);
	return ret;
}

void
plan_problem_finish(struct plan_problem *problem)
{
	pack_destroy(problem->pack);
	pack_problem_finish(&problem->packing);
	free(problem->pools);
	free(problem->counters);
	free(problem->settings);
	free(problem->alternatives);
	free(problem->items);
	name_index_finish(&problem->pool_index);
	name_index_finish(&problem->counter_index);
	*problem = (struct plan_problem){ 0 };
}

const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool)
{
	const struct plan_pool *record = &problem->pools[pool];

	return &record->catalog->groups[record->group];
}

const struct description_domain *
plan_problem_domain(const struct plan_problem *problem, uint32_t setting,
		    bool *is_group)
{
	const struct plan_setting *record = &problem->settings[setting];

	*is_group = record->is_group;
	return &record->catalog->description.domains[record->domain];
}
