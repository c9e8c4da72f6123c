/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a stream in the order of files for RGP: by counter. */
#ifndef DRMPERF_TOOL_REPORT_RGP_SAMPLES_H
#define DRMPERF_TOOL_REPORT_RGP_SAMPLES_H

#include "record/recording.h"
#include "rgp/rgp_counters.h"

struct rgp_samples {
	const struct recording *recording;
	size_t count; /* intervals */
	uint64_t *times; /* when they ended, in ticks of the GPU's clock */
	struct rgp_counter *counters;
	size_t *counter_series; /* of each */
	size_t counter_count;
	uint32_t *counter_values; /* all of a counter, then of the next */
	/*
	 * Events that were asked for, and behind them those that these are
	 * computed from, if they are of all instances.
	 */
	const struct recording_event **figures;
	size_t figure_count, component_count;
	/*
	 * IEEE 754, in the order of the counters', with the lowest byte first,
	 * as the file has them.
	 */
	uint64_t *figure_values;
};

/*
 * Return the group in the name of an event, "GL2C" of "amdgpu::GL2C.REQ", which
 * has *length bytes, and behind it the rest of the name, "REQ".
 */
const char *
rgp_event_group(const struct recording_event *event, size_t *length,
		const char **rest);

/*
 * Find what there is, and count the intervals. Returns 0, -ENODATA if there are
 * none, or another negative errno value; the caller calls rgp_samples_finish()
 * either way.
 */
int
rgp_samples_find(struct recording *recording, struct rgp_samples *samples);
/* Read the values. Returns 0 or a negative errno value. */
int
rgp_samples_read(struct recording *recording, struct rgp_samples *samples);
void
rgp_samples_finish(struct rgp_samples *samples);

#endif /* DRMPERF_TOOL_REPORT_RGP_SAMPLES_H */
