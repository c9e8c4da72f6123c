/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of formulas from values of their parts.
 */
#ifndef DRMPERF_TOOL_UTIL_EVALUATE_H
#define DRMPERF_TOOL_UTIL_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>

#include "drmperf.h"

/* Return the value of a part. */
typedef double evaluate_part(const void *data, unsigned part);

/*
 * Compute the results of all steps; the last one is the formula's value. Where
 * a quotient divides by 0 it is NaN.
 */
void
evaluate_steps(const struct drmperf_step *steps, size_t count,
	       evaluate_part *part, const void *data, double *results);

/* A formula as scale * numerator / denominator, which are steps of it. */
struct evaluate_quotient {
	unsigned numerator, denominator;
	double scale;
};

/*
 * Find the quotient that a formula is, where only a constant limits it or takes
 * its place. False: it is none.
 */
bool
evaluate_find_quotient(const struct drmperf_step *steps, size_t count,
		       struct evaluate_quotient *out);

#endif /* DRMPERF_TOOL_UTIL_EVALUATE_H */
