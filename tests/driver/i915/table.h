/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel GPUs for tests: the tables of events/i915 with a GPU that has all
 * units its platform can have, listed as the driver lists them.
 */
#ifndef DRMPERF_TESTS_DRIVER_I915_TABLE_H
#define DRMPERF_TESTS_DRIVER_I915_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "catalog/catalog.h"
#include "driver/i915/gpu.h"

/* What the kernel would tell of such a GPU. */
struct i915_shape {
	const char *platform;
	uint16_t device_id;
	unsigned slices, subslices, eus; /* each per one of the level above */
	unsigned absent; /* subslices fused off before those */
};

extern const struct i915_shape i915_shapes[];
extern const size_t i915_shape_count;

/* Return that of a platform, or NULL. */
const struct i915_shape *
i915_shape_find(const char *platform);

/* The answer to the kernel's topology query; sizes in bytes. */
#define I915_TOPOLOGY_MAX 512
size_t i915_shape_topology(const struct i915_shape *shape,
			   uint8_t data[I915_TOPOLOGY_MAX]);

struct i915_table {
	struct i915_gpu gpu; /* without a descriptor */
	struct catalog *catalog;
};

/* Ends the program if anything fails. revision: the stepping. */
void i915_table_open(struct i915_table *table, const struct i915_shape *shape,
		     int revision);

/* Describe it with tables that the user names. */
struct user_tables;
void i915_table_open_with(struct i915_table *table,
			  const struct i915_shape *shape, int revision,
			  const struct user_tables *extra,
			  const struct log_sink *log);

/* Describe it for what a kernel, or a recording, tells of a GPU. */
struct i915_facts {
	uint32_t device_id;
	const void *topology; /* answer to the query */
	size_t topology_length;
	int revision;
	uint64_t timestamp_hz; /* 0: what the platform usually has */
	uint64_t min_hz, max_hz;
};

void i915_table_open_facts(struct i915_table *table,
			   const struct i915_facts *facts);
void i915_table_close(struct i915_table *table);

/* Read the table of register lists of a platform. */
struct table *
i915_read_registers(const char *platform);

/*
 * Return the register lists of a set, from the table that the GPU keeps; NULL
 * if it has none.
 */
const struct element *i915_set_registers(struct i915_gpu *gpu, const char *set);

/* Return the folder that has the tables. */
const char *i915_table_folder(void);

#endif /* DRMPERF_TESTS_DRIVER_I915_TABLE_H */
