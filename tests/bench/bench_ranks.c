/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes that read counters of one GPU each millisecond, as ranks of
 * MPI do: what a read takes of the processor's time, beside that of a process
 * which is alone, and whether they come to read equally often. The simulator's
 * share within a process is in the times.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "tests/bench/row.h"

#define RANKS_MAX 16
#define MS 1000000u

/* In the environment of the program below drmsim: how many ranks there are. */
#define VARIABLE "BENCH_RANKS"

struct rank {
	unsigned reads;
	double cpu_us;
};

/* What ranks share, in memory. */
struct world {
	atomic_uint ready;
	struct rank ranks[RANKS_MAX];
};

static int
fail_bench(const char *cause)
{
	fprintf(stderr, "bench_ranks: %s\n", cause);
	return EXIT_FAILURE;
}

/* ------------------------------------------------------------------ */
/* A rank                                                               */

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

static void
sleep_until(uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t)(ns / (1000 * MS)),
				       .tv_nsec = (long)(ns % (1000 * MS)) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/* Wait until all ranks count: what one takes to start is not measured. */
static void
wait_for_all(struct world *world, unsigned count)
{
	atomic_fetch_add(&world->ready, 1);
	while (atomic_load(&world->ready) < count)
		sleep_until(clock_ns(CLOCK_MONOTONIC) + MS);
}

static int
rank_read(struct drmperf_session *session, struct rank *rank)
{
	const unsigned ms = bench_is_short() ? 20 : 3000;
	uint64_t next = clock_ns(CLOCK_MONOTONIC), end = next + ms * MS;
	uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct drmperf_error error;
	union drmperf_value value;

	while (clock_ns(CLOCK_MONOTONIC) < end) {
		if (drmperf_session_read(session, &value, NULL, NULL, &error))
			return fail_bench(error.cause);
		rank->reads++;
		next += MS;
		sleep_until(next);
	}
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	rank->cpu_us = (double)cpu / 1000;
	return 0;
}

static int
rank_run(struct world *world, unsigned count, struct rank *rank)
{
	struct drmperf_session *session;
	struct drmperf_selection event;
	struct drmperf_error error;
	struct drmperf *drmperf;
	int status;

	if (drmperf_create(NULL, &drmperf, &error) ||
	    drmperf_event_find(drmperf, "GRBM.COUNT", &event, &error) ||
	    drmperf_session_create(drmperf, &event, 1, NULL, &session,
				   &error) ||
	    drmperf_session_start(session, &error))
		return fail_bench(error.cause);
	wait_for_all(world, count);
	status = rank_read(session, rank);
	drmperf_session_destroy(session);
	drmperf_destroy(drmperf);
	return status;
}

/* ------------------------------------------------------------------ */
/* Below drmsim                                                         */

/* Wait for their ends; where one fails, the others wait for it no longer. */
static int
wait_for_ranks(struct world *world, unsigned count)
{
	int status, failed = 0;

	while (count--) {
		if (wait(&status) < 0 || status) {
			failed = EXIT_FAILURE;
			atomic_fetch_add(&world->ready, RANKS_MAX);
		}
	}
	return failed;
}

/* Print the time of a read, and how often the ranks with most and least did. */
static void
print_rank_reads(const struct world *world, unsigned count)
{
	unsigned reads = 0, most = 0, least = UINT32_MAX;
	double cpu_us = 0;

	for (const struct rank *rank = world->ranks;
	     rank < world->ranks + count; rank++) {
		reads += rank->reads;
		cpu_us += rank->cpu_us;
		most = rank->reads > most ? rank->reads : most;
		least = rank->reads < least ? rank->reads : least;
	}
	printf("%f %u %u\n", cpu_us / reads, most, least);
}

static int
run_below_drmsim(unsigned count)
{
	struct world *world =
		mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (world == MAP_FAILED || count < 1 || count > RANKS_MAX)
		return fail_bench("no memory, or a wrong number of ranks");
	for (unsigned i = 0; i < count; i++) {
		pid_t child = fork();

		if (child < 0)
			return fail_bench("no process");
		if (!child)
			_exit(rank_run(world, count, &world->ranks[i]));
	}
	if (wait_for_ranks(world, count))
		return EXIT_FAILURE;
	print_rank_reads(world, count);
	return EXIT_SUCCESS;
}

/* ------------------------------------------------------------------ */

/* Run ranks on one GPU; returns the time of a read in us. */
static double
measure_ranks(unsigned count, unsigned *most, unsigned *least)
{
	const char *build = getenv("BUILD_DIR");
	char command[4400], number[16];
	double us = 0;
	FILE *output;

	if (!build)
		build = "build";
	snprintf(command, sizeof(command),
		 "%s/bin/drmsim --gpu vega10 -- %s/bench/bench_ranks", build,
		 build);
	snprintf(number, sizeof(number), "%u", count);
	setenv(VARIABLE, number, 1);
	output = popen(command, "r");
	if (!output || fscanf(output, "%lf %u %u", &us, most, least) != 3 ||
	    pclose(output))
		exit(fail_bench("no result"));
	return us;
}

int
main(void)
{
	const char *ranks = getenv(VARIABLE);
	unsigned most, least;
	double alone, one;

	if (ranks)
		return run_below_drmsim((unsigned)strtoul(ranks, NULL, 10));
	alone = measure_ranks(1, &most, &least);
	one = measure_ranks(RANKS_MAX, &most, &least);
	row_print("a read of one of 16 processes, processor's time", one, "us",
		  (struct row_goal){ "alone", alone, 1.5 });
	row_print("reads of the 16th that has most", most, "",
		  (struct row_goal){ "that has least", least, 1.25 });
	return EXIT_SUCCESS;
}
