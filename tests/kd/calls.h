/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that calls KD_KHR_perfcounter by the names of counters. What must
 * not fail fails the test.
 */
#ifndef DRMPERF_TESTS_KD_CALLS_H
#define DRMPERF_TESTS_KD_CALLS_H

#include <KD/KHR_perfcounter.h>

#include <stdbool.h>
#include <stdint.h>

#define WAVES "amdgpu::SQ.WAVES:device=0"
#define MEMORY "Physical memory usage"
#define SWITCHES "Context switched / sec"
#define THREADS_AMOUNT "Threads amount"

/* Return the index of a name; -1: there is none of that name. */
KDint
index_of(const char *name);

/* Find one, which there is. */
KDint
find_index(const char *name);

const KDCounterInfoKHR *
info_of(const char *name);

bool
has_counter(const char *name);

void
activate_counter(const char *name);

void
deactivate_counter(const char *name);

KDint64
value_of(const char *name);

void
start_sampling(void);

void
stop_sampling(void);

/* Let time pass: the simulator's, or that of clocks, and the made up one. */
void
pass_ms(uint64_t ms);

/* Expect that what failed says so; the indicator is put back. */
void
expect_error(bool failed, KDint error);

/* Set up each test. In valgrind all of them are in one process. */
void
begin_test(void);

void
end_test(void);

#endif /* DRMPERF_TESTS_KD_CALLS_H */
