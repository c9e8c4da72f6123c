/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/program.h"

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

/*
 * Round towards zero. Negative values wrap modulo 2^64, as subtracting integers
 * does; what is out of range on either side stops at the end of the range.
 */
uint64_t
expr_truncate(double value)
{
	if (value >= TWO_TO_64)
		return UINT64_MAX;
	if (value > -1.0)
		return (uint64_t)value;
	if (value > -TWO_TO_63)
		return (uint64_t)(int64_t)value;
	return value <= -TWO_TO_63 ? (uint64_t)1 << 63
				   : 0; /* 0: not a number */
}

unsigned
expr_op_arity(enum expr_op op)
{
	switch (op) {
	case OP_NOT:
	case OP_NEG_F:
	case OP_U_TO_F:
	case OP_W_TO_F:
	case OP_F_TO_U:
		return 1;
	case OP_SELECT:
	case OP_RATIO:
	case OP_QUOTIENT_RATIO:
		return 3;
	default:
		return 2;
	}
}

bool
expr_op_is_wide(enum expr_op op)
{
	return op == OP_MUL_W || op == OP_MUL_LW || op == OP_MUL_RW ||
	       op == OP_MUL_WW;
}

static uint64_t
least_or_most(const struct expr_input *input, size_t parts, bool most)
{
	uint64_t best, value;
	size_t i;

	best = expr_sum(input, 0, parts);
	for (i = 1; i < parts; i++) {
		value = expr_sum(input, i, parts);
		if (most ? value > best : value < best)
			best = value;
	}
	return best;
}

union drmperf_value
expr_aggregate(const struct expr_operand *operand,
	       const struct expr_input *input)
{
	size_t parts = input->count;
	union drmperf_value value;

	if (operand->fold && operand->fold < parts)
		parts = operand->fold;
	if (operand->aggregate == AGGREGATE_AT) {
		value.u64 = expr_sum(input, operand->at, parts);
	} else if (operand->aggregate == AGGREGATE_AVR) {
		value.f64 = (double)expr_sum(input, 0, 1);
		value.f64 = parts ? value.f64 / (double)parts : 0.0;
	} else if (operand->aggregate == AGGREGATE_SUM || parts <= 1) {
		value.u64 = expr_sum(input, 0, 1);
	} else {
		value.u64 = least_or_most(input, parts,
					  operand->aggregate == AGGREGATE_MAX);
	}
	return value;
}
