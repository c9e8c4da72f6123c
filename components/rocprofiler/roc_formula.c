/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_formula.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest text that is of use to readers; longer formulas have none. */
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
/* Formulas as text                                                     */

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

/* ------------------------------------------------------------------ */
/* One operation over all instances                                     */

/* A tree of one operation, as far as it has been looked at. */
struct reduction {
	enum drmperf_operation operation;
	const struct drmperf_event *event; /* of all its parts */
	unsigned instances; /* that the event has */
	unsigned terms; /* that are compared; one if it is a sum */
	bool *seen; /* per instance */
};

static bool
add_part(struct reduction *reduction, const struct drmperf_selection *part)
{
	const int instance = part->instance;

	if (part->event != reduction->event || instance < 0 ||
	    (unsigned)instance >= reduction->instances ||
	    reduction->seen[instance])
		return false;
	return reduction->seen[instance] = true;
}

static bool
add_sum(const struct writer *writer, unsigned number,
	struct reduction *reduction)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (step->operation == DRMPERF_OPERATION_PART)
		return add_part(reduction, &writer->parts[step->part]);
	return step->operation == DRMPERF_OPERATION_ADD &&
	       add_sum(writer, step->a, reduction) &&
	       add_sum(writer, step->b, reduction);
}

/*
 * Add a tree's parts. Terms that are compared may be sums: of the same instance
 * in all shader engines.
 */
static bool
add_tree(const struct writer *writer, unsigned number,
	 struct reduction *reduction)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (step->operation == reduction->operation &&
	    step->operation != DRMPERF_OPERATION_ADD)
		return add_tree(writer, step->a, reduction) &&
		       add_tree(writer, step->b, reduction);
	reduction->terms++;
	return add_sum(writer, number, reduction);
}

/* The first part of a tree of one operation over parts or sums, or NULL. */
static const struct drmperf_selection *
first_part(const struct writer *writer, unsigned number,
	   enum drmperf_operation operation)
{
	const struct drmperf_step *step = &writer->steps[number];

	while (step->operation == operation ||
	       step->operation == DRMPERF_OPERATION_ADD)
		step = &writer->steps[step->a];
	return step->operation == DRMPERF_OPERATION_PART
		       ? &writer->parts[step->part]
		       : NULL;
}

static bool
covers_all(const struct reduction *reduction)
{
	for (unsigned i = 0; i < reduction->instances; i++) {
		if (!reduction->seen[i])
			return false;
	}
	return true;
}

static const char *
function_of(enum drmperf_operation operation)
{
	switch (operation) {
	case DRMPERF_OPERATION_ADD:
		return "sum";
	case DRMPERF_OPERATION_MINIMUM:
		return "min";
	case DRMPERF_OPERATION_MAXIMUM:
		return "max";
	default:
		return NULL;
	}
}

/*
 * Write "max(NAME,16)" if that is what the step computes; false: it is not. The
 * number is that of what is compared, as AMD's files have it.
 */
static bool
write_reduction(const struct writer *writer, unsigned number)
{
	const enum drmperf_operation operation =
		writer->steps[number].operation;
	const struct drmperf_selection *part =
		function_of(operation) ? first_part(writer, number, operation)
				       : NULL;
	struct reduction reduction = { .operation = operation };
	char name[ROC_NAME_SIZE];
	bool is;

	if (!part)
		return false;
	reduction.event = part->event;
	reduction.instances = drmperf_event_instances(part->event);
	reduction.seen = calloc(reduction.instances + 1, sizeof(bool));
	is = reduction.seen && add_tree(writer, number, &reduction) &&
	     covers_all(&reduction);
	free(reduction.seen);
	if (!is)
		return false;
	roc_selection_name(&(struct drmperf_selection){ part->event,
							DRMPERF_ALL_INSTANCES },
			   name, sizeof(name));
	fprintf(writer->out, "%s(%s,%u)", function_of(operation), name,
		operation == DRMPERF_OPERATION_ADD ? reduction.instances
						   : reduction.terms);
	return true;
}

/* ------------------------------------------------------------------ */

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
	if (step->operation == DRMPERF_OPERATION_SELECT) {
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
	else if (!write_reduction(writer, number))
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
	*out = text_of(formula);
	drmperf_formula_destroy(formula);
	if (!*out)
		return -ENOMEM;
	/* A client that expands the event's own name would never end. */
	if (!**out || !strcmp(*out, name)) {
		free(*out);
		*out = NULL;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Formulas as values                                                   */

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
	case DRMPERF_OPERATION_SELECT:
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
