/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_formula.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
roc_selection_name(const struct drmperf_selection *selection, char *text,
		   size_t size)
{
	int length = drmperf_event_rocm_name(selection->event, text, size);

	if (selection->instance != DRMPERF_ALL_INSTANCES && length >= 0 &&
	    (size_t)length < size)
		snprintf(text + length, size - (size_t)length, "[%d]",
			 selection->instance);
}

/* ------------------------------------------------------------------ */
/* Formulas as text                                                     */

/* Write a formula to *out, for free(), or NULL. Returns 0, or -ENOMEM. */
static int
formula_write(const struct drmperf_formula *formula, char **out)
{
	size_t parts, count;
	const struct drmperf_formula_style style = {
		.size = sizeof(style),
		.language = DRMPERF_LANGUAGE_ROCM,
		.parts = drmperf_formula_parts(formula, &parts),
	};
	const struct drmperf_step *steps =
		drmperf_formula_steps(formula, &count);
	const int length = drmperf_formula_text(steps, count, &style, NULL, 0);

	*out = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!*out)
		return length < 0 && length != -ENOMEM ? 0 : -ENOMEM;
	drmperf_formula_text(steps, count, &style, *out, (size_t)length + 1);
	return 0;
}

/*
 * Return the text of a level that is accumulated, as AMD's files define it, or
 * NULL.
 */
static char *
text_of_level(const char *name)
{
	static const char suffix[] = "_ACCUM";
	const size_t length = strlen(name), own = strlen(suffix);
	char *text;

	if (length <= own || strcmp(name + length - own, suffix) != 0)
		return NULL;
	return asprintf(&text, "accumulate(%.*s,HIGH_RES)",
			(int)(length - own), name) < 0
		       ? NULL
		       : text;
}

int
roc_formula_text(struct drmperf *drmperf, const struct drmperf_event *event,
		 char **out)
{
	const struct drmperf_selection selection = { event,
						     DRMPERF_ALL_INSTANCES };
	struct drmperf_formula *formula;
	char name[ROC_NAME_SIZE];
	int rc;

	roc_selection_name(&selection, name, sizeof(name));
	*out = text_of_level(name);
	if (*out)
		return 0;
	rc = drmperf_formula_create(drmperf, &selection, &formula, NULL);
	if (rc)
		return rc == -ENOMEM ? rc : 0;
	rc = formula_write(formula, out);
	drmperf_formula_destroy(formula);
	/* A client that expands the event's own name would never end. */
	if (*out && !strcmp(*out, name)) {
		free(*out);
		*out = NULL;
	}
	return rc;
}

/* ------------------------------------------------------------------ */
/* Formulas as values                                                   */

static double
value_of_part(const void *parts, unsigned part)
{
	return ((const double *)parts)[part];
}

int
roc_formula_value(const struct drmperf_formula *formula, const double *parts,
		  double *out)
{
	size_t count;
	const struct drmperf_step *steps =
		drmperf_formula_steps(formula, &count);
	double *done = calloc(count, sizeof(*done));

	if (!done)
		return -ENOMEM;
	*out = drmperf_formula_value(steps, count, value_of_part, parts, done);
	free(done);
	return 0;
}
