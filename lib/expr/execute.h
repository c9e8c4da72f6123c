/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the operations do. In a header, so that every loop over operations has
 * a copy of its own: it is the inner loop of reading a session.
 */
#ifndef DRMPERF_LIB_EXPR_EXECUTE_H
#define DRMPERF_LIB_EXPR_EXECUTE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "expr/program.h"

__extension__ typedef unsigned __int128 uint128;

/*
 * Return true for most operands: the one value of a counter without instances.
 */
static inline bool
operand_is_single(const struct expr_operand *operand,
		  const struct expr_input *input)
{
	return input->count == 1 && operand->aggregate != AGGREGATE_AVR;
}

static inline uint128
read_wide(const union drmperf_value *value)
{
	return (uint128)value[1].u64 << 64 | value[0].u64;
}

static inline void
put_wide(union drmperf_value *to, uint128 value)
{
	to[0].u64 = (uint64_t)value;
	to[1].u64 = (uint64_t)(value >> 64);
}

static inline uint64_t
divide_wide(const union drmperf_value *a, uint64_t b)
{
	if (!b)
		return 0;
	if (!a[1].u64)
		return a[0].u64 / b;
	return (uint64_t)(read_wide(a) / b);
}

static inline double
wide_to_double(const union drmperf_value *a)
{
	return a[1].u64 ? (double)read_wide(a) : (double)a[0].u64;
}

static inline double
product_to_double(uint64_t a, uint64_t b)
{
	uint64_t small;

	if (__builtin_expect(!__builtin_mul_overflow(a, b, &small), 1))
		return (double)small;
	return (double)((uint128)a * b);
}

static inline void
execute_operation(enum expr_op op, union drmperf_value *to,
		  const union drmperf_value *a, const union drmperf_value *b,
		  const union drmperf_value *c)
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
		put_wide(to, read_wide(a) * b->u64);
		break;
	case OP_MUL_RW:
		put_wide(to, a->u64 * read_wide(b));
		break;
	case OP_MUL_WW:
		put_wide(to, read_wide(a) * read_wide(b));
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
	case OP_MUL_TO_F:
		to->f64 = product_to_double(a->u64, b->u64);
		break;
	case OP_RATIO:
		to->f64 = c->u64 ? product_to_double(a->u64, b->u64) /
					   (double)c->u64
				 : 0.0;
		break;
	case OP_QUOTIENT_F:
		to->f64 = b->f64 != 0.0 ? a->f64 / b->f64 : NAN;
		break;
	case OP_QUOTIENT_RATIO:
		to->f64 = c->u64 ? product_to_double(a->u64, b->u64) /
					   (double)c->u64
				 : NAN;
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

#endif /* DRMPERF_LIB_EXPR_EXECUTE_H */
