/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel GPUs for tests: the tables of events/i915 with a GPU that has all
 * units its platform can have, listed as the driver lists them.
 */
#ifndef TESTS_I915_TABLE_H
#define TESTS_I915_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "catalog.h"
#include "i915/gpu.h"

/* What the kernel would tell of such a GPU. */
struct i915_shape {
	const char *platform;
	uint16_t device_id;
	unsigned slices, subslices, eus; /* each per one of the level above */
	unsigned
		absent; /* subslices that come before these and are not there */
};

extern const struct i915_shape i915_shapes[];
extern const size_t i915_shape_count;

/* The answer to the kernel's topology query; sizes in bytes. */
#define I915_TOPOLOGY_MAX 512
size_t
i915_shape_topology(const struct i915_shape *shape,
		    uint8_t data[I915_TOPOLOGY_MAX]);

struct i915_table {
	struct i915_gpu gpu; /* without a descriptor */
	struct catalog *catalog;
};

/* Ends the program if anything fails. revision: the stepping. */
void
i915_table_open(struct i915_table *table, const struct i915_shape *shape,
		int revision);
void
i915_table_close(struct i915_table *table);

/* The folder that has the tables. */
const char *
i915_table_folder(void);

#endif /* TESTS_I915_TABLE_H */
