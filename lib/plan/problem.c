/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/resolve.h"
#include "device/device.h"

/* ------------------------------------------------------------------ */
/* Settings and pools                                                   */

static uint32_t
find_setting(struct plan_problem *problem, const struct catalog *catalog,
	     domain_index domain, bool is_group)
{
	uint32_t count = problem->builder.setting_count;
	struct plan_setting *grown;

	for (uint32_t i = 0; i < count; i++) {
		const struct plan_setting *setting = &problem->settings[i];

		if (setting->catalog == catalog && setting->domain == domain &&
		    setting->is_group == is_group)
			return i;
	}
	/* a few per device: no need to grow in strides */
	grown = reallocarray(problem->settings, count + 1, sizeof(*grown));
	if (!grown) {
		problem->builder.error = -ENOMEM;
		return 0;
	}
	problem->settings = grown;
	grown[count] = (struct plan_setting){ catalog, domain, is_group };
	return pack_builder_setting(&problem->builder);
}

/* The pools of a device; NULL without memory. */
static struct plan_device *
find_device(struct plan_problem *problem, const struct catalog *catalog)
{
	size_t count = problem->device_count;
	size_t groups = catalog->description.group_count;
	struct plan_device *grown;
	uint32_t *pools;

	/* lists tend to name a device's events in a row */
	for (size_t i = count; i--;) {
		if (problem->devices[i].catalog == catalog)
			return &problem->devices[i];
	}
	grown = reallocarray(problem->devices, count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	problem->devices = grown;
	pools = calloc(groups + 1, sizeof(*pools));
	if (!pools)
		return NULL;
	memset(pools, 0xff, groups * sizeof(*pools));
	grown[count] = (struct plan_device){ catalog, pools };
	problem->device_count++;
	return &grown[count];
}

static uint32_t
add_pool(struct plan_problem *problem, const struct catalog *catalog,
	 group_index group)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	struct pack_pool pool = { .slots = record->max_active,
				  .setting = PACK_NONE };
	uint32_t count = problem->builder.pool_count;
	struct plan_pool *pools =
		pack_builder_grow(&problem->builder, problem->pools, count,
				  &problem->pool_room, sizeof(*pools));

	if (!pools)
		return 0;
	problem->pools = pools;
	pools[count] = (struct plan_pool){ catalog, group };
	if (description->domains[record->domain].exclusive) {
		pool.setting =
			find_setting(problem, catalog, record->domain, true);
		pool.value = group;
	}
	return pack_builder_pool(&problem->builder, &pool);
}

static uint32_t
find_pool(struct plan_problem *problem, const struct catalog *catalog,
	  group_index group)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	struct plan_device *device = find_device(problem, catalog);

	if (!device) {
		problem->builder.error = -ENOMEM;
		return 0;
	}
	/* groups of an exclusive domain do not count at once anyway */
	if (!description->domains[record->domain].exclusive)
		group = record->slot_pool;
	if (device->pools[group] == PACK_NONE)
		device->pools[group] = add_pool(problem, catalog, group);
	return device->pools[group];
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static bool
same_counter(const struct plan_counter *a, const struct plan_counter *b)
{
	return a->pool == b->pool && a->group == b->group &&
	       a->selector == b->selector && a->setting == b->setting &&
	       a->after == b->after;
}

static size_t
hash_counter(const struct plan_counter *counter)
{
	const uint32_t parts[] = { counter->pool, counter->group,
				   counter->selector, counter->setting,
				   counter->after };
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		hash = (hash ^ parts[i]) * UINT64_C(0x100000001b3);
	return (size_t)(hash ^ hash >> 32);
}

static uint32_t *
find_bucket(const struct plan_problem *problem,
	    const struct plan_counter *counter)
{
	size_t mask = problem->bucket_count - 1;
	size_t at = hash_counter(counter) & mask;

	while (problem->buckets[at] &&
	       !same_counter(&problem->counters[problem->buckets[at] - 1],
			     counter))
		at = (at + 1) & mask;
	return &problem->buckets[at];
}

/* Room for one more, with at most half of the buckets in use. */
static int
reserve_counter(struct plan_problem *problem)
{
	uint32_t count = problem->builder.counter_count;
	size_t room = problem->bucket_count ? 2 * problem->bucket_count : 64;
	struct plan_counter *grown;

	if (2 * ((size_t)count + 1) <= problem->bucket_count)
		return 0;
	grown = reallocarray(problem->counters, room / 2, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	problem->counters = grown;
	free(problem->buckets);
	problem->buckets = calloc(room, sizeof(*problem->buckets));
	problem->bucket_count = problem->buckets ? room : 0;
	if (!problem->buckets)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		*find_bucket(problem, &problem->counters[i]) = i + 1;
	return 0;
}

static uint32_t
find_counter(struct plan_problem *problem, const struct catalog *catalog,
	     const struct catalog_counter *counter, uint32_t after)
{
	const struct description_group *group =
		&catalog->description.groups[counter->group];
	struct plan_counter wanted = {
		.pool = find_pool(problem, catalog, counter->group),
		.group = counter->group,
		.selector = counter->selector,
		.setting = counter->setting,
		.after = after,
	};
	struct pack_counter record = { .pool = wanted.pool,
				       .slots = counter->slots,
				       .after = after,
				       .setting = PACK_NONE };
	uint32_t *bucket;

	if (problem->builder.error || reserve_counter(problem)) {
		problem->builder.error = -ENOMEM;
		return 0;
	}
	bucket = find_bucket(problem, &wanted);
	if (*bucket)
		return *bucket - 1;
	if (counter->setting != SETTING_NONE) {
		record.setting =
			find_setting(problem, catalog, group->domain, false);
		record.value = counter->setting;
	}
	problem->counters[problem->builder.counter_count] = wanted;
	*bucket = problem->builder.counter_count + 1;
	return pack_builder_counter(&problem->builder, &record);
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

/*
 * The counter of the problem for a counter of a list: those it must sit after
 * are found first. A list has a counter behind the one it sits after, so the
 * depth is bounded by its length.
 */
static uint32_t
find_chain(struct plan_problem *problem, const struct catalog *catalog,
	   const struct catalog_value *value, uint32_t index)
{
	const struct catalog_counter *counter = &value->counters[index];
	uint32_t after = PACK_NONE;

	if (counter->after != CATALOG_ANYWHERE && counter->after < index)
		after = find_chain(problem, catalog, value, counter->after);
	return find_counter(problem, catalog, counter, after);
}

static void
add_alternative(struct plan_problem *problem, const struct drmperf_event *event,
		const struct catalog_value *value)
{
	uint32_t count = problem->builder.alternative_count;
	const struct drmperf_event **alternatives = pack_builder_grow(
		&problem->builder, problem->alternatives, count,
		&problem->alternative_room, sizeof(*alternatives));

	if (!alternatives)
		return;
	problem->alternatives = alternatives;
	alternatives[count] = event;
	for (uint32_t i = 0; i < value->counter_count; i++)
		pack_builder_demand(
			&problem->builder,
			find_chain(problem, event->group->catalog, value, i));
	pack_builder_end_alternative(&problem->builder);
}

static uint32_t
end_item(struct plan_problem *problem, uint32_t selection)
{
	uint32_t count = problem->builder.item_count;
	uint32_t *items =
		pack_builder_grow(&problem->builder, problem->items, count,
				  &problem->item_room, sizeof(*items));

	if (!items)
		return 0;
	problem->items = items;
	items[count] = selection;
	return pack_builder_end_item(&problem->builder);
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

static bool
is_listed(const uint32_t *list, uint32_t count, uint32_t element)
{
	uint32_t at = 0;

	while (at < count && list[at] < element)
		at++;
	return at < count && list[at] == element;
}

bool
plan_problem_counts(const struct plan_problem *problem, uint32_t alternative,
		    uint32_t index, const uint32_t *counters, uint32_t count)
{
	/* add_alternative() made one demand of each counter, in their order */
	const struct pack_builder *builder = &problem->builder;
	uint32_t demand = builder->demand_ends[alternative] + index;

	return is_listed(counters, count, builder->demands[demand]);
}

uint32_t
plan_problem_add_part(struct plan_problem *problem, uint32_t item,
		      uint32_t alternative, const uint32_t *counters,
		      uint32_t count)
{
	struct pack_builder *builder = &problem->builder;
	uint32_t first, end;

	if (builder->error)
		return 0;
	first = builder->demand_ends[alternative];
	end = builder->demand_ends[alternative + 1];
	for (uint32_t i = first; i < end; i++) {
		if (is_listed(counters, count, builder->demands[i]))
			pack_builder_demand(builder, builder->demands[i]);
	}
	pack_builder_end_alternative(builder);
	return end_item(problem, problem->items[item]);
}

/* ------------------------------------------------------------------ */

int
plan_problem_pack(struct plan_problem *problem)
{
	struct pack_problem packing;
	struct pack *pack = NULL;
	int ret;

	ret = pack_builder_problem(&problem->builder, &packing);
	if (!ret)
		ret = pack_create(&packing, &pack);
	if (ret)
		return ret;
	pack_destroy(problem->pack);
	problem->pack = pack;
	return 0;
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
	for (uint32_t i = 0; i < count && !ret; i++)
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
	pack_builder_finish(&problem->builder);
	for (size_t i = 0; i < problem->device_count; i++)
		free(problem->devices[i].pools);
	free(problem->devices);
	free(problem->items);
	free(problem->alternatives);
	free(problem->pools);
	free(problem->settings);
	free(problem->counters);
	free(problem->buckets);
	*problem = (struct plan_problem){ 0 };
}

const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool)
{
	const struct plan_pool *record = &problem->pools[pool];

	return &record->catalog->groups[record->group];
}
