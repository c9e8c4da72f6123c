/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/condition.h"

#include <errno.h>
#include <string.h>

#include "expr/compile.h"
#include "expr/eval.h"

static int
find_constant(void *data, size_t scope, const char *name, size_t length,
	      struct expr_symbol *out, struct drmperf_error *error)
{
	const struct constants *constants = data;

	(void)scope;
	(void)error;
	for (size_t i = 0; i < constants->count; i++) {
		const struct description_constant *constant =
			&constants->list[i];

		if (!strncmp(constant->name, name, length) &&
		    !constant->name[length]) {
			out->kind = EXPR_CONSTANT;
			out->type = DRMPERF_TYPE_UINT64;
			out->value.u64 = constant->value;
			return 0;
		}
	}
	return -ENOENT;
}

/* Most conditions are the name of a constant and no more. */
static const struct description_constant *
whole_constant(const struct constants *constants, const char *text)
{
	for (size_t i = 0; i < constants->count; i++)
		if (!strcmp(constants->list[i].name, text))
			return &constants->list[i];
	return NULL;
}

enum expression_language
condition_language(const struct element *element)
{
	const char *language = element_attribute(element, "language");

	return language && !strcmp(language, "rpn") ? EXPRESSION_OA_RPN
						    : EXPRESSION_INFIX;
}

int
condition_is_true(const struct constants *constants, const struct table *table,
		  const struct element *element, const char *text,
		  struct arena *arena, bool *out, struct drmperf_error *error)
{
	const struct expr_source source = {
		.text = text,
		.file = table->path,
		.line = element->line,
		.language = condition_language(element),
		.type = DRMPERF_TYPE_UINT64,
	};
	const struct expr_resolver resolver = {
		.name = find_constant,
		.data = (void *)(uintptr_t)constants,
	};
	const struct description_constant *constant;
	const struct expr_program *program;
	int ret;

	if (!text) {
		*out = true;
		return 0;
	}
	constant = source.language == EXPRESSION_INFIX
			   ? whole_constant(constants, text)
			   : NULL;
	if (constant) {
		*out = constant->value;
		return 0;
	}
	ret = expr_compile(&source, &resolver, arena, &program, error);
	if (!ret)
		*out = expr_eval(program, NULL).u64;
	return ret;
}
