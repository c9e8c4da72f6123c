/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a block that occur in several tables: the last table wins. The
 * first table is the generation's, the others are the user's, read as elements.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_OVERRIDES_H
#define DRMPERF_LIB_DRIVER_AMDGPU_OVERRIDES_H

#include <stdbool.h>

#include "base/name_index.h"
#include "table/table.h"

struct overrides {
	struct name_index names;
	struct override {
		const char *name;
		size_t table;
	} *events;
	size_t count;
};

/* Return the element "block" of this name, or NULL. */
const struct element *
overrides_block(const struct table *table, const char *name);

/*
 * Find what the user's tables replace. The tables stay where they are until the
 * end. -ENOMEM.
 */
int
overrides_init(struct overrides *overrides, const struct table *const *tables,
	       size_t count, const char *block);
void
overrides_finish(struct overrides *overrides);

/* Return whether a table behind this one has the event as well. */
bool
overrides_have(const struct overrides *overrides, const char *name,
	       size_t table);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_OVERRIDES_H */
