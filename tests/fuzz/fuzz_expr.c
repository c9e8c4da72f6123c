/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions of three languages, as rubbish: the first byte chooses language
 * and type, the second what the counters show, the rest is the text. Whatever
 * is compiled has the same value alone, in a batch, and each time.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expr/batch.h"
#include "expr/compile.h"
#include "expr/program.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNTERS 8
#define INPUTS (2 * COUNTERS) /* each with one beside it that sums it */
#define MOST_INSTANCES 12

/* A to H have that many instances, in engines of that many. */
static const unsigned instances[COUNTERS] = { 1, 1, 4, 12, 2, 8, 3, 6 };
static const unsigned per_engine[COUNTERS] = { 1, 1, 4, 6, 1, 2, 3, 2 };

/* K to N are metrics, S one that uses itself. */
static const char *const metrics[] = { "A+B*2", "100*K/(A-B)",
				       "max(C,8)*D", "L>1?M:K" };

static int
symbol_of_counter(size_t input, struct expr_symbol *out)
{
	*out = (struct expr_symbol){
		.kind = EXPR_COUNTER,
		.input = input,
		.instances_per_engine = per_engine[input % COUNTERS],
	};
	return 0;
}

static int
symbol_of_metric(const char *text, size_t scope, struct expr_symbol *out)
{
	*out = (struct expr_symbol){
		.kind = EXPR_METRIC,
		.metric = { .text = text,
			    .file = "m",
			    .language = EXPRESSION_ROCM,
			    .type = scope % 2 ? DRMPERF_TYPE_DOUBLE
					      : DRMPERF_TYPE_UINT64,
			    .scope = scope },
	};
	return 0;
}

static int
symbol_of_constant(enum drmperf_type type, struct expr_symbol *out)
{
	*out = (struct expr_symbol){ .kind = EXPR_CONSTANT, .type = type };
	if (type == DRMPERF_TYPE_DOUBLE)
		out->value.f64 = -2.5;
	else
		out->value.u64 = UINT64_MAX - 3;
	return 0;
}

static int
find_name(void *data, size_t scope, const char *name, size_t length,
	  struct expr_symbol *out, struct drmperf_error *error)
{
	(void)data;
	(void)scope;
	(void)error;
	if (length != 1)
		return -ENOENT;
	if (*name >= 'A' && *name < 'A' + COUNTERS)
		return symbol_of_counter((size_t)(*name - 'A'), out);
	if (*name >= 'K' && *name <= 'N')
		return symbol_of_metric(metrics[*name - 'K'], (size_t)*name,
					out);
	if (*name == 'S')
		return symbol_of_metric("S+1", 'S', out);
	if (*name == 'X' || *name == 'Y')
		return symbol_of_constant(*name == 'X' ? DRMPERF_TYPE_UINT64
						       : DRMPERF_TYPE_DOUBLE,
					  out);
	return -ENOENT;
}

static int
find_read(void *data, size_t scope, const char *bank, size_t length,
	  uint64_t number, struct expr_symbol *out, struct drmperf_error *error)
{
	(void)data;
	(void)scope;
	(void)error;
	if (length != 1 || *bank != 'A' || number >= COUNTERS)
		return -ENOENT;
	return symbol_of_counter((size_t)number, out);
}

static int
find_sum(void *data, size_t scope, size_t input, const char *which,
	 size_t length, struct expr_symbol *out, struct drmperf_error *error)
{
	(void)data;
	(void)scope;
	(void)which;
	(void)error;
	if (input >= COUNTERS || length > 8)
		return -ENOENT;
	return symbol_of_counter(input + COUNTERS, out);
}

/* Fill with nothing to all bits, small and large ones beside each other. */
static void
fill_values(uint64_t *values, size_t count, uint8_t seed)
{
	uint64_t state = seed;

	for (size_t i = 0; i < count; i++) {
		state = state * UINT64_C(6364136223846793005) + seed;
		values[i] = state >> (state >> 58);
	}
}

static int
is_same(union drmperf_value a, union drmperf_value b, enum drmperf_type type)
{
	if (type == DRMPERF_TYPE_DOUBLE && isnan(a.f64) && isnan(b.f64))
		return 1;
	return a.u64 == b.u64;
}

static void
evaluate_program(const struct expr_program *program, enum drmperf_type type,
		 uint8_t seed)
{
	uint64_t values[INPUTS][MOST_INSTANCES];
	struct expr_input inputs[INPUTS];
	struct expr_batch_entry entries[] = {
		{ NULL, DRMPERF_TYPE_UINT64, &inputs[3] },
		{ program, type, inputs },
		{ program, type, inputs },
	};
	union drmperf_value alone, together[3];
	struct expr_batch *batch;

	for (size_t i = 0; i < INPUTS; i++)
		inputs[i] = (struct expr_input){ values[i],
						 instances[i % COUNTERS] };
	assert(!expr_batch_create(entries, 3, &batch));
	for (unsigned round = 0; round < 3; round++) {
		fill_values(values[0], sizeof(values) / sizeof(values[0][0]),
			    (uint8_t)(seed + round));
		alone = expr_eval(program, inputs);
		expr_batch_eval(batch, together);
		assert(is_same(alone, together[1], type));
		assert(is_same(alone, together[2], type));
		assert(is_same(alone, expr_eval(program, inputs), type));
	}
	expr_batch_destroy(batch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct expr_resolver resolver = {
		.name = find_name,
		.read = find_read,
		.accumulate = find_sum,
	};
	struct drmperf_error error = { .cause = "" };
	const struct expr_program *program = NULL;
	struct arena *arena = arena_create();
	struct expr_source source = { .file = "f" };
	char *text;
	int err;

	if (size < 2) {
		arena_destroy(arena);
		return 0;
	}
	text = malloc(size - 1);
	memcpy(text, data + 2, size - 2);
	text[size - 2] = '\0';
	source.text = text;
	source.language = (enum expression_language)(data[0] % 3);
	source.type = data[0] / 3 % 2 ? DRMPERF_TYPE_DOUBLE
				      : DRMPERF_TYPE_UINT64;
	err = expr_compile(&source, &resolver, arena, &program, &error);
	assert(!err == !!program);
	assert(!err || *error.cause);
	free(text); /* the program holds nothing of it */
	if (!err)
		evaluate_program(program, source.type, data[1]);
	arena_destroy(arena);
	return 0;
}
