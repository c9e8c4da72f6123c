/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that many metric sets of a GPU have, as Intel's do: each once, with
 * the sets.
 */
#ifndef DRMPERF_EVENT_SETS_H
#define DRMPERF_EVENT_SETS_H

#include <stdbool.h>
#include <stdio.h>

#include "drmperf.h"

struct event_sets;

/*
 * Create the list for all groups of the device of which one counts at a time.
 * NULL: no memory.
 */
struct event_sets *
event_sets_create(const struct drmperf_device *device);
void
event_sets_destroy(struct event_sets *sets);

/*
 * Return whether the group is that of what any of the sets has, which has the
 * name of their domain.
 */
bool
event_sets_is_common(const struct drmperf_group *group);

/* Return the event that stands for this one of a set, oa.GpuBusy; or NULL. */
const struct drmperf_event *
event_sets_common(const struct event_sets *sets,
		  const struct drmperf_event *event);

/*
 * Return how many sets have an event of which one may count, and the sets in
 * order in *out; 0 if there are none.
 */
size_t
event_sets_of(const struct event_sets *sets, const struct drmperf_event *common,
	      const struct drmperf_group *const **out);

/*
 * Write " [in RenderBasic, ComputeBasic and 13 others]", or NULL, to *text,
 * which the caller frees. Returns 0, or -ENOMEM.
 */
int
event_sets_describe(const struct event_sets *sets,
		    const struct drmperf_event *common, char **text);

#endif /* DRMPERF_EVENT_SETS_H */
