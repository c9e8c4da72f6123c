/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/bench/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void
row_print(const char *what, double ours, const char *unit, struct row_goal goal)
{
	printf("row\t%s\t%s\t%.10g", what, unit, ours);
	if (goal.whose)
		printf("\t%s\t%.10g", goal.whose, goal.theirs);
	else
		printf("\t-\t-");
	if (goal.most > 0)
		printf("\t%.3g\n", goal.most);
	else
		printf("\t-\n");
}

bool
bench_is_short(void)
{
	return getenv("BENCH_SHORT");
}

static double
clock_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double
bench_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

double
bench_cpu_ms(void)
{
	return clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
bench_median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return values[count / 2];
}
