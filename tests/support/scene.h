/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What goes on in the simulator that a test runs below. What must not fail
 * fails the test.
 */
#ifndef DRMPERF_TESTS_SCENE_H
#define DRMPERF_TESTS_SCENE_H

#include <stdint.h>

#define MS UINT64_C(1000000)

/* Set it as a line of a scenario does. */
void scene_set(const char *key, const char *value);

/* Let virtual time go on. */
void scene_pass(uint64_t ns);

/* Inject it as --fault takes it. */
void scene_fault(const char *fault);

/* Return how many calls of a kind there were: "cs", "open". */
uint64_t scene_calls(const char *kind);

/* Return the simulator's report, which lasts until the next call. */
char *
scene_report(void);

/* Return how many violations of drivers' interfaces there were. */
uint64_t
scene_violations(void);

/* Expect that there were none; the simulator's report shows them. */
void
scene_assert_clean(void);

/* Return the end of a page of zeros, behind which nothing can be read. */
void *
scene_memory_end(void);

#endif /* DRMPERF_TESTS_SCENE_H */
