/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_formula.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nobody reads more. */
#define LONGEST 2000

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
/* As text                                                              */

struct writer {
	FILE *out;
	const struct drmperf_selection *parts;
	const struct drmperf_step *steps;
};

static void
write_part(const struct writer *writer, const struct drmperf_selection *part)
{
	const unsigned instances = drmperf_event_instances(part->event);
	char name[ROC_NAME_SIZE];

	roc_selection_name(part, name, sizeof(name));
	if (part->instance == DRMPERF_ALL_INSTANCES && instances > 1)
		fprintf(writer->out, "sum(%s,%u)", name, instances);
	else
		fputs(name, writer->out);
}

static const char *
sign_of(enum drmperf_operation operation)
{
	switch (operation) {
	case DRMPERF_OPERATION_ADD:
		return "+";
	case DRMPERF_OPERATION_SUBTRACT:
		return "-";
	case DRMPERF_OPERATION_MULTIPLY:
		return "*";
	case DRMPERF_OPERATION_DIVIDE:
		return "/";
	case DRMPERF_OPERATION_EQUAL:
		return "==";
	case DRMPERF_OPERATION_UNEQUAL:
		return "!=";
	case DRMPERF_OPERATION_LESS:
		return "<";
	case DRMPERF_OPERATION_LESS_OR_EQUAL:
		return "<=";
	default: /* of functions */
		return ",";
	}
}

static void write_step(const struct writer *writer, unsigned number);

/* "(a+b)", "max(a,b)", "(a?b:c)" */
static void
write_operation(const struct writer *writer, const struct drmperf_step *step)
{
	if (step->operation == DRMPERF_OPERATION_MINIMUM)
		fputs("min", writer->out);
	if (step->operation == DRMPERF_OPERATION_MAXIMUM)
		fputs("max", writer->out);
	fputs("(", writer->out);
	write_step(writer, step->a);
	if (step->operation == DRMPERF_OPERATION_CHOOSE) {
		fputs("?", writer->out);
		write_step(writer, step->b);
		fputs(":", writer->out);
		write_step(writer, step->c);
	} else {
		fputs(sign_of(step->operation), writer->out);
		write_step(writer, step->b);
	}
	fputs(")", writer->out);
}

/* A step may be used often: the text could grow beyond all bounds. */
static void
write_step(const struct writer *writer, unsigned number)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (ftell(writer->out) > LONGEST)
		return;
	if (step->operation == DRMPERF_OPERATION_CONSTANT)
		fprintf(writer->out, "%.15g", step->constant);
	else if (step->operation == DRMPERF_OPERATION_PART)
		write_part(writer, &writer->parts[step->part]);
	else
		write_operation(writer, step);
}

static char *
text_of(const struct drmperf_formula *formula)
{
	struct writer writer;
	size_t count, length = 0;
	char *text = NULL;

	writer.parts = drmperf_formula_parts(formula, &count);
	writer.steps = drmperf_formula_steps(formula, &count);
	writer.out = open_memstream(&text, &length);
	if (!writer.out)
		return NULL;
	write_step(&writer, (unsigned)(count - 1));
	if (fclose(writer.out)) {
		free(text);
		return NULL;
	}
	if (length > LONGEST)
		text[0] = '\0';
	return text;
}

char *
roc_formula_text(struct drmperf *drmperf, const struct drmperf_event *event)
{
	const struct drmperf_selection selection = { event,
						     DRMPERF_ALL_INSTANCES };
	struct drmperf_formula *formula;
	char name[ROC_NAME_SIZE];
	char *text = NULL;
	int rc = drmperf_formula_create(drmperf, &selection, &formula, NULL);

	if (rc == -ENOMEM)
		return NULL;
	if (!rc) {
		text = text_of(formula);
		drmperf_formula_destroy(formula);
		if (!text || text[0])
			return text;
		free(text);
	}
	roc_selection_name(&selection, name, sizeof(name));
	return strdup(name);
}

/* ------------------------------------------------------------------ */
/* As a value                                                           */

static double
value_of(const struct drmperf_step *step, const double *done,
	 const double *parts)
{
	const double a = done[step->a], b = done[step->b];

	switch (step->operation) {
	case DRMPERF_OPERATION_CONSTANT:
		return step->constant;
	case DRMPERF_OPERATION_PART:
		return parts[step->part];
	case DRMPERF_OPERATION_ADD:
		return a + b;
	case DRMPERF_OPERATION_SUBTRACT:
		return a - b;
	case DRMPERF_OPERATION_MULTIPLY:
		return a * b;
	case DRMPERF_OPERATION_DIVIDE:
		return b != 0 ? a / b : NAN;
	case DRMPERF_OPERATION_MINIMUM:
		return fmin(a, b);
	case DRMPERF_OPERATION_MAXIMUM:
		return fmax(a, b);
	case DRMPERF_OPERATION_EQUAL:
		return a == b;
	case DRMPERF_OPERATION_UNEQUAL:
		return a != b;
	case DRMPERF_OPERATION_LESS:
		return a < b;
	case DRMPERF_OPERATION_LESS_OR_EQUAL:
		return a <= b;
	case DRMPERF_OPERATION_CHOOSE:
		return a != 0 ? b : done[step->c];
	}
	return NAN;
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
	for (size_t i = 0; i < count; i++)
		done[i] = value_of(&steps[i], done, parts);
	*out = done[count - 1];
	free(done);
	return 0;
}
