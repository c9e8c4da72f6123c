/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_context.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "roc_agent.h"
#include "roc_error.h"
#include "roc_handles.h"
#include "roc_library.h"
#include "roc_trace.h"

struct group {
	struct drmperf_session *session; /* NULL: there is nothing to count */
	struct roc_trace *trace; /* which has a group of its own; or NULL */
	const size_t *parts;
	size_t count;
	union drmperf_value *values; /* of the parts, as read last */
	bool is_started, has_values;
	rocprofiler_feature_t **features;
	uint32_t feature_count;
	unsigned expected; /* dispatches that are under way */
	int failed; /* what the last one was not counted for, or 0 */
	struct drmperf_error why;
};

/* Guards the expected dispatches of all groups: few threads wait for them. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
} dispatches = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

/* What a context is opened for. */
struct wanted {
	rocprofiler_feature_t *features;
	size_t count;
	bool single; /* in one group */
};

struct roc_context {
	hsa_agent_t agent;
	rocprofiler_handler_t handler; /* or NULL */
	void *handler_arg;
	struct roc_features features;
	struct group *groups;
	uint32_t group_count;
};

/* ------------------------------------------------------------------ */
/* Opening and closing                                                  */

static bool
has_feature(const struct group *group, const rocprofiler_feature_t *feature)
{
	for (uint32_t i = 0; i < group->feature_count; i++) {
		if (group->features[i] == feature)
			return true;
	}
	return false;
}

/*
 * Return the feature that gets the part's value. Parts of a spread feature have
 * their own.
 */
static rocprofiler_feature_t *
feature_of(struct roc_features *features, size_t part)
{
	for (size_t i = 0; i < features->count; i++) {
		const struct roc_request *request = &features->requests[i];

		if (roc_request_has(request, part) && !request->is_spread)
			return request->feature;
	}
	return &features->parts[part].feature;
}

static int
make_session(struct drmperf *drmperf, const struct roc_features *features,
	     struct group *group, struct drmperf_error *error)
{
	struct drmperf_selection *selections =
		calloc(group->count, sizeof(*selections));
	int rc;

	if (!selections)
		return fe_fail_memory(error);
	for (size_t i = 0; i < group->count; i++)
		selections[i] = features->parts[group->parts[i]].selection;
	rc = drmperf_session_create(drmperf, selections, group->count, NULL,
				    &group->session, error);
	free(selections);
	return rc;
}

static int
make_group(struct drmperf *drmperf, struct roc_features *features, size_t pass,
	   struct group *group, struct drmperf_error *error)
{
	group->parts = drmperf_plan_pass_events(features->plan, pass,
						&group->count);
	group->values = calloc(group->count, sizeof(*group->values));
	group->features = calloc(group->count, sizeof(*group->features));
	if (!group->values || !group->features)
		return fe_fail_memory(error);
	for (size_t i = 0; i < group->count; i++) {
		rocprofiler_feature_t *feature =
			feature_of(features, group->parts[i]);

		if (!has_feature(group, feature))
			group->features[group->feature_count++] = feature;
	}
	return make_session(drmperf, features, group, error);
}

/*
 * Make a group of one feature that traces: on a GPU that is traced nothing
 * counts.
 */
static int
make_trace(struct drmperf *drmperf, const struct roc_agent *agent,
	   rocprofiler_feature_t *feature, struct group *group,
	   struct drmperf_error *error)
{
	group->features = calloc(1, sizeof(*group->features));
	if (!group->features)
		return fe_fail_memory(error);
	group->features[group->feature_count++] = feature;
	return roc_trace_create(drmperf, agent->device, feature, &group->trace,
				error);
}

static int
make_traces(struct drmperf *drmperf, const struct roc_agent *agent,
	    const struct wanted *wanted, struct group *groups,
	    struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < wanted->count; i++) {
		rocprofiler_feature_t *feature = &wanted->features[i];

		if (feature->kind == ROCPROFILER_FEATURE_KIND_TRACE)
			rc = make_trace(drmperf, agent, feature, groups++,
					error);
	}
	return rc;
}

static size_t
count_traces(const struct wanted *wanted)
{
	size_t count = 0;

	for (size_t i = 0; i < wanted->count; i++)
		count += wanted->features[i].kind ==
			 ROCPROFILER_FEATURE_KIND_TRACE;
	return count;
}

static int
make_groups(struct drmperf *drmperf, const struct roc_agent *agent,
	    const struct wanted *wanted, struct roc_context *context,
	    struct drmperf_error *error)
{
	const size_t passes =
		context->features.plan
			? drmperf_plan_passes(context->features.plan)
			: 0;
	const size_t count = passes + count_traces(wanted);
	int rc = 0;

	if (wanted->single && count > 1)
		return fe_fail(error, -ENOSPC,
			       "leave ROCPROFILER_MODE_SINGLEGROUP out",
			       "a trace needs a run of its own");
	context->group_count = count ? (uint32_t)count : 1;
	context->groups =
		calloc(context->group_count, sizeof(*context->groups));
	if (!context->groups)
		return fe_fail_memory(error);
	for (size_t i = 0; !rc && i < passes; i++)
		rc = make_group(drmperf, &context->features, i,
				&context->groups[i], error);
	return rc ? rc
		  : make_traces(drmperf, agent, wanted,
				context->groups + passes, error);
}

int
roc_context_create(hsa_agent_t hsa, rocprofiler_feature_t *features,
		   size_t count, bool single,
		   const rocprofiler_properties_t *properties,
		   struct roc_context **out, struct drmperf_error *error)
{
	const struct wanted wanted = { features, count, single };
	struct roc_context *context = calloc(1, sizeof(*context));
	struct drmperf *drmperf;
	struct roc_agent agent;
	int rc;

	if (!context)
		return fe_fail_memory(error);
	context->agent = hsa;
	if (properties) {
		context->handler = properties->handler;
		context->handler_arg = properties->handler_arg;
	}
	rc = roc_library_open(&drmperf, error);
	if (!rc)
		rc = roc_agent_find(drmperf, hsa, &agent, error);
	if (!rc && count)
		rc = roc_features_make(drmperf, agent.device, features, count,
				       single, &context->features, error);
	if (!rc)
		rc = make_groups(drmperf, &agent, &wanted, context, error);
	if (!rc && roc_handle_add(ROC_CONTEXT, context))
		rc = fe_fail_memory(error);
	if (rc)
		roc_context_destroy(context);
	else
		*out = context;
	return rc;
}

void
roc_context_destroy(struct roc_context *context)
{
	if (!context)
		return;
	roc_handle_remove(ROC_CONTEXT, context);
	for (uint32_t i = 0; context->groups && i < context->group_count; i++) {
		struct group *group = &context->groups[i];

		drmperf_session_destroy(group->session);
		roc_trace_destroy(group->trace);
		free(group->values);
		free(group->features);
	}
	free(context->groups);
	roc_features_free(&context->features);
	free(context);
}

hsa_agent_t
roc_context_agent(const struct roc_context *context)
{
	return context->agent;
}

rocprofiler_handler_t
roc_context_handler(const struct roc_context *context)
{
	return context->handler;
}

uint32_t
roc_context_groups(const struct roc_context *context)
{
	return context->group_count;
}

/* ------------------------------------------------------------------ */
/* Groups                                                               */

/* Return NULL: there is no such group, and the error says so. */
static struct group *
find_group(const struct roc_context *context, uint32_t index,
	   struct drmperf_error *error)
{
	if (index < context->group_count)
		return &context->groups[index];
	fe_fail(error, -ERANGE, "",
		"there is no group %u; they go from 0 to %u", index,
		context->group_count - 1);
	return NULL;
}

static rocprofiler_group_t
group_at(struct roc_context *context, uint32_t index)
{
	const struct group *group = &context->groups[index];

	return (rocprofiler_group_t){
		.index = index,
		.features = group->features,
		.feature_count = group->feature_count,
		.context = context,
	};
}

int
roc_context_group(struct roc_context *context, uint32_t index,
		  rocprofiler_group_t *out, struct drmperf_error *error)
{
	if (!find_group(context, index, error))
		return -ERANGE;
	*out = group_at(context, index);
	return 0;
}

/* Start a group's trace. What was traced before is gone, even if this fails. */
static int
group_trace(struct group *group, struct drmperf_error *error)
{
	int rc;

	group->has_values = false;
	rc = roc_trace_start(group->trace, error);
	group->is_started = !rc;
	return rc;
}

int
roc_context_start(struct roc_context *context, uint32_t index,
		  struct drmperf_error *error)
{
	struct group *group = find_group(context, index, error);
	int rc = 0;

	if (!group)
		return -ERANGE;
	if (group->session)
		rc = drmperf_session_start(group->session, error);
	else if (group->trace)
		rc = group_trace(group, error);
	if (rc)
		return rc;
	group->failed = 0;
	group->is_started = true;
	group->has_values = false;
	return 0;
}

static int
check_started(const struct group *group, uint32_t index,
	      struct drmperf_error *error)
{
	if (group->is_started)
		return 0;
	return fe_fail(error, -EINVAL, "call rocprofiler_start() first",
		       "group %u is not started", index);
}

static int
take_values(struct group *group, struct drmperf_error *error)
{
	int rc = group->session
			 ? drmperf_session_read(group->session, group->values,
						NULL, NULL, error)
			 : 0;

	group->has_values = !rc;
	return rc;
}

int
roc_context_read(struct roc_context *context, uint32_t index,
		 struct drmperf_error *error)
{
	struct group *group = find_group(context, index, error);
	int rc;

	if (!group)
		return -ERANGE;
	rc = check_started(group, index, error);
	if (!rc && group->trace)
		rc = fe_fail(error, -ENOTSUP, "call rocprofiler_stop()",
			     "a trace is not read while it goes on");
	return rc ? rc : take_values(group, error);
}

static int
group_stop(struct group *group, struct drmperf_error *error)
{
	int rc = 0;

	group->is_started = false;
	group->has_values = false;
	if (group->session)
		rc = drmperf_session_stop(group->session, error);
	else if (group->trace)
		rc = roc_trace_stop(group->trace, error);
	return rc ? rc : take_values(group, error);
}

static void
call_handler(struct roc_context *context, uint32_t index)
{
	if (context->handler)
		context->handler(group_at(context, index),
				 context->handler_arg);
}

int
roc_context_stop(struct roc_context *context, uint32_t index,
		 struct drmperf_error *error)
{
	struct group *group = find_group(context, index, error);
	int rc;

	if (!group)
		return -ERANGE;
	rc = check_started(group, index, error);
	if (!rc)
		rc = group_stop(group, error);
	if (!rc)
		call_handler(context, index);
	return rc;
}

int
roc_context_reset(struct roc_context *context, uint32_t index,
		  struct drmperf_error *error)
{
	struct group *group = find_group(context, index, error);
	int rc = 0;

	if (!group)
		return -ERANGE;
	if (group->is_started && group->session)
		rc = drmperf_session_reset(group->session, error);
	else if (group->is_started && group->trace)
		rc = group_trace(group, error);
	if (!rc)
		group->has_values = false;
	return rc;
}

/* ------------------------------------------------------------------ */
/* Dispatches                                                           */

void
roc_context_expect(struct roc_context *context, uint32_t index)
{
	pthread_mutex_lock(&dispatches.lock);
	context->groups[index].expected++;
	pthread_mutex_unlock(&dispatches.lock);
}

void
roc_context_end_dispatch(struct roc_context *context, uint32_t index,
			 int failed, const struct drmperf_error *why)
{
	struct group *group = &context->groups[index];
	struct drmperf_error error = *why;

	if (group->is_started && !failed)
		failed = group_stop(group, &error);
	else if (group->is_started)
		group_stop(group, NULL);
	if (failed) {
		group->has_values = false;
		fe_report(ROC_LIBRARY, "a dispatch", failed, &error);
	}
	group->failed = failed;
	group->why = error;
	pthread_mutex_lock(&dispatches.lock);
	group->expected--;
	pthread_cond_broadcast(&dispatches.changed);
	pthread_mutex_unlock(&dispatches.lock);
	call_handler(context, index);
}

static void
wait_for_dispatches(const struct group *group)
{
	pthread_mutex_lock(&dispatches.lock);
	while (group->expected)
		pthread_cond_wait(&dispatches.changed, &dispatches.lock);
	pthread_mutex_unlock(&dispatches.lock);
}

/* ------------------------------------------------------------------ */
/* Data                                                                 */

static void
value_put(const struct drmperf_event *event, union drmperf_value value,
	  rocprofiler_data_t *out)
{
	if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE) {
		out->kind = ROCPROFILER_DATA_KIND_DOUBLE;
		out->result_double = value.f64;
	} else {
		out->kind = ROCPROFILER_DATA_KIND_INT64;
		out->result_int64 = value.u64;
	}
}

/* Compute the group's features that have all of their parts here. */
static int
group_compute(const struct roc_features *features, const struct group *group,
	      struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < features->count; i++) {
		const struct roc_request *request = &features->requests[i];

		if (!request->is_spread && has_feature(group, request->feature))
			rc = roc_request_compute(features, request, error);
	}
	return rc;
}

int
roc_context_get_data(struct roc_context *context, uint32_t index,
		     struct drmperf_error *error)
{
	struct group *group = find_group(context, index, error);

	if (!group)
		return -ERANGE;
	wait_for_dispatches(group);
	if (group->failed) {
		*error = group->why;
		return group->failed;
	}
	if (!group->has_values)
		return fe_fail(error, -ENODATA,
			       "call rocprofiler_read() or "
			       "rocprofiler_stop() first",
			       "nothing has been read of group %u", index);
	if (group->trace)
		return roc_trace_get_data(group->trace, error);
	for (size_t i = 0; i < group->count; i++) {
		struct roc_part *part =
			&context->features.parts[group->parts[i]];

		value_put(part->selection.event, group->values[i],
			  &part->feature.data);
	}
	return group_compute(&context->features, group, error);
}

int
roc_context_get_metrics(const struct roc_context *context,
			struct drmperf_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < context->features.count; i++) {
		const struct roc_request *request =
			&context->features.requests[i];

		if (request->is_spread)
			rc = roc_request_compute(&context->features, request,
						 error);
		else if (request->feature->data.kind ==
			 ROCPROFILER_DATA_KIND_UNINIT)
			rc = fe_fail(error, -ENODATA,
				     "collect the data of all groups first",
				     "%.64s has no data of its group yet",
				     request->feature->name);
	}
	return rc;
}

int
roc_context_iterate_traces(struct roc_context *context,
			   rocprofiler_trace_data_callback_t callback,
			   void *data, hsa_status_t *status,
			   struct drmperf_error *error)
{
	int rc = 0;

	*status = HSA_STATUS_SUCCESS;
	for (uint32_t i = 0; !rc && !*status && i < context->group_count; i++) {
		const struct roc_trace *trace = context->groups[i].trace;

		if (!trace)
			continue;
		if (!callback)
			return fe_fail(error, -EINVAL, "", "callback is NULL");
		rc = roc_context_get_data(context, i, error);
		if (context->groups[i].has_values)
			*status = roc_trace_iterate(trace, callback, data);
	}
	return rc;
}
