/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long and how deep expressions and the metrics in them may be.
 */
#include "tests/support/check.h"
#include "tests/expr/words.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Write head, then part as often as asked, then tail. */
static char *
repeat_part(const char *head, const char *part, size_t times, const char *tail)
{
	size_t length = strlen(part);
	char *text = malloc(strlen(head) + times * length + strlen(tail) + 1);
	char *at = text + strlen(head);
	size_t i;

	strcpy(text, head);
	for (i = 0; i < times; i++, at += length)
		memcpy(at, part, length);
	strcpy(at, tail);
	return text;
}

static const struct {
	int line;
	enum expression_language language;
	const char *head, *part;
	size_t times;
	const char *tail;
	int code;
	uint64_t value;
} limits[] = {
#define INFIX(...)                                                             \
	{                                                                      \
		__LINE__, EXPRESSION_INFIX, __VA_ARGS__                        \
	}
#define RPN(...)                                                               \
	{                                                                      \
		__LINE__, EXPRESSION_OA_RPN, __VA_ARGS__                       \
	}
	INFIX("0", "+ONE", 5000, "", 0, 5000),
	INFIX("0", "+1", 8000, "", 0, 8000),
	INFIX("0", "+1", 20000, "", -E2BIG, 0),
	INFIX("0", "        ", 10000, "", -E2BIG, 0),
	INFIX("0", "+div(BIG*6,6)", 1000, "", 0, 500 * (UINT64_C(1) << 63) * 2),
	INFIX("0", "+(1)", 1000, "", 0, 1000),
	INFIX("", "(", 60, "1", -EBADMSG, 0),
	INFIX("", "(", 100, "1", -E2BIG, 0),
	INFIX("", "-", 60, "1", 0, 1),
	INFIX("", "-", 50000, "1", -E2BIG, 0),
	INFIX("", "1?", 50000, "1", -E2BIG, 0),
	INFIX("", "1?2:", 60, "1", 0, 2),
	INFIX("", "max(1,", 50000, "", -E2BIG, 0),
	RPN("0 ", "1 UADD ", 5000, "", 0, 5000),
	RPN("", "1 ", 100, "", -E2BIG, 0),
	RPN("", "1 ", 40000, "", -E2BIG, 0),
#undef INFIX
#undef RPN
};

TEST_CASE(all, NULL, NULL, "expr_limits");

TEST_LOOP(all, equations_that_are_too_large_are_refused, ARRAY_SIZE(limits))
{
	char *text = repeat_part(limits[_i].head, limits[_i].part,
				 limits[_i].times, limits[_i].tail);
	struct arena *arena = arena_create();
	const struct expr_program *program;
	struct drmperf_error error = { .cause = "" };
	int err;

	err = words_compile(text, limits[_i].language, DRMPERF_TYPE_UINT64,
			    arena, &program, &error);
	ck_assert_msg(err == limits[_i].code, "line %d: %d, %s",
		      limits[_i].line, err, error.cause);
	if (!err)
		ck_assert_uint_eq(words_run(program).u64, limits[_i].value);
	arena_destroy(arena);
	free(text);
}

/* Each metric uses the next twice, and the last is ONE. */
struct chain {
	size_t length;
	size_t looked_up;
};

static int
resolve_chain(void *data, size_t scope, const char *name, size_t length,
	      struct expr_symbol *out, struct drmperf_error *error)
{
	struct chain *chain = data;

	(void)name;
	(void)length;
	(void)error;
	chain->looked_up++;
	if (scope + 1 == chain->length) {
		*out = (struct expr_symbol){ .kind = EXPR_COUNTER,
					     .instances_per_engine = 1 };
		return 0;
	}
	*out = (struct expr_symbol){
		.kind = EXPR_METRIC,
		.metric = { .text = "NEXT+NEXT",
			    .file = "chain.xml",
			    .line = (int)scope,
			    .scope = scope + 1 },
	};
	return 0;
}

/* Without sharing, 2^25 additions; with it, 25. */
TEST(all, metrics_are_shared)
{
	struct chain chain = { .length = 25 };
	const struct expr_resolver chained = { .name = resolve_chain,
					       .data = &chain };
	const struct expr_source source = { .text = "NEXT+NEXT" };
	struct arena *arena = arena_create();
	const struct expr_program *program;

	ck_assert_int_eq(expr_compile(&source, &chained, arena, &program, NULL),
			 0);
	ck_assert_uint_eq(chain.looked_up, 50);
	ck_assert_uint_eq(words_run(program).u64, UINT64_C(1) << 25);

	chain.length = 5000;
	ck_assert_int_eq(expr_compile(&source, &chained, arena, &program, NULL),
			 -E2BIG);
	arena_destroy(arena);
}

/* Resolve any name to a long metric: a short text makes no long program. */
static int
resolve_long(void *data, size_t scope, const char *name, size_t length,
	     struct expr_symbol *out, struct drmperf_error *error)
{
	(void)scope;
	(void)name;
	(void)length;
	(void)error;
	*out = (struct expr_symbol){
		.kind = EXPR_METRIC,
		.metric = { .text = data, .file = "long.xml", .scope = 1 },
	};
	return 0;
}

TEST(all, short_use_of_long)
{
	char text[2002] = "1";
	const struct expr_resolver resolver = { .name = resolve_long,
						.data = text };
	const struct expr_source own = { .text = text };
	const struct expr_source use = { .text = "LONG" };
	struct arena *arena = arena_create();
	const struct expr_program *program;
	struct drmperf_error error;

	for (size_t i = 1; i < sizeof(text) - 1; i += 2)
		memcpy(text + i, "+1", 3);
	ck_assert(!expr_compile(&own, &resolver, arena, &program, &error));
	ck_assert_int_eq(expr_compile(&use, &resolver, arena, &program, &error),
			 -E2BIG);
	ck_assert_ptr_nonnull(strstr(error.cause, "with the metrics in it"));
	arena_destroy(arena);
}

static int
resolve_fresh(void *data, size_t scope, const char *name, size_t length,
	      struct expr_symbol *out, struct drmperf_error *error)
{
	size_t *made = data;

	(void)scope;
	(void)name;
	(void)length;
	(void)error;
	*out = (struct expr_symbol){
		.kind = EXPR_METRIC,
		.metric = { .text = "(1)", .scope = 1 + ++*made },
	};
	return 0;
}

/* Many metrics side by side: their nesting is bounded far more. */
TEST(all, many_metrics_side_by_side_are_evaluated)
{
	char *text = repeat_part("0", "+M", 500, "");
	size_t made = 0;
	const struct expr_resolver fresh = { .name = resolve_fresh,
					     .data = &made };
	const struct expr_source source = { .text = text };
	struct arena *arena = arena_create();
	const struct expr_program *program;

	ck_assert_int_eq(expr_compile(&source, &fresh, arena, &program, NULL),
			 0);
	ck_assert_uint_eq(made, 500);
	ck_assert_uint_eq(words_run(program).u64, 500);
	arena_destroy(arena);
	free(text);
}
