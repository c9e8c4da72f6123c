/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remarks on values that cannot be, with the likely cause and the cure.
 */
#ifndef DRMPERF_TOOL_UTIL_REMARKS_H
#define DRMPERF_TOOL_UTIL_REMARKS_H

#include <stdbool.h>
#include <stdio.h>

/* Return whether a percentage exceeds 100 by more than clocks may differ. */
bool remarks_is_impossible(double percent);

/* Print the remark on such a percentage; of follows it: " of peak" or "". */
void remarks_print_impossible(FILE *out, const char *event, double percent,
			      const char *of);

#endif /* DRMPERF_TOOL_UTIL_REMARKS_H */
