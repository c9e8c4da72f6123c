/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/formula.h"

#include <stdlib.h>
#include <string.h>

#include "select/selection_list.h"

struct naming {
	const struct tool *tool;
	const struct drmperf_selection *parts;
	enum dialect dialect;
};

int
formula_write_short_name(const char *name, char *text, size_t size)
{
	const char *scope = strstr(name, "::");
	const char *device = strstr(name, ":device=");

	if (scope)
		name = scope + 2;
	if (!device)
		return snprintf(text, size, "%s", name);
	return snprintf(text, size, "%.*s%s", (int)(device - name), name,
			device + strlen(":device=") +
				strspn(device + strlen(":device="),
				       "0123456789"));
}

static int
write_part_name(const void *data, unsigned number, char *text, size_t size)
{
	const struct naming *naming = data;
	const struct drmperf_selection *part = &naming->parts[number];
	char name[NAME_SIZE];

	switch (naming->dialect) {
	case DIALECT_PAPI:
		selection_name(part, selection_papi_prefix(part), name);
		return snprintf(text, size, "%s", name);
	case DIALECT_PARAPROF:
		selection_name(part, selection_papi_prefix(part), name);
		return snprintf(text, size, "\"PAPI_NATIVE_%s\"", name);
	case DIALECT_CUBE:
		return snprintf(text, size, "metric::%s()",
				selection_cube_name(naming->tool, part, name));
	case DIALECT_SHORT:
		return formula_write_short_name(selection_name(part, "", name),
						text, size);
	default:
		return drmperf_selection_name(part, text, size);
	}
}

char *
formula_steps_text(const struct drmperf_step *steps, size_t count,
		   const struct drmperf_formula_style *style)
{
	const int length = drmperf_formula_text(steps, count, style, NULL, 0);
	char *text = length < 0 ? NULL : malloc((size_t)length + 1);

	if (text)
		drmperf_formula_text(steps, count, style, text,
				     (size_t)length + 1);
	return text;
}

char *
formula_text(const struct tool *tool, const struct drmperf_formula *formula,
	     enum dialect dialect)
{
	static const enum drmperf_language languages[] = {
		[DIALECT_PLAIN] = DRMPERF_LANGUAGE_C,
		[DIALECT_PAPI] = DRMPERF_LANGUAGE_C,
		[DIALECT_PARAPROF] = DRMPERF_LANGUAGE_PARAPROF,
		[DIALECT_CUBE] = DRMPERF_LANGUAGE_CUBEPL,
		[DIALECT_SHORT] = DRMPERF_LANGUAGE_BRIEF,
	};
	size_t parts, count;
	const struct naming naming = {
		.tool = tool,
		.parts = drmperf_formula_parts(formula, &parts),
		.dialect = dialect,
	};
	const struct drmperf_formula_style style = {
		.size = sizeof(style),
		.language = languages[dialect],
		.name = write_part_name,
		.data = &naming,
	};
	const struct drmperf_step *steps =
		drmperf_formula_steps(formula, &count);

	return formula_steps_text(steps, count, &style);
}
