/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas of the events that are computed from others, below the table or in
 * the document of JSON.
 */
#include <stdlib.h>

#include "select/formula.h"
#include "select/selection_list.h"
#include "stat/figures.h"
#include "stat/text.h"
#include "util/json.h"

/* Return whether an earlier row has the same event, of another pass say. */
static bool
row_is_repeated(const struct stat_result *result, size_t row)
{
	const struct drmperf_selection *asked = &result->rows[row].selection;

	for (size_t i = 0; i < row; i++) {
		const struct drmperf_selection *other =
			&result->rows[i].selection;

		if (other->event == asked->event &&
		    other->instance == asked->instance)
			return true;
	}
	return false;
}

/*
 * Return the formula of an event as text, for free(). NULL: it is a counter,
 * its formula cannot be written, or there is no memory.
 */
static char *
row_formula(const struct tool *tool, const struct stat_row *row)
{
	struct drmperf_selection counted = row->selection;
	struct drmperf_formula *formula;
	struct drmperf_error error;
	size_t steps;
	char *text;

	if (row->counted)
		counted.event = row->counted;
	if (drmperf_formula_create(tool->drmperf, &counted, &formula, &error))
		return NULL;
	drmperf_formula_steps(formula, &steps);
	text = steps > 1 ? formula_text(tool, formula, DIALECT_SHORT) : NULL;
	drmperf_formula_destroy(formula);
	return text;
}

/* Print the formulas of all rows, as text or as members of an object. */
static void
write_formulas(const struct tool *tool, const struct stat_options *options,
	       const struct stat_result *result, struct json *json)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < result->row_count; i++) {
		const struct stat_row *row = &result->rows[i];
		char *text = row_is_repeated(result, i)
				     ? NULL
				     : row_formula(tool, row);

		if (!text)
			continue;
		if (json)
			json_text(json,
				  selection_name(&row->selection, "", name),
				  text);
		else
			fprintf(options->out, " %s = %s\n",
				stat_row_name(tool, row, name), text);
		free(text);
	}
}

void
stat_print_formulas(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result)
{
	if (!options->formulas)
		return;
	fputc('\n', options->out);
	write_formulas(tool, options, result, NULL);
}

void
stat_write_formulas(const struct tool *tool, const struct stat_options *options,
		    const struct stat_result *result, struct json *json)
{
	if (!options->formulas)
		return;
	json_open(json, "formulas", '{');
	write_formulas(tool, options, result, json);
	json_close(json, '}');
}
