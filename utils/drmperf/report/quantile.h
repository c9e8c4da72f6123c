/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Below which value a part of all values lies, in bounded memory: of more than
 * QUANTILE_MOST values each second one is kept, then each fourth, and so on.
 */
#ifndef DRMPERF_TOOL_REPORT_QUANTILE_H
#define DRMPERF_TOOL_REPORT_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

#define QUANTILE_MOST 65536

/* Begins with zeros; released with quantile_finish(). */
struct quantile {
	double *values;
	size_t count, capacity;
	uint64_t seen; /* values, kept or not */
	/* each value is kept whose number has this many zeros */
	unsigned shift;
};

/* Add a value; NaN is none. Returns 0 or -ENOMEM. */
int
quantile_add(struct quantile *quantile, double value);

/*
 * Return the smallest value that percent % of the values do not exceed, NaN if
 * there are none. Changes the order of the values, so that none can be added
 * behind it.
 */
double
quantile_find(struct quantile *quantile, unsigned percent);

void
quantile_finish(struct quantile *quantile);

#endif /* DRMPERF_TOOL_REPORT_QUANTILE_H */
