/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions over counters, compiled once and evaluated often.
 *
 * Two languages give the same kind of program: the infix one of
 * events/README.md, which ROCm's differs little from, and the reverse Polish
 * one of Intel's OA tables. This
 * module knows neither devices nor events: a resolver tells what a word of
 * the text means, and numbers the counters as it likes.
 */
#ifndef DRMPERF_LIB_EXPR_EXPR_H
#define DRMPERF_LIB_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "driver/description.h"
#include "drmperf.h"

struct expr_program;

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

/* What a word means. */
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

/* Values of a counter: one per instance, or only that of the one asked for. */
struct expr_input {
	const uint64_t *values;
	size_t count;
};

/*
 * Compile. The program lives in the arena and holds nothing of source.
 *
 * Returns 0; -EBADMSG with file, line and position in the text if it is not
 * an expression; -ELOOP if a metric uses itself; -E2BIG if it is too long or
 * nested too deeply; -ENOMEM; the errors of the resolver.
 */
int expr_compile(const struct expr_source *source,
		 const struct expr_resolver *resolver, struct arena *arena,
		 const struct expr_program **out, struct drmperf_error *error);

/*
 * Compile a text of Intel's OA tables that belongs to no event: the maximum of
 * a counter, the condition of a register list. The same errors.
 */
int expr_compile_rpn(const char *text, const char *file, int line,
		     enum drmperf_type type,
		     const struct expr_resolver *resolver, struct arena *arena,
		     const struct expr_program **out,
		     struct drmperf_error *error);

/*
 * The value, of the type of the source. inputs is indexed by the resolver's
 * numbers; it may be NULL for a program without counters. Never allocates,
 * never fails.
 */
union drmperf_value expr_eval(const struct expr_program *program,
			      const struct expr_input *inputs);

#endif /* DRMPERF_LIB_EXPR_EXPR_H */
