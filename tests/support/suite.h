/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running a suite; CK_VERBOSITY and the like are as check documents them.
 */
#ifndef DRMPERF_TESTS_SUITE_H
#define DRMPERF_TESTS_SUITE_H

#include "tests/support/check.h"

/*
 * Run a suite. Returns what main() returns, EXIT_FAILURE if a test failed. The
 * suite is freed.
 */
int
suite_run(Suite *suite);

/*
 * Run it with a process for each test, whatever CK_FORK says: where a process
 * keeps something until it ends.
 */
int
suite_run_in_processes(Suite *suite);

/* Run the suites that a runner has. */
int
suites_run(SRunner *runner);

/*
 * Keep a forked child's messages from libcheck's file: those of several
 * processes get mixed there. A check that fails in it still ends it with status
 * 1, which its parent has to look at.
 */
void
child_begin(void);

/*
 * End a forked child. It becomes another program, so that valgrind does not
 * look for leaks in it: a child has what its parent was about to do, and no
 * thread that knows of it.
 */
_Noreturn void
child_end(int status);

#endif /* DRMPERF_TESTS_SUITE_H */
