/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Features that are measured together, and the parts whose counts they are
 * made of: a counter, or the metric as a whole; several where an instance is
 * one in each shader engine, or where no pass holds all of a metric.
 */
#ifndef ROC_FEATURES_H
#define ROC_FEATURES_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

struct roc_part {
	struct drmperf_selection selection;
	/* its data; of a group's features where the requested one is spread */
	rocprofiler_feature_t feature;
};

struct roc_request {
	rocprofiler_feature_t *feature; /* the caller's */
	struct drmperf_formula *formula; /* NULL: the parts' sum */
	bool is_metric;
	bool is_spread; /* over several passes */
	size_t first, count; /* its parts */
};

struct roc_features {
	struct roc_request *requests;
	size_t count;
	struct roc_part *parts;
	size_t part_count;
	struct drmperf_plan *plan; /* of the parts */
};

/*
 * Find the features that are no traces, and cut them into passes; single: fail
 * with -ENOSPC where one is not enough. *out is released with
 * roc_features_free(), whatever is returned. The errors of drmperf_event_find()
 * and drmperf_plan_create().
 */
int roc_features_make(struct drmperf *drmperf,
		      const struct drmperf_device *device,
		      rocprofiler_feature_t *features, size_t count,
		      bool single, struct roc_features *out,
		      struct drmperf_error *error);

void roc_features_free(struct roc_features *features);

/* Return whether the part is one of the requested feature's. */
bool
roc_request_has(const struct roc_request *request, size_t part);

/*
 * Compute the caller's data from the parts'. 0; -ENODATA if one has none;
 * -ENOMEM.
 */
int
roc_request_compute(const struct roc_features *features,
		    const struct roc_request *request,
		    struct drmperf_error *error);

#endif /* ROC_FEATURES_H */
