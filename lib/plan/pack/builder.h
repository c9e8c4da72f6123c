/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a packing problem piece by piece: demands, then the end of their
 * alternative; alternatives, then the end of their item.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_BUILDER_H
#define DRMPERF_LIB_PLAN_PACK_BUILDER_H

#include <stdint.h>

#include "plan/pack/pack.h"

/* Zeroed is empty. */
struct pack_builder {
	struct pack_pool *pools;
	uint32_t pool_count, pool_room;
	uint32_t setting_count;
	struct pack_counter *counters;
	uint32_t counter_count, counter_room;
	uint32_t *demands;
	uint32_t demand_count, demand_room;
	uint32_t *demand_ends; /* per alternative, after a 0 */
	uint32_t alternative_count, alternative_room;
	uint32_t *alternative_ends; /* per item, after a 0 */
	uint32_t item_count, item_room;
	int error; /* -ENOMEM when a piece could not be added */
};

void pack_builder_finish(struct pack_builder *builder);

/*
 * Room for one more element in an array of the user's, which may move. Returns
 * the array, or NULL with the error noted.
 */
void *pack_builder_grow(struct pack_builder *builder, void *array,
			uint32_t count, uint32_t *room, size_t size);

/* Each returns the index of the new one. */
uint32_t pack_builder_setting(struct pack_builder *builder);
uint32_t pack_builder_pool(struct pack_builder *builder,
			   const struct pack_pool *pool);
uint32_t pack_builder_counter(struct pack_builder *builder,
			      const struct pack_counter *counter);
void pack_builder_demand(struct pack_builder *builder, uint32_t counter);
uint32_t pack_builder_end_alternative(struct pack_builder *builder);
uint32_t pack_builder_end_item(struct pack_builder *builder);

/*
 * The problem so far; lives until the builder is changed. -ENOMEM if memory
 * was short at any time.
 */
int pack_builder_problem(struct pack_builder *builder,
			 struct pack_problem *out);

#endif /* DRMPERF_LIB_PLAN_PACK_BUILDER_H */
