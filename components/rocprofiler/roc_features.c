/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_features.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "roc_error.h"
#include "roc_formula.h"
#include "roc_instances.h"
#include "roc_list.h"

/* ------------------------------------------------------------------ */
/* Parts                                                                */

static int
add_parts(struct roc_features *features,
	  const struct drmperf_selection *selections, size_t count)
{
	struct roc_part *parts = reallocarray(features->parts,
					      features->part_count + count,
					      sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	features->parts = parts;
	for (size_t i = 0; i < count; i++) {
		const struct roc_part part = { .selection = selections[i] };

		parts[features->part_count++] = part;
	}
	return 0;
}

/* Add the instances of ours that ROCm's is, added up. */
static int
add_instance(struct roc_features *features, const struct drmperf_event *event,
	     const struct roc_instances *instances, long instance)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < instances->ours; i++) {
		const struct drmperf_selection selection = { event, (int)i };

		if (instances->belongs[i] == (unsigned long)instance)
			rc = add_parts(features, &selection, 1);
	}
	return rc;
}

static int
check_instance(const struct roc_request *request, unsigned count, long instance,
	       struct drmperf_error *error)
{
	const char *name = request->feature->name;

	if (instance >= (long)count)
		return fe_fail(error, -ERANGE, "",
			       "%.64s: instances go from 0 to %u", name,
			       count - 1);
	if (instance == -1 && count > 1)
		return fe_fail(error, -EINVAL,
			       "put the number of one behind the name, as in "
			       "NAME[0], or see if there is NAME_sum",
			       "%.64s has %u instances", name, count);
	return 0;
}

static int
add_counter(struct roc_features *features, const struct roc_request *request,
	    const struct drmperf_event *event, long instance,
	    struct drmperf_error *error)
{
	const struct drmperf_selection whole = { event, DRMPERF_ALL_INSTANCES };
	struct roc_instances instances;
	int rc = roc_instances_make(drmperf_event_group(event), &instances);

	if (rc)
		return fe_fail_memory(error);
	rc = check_instance(request, instances.count, instance, error);
	if (!rc) {
		if (instances.count > 1 && instance != ROC_ALL_INSTANCES)
			rc = add_instance(features, event, &instances,
					  instance);
		else
			rc = add_parts(features, &whole, 1);
		if (rc)
			fe_fail_memory(error);
	}
	roc_instances_free(&instances);
	return rc;
}

static int
add_metric(struct roc_features *features, const struct roc_request *request,
	   const struct drmperf_event *event, long instance,
	   struct drmperf_error *error)
{
	const struct drmperf_selection whole = { event, DRMPERF_ALL_INSTANCES };

	if (instance > 0)
		return fe_fail(error, -ERANGE, "",
			       "%.64s: a metric has no instances",
			       request->feature->name);
	return add_parts(features, &whole, 1) ? fe_fail_memory(error) : 0;
}

static int
check_kind(const rocprofiler_feature_t *feature, struct drmperf_error *error)
{
	if (feature->kind != ROCPROFILER_FEATURE_KIND_METRIC)
		return fe_fail(error, -ENOTSUP,
			       "ask for ROCPROFILER_FEATURE_KIND_METRIC, or "
			       "..._TRACE",
			       "there are no features of kind %u here",
			       (unsigned)feature->kind);
	if (!feature->name)
		return fe_fail(error, -EINVAL, "", "a feature has no name");
	return 0;
}

static int
features_find(struct drmperf *drmperf, const struct drmperf_device *device,
	      struct roc_features *features, struct roc_request *request,
	      struct drmperf_error *error)
{
	const struct drmperf_event *event;
	long instance;
	int rc = check_kind(request->feature, error);

	if (!rc)
		rc = roc_list_find(drmperf, device, request->feature->name,
				   &event, &instance, error);
	if (rc)
		return rc;
	request->first = features->part_count;
	request->is_metric = drmperf_event_is_metric(event);
	if (request->is_metric)
		rc = add_metric(features, request, event, instance, error);
	else
		rc = add_counter(features, request, event, instance, error);
	request->count = features->part_count - request->first;
	return rc;
}

/* ------------------------------------------------------------------ */
/* Passes                                                               */

static int
features_plan(struct drmperf *drmperf, bool single,
	      struct roc_features *features, struct drmperf_error *error)
{
	const struct drmperf_plan_options options = {
		.size = sizeof(options),
		.cut_metrics = !single,
		.max_passes = single,
	};
	struct drmperf_selection *selections =
		calloc(features->part_count, sizeof(*selections));
	int rc;

	if (!selections)
		return fe_fail_memory(error);
	for (size_t i = 0; i < features->part_count; i++)
		selections[i] = features->parts[i].selection;
	rc = drmperf_plan_create(drmperf, selections, features->part_count,
				 &options, &features->plan, error);
	free(selections);
	return rc;
}

/* Add the parts that are counted in place of a metric that no pass holds. */
static int
add_metric_parts(struct drmperf *drmperf, struct roc_features *features,
		 struct roc_request *request, struct drmperf_error *error)
{
	const struct drmperf_selection metric =
		features->parts[request->first].selection;
	const struct drmperf_selection *parts;
	size_t count;
	int rc = drmperf_formula_create(drmperf, &metric, &request->formula,
					error);

	if (rc)
		return rc;
	parts = drmperf_formula_parts(request->formula, &count);
	request->first = features->part_count;
	request->count = count;
	return add_parts(features, parts, count) ? fe_fail_memory(error) : 0;
}

/* Drop parts that no request has any more. */
static int
drop_unwanted(struct roc_features *features)
{
	struct roc_part *old = features->parts;
	int rc = 0;

	features->parts = NULL;
	features->part_count = 0;
	for (size_t i = 0; !rc && i < features->count; i++) {
		struct roc_request *request = &features->requests[i];
		const size_t first = request->first;

		request->first = features->part_count;
		for (size_t k = 0; !rc && k < request->count; k++)
			rc = add_parts(features, &old[first + k].selection, 1);
	}
	free(old);
	return rc;
}

/*
 * Plan the parts of metrics that are cut in their place; such metrics are
 * computed here.
 */
static int
replace_cut(struct drmperf *drmperf, struct roc_features *features,
	    struct drmperf_error *error)
{
	bool any = false;
	int rc = 0;

	for (size_t i = 0; !rc && i < features->count; i++) {
		struct roc_request *request = &features->requests[i];

		if (!drmperf_plan_event_is_cut(features->plan, request->first))
			continue;
		any = true;
		rc = add_metric_parts(drmperf, features, request, error);
	}
	if (rc || !any)
		return rc;
	drmperf_plan_destroy(features->plan);
	features->plan = NULL;
	if (drop_unwanted(features))
		return fe_fail_memory(error);
	return features_plan(drmperf, false, features, error);
}

bool
roc_request_has(const struct roc_request *request, size_t part)
{
	return part >= request->first && part - request->first < request->count;
}

/* Spread is what has parts in a pass, and not all of them. */
static void
mark_spread(struct roc_features *features)
{
	for (size_t i = 0; i < features->count; i++) {
		struct roc_request *request = &features->requests[i];
		size_t count, here = 0, pass = 0;

		for (; !here; pass++) {
			const size_t *parts = drmperf_plan_pass_events(
				features->plan, pass, &count);

			for (size_t k = 0; k < count; k++)
				here += roc_request_has(request, parts[k]);
		}
		request->is_spread = here < request->count;
	}
}

static int
name_parts(struct roc_features *features)
{
	for (size_t i = 0; i < features->part_count; i++) {
		struct roc_part *part = &features->parts[i];
		char name[ROC_NAME_SIZE];

		roc_selection_name(&part->selection, name, sizeof(name));
		part->feature.name = strdup(name);
		if (!part->feature.name)
			return -ENOMEM;
	}
	return 0;
}

int
roc_features_make(struct drmperf *drmperf, const struct drmperf_device *device,
		  rocprofiler_feature_t *features, size_t count, bool single,
		  struct roc_features *out, struct drmperf_error *error)
{
	int rc = 0;

	memset(out, 0, sizeof(*out));
	out->requests = calloc(count, sizeof(*out->requests));
	if (!out->requests)
		return fe_fail_memory(error);
	for (size_t i = 0; !rc && i < count; i++) {
		if (features[i].kind == ROCPROFILER_FEATURE_KIND_TRACE)
			continue;
		out->requests[out->count].feature = &features[i];
		rc = features_find(drmperf, device, out,
				   &out->requests[out->count++], error);
	}
	if (!rc && !out->count)
		return 0;
	if (!rc)
		rc = features_plan(drmperf, single, out, error);
	if (!rc)
		rc = replace_cut(drmperf, out, error);
	if (rc)
		return rc;
	mark_spread(out);
	return name_parts(out) ? fe_fail_memory(error) : 0;
}

void
roc_features_free(struct roc_features *features)
{
	for (size_t i = 0; i < features->count; i++)
		drmperf_formula_destroy(features->requests[i].formula);
	for (size_t i = 0; i < features->part_count; i++)
		free((char *)features->parts[i].feature.name);
	drmperf_plan_destroy(features->plan);
	free(features->requests);
	free(features->parts);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static double
as_double(const rocprofiler_data_t *data)
{
	return data->kind == ROCPROFILER_DATA_KIND_DOUBLE
		       ? data->result_double
		       : (double)data->result_int64;
}

static int
compute_formula(const struct roc_request *request, const struct roc_part *parts,
		rocprofiler_data_t *out)
{
	double *values = calloc(request->count, sizeof(*values));
	double value = 0;
	int rc;

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < request->count; i++)
		values[i] = as_double(&parts[i].feature.data);
	rc = roc_formula_value(request->formula, values, &value);
	free(values);
	out->kind = ROCPROFILER_DATA_KIND_DOUBLE;
	out->result_double = value;
	return rc;
}

static void
compute_sum(const struct roc_request *request, const struct roc_part *parts,
	    rocprofiler_data_t *out)
{
	uint64_t sum = 0;

	if (request->is_metric) {
		out->kind = ROCPROFILER_DATA_KIND_DOUBLE;
		out->result_double = as_double(&parts->feature.data);
		return;
	}
	for (size_t i = 0; i < request->count; i++)
		sum += parts[i].feature.data.result_int64;
	out->kind = ROCPROFILER_DATA_KIND_INT64;
	out->result_int64 = sum;
}

int
roc_request_compute(const struct roc_features *features,
		    const struct roc_request *request,
		    struct drmperf_error *error)
{
	const struct roc_part *parts = &features->parts[request->first];
	rocprofiler_data_t data = { .kind = ROCPROFILER_DATA_KIND_UNINIT };

	for (size_t i = 0; i < request->count; i++) {
		if (parts[i].feature.data.kind == ROCPROFILER_DATA_KIND_UNINIT)
			return fe_fail(error, -ENODATA,
				       "collect the data of all groups first",
				       "%.64s has no data of its group yet",
				       request->feature->name);
	}
	if (!request->formula)
		compute_sum(request, parts, &data);
	else if (compute_formula(request, parts, &data))
		return fe_fail_memory(error);
	request->feature->data = data;
	return 0;
}
