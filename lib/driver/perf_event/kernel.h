/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only place that calls perf_event_open(), and that knows its structs.
 * Results are 0, or what is asked for, or a negative errno value.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_KERNEL_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "driver/perf_event/counter.h"

/* The target of counting: a thread on any CPU, or all (-1) on one CPU. */
struct perf_target {
	pid_t thread; /* -1: all */
	int cpu; /* -1: any */
};

/* The words that reading a group gives before the values of its members. */
enum {
	PERF_READ_COUNT,
	PERF_READ_ENABLED, /* ns */
	PERF_READ_RUNNING, /* ns; less: it had to take turns with others */
	PERF_READ_VALUES,
};

/*
 * Open a descriptor for one event, closed by close(). leader -1: it leads a
 * group of its own, and takes no turns with others. What the thread starts
 * later, threads or processes, is counted too.
 *
 * A group of a thread counts from now on: the kernel can miss a thread that
 * starts while a group is being enabled, and those which that thread starts. A
 * group of a CPU does not count before perf_group_enable().
 */
int
perf_counter_open(const struct perf_counter *counter,
		  const struct perf_target *target, int leader);

int
perf_group_enable(int leader);
int
perf_group_disable(int leader);

/*
 * Call read() once. Returns the number of words, of which the first three are
 * those above; 0 if the kernel could not give the group its counters.
 */
ssize_t
perf_group_read(int leader, uint64_t *words, size_t count);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_KERNEL_H */
