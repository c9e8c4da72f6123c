/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was counted between two times that are not those of samples: of the
 * samples around it, the part that lies within.
 */
#ifndef DRMPERF_TOOL_REPORT_BRACKET_H
#define DRMPERF_TOOL_REPORT_BRACKET_H

#include "report/interval.h"

/* Begins with the times and zeros, ends with bracket_finish(). */
struct bracket {
	uint64_t from_ns, to_ns;
	/* own */
	struct recording_value *before, *after; /* NULL: nothing was counted */
	struct interval_readings *readings;
	uint64_t begin_ns, end_ns; /* of the samples around it */
	bool from_start;
};

/*
 * Take from the next interval of a walk what lies within: the last one that
 * begins no later than the bracket opens it, the first one behind closes it.
 * Returns 0 or -ENOMEM.
 */
int
bracket_widen(struct bracket *bracket, const struct interval *interval);

struct interval
bracket_interval(const struct bracket *bracket,
		 const struct recording *recording);
void
bracket_finish(struct bracket *bracket);

#endif /* DRMPERF_TOOL_REPORT_BRACKET_H */
