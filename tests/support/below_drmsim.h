/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites that need GPUs: the program runs itself again below drmsim.
 */
#ifndef DRMPERF_TESTS_BELOW_DRMSIM_H
#define DRMPERF_TESTS_BELOW_DRMSIM_H

#include <stdbool.h>

#include "tests/support/check.h"

struct machine {
	const char *const *options; /* of drmsim, ends with NULL */
	const char *suite;	    /* what to run there */
};

/*
 * Run, on a machine of each kind, the suite of this program that belongs to it.
 * Returns what main() does: EXIT_FAILURE if a run failed.
 *
 * With VALGRIND in the environment, valgrind looks at the program there; if it
 * looks at it already, it did not follow.
 */
int below_drmsim(const struct machine *machines, unsigned count);

/*
 * Run it with GPUs in real time, whose reports have to be fetched in time. A
 * run that failed while others wanted each processor is run again, twice at
 * most: what fails each time is not for want of time.
 */
int below_drmsim_in_time(const struct machine *machines, unsigned count);

/* Machines that a file adds before main(), by the macros below. */
struct machines {
	const struct machine *first;
	unsigned count;
	struct machines *next;
};

void
below_drmsim_add(struct machines *machines);

#define TEST_MACHINES(array)                                                   \
	__attribute__((constructor)) static void array##_add(void)             \
	{                                                                      \
		static struct machines all = {                                 \
			.first = array,                                        \
			.count = ARRAY_SIZE(array),                            \
		};                                                             \
                                                                               \
		below_drmsim_add(&all);                                        \
	}                                                                      \
	struct machines

/* Add a machine with these options of drmsim, for a suite. */
#define TEST_MACHINE(suite, ...) TEST_MACHINE_AT(__LINE__, suite, __VA_ARGS__)
#define TEST_MACHINE_AT(line, suite, ...)                                      \
	TEST_MACHINE_OF(line, suite, __VA_ARGS__)
#define TEST_MACHINE_OF(line, suite, ...)                                      \
	static const struct machine machine_##line[] = {                       \
		{ (const char *const[]){ __VA_ARGS__, NULL }, suite },         \
	};                                                                     \
	TEST_MACHINES(machine_##line)

/* Run all of them. main() of tests/support/main.c does, too. */
int
below_drmsim_all(void);
int
below_drmsim_all_in_time(void);

/* Return whether there are any. */
bool
below_drmsim_has_machines(void);

/*
 * List the GPUs of "drmsim --list" that have this driver, MOST at most. Returns
 * how many there are.
 */
unsigned list_below_drmsim(const char *driver, char names[][32],
			   unsigned most);

#endif /* DRMPERF_TESTS_BELOW_DRMSIM_H */
