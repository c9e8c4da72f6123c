/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pool: contexts of the same features, one for each dispatch that is under
 * way, with room for what a tool wants to remember of it.
 */
#ifndef ROC_POOL_H
#define ROC_POOL_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"
#include "roc_context.h"

struct roc_pool;

/*
 * Create a pool, whose entries are made when they are needed and none is free;
 * how many the properties say does not matter. The errors of
 * roc_context_create().
 */
int roc_pool_create(hsa_agent_t agent, rocprofiler_feature_t *features,
		    size_t count, bool single,
		    const rocprofiler_pool_properties_t *properties,
		    struct roc_pool **out, struct drmperf_error *error);

/* Destroy a pool, or NULL. Its contexts are in no turn any more. */
void roc_pool_destroy(struct roc_pool *pool);

/* Return whether a pool owns the context, and destroys it. */
bool roc_pool_owns(const struct roc_context *context);

/*
 * Fetch an entry that is free; it is free again when the handler has returned.
 */
int roc_pool_fetch(struct roc_pool *pool, rocprofiler_pool_entry_t *out,
		   struct drmperf_error *error);

#endif /* ROC_POOL_H */
