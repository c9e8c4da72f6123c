/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions over counters as they are given: a text, and a resolver that
 * knows what its words mean.
 *
 * Two languages give the same kind of program: the infix one of
 * events/README.md, which ROCm's differs little from, and the reverse Polish
 * one of Intel's OA tables. This folder knows neither devices nor events: a
 * resolver finds what a word of the text means, and numbers the counters as it
 * likes.
 */
#ifndef DRMPERF_LIB_EXPR_SOURCE_H
#define DRMPERF_LIB_EXPR_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "drmperf.h"

enum expression_language {
	EXPRESSION_INFIX,  /* ours: "Expressions" in events/README.md */
	EXPRESSION_ROCM,   /* the same, but differences may be negative */
	EXPRESSION_OA_RPN, /* Intel's OA tables: "A 7 READ 100 UMUL" */
};

/* A text to be compiled. */
struct expr_source {
	const char *text;
	const char *file; /* for complaints: "FILE:LINE: ..." */
	int line;
	enum expression_language language;
	enum drmperf_type type; /* the result is converted to it */
	/*
	 * For the resolver: whose expression this is, so that a short name can
	 * mean an event of the same group. Sources with the same scope are the
	 * same metric: that is how cycles are found.
	 */
	size_t scope;
};

enum expr_symbol_kind {
	EXPR_CONSTANT,
	EXPR_COUNTER,
	EXPR_METRIC,
};

/* The meaning of a word. */
struct expr_symbol {
	enum expr_symbol_kind kind;
	/* EXPR_CONSTANT */
	enum drmperf_type type;
	union drmperf_value value;
	/* EXPR_COUNTER: which of the inputs of expr_eval() */
	size_t input;
	unsigned instances_per_engine;
	/* EXPR_METRIC: compiled into the program, once however often used */
	struct expr_source metric;
};

/*
 * Each function returns 0; -ENOENT where the word means nothing, and then
 * expr_compile() writes the complaint; or another error that it has put into
 * error itself.
 */
struct expr_resolver {
	/* "SQ.WAVES", "WAVES", "SE_NUM"; OA: "GpuCoreClocks" without its $ */
	int (*name)(void *data, size_t scope, const char *name, size_t length,
		    struct expr_symbol *out, struct drmperf_error *error);
	/* OA: "A 7 READ". NULL where there are no counters. */
	int (*read)(void *data, size_t scope, const char *bank, size_t length,
		    uint64_t index, struct expr_symbol *out,
		    struct drmperf_error *error);
	/*
	 * accumulate(X) and accumulate(X, WHICH): the counter that sums the
	 * counter X, of number input, in the slot after it. which has length 0
	 * if absent. NULL where there is none.
	 */
	int (*accumulate)(void *data, size_t scope, size_t input,
			  const char *which, size_t length,
			  struct expr_symbol *out,
			  struct drmperf_error *error);
	void *data;
};

#endif /* DRMPERF_LIB_EXPR_SOURCE_H */
