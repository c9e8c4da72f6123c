/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr.h"

#include "expr_program.h"

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

__extension__ typedef unsigned __int128 uint128;

/*
 * Towards zero. Negative values wrap modulo 2^64, as subtracting integers
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

static uint64_t
sum_of(const struct expr_input *input, size_t first, size_t step)
{
	uint64_t sum = 0;
	size_t i;

	for (i = first; i < input->count; i += step)
		sum += input->values[i];
	return sum;
}

static uint64_t
least_or_most(const struct expr_input *input, size_t parts, bool most)
{
	uint64_t best, value;
	size_t i;

	best = sum_of(input, 0, parts);
	for (i = 1; i < parts; i++) {
		value = sum_of(input, i, parts);
		if (most ? value > best : value < best)
			best = value;
	}
	return best;
}

static union drmperf_value
aggregate(const struct expr_operand *operand, const struct expr_input *input)
{
	size_t parts = input->count;

	if (operand->fold && operand->fold < parts)
		parts = operand->fold;
	if (operand->aggregate == AGGREGATE_AVR) {
		double sum = (double)sum_of(input, 0, 1);

		return (union drmperf_value){ .f64 = parts ? sum / (double)parts
							   : 0.0 };
	}
	if (parts <= 1 || operand->aggregate == AGGREGATE_SUM)
		return (union drmperf_value){ .u64 = sum_of(input, 0, 1) };
	return (union drmperf_value){
		.u64 = least_or_most(input, parts,
				     operand->aggregate == AGGREGATE_MAX)
	};
}

static uint128
wide(const union drmperf_value *value)
{
	return (uint128)value[1].u64 << 64 | value[0].u64;
}

static void
put_wide(union drmperf_value *to, uint128 value)
{
	to[0].u64 = (uint64_t)value;
	to[1].u64 = (uint64_t)(value >> 64);
}

static uint64_t
divide_wide(const union drmperf_value *a, uint64_t b)
{
	if (!b)
		return 0;
	if (!a[1].u64)
		return a[0].u64 / b;
	return (uint64_t)(wide(a) / b);
}

static double
wide_to_double(const union drmperf_value *a)
{
	return a[1].u64 ? (double)wide(a) : (double)a[0].u64;
}

static void
execute(enum expr_op op, union drmperf_value *to, const union drmperf_value *a,
	const union drmperf_value *b, const union drmperf_value *c)
{
	switch (op) {
	case OP_ADD_U:
		to->u64 = a->u64 + b->u64;
		break;
	case OP_SUB_U:
		to->u64 = a->u64 - b->u64;
		break;
	case OP_MUL_U:
		to->u64 = a->u64 * b->u64;
		break;
	case OP_MUL_W:
		put_wide(to, (uint128)a->u64 * b->u64);
		break;
	case OP_MUL_LW:
		put_wide(to, wide(a) * b->u64);
		break;
	case OP_MUL_RW:
		put_wide(to, a->u64 * wide(b));
		break;
	case OP_MUL_WW:
		put_wide(to, wide(a) * wide(b));
		break;
	case OP_DIV_U:
		to->u64 = b->u64 ? a->u64 / b->u64 : 0;
		break;
	case OP_DIV_W:
		to->u64 = divide_wide(a, b->u64);
		break;
	case OP_MOD_U:
		to->u64 = b->u64 ? a->u64 % b->u64 : 0;
		break;
	case OP_AND:
		to->u64 = a->u64 & b->u64;
		break;
	case OP_OR:
		to->u64 = a->u64 | b->u64;
		break;
	case OP_XOR:
		to->u64 = a->u64 ^ b->u64;
		break;
	case OP_NOT:
		to->u64 = ~a->u64;
		break;
	case OP_SHL:
		to->u64 = b->u64 < 64 ? a->u64 << b->u64 : 0;
		break;
	case OP_SHR:
		to->u64 = b->u64 < 64 ? a->u64 >> b->u64 : 0;
		break;
	case OP_EQ_U:
		to->u64 = a->u64 == b->u64;
		break;
	case OP_NE_U:
		to->u64 = a->u64 != b->u64;
		break;
	case OP_LT_U:
		to->u64 = a->u64 < b->u64;
		break;
	case OP_LE_U:
		to->u64 = a->u64 <= b->u64;
		break;
	case OP_MIN_U:
		to->u64 = a->u64 < b->u64 ? a->u64 : b->u64;
		break;
	case OP_MAX_U:
		to->u64 = a->u64 > b->u64 ? a->u64 : b->u64;
		break;
	case OP_ADD_F:
		to->f64 = a->f64 + b->f64;
		break;
	case OP_SUB_F:
		to->f64 = a->f64 - b->f64;
		break;
	case OP_MUL_F:
		to->f64 = a->f64 * b->f64;
		break;
	case OP_DIV_F:
		to->f64 = b->f64 != 0.0 ? a->f64 / b->f64 : 0.0;
		break;
	case OP_NEG_F:
		to->f64 = -a->f64;
		break;
	case OP_EQ_F:
		to->u64 = a->f64 == b->f64;
		break;
	case OP_NE_F:
		to->u64 = a->f64 != b->f64;
		break;
	case OP_LT_F:
		to->u64 = a->f64 < b->f64;
		break;
	case OP_LE_F:
		to->u64 = a->f64 <= b->f64;
		break;
	case OP_MIN_F:
		to->f64 = a->f64 < b->f64 ? a->f64 : b->f64;
		break;
	case OP_MAX_F:
		to->f64 = a->f64 > b->f64 ? a->f64 : b->f64;
		break;
	case OP_SELECT:
		*to = a->u64 ? *b : *c;
		break;
	case OP_U_TO_F:
		to->f64 = (double)a->u64;
		break;
	case OP_W_TO_F:
		to->f64 = wide_to_double(a);
		break;
	case OP_F_TO_U:
		to->u64 = expr_truncate(a->f64);
		break;
	}
}

union drmperf_value
expr_eval(const struct expr_program *program, const struct expr_input *inputs)
{
	union drmperf_value frame[EXPR_MAX_SLOTS];
	const union drmperf_value *const banks[] = { frame,
						     program->constants };
	const struct expr_instruction *i = program->instructions;
	const struct expr_instruction *end = i + program->instruction_count;
	size_t operand;

#define PLACE(place) (&banks[(place) >> 15][(place)&0x7fff])

	for (operand = 0; operand < program->operand_count; operand++) {
		const struct expr_operand *o = &program->operands[operand];

		frame[operand] = aggregate(o, &inputs[o->input]);
	}
	for (; i < end; i++)
		execute((enum expr_op)i->op, &frame[i->to], PLACE(i->a),
			PLACE(i->b), PLACE(i->c));
	return *PLACE(program->result);

#undef PLACE
}
