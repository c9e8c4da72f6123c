/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/expr/words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/program.h"
#include "tests/support/check.h"

static const uint64_t one[] = { 1 };
static const uint64_t big[] = { UINT64_C(1) << 63 };
static const uint64_t ticks[] = { UINT64_C(40000000000) };
static const uint64_t two_engines[] = { 1, 8, 3, 4, 1, 6 };
static const uint64_t idle[] = { 0 };
static const uint64_t busy[] = { 7 };
static const uint64_t clocks[] = { 1000 };
static const uint64_t level[] = { 5, 6 };
static const uint64_t level_sum[] = { 50, 60 };

/* The names are those of the resolver. */
const struct words_counter words_counters[WORDS_COUNTERS] = {
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
		.instances_per_engine = words_counters[i].instances_per_engine,
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
	for (i = 0; i < WORDS_COUNTERS; i++) {
		if (is_name(words_counters[i].name, name, length)) {
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

int
words_compile(const char *text, enum expression_language language,
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

union drmperf_value
words_run(const struct expr_program *program)
{
	struct expr_input inputs[WORDS_COUNTERS];
	size_t i;

	for (i = 0; i < WORDS_COUNTERS; i++) {
		inputs[i].values = words_counters[i].values;
		inputs[i].count = words_counters[i].count;
	}
	return expr_eval(program, inputs);
}

union drmperf_value
words_value(const char *text, enum expression_language language,
	    enum drmperf_type type)
{
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "" };
	const struct expr_program *program = NULL;
	union drmperf_value value;

	ck_assert_msg(
		!words_compile(text, language, type, arena, &program, &error),
		"%s: %s", text, error.cause);
	value = words_run(program);
	arena_destroy(arena);
	return value;
}

bool
words_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}
