/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small world of words: counters with values, constants and metrics, and
 * expressions of them.
 */
#ifndef DRMPERF_TESTS_EXPR_WORDS_H
#define DRMPERF_TESTS_EXPR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/compile.h"

#define WORDS_COUNTERS 10

/* An expression's inputs are these, by number. */
extern const struct words_counter {
	const char *name;
	const uint64_t *values;
	size_t count;
	unsigned instances_per_engine;
} words_counters[WORDS_COUNTERS];

/* Compile; complaints name line 12 of test.xml. */
int
words_compile(const char *text, enum expression_language language,
	      enum drmperf_type type, struct arena *arena,
	      const struct expr_program **out, struct drmperf_error *error);

/* Return what a program gives for the values of all counters. */
union drmperf_value
words_run(const struct expr_program *program);

/* Compile in both languages; a text that does not compile fails the test. */
union drmperf_value
words_value(const char *text, enum expression_language language,
	    enum drmperf_type type);

/* Return whether they are equal, also if both are no number. */
bool
words_same(double a, double b);

#endif /* DRMPERF_TESTS_EXPR_WORDS_H */
