/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas as text, in the languages of the programs that read them.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/record.h"

/* A step that is used twice is written twice: texts could grow for ever. */
#define LONGEST (1 << 20)
/* Exactly representable, and so are all integers below it. */
#define INTEGERS_END 9007199254740992.0
/* Operands of a minimum or maximum that DRMPERF_LANGUAGE_BRIEF writes. */
#define BRIEF_OPERANDS 3

struct writer {
	const struct drmperf_step *steps;
	const struct drmperf_formula_style *style;
	const char *blank; /* around signs */
	char *text;
	size_t size, length;
	int err; /* the first failure */
};

/* Binding of an operation; ATOM has its own parentheses. */
enum {
	LOOSE,
	COMPARISON,
	SUM,
	PRODUCT,
	ATOM
};

static const struct {
	const char *sign; /* between the operands; of a function its name */
	int binds;
} words[] = {
	[DRMPERF_OPERATION_CONSTANT] = { "", ATOM },
	[DRMPERF_OPERATION_PART] = { "", ATOM },
	[DRMPERF_OPERATION_ADD] = { "+", SUM },
	[DRMPERF_OPERATION_SUBTRACT] = { "-", SUM },
	[DRMPERF_OPERATION_MULTIPLY] = { "*", PRODUCT },
	[DRMPERF_OPERATION_DIVIDE] = { "/", PRODUCT },
	[DRMPERF_OPERATION_MINIMUM] = { "min", ATOM },
	[DRMPERF_OPERATION_MAXIMUM] = { "max", ATOM },
	[DRMPERF_OPERATION_EQUAL] = { "==", COMPARISON },
	[DRMPERF_OPERATION_UNEQUAL] = { "!=", COMPARISON },
	[DRMPERF_OPERATION_LESS] = { "<", COMPARISON },
	[DRMPERF_OPERATION_LESS_OR_EQUAL] = { "<=", COMPARISON },
	[DRMPERF_OPERATION_SELECT] = { "", ATOM },
};

/* ------------------------------------------------------------------ */
/* Text                                                                 */

/* Return what is left of the text, for functions like snprintf(). */
static char *
rest_of_text(const struct writer *writer, size_t *size)
{
	if (writer->length >= writer->size) {
		*size = 0;
		return NULL;
	}
	*size = writer->size - writer->length;
	return writer->text + writer->length;
}

__attribute__((format(printf, 2, 3))) static void
write_format(struct writer *writer, const char *format, ...)
{
	va_list arguments;
	size_t size;
	char *rest = rest_of_text(writer, &size);

	va_start(arguments, format);
	writer->length += (size_t)vsnprintf(rest, size, format, arguments);
	va_end(arguments);
}

static void
write_text(struct writer *writer, const char *text)
{
	write_format(writer, "%s", text);
}

/*
 * Write a number without exponent: neither ParaProf nor CubePL reads exponents.
 */
static void
write_number(struct writer *writer, double value)
{
	char text[32];

	if (value == trunc(value) && fabs(value) < INTEGERS_END) {
		write_format(writer, "%.0f", value);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", value);
	if (strchr(text, 'e'))
		write_format(writer, "%.20f", value);
	else
		write_text(writer, text);
}

static bool
language_is(const struct writer *writer, enum drmperf_language language)
{
	return writer->style->language == language;
}

static void
write_step(struct writer *writer, unsigned number, int least);

/* ------------------------------------------------------------------ */
/* ROCm: functions over the instances of an event                       */

/* Write the event's name, and the instance, which is ours, in brackets. */
static void
write_rocm_name(struct writer *writer, const struct drmperf_event *event,
		int instance)
{
	size_t size;
	char *rest = rest_of_text(writer, &size);

	writer->length += (size_t)drmperf_event_rocm_name(event, rest, size);
	if (instance != DRMPERF_ALL_INSTANCES)
		write_format(writer, "[%d]", instance);
}

/* Write "sum(NAME,16)" */
static void
write_rocm_function(struct writer *writer, const char *function,
		    const struct drmperf_event *event, unsigned count)
{
	write_format(writer, "%s(", function);
	write_rocm_name(writer, event, DRMPERF_ALL_INSTANCES);
	write_format(writer, ",%u)", count);
}

static void
write_rocm_part(struct writer *writer, const struct drmperf_selection *part)
{
	const unsigned instances = drmperf_event_instances(part->event);

	if (part->instance == DRMPERF_ALL_INSTANCES && instances > 1)
		write_rocm_function(writer, "sum", part->event, instances);
	else
		write_rocm_name(writer, part->event, part->instance);
}

/* A tree of one operation, as far as it has been looked at. */
struct reduction {
	enum drmperf_operation operation;
	const struct drmperf_event *event; /* of all its parts */
	unsigned instances; /* that the event has */
	unsigned terms; /* that are compared; one if it is a sum */
	bool *seen; /* per instance */
};

static const struct drmperf_selection *
part_of_step(const struct writer *writer, const struct drmperf_step *step)
{
	return &writer->style->parts[step->part];
}

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
		return add_part(reduction, part_of_step(writer, step));
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

static bool
tree_covers_instances(struct writer *writer, unsigned number,
		      struct reduction *reduction)
{
	unsigned seen = 0;
	bool is_one;

	reduction->instances = drmperf_event_instances(reduction->event);
	reduction->seen = calloc(reduction->instances + 1, sizeof(bool));
	if (!reduction->seen) {
		writer->err = -ENOMEM;
		return false;
	}
	is_one = add_tree(writer, number, reduction);
	for (unsigned i = 0; i < reduction->instances; i++)
		seen += reduction->seen[i];
	free(reduction->seen);
	return is_one && seen == reduction->instances;
}

/* Return the first event of a tree of one operation over parts, or NULL. */
static const struct drmperf_event *
first_event(const struct writer *writer, unsigned number,
	    enum drmperf_operation operation)
{
	const struct drmperf_step *step = &writer->steps[number];

	while (step->operation == operation ||
	       step->operation == DRMPERF_OPERATION_ADD)
		step = &writer->steps[step->a];
	return step->operation == DRMPERF_OPERATION_PART
		       ? part_of_step(writer, step)->event
		       : NULL;
}

/*
 * Write "max(NAME,16)" if that is what the step computes. The number is that of
 * what is compared, as AMD's files have it.
 */
static bool
write_reduction(struct writer *writer, unsigned number)
{
	struct reduction reduction = {
		.operation = writer->steps[number].operation,
	};
	const bool is_sum = reduction.operation == DRMPERF_OPERATION_ADD;

	if (!is_sum && reduction.operation != DRMPERF_OPERATION_MINIMUM &&
	    reduction.operation != DRMPERF_OPERATION_MAXIMUM)
		return false;
	reduction.event = first_event(writer, number, reduction.operation);
	if (!reduction.event ||
	    !tree_covers_instances(writer, number, &reduction))
		return false;
	write_rocm_function(writer,
			    is_sum ? "sum" : words[reduction.operation].sign,
			    reduction.event,
			    is_sum ? reduction.instances : reduction.terms);
	return true;
}

/* Return whether an event has count instances, in all or per engine. */
static bool
engine_has_instances(const struct drmperf_event *event, double count)
{
	const struct description_group *group =
		catalog_group_record(drmperf_event_group(event));

	return count > 1 && (count == group->instances ||
			     count == group->instances_per_engine);
}

/* Write "avr(NAME,16)" if that is what the step computes. */
static bool
write_average(struct writer *writer, const struct drmperf_step *step)
{
	const struct drmperf_step *sum = &writer->steps[step->a];
	const struct drmperf_step *count = &writer->steps[step->b];
	const struct drmperf_selection *part;

	if (step->operation != DRMPERF_OPERATION_DIVIDE ||
	    sum->operation != DRMPERF_OPERATION_PART ||
	    count->operation != DRMPERF_OPERATION_CONSTANT)
		return false;
	part = part_of_step(writer, sum);
	if (part->instance != DRMPERF_ALL_INSTANCES ||
	    !engine_has_instances(part->event, count->constant))
		return false;
	write_rocm_function(writer, "avr", part->event,
			    (unsigned)count->constant);
	return true;
}

/* ------------------------------------------------------------------ */
/* CubePL: what is true becomes 1 by the sign of a difference           */

/* Write FUNCTION(a - b). */
static void
write_difference(struct writer *writer, const char *function, unsigned a,
		 unsigned b)
{
	write_format(writer, "%s(", function);
	write_step(writer, a, SUM);
	write_text(writer, " - ");
	write_step(writer, b, PRODUCT);
	write_text(writer, ")");
}

static void
write_truth(struct writer *writer, const struct drmperf_step *step)
{
	write_text(writer, "sgn(");
	switch (step->operation) {
	case DRMPERF_OPERATION_EQUAL:
	case DRMPERF_OPERATION_UNEQUAL:
		write_difference(writer, "abs", step->a, step->b);
		break;
	case DRMPERF_OPERATION_LESS:
		write_difference(writer, "pos", step->b, step->a);
		break;
	default:
		write_difference(writer, "pos", step->a, step->b);
		break;
	}
	write_text(writer, ")");
}

/* Write a comparison for CubePL, which has conditions only in statements. */
static void
write_cube_comparison(struct writer *writer, const struct drmperf_step *step)
{
	const bool inverse = step->operation == DRMPERF_OPERATION_EQUAL ||
			     step->operation == DRMPERF_OPERATION_LESS_OR_EQUAL;

	write_text(writer, inverse ? "(1 - " : "(");
	write_truth(writer, step);
	write_text(writer, ")");
}

static void
write_cube_choice(struct writer *writer, const struct drmperf_step *step)
{
	write_text(writer, "(sgn(abs(");
	write_step(writer, step->a, LOOSE);
	write_text(writer, ")) * ");
	write_step(writer, step->b, ATOM);
	write_text(writer, " + (1 - sgn(abs(");
	write_step(writer, step->a, LOOSE);
	write_text(writer, "))) * ");
	write_step(writer, step->c, ATOM);
	write_text(writer, ")");
}

/* ------------------------------------------------------------------ */
/* Steps                                                                */

static void
write_part(struct writer *writer, unsigned part)
{
	const struct drmperf_formula_style *style = writer->style;
	size_t size;
	char *rest = rest_of_text(writer, &size);

	if (language_is(writer, DRMPERF_LANGUAGE_ROCM))
		write_rocm_part(writer, &style->parts[part]);
	else if (style->name)
		writer->length +=
			(size_t)style->name(style->data, part, rest, size);
	else
		writer->length += (size_t)drmperf_selection_name(
			&style->parts[part], rest, size);
}

static void
write_sign(struct writer *writer, const char *sign)
{
	write_format(writer, "%s%s%s", writer->blank, sign, writer->blank);
}

static void
write_choice(struct writer *writer, const struct drmperf_step *step)
{
	write_text(writer, "(");
	write_step(writer, step->a, COMPARISON);
	write_sign(writer, "?");
	write_step(writer, step->b, COMPARISON);
	write_sign(writer, ":");
	write_step(writer, step->c, COMPARISON);
	write_text(writer, ")");
}

/* Count the operands of minima of minima, or maxima of maxima, up to many. */
static unsigned
count_operands(const struct writer *writer, unsigned number,
	       enum drmperf_operation operation)
{
	const struct drmperf_step *step = &writer->steps[number];
	unsigned count;

	if (step->operation != operation)
		return 1;
	count = count_operands(writer, step->a, operation);
	return count > BRIEF_OPERANDS
		       ? count
		       : count + count_operands(writer, step->b, operation);
}

/* Write the first operands, as many as are wanted. */
static void
write_operands(struct writer *writer, unsigned number,
	       enum drmperf_operation operation, unsigned *written,
	       unsigned wanted)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (*written == wanted)
		return;
	if (step->operation == operation) {
		write_operands(writer, step->a, operation, written, wanted);
		write_operands(writer, step->b, operation, written, wanted);
		return;
	}
	write_text(writer, *written ? ", " : "");
	write_step(writer, number, LOOSE);
	++*written;
}

/* Write "min(a, b, ..., d)" */
static void
write_brief_extreme(struct writer *writer, unsigned number)
{
	const struct drmperf_step *steps = writer->steps;
	const enum drmperf_operation operation = steps[number].operation;
	const bool all =
		count_operands(writer, number, operation) <= BRIEF_OPERANDS;
	unsigned written = 0;

	write_format(writer, "%s(", words[operation].sign);
	write_operands(writer, number, operation, &written,
		       all ? BRIEF_OPERANDS : BRIEF_OPERANDS - 1);
	if (!all) {
		while (steps[number].operation == operation)
			number = steps[number].b;
		write_text(writer, ", ..., ");
		write_step(writer, number, LOOSE);
	}
	write_text(writer, ")");
}

static void
write_extreme(struct writer *writer, const struct drmperf_step *step)
{
	write_format(writer, "%s(", words[step->operation].sign);
	write_step(writer, step->a, LOOSE);
	write_format(writer, ",%s", writer->blank);
	write_step(writer, step->b, LOOSE);
	write_text(writer, ")");
}

static void
write_operation(struct writer *writer, const struct drmperf_step *step)
{
	const int binds = words[step->operation].binds;

	write_step(writer, step->a, binds + (binds == COMPARISON));
	write_sign(writer, words[step->operation].sign);
	write_step(writer, step->b, binds + 1);
}

static void
write_words(struct writer *writer, unsigned number)
{
	const struct drmperf_step *step = &writer->steps[number];

	switch (step->operation) {
	case DRMPERF_OPERATION_CONSTANT:
		write_number(writer, step->constant);
		break;
	case DRMPERF_OPERATION_PART:
		write_part(writer, step->part);
		break;
	case DRMPERF_OPERATION_MINIMUM:
	case DRMPERF_OPERATION_MAXIMUM:
		if (language_is(writer, DRMPERF_LANGUAGE_BRIEF))
			write_brief_extreme(writer, number);
		else
			write_extreme(writer, step);
		break;
	case DRMPERF_OPERATION_SELECT:
		if (language_is(writer, DRMPERF_LANGUAGE_CUBEPL))
			write_cube_choice(writer, step);
		else
			write_choice(writer, step);
		break;
	default:
		write_operation(writer, step);
		break;
	}
}

/* Write a step in a way of its language's own, or return false. */
static bool
write_own_way(struct writer *writer, unsigned number)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (language_is(writer, DRMPERF_LANGUAGE_ROCM))
		return write_reduction(writer, number) ||
		       write_average(writer, step);
	if (!language_is(writer, DRMPERF_LANGUAGE_CUBEPL) ||
	    words[step->operation].binds != COMPARISON)
		return false;
	write_cube_comparison(writer, step);
	return true;
}

/*
 * Write a step, in parentheses where it binds less than its surroundings
 * require.
 */
static void
write_step(struct writer *writer, unsigned number, int least)
{
	const bool wrapped =
		words[writer->steps[number].operation].binds < least;

	if (!writer->err && writer->length > LONGEST)
		writer->err = -E2BIG;
	if (writer->err || write_own_way(writer, number))
		return;
	if (wrapped)
		write_text(writer, "(");
	write_words(writer, number);
	if (wrapped)
		write_text(writer, ")");
}

/* ------------------------------------------------------------------ */

/* Return 0, or -ENOTSUP if ParaProf cannot compute one of the steps. */
static int
paraprof_check_steps(const struct drmperf_step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (steps[i].operation > DRMPERF_OPERATION_DIVIDE)
			return -ENOTSUP;
	}
	return 0;
}

int
drmperf_formula_text(const struct drmperf_step *steps, size_t count,
		     const struct drmperf_formula_style *style, char *text,
		     size_t size)
{
	const bool is_rocm = style->language == DRMPERF_LANGUAGE_ROCM;
	struct writer writer = {
		.steps = steps,
		.style = style,
		.blank = is_rocm ? "" : " ",
		.text = text,
		.size = size,
	};

	if (size)
		text[0] = '\0';
	if (style->language == DRMPERF_LANGUAGE_PARAPROF)
		writer.err = paraprof_check_steps(steps, count);
	if (!count || (!style->parts && (is_rocm || !style->name)))
		writer.err = -EINVAL;
	if (!writer.err)
		write_step(&writer, (unsigned)(count - 1), LOOSE);
	if (!writer.err)
		return (int)writer.length;
	if (size)
		text[0] = '\0';
	return writer.err;
}
