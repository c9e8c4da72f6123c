/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values as people read them.
 */
#ifndef DRMPERF_TOOL_UTIL_FORMAT_NUMBER_H
#define DRMPERF_TOOL_UTIL_FORMAT_NUMBER_H

#include <stdint.h>

#include "drmperf.h"

/* Room for any of them. */
#define FORMAT_NUMBER_SIZE 48

/* Write the number with commas between thousands: 1,234,567. */
void
format_count(uint64_t value, char text[FORMAT_NUMBER_SIZE]);

/*
 * Write a value and its unit: what adds up as it is, anything else with the
 * prefix that suits it, "1.14" and "GHz". What is no number is "n/a".
 */
void
format_value(enum drmperf_unit of, enum drmperf_kind kind, double value,
	     char text[FORMAT_NUMBER_SIZE], char unit[FORMAT_NUMBER_SIZE]);

/*
 * Format a value per second, "45.2 GB/s": of a time its share, "38.2 %"; "" if
 * it does not add up, or in no time.
 */
void
format_rate(enum drmperf_unit of, enum drmperf_kind kind, double value,
	    double seconds, char text[FORMAT_NUMBER_SIZE]);

#endif /* DRMPERF_TOOL_UTIL_FORMAT_NUMBER_H */
