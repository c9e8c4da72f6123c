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

#endif /* DRMPERF_TESTS_SCENE_H */
