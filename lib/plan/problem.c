/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/problem.h"

#include <errno.h>
#include <stdlib.h>

#include "catalog/resolve.h"
#include "device/device.h"

/*
 * A pool stands for the first group that needed it, in one instance or in all
 * that no selection names. The latter is the first of its family: the pools for
 * instances that selections name. Counters that need no slot have a pool of
 * their own.
 */
#define WITHOUT_SLOTS (DRMPERF_ALL_INSTANCES - 1) /* as an instance */

struct plan_pool {
	const struct catalog *catalog;
	group_index group;
	int32_t instance; /* or DRMPERF_ALL_INSTANCES */
	uint32_t next; /* of the family, or PACK_NONE */
	bool is_whole; /* of the first of a family: some counter sits in all */
};

/* Properties that distinguish a counter from others. */
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
	/* a few per device */
	for (uint32_t i = 0; i < count; i++) {
		const struct plan_setting *setting = &problem->settings[i];

		if (setting->catalog == catalog && setting->domain == domain &&
		    setting->is_group == is_group)
			return i;
	}
	if (!pack_problem_grow(&problem->packing, &problem->settings, count,
			       &problem->setting_room,
			       sizeof(*problem->settings)))
		return 0;
	problem->settings[count] =
		(struct plan_setting){ catalog, domain, is_group };
	return pack_problem_add_setting(&problem->packing);
}

/* Hash words by FNV-1a. */
static uint32_t
hash_words(const uint64_t *words, size_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

/* Insert a number; false, with the error noted, without memory. */
static bool
index_number(struct plan_problem *problem, struct name_index *index,
	     uint32_t hash, uint32_t number)
{
	if (name_index_reserve(index, 1)) {
		problem->packing.error = -ENOMEM;
		return false;
	}
	name_index_insert(index, hash, number);
	return true;
}

static uint32_t
add_pool(struct plan_problem *problem, const struct catalog *catalog,
	 group_index group, int32_t instance, uint32_t hash)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	struct pack_pool pool = {
		.slots = instance == WITHOUT_SLOTS ? PACK_UNLIMITED
						   : record->max_active,
		.setting = PACK_NONE,
	};
	uint32_t count = problem->packing.pool_count;

	if (!pack_problem_grow(&problem->packing, &problem->pools, count,
			       &problem->pool_room, sizeof(*problem->pools)) ||
	    !index_number(problem, &problem->pool_index, hash, count))
		return 0;
	problem->pools[count] = (struct plan_pool){ .catalog = catalog,
						    .group = group,
						    .instance = instance,
						    .next = PACK_NONE };
	if (description->domains[record->domain].exclusive) {
		pool.setting =
			find_setting(problem, catalog, record->domain, true);
		pool.value = group;
	}
	return pack_problem_add_pool(&problem->packing, &pool);
}

static uint32_t
find_pool(struct plan_problem *problem, const struct catalog *catalog,
	  group_index group, int32_t instance)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	size_t cursor = 0;
	uint32_t hash, found;

	/* groups of an exclusive domain do not count at once anyway */
	if (!description->domains[record->domain].exclusive)
		group = record->slot_pool;
	hash = hash_words((const uint64_t[]){ (uintptr_t)catalog, group,
					      (uint64_t)instance },
			  3);
	while ((found = name_index_next(&problem->pool_index, hash, &cursor)) !=
	       NAME_INDEX_END) {
		const struct plan_pool *pool = &problem->pools[found];

		if (pool->catalog == catalog && pool->group == group &&
		    pool->instance == instance)
			return found;
	}
	return add_pool(problem, catalog, group, instance, hash);
}

/* Name an instance's pool, which joins its family. */
static void
name_instance(struct plan_problem *problem, const struct catalog *catalog,
	      group_index group, int32_t instance)
{
	uint32_t family =
		find_pool(problem, catalog, group, DRMPERF_ALL_INSTANCES);
	uint32_t known = problem->packing.pool_count;
	uint32_t pool = find_pool(problem, catalog, group, instance);

	if (problem->packing.error || pool < known)
		return;
	problem->was_split |= problem->pools[family].is_whole;
	problem->pools[pool].next = problem->pools[family].next;
	problem->pools[family].next = pool;
}

/*
 * Return the first pool in which a counter sits that is counted in all
 * instances; next_pool() returns the next. A counter that sits in all sits in
 * the named instances, which have more to hold than the others: these need not
 * be looked at then.
 */
static uint32_t
first_pool(struct plan_problem *problem, const struct catalog *catalog,
	   group_index group)
{
	uint32_t family =
		find_pool(problem, catalog, group, DRMPERF_ALL_INSTANCES);

	if (problem->packing.error)
		return PACK_NONE;
	return problem->pools[family].next == PACK_NONE
		       ? family
		       : problem->pools[family].next;
}

/*
 * Return the first pool for a counter that is about to be counted in all
 * instances.
 */
static uint32_t
first_of_whole(struct plan_problem *problem, const struct catalog *catalog,
	       group_index group)
{
	uint32_t family =
		find_pool(problem, catalog, group, DRMPERF_ALL_INSTANCES);

	if (!problem->packing.error)
		problem->pools[family].is_whole = true;
	return first_pool(problem, catalog, group);
}

static uint32_t
next_pool(const struct plan_problem *problem, uint32_t pool)
{
	return pool < problem->packing.pool_count ? problem->pools[pool].next
						  : PACK_NONE;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static uint32_t
add_counter(struct plan_problem *problem, const struct catalog *catalog,
	    const struct catalog_counter *counter,
	    const struct plan_counter *key, uint32_t tie, uint32_t hash)
{
	const struct description_group *group =
		&catalog->description.groups[counter->group];
	struct pack_counter record = {
		.pool = key->pool,
		.slots = counter->slots == SLOTS_NONE ? PACK_ANY_SLOT
						      : counter->slots,
		.after = key->after,
		.setting = PACK_NONE,
	};
	uint32_t count = problem->packing.counter_count;

	if (!pack_problem_grow(&problem->packing, &problem->counters, count,
			       &problem->counter_room, sizeof(*key)) ||
	    !index_number(problem, &problem->counter_index, hash, count))
		return 0;
	problem->counters[count] = *key;
	record.tie = tie ? tie : 1 + count;
	if (counter->setting != SETTING_NONE) {
		record.setting =
			find_setting(problem, catalog, group->domain, false);
		record.value = counter->setting;
	}
	return pack_problem_add_counter(&problem->packing, &record);
}

static uint32_t
find_counter(struct plan_problem *problem, const struct plan_counter *key,
	     uint32_t *hash)
{
	size_t cursor = 0;
	uint32_t found;

	*hash = hash_words((const uint64_t[]){ key->pool, key->group,
					       key->selector, key->setting,
					       key->after },
			   5);
	while ((found = name_index_next(&problem->counter_index, *hash,
					&cursor)) != NAME_INDEX_END) {
		const struct plan_counter *other = &problem->counters[found];

		if (other->pool == key->pool && other->group == key->group &&
		    other->selector == key->selector &&
		    other->setting == key->setting &&
		    other->after == key->after)
			break;
	}
	return found;
}

/*
 * Find or add the counter in the pool. Counters it must sit after are found
 * first. A list has a counter behind the one it sits after, so the depth is
 * bounded by its length. A counter of an event in several pools is tied to the
 * event's counter in the first of them.
 */
static uint32_t
counter_in(struct plan_problem *problem, const struct drmperf_event *event,
	   const struct catalog_value *value, uint32_t index, uint32_t pool)
{
	const struct catalog *catalog = event->group->catalog;
	const struct catalog_counter *counter = &value->counters[index];
	struct plan_counter key = {
		.pool = pool,
		.group = counter->group,
		.selector = counter->selector,
		.setting = counter->setting,
		.after = PACK_NONE,
	};
	uint32_t hash, found, first, tie = 0;

	if (counter->after != CATALOG_ANYWHERE && counter->after < index)
		key.after =
			counter_in(problem, event, value, counter->after, pool);
	found = find_counter(problem, &key, &hash);
	if (found != NAME_INDEX_END)
		return found;
	first = counter->slots == SLOTS_NONE
			? pool
			: first_pool(problem, catalog, counter->group);
	if (first != pool && !problem->packing.error)
		tie = 1 + counter_in(problem, event, value, index, first);
	return add_counter(problem, catalog, counter, &key, tie, hash);
}

/* The pools that a counter sits in: the first, and one after another. */
struct seats {
	uint32_t pool; /* or PACK_NONE */
	bool is_one;
};

static struct seats
begin_seats(struct plan_problem *problem, const struct drmperf_event *event,
	    const struct catalog_counter *counter, int32_t instance)
{
	const struct catalog *catalog = event->group->catalog;
	bool is_one;

	if (counter->slots == SLOTS_NONE)
		return (struct seats){ .pool = find_pool(problem, catalog,
							 counter->group,
							 WITHOUT_SLOTS),
				       .is_one = true };
	/* a counter sits in the same slots of all dies */
	instance = DRMPERF_INSTANCE_OF(instance);
	is_one = instance != DRMPERF_ALL_INSTANCES &&
		 catalog->description.groups[counter->group].instances > 1;

	return (struct seats){
		.pool = is_one ? find_pool(problem, catalog, counter->group,
					   instance)
			       : first_of_whole(problem, catalog,
						counter->group),
		.is_one = is_one,
	};
}

static void
next_seat(const struct plan_problem *problem, struct seats *seats)
{
	seats->pool =
		seats->is_one ? PACK_NONE : next_pool(problem, seats->pool);
}

/* Return whether a rising list has the element. */
static bool
is_listed(const uint32_t *list, uint32_t count, uint32_t element)
{
	uint32_t at = 0;

	while (at < count && list[at] < element)
		at++;
	return at < count && list[at] == element;
}

bool
plan_problem_counts(struct plan_problem *problem,
		    const struct drmperf_event *event,
		    const struct catalog_value *value, uint32_t index,
		    int32_t instance, const uint32_t *list, uint32_t count)
{
	struct seats seats =
		begin_seats(problem, event, &value->counters[index], instance);

	for (; seats.pool != PACK_NONE; next_seat(problem, &seats)) {
		if (!is_listed(list, count,
			       counter_in(problem, event, value, index,
					  seats.pool)))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

static void
end_alternative(struct plan_problem *problem, const struct drmperf_event *event)
{
	uint32_t count = problem->packing.alternative_count;

	if (!pack_problem_grow(&problem->packing, &problem->alternatives, count,
			       &problem->alternative_room,
			       sizeof(*problem->alternatives)))
		return;
	problem->alternatives[count] = event;
	pack_problem_end_alternative(&problem->packing);
}

static void
end_item(struct plan_problem *problem, uint32_t selection)
{
	uint32_t count = problem->packing.item_count;

	if (!pack_problem_grow(&problem->packing, &problem->items, count,
			       &problem->item_room, sizeof(*problem->items)))
		return;
	problem->items[count] = selection;
	pack_problem_end_item(&problem->packing);
}

static void
add_alternative(struct plan_problem *problem, const struct drmperf_event *event,
		const struct catalog_value *value, int32_t instance)
{
	for (uint32_t i = 0; i < value->counter_count; i++) {
		struct seats seats = begin_seats(problem, event,
						 &value->counters[i], instance);

		for (; seats.pool != PACK_NONE && !problem->packing.error;
		     next_seat(problem, &seats))
			pack_problem_add_demand(&problem->packing,
						counter_in(problem, event,
							   value, i,
							   seats.pool));
	}
	end_alternative(problem, event);
}

typedef void (*alternative_fn)(struct plan_problem *problem,
			       const struct drmperf_event *event,
			       const struct catalog_value *value,
			       int32_t instance);

static int
check_instance(const struct drmperf_selection *selection,
	       const struct catalog_value *value, struct drmperf_error *error)
{
	const int instance = DRMPERF_INSTANCE_OF(selection->instance);
	const int die = DRMPERF_DIE_OF(selection->instance);

	if (selection->instance < DRMPERF_ALL_INSTANCES ||
	    (instance != DRMPERF_ALL_INSTANCES &&
	     (unsigned)instance >= value->instances))
		return error_set(error, -EINVAL, "%s has no instance %d",
				 drmperf_event_name(selection->event),
				 die < 0 ? selection->instance : instance);
	if (die >= 0 && (unsigned)die >= value->dies)
		return error_set(error, -EINVAL, "%s has no die %d",
				 drmperf_event_name(selection->event), die);
	return 0;
}

/* Do something with each event that may serve the selection. */
static int
for_alternatives(struct plan_problem *problem,
		 const struct drmperf_selection *selection, alternative_fn use,
		 struct drmperf_error *error)
{
	const struct catalog_value *value, *one;
	int ret;

	ret = catalog_resolve(selection->event, &value, error);
	if (ret)
		return ret;
	ret = check_instance(selection, value, error);
	if (ret)
		return ret;
	if (!value->alternative_count)
		use(problem, selection->event, value, selection->instance);
	for (size_t i = 0; i < value->alternative_count; i++) {
		ret = catalog_resolve(value->alternatives[i], &one, error);
		if (ret)
			return ret;
		use(problem, value->alternatives[i], one, selection->instance);
	}
	return 0;
}

static void
name_instances(struct plan_problem *problem, const struct drmperf_event *event,
	       const struct catalog_value *value, int32_t instance)
{
	const struct catalog *catalog = event->group->catalog;

	instance = DRMPERF_INSTANCE_OF(instance);
	for (uint32_t i = 0; i < value->counter_count; i++) {
		group_index group = value->counters[i].group;

		if (instance != DRMPERF_ALL_INSTANCES &&
		    catalog->description.groups[group].instances > 1)
			name_instance(problem, catalog, group, instance);
	}
}

/*
 * Find the instances that are named: they have to be known before anything is
 * added.
 */
static int
find_instances(struct plan_problem *problem, size_t first, size_t count,
	       struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = first; i < count && !ret; i++) {
		if (problem->selections[i].instance != DRMPERF_ALL_INSTANCES)
			ret = for_alternatives(problem, &problem->selections[i],
					       name_instances, error);
	}
	return ret;
}

static int
add_item(struct plan_problem *problem, uint32_t index,
	 struct drmperf_error *error)
{
	int ret = for_alternatives(problem, &problem->selections[index],
				   add_alternative, error);

	if (!ret)
		end_item(problem, index);
	return ret;
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
		if (is_listed(counters, count, packing->demands[i]))
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
	else
		ret = find_instances(problem, 0, count, error);
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

bool
plan_problem_add(struct plan_problem *problem,
		 const struct drmperf_selection *selections, size_t count)
{
	const uint32_t last = (uint32_t)(count - 1);

	if (count >= PACK_NONE)
		return false;
	problem->selections = selections;
	return !find_instances(problem, last, count, NULL) &&
	       !problem->was_split && !add_item(problem, last, NULL) &&
	       !problem->packing.error;
}

void
plan_problem_move(struct plan_problem *to, struct plan_problem *from)
{
	pack_destroy(from->pack);
	*to = *from;
	to->pack = NULL;
	*from = (struct plan_problem){ 0 };
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
plan_problem_group(const struct plan_problem *problem, uint32_t pool,
		   int32_t *instance)
{
	const struct plan_pool *record = &problem->pools[pool];

	if (instance)
		*instance = record->instance;
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
