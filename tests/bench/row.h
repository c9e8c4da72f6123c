/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of the table that "make bench" ends with. A benchmark prints them
 * among its other lines; table.sh finds them and says which goals are met.
 */
#ifndef DRMPERF_TESTS_BENCH_ROW_H
#define DRMPERF_TESTS_BENCH_ROW_H

#include <stdbool.h>

/*
 * What another tool takes, or a limit. The goal is to take at most that many
 * times that; 0: no goal, the figure is only shown.
 */
struct row_goal {
	const char *whose; /* NULL: nothing to compare with */
	double theirs;
	double most;
};

/* Print a row of texts without tabs. */
void
row_print(const char *what, double ours, const char *unit,
	  struct row_goal goal);

/*
 * Return whether to try each thing once or so, to see that it works:
 * BENCH_SHORT is in the environment. Figures mean nothing then.
 */
bool
bench_is_short(void);

/* Return the time by the clock, and that which this thread has computed. */
double
bench_ms(void);
double
bench_cpu_ms(void);

/* Return the one in the middle; sorts them. */
double
bench_median(double *values, unsigned count);

#endif /* DRMPERF_TESTS_BENCH_ROW_H */
