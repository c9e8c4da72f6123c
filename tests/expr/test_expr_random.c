/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random expressions: against an evaluator that knows types only while it
 * runs, and rubbish.
 */
#include "tests/support/check.h"
#include "tests/expr/words.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct number {
	bool is_double;
	bool is_na; /* if it is the result */
	double f64;
	__extension__ unsigned __int128 u128; /* an integer, products exact */
};

/* Set when a double was out of range, where the reference has no answer. */
static bool out_of_range;

static uint64_t
as_uint(struct number n)
{
	if (!n.is_double)
		return (uint64_t)n.u128;
	if (!(fabs(n.f64) < 0x1p63)) {
		out_of_range = true;
		return 0;
	}
	if (n.f64 < 0)
		return (uint64_t)(int64_t)n.f64;
	return (uint64_t)n.f64;
}

static double
as_double(struct number n)
{
	return n.is_double ? n.f64 : (double)n.u128;
}

static struct number
from_uint(uint64_t value)
{
	return (struct number){ .u128 = value };
}

static struct number
from_double(double value)
{
	return (struct number){ .is_double = true, .f64 = value };
}

static struct number
apply_sign(char sign, struct number a, struct number b)
{
	if (a.is_double || b.is_double) {
		double x = as_double(a), y = as_double(b);

		return from_double(sign == '+'	 ? x + y
				   : sign == '-' ? x - y
						 : x * y);
	}
	if (sign == '*')
		return (struct number){ .u128 = a.u128 * b.u128 };
	return from_uint(sign == '+' ? as_uint(a) + as_uint(b)
				     : as_uint(a) - as_uint(b));
}

static struct number
apply_function(const char *word, struct number a, struct number b)
{
	struct number result;

	if (!strcmp(word, "UDIV")) {
		if (!as_uint(b))
			return from_uint(0);
		if (!a.is_double)
			return from_uint((uint64_t)(a.u128 / as_uint(b)));
		return from_uint(as_uint(a) / as_uint(b));
	}
	if (!strcmp(word, "FDIV")) {
		bool by_zero = as_double(b) == 0.0;

		result = from_double(by_zero ? 0.0
					     : as_double(a) / as_double(b));
		result.is_na = by_zero || a.is_na;
		return result;
	}
	if (!strcmp(word, "FMAX"))
		return from_double(fmax(as_double(a), as_double(b)));
	result = apply_sign(strstr(word, "ADD")	  ? '+'
			    : strstr(word, "SUB") ? '-'
						  : '*',
			    a, b);
	if (word[0] == 'F') {
		result = from_double(as_double(result));
		result.is_na = !strcmp(word, "FMUL") && (a.is_na || b.is_na);
		return result;
	}
	/* a product stays exact until it is used */
	return result.is_double ? from_uint(as_uint(result)) : result;
}

TEST_CASE(all, NULL, NULL, "expr_random");

TEST(all, random_equations_have_the_values_of_a_tree)
{
	static const char *const words[] = { "UADD", "USUB", "UMUL",
					     "UDIV", "FADD", "FSUB",
					     "FMUL", "FDIV", "FMAX" };
	uint64_t state = 20260801;
	size_t round, i, tried = 0;

	for (round = 0; round < 5000; round++) {
		struct number stack[16];
		size_t depth = 0;
		char text[1024] = "";
		union drmperf_value value;

		out_of_range = false;
		for (i = 0; i < 20 || depth != 1; i++) {
			bool operate = depth > 1 && (random_next(&state) % 2 ||
						     depth == 16 || i >= 20);
			char *end = text + strlen(text);
			uint64_t n;

			if (!operate) {
				n = random_next(&state) >>
				    (random_next(&state) % 48 + 16);
				sprintf(end, "%" PRIu64 " ", n);
				stack[depth++] = from_uint(n);
				continue;
			}
			n = random_next(&state) % ARRAY_SIZE(words);
			depth--;
			stack[depth - 1] = apply_function(
				words[n], stack[depth - 1], stack[depth]);
			sprintf(end, "%s ", words[n]);
		}
		if (out_of_range)
			continue;
		tried++;
		value = words_value(text, EXPRESSION_OA_RPN,
				    DRMPERF_TYPE_DOUBLE);
		if (stack[0].is_na)
			stack[0] = from_double(NAN);
		ck_assert_msg(words_same(value.f64, as_double(stack[0])),
			      "%s: %.17g, not %.17g", text, value.f64,
			      as_double(stack[0]));
	}
	ck_assert_uint_gt(tried, 1000);
}

static const char *const scraps[] = {
	"ONE",	 "SQ.WAVES", "max(", "min(", "sum(", "avr(",   "div(",
	"uint(", "float(",   ",",    ")",    "(",    "+",      "-",
	"*",	 "/",	     "%",    "<<",   "<",    "&&",     "||",
	"?",	 ":",	     "!",    "~",    "1",    "0x1f",   "1.5",
	"16",	 "Half",     "Loop", "'",    " ",    "$Share", "A",
	"7",	 "READ",     "UADD", "FDIV", "true", "\xff",   "accumulate(",
	"LEVEL", "1e",	     "=",
};

/* Whatever is thrown at it, it neither crashes nor succeeds with nonsense. */
TEST_LOOP(all, rubbish_neither_crashes_nor_succeeds, 2)
{
	enum expression_language language =
		_i ? EXPRESSION_OA_RPN : EXPRESSION_INFIX;
	uint64_t state = 7 + (uint64_t)_i;
	size_t round, i, good = 0;

	for (round = 0; round < 30000; round++) {
		struct arena *arena = arena_create();
		const struct expr_program *program;
		struct drmperf_error error;
		char text[256] = "";
		size_t count = random_next(&state) % 12;
		int err;

		for (i = 0; i < count; i++) {
			strcat(text, scraps[random_next(&state) %
					    ARRAY_SIZE(scraps)]);
			if (_i)
				strcat(text, " ");
		}
		err = words_compile(text, language, DRMPERF_TYPE_DOUBLE, arena,
				    &program, &error);
		if (!err) {
			words_run(program);
			good++;
		} else {
			ck_assert_msg(err == error.code && *error.cause,
				      "%s: %d", text, err);
		}
		arena_destroy(arena);
	}
	ck_assert_uint_gt(good, 100);
}
