/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports of a GPU that were kept whole, made values of by the library, without
 * the GPU.
 */
#ifndef DRMPERF_TOOL_RECORD_RECORDING_REPORTS_H
#define DRMPERF_TOOL_RECORD_RECORDING_REPORTS_H

#include "record/recording.h"

struct recording_reports {
	int device; /* its number in the recording */
	struct drmperf *drmperf; /* that knows the GPU */
	struct drmperf_session *session;
	size_t *series; /* of each value of the session */
	size_t count;
	union drmperf_value *values;
	const uint8_t *at, *end; /* not counted yet */
	struct drmperf_error lost; /* why what follows cannot be counted */
};

/*
 * Begin to count these events, by their places. Returns 0, -ENOMEM, or the code
 * of error.
 */
int
reports_begin(struct recording_reports *reports,
	      const struct drmperf_selection *selections, const size_t *series,
	      size_t count, struct drmperf_error *error);
/* Find the events of the recording that come from the reports. */
int
reports_find_events(struct recording_reports *reports,
		    const struct recording *recording,
		    struct drmperf_error *error);
/* Count again from the first report. */
int
reports_rewind(struct recording_reports *reports, struct drmperf_error *error);

/*
 * Count up to the next report that is span_ns younger. 1, with the values of
 * the series; 0: there is none; -EIO: counts were lost, reports->lost says how,
 * and nothing more will come.
 */
int
reports_next(struct recording_reports *reports, uint64_t span_ns,
	     struct recording_value *values, uint64_t *time_ns);
void
reports_finish(struct recording_reports *reports);

#endif /* DRMPERF_TOOL_RECORD_RECORDING_REPORTS_H */
