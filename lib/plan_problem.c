/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan_problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* ------------------------------------------------------------------ */
/* Settings and pools                                                   */

static uint32_t
find_setting(struct plan_problem *problem,
	     const struct description_domain *domain, bool is_group)
{
	uint32_t count = problem->builder.setting_count;
	struct plan_setting *grown;

	for (uint32_t i = 0; i < count; i++) {
		if (problem->settings[i].domain == domain &&
		    problem->settings[i].is_group == is_group)
			return i;
	}
	grown = reallocarray(problem->settings, count + 1, sizeof(*grown));
	if (!grown) {
		problem->builder.error = -ENOMEM;
		return 0;
	}
	problem->settings = grown;
	grown[count] = (struct plan_setting){ domain, is_group };
	return pack_builder_setting(&problem->builder);
}

static uint32_t
slots_of(const struct description_group *group)
{
	/* More than any list has: only counted where there is a limit. */
	return group->max_active < 4096 ? group->max_active : PACK_UNLIMITED;
}

static uint32_t
find_pool(struct plan_problem *problem, const struct catalog *catalog,
	  group_index group)
{
	const struct description *description = &catalog->description;
	const struct description_group *record = &description->groups[group];
	const struct description_domain *domain =
		&description->domains[record->domain];
	uint32_t count = problem->builder.pool_count;
	struct pack_pool pool = { .slots = slots_of(record),
				  .setting = PACK_NONE };
	struct plan_pool *grown;

	for (uint32_t i = count; i-- > 0;) {
		if (problem->pools[i].description == description &&
		    problem->pools[i].group == record->slot_pool)
			return i;
	}
	grown = reallocarray(problem->pools, count + 1, sizeof(*grown));
	if (!grown) {
		problem->builder.error = -ENOMEM;
		return 0;
	}
	problem->pools = grown;
	grown[count] = (struct plan_pool){ description, record->slot_pool,
					   catalog };
	if (domain->exclusive) {
		pool.setting = find_setting(problem, domain, true);
		pool.value = group;
	}
	return pack_builder_pool(&problem->builder, &pool);
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
	size_t buckets = problem->bucket_count ? problem->bucket_count * 2
					       : 64;
	struct plan_counter *grown;

	if (problem->bucket_count && 2 * ((size_t)count + 1) <=
					     problem->bucket_count)
		return 0;
	grown = reallocarray(problem->counters, buckets / 2, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	problem->counters = grown;
	free(problem->buckets);
	problem->buckets = calloc(buckets, sizeof(*problem->buckets));
	problem->bucket_count = problem->buckets ? buckets : 0;
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
	const struct description *description = &catalog->description;
	const struct description_domain *domain =
		&description->domains
			 [description->groups[counter->group].domain];
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
		record.setting = find_setting(problem, domain, false);
		record.value = counter->setting;
	}
	problem->counters[problem->builder.counter_count] = wanted;
	*bucket = problem->builder.counter_count + 1;
	return pack_builder_counter(&problem->builder, &record);
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

/* The counter, after those that it follows have been asked for. */
static uint32_t
demand(struct plan_problem *problem, const struct catalog *catalog,
       const struct catalog_value *value, uint32_t index)
{
	const struct catalog_counter *counter = &value->counters[index];
	uint32_t after = PACK_NONE, found;

	/* catalogs list a counter behind the one that it follows */
	if (counter->after != CATALOG_ANYWHERE && counter->after < index)
		after = demand(problem, catalog, value, counter->after);
	found = find_counter(problem, catalog, counter, after);
	pack_builder_demand(&problem->builder, found);
	return found;
}

static int
add_alternative(struct plan_problem *problem,
		const struct drmperf_event *event,
		const struct catalog_value *value)
{
	uint32_t at;

	for (uint32_t i = 0; i < value->counter_count; i++)
		demand(problem, event->catalog, value, i);
	at = pack_builder_end_alternative(&problem->builder);
	if (problem->builder.error)
		return problem->builder.error;
	if (at >= problem->alternative_room) {
		uint32_t room = at * 2 + 64;
		const struct drmperf_event **grown =
			reallocarray(problem->alternatives, room,
				     sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		problem->alternatives = grown;
		problem->alternative_room = room;
	}
	problem->alternatives[at] = event;
	return 0;
}

static int
add_item(struct plan_problem *problem,
	 const struct drmperf_selection *selection,
	 struct drmperf_error *error)
{
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
		ret = add_alternative(problem, selection->event, value);
	for (size_t i = 0; !ret && i < value->alternative_count; i++) {
		ret = catalog_resolve(value->alternatives[i], &one, error);
		if (ret)
			return ret;
		ret = add_alternative(problem, value->alternatives[i], one);
	}
	if (ret)
		return error_set(error, ret, "no memory");
	pack_builder_end_item(&problem->builder);
	return 0;
}

int
plan_problem_init(struct plan_problem *problem,
		  const struct drmperf_selection *selections, size_t count,
		  struct drmperf_error *error)
{
	struct pack_problem packing;
	int ret = 0;

	memset(problem, 0, sizeof(*problem));
	for (size_t i = 0; !ret && i < count; i++)
		ret = add_item(problem, &selections[i], error);
	if (ret) {
		plan_problem_finish(problem);
		return ret;
	}
	ret = pack_builder_problem(&problem->builder, &packing);
	if (!ret)
		ret = pack_create(&packing, &problem->pack);
	if (ret) {
		plan_problem_finish(problem);
		return error_set(error, ret, "the events cannot be planned: "
					     "%s", strerrordesc_np(-ret));
	}
	return 0;
}

void
plan_problem_finish(struct plan_problem *problem)
{
	pack_destroy(problem->pack);
	pack_builder_finish(&problem->builder);
	free(problem->alternatives);
	free(problem->pools);
	free(problem->counters);
	free(problem->buckets);
	free(problem->settings);
	memset(problem, 0, sizeof(*problem));
}

const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool)
{
	const struct plan_pool *record = &problem->pools[pool];

	return &record->catalog->groups[record->group];
}
