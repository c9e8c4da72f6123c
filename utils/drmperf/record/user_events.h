/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as a tracepoint of Linux, user_events:drmperf_counter, by the
 * interface of user_events since Linux 6.4: perf record, trace-cmd and Perfetto
 * see it among their own events.
 */
#ifndef DRMPERF_TOOL_RECORD_USER_EVENTS_H
#define DRMPERF_TOOL_RECORD_USER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/tool.h"

/* Memory of it must stay where it is until user_events_close(). */
struct user_events {
	/* own */
	int file; /* 0: not open */
	uint32_t enabled; /* the kernel sets it while the event is traced */
	uint32_t index;
	bool failed; /* a write; that is reported once */
};

/* An event in the time between two samples. */
struct user_event {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t length_ns;
	double value;
	bool is_integer;
	int device, instance; /* or -1 */
	const char *name, *unit;
};

/* Returns 0, or TOOL_FAILED after a complaint. */
int
user_events_open(const struct tool *tool, struct user_events *events);
/* Return whether somewhere on this machine the event is traced. */
bool
user_events_are_traced(const struct user_events *events);
void
user_events_write(const struct tool *tool, struct user_events *events,
		  const struct user_event *event);
void
user_events_close(struct user_events *events);

#endif /* DRMPERF_TOOL_RECORD_USER_EVENTS_H */
