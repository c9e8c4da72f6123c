/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of intercepting: queues, pools, calls of HSA's.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>

#include "roc_error.h"
#include "roc_handles.h"
#include "roc_hooks.h"
#include "roc_pool.h"
#include "roc_queues.h"
#include "roc_table.h"
#include "roc_tool.h"

/* Return whether HSA may still load this library and have it see packets. */
static bool
may_intercept(void)
{
	uint16_t version;
	bool wanted;

	return hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &version) ==
		       HSA_STATUS_ERROR_NOT_INITIALIZED &&
	       !roc_tool_intercepts(&wanted, NULL) && wanted;
}

static int
check_intercept(struct drmperf_error *error)
{
	if (roc_queues_intercept() || may_intercept())
		return 0;
	return fe_fail(error, -ENOTSUP,
		       "set HSA_TOOLS_LIB to this library and "
		       "ROCP_HSA_INTERCEPT to 1 before HSA begins, or sample",
		       "dispatches are not intercepted");
}

/* ------------------------------------------------------------------ */
/* Queues                                                               */

hsa_status_t
rocprofiler_set_queue_callbacks(rocprofiler_queue_callbacks_t callbacks,
				void *data)
{
	struct drmperf_error error = { 0 };
	int rc = check_intercept(&error);

	if (!rc)
		rc = roc_queues_set_callbacks(&callbacks, data, &error);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_remove_queue_callbacks(void)
{
	struct drmperf_error error = { 0 };
	int rc = check_intercept(&error);

	if (!rc)
		roc_queues_remove_callbacks();
	return roc_end(__func__, rc, &error);
}

static hsa_status_t
intercept_pause(const char *function, bool is_paused)
{
	struct drmperf_error error = { 0 };
	int rc = check_intercept(&error);

	if (!rc)
		roc_queues_pause(is_paused);
	return roc_end(function, rc, &error);
}

hsa_status_t
rocprofiler_start_queue_callbacks(void)
{
	return intercept_pause(__func__, false);
}

hsa_status_t
rocprofiler_stop_queue_callbacks(void)
{
	return intercept_pause(__func__, true);
}

hsa_status_t
rocprofiler_set_intercepting(rocprofiler_intercepting_t callbacks, void *data)
{
	return rocprofiler_set_queue_callbacks(callbacks, data);
}

hsa_status_t
rocprofiler_remove_intercepting(void)
{
	return rocprofiler_remove_queue_callbacks();
}

hsa_status_t
rocprofiler_queue_create_profiled(
	hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue)
{
	struct drmperf_error error = { 0 };
	hsa_status_t status;
	int rc = roc_check_pointer(queue, "queue", &error);

	if (!rc && !roc_table_is_taken())
		rc = fe_fail(&error, -ENOTSUP,
			     "set HSA_TOOLS_LIB to it before HSA begins",
			     "HSA has not loaded this library as a tool");
	if (!rc)
		rc = roc_queues_check_intercept(&error);
	if (rc)
		return roc_end(__func__, rc, &error);
	status = roc_queue_create_seen(agent_handle, size, type, callback, data,
				       private_segment_size, group_segment_size,
				       queue);
	if (status != HSA_STATUS_SUCCESS)
		rc = roc_fail_hsa(&error, "hsa_amd_queue_intercept_create",
				  status);
	return roc_end(__func__, rc, &error);
}

/* ------------------------------------------------------------------ */
/* Pools                                                                */

static int
check_handle(const rocprofiler_pool_t *pool, struct drmperf_error *error)
{
	return roc_handle_check(ROC_POOL, pool, error);
}

static int
check_pool(uint32_t mode, const rocprofiler_pool_properties_t *properties,
	   struct drmperf_error *error)
{
	if (mode & ~(uint32_t)ROCPROFILER_MODE_SINGLEGROUP)
		return fe_fail(error, -EINVAL,
			       "use 0 or ROCPROFILER_MODE_SINGLEGROUP",
			       "mode 0x%x is none of a pool's", mode);
	return roc_check_pointer(properties, "properties", error);
}

hsa_status_t
rocprofiler_pool_open(hsa_agent_t agent, rocprofiler_feature_t *features,
		      uint32_t feature_count, rocprofiler_pool_t **pool,
		      uint32_t mode, rocprofiler_pool_properties_t *properties)
{
	struct drmperf_error error = { 0 };
	struct roc_pool *opened;
	int rc = roc_check_pointer(pool, "pool", &error);

	if (!rc && feature_count)
		rc = roc_check_pointer(features, "features", &error);
	if (!rc)
		rc = check_pool(mode, properties, &error);
	for (uint32_t i = 0; !rc && i < feature_count; i++)
		features[i].data.kind = ROCPROFILER_DATA_KIND_UNINIT;
	if (!rc)
		rc = roc_pool_create(agent, features, feature_count,
				     mode & ROCPROFILER_MODE_SINGLEGROUP,
				     properties, &opened, &error);
	if (!rc)
		*pool = opened;
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_pool_close(rocprofiler_pool_t *pool)
{
	struct drmperf_error error = { 0 };
	int rc = pool ? check_handle(pool, &error) : 0;

	if (!rc)
		roc_pool_destroy(pool);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_pool_fetch(rocprofiler_pool_t *pool,
		       rocprofiler_pool_entry_t *entry)
{
	struct drmperf_error error = { 0 };
	int rc = check_handle(pool, &error);

	if (!rc)
		rc = roc_check_pointer(entry, "entry", &error);
	if (!rc)
		rc = roc_pool_fetch(pool, entry, &error);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_pool_flush(rocprofiler_pool_t *pool)
{
	struct drmperf_error error = { 0 };

	return roc_end(__func__, check_handle(pool, &error), &error);
}

/* ------------------------------------------------------------------ */
/* Calls of HSA's                                                       */

hsa_status_t
rocprofiler_set_hsa_callbacks(const rocprofiler_hsa_callbacks_t callbacks,
			      void *arg)
{
	struct drmperf_error error = { 0 };

	return roc_end(__func__, roc_hooks_set(&callbacks, arg, &error),
		       &error);
}
