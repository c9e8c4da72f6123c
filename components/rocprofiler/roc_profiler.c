/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of contexts, groups and sampling, versions and errors.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>

#include "roc_context.h"
#include "roc_dispatch.h"
#include "roc_error.h"
#include "roc_handles.h"
#include "roc_pool.h"

#define MODES                                                        \
	(ROCPROFILER_MODE_STANDALONE | ROCPROFILER_MODE_CREATEQUEUE | \
	 ROCPROFILER_MODE_SINGLEGROUP)

uint32_t
rocprofiler_version_major(void)
{
	return ROCPROFILER_VERSION_MAJOR;
}

uint32_t
rocprofiler_version_minor(void)
{
	return ROCPROFILER_VERSION_MINOR;
}

uint32_t
rocprofiler_major_version(void)
{
	return ROCPROFILER_VERSION_MAJOR;
}

uint32_t
rocprofiler_minor_version(void)
{
	return ROCPROFILER_VERSION_MINOR;
}

rocprofiler_errno_t
rocprofiler_errno(void)
{
	return roc_last_errno();
}

hsa_status_t
rocprofiler_error_string(const char **str)
{
	if (!str)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*str = roc_last_text();
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

static int
check_context(const rocprofiler_t *context, struct drmperf_error *error)
{
	return roc_handle_check(ROC_CONTEXT, context, error);
}

static int
check_mode(uint32_t mode, const rocprofiler_properties_t *properties,
	   struct drmperf_error *error)
{
	if (mode & ~(uint32_t)MODES)
		return fe_fail(error, -EINVAL, "", "mode 0x%x is unknown",
			       mode);
	if (!(mode & ROCPROFILER_MODE_CREATEQUEUE))
		return 0;
	if (!(mode & ROCPROFILER_MODE_STANDALONE))
		return fe_fail(error, -EINVAL,
			       "add ROCPROFILER_MODE_STANDALONE",
			       "a queue is made for STANDALONE only");
	return roc_check_pointer(properties, "properties", error);
}

/*
 * Make a queue, which counting does not use: clients want one to be there, and
 * destroy it.
 */
static int
make_queue(hsa_agent_t agent, rocprofiler_properties_t *properties,
	   struct drmperf_error *error)
{
	hsa_status_t status = hsa_queue_create(
		agent, properties->queue_depth, HSA_QUEUE_TYPE_MULTI, NULL,
		NULL, UINT32_MAX, UINT32_MAX, &properties->queue);

	if (status == HSA_STATUS_SUCCESS)
		return 0;
	return roc_fail_hsa(error, "hsa_queue_create", status);
}

hsa_status_t
rocprofiler_open(hsa_agent_t agent, rocprofiler_feature_t *features,
		 uint32_t feature_count, rocprofiler_t **context, uint32_t mode,
		 rocprofiler_properties_t *properties)
{
	struct drmperf_error error = { 0 };
	struct roc_context *opened = NULL;
	int rc = roc_check_pointer(context, "context", &error);

	if (!rc && feature_count)
		rc = roc_check_pointer(features, "features", &error);
	if (!rc)
		rc = check_mode(mode, properties, &error);
	for (uint32_t i = 0; !rc && i < feature_count; i++)
		features[i].data.kind = ROCPROFILER_DATA_KIND_UNINIT;
	if (!rc)
		rc = roc_context_create(agent, features, feature_count,
					mode & ROCPROFILER_MODE_SINGLEGROUP,
					properties, &opened, &error);
	if (!rc && mode & ROCPROFILER_MODE_CREATEQUEUE)
		rc = make_queue(agent, properties, &error);
	if (!rc)
		*context = opened;
	else
		roc_context_destroy(opened);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_close(rocprofiler_t *context)
{
	struct drmperf_error error = { 0 };
	int rc = context ? check_context(context, &error) : 0;

	if (!rc && context && roc_pool_owns(context))
		rc = fe_fail(&error, -EINVAL, "call rocprofiler_pool_close()",
			     "the context is a pool's");
	if (!rc) {
		roc_dispatch_forget(context);
		roc_context_destroy(context);
	}
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_get_agent(rocprofiler_t *context, hsa_agent_t *agent)
{
	struct drmperf_error error = { 0 };
	int rc = check_context(context, &error);

	if (!rc)
		rc = roc_check_pointer(agent, "agent", &error);
	if (!rc)
		*agent = roc_context_agent(context);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_group_count(const rocprofiler_t *context, uint32_t *group_count)
{
	struct drmperf_error error = { 0 };
	int rc = check_context(context, &error);

	if (!rc)
		rc = roc_check_pointer(group_count, "group_count", &error);
	if (!rc)
		*group_count = roc_context_groups(context);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_get_group(rocprofiler_t *context, uint32_t group_index,
		      rocprofiler_group_t *group)
{
	struct drmperf_error error = { 0 };
	int rc = check_context(context, &error);

	if (!rc)
		rc = roc_check_pointer(group, "group", &error);
	if (!rc)
		rc = roc_context_group(context, group_index, group, &error);
	return roc_end(__func__, rc, &error);
}

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

typedef int (*group_function)(struct roc_context *context, uint32_t index,
			      struct drmperf_error *error);

static hsa_status_t
group_call(const char *name, group_function function, rocprofiler_t *context,
	   uint32_t index)
{
	struct drmperf_error error = { 0 };
	int rc = check_context(context, &error);

	if (!rc)
		rc = function(context, index, &error);
	return roc_end(name, rc, &error);
}

static hsa_status_t
call_of_group(const char *name, group_function function,
	      const rocprofiler_group_t *group)
{
	struct drmperf_error error = { 0 };
	int rc = roc_check_pointer(group, "group", &error);

	if (rc)
		return roc_end(name, rc, &error);
	return group_call(name, function, group->context, group->index);
}

hsa_status_t
rocprofiler_reset(rocprofiler_t *context, uint32_t group_index)
{
	return group_call(__func__, roc_context_reset, context, group_index);
}

hsa_status_t
rocprofiler_start(rocprofiler_t *context, uint32_t group_index)
{
	return group_call(__func__, roc_context_start, context, group_index);
}

hsa_status_t
rocprofiler_stop(rocprofiler_t *context, uint32_t group_index)
{
	return group_call(__func__, roc_context_stop, context, group_index);
}

hsa_status_t
rocprofiler_read(rocprofiler_t *context, uint32_t group_index)
{
	return group_call(__func__, roc_context_read, context, group_index);
}

hsa_status_t
rocprofiler_get_data(rocprofiler_t *context, uint32_t group_index)
{
	return group_call(__func__, roc_context_get_data, context, group_index);
}

hsa_status_t
rocprofiler_group_start(rocprofiler_group_t *group)
{
	return call_of_group(__func__, roc_context_start, group);
}

hsa_status_t
rocprofiler_group_stop(rocprofiler_group_t *group)
{
	return call_of_group(__func__, roc_context_stop, group);
}

hsa_status_t
rocprofiler_group_read(rocprofiler_group_t *group)
{
	return call_of_group(__func__, roc_context_read, group);
}

hsa_status_t
rocprofiler_group_get_data(rocprofiler_group_t *group)
{
	return call_of_group(__func__, roc_context_get_data, group);
}

hsa_status_t
rocprofiler_get_metrics(const rocprofiler_t *context)
{
	struct drmperf_error error = { 0 };
	int rc = check_context(context, &error);

	if (!rc)
		rc = roc_context_get_metrics(context, &error);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_iterate_trace_data(rocprofiler_t *context,
			       rocprofiler_trace_data_callback_t callback,
			       void *data)
{
	struct drmperf_error error = { 0 };
	hsa_status_t status = HSA_STATUS_SUCCESS;
	int rc = check_context(context, &error);

	if (!rc)
		rc = roc_context_iterate_traces(context, callback, data,
						&status, &error);
	if (rc || status == HSA_STATUS_INFO_BREAK)
		return roc_end(__func__, rc, &error);
	return status;
}
