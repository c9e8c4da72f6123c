/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of events/xe as text, read by nothing of the library. What is not
 * there fails the test.
 */
#ifndef DRMPERF_TESTS_DRIVER_XE_TABLE_H
#define DRMPERF_TESTS_DRIVER_XE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAIRS_MAX 1024

/* Registers and their values, in the order in which they are written. */
struct list {
	uint32_t pairs[PAIRS_MAX][2];
	size_t count;
};

/* Read "bmg.registers.xml". The caller frees it. */
char *
xe_table_read(const char *file);
/* Return whether a set is of the unit that sees shaders. */
bool
xe_set_has_shaders(const char *set);

/* Read what a set writes, all of FLEX included, where there are shaders. */
void
xe_table_registers(const char *table, const char *set, struct list *list);
/*
 * Return the expression of a counter, as "bmg.xml" has it for this set or for
 * all. The caller frees it.
 */
char *
xe_table_expression(const char *table, const char *set, const char *counter);

#endif /* DRMPERF_TESTS_DRIVER_XE_TABLE_H */
