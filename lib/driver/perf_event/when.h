/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When counters were read: the clock is looked at before and after, and what
 * comes between the two, an interrupt or another process, is no part of an
 * interval. The kernel reads its own clock together with the counters; that one
 * tells how long it is since the read before, and ours keeps it from drifting.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_WHEN_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/* All 0 before the first read. */
struct perf_when {
	bool known;
	uint64_t ahead_ns; /* of our clock, modulo 2^64 */
};

/*
 * Return when a read was done that began and ended at these times, at this one
 * of the kernel's. It is never out of the two.
 */
uint64_t perf_when(struct perf_when *when, uint64_t begin_ns, uint64_t end_ns,
		   uint64_t kernel_ns);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_WHEN_H */
