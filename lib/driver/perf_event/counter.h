/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event of a kernel PMU, with the arguments of perf_event_open().
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_COUNTER_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* config, config1 and config2 of struct perf_event_attr */
#define PERF_CONFIG_WORDS 3

struct perf_counter {
	const char *name; /* for complaints */
	const char *pmu; /* for complaints */
	const char *folder; /* the PMU's, of sysfs; NULL: it has none */
	uint32_t type;
	uint64_t config[PERF_CONFIG_WORDS];
	bool exclude_user;
	bool exclude_kernel;
	bool exclude_hv;
	/*
	 * Reading adds what is true now to the count (xe's frequencies): the
	 * difference to the last reading is the value.
	 */
	bool is_level;
	/*
	 * CPUs on which to count all that runs, if the PMU cannot tell
	 * processes apart; none: it can.
	 */
	const int *cpus;
	size_t cpu_count;
};

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_COUNTER_H */
