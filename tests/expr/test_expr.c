/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/batch.h"
#include "expr/compile.h"
#include "expr/eval.h"
#include "tests/suite.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* A small world of words                                               */

static const uint64_t one[] = { 1 };
static const uint64_t big[] = { UINT64_C(1) << 63 };
static const uint64_t ticks[] = { UINT64_C(40000000000) };
static const uint64_t two_engines[] = { 1, 8, 3, 4, 1, 6 };
static const uint64_t idle[] = { 0 };
static const uint64_t busy[] = { 7 };
static const uint64_t clocks[] = { 1000 };
static const uint64_t level[] = { 5, 6 };
static const uint64_t level_sum[] = { 50, 60 };

/* Inputs by number; the names are those of the resolver. */
static const struct {
	const char *name;
	const uint64_t *values;
	size_t count;
	unsigned instances_per_engine;
} counters[] = {
	{ "ONE", one, 1, 1 },		{ "BIG", big, 1, 1 },
	{ "TICKS", ticks, 1, 1 },	{ "SQ.WAVES", two_engines, 6, 3 },
	{ "IDLE", idle, 1, 1 },		{ "A7", busy, 1, 1 },
	{ "GPU_CLOCK0", clocks, 1, 1 }, { "rcs0-busy", busy, 1, 1 },
	{ "LEVEL", level, 2, 2 },	{ "LEVEL_SUM", level_sum, 2, 2 },
};

enum {
	INPUT_LEVEL = 8,
	INPUT_LEVEL_SUM = 9
};

static const struct {
	const char *name;
	uint64_t value;
} constants[] = {
	{ "FOUR", 4 },
	{ "HERTZ", 12500000 },
	{ "EuCoresTotalCount", 3 },
	{ "SliceMask", 0x2c },
};

static const struct {
	const char *name;
	enum expression_language language;
	enum drmperf_type type;
	const char *text;
} metrics[] = {
	{ "Half", EXPRESSION_INFIX, DRMPERF_TYPE_DOUBLE, "ONE/2" },
	{ "Seven", EXPRESSION_INFIX, DRMPERF_TYPE_UINT64, "7.9" },
	{ "Square", EXPRESSION_INFIX, DRMPERF_TYPE_UINT64, "BIG*FOUR" },
	{ "Loop", EXPRESSION_INFIX, DRMPERF_TYPE_UINT64, "1+Pool" },
	{ "Pool", EXPRESSION_INFIX, DRMPERF_TYPE_UINT64, "Loop*2" },
	{ "Broken", EXPRESSION_INFIX, DRMPERF_TYPE_UINT64, "1+*" },
	{ "GpuCoreClocks", EXPRESSION_OA_RPN, DRMPERF_TYPE_UINT64,
	  "GPU_CLOCK 0 READ" },
	{ "Share", EXPRESSION_OA_RPN, DRMPERF_TYPE_DOUBLE,
	  "A 7 READ $GpuCoreClocks FDIV" },
};

static void
set_counter(struct expr_symbol *out, size_t i)
{
	*out = (struct expr_symbol){
		.kind = EXPR_COUNTER,
		.input = i,
		.instances_per_engine = counters[i].instances_per_engine,
	};
}

static bool
is_name(const char *text, const char *name, size_t length)
{
	return strlen(text) == length && !strncmp(text, name, length);
}

static int
resolve_name(void *data, size_t scope, const char *name, size_t length,
	     struct expr_symbol *out, struct drmperf_error *error)
{
	size_t i;

	(void)data;
	(void)scope;
	(void)error;
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (is_name(counters[i].name, name, length)) {
			set_counter(out, i);
			return 0;
		}
	}
	for (i = 0; i < ARRAY_SIZE(constants); i++) {
		if (is_name(constants[i].name, name, length)) {
			*out = (struct expr_symbol){
				.kind = EXPR_CONSTANT,
				.value.u64 = constants[i].value,
			};
			return 0;
		}
	}
	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		if (is_name(metrics[i].name, name, length)) {
			*out = (struct expr_symbol){
				.kind = EXPR_METRIC,
				.metric = { .text = metrics[i].text,
					    .file = "metrics.xml",
					    .line = (int)i + 1,
					    .language = metrics[i].language,
					    .type = metrics[i].type,
					    .scope = i },
			};
			return 0;
		}
	}
	return -ENOENT;
}

static int
resolve_read(void *data, size_t scope, const char *bank, size_t length,
	     uint64_t index, struct expr_symbol *out,
	     struct drmperf_error *error)
{
	char name[32];
	int n;

	n = snprintf(name, sizeof(name), "%.*s%" PRIu64, (int)length, bank,
		     index);
	return resolve_name(data, scope, name, (size_t)n, out, error);
}

static int
resolve_accumulate(void *data, size_t scope, size_t input, const char *which,
		   size_t length, struct expr_symbol *out,
		   struct drmperf_error *error)
{
	(void)data;
	(void)scope;
	(void)error;
	if (input != INPUT_LEVEL)
		return -ENOENT;
	if (length && !is_name("HIGH_RES", which, length))
		return -ENOENT;
	set_counter(out, INPUT_LEVEL_SUM);
	return 0;
}

static const struct expr_resolver resolver = {
	.name = resolve_name,
	.read = resolve_read,
	.accumulate = resolve_accumulate,
};

static int
compile(const char *text, enum expression_language language,
	enum drmperf_type type, struct arena *arena,
	const struct expr_program **out, struct drmperf_error *error)
{
	const struct expr_source source = {
		.text = text,
		.file = "test.xml",
		.line = 12,
		.language = language,
		.type = type,
		.scope = 1000,
	};

	return expr_compile(&source, &resolver, arena, out, error);
}

static union drmperf_value
run(const struct expr_program *program)
{
	struct expr_input inputs[ARRAY_SIZE(counters)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		inputs[i].values = counters[i].values;
		inputs[i].count = counters[i].count;
	}
	return expr_eval(program, inputs);
}

static union drmperf_value
value_of(const char *text, enum expression_language language,
	 enum drmperf_type type)
{
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "" };
	const struct expr_program *program = NULL;
	union drmperf_value value;

	ck_assert_msg(!compile(text, language, type, arena, &program, &error),
		      "%s: %s", text, error.cause);
	value = run(program);
	arena_destroy(arena);
	return value;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

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

START_TEST(integer_values)
{
	union drmperf_value value = value_of(
		integers[_i].text, integers[_i].language, DRMPERF_TYPE_UINT64);

	ck_assert_msg(value.u64 == integers[_i].value,
		      "line %d: %s is %" PRIu64 ", not %" PRIu64,
		      integers[_i].line, integers[_i].text, value.u64,
		      integers[_i].value);
}
END_TEST

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

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

START_TEST(double_values)
{
	union drmperf_value value = value_of(
		doubles[_i].text, doubles[_i].language, DRMPERF_TYPE_DOUBLE);

	ck_assert_msg(same(value.f64, doubles[_i].value),
		      "line %d: %s is %.17g, not %.17g", doubles[_i].line,
		      doubles[_i].text, value.f64, doubles[_i].value);
}
END_TEST

/* With ":instance=" an input has one value, which every aggregate gives. */
START_TEST(one_instance)
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
	const struct expr_input inputs[ARRAY_SIZE(counters)] = { [3] = { only,
									 1 } };
	struct arena *arena = arena_create();
	const struct expr_program *program;

	ck_assert_int_eq(compile(texts[_i], EXPRESSION_INFIX,
				 DRMPERF_TYPE_UINT64, arena, &program, NULL),
			 0);
	ck_assert_uint_eq(expr_eval(program, inputs).u64, 42);
	arena_destroy(arena);
}
END_TEST

/*
 * All of the above in one batch, each twice and plain counters among them: it
 * gives what each gives alone, and goes on doing so when the values change.
 */
START_TEST(batch)
{
	enum {
		MOST = 2 * (ARRAY_SIZE(integers) + ARRAY_SIZE(doubles) +
			    ARRAY_SIZE(counters))
	};
	uint64_t store[ARRAY_SIZE(counters)][6];
	struct expr_input inputs[ARRAY_SIZE(counters)];
	struct expr_batch_entry entries[MOST];
	union drmperf_value values[MOST], alone;
	struct arena *arena = arena_create();
	struct expr_batch *all = NULL;
	size_t count = 0, i, k, round;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		inputs[i].values = store[i];
		inputs[i].count = counters[i].count;
		memcpy(store[i], counters[i].values,
		       counters[i].count * sizeof(uint64_t));
	}
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(integers); i++) {
			entries[count].inputs = inputs;
			ck_assert(!compile(integers[i].text,
					   integers[i].language,
					   DRMPERF_TYPE_UINT64, arena,
					   &entries[count++].program, NULL));
		}
		for (i = 0; i < ARRAY_SIZE(doubles); i++) {
			entries[count].inputs = inputs;
			ck_assert(!compile(doubles[i].text, doubles[i].language,
					   DRMPERF_TYPE_DOUBLE, arena,
					   &entries[count++].program, NULL));
		}
		for (i = 0; i < ARRAY_SIZE(counters); i++)
			entries[count++] = (struct expr_batch_entry){
				.type = round ? DRMPERF_TYPE_DOUBLE
					      : DRMPERF_TYPE_UINT64,
				.inputs = &inputs[i],
			};
	}
	ck_assert_uint_eq(count, MOST);
	ck_assert_int_eq(expr_batch_create(entries, count, &all), 0);
	for (round = 0; round < 5; round++) {
		expr_batch_eval(all, values);
		for (i = 0; i < count; i++) {
			const struct expr_batch_entry *entry = &entries[i];

			if (entry->program) {
				alone = expr_eval(entry->program, inputs);
			} else {
				alone.u64 = 0;
				for (k = 0; k < entry->inputs->count; k++)
					alone.u64 += entry->inputs->values[k];
				if (entry->type == DRMPERF_TYPE_DOUBLE)
					alone.f64 = (double)alone.u64;
			}
			ck_assert_msg(alone.u64 == values[i].u64,
				      "round %zu, entry %zu: %" PRIx64
				      ", not %" PRIx64,
				      round, i, values[i].u64, alone.u64);
		}
		for (i = 0; i < ARRAY_SIZE(counters); i++)
			for (k = 0; k < counters[i].count; k++)
				store[i][k] = store[i][k] * 5 + i + k;
	}
	expr_batch_destroy(all);
	ck_assert_int_eq(expr_batch_create(NULL, 0, &all), 0);
	expr_batch_eval(all, NULL);
	expr_batch_destroy(all);
	expr_batch_destroy(NULL);
	arena_destroy(arena);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Complaints                                                           */

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

START_TEST(complaints)
{
	const struct expr_program *program = NULL;
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "" };
	int err;

	err = compile(failures[_i].text, failures[_i].language,
		      DRMPERF_TYPE_UINT64, arena, &program, &error);
	ck_assert_msg(err == failures[_i].code && error.code == err &&
			      strstr(error.cause, failures[_i].cause),
		      "line %d: %s: %d, %s", failures[_i].line,
		      failures[_i].text, err, error.cause);
	ck_assert_ptr_null(program);
	/* and without anybody to tell it to */
	ck_assert_int_eq(compile(failures[_i].text, failures[_i].language,
				 DRMPERF_TYPE_UINT64, arena, &program, NULL),
			 err);
	arena_destroy(arena);
}
END_TEST

static int
refuse(void *data, size_t scope, const char *name, size_t length,
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

START_TEST(resolver_errors)
{
	const struct expr_resolver none = { .name = refuse };
	const struct expr_source source = { .text = "1+X", .file = "f.xml" };
	struct arena *arena = arena_create();
	const struct expr_program *program;
	struct drmperf_error error;

	ck_assert_int_eq(expr_compile(&source, &none, arena, &program, &error),
			 -ENODEV);
	ck_assert_str_eq(error.cause, "f.xml:0: at character 3 of the "
				      "expression: not today");
	ck_assert_int_eq(expr_compile_rpn("A 7 READ", "f.xml", 3,
					  DRMPERF_TYPE_UINT64, &none, arena,
					  &program, &error),
			 -EBADMSG);
	ck_assert_int_eq(expr_compile_rpn("true $X &&", "f.xml", 3,
					  DRMPERF_TYPE_UINT64, &none, arena,
					  &program, NULL),
			 -ENODEV);
	arena_destroy(arena);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Limits                                                               */

/* head, then part as often as asked, then tail */
static char *
repeat(const char *head, const char *part, size_t times, const char *tail)
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

START_TEST(size_limits)
{
	char *text = repeat(limits[_i].head, limits[_i].part, limits[_i].times,
			    limits[_i].tail);
	struct arena *arena = arena_create();
	const struct expr_program *program;
	struct drmperf_error error = { .cause = "" };
	int err;

	err = compile(text, limits[_i].language, DRMPERF_TYPE_UINT64, arena,
		      &program, &error);
	ck_assert_msg(err == limits[_i].code, "line %d: %d, %s",
		      limits[_i].line, err, error.cause);
	if (!err)
		ck_assert_uint_eq(run(program).u64, limits[_i].value);
	arena_destroy(arena);
	free(text);
}
END_TEST

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
		set_counter(out, 0);
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
START_TEST(metrics_are_shared)
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
	ck_assert_uint_eq(run(program).u64, UINT64_C(1) << 25);

	chain.length = 5000;
	ck_assert_int_eq(expr_compile(&source, &chained, arena, &program, NULL),
			 -E2BIG);
	arena_destroy(arena);
}
END_TEST

/* What a short text uses makes no long program. */
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

START_TEST(short_use_of_long)
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
END_TEST

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
START_TEST(many_metrics)
{
	char *text = repeat("0", "+M", 500, "");
	size_t made = 0;
	const struct expr_resolver fresh = { .name = resolve_fresh,
					     .data = &made };
	const struct expr_source source = { .text = text };
	struct arena *arena = arena_create();
	const struct expr_program *program;

	ck_assert_int_eq(expr_compile(&source, &fresh, arena, &program, NULL),
			 0);
	ck_assert_uint_eq(made, 500);
	ck_assert_uint_eq(run(program).u64, 500);
	arena_destroy(arena);
	free(text);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Against an evaluator that knows types only while it runs             */

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
arithmetic(char sign, struct number a, struct number b)
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
reference(const char *word, struct number a, struct number b)
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
	result = arithmetic(strstr(word, "ADD")	  ? '+'
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

static uint64_t
draw(uint64_t *state)
{
	/* xorshift64* */
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

START_TEST(random_equations)
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
			bool operate = depth > 1 && (draw(&state) % 2 ||
						     depth == 16 || i >= 20);
			char *end = text + strlen(text);
			uint64_t n;

			if (!operate) {
				n = draw(&state) >> (draw(&state) % 48 + 16);
				sprintf(end, "%" PRIu64 " ", n);
				stack[depth++] = from_uint(n);
				continue;
			}
			n = draw(&state) % ARRAY_SIZE(words);
			depth--;
			stack[depth - 1] = reference(words[n], stack[depth - 1],
						     stack[depth]);
			sprintf(end, "%s ", words[n]);
		}
		if (out_of_range)
			continue;
		tried++;
		value = value_of(text, EXPRESSION_OA_RPN, DRMPERF_TYPE_DOUBLE);
		if (stack[0].is_na)
			stack[0] = from_double(NAN);
		ck_assert_msg(same(value.f64, as_double(stack[0])),
			      "%s: %.17g, not %.17g", text, value.f64,
			      as_double(stack[0]));
	}
	ck_assert_uint_gt(tried, 1000);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Rubbish                                                              */

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
START_TEST(rubbish)
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
		size_t count = draw(&state) % 12;
		int err;

		for (i = 0; i < count; i++) {
			strcat(text, scraps[draw(&state) % ARRAY_SIZE(scraps)]);
			if (_i)
				strcat(text, " ");
		}
		err = compile(text, language, DRMPERF_TYPE_DOUBLE, arena,
			      &program, &error);
		if (!err) {
			run(program);
			good++;
		} else {
			ck_assert_msg(err == error.code && *error.cause,
				      "%s: %d", text, err);
		}
		arena_destroy(arena);
	}
	ck_assert_uint_gt(good, 100);
}
END_TEST

/* The program's locale must not change what a point means. */
START_TEST(decimal_comma)
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
	value = value_of("2.5*2", EXPRESSION_INFIX, DRMPERF_TYPE_DOUBLE);
	setlocale(LC_NUMERIC, "C");
	ck_assert(value.f64 == 5.0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("expr");
	TCase *values = tcase_create("values");
	TCase *errors = tcase_create("errors");
	TCase *random = tcase_create("random");

	tcase_add_loop_test(values, integer_values, 0, ARRAY_SIZE(integers));
	tcase_add_loop_test(values, double_values, 0, ARRAY_SIZE(doubles));
	tcase_add_loop_test(values, one_instance, 0, 7);
	tcase_add_test(values, batch);
	tcase_add_test(values, metrics_are_shared);
	tcase_add_test(values, short_use_of_long);
	tcase_add_test(values, many_metrics);
	tcase_add_test(values, decimal_comma);
	tcase_add_loop_test(errors, complaints, 0, ARRAY_SIZE(failures));
	tcase_add_test(errors, resolver_errors);
	tcase_add_loop_test(errors, size_limits, 0, ARRAY_SIZE(limits));
	tcase_add_test(random, random_equations);
	tcase_add_loop_test(random, rubbish, 0, 2);
	suite_add_tcase(suite, values);
	suite_add_tcase(suite, errors);
	suite_add_tcase(suite, random);
	return suite_run(suite);
}
