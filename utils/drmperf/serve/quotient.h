/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas that are quotients, so that averages can be made of their parts.
 */
#ifndef DRMPERF_TOOL_SERVE_QUOTIENT_H
#define DRMPERF_TOOL_SERVE_QUOTIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "drmperf.h"

/* A formula as scale * numerator / denominator, which are steps of it. */
struct quotient {
	unsigned numerator, denominator;
	double scale;
};

/*
 * Find the quotient that a formula is, where only a constant limits it or takes
 * its place. False: it is none.
 */
bool
quotient_find(const struct drmperf_step *steps, size_t count,
	      struct quotient *out);

#endif /* DRMPERF_TOOL_SERVE_QUOTIENT_H */
