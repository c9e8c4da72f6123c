/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks as tables describe them. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_READ_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_READ_H

#include "base/arena.h"
#include "driver/amdgpu/tables/block.h"
#include "driver/amdgpu/tables/topology.h"

/* Reads everything but the events of a <block>. */
int block_read(struct block *block, const struct table *table,
	       const struct element *element, const struct topology *topology,
	       struct arena *arena, struct drmperf_error *error);

/*
 * Find the unit that a <block> or <event> names; *out stays what it is if it
 * names none. -EBADMSG.
 */
int block_read_unit(const struct table *table, const struct element *element,
		    const char *name, enum drmperf_unit *out,
		    struct drmperf_error *error);

/*
 * Fill in block->instances: which of them this GPU has, how GRBM_GFX_INDEX
 * reaches each, and what they are called. From the scope and instances
 * attributes of the block's element; banks must be known.
 */
int
instance_list(struct block *block, const struct topology *topology,
	      struct arena *arena, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_READ_H */
