/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that are read by a thread of its own, so that a caller waiting for
 * the values can give up: the queue stands still during the wait.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_READER_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_READER_H

#include "frontend/call_thread.h"
#include "gpa_counters.h"

struct gpa_reader {
	struct gpa_counters counters;
	struct drmperf_session *session;
	union drmperf_value *values;
	struct drmperf_error error; /* of the last read */
	struct call_thread thread;
};

/*
 * Count these, whose list the reader takes over in any case; all of *reader is
 * set. With an error it needs no gpa_reader_stop().
 */
int
gpa_reader_start(struct gpa_reader *reader, struct gpa_device *device,
		 struct gpa_counters *counters, struct drmperf_error *error);
/*
 * Read values into reader->values. Returns 0; -ETIME if they did not come in
 * limit_ns; or the errors of drmperf_session_read().
 */
int
gpa_reader_read(struct gpa_reader *reader, uint64_t limit_ns,
		struct drmperf_error *error);
void
gpa_reader_stop(struct gpa_reader *reader);

/*
 * Return how long a submission waits for the counters, or for what the
 * application may do later: DRMPERF_VK_DEADLINE, in ms, or 1 s.
 */
uint64_t
gpa_reader_deadline_ns(void);
/* Return the time that is ns from now, on CLOCK_MONOTONIC. */
struct timespec
gpa_reader_from_now(uint64_t ns);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_READER_H */
