/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All values of a session at once.
 *
 * Programs whose inputs stay where they are become one list of operations on
 * addresses, in which what several of them compute is computed once: the
 * counters of a metric set are a few dozen small programs, most of them over
 * the same clock.
 */
#ifndef DRMPERF_LIB_EXPR_BATCH_H
#define DRMPERF_LIB_EXPR_BATCH_H

#include <stddef.h>

#include "expr/program.h"

struct expr_batch;

struct expr_batch_entry {
	/* NULL: the value is the sum of inputs[0], */
	const struct expr_program *program;
	enum drmperf_type type; /* as this type */
	const struct expr_input *inputs; /* as for expr_eval() */
};

/*
 * Create a batch. The memory that inputs point to must live as long as the
 * batch; the values there may change, the counts may not. The programs are
 * needed only here. Returns 0, or -ENOMEM.
 */
int expr_batch_create(const struct expr_batch_entry *entries, size_t count,
		      struct expr_batch **out);
void expr_batch_destroy(struct expr_batch *batch);

/*
 * Compute the values of all entries, those that expr_eval() gives. Never
 * allocates, never fails; by one thread at a time.
 */
void expr_batch_eval(struct expr_batch *batch, union drmperf_value *values);

#endif /* DRMPERF_LIB_EXPR_BATCH_H */
