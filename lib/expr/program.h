/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an expression is compiled into: a list of operations on a frame of
 * slots, each with its types settled, so that evaluating it asks nothing.
 *
 *   [ constants | operands, one per aggregated counter | intermediate values ]
 */
#ifndef DRMPERF_LIB_EXPR_PROGRAM_H
#define DRMPERF_LIB_EXPR_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec2.h"
#include "drmperf.h"

/* The frame lives on the stack of the thread that reads a session. */
#define EXPR_MAX_SLOTS 512

/*
 * _U works on integers, _F on doubles. _W has a first operand or a result of
 * 128 bits, which takes two slots, the low half first; the low half alone is
 * the value modulo 2^64.
 */
enum expr_op {
	OP_ADD_U,
	OP_SUB_U,
	OP_MUL_U,
	OP_MUL_W,  /* 64 x 64 bits */
	OP_MUL_LW, /* 128 x 64 bits */
	OP_MUL_RW, /* 64 x 128 bits */
	OP_MUL_WW, /* 128 x 128 bits */
	OP_DIV_U,
	OP_DIV_W, /* 128 by 64 bits */
	OP_MOD_U,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_NOT,
	OP_SHL,
	OP_SHR,
	OP_EQ_U,
	OP_NE_U,
	OP_LT_U,
	OP_LE_U,
	OP_MIN_U,
	OP_MAX_U,
	OP_ADD_F, /* up to OP_MAX_F, of doubles */
	OP_SUB_F,
	OP_MUL_F,
	OP_DIV_F,
	OP_NEG_F,
	OP_EQ_F,
	OP_NE_F,
	OP_LT_F,
	OP_LE_F,
	OP_MIN_F,
	OP_MAX_F,
	OP_SELECT, /* a ? b : c, of any one type */
	OP_MUL_TO_F, /* (double)(a * b), of all 128 bits */
	OP_RATIO,    /* (double)(a * b) / (double)c */
	/* OP_DIV_F and OP_RATIO, but a division by 0 gives NaN. */
	OP_QUOTIENT_F,
	OP_QUOTIENT_RATIO,
	OP_U_TO_F,
	OP_W_TO_F,
	OP_F_TO_U,
};

struct expr_instruction {
	uint16_t op;
	uint16_t to, a, b, c; /* slots; those not used are 0 */
};

enum expr_aggregate {
	AGGREGATE_SUM,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_AVR,
	AGGREGATE_AT, /* one of them */
};

/* How a slot is made from a counter's instances. */
struct expr_operand {
	size_t input;
	enum expr_aggregate aggregate;
	/*
	 * Instances this far apart are summed before anything else; 0: none
	 * are.
	 */
	unsigned fold;
	unsigned at; /* AGGREGATE_AT: which one, of what has been summed */
};

struct expr_program {
	const union drmperf_value *constants;
	size_t constant_count;
	const struct expr_operand *operands;
	size_t operand_count;
	const struct expr_instruction *instructions;
	size_t instruction_count;
	uint16_t result; /* slot */
};

/* Return how many of a, b and c an operation uses. */
unsigned expr_op_arity(enum expr_op op);

/* Return true if its result takes two slots. */
bool expr_op_is_wide(enum expr_op op);

/* Values of a counter: one per instance, or only that of the one asked for. */
struct expr_input {
	const uint64_t *values;
	size_t count;
};

/* Return the sum of every step-th value. */
static inline uint64_t
expr_sum(const struct expr_input *input, size_t first, size_t step)
{
	uint64_t sum = 0;
	size_t i;

	for (i = first; i < input->count; i += step)
		sum += input->values[i];
	return sum;
}

/* Return the sum of all values. */
static inline uint64_t
expr_total(const struct expr_input *input)
{
	const uint64_t *values = input->values;
	size_t i = input->count;
	uint64_t odd = 0;
	vec2 sums = { 0 };

	if (i % 2)
		odd = values[--i];
	/* down to 0, which is not to be compared with */
	while (i) {
		i -= 2;
		sums += vec2_load(&values[i]);
	}
	return odd + sums[0] + sums[1];
}

/* Return an operand's value. */
union drmperf_value expr_aggregate(const struct expr_operand *operand,
				   const struct expr_input *input);

/* Apply the rule for a double that becomes an integer. */
uint64_t expr_truncate(double value);

/*
 * Return the value of one program, of the type of the source; expr/batch.h has
 * those of many at once. inputs is indexed by the resolver's numbers; it may be
 * NULL for a program without counters. Never allocates, never fails.
 */
union drmperf_value
expr_eval(const struct expr_program *program, const struct expr_input *inputs);

#endif /* DRMPERF_LIB_EXPR_PROGRAM_H */
