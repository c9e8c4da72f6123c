/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcheck without its marks: it writes the place of each assertion that holds
 * to a file, to name the last one when a test crashes. Suites make millions of
 * assertions, and sanitizers and valgrind say more of a crash.
 */
#ifndef DRMPERF_TESTS_CHECK_H
#define DRMPERF_TESTS_CHECK_H

#include <check.h>

/* The macros of <check.h> expand to a call of it where an assertion holds. */
#define _mark_point(file, line) ((void)0)

/* base/array.h has it, too, in the same words. */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* DRMPERF_TESTS_CHECK_H */
