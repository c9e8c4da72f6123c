/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remarks on values that cannot be, with the likely cause and the cure.
 */
#ifndef DRMPERF_TOOL_REMARKS_H
#define DRMPERF_TOOL_REMARKS_H

#include <stdbool.h>
#include <stdio.h>

/* Return whether a share is more than all, which clocks of two places allow. */
bool remarks_is_impossible(double percent);

/* Print a remark on such a share; of is behind it, " of what ..." or "". */
void remarks_print_impossible(FILE *out, const char *event, double percent,
			      const char *of);

#endif /* DRMPERF_TOOL_REMARKS_H */
