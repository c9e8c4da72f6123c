/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts of events that GPU drivers publish and that are not in the kernel's
 * files. Everything works without them.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_KNOWN_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_KNOWN_H

#include <stdbool.h>

struct known_event {
	const char *driver;
	const char *pattern; /* for fnmatch() */
	const char *description;
	bool is_level; /* see struct perf_counter */
};

/* Return NULL if nothing is known. */
const struct known_event *
known_event_find(const char *driver, const char *name);

/* Return how many counters all PMUs of a GPU share; 0: nothing is known. */
unsigned
known_counters(const char *driver);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_KNOWN_H */
