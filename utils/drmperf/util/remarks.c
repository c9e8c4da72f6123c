/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/remarks.h"

/* Clocks of two places are not exactly one. */
#define MOST_PERCENT 101

bool
remarks_is_impossible(double percent)
{
	return percent > MOST_PERCENT;
}

void
remarks_print_impossible(FILE *out, const char *event, double percent,
			 const char *of)
{
	fprintf(out,
		"\n %s is %.0f %%%s, which cannot be:\n"
		"   probably its counters did not count the same time, because "
		"the run was short,\n"
		"   another profiler uses the GPU, or the GPU was reset "
		"(dmesg). Count for longer,\n"
		"   and nothing else at the same time.\n",
		event, percent, of);
}
