/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program of tests allocates that wraps the functions for it, see
 * make/tests.mk.
 */
#ifndef DRMPERF_TESTS_TABLE_ALLOCATED_H
#define DRMPERF_TESTS_TABLE_ALLOCATED_H

#include <stddef.h>

void
allocated_begin(void);
/* Return the most bytes that there were at once since then. */
size_t
allocated_most(void);

#endif /* DRMPERF_TESTS_TABLE_ALLOCATED_H */
