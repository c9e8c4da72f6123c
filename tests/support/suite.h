/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a suite and running it; CK_VERBOSITY and the like are as check has
 * them.
 */
#ifndef DRMPERF_TESTS_SUITE_H
#define DRMPERF_TESTS_SUITE_H

#include <stdbool.h>

#include "tests/support/check.h"

/*
 * Add a case to a suite, to which tests can then be added; each is run between
 * the functions, or with none for NULL.
 */
TCase *
suite_add_case(Suite *suite, const char *name, SFun set_up, SFun tear_down);

/* Add a suite with one such case, of the same name, to a runner. */
TCase *
runner_add_case(SRunner *runner, const char *name, SFun set_up, SFun tear_down);

/* Create a suite of one test. */
Suite *
suite_create_one(const char *name, const TTest *test);

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

/* Give up all capabilities, in a child. Returns false if that fails. */
bool
child_drop_capabilities(void);

/*
 * End a forked child. It becomes another program, so that valgrind does not
 * look for leaks in it: a child has what its parent was about to do, and no
 * thread that knows of it.
 */
_Noreturn void
child_end(int status);

#endif /* DRMPERF_TESTS_SUITE_H */
