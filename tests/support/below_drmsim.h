/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites that need GPUs: the program runs itself again below drmsim.
 */
#ifndef DRMPERF_TESTS_BELOW_DRMSIM_H
#define DRMPERF_TESTS_BELOW_DRMSIM_H

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

/* Have them run by main() of tests/support/main.c. */
#define TEST_MACHINES(machines)                                                \
	__attribute__((constructor)) static void machines##_add(void)          \
	{                                                                      \
		test_machines_set(machines,                                    \
				  sizeof(machines) / sizeof((machines)[0]));   \
	}                                                                      \
	struct machine

void
test_machines_set(const struct machine *machines, unsigned count);

/* Run them. Returns what main() does. */
int
test_machines_run(void);

/*
 * List the GPUs of "drmsim --list" that have this driver, MOST at most. Returns
 * how many there are.
 */
unsigned list_below_drmsim(const char *driver, char names[][32],
			   unsigned most);

#endif /* DRMPERF_TESTS_BELOW_DRMSIM_H */
