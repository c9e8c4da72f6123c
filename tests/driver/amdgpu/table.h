/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphics cores for tests: the tables of events/, with a shape that the test
 * chooses.
 */
#ifndef DRMPERF_TESTS_DRIVER_AMDGPU_TABLE_H
#define DRMPERF_TESTS_DRIVER_AMDGPU_TABLE_H

#include "driver/amdgpu/tables/core.h"

struct amdgpu_table {
	struct table *table;
	struct arena *arena;
	struct chip chip;
	struct topology topology;
	struct core core;
};

/* A whole Vega 10: four engines of one array with sixteen compute units. */
extern const struct amd_device_shape amdgpu_vega10;
/* A whole Navi 10: two engines of two arrays with ten compute units. */
extern const struct amd_device_shape amdgpu_navi10;

/* All that have a table. */
#define AMDGPU_GENERATIONS 13
extern const char *const amdgpu_generations[AMDGPU_GENERATIONS];

/*
 * Reads events/amdgpu/GENERATION.xml, with the blocks that are hidden; fails
 * the test if that fails.
 */
void
amdgpu_table_open(struct amdgpu_table *table, const char *generation,
		  const struct chip *chip,
		  const struct amd_device_shape *shape);
/* Do that for a Navi 10, but of what is hidden only what is in the list. */
void amdgpu_table_open_untested(struct amdgpu_table *table,
				const char *generation, const char *untested);
void amdgpu_table_close(struct amdgpu_table *table);

/* A whole Vega 10 for a case, with what opens and closes it. */
extern struct amdgpu_table vega10;
void
vega10_open(void);
void
vega10_close(void);

extern const struct chip amdgpu_vega10_chip;
extern const struct chip amdgpu_navi10_chip;

/* Return the block's place in core.blocks; fails the test if there is none. */
size_t amdgpu_table_block(const struct amdgpu_table *table, const char *name);

#endif /* DRMPERF_TESTS_DRIVER_AMDGPU_TABLE_H */
