/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of several samples, each once.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_COUNTERS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_COUNTERS_H

#include "gpa_session.h"

struct gpa_counters {
	struct drmperf_selection *list;
	size_t count, room;
	uint64_t stages; /* of counters that distinguish them; 0: there is
			  * none */
};

/*
 * Add the counters of a cumulative sample; others have none. Returns 0, -ENOSPC
 * if it counts other shader stages than those before, or -ENOMEM.
 */
int
gpa_counters_add(struct gpa_counters *counters, const struct gpa_sample *sample,
		 struct drmperf_error *error);
/*
 * Create a session of the counters, which leaves the GPU's clocks as they are
 * while the device holds a mode. Returns 0, or the errors of
 * drmperf_session_create(). Caller does not hold device->lock.
 */
int
gpa_counters_session(const struct gpa_counters *counters,
		     struct gpa_device *device, struct drmperf_session **out,
		     struct drmperf_error *error);
/* Free the counters. */
void
gpa_counters_finish(struct gpa_counters *counters);

/* Return where a counter is that has been added. */
size_t
gpa_counters_index(const struct gpa_counters *counters,
		   const struct drmperf_selection *selection);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_COUNTERS_H */
