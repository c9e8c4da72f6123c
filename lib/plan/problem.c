/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/resolve.h"

/*
 * A pool stands for the first group that needed it, in one instance or in all
 * that no selection names. The latter is the first of its family: the pools for
 * instances that selections name. Counters that need no slot have a pool of
 * their own.
 */
#define WITHOUT_SLOTS (DRMPERF_ALL_INSTANCES - 1) /* as an instance */

/* ------------------------------------------------------------------ */
/* Keys                                                                 */

/* Return the number of a key, whose hash is FNV-1a, or NAME_INDEX_END. */
static uint32_t
find_key(const struct plan_index *index, const uint64_t *key, uint32_t *hash)
{
	uint64_t mixed = UINT64_C(0xcbf29ce484222325);
	size_t cursor = 0;
	uint32_t found;

	for (size_t i = 0; i < PLAN_KEY_WORDS; i++)
		mixed = (mixed ^ key[i]) * UINT64_C(0x100000001b3);
	*hash = (uint32_t)(mixed ^ mixed >> 32);
	do
		found = name_index_next(&index->names, *hash, &cursor);
	while (found != NAME_INDEX_END &&
	       memcmp(index->records[found].key, key,
		      sizeof(index->records[found].key)) != 0);
	return found;
}

/*
 * Assign the next number to a key. Return false, with the error recorded,
 * without memory.
 */
static bool
add_key(struct plan_problem *problem, struct plan_index *index,
	const uint64_t *key, uint32_t hash)
{
	uint32_t count = (uint32_t)index->names.count;
	struct plan_record *record;

	if (name_index_reserve(&index->names, 1))
		problem->packing.error = -ENOMEM;
	if (!PACK_GROW(&problem->packing, index->records, count) ||
	    problem->packing.error)
		return false;
	record = &index->records[count];
	memcpy(record->key, key, sizeof(record->key));
	record->taken = 0;
	name_index_insert(&index->names, hash, count);
	return true;
}

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
	if (!PACK_GROW(&problem->packing, problem->settings, count))
		return 0;
	problem->settings[count] =
		(struct plan_setting){ catalog, domain, is_group, PACK_NONE };
	return pack_problem_add_setting(&problem->packing);
}

static uint32_t
add_pool(struct plan_problem *problem, const struct catalog *catalog,
	 group_index group, int32_t instance)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	struct pack_pool pool = {
		.slots = instance == WITHOUT_SLOTS ? PACK_UNLIMITED
						   : record->max_active,
		.setting = PACK_NONE,
	};
	uint32_t count = problem->packing.pool_count;

	if (!PACK_GROW(&problem->packing, problem->pools, count))
		return PACK_NONE;
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
	uint64_t key[PLAN_KEY_WORDS] = { (uintptr_t)catalog };
	uint32_t hash, found;

	/* groups of an exclusive domain do not count at once anyway */
	if (!description->domains[record->domain].exclusive)
		group = record->slot_pool;
	key[1] = group;
	key[2] = (uint64_t)instance;
	found = find_key(&problem->pool_index, key, &hash);
	if (found == NAME_INDEX_END &&
	    add_key(problem, &problem->pool_index, key, hash))
		found = add_pool(problem, catalog, group, instance);
	return found;
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
 * instances; the family's list has the next. A counter that sits in all sits in
 * the named instances, which have more to hold than the others: these need not
 * be looked at then. is_whole: such a counter is about to be added.
 */
static uint32_t
first_pool(struct plan_problem *problem, const struct catalog *catalog,
	   group_index group, bool is_whole)
{
	uint32_t family =
		find_pool(problem, catalog, group, DRMPERF_ALL_INSTANCES);

	if (problem->packing.error)
		return PACK_NONE;
	problem->pools[family].is_whole |= is_whole;
	return problem->pools[family].next == PACK_NONE
		       ? family
		       : problem->pools[family].next;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static uint32_t
add_counter(struct plan_problem *problem, const struct catalog *catalog,
	    const struct catalog_counter *counter, uint32_t pool,
	    uint32_t after, uint32_t tie)
{
	const struct description_group *group =
		&catalog->description.groups[counter->group];
	struct pack_counter record = {
		.pool = pool,
		.slots = counter->slots == SLOTS_NONE ? PACK_ANY_SLOT
						      : counter->slots,
		.after = after,
		.setting = PACK_NONE,
		.tie = tie ? tie : 1 + problem->packing.counter_count,
	};

	if (counter->setting != SETTING_NONE) {
		record.setting =
			find_setting(problem, catalog, group->domain, false);
		record.value = counter->setting;
	}
	return pack_problem_add_counter(&problem->packing, &record);
}

/*
 * Find or add the counter in the pool. Counters it must sit after are found
 * first. A list has a counter behind the one it sits after, so the depth is
 * bounded by its length. A counter of an event in several pools is tied to the
 * event's counter in the first of them.
 */
static uint32_t
find_or_add_counter(struct plan_problem *problem, const struct catalog *catalog,
		    const struct catalog_value *value, uint32_t index,
		    uint32_t pool)
{
	const struct catalog_counter *counter = &value->counters[index];
	uint64_t key[PLAN_KEY_WORDS] = {
		(uint64_t)pool << 32 | counter->group,
		counter->selector,
		counter->setting,
	};
	uint32_t after = PACK_NONE, hash, found, first = pool, tie = 0;

	if (counter->after != CATALOG_ANYWHERE && counter->after < index)
		after = find_or_add_counter(problem, catalog, value,
					    counter->after, pool);
	key[3] = after;
	found = find_key(&problem->counter_index, key, &hash);
	if (found != NAME_INDEX_END)
		return found;
	if (counter->slots != SLOTS_NONE)
		first = first_pool(problem, catalog, counter->group, false);
	if (first != pool && !problem->packing.error)
		tie = 1 + find_or_add_counter(problem, catalog, value, index,
					      first);
	return add_key(problem, &problem->counter_index, key, hash)
		       ? add_counter(problem, catalog, counter, pool, after,
				     tie)
		       : PACK_NONE;
}

/* Return what a selection's instance is to a group that may have only one. */
static int32_t
instance_of(const struct catalog *catalog, group_index group, int32_t instance)
{
	return catalog->description.groups[group].instances > 1
		       ? instance
		       : DRMPERF_ALL_INSTANCES;
}

/*
 * Return the pool that a counter sits in after another pool, or first, after
 * PACK_NONE; PACK_NONE: in no other. It sits in the same slots of all dies.
 */
static uint32_t
next_seat(struct plan_problem *problem, const struct catalog *catalog,
	  const struct catalog_counter *counter, int32_t instance,
	  uint32_t pool)
{
	const group_index group = counter->group;

	instance = instance_of(catalog, group, DRMPERF_INSTANCE_OF(instance));
	if (pool != PACK_NONE)
		return instance == DRMPERF_ALL_INSTANCES
			       ? problem->pools[pool].next
			       : PACK_NONE;
	if (counter->slots == SLOTS_NONE)
		return find_pool(problem, catalog, group, WITHOUT_SLOTS);
	return instance == DRMPERF_ALL_INSTANCES
		       ? first_pool(problem, catalog, group, true)
		       : find_pool(problem, catalog, group, instance);
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

static void
add_alternative(struct plan_problem *problem, const struct drmperf_event *event,
		const struct catalog_value *value, int32_t instance)
{
	const struct catalog *catalog = event->group->catalog;
	const uint32_t count = problem->packing.alternative_count;

	for (uint32_t i = 0; i < value->counter_count; i++) {
		const struct catalog_counter *counter = &value->counters[i];
		uint32_t pool = PACK_NONE;

		while (!problem->packing.error &&
		       (pool = next_seat(problem, catalog, counter, instance,
					 pool)) != PACK_NONE)
			pack_problem_add_demand(
				&problem->packing,
				find_or_add_counter(problem, catalog, value, i,
						    pool));
	}
	if (!PACK_GROW(&problem->packing, problem->alternatives, count))
		return;
	problem->alternatives[count] = event;
	pack_problem_end_alternative(&problem->packing);
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

	for (uint32_t i = 0; i < value->counter_count; i++) {
		group_index group = value->counters[i].group;
		int32_t own = instance_of(catalog, group,
					  DRMPERF_INSTANCE_OF(instance));

		if (own != DRMPERF_ALL_INSTANCES)
			name_instance(problem, catalog, group, own);
	}
}

static int
add_item(struct plan_problem *problem,
	 const struct drmperf_selection *selection, struct drmperf_error *error)
{
	const uint32_t count = problem->packing.item_count;
	int ret = for_alternatives(problem, selection, add_alternative, error);

	if (ret || !PACK_GROW(&problem->packing, problem->items, count))
		return ret;
	problem->items[count] = (struct plan_item){ .selection = *selection };
	pack_problem_end_item(&problem->packing);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Parts                                                                */

/* Return whether a pass has a counter. */
static bool
pass_counts(const struct pack_pass *pass, uint32_t counter)
{
	uint32_t at = 0;

	while (at < pass->counter_count && pass->counters[at] < counter)
		at++;
	return at < pass->counter_count && pass->counters[at] == counter;
}

/* Return whether a pass has counter number index wherever it sits. */
static bool
pass_has_all(struct plan_problem *problem, const struct pack_pass *pass,
	     const struct catalog *catalog, const struct catalog_value *value,
	     uint32_t index, int32_t instance)
{
	const struct catalog_counter *counter = &value->counters[index];
	uint32_t pool = PACK_NONE;

	do
		pool = next_seat(problem, catalog, counter, instance, pool);
	while (pool != PACK_NONE &&
	       pass_counts(pass, find_or_add_counter(problem, catalog, value,
						     index, pool)));
	return pool == PACK_NONE;
}

int
plan_problem_read_part(struct plan_problem *problem,
		       const struct pack_pass *pass, uint32_t index,
		       struct arena *arena, struct plan_part *part)
{
	const struct drmperf_event *event =
		problem->alternatives[pass->alternatives[index]];
	const int32_t instance =
		problem->items[pass->items[index]].selection.instance;
	const struct catalog *catalog = event->group->catalog;
	const struct catalog_value *value;
	int ret = catalog_resolve(event, &value, NULL);

	if (ret)
		return ret;
	part->event = pass->items[index];
	part->counters = arena_array(arena, value->counter_count,
				     sizeof(*part->counters));
	for (uint32_t i = 0; part->counters && i < value->counter_count; i++) {
		if (pass_has_all(problem, pass, catalog, value, i, instance))
			part->counters[part->count++] =
				(struct drmperf_selection){
					value->counters[i].event,
					instance_of(catalog,
						    value->counters[i].group,
						    instance),
				};
	}
	return part->counters ? 0 : -ENOMEM;
}

/* ------------------------------------------------------------------ */

/* Add all selections. Returns 0, or an error that is not noted in packing. */
static int
add_items(struct plan_problem *problem,
	  const struct drmperf_selection *selections, size_t count,
	  struct drmperf_error *error)
{
	int ret = 0;

	if (name_index_init(&problem->pool_index.names, 0) ||
	    name_index_init(&problem->counter_index.names, count))
		problem->packing.error = -ENOMEM;
	/* instances that are named have to be known before anything is added */
	for (size_t i = 0; i < count && !ret && !problem->packing.error; i++) {
		if (selections[i].instance != DRMPERF_ALL_INSTANCES)
			ret = for_alternatives(problem, &selections[i],
					       name_instances, error);
	}
	for (size_t i = 0; i < count && !ret && !problem->packing.error; i++)
		ret = add_item(problem, &selections[i], error);
	return ret;
}

int
plan_problem_create(const struct drmperf_selection *selections, size_t count,
		    struct plan_problem **out, struct drmperf_error *error)
{
	struct plan_problem *problem;
	int ret;

	if (count >= PACK_NONE)
		return error_set(error, -EINVAL, "too many events");
	problem = calloc(1, sizeof(*problem));
	if (!problem)
		return error_set(error, -ENOMEM, "no memory for a plan");
	ret = add_items(problem, selections, count, error);
	if (!ret) {
		ret = pack_create(&problem->packing, &problem->pack);
		if (ret)
			error_set(error, ret, "no memory for a plan");
	}
	if (ret)
		plan_problem_destroy(problem);
	else
		*out = problem;
	return ret;
}

bool
plan_problem_add(struct plan_problem *problem,
		 const struct drmperf_selection *selection)
{
	return problem->packing.item_count < PACK_NONE - 1 &&
	       !for_alternatives(problem, selection, name_instances, NULL) &&
	       !problem->was_split && !add_item(problem, selection, NULL) &&
	       !problem->packing.error;
}

void
plan_problem_destroy(struct plan_problem *problem)
{
	if (!problem)
		return;
	pack_destroy(problem->pack);
	pack_problem_finish(&problem->packing);
	free(problem->pools);
	free(problem->settings);
	free(problem->alternatives);
	free(problem->items);
	name_index_finish(&problem->pool_index.names);
	name_index_finish(&problem->counter_index.names);
	free(problem->pool_index.records);
	free(problem->counter_index.records);
	free(problem);
}
