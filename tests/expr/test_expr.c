/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of expressions, each alone and all in a batch.
 */
#include "expr/batch.h"
#include "expr/program.h"
#include "tests/support/check.h"
#include "tests/expr/words.h"
#include "tests/support/suite.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	int line;
	enum expression_language language;
	const char *text;
	uint64_t value;
} integers[] = {
#define INFIX(text, value)                                                     \
	{                                                                      \
		__LINE__, EXPRESSION_INFIX, text, value                        \
	}
#define RPN(text, value)                                                       \
	{                                                                      \
		__LINE__, EXPRESSION_OA_RPN, text, value                       \
	}
	/* literals */
	INFIX("42", 42),
	INFIX("0", 0),
	INFIX("0x1F", 31),
	INFIX("18446744073709551615", UINT64_MAX),
	INFIX("3.99", 3),
	INFIX("1e3", 1000),
	INFIX("2.5E-1*8", 2),
	/* operators and their ranks, as in C */
	INFIX("2+3*4", 14),
	INFIX("(2+3)*4", 20),
	INFIX("20-5-3", 12),
	INFIX("1<<4+1", 32),
	INFIX("256>>4>>2", 4),
	INFIX("1<<64", 0),
	INFIX("BIG>>64", 0),
	INFIX("6&3|8", 10),
	INFIX("6^3&1", 7),
	INFIX("1|2==2", 1),
	INFIX("3<5==1", 1),
	INFIX("5>3", 1),
	INFIX("3>5", 0),
	INFIX("5>=5", 1),
	INFIX("5>=6", 0),
	INFIX("5<=4", 0),
	INFIX("5!=5", 0),
	INFIX("2&&4", 1),
	INFIX("2&&0", 0),
	INFIX("0||8", 1),
	INFIX("1||0&&0", 1),
	INFIX("0.5&&1", 1),
	INFIX("!3", 0),
	INFIX("!0", 1),
	INFIX("!0.0", 1),
	INFIX("~0", UINT64_MAX),
	INFIX("~~5", 5),
	INFIX("-1+2", 1),
	INFIX("+5", 5),
	INFIX("- -5", 5),
	INFIX("17%5", 2),
	INFIX("17%0", 0),
	INFIX("1?2:3", 2),
	INFIX("IDLE?2:3", 3),
	INFIX("IDLE?2:4", 4),
	INFIX("0?2:3", 3),
	INFIX("0?1:0?2:3", 3),
	INFIX("1?0?4:5:6", 5),
	INFIX("0.5?2:3", 2),
	INFIX("1?2:3.5", 2),
	/* integers and doubles */
	INFIX("7/2*2", 7),
	INFIX("div(7,2)*2", 6),
	INFIX("div(7.9,2.9)", 3),
	INFIX("uint(7/2)*2", 6),
	INFIX("float(7)/2*2", 7),
	INFIX("5/0", 0),
	INFIX("div(5,0)", 0),
	INFIX("5/IDLE+3", 3),
	INFIX("uint(-3.7)", UINT64_MAX - 2),
	INFIX("uint(-0.5)", 0),
	INFIX("uint(1e30)", UINT64_MAX),
	INFIX("uint(-1e30)", UINT64_C(1) << 63),
	/* the first integer that doubles skip, and one step below */
	INFIX("9007199254740993+0", 9007199254740993),
	INFIX("9007199254740993+0.0", 9007199254740992),
	INFIX("9007199254740993>9007199254740992", 1),
	INFIX("9007199254740993>9007199254740992.0", 0),
	/* wrapping and 128 bits */
	INFIX("3-5", UINT64_MAX - 1),
	INFIX("IDLE-1", UINT64_MAX),
	INFIX("BIG*2", 0),
	INFIX("BIG+BIG", 0),
	INFIX("div(BIG*6,4)", 3 * (UINT64_C(1) << 62)),
	INFIX("div(TICKS*1000000000,HERTZ)", UINT64_C(3200000000000)),
	INFIX("div(BIG*BIG,BIG)", UINT64_C(1) << 63),
	INFIX("div(BIG*6*5,60)", UINT64_C(1) << 62),
	INFIX("div(3*(BIG*4),12)", UINT64_C(1) << 63),
	INFIX("div((BIG*2)*(FOUR*FOUR),32)", UINT64_C(1) << 63),
	INFIX("div(uint(0.0)+BIG*4,2)", 0), /* a sum has 64 bits */
	INFIX("BIG*4/8", UINT64_C(1) << 62),
	INFIX("div(Square,2)", 0), /* and so has a metric */
	INFIX("div(BIG*6,4)+div(BIG*6,4)", 3 * (UINT64_C(1) << 63)),
	/* instances */
	INFIX("SQ.WAVES", 23),
	INFIX("sum(SQ.WAVES)", 23),
	INFIX("sum(SQ.WAVES,16)", 23),
	INFIX("min(SQ.WAVES)", 1),
	INFIX("max(SQ.WAVES)", 8),
	INFIX("min(SQ.WAVES,16)", 5),
	INFIX("max(SQ.WAVES,16)", 9),
	INFIX("max(SQ.WAVES)-min(SQ.WAVES)", 7),
	INFIX("max(SQ.WAVES,16)-max(SQ.WAVES)", 1),
	INFIX("uint(avr(SQ.WAVES)*6000)", 23000),
	INFIX("uint(avr(SQ.WAVES,16)*3000)", 23000),
	INFIX("max( SQ.WAVES , 16 ) + min(SQ.WAVES)", 10),
	/* values */
	INFIX("max(SQ.WAVES,ONE)", 23),
	INFIX("max(SQ.WAVES+0,16)", 23),
	INFIX("max(FOUR,16)", 16),
	INFIX("min(FOUR,16)", 4),
	INFIX("min(3,2.5)*2", 5),
	INFIX("max(Seven,2)", 7),
	/* other words */
	INFIX("ONE+FOUR", 5),
	INFIX("'rcs0-busy'-ONE", 6),
	INFIX("accumulate(LEVEL)", 110),
	INFIX("accumulate(LEVEL,HIGH_RES)+LEVEL", 121),
	INFIX("Half*4", 2),
	INFIX("Half+Half", 1),
	INFIX("Seven", 7),
	INFIX("Seven+Half*2", 8),
	INFIX("GpuCoreClocks", 1000),
	/* Intel's */
	RPN("5", 5),
	RPN("0x20", 32),
	RPN("true", 1),
	RPN("2 3 UADD", 5),
	RPN("5 3 USUB", 2),
	RPN("3 5 USUB", UINT64_MAX - 1),
	RPN("6 7 UMUL", 42),
	RPN("7 2 UDIV", 3),
	RPN("7 0 UDIV", 0),
	RPN("7 0 FDIV", 0),
	RPN("7 2 FDIV 2 FMUL", 7),
	RPN("7 2 FDIV 2 UMUL", 7),
	RPN("7 2 FDIV 1 UMUL 2 UMUL", 6),
	RPN("7 2 FDIV 2 UDIV", 1),
	RPN("7 2 FDIV 1 UADD 2 FMUL", 8),
	RPN("7 2 FDIV 1 USUB 2 FMUL", 4),
	RPN("7 2 FDIV 4 UMIN", 3),
	RPN("3 4 UMIN", 3),
	RPN("3 4 FMAX", 4),
	RPN("3 5 FSUB", UINT64_MAX), /* wraps as an integer, then a double */
	RPN("1 4 <<", 16),
	RPN("256 4 >>", 16),
	RPN("6 3 AND", 2),
	RPN("6 3 OR", 7),
	RPN("5 3 UGT", 1),
	RPN("5 5 UGT", 0),
	RPN("5 5 UGTE", 1),
	RPN("3 5 ULT", 1),
	RPN("5 5 ULTE", 1),
	RPN("6 5 ULTE", 0),
	RPN("5 5 ==", 1),
	RPN("2 4 &&", 1),
	RPN("2 0 &&", 0),
	RPN("A 7 READ", 7),
	RPN("A 0x7 READ $GpuCoreClocks UMUL", 7000),
	/* divides in integers first */
	RPN("A 7 READ $EuCoresTotalCount UDIV 100 UMUL", 200),
	RPN("GPU_CLOCK 0 READ 1000000000 UMUL $HERTZ UDIV", 80000),
	RPN(" A 7 READ\n\t$Share   UADD ", 7),
	RPN("$SliceMask 3 1 2 UMUL << AND", 12),
	RPN("$SliceMask 3 2 2 UMUL << AND", 32),
	RPN("$SliceMask 3 0 2 UMUL << AND", 0),
#undef INFIX
#undef RPN
};

TEST_CASE(all, NULL, NULL, "expr");

TEST_LOOP(all, equations_of_integers_have_their_values, ARRAY_SIZE(integers))
{
	union drmperf_value value = words_value(
		integers[_i].text, integers[_i].language, DRMPERF_TYPE_UINT64);

	ck_assert_msg(value.u64 == integers[_i].value,
		      "line %d: %s is %" PRIu64 ", not %" PRIu64,
		      integers[_i].line, integers[_i].text, value.u64,
		      integers[_i].value);
}

static const struct {
	int line;
	enum expression_language language;
	const char *text;
	double value;
} doubles[] = {
#define INFIX(text, value)                                                     \
	{                                                                      \
		__LINE__, EXPRESSION_INFIX, text, value                        \
	}
#define RPN(text, value)                                                       \
	{                                                                      \
		__LINE__, EXPRESSION_OA_RPN, text, value                       \
	}
	INFIX("1/3", 1.0 / 3.0),
	INFIX("1e-3", 1e-3),
	INFIX("100*A7/GPU_CLOCK0", 0.7),
	INFIX("-1.5", -1.5),
	INFIX("-(1/2)", -0.5),
	INFIX("1-2", 18446744073709551615.0),
	INFIX("1.0-2", -1.0),
	INFIX("avr(SQ.WAVES)", 23.0 / 6),
	INFIX("avr(SQ.WAVES,16)", 23.0 / 3),
	INFIX("min(1,0.5)", 0.5),
	INFIX("max(-1.5,-2.5)", -1.5),
	INFIX("BIG*BIG", 0x1p126),
	INFIX("BIG*BIG/BIG", 0x1p63),
	INFIX("BIG*ONE/(BIG*2*FOUR)", 0x1p-3),
	INFIX("BIG*4*FOUR/BIG", 16.0),
	/* a quotient that divides by 0 */
	INFIX("ONE*ONE/Square", NAN),
	INFIX("100*A7/IDLE", NAN),
	INFIX("A7/IDLE", NAN),
	INFIX("A7/IDLE*100", NAN),
	INFIX("100*(A7/IDLE)/GPU_CLOCK0", NAN),
	INFIX("-(A7/IDLE)", NAN),
	INFIX("1?A7/IDLE:0.5", NAN),
	INFIX("IDLE?A7/IDLE:0.5", 0.5),
	RPN("A 7 READ 100 UMUL $IDLE FDIV", NAN),
	RPN("A 7 READ $IDLE FDIV 100 FMUL", NAN),
	/* what is added or compared takes it as 0 */
	INFIX("1.5+A7/IDLE", 1.5),
	INFIX("max(A7/IDLE,2.5)", 2.5),
	INFIX("100*(1-A7/IDLE)", 100.0),
	INFIX("1/(2+A7/IDLE)", 0.5),
	RPN("A 7 READ $IDLE FDIV 3 FADD", 3.0),
	RPN("A 7 READ $IDLE UDIV", 0.0),
	INFIX("Square", 0.0),
	INFIX("0/0", NAN),
	INFIX("1/(0.0)", NAN),
	INFIX("1?2:0.5", 2.0),
	RPN("A 7 READ $EuCoresTotalCount UDIV 100 UMUL $GpuCoreClocks FDIV",
	    0.2),
	RPN("A 7 READ $EuCoresTotalCount FDIV 100 FMUL $GpuCoreClocks FDIV",
	    7.0 / 3.0 * 100.0 / 1000.0),
	RPN("A 7 READ 3 FADD", 10.0),
	RPN("1 2 FDIV 3 FADD", 3.5),
	RPN("1 2 FDIV 3 FSUB", -2.5),
	RPN("1 2 FDIV 3 UADD", 3.0),
	RPN("1 2 FDIV 0 FMAX", 0.5),
	RPN("$Share 100 FMUL", 7.0 / 1000.0 * 100.0),
#undef INFIX
#undef RPN
};

TEST_LOOP(all, equations_of_doubles_have_their_values, ARRAY_SIZE(doubles))
{
	union drmperf_value value = words_value(
		doubles[_i].text, doubles[_i].language, DRMPERF_TYPE_DOUBLE);

	ck_assert_msg(words_same(value.f64, doubles[_i].value),
		      "line %d: %s is %.17g, not %.17g", doubles[_i].line,
		      doubles[_i].text, value.f64, doubles[_i].value);
}

/* With ":instance=" an input has one value, which every aggregate gives. */
TEST_LOOP(all, one_instance_has_one_value_for_every_aggregate, 7)
{
	static const char *const texts[] = {
		"SQ.WAVES",
		"sum(SQ.WAVES)",
		"min(SQ.WAVES)",
		"max(SQ.WAVES)",
		"max(SQ.WAVES,16)",
		"uint(avr(SQ.WAVES))",
		"uint(avr(SQ.WAVES,16))",
	};
	static const uint64_t only[] = { 42 };
	const struct expr_input inputs[WORDS_COUNTERS] = { [3] = { only, 1 } };
	struct arena *arena = arena_create();
	const struct expr_program *program;

	ck_assert_int_eq(words_compile(texts[_i], EXPRESSION_INFIX,
				       DRMPERF_TYPE_UINT64, arena, &program,
				       NULL),
			 0);
	ck_assert_uint_eq(expr_eval(program, inputs).u64, 42);
	arena_destroy(arena);
}

/* Add all of the above, and the counters by themselves; returns how many. */
static size_t
add_entries(struct expr_batch_entry *entries, const struct expr_input *inputs,
	    enum drmperf_type type, struct arena *arena)
{
	size_t count = 0, i;

	for (i = 0; i < ARRAY_SIZE(integers); i++) {
		entries[count].inputs = inputs;
		ck_assert(!words_compile(integers[i].text, integers[i].language,
					 DRMPERF_TYPE_UINT64, arena,
					 &entries[count++].program, NULL));
	}
	for (i = 0; i < ARRAY_SIZE(doubles); i++) {
		entries[count].inputs = inputs;
		ck_assert(!words_compile(doubles[i].text, doubles[i].language,
					 DRMPERF_TYPE_DOUBLE, arena,
					 &entries[count++].program, NULL));
	}
	for (i = 0; i < WORDS_COUNTERS; i++)
		entries[count++] = (struct expr_batch_entry){
			.type = type,
			.inputs = &inputs[i],
		};
	return count;
}

/* Return what an entry gives by itself. */
static union drmperf_value
evaluate_alone(const struct expr_batch_entry *entry)
{
	union drmperf_value value = { .u64 = 0 };

	if (entry->program)
		return expr_eval(entry->program, entry->inputs);
	for (size_t k = 0; k < entry->inputs->count; k++)
		value.u64 += entry->inputs->values[k];
	if (entry->type == DRMPERF_TYPE_DOUBLE)
		value.f64 = (double)value.u64;
	return value;
}

/*
 * All of that in one batch, each twice and plain counters among them: it gives
 * what each gives alone, and goes on doing so when the values change.
 */
TEST(all, a_batch_gives_what_each_gives_alone)
{
	enum {
		MOST = 2 * (ARRAY_SIZE(integers) + ARRAY_SIZE(doubles) +
			    WORDS_COUNTERS)
	};
	uint64_t store[WORDS_COUNTERS][6];
	struct expr_input inputs[WORDS_COUNTERS];
	struct expr_batch_entry entries[MOST];
	union drmperf_value values[MOST];
	struct arena *arena = arena_create();
	struct expr_batch *all = NULL;
	size_t count, i, k, round;

	for (i = 0; i < WORDS_COUNTERS; i++) {
		inputs[i].values = store[i];
		inputs[i].count = words_counters[i].count;
		memcpy(store[i], words_counters[i].values,
		       words_counters[i].count * sizeof(uint64_t));
	}
	count = add_entries(entries, inputs, DRMPERF_TYPE_UINT64, arena);
	count += add_entries(&entries[count], inputs, DRMPERF_TYPE_DOUBLE,
			     arena);
	ck_assert_uint_eq(count, MOST);
	ck_assert_int_eq(expr_batch_create(entries, count, &all), 0);
	for (round = 0; round < 5; round++) {
		expr_batch_eval(all, values);
		for (i = 0; i < count; i++)
			ck_assert_msg(evaluate_alone(&entries[i]).u64 ==
					      values[i].u64,
				      "round %zu, entry %zu: %" PRIx64
				      ", not %" PRIx64,
				      round, i, values[i].u64,
				      evaluate_alone(&entries[i]).u64);
		for (i = 0; i < WORDS_COUNTERS; i++)
			for (k = 0; k < words_counters[i].count; k++)
				store[i][k] = store[i][k] * 5 + i + k;
	}
	expr_batch_destroy(all);
	ck_assert_int_eq(expr_batch_create(NULL, 0, &all), 0);
	expr_batch_eval(all, NULL);
	expr_batch_destroy(all);
	expr_batch_destroy(NULL);
	arena_destroy(arena);
}

/* The program's locale must not change what a point means. */
TEST(all, a_locale_does_not_change_what_a_point_means)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8",
					     "fr_FR.UTF-8", "it_IT.UTF-8" };
	union drmperf_value value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (setlocale(LC_NUMERIC, names[i]))
			break;
	if (i == ARRAY_SIZE(names)) {
		puts("skip decimal comma: no locale that has one");
		fflush(stdout);
		return;
	}
	value = words_value("2.5*2", EXPRESSION_INFIX, DRMPERF_TYPE_DOUBLE);
	setlocale(LC_NUMERIC, "C");
	ck_assert(value.f64 == 5.0);
}
