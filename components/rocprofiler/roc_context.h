/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context: features of one GPU, and a session for each of their groups.
 */
#ifndef ROC_CONTEXT_H
#define ROC_CONTEXT_H

#include "roc_features.h"

struct roc_context;

/*
 * Features of an agent; count may be 0, for one group of nothing. Of the
 * properties, which may be NULL, the handler is kept. The errors of
 * roc_agent_find() and roc_features_make(). *out is released with
 * roc_context_destroy().
 */
int roc_context_create(hsa_agent_t agent, rocprofiler_feature_t *features,
		       size_t count, bool single,
		       const rocprofiler_properties_t *properties,
		       struct roc_context **out, struct drmperf_error *error);

/* Stops what counts. NULL is allowed. */
void roc_context_destroy(struct roc_context *context);

hsa_agent_t roc_context_agent(const struct roc_context *context);

/* Return the context's handler, or NULL. */
rocprofiler_handler_t roc_context_handler(const struct roc_context *context);

uint32_t roc_context_groups(const struct roc_context *context);

/*
 * Fill in a group. Returns 0, or -ERANGE if there is no group of this index;
 * all functions that take an index return that, too.
 */
int roc_context_group(struct roc_context *context, uint32_t index,
		      rocprofiler_group_t *out, struct drmperf_error *error);

/*
 * Start, stop, read or reset a group. Return 0, or the errors of the session
 * functions of these names.
 */
int roc_context_start(struct roc_context *context, uint32_t index,
		      struct drmperf_error *error);
/* Calls the handler last: it may destroy the context. */
int roc_context_stop(struct roc_context *context, uint32_t index,
		     struct drmperf_error *error);
int roc_context_read(struct roc_context *context, uint32_t index,
		     struct drmperf_error *error);
int roc_context_reset(struct roc_context *context, uint32_t index,
		      struct drmperf_error *error);

/*
 * Expect a dispatch that a group counts: a call that asks for its data waits
 * until roc_context_end_dispatch().
 */
void roc_context_expect(struct roc_context *context, uint32_t index);

/*
 * End an expected dispatch. failed is the error for which it could not be
 * counted, or 0; its data is refused with this. Calls the handler last, in any
 * case.
 */
void roc_context_end_dispatch(struct roc_context *context, uint32_t index,
			      int failed, const struct drmperf_error *why);

/*
 * Put the values read last into the features. Returns 0, -ENODATA if there are
 * none, or the error that kept the last dispatch from being counted.
 */
int roc_context_get_data(struct roc_context *context, uint32_t index,
			 struct drmperf_error *error);

/*
 * Call it for each shader engine of each trace, as long as it returns success,
 * which *status is then. Returns 0; -EINVAL without a callback; the errors of
 * roc_context_get_data(), after the call for what is there.
 */
int
roc_context_iterate_traces(struct roc_context *context,
			   rocprofiler_trace_data_callback_t callback,
			   void *data, hsa_status_t *status,
			   struct drmperf_error *error);

/*
 * Compute the metrics that are spread over groups. Returns 0, or -ENODATA if a
 * group has no values.
 */
int roc_context_get_metrics(const struct roc_context *context,
			    struct drmperf_error *error);

#endif /* ROC_CONTEXT_H */
