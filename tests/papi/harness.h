/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the component by way of PAPI: each is a function that runs in a
 * process of its own and tells by one line on standard output how it went.
 *
 * Numbers are known beforehand: do_work() makes each counter grow by its rate,
 * be it in the stand-in for the library or in drmsim's virtual time.
 */
#ifndef DRMPERF_TESTS_PAPI_HARNESS_H
#define DRMPERF_TESTS_PAPI_HARNESS_H

#include <papi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define HARNESS_EVENTS 16

/* An event, and by how much it grows with one unit of work. */
struct counted {
	char name[128];
	long long rate;
};

struct test {
	const char *name;
	void (*run)(void);
};

/*
 * From the command line, NAME=RATE each: the first nine are counters of one
 * group that can count eight at once; those after them fit beside those eight.
 */
extern struct counted counted[HARNESS_EVENTS];
extern int counted_count;

#define GROUP_SIZE 8

/* Let so much work be done, as seen by the counters. */
void
do_work(unsigned amount);

/* Read the command line, run all tests; main()'s result. */
int harness_main(int argc, char **argv, const struct test *tests, size_t count);

/* Ends the test with a failure. */
_Noreturn void harness_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Ends the test, which cannot be done here. */
_Noreturn void harness_skip(const char *reason);

/* A PAPI call, or anything else that must hold. */
#define must(call) \
	do { \
		int must_rc = (call); \
		if (must_rc != PAPI_OK) \
			harness_fail(__FILE__, __LINE__, "%s: %s", #call, \
				     PAPI_strerror(must_rc)); \
	} while (0)
#define must_be(call, code) \
	do { \
		int must_rc = (call); \
		if (must_rc != (code)) \
			harness_fail(__FILE__, __LINE__, "%s: %d, not %s", \
				     #call, must_rc, #code); \
	} while (0)
#define must_hold(condition) \
	do { \
		if (!(condition)) \
			harness_fail(__FILE__, __LINE__, "%s", #condition); \
	} while (0)
#define must_equal(value, expected) \
	do { \
		long long must_a = (value), must_b = (expected); \
		if (must_a != must_b) \
			harness_fail(__FILE__, __LINE__, "%s is %lld, not " \
				     "%s, %lld", #value, must_a, #expected, \
				     must_b); \
	} while (0)

/* Call PAPI_library_init(). Returns the index of the component. */
int init_papi(void);

/*
 * Call init_papi() in a test that calls it again after PAPI_shutdown(). The
 * test is skipped if PAPI crashes in its second PAPI_library_init() although
 * the component has no library: PAPI 7.1 does if it has presets for the CPU and
 * finds no PMU.
 */
int init_papi_first(void);

/* Create an EventSet with counted[first] to counted[last]. */
int make_set(int first, int last);

/* Create an EventSet with events by their names. */
int
make_named_set(const char *const *names, int count);

/* Check the values of a set that holds counted[first] to counted[last]. */
void check_values(const long long *values, int first, int last,
		  long long amount);

#endif /* DRMPERF_TESTS_PAPI_HARNESS_H */
