/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "roc_dispatch.h"
#include "roc_error.h"
#include "roc_handles.h"

struct entry {
	struct entry *next, *next_free;
	struct roc_pool *pool;
	struct roc_context *context;
	_Alignas(max_align_t) char payload[];
};

struct roc_pool {
	pthread_mutex_t lock;
	hsa_agent_t agent;
	rocprofiler_feature_t *features;
	size_t count;
	bool single;
	rocprofiler_pool_properties_t properties;
	struct entry *entries, *free;
};

/* Handle the end of a dispatch, for the context. */
static bool
end_dispatch(rocprofiler_group_t group, void *data)
{
	struct entry *entry = data;
	struct roc_pool *pool = entry->pool;
	const rocprofiler_pool_entry_t ended = { entry->context,
						 entry->payload };

	(void)group;
	if (pool->properties.handler)
		pool->properties.handler(&ended, pool->properties.handler_arg);
	pthread_mutex_lock(&pool->lock);
	entry->next_free = pool->free;
	pool->free = entry;
	pthread_mutex_unlock(&pool->lock);
	return true;
}

/* Add an entry, which is not free. Caller holds the pool's lock. */
static int
add_entry(struct roc_pool *pool, struct entry **out,
	  struct drmperf_error *error)
{
	struct entry *entry =
		calloc(1, sizeof(*entry) + pool->properties.payload_bytes);
	const rocprofiler_properties_t properties = { .handler = end_dispatch,
						      .handler_arg = entry };
	int rc;

	if (!entry)
		return fe_fail_memory(error);
	entry->pool = pool;
	rc = roc_context_create(pool->agent, pool->features, pool->count,
				pool->single, &properties, &entry->context,
				error);
	if (rc) {
		free(entry);
		return rc;
	}
	entry->next = pool->entries;
	pool->entries = entry;
	*out = entry;
	return 0;
}

int
roc_pool_create(hsa_agent_t agent, rocprofiler_feature_t *features,
		size_t count, bool single,
		const rocprofiler_pool_properties_t *properties,
		struct roc_pool **out, struct drmperf_error *error)
{
	struct roc_pool *pool = calloc(1, sizeof(*pool));
	int rc;

	if (!pool)
		return fe_fail_memory(error);
	pthread_mutex_init(&pool->lock, NULL);
	pool->agent = agent;
	pool->features = features;
	pool->count = count;
	pool->single = single;
	pool->properties = *properties;
	/* what is wrong with the features shows here */
	rc = add_entry(pool, &pool->free, error);
	if (!rc && roc_handle_add(ROC_POOL, pool))
		rc = fe_fail_memory(error);
	if (rc)
		roc_pool_destroy(pool);
	else
		*out = pool;
	return rc;
}

void
roc_pool_destroy(struct roc_pool *pool)
{
	if (!pool)
		return;
	roc_handle_remove(ROC_POOL, pool);
	while (pool->entries) {
		struct entry *entry = pool->entries;

		pool->entries = entry->next;
		roc_dispatch_forget(entry->context);
		roc_context_destroy(entry->context);
		free(entry);
	}
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

bool
roc_pool_owns(const struct roc_context *context)
{
	return roc_context_handler(context) == end_dispatch;
}

int
roc_pool_fetch(struct roc_pool *pool, rocprofiler_pool_entry_t *out,
	       struct drmperf_error *error)
{
	struct entry *entry;
	int rc = 0;

	pthread_mutex_lock(&pool->lock);
	entry = pool->free;
	if (entry)
		pool->free = entry->next_free;
	else
		rc = add_entry(pool, &entry, error);
	pthread_mutex_unlock(&pool->lock);
	if (rc)
		return rc;
	out->context = entry->context;
	out->payload = entry->payload;
	return 0;
}
