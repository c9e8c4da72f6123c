/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of what can be measured. */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "roc_agent.h"
#include "roc_error.h"
#include "roc_library.h"

/* A query, and the callback for each answer. */
struct inquiry {
	const rocprofiler_info_data_t *query; /* NULL: all */
	rocprofiler_info_callback_t callback;
	void *data;
	hsa_status_t status; /* of the callback; ends the inquiry */
};

static int
find_agents(struct drmperf *drmperf, const hsa_agent_t *agent,
	    struct roc_agent **out, size_t *count, struct drmperf_error *error)
{
	int rc;

	if (!agent)
		return roc_agents_find(drmperf, out, count, error);
	*out = malloc(sizeof(**out));
	if (!*out)
		return fe_fail_memory(error);
	*count = 1;
	rc = roc_agent_find(drmperf, *agent, *out, error);
	if (rc)
		free(*out);
	return rc;
}

/* ------------------------------------------------------------------ */
/* Metrics                                                              */

static bool
text_fits(const char *query, const char *text)
{
	return !query || (text && !strcmp(query, text));
}

static bool
number_fits(uint32_t query, uint32_t number)
{
	return !query || query == number;
}

static bool
info_fits(const rocprofiler_info_data_t *query,
	  const rocprofiler_info_data_t *info)
{
	return !query ||
	       (text_fits(query->metric.name, info->metric.name) &&
		text_fits(query->metric.description,
			  info->metric.description) &&
		text_fits(query->metric.expr, info->metric.expr) &&
		text_fits(query->metric.block_name, info->metric.block_name) &&
		number_fits(query->agent_index, info->agent_index) &&
		number_fits(query->metric.instances, info->metric.instances) &&
		number_fits(query->metric.block_counters,
			    info->metric.block_counters));
}

static void
report_list(const struct roc_list *list, const struct roc_agent *agent,
	    struct inquiry *inquiry)
{
	for (size_t i = 0;
	     inquiry->status == HSA_STATUS_SUCCESS && i < list->count; i++) {
		rocprofiler_info_data_t info = list->infos[i];

		info.agent_index = agent->node;
		if (info_fits(inquiry->query, &info))
			inquiry->status = inquiry->callback(info,
							    inquiry->data);
	}
}

/*
 * Report the metrics of an agent, or of all, if there is an inquiry; count
 * them otherwise, in *sum.
 */
static int
visit_metrics(const hsa_agent_t *agent, struct inquiry *inquiry, uint32_t *sum,
	      struct drmperf_error *error)
{
	struct drmperf *drmperf;
	struct roc_agent *agents;
	size_t count;
	int rc = roc_library_open(&drmperf, error);

	if (!rc)
		rc = find_agents(drmperf, agent, &agents, &count, error);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < count; i++) {
		const struct roc_list *list;

		rc = roc_library_list(agents[i].device, &list, error);
		if (!rc && inquiry)
			report_list(list, &agents[i], inquiry);
		else if (!rc)
			*sum += (uint32_t)list->count;
	}
	free(agents);
	return rc;
}

static int
count_metrics(const hsa_agent_t *agent, uint32_t *out,
	      struct drmperf_error *error)
{
	uint32_t sum = 0;
	int rc = visit_metrics(agent, NULL, &sum, error);

	if (!rc)
		*out = sum;
	return rc;
}

/* ------------------------------------------------------------------ */
/* Kinds                                                                */

static int
wrong_kind(rocprofiler_info_kind_t kind, const char *wanted,
	   struct drmperf_error *error)
{
	return fe_fail(error, -EINVAL, wanted, "info kind %u does not go here",
		       (unsigned)kind);
}

static int
inquiry_ask(const hsa_agent_t *agent, rocprofiler_info_kind_t kind,
	    struct inquiry *inquiry, struct drmperf_error *error)
{
	if (!inquiry->callback)
		return fe_fail(error, -EINVAL, "", "callback is NULL");
	switch (kind) {
	case ROCPROFILER_INFO_KIND_METRIC:
		return visit_metrics(agent, inquiry, NULL, error);
	case ROCPROFILER_INFO_KIND_TRACE:
	case ROCPROFILER_INFO_KIND_TRACE_PARAMETER:
		return 0; /* there are none */
	default:
		return wrong_kind(kind,
				  "ask for ROCPROFILER_INFO_KIND_METRIC, or "
				  "call rocprofiler_get_info()",
				  error);
	}
}

static hsa_status_t
end_inquiry(const char *function, int rc, const struct inquiry *inquiry,
	    const struct drmperf_error *error)
{
	if (!rc && inquiry->status != HSA_STATUS_INFO_BREAK)
		return inquiry->status;
	return roc_end(function, rc, error);
}

hsa_status_t
rocprofiler_get_info(const hsa_agent_t *agent, rocprofiler_info_kind_t kind,
		     void *data)
{
	struct drmperf_error error = { 0 };
	int rc = 0;

	if (!data)
		rc = fe_fail(&error, -EINVAL, "", "data is NULL");
	else if (kind == ROCPROFILER_INFO_KIND_METRIC_COUNT)
		rc = count_metrics(agent, data, &error);
	else if (kind == ROCPROFILER_INFO_KIND_TRACE_COUNT ||
		 kind == ROCPROFILER_INFO_KIND_TRACE_PARAMETER_COUNT)
		*(uint32_t *)data = 0;
	else
		rc = wrong_kind(kind,
				"ask for ROCPROFILER_INFO_KIND_METRIC_COUNT, "
				"or call rocprofiler_iterate_info()",
				&error);
	return roc_end(__func__, rc, &error);
}

hsa_status_t
rocprofiler_iterate_info(const hsa_agent_t *agent, rocprofiler_info_kind_t kind,
			 rocprofiler_info_callback_t callback, void *data)
{
	struct drmperf_error error = { 0 };
	struct inquiry inquiry = { .callback = callback, .data = data };
	int rc = inquiry_ask(agent, kind, &inquiry, &error);

	return end_inquiry(__func__, rc, &inquiry, &error);
}

/*
 * Return the kind, which comes first: callers may leave the rest of the union
 * as it was.
 */
static rocprofiler_info_kind_t
kind_of(rocprofiler_info_query_t query)
{
	if (query.info_kind > ROCPROFILER_INFO_KIND_TRACE_PARAMETER_COUNT)
		return ROCPROFILER_INFO_KIND_TRACE_PARAMETER; /* a name */
	return query.info_kind;
}

hsa_status_t
rocprofiler_query_info(const hsa_agent_t *agent, rocprofiler_info_query_t query,
		       rocprofiler_info_callback_t callback, void *data)
{
	struct drmperf_error error = { 0 };
	struct inquiry inquiry = { .callback = callback, .data = data };
	int rc = inquiry_ask(agent, kind_of(query), &inquiry, &error);

	return end_inquiry(__func__, rc, &inquiry, &error);
}

hsa_status_t
rocprofiler_query_info_data(const hsa_agent_t *agent,
			    rocprofiler_info_kind_t kind,
			    rocprofiler_info_data_t query,
			    rocprofiler_info_callback_t callback, void *data)
{
	struct drmperf_error error = { 0 };
	struct inquiry inquiry = { .query = &query,
				   .callback = callback,
				   .data = data };
	int rc = inquiry_ask(agent, kind, &inquiry, &error);

	return end_inquiry(__func__, rc, &inquiry, &error);
}
