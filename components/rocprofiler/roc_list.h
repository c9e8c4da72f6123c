/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters and metrics of a GPU, as the ROC profiler API lists them. */
#ifndef ROC_LIST_H
#define ROC_LIST_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

/* "NAME[*]": the sum of all instances, which ROCm has no name for. */
#define ROC_ALL_INSTANCES (-2)

struct roc_list {
	rocprofiler_info_data_t *infos; /* without the agent's index */
	size_t count;
	char **texts; /* what of their strings is the list's */
	size_t text_count;
};

/*
 * List the features; *out is released with roc_list_destroy(). 0; -ENOMEM;
 * -ENOTSUP: no events.
 */
int roc_list_create(struct drmperf *drmperf, struct drmperf_device *device,
		    struct roc_list **out, struct drmperf_error *error);

/* Destroy a list, or NULL. */
void roc_list_destroy(struct roc_list *list);

/*
 * Find the event that a name stands for: with "[I]" behind it, or behind the
 * block of "BLOCK:NUMBER", *instance is I, which is ROCm's, or
 * ROC_ALL_INSTANCES; without, it is -1. Returns 0, or the errors of
 * drmperf_event_find() and drmperf_group_event().
 */
int roc_list_find(struct drmperf *drmperf, const struct drmperf_device *device,
		  const char *name, const struct drmperf_event **out,
		  long *instance, struct drmperf_error *error);

#endif /* ROC_LIST_H */
