/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/formula.h"

#include <math.h>
#include <string.h>

#include "select/selection_list.h"

/* Exactly representable, and so are all integers below it. */
#define INTEGERS_END 9007199254740992.0

struct printer {
	const struct tool *tool;
	FILE *out;
	enum dialect dialect;
	const struct drmperf_selection *parts;
	/* NULL: parts are printed by the dialect */
	void (*print_part)(FILE *out, const void *data, unsigned part);
	const void *data;
	const struct drmperf_step *steps;
};

/* Binding of an operation; ATOM has its own parentheses. */
enum { LOOSE, COMPARISON, SUM, PRODUCT, ATOM };

static const struct {
	const char *sign; /* between the operands; of a function its name */
	int binds;
} words[] = {
	[DRMPERF_OPERATION_CONSTANT] = { "", ATOM },
	[DRMPERF_OPERATION_PART] = { "", ATOM },
	[DRMPERF_OPERATION_ADD] = { " + ", SUM },
	[DRMPERF_OPERATION_SUBTRACT] = { " - ", SUM },
	[DRMPERF_OPERATION_MULTIPLY] = { " * ", PRODUCT },
	[DRMPERF_OPERATION_DIVIDE] = { " / ", PRODUCT },
	[DRMPERF_OPERATION_MINIMUM] = { "min", ATOM },
	[DRMPERF_OPERATION_MAXIMUM] = { "max", ATOM },
	[DRMPERF_OPERATION_EQUAL] = { " == ", COMPARISON },
	[DRMPERF_OPERATION_UNEQUAL] = { " != ", COMPARISON },
	[DRMPERF_OPERATION_LESS] = { " < ", COMPARISON },
	[DRMPERF_OPERATION_LESS_OR_EQUAL] = { " <= ", COMPARISON },
	[DRMPERF_OPERATION_SELECT] = { "", ATOM },
};

bool
formula_can_be_said(const struct drmperf_formula *formula, enum dialect dialect)
{
	size_t count;
	const struct drmperf_step *steps =
		drmperf_formula_steps(formula, &count);

	for (size_t i = 0; dialect == DIALECT_PARAPROF && i < count; i++) {
		if (steps[i].operation > DRMPERF_OPERATION_DIVIDE)
			return false;
	}
	return true;
}

/*
 * Print a number without exponent: neither ParaProf nor CubePL reads exponents.
 */
static void
print_number(FILE *out, double value)
{
	char text[32];

	if (value == trunc(value) && fabs(value) < INTEGERS_END) {
		fprintf(out, "%.0f", value);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", value);
	if (strchr(text, 'e'))
		fprintf(out, "%.20f", value);
	else
		fputs(text, out);
}

/* Print a name without "DRIVER::" and ":device=N". */
static void
print_short_name(FILE *out, const char *name)
{
	const char *scope = strstr(name, "::");
	const char *device = strstr(name, ":device=");

	if (scope)
		name = scope + 2;
	if (!device) {
		fputs(name, out);
		return;
	}
	fprintf(out, "%.*s", (int)(device - name), name);
	device += strlen(":device=");
	fputs(device + strspn(device, "0123456789"), out);
}

static void
print_part(const struct printer *printer,
	   const struct drmperf_selection *part)
{
	char name[NAME_SIZE];

	switch (printer->dialect) {
	case DIALECT_PLAIN:
		fputs(selection_name(part, "", name), printer->out);
		break;
	case DIALECT_PAPI:
		fputs(selection_name(part, selection_papi_prefix(part), name),
		      printer->out);
		break;
	case DIALECT_PARAPROF:
		selection_name(part, selection_papi_prefix(part), name);
		fprintf(printer->out, "\"PAPI_NATIVE_%s\"", name);
		break;
	case DIALECT_CUBE:
		fprintf(printer->out, "metric::%s()",
			selection_cube_name(printer->tool, part, name));
		break;
	case DIALECT_SHORT:
		print_short_name(printer->out,
				 selection_name(part, "", name));
		break;
	}
}

static void
print_step(const struct printer *printer, unsigned number, int least);

static void
print_function(const struct printer *printer, const char *name, unsigned a,
	       unsigned b)
{
	fprintf(printer->out, "%s(", name);
	print_step(printer, a, LOOSE);
	fputs(", ", printer->out);
	print_step(printer, b, LOOSE);
	fputc(')', printer->out);
}

/* Return how many operands minima of minima have, or maxima of maxima. */
static unsigned
count_operands(const struct printer *printer, unsigned number,
	       enum drmperf_operation operation)
{
	const struct drmperf_step *step = &printer->steps[number];

	if (step->operation != operation)
		return 1;
	return count_operands(printer, step->a, operation) +
	       count_operands(printer, step->b, operation);
}

/* Print the first two operands and the last; *seen have come before. */
static void
print_operands(const struct printer *printer, unsigned number,
	       enum drmperf_operation operation, unsigned count, unsigned *seen)
{
	const struct drmperf_step *step = &printer->steps[number];

	if (step->operation == operation) {
		print_operands(printer, step->a, operation, count, seen);
		print_operands(printer, step->b, operation, count, seen);
		return;
	}
	if (*seen < 2 || *seen == count - 1) {
		fputs(*seen ? ", " : "", printer->out);
		print_step(printer, number, LOOSE);
	} else if (*seen == 2) {
		fputs(", ...", printer->out);
	}
	++*seen;
}

/* FUNCTION(a - b) */
static void
print_difference(const struct printer *printer, const char *function,
		 unsigned a, unsigned b)
{
	fprintf(printer->out, "%s(", function);
	print_step(printer, a, SUM);
	fputs(" - ", printer->out);
	print_step(printer, b, PRODUCT);
	fputc(')', printer->out);
}

/*
 * CubePL has conditions only in statements: what is true becomes 1 by the sign
 * of a difference.
 */
static void
print_truth(const struct printer *printer, const struct drmperf_step *step)
{
	fputs("sgn(", printer->out);
	switch (step->operation) {
	case DRMPERF_OPERATION_EQUAL:
	case DRMPERF_OPERATION_UNEQUAL:
		print_difference(printer, "abs", step->a, step->b);
		break;
	case DRMPERF_OPERATION_LESS:
		print_difference(printer, "pos", step->b, step->a);
		break;
	default:
		print_difference(printer, "pos", step->a, step->b);
		break;
	}
	fputc(')', printer->out);
}

static void
print_cube_comparison(const struct printer *printer,
		      const struct drmperf_step *step)
{
	bool inverse = step->operation == DRMPERF_OPERATION_EQUAL ||
		       step->operation == DRMPERF_OPERATION_LESS_OR_EQUAL;

	fputs(inverse ? "(1 - " : "(", printer->out);
	print_truth(printer, step);
	fputc(')', printer->out);
}

static void
print_choice(const struct printer *printer, const struct drmperf_step *step)
{
	bool cube = printer->dialect == DIALECT_CUBE;

	fputs(cube ? "(sgn(abs(" : "(", printer->out);
	print_step(printer, step->a, cube ? LOOSE : COMPARISON);
	fputs(cube ? ")) * " : " ? ", printer->out);
	print_step(printer, step->b, cube ? ATOM : COMPARISON);
	if (cube) {
		fputs(" + (1 - sgn(abs(", printer->out);
		print_step(printer, step->a, LOOSE);
		fputs("))) * ", printer->out);
	} else {
		fputs(" : ", printer->out);
	}
	print_step(printer, step->c, cube ? ATOM : COMPARISON);
	fputc(')', printer->out);
}

static void
print_operation(const struct printer *printer, const struct drmperf_step *step)
{
	int binds = words[step->operation].binds;

	print_step(printer, step->a, binds + (binds == COMPARISON));
	fputs(words[step->operation].sign, printer->out);
	print_step(printer, step->b, binds + 1);
}

static void
print_extreme(const struct printer *printer, unsigned number)
{
	const enum drmperf_operation operation =
		printer->steps[number].operation;
	unsigned seen = 0;

	fprintf(printer->out, "%s(", words[operation].sign);
	print_operands(printer, number, operation,
		       count_operands(printer, number, operation), &seen);
	fputc(')', printer->out);
}

/*
 * Print a step, in parentheses where it binds less than its surroundings
 * require.
 */
static void
print_step(const struct printer *printer, unsigned number, int least)
{
	const struct drmperf_step *step = &printer->steps[number];
	bool wrapped = words[step->operation].binds < least;

	if (printer->dialect == DIALECT_CUBE &&
	    words[step->operation].binds == COMPARISON) {
		print_cube_comparison(printer, step);
		return;
	}
	if (wrapped)
		fputc('(', printer->out);
	switch (step->operation) {
	case DRMPERF_OPERATION_CONSTANT:
		print_number(printer->out, step->constant);
		break;
	case DRMPERF_OPERATION_PART:
		if (printer->print_part)
			printer->print_part(printer->out, printer->data,
					    step->part);
		else
			print_part(printer, &printer->parts[step->part]);
		break;
	case DRMPERF_OPERATION_MINIMUM:
	case DRMPERF_OPERATION_MAXIMUM:
		if (printer->dialect == DIALECT_SHORT) {
			print_extreme(printer, number);
			break;
		}
		print_function(printer, words[step->operation].sign, step->a,
			       step->b);
		break;
	case DRMPERF_OPERATION_SELECT:
		print_choice(printer, step);
		break;
	default:
		print_operation(printer, step);
		break;
	}
	if (wrapped)
		fputc(')', printer->out);
}

void
formula_print(const struct tool *tool, FILE *out,
	      const struct drmperf_formula *formula, enum dialect dialect)
{
	size_t count, parts;
	struct printer printer = { .tool = tool,
				   .out = out,
				   .dialect = dialect };

	printer.parts = drmperf_formula_parts(formula, &parts);
	printer.steps = drmperf_formula_steps(formula, &count);
	print_step(&printer, (unsigned)count - 1, LOOSE);
}

void
formula_print_steps(FILE *out, const struct drmperf_step *steps, size_t count,
		    void (*print_part)(FILE *out, const void *data,
				       unsigned part),
		    const void *data)
{
	const struct printer printer = { .out = out,
					 .dialect = DIALECT_SHORT,
					 .print_part = print_part,
					 .data = data,
					 .steps = steps };

	print_step(&printer, (unsigned)count - 1, LOOSE);
}
