/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites, whose cases and tests add themselves, and running them; CK_VERBOSITY
 * and the like are as check has them.
 */
#ifndef DRMPERF_TESTS_SUITE_H
#define DRMPERF_TESTS_SUITE_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>

#include "tests/support/check.h"

/* A case: tests that run between the same functions. */
struct test_case {
	const char *name;
	const char *const *suites; /* their names, and NULL */
	SFun set_up, tear_down;
	struct test *first, **end;
	struct test_case *next;
};

/* A test of a case, which runs count times, with _i from 0 on. */
struct test {
	const TTest *test;
	int count;
	struct test *next;
};

/* Add a case, or a test to a case, before main(): for the macros below. */
void
test_case_add(struct test_case *tcase);
void
test_add(struct test_case *tcase, struct test *test, int count);

/*
 * Define a case of the suite, or suites, whose names come last. The functions
 * are called before and after each of its tests, and may be NULL.
 */
#define TEST_CASE(tcase, before, after, ...)                                   \
	static struct test_case tcase##_case = {                               \
		.name = #tcase,                                                \
		.suites = (const char *const[]){ __VA_ARGS__, NULL },          \
		.set_up = before,                                              \
		.tear_down = after,                                            \
	};                                                                     \
	__attribute__((constructor)) static void tcase##_case_add(void)        \
	{                                                                      \
		test_case_add(&tcase##_case);                                  \
	}                                                                      \
	struct test_case

/* Begin a test of a case, behind which its body stands. */
#define TEST(tcase, name) TEST_LOOP(tcase, name, 1)

/* Begin a test that runs count times; _i says which time it is. */
#define TEST_LOOP(tcase, name, count)                                          \
	static void name##_fn(int _i);                                         \
	static const TTest name##_test = { #name, name##_fn, __FILE__,         \
					   __LINE__ };                         \
	TEST_ALSO(tcase, name, count);                                         \
	static void name##_fn(int _i __attribute__((unused)))

/* Add a test to another case. */
#define TEST_ALSO(tcase, name, count)                                          \
	__attribute__((constructor)) static void tcase##_##name##_add(void)    \
	{                                                                      \
		static struct test test = { .test = &name##_test };            \
                                                                               \
		test_add(&tcase##_case, &test, (int)(count));                  \
	}                                                                      \
	struct test

/* Set a variable of the environment for all tests of a program. */
#define TEST_SETTING(name, value)                                              \
	__attribute__((constructor)) static void name##_set(void)              \
	{                                                                      \
		setenv(#name, value, 1);                                       \
	}                                                                      \
	struct test

/* How the tests of a program run. */
extern struct test_options {
	/*
	 * Each in a process, whatever CK_FORK says: where a process keeps
	 * something until it ends.
	 */
	bool in_processes;
	void (*begin)(void); /* before all tests */
} test_options;

/* Set a member of that. */
#define TEST_OPTION(name, value)                                               \
	__attribute__((constructor)) static void name##_option_set(void)       \
	{                                                                      \
		test_options.name = value;                                     \
	}                                                                      \
	struct test

/*
 * Return 1 to try one of so many things: of step as usual, of 16 times as many
 * in valgrind, and each with CHECK_ALL in the environment.
 */
unsigned
test_step(unsigned step);

/*
 * Run the suites of all cases, or that of CK_RUN_SUITE. Returns what main()
 * returns, EXIT_FAILURE if a test failed.
 */
int
tests_run(void);

/*
 * Keep a forked child's messages from libcheck's file: those of several
 * processes get mixed there. A check that fails in it still ends it with status
 * 1, which its parent has to look at.
 */
void
child_begin(void);

/* A forked process, and a line to it; there it is the line to its parent. */
struct child {
	pid_t pid; /* 0 in that process */
	int line;
};

/* Fork a process, which begins as above. Returns true in it. */
bool
child_fork(struct child *child);

/* Write to the other side of a line, which reads that. */
void
child_tell(const struct child *child);
void
child_await(const struct child *child);

/* Return whether the other side writes before it ends, or ends the line. */
bool
child_hears(const struct child *child);

/* Tell the parent, in a child, and do nothing more until it kills this one. */
_Noreturn void
child_hold(const struct child *child);

/* Wait until a child holds. Returns its number; its line is closed. */
pid_t
child_await_hold(struct child *child);

/* End the line to a child, which then ends with status 0. */
void
child_finish(struct child *child);

/* Give up all capabilities, in a child. Returns false if that fails. */
bool
child_drop_capabilities(void);

/* Wait for the end of a child, and expect that its status is 0. */
void
child_join(pid_t child);

/* Kill a child, and wait for its end. */
void
child_kill(pid_t child);

/*
 * End a forked child. It becomes another program, so that valgrind does not
 * look for leaks in it: a child has what its parent was about to do, and no
 * thread that knows of it.
 */
_Noreturn void
child_end(int status);

#endif /* DRMPERF_TESTS_SUITE_H */
