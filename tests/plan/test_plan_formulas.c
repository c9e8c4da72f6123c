/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas as text, in each language.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "tests/plan/two_gpus.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Formulas of events                                                   */

#define OF(name) "fake::" name ":device=0"

static const struct {
	const char *name;
	enum drmperf_language language;
	const char *text;
} of_events[] = {
	{ "metric.Hit", DRMPERF_LANGUAGE_C,
	  OF("TCC.HIT") " / (" OF("TCC.HIT") " + " OF("TCC.MISS") ")" },
	{ "metric.Hit", DRMPERF_LANGUAGE_ROCM,
	  "sum(TCC_HIT,16)/(sum(TCC_HIT,16)+sum(TCC_MISS,16))" },
	{ "metric.Hit[3]", DRMPERF_LANGUAGE_ROCM,
	  "TCC_HIT[3]/(TCC_HIT[3]+TCC_MISS[3])" },
	{ "metric.Peak", DRMPERF_LANGUAGE_ROCM, "max(TA_T0,8)" },
	{ "metric.Peak", DRMPERF_LANGUAGE_BRIEF,
	  "max(" OF("TA.T0") ":instance=0, " OF(
		  "TA.T0") ":instance=1, ..., " OF("TA.T0") ":instance=7)" },
	{ "metric.Mean", DRMPERF_LANGUAGE_ROCM, "avr(TA_T0,8)" },
	{ "metric.Mean", DRMPERF_LANGUAGE_C, OF("TA.T0") " / 8" },
	{ "metric.Half", DRMPERF_LANGUAGE_ROCM, "sum(TA_T0,8)/2" },
	{ "WIDE.N0", DRMPERF_LANGUAGE_ROCM, "WIDE_N0" },
};

TEST_CASE(all, two_gpus_set_up, two_gpus_clean_up, "plan_formulas");

TEST_LOOP(all, formulas_of_events, ARRAY_SIZE(of_events))
{
	struct drmperf_formula_style style = {
		.size = sizeof(style),
		.language = of_events[_i].language,
	};
	struct drmperf_selection selection;
	struct drmperf_formula *formula;
	const struct drmperf_step *steps;
	size_t count;
	char text[300];

	two_gpus_read(of_events[_i].name, &selection);
	ck_assert_int_eq(drmperf_formula_create(two_gpus_drmperf, &selection,
						&formula, NULL),
			 0);
	style.parts = drmperf_formula_parts(formula, &count);
	steps = drmperf_formula_steps(formula, &count);
	ck_assert_int_eq(drmperf_formula_text(steps, count, &style, text,
					      sizeof(text)),
			 (int)strlen(of_events[_i].text));
	ck_assert_str_eq(text, of_events[_i].text);
	drmperf_formula_destroy(formula);
}

/* ------------------------------------------------------------------ */
/* Steps, with names by number                                          */

static int
name_part(const void *data, unsigned part, char *text, size_t size)
{
	return snprintf(text, size, "%s%u", (const char *)data, part);
}

static struct drmperf_formula_style
named_style(enum drmperf_language language)
{
	return (struct drmperf_formula_style){
		.size = sizeof(struct drmperf_formula_style),
		.language = language,
		.name = name_part,
		.data = "p",
	};
}

#define PART(number)                                                           \
	{                                                                      \
		.operation = DRMPERF_OPERATION_PART, .part = number            \
	}
#define DO(name, first, second)                                                \
	{                                                                      \
		.operation = DRMPERF_OPERATION_##name, .a = first, .b = second \
	}

/* p0 * 0.5 less, or equal, or else than p1: p0 - (p1 - p0) */
#define CHOICE(comparison)                                                     \
	{                                                                      \
		PART(0), PART(1),                                              \
			{ .operation = DRMPERF_OPERATION_CONSTANT,             \
			  .constant = 0.5 },                                   \
			DO(MULTIPLY, 0, 2), DO(comparison, 3, 1),              \
			DO(SUBTRACT, 1, 0), DO(SUBTRACT, 0, 5),                \
			{ .operation = DRMPERF_OPERATION_SELECT, .a = 4,       \
			  .b = 6, .c = 0 },                                    \
	}

static const struct drmperf_step choices[][8] = {
	CHOICE(LESS),
	CHOICE(LESS_OR_EQUAL),
	CHOICE(EQUAL),
	CHOICE(UNEQUAL),
};

static const struct {
	unsigned choice;
	enum drmperf_language language;
	const char *text;
} said[] = {
	{ 0, DRMPERF_LANGUAGE_C, "(p0 * 0.5 < p1 ? p0 - (p1 - p0) : p0)" },
	{ 3, DRMPERF_LANGUAGE_BRIEF, "(p0 * 0.5 != p1 ? p0 - (p1 - p0) : p0)" },
	{ 0, DRMPERF_LANGUAGE_CUBEPL,
	  "(sgn(abs((sgn(pos(p1 - p0 * 0.5))))) * (p0 - (p1 - p0)) + "
	  "(1 - sgn(abs((sgn(pos(p1 - p0 * 0.5)))))) * p0)" },
	{ 1, DRMPERF_LANGUAGE_CUBEPL,
	  "(sgn(abs((1 - sgn(pos(p0 * 0.5 - p1))))) * (p0 - (p1 - p0)) + "
	  "(1 - sgn(abs((1 - sgn(pos(p0 * 0.5 - p1)))))) * p0)" },
	{ 2, DRMPERF_LANGUAGE_CUBEPL,
	  "(sgn(abs((1 - sgn(abs(p0 * 0.5 - p1))))) * (p0 - (p1 - p0)) + "
	  "(1 - sgn(abs((1 - sgn(abs(p0 * 0.5 - p1)))))) * p0)" },
};

TEST_CASE(steps, NULL, NULL, "plan_formulas");

TEST_LOOP(steps, choices_in_each_language, ARRAY_SIZE(said))
{
	const struct drmperf_formula_style style =
		named_style(said[_i].language);
	char text[300];

	ck_assert_int_eq(drmperf_formula_text(choices[said[_i].choice], 8,
					      &style, text, sizeof(text)),
			 (int)strlen(said[_i].text));
	ck_assert_str_eq(text, said[_i].text);
}

TEST(steps, text_is_cut_at_the_buffer_and_measured_without)
{
	const struct drmperf_formula_style style =
		named_style(DRMPERF_LANGUAGE_C);
	const int length =
		drmperf_formula_text(choices[0], 8, &style, NULL, 0);
	char text[8];

	ck_assert_int_eq(length, (int)strlen(said[0].text));
	ck_assert_int_eq(drmperf_formula_text(choices[0], 8, &style, text,
					      sizeof(text)),
			 length);
	ck_assert_str_eq(text, "(p0 * 0");
}

TEST(steps, what_cannot_be_written_is_an_error)
{
	struct drmperf_formula_style style =
		named_style(DRMPERF_LANGUAGE_PARAPROF);
	char text[8] = "before";

	ck_assert_int_eq(
		drmperf_formula_text(choices[0], 8, &style, text, sizeof(text)),
		-ENOTSUP);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(
		drmperf_formula_text(choices[0], 4, &style, text, sizeof(text)),
		8);
	ck_assert_str_eq(text, "p0 * 0.");
	ck_assert_int_eq(drmperf_formula_text(choices[0], 0, &style, NULL, 0),
			 -EINVAL);
	style.language = DRMPERF_LANGUAGE_ROCM; /* needs the parts */
	ck_assert_int_eq(drmperf_formula_text(choices[0], 8, &style, NULL, 0),
			 -EINVAL);
}

/* A sum of a sum with itself, and so on: each step doubles the text. */
TEST(steps, long_text_is_whole_and_has_an_end)
{
	const struct drmperf_formula_style style =
		named_style(DRMPERF_LANGUAGE_BRIEF);
	struct drmperf_step steps[100] = { PART(0) };
	const int length = 4096 * (int)strlen("p0 + ");
	char *text = malloc((size_t)length);

	for (unsigned i = 1; i < ARRAY_SIZE(steps); i++)
		steps[i] = (struct drmperf_step)DO(ADD, i - 1, i - 1);
	steps[1].operation = DRMPERF_OPERATION_DIVIDE;
	/* half of the sums are in parentheses: they are on the right */
	ck_assert_int_gt(drmperf_formula_text(steps, 13, &style, text,
					      (size_t)length),
			 length);
	ck_assert_uint_eq(strlen(text), (size_t)length - 1);
	ck_assert_int_eq(drmperf_formula_text(steps, ARRAY_SIZE(steps), &style,
					      text, (size_t)length),
			 -E2BIG);
	for (unsigned i = 1; i < ARRAY_SIZE(steps); i++)
		steps[i].operation = DRMPERF_OPERATION_MAXIMUM;
	drmperf_formula_text(steps, ARRAY_SIZE(steps), &style, text,
			     (size_t)length);
	ck_assert_str_eq(text, "max(p0, p0, ..., p0)");
	free(text);
}

static double
value_of_part(const void *values, unsigned part)
{
	return ((const double *)values)[part];
}

/* Where p1 is 0, p0 / p1 has no value. */
static const struct value_case {
	const char *name;
	struct drmperf_step steps[5];
	double with_0, with_2; /* of p0 = 6 and that p1; NAN: none */
} value_cases[] = {
#define CONSTANT(value)                                                        \
	{                                                                      \
		.operation = DRMPERF_OPERATION_CONSTANT, .constant = value     \
	}
#define QUOTIENT PART(0), PART(1), DO(DIVIDE, 0, 1)
	{ "a quotient", { QUOTIENT, CONSTANT(1), DO(MULTIPLY, 2, 3) }, NAN, 3 },
	{ "a quotient of it",
	  { QUOTIENT, CONSTANT(2), DO(DIVIDE, 2, 3) },
	  NAN,
	  1.5 },
	{ "a sum", { QUOTIENT, CONSTANT(2), DO(ADD, 2, 3) }, 2, 5 },
	{ "a difference",
	  { QUOTIENT, CONSTANT(2), DO(SUBTRACT, 2, 3) },
	  -2,
	  1 },
	{ "the other sign",
	  { QUOTIENT, CONSTANT(0), DO(SUBTRACT, 3, 2) },
	  NAN,
	  -3 },
	{ "a minimum", { QUOTIENT, CONSTANT(2), DO(MINIMUM, 2, 3) }, 0, 2 },
	{ "a maximum", { QUOTIENT, CONSTANT(2), DO(MAXIMUM, 2, 3) }, 2, 3 },
	{ "equal", { QUOTIENT, CONSTANT(3), DO(EQUAL, 2, 3) }, 0, 1 },
	{ "unequal", { QUOTIENT, CONSTANT(3), DO(UNEQUAL, 2, 3) }, 1, 0 },
	{ "less", { QUOTIENT, CONSTANT(3), DO(LESS, 2, 3) }, 1, 0 },
	{ "less or equal",
	  { QUOTIENT, CONSTANT(3), DO(LESS_OR_EQUAL, 2, 3) },
	  1,
	  1 },
	{ "a choice by it",
	  { QUOTIENT,
	    CONSTANT(7),
	    { .operation = DRMPERF_OPERATION_SELECT, .a = 2, .b = 3, .c = 0 } },
	  6,
	  7 },
#undef QUOTIENT
#undef CONSTANT
};

TEST_LOOP(steps, formulas_have_the_value_of_their_parts,
	  ARRAY_SIZE(value_cases))
{
	const struct value_case *test = &value_cases[_i];
	const double wanted[] = { test->with_0, test->with_2 };

	for (int i = 0; i < 2; i++) {
		const double parts[] = { 6, 2 * i };
		double results[5];
		double value = drmperf_formula_value(
			test->steps, 5, value_of_part, parts, results);

		ck_assert_msg(isnan(wanted[i]) ? isnan(value)
					       : value == wanted[i],
			      "%s of p0 / p1: %g, not %g", test->name, value,
			      wanted[i]);
		ck_assert(isnan(value) || results[4] == value);
	}
	ck_assert(isnan(drmperf_formula_value(NULL, 0, NULL, NULL, NULL)));
}
