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

/* What a file adds before main(), by the macros below. */
struct machines {
	const char *suite;
	const char *const *words; /* options of one, or the GPUs of several */
	bool are_gpus;
	struct machines *next;
};

void
below_drmsim_add(struct machines *machines);

/* Add a machine with these options of drmsim, for a suite. */
#define TEST_MACHINE(suite, ...)                                               \
	TEST_MACHINES_AT(__LINE__, suite, false, __VA_ARGS__)
/* Add a machine in virtual time with each of these GPUs, for a suite. */
#define TEST_GPUS(suite, ...)                                                  \
	TEST_MACHINES_AT(__LINE__, suite, true, __VA_ARGS__)
#define TEST_MACHINES_AT(line, ...) TEST_MACHINES_OF(line, __VA_ARGS__)
#define TEST_MACHINES_OF(line, name, gpus, ...)                                \
	static struct machines machines_##line = {                             \
		.suite = name,                                                 \
		.words = (const char *const[]){ __VA_ARGS__, NULL },           \
		.are_gpus = gpus,                                              \
	};                                                                     \
	__attribute__((constructor)) static void machines_##line##_add(void)   \
	{                                                                      \
		below_drmsim_add(&machines_##line);                            \
	}                                                                      \
	struct machines

/* How all of them run. */
extern struct machine_options {
	bool in_time; /* as below_drmsim_in_time() does */
	unsigned in_valgrind; /* as many, the first ones; 0 for all */
} machine_options;

/* Set a member of that. */
#define TEST_MACHINE_OPTION(name, value)                                       \
	__attribute__((constructor)) static void name##_option_set(void)       \
	{                                                                      \
		machine_options.name = value;                                  \
	}                                                                      \
	struct machines

/* Run all of them. main() of tests/support/main.c does, too. */
int
below_drmsim_all(void);

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
