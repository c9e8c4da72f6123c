/* SPDX-License-Identifier: BSD-3-Clause */
/* What does the work that is counted. */
#ifndef DRMPERF_TESTS_PAPI_MACHINE_H
#define DRMPERF_TESTS_PAPI_MACHINE_H

/* Let all counters grow by amount times their rates. 0, or -1. */
int machine_work(unsigned amount);

/*
 * Return how many sessions were made so far; always 0 where nothing counts
 * them.
 */
long machine_sessions(void);

/*
 * Return how many events were asked for by their place in the list; the same.
 */
long machine_listed(void);

#endif /* DRMPERF_TESTS_PAPI_MACHINE_H */
