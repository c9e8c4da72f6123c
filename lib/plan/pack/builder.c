/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/builder.h"

#include <errno.h>
#include <stdlib.h>

void *
pack_builder_grow(struct pack_builder *builder, void *array, uint32_t count,
		  uint32_t *room, size_t size)
{
	uint32_t more;

	if (count < *room)
		return array;
	more = *room ? 2 * *room : 16;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	else
		builder->error = -ENOMEM;
	return array;
}

void
pack_builder_finish(struct pack_builder *builder)
{
	free(builder->pools);
	free(builder->counters);
	free(builder->demands);
	free(builder->demand_ends);
	free(builder->alternative_ends);
	*builder = (struct pack_builder){ 0 };
}

uint32_t
pack_builder_setting(struct pack_builder *builder)
{
	return builder->setting_count++;
}

uint32_t
pack_builder_pool(struct pack_builder *builder, const struct pack_pool *pool)
{
	struct pack_pool *pools =
		pack_builder_grow(builder, builder->pools, builder->pool_count,
				  &builder->pool_room, sizeof(*pools));

	if (!pools)
		return 0;
	builder->pools = pools;
	pools[builder->pool_count] = *pool;
	return builder->pool_count++;
}

uint32_t
pack_builder_counter(struct pack_builder *builder,
		     const struct pack_counter *counter)
{
	struct pack_counter *counters = pack_builder_grow(
		builder, builder->counters, builder->counter_count,
		&builder->counter_room, sizeof(*counters));

	if (!counters)
		return 0;
	builder->counters = counters;
	counters[builder->counter_count] = *counter;
	return builder->counter_count++;
}

void
pack_builder_demand(struct pack_builder *builder, uint32_t counter)
{
	uint32_t *demands = pack_builder_grow(
		builder, builder->demands, builder->demand_count,
		&builder->demand_room, sizeof(*demands));

	if (!demands)
		return;
	builder->demands = demands;
	demands[builder->demand_count++] = counter;
}

uint32_t
pack_builder_end_alternative(struct pack_builder *builder)
{
	uint32_t count = builder->alternative_count;
	uint32_t *ends =
		pack_builder_grow(builder, builder->demand_ends, count + 1,
				  &builder->alternative_room, sizeof(*ends));

	if (!ends)
		return 0;
	builder->demand_ends = ends;
	ends[0] = 0;
	ends[count + 1] = builder->demand_count;
	return builder->alternative_count++;
}

uint32_t
pack_builder_end_item(struct pack_builder *builder)
{
	uint32_t count = builder->item_count;
	uint32_t *ends =
		pack_builder_grow(builder, builder->alternative_ends, count + 1,
				  &builder->item_room, sizeof(*ends));

	if (!ends)
		return 0;
	builder->alternative_ends = ends;
	ends[0] = 0;
	ends[count + 1] = builder->alternative_count;
	return builder->item_count++;
}

int
pack_builder_problem(struct pack_builder *builder, struct pack_problem *out)
{
	static const uint32_t none[1];

	if (builder->error)
		return builder->error;
	*out = (struct pack_problem){
		.pools = builder->pools,
		.pool_count = builder->pool_count,
		.setting_count = builder->setting_count,
		.counters = builder->counters,
		.counter_count = builder->counter_count,
		.alternative_first =
			builder->item_count ? builder->alternative_ends : none,
		.item_count = builder->item_count,
		.demand_first = builder->alternative_count
					? builder->demand_ends
					: none,
		.alternative_count = builder->alternative_count,
		.demands = builder->demands,
	};
	return 0;
}
