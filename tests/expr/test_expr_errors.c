/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The errors of expressions that are no good, and the place that they name.
 */
#include "tests/support/check.h"
#include "tests/expr/words.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
	int line;
	enum expression_language language;
	const char *text;
	int code;
	const char *cause; /* a part of it */
} failures[] = {
#define INFIX(text, ...)                                                       \
	{                                                                      \
		__LINE__, EXPRESSION_INFIX, text, __VA_ARGS__                  \
	}
#define RPN(text, ...)                                                         \
	{                                                                      \
		__LINE__, EXPRESSION_OA_RPN, text, __VA_ARGS__                 \
	}
	INFIX("", -EBADMSG,
	      "test.xml:12: at character 1 of the expression: "
	      "a value expected, but it ends there"),
	INFIX("1+", -EBADMSG, "at character 3 of the expression: a value"),
	INFIX("1+*2", -EBADMSG,
	      "at character 3 of the expression: a value "
	      "expected, not \"*\""),
	INFIX("1 2", -EBADMSG, "character 3 of the expression: an operator"),
	INFIX("(1+2", -EBADMSG, "\")\" expected, but it ends there"),
	INFIX("1+2)", -EBADMSG, "character 4 of the expression: an operator"),
	INFIX("1?2", -EBADMSG, "\":\" expected"),
	INFIX("WAWES", -EBADMSG,
	      "character 1 of the expression: no event, "
	      "metric or constant is called \"WAWES\""),
	INFIX("1+'a-b", -EBADMSG, "character 3 of the expression: a quote"),
	INFIX("''", -EBADMSG, "is called \"\""),
	INFIX("sqrt(4)", -EBADMSG, "a function expected, not \"sqrt\""),
	INFIX("div(1)", -EBADMSG, "\",\" expected, not \")\""),
	INFIX("max(1,2,3)", -EBADMSG, "\")\" expected, not \",\""),
	INFIX("max(FOUR)", -EBADMSG, "a counter, or two values expected"),
	INFIX("max()", -EBADMSG, "a value expected"),
	INFIX("sum(1+2)", -EBADMSG, "one counter expected"),
	INFIX("sum(SQ.WAVES,ONE)", -EBADMSG, "one counter expected"),
	INFIX("avr(Half)", -EBADMSG, "a counter expected, not \"Half\""),
	INFIX("accumulate(ONE)", -EBADMSG,
	      "a counter with one beside it that sums it expected, not "
	      "\"ONE\""),
	INFIX("accumulate(LEVEL,LOW)", -EBADMSG, "a counter with one beside"),
	INFIX("accumulate(4)", -EBADMSG, "a name expected"),
	INFIX("accumulate(FOUR)", -EBADMSG, "a counter expected, not \"FOUR\""),
	INFIX("12x", -EBADMSG, "a value expected, not \"12\""),
	INFIX("0x", -EBADMSG, "a value expected"),
	INFIX("18446744073709551616", -EBADMSG, "a value expected"),
	INFIX("1e999", -EBADMSG, "a value expected"),
	INFIX("1.2.3", -EBADMSG, "a value expected"),
	INFIX("1 $ 2", -EBADMSG, "an operator expected, not \"$\""),
	INFIX("ONE;", -EBADMSG, "an operator expected, not \";\""),
	INFIX("1 = 2", -EBADMSG, "an operator expected, not \"=\""),
	INFIX("ONE\xff", -EBADMSG, "an operator expected"),
	INFIX("Loop", -ELOOP,
	      "metrics.xml:4: at character 1 of the expression: it uses its "
	      "own value"),
	INFIX("1+Broken", -EBADMSG, "metrics.xml:6: at character 3"),
	RPN("", -EBADMSG, "it ends with 0 values instead of one"),
	RPN("1 2", -EBADMSG, "it ends with 2 values"),
	RPN("1 UADD", -EBADMSG,
	    "test.xml:12: at character 3 of the "
	    "expression: an operator without two "
	    "operands: \"UADD\""),
	RPN("12x", -EBADMSG, "not an operand or operator: \"12x\""),
	RPN("A 7x READ", -EBADMSG, "not an operand or operator: \"A\""),
	RPN("A 7 REED", -EBADMSG, "not an operand or operator: \"A\""),
	RPN("A 1.5 READ", -EBADMSG, "not an operand or operator: \"A\""),
	RPN("A 7", -EBADMSG, "not an operand or operator: \"A\""),
	RPN("A 8 READ", -EBADMSG, "is called \"A 8 READ\""),
	RPN("1 $Nothing UADD", -EBADMSG,
	    "at character 4 of the expression: "
	    "no event, metric or constant is "
	    "called \"Nothing\""),
	RPN("$", -EBADMSG, "is called \"\""),
	RPN("1 2 uadd", -EBADMSG, "not an operand or operator: \"uadd\""),
#undef INFIX
#undef RPN
};

TEST_CASE(all, NULL, NULL, "expr_errors");

TEST_LOOP(all, complaints_name_what_is_wrong_and_where, ARRAY_SIZE(failures))
{
	const struct expr_program *program = NULL;
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "" };
	int err;

	err = words_compile(failures[_i].text, failures[_i].language,
			    DRMPERF_TYPE_UINT64, arena, &program, &error);
	ck_assert_msg(err == failures[_i].code && error.code == err &&
			      strstr(error.cause, failures[_i].cause),
		      "line %d: %s: %d, %s", failures[_i].line,
		      failures[_i].text, err, error.cause);
	ck_assert_ptr_null(program);
	/* and without anybody to tell it to */
	ck_assert_int_eq(words_compile(failures[_i].text, failures[_i].language,
				       DRMPERF_TYPE_UINT64, arena, &program,
				       NULL),
			 err);
	arena_destroy(arena);
}

static int
refuse_name(void *data, size_t scope, const char *name, size_t length,
	    struct expr_symbol *out, struct drmperf_error *error)
{
	(void)data;
	(void)scope;
	(void)name;
	(void)length;
	(void)out;
	if (error)
		snprintf(error->cause, sizeof(error->cause), "not today");
	return -ENODEV;
}

TEST(all, errors_of_the_resolver_are_handed_on)
{
	const struct expr_resolver none = { .name = refuse_name };
	const struct expr_source source = { .text = "1+X", .file = "f.xml" };
	struct expr_source rpn = { .text = "A 7 READ",
				   .file = "f.xml",
				   .line = 3,
				   .language = EXPRESSION_OA_RPN,
				   .scope = SIZE_MAX };
	struct arena *arena = arena_create();
	const struct expr_program *program;
	struct drmperf_error error;

	ck_assert_int_eq(expr_compile(&source, &none, arena, &program, &error),
			 -ENODEV);
	ck_assert_str_eq(error.cause, "f.xml:0: at character 3 of the "
				      "expression: not today");
	ck_assert_int_eq(expr_compile(&rpn, &none, arena, &program, &error),
			 -EBADMSG);
	rpn.text = "true $X &&";
	ck_assert_int_eq(expr_compile(&rpn, &none, arena, &program, NULL),
			 -ENODEV);
	arena_destroy(arena);
}
