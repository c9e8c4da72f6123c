/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clients of the API take it for missing unless all of its functions are there.
 * Those that need dispatches to be intercepted say that they are not.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>

#include "roc_error.h"

static hsa_status_t
refuse(const char *function)
{
	struct drmperf_error error = { 0 };
	int rc = door_fail(&error, -ENOTSUP,
			   "unset ROCP_HSA_INTERCEPT, and sample: "
			   "rocprofiler_start() before the work, "
			   "rocprofiler_stop() after it",
			   "this library does not intercept dispatches");

	return roc_end(function, rc, &error);
}

hsa_status_t
rocprofiler_set_queue_callbacks(rocprofiler_queue_callbacks_t callbacks,
				void *data)
{
	(void)callbacks;
	(void)data;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_remove_queue_callbacks(void)
{
	return refuse(__func__);
}

hsa_status_t
rocprofiler_start_queue_callbacks(void)
{
	return refuse(__func__);
}

hsa_status_t
rocprofiler_stop_queue_callbacks(void)
{
	return refuse(__func__);
}

hsa_status_t
rocprofiler_set_intercepting(rocprofiler_intercepting_t callbacks, void *data)
{
	(void)callbacks;
	(void)data;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_remove_intercepting(void)
{
	return refuse(__func__);
}

hsa_status_t
rocprofiler_queue_create_profiled(
	hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue)
{
	(void)agent_handle;
	(void)size;
	(void)type;
	(void)callback;
	(void)data;
	(void)private_segment_size;
	(void)group_segment_size;
	(void)queue;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_pool_open(hsa_agent_t agent, rocprofiler_feature_t *features,
		      uint32_t feature_count, rocprofiler_pool_t **pool,
		      uint32_t mode, rocprofiler_pool_properties_t *properties)
{
	(void)agent;
	(void)features;
	(void)feature_count;
	(void)pool;
	(void)mode;
	(void)properties;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_pool_close(rocprofiler_pool_t *pool)
{
	(void)pool;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_pool_fetch(rocprofiler_pool_t *pool,
		       rocprofiler_pool_entry_t *entry)
{
	(void)pool;
	(void)entry;
	return refuse(__func__);
}

hsa_status_t
rocprofiler_pool_flush(rocprofiler_pool_t *pool)
{
	(void)pool;
	return refuse(__func__);
}
