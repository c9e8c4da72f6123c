/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A benchmark: what PAPI's calls cost with 1, 8 and 64 events. Over the
 * stand-in for the library this is the share of PAPI and the component.
 *
 * usage: cost EVENT...   64 of them, if the last line is wanted
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_EVENTS 64
#define ROUNDS 51

static double
now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
must(int rc, const char *what)
{
	if (rc == PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

/* Each of the three in one round: ns per call. */
static void
measure(char **events, int count, int calls, double *add, double *start,
	double *read)
{
	long long values[MAX_EVENTS];
	int set = PAPI_NULL;
	double begin;
	int i;

	must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	begin = now_ns();
	for (i = 0; i < count; i++)
		must(PAPI_add_named_event(set, events[i]), events[i]);
	*add = (now_ns() - begin) / count;
	begin = now_ns();
	for (i = 0; i < calls; i++) {
		must(PAPI_start(set), "PAPI_start");
		must(PAPI_stop(set, values), "PAPI_stop");
	}
	*start = (now_ns() - begin) / calls;
	must(PAPI_start(set), "PAPI_start");
	begin = now_ns();
	for (i = 0; i < calls; i++)
		must(PAPI_read(set, values), "PAPI_read");
	*read = (now_ns() - begin) / calls;
	must(PAPI_stop(set, values), "PAPI_stop");
	must(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

int
main(int argc, char **argv)
{
	static const int counts[] = { 1, 8, MAX_EVENTS };
	double add[ROUNDS], start[ROUNDS], read[ROUNDS];
	size_t i;
	int round;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 1;
	printf("%6s %14s %14s %14s\n", "events", "PAPI_read", "start + stop",
	       "add, each");
	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (argc - 1 < counts[i])
			break;
		for (round = 0; round < ROUNDS; round++)
			measure(argv + 1, counts[i], 200, &add[round],
				&start[round], &read[round]);
		printf("%6d %11.1f ns %11.1f ns %11.1f ns\n", counts[i],
		       median(read), median(start), median(add));
	}
	PAPI_shutdown();
	return 0;
}
