/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A benchmark: what PAPI's calls cost with 1, 8 and 64 events. Over the
 * stand-in for the library this is the share of PAPI and the component.
 *
 * usage: cost EVENT...		64 of them, if the last line is wanted
 *	  cost once EVENT...	for callgrind to count start_once(),
 *				read_once() and stop_once()
 *	  cost init [OFFSET]	for callgrind to count what the component does
 *				in PAPI_library_init(), in a function of its
 *				own; that function's offset in libpapi has it
 *				timed instead
 */
#include <dlfcn.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/row.h"
#include "tests/papi/harness.h"

#define MAX_EVENTS 64
#define ROUNDS_MAX 51

static unsigned rounds = ROUNDS_MAX;
static int calls = 200;

static void
add_events(int set, char **events, int count)
{
	int i;

	for (i = 0; i < count; i++)
		must(PAPI_add_named_event(set, events[i]));
}

/* Measure each of the three in one round: ns per call. */
static void
measure_calls(char **events, int count, double *add, double *start,
	      double *read)
{
	long long values[MAX_EVENTS];
	int set = PAPI_NULL;
	double begin;
	int i;

	must(PAPI_create_eventset(&set));
	begin = bench_ms();
	add_events(set, events, count);
	*add = (bench_ms() - begin) * 1e6 / count;
	begin = bench_ms();
	for (i = 0; i < calls; i++) {
		must(PAPI_start(set));
		must(PAPI_stop(set, values));
	}
	*start = (bench_ms() - begin) * 1e6 / calls;
	must(PAPI_start(set));
	begin = bench_ms();
	for (i = 0; i < calls; i++)
		must(PAPI_read(set, values));
	*read = (bench_ms() - begin) * 1e6 / calls;
	must(PAPI_stop(set, values));
	must(PAPI_cleanup_eventset(set));
	must(PAPI_destroy_eventset(&set));
}

static void
measure_all(char **events, int count)
{
	double add[ROUNDS_MAX], start[ROUNDS_MAX], read[ROUNDS_MAX];
	const struct row_goal none = { 0 };
	char what[64];
	unsigned round;

	for (round = 0; round < rounds; round++)
		measure_calls(events, count, &add[round], &start[round],
			      &read[round]);
	printf("%6d %11.1f ns %11.1f ns %11.1f ns\n", count,
	       bench_median(read, rounds), bench_median(start, rounds),
	       bench_median(add, rounds));
	snprintf(what, sizeof(what), "PAPI_read of %d, library stood in for",
		 count);
	row_print(what, bench_median(read, rounds), "ns", none);
}

static __attribute__((noinline)) void
start_once(int set)
{
	must(PAPI_start(set));
}

static __attribute__((noinline)) void
read_once(int set, long long *values)
{
	must(PAPI_read(set, values));
}

static __attribute__((noinline)) void
stop_once(int set, long long *values)
{
	must(PAPI_stop(set, values));
}

/* Call once more: the second time, all that is done once has been done. */
static void
call_once(char **events, int count)
{
	long long values[MAX_EVENTS];
	int set = PAPI_NULL;

	must(PAPI_create_eventset(&set));
	add_events(set, events, count);
	must(PAPI_start(set));
	must(PAPI_read(set, values));
	must(PAPI_stop(set, values));
	start_once(set);
	read_once(set, values);
	stop_once(set, values);
}

static double
processor_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Time what the component adds to PAPI_library_init(): PAPI calls this once. */
static void
time_init(const char *offset)
{
	const struct row_goal goal = { "limit", 50, 1 };
	double us[ROUNDS_MAX], begin;
	int (*init)(int component);
	Dl_info libpapi;
	unsigned round;
	char *address;

	if (!dladdr((void *)PAPI_library_init, &libpapi)) {
		fprintf(stderr, "libpapi is not found\n");
		exit(1);
	}
	address = (char *)libpapi.dli_fbase + strtoul(offset, NULL, 16);
	memcpy(&init, &address, sizeof(init));
	for (round = 0; round < rounds; round++) {
		begin = processor_ns();
		init(PAPI_get_component_index("drm"));
		us[round] = (processor_ns() - begin) / 1e3;
	}
	row_print("PAPI_library_init without a GPU, the component",
		  bench_median(us, rounds), "us", goal);
}

int
main(int argc, char **argv)
{
	static const int counts[] = { 1, 8, MAX_EVENTS };
	size_t i;

	if (bench_is_short()) {
		rounds = 1;
		calls = 2;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 1;
	if (argc > 1 && !strcmp(argv[1], "init")) {
		if (argc > 2)
			time_init(argv[2]);
		PAPI_shutdown();
		return 0;
	}
	if (argc > 2 && argc <= MAX_EVENTS && !strcmp(argv[1], "once")) {
		call_once(argv + 2, argc - 2);
		PAPI_shutdown();
		return 0;
	}
	printf("%6s %14s %14s %14s\n", "events", "PAPI_read", "start + stop",
	       "add, each");
	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (argc - 1 >= counts[i])
			measure_all(argv + 1, counts[i]);
	}
	PAPI_shutdown();
	return 0;
}
