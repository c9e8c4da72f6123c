/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "expr/compile.h"
#include "expr/program.h"

static int
find_constant(void *data, size_t scope, const char *name, size_t length,
	      struct expr_symbol *out, struct drmperf_error *error)
{
	const struct constants *constants = data;

	(void)scope;
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
	return description_explain_missing(constants->missing, name, length,
					   error);
}

/*
 * Find the constant that a text names: most conditions are the name of a
 * constant and no more.
 */
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

/* ------------------------------------------------------------------ */
/* Conditions that are evaluated once */

struct condition_value {
	const char *text;
	bool value;
};

int
conditions_init(struct conditions *conditions,
		const struct constants *constants, const struct table *table,
		struct arena *arena)
{
	*conditions = (struct conditions){
		.constants = constants,
		.table = table,
		.arena = arena,
	};
	return name_index_init(&conditions->index, 0);
}

void
conditions_finish(struct conditions *conditions)
{
	name_index_finish(&conditions->index);
	free(conditions->values);
}

static const struct condition_value *
find_value(const struct conditions *conditions, const char *text, uint32_t hash)
{
	size_t cursor = 0;
	uint32_t i;

	while ((i = name_index_next(&conditions->index, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(conditions->values[i].text, text))
			return &conditions->values[i];
	return NULL;
}

static int
add_value(struct conditions *conditions, const char *text, uint32_t hash,
	  bool value)
{
	struct condition_value *values = array_grow(
		conditions->values, conditions->count, sizeof(*values));

	if (!values)
		return -ENOMEM;
	conditions->values = values;
	if (name_index_reserve(&conditions->index, 1))
		return -ENOMEM;
	values[conditions->count] = (struct condition_value){ text, value };
	name_index_insert(&conditions->index, hash,
			  (uint32_t)conditions->count++);
	return 0;
}

int
conditions_are_true(struct conditions *conditions,
		    const struct element *element, const char *text, bool *out,
		    struct drmperf_error *error)
{
	const struct condition_value *known;
	uint32_t hash;
	int ret;

	if (!text) {
		*out = true;
		return 0;
	}
	hash = hash_text(text);
	known = find_value(conditions, text, hash);
	if (known) {
		*out = known->value;
		return 0;
	}
	ret = condition_is_true(conditions->constants, conditions->table,
				element, text, conditions->arena, out, error);
	if (ret)
		return ret;
	text = arena_strndup(conditions->arena, text, strlen(text));
	return text ? add_value(conditions, text, hash, *out) : -ENOMEM;
}
