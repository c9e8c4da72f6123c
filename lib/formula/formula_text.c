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

struct formula_writer {
	const struct drmperf_step *steps;
	const struct drmperf_formula_style *style;
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

/*
 * How operations are written: $a2 is the first operand, in parentheses if it
 * binds less than SUM.
 */
struct form {
	const char *pattern;
	int binds;
	const char *function; /* of ROCm, over the instances of an event */
};

static const struct form forms[] = {
	[DRMPERF_OPERATION_CONSTANT] = { NULL, ATOM, NULL },
	[DRMPERF_OPERATION_PART] = { NULL, ATOM, NULL },
	[DRMPERF_OPERATION_ADD] = { "$a2 + $b3", SUM, "sum" },
	[DRMPERF_OPERATION_SUBTRACT] = { "$a2 - $b3", SUM, NULL },
	[DRMPERF_OPERATION_MULTIPLY] = { "$a3 * $b4", PRODUCT, NULL },
	[DRMPERF_OPERATION_DIVIDE] = { "$a3 / $b4", PRODUCT, NULL },
	[DRMPERF_OPERATION_MINIMUM] = { "min($a0, $b0)", ATOM, "min" },
	[DRMPERF_OPERATION_MAXIMUM] = { "max($a0, $b0)", ATOM, "max" },
	[DRMPERF_OPERATION_EQUAL] = { "$a2 == $b2", COMPARISON, NULL },
	[DRMPERF_OPERATION_UNEQUAL] = { "$a2 != $b2", COMPARISON, NULL },
	[DRMPERF_OPERATION_LESS] = { "$a2 < $b2", COMPARISON, NULL },
	[DRMPERF_OPERATION_LESS_OR_EQUAL] = { "$a2 <= $b2", COMPARISON, NULL },
	[DRMPERF_OPERATION_SELECT] = { "($a1 ? $b1 : $c1)", ATOM, NULL },
};

/*
 * CubePL has conditions only in statements: what is true becomes 1 by the sign
 * of a difference.
 */
static const struct form cube_forms[] = {
	[DRMPERF_OPERATION_EQUAL] = { "(1 - sgn(abs($a2 - $b3)))", ATOM, NULL },
	[DRMPERF_OPERATION_UNEQUAL] = { "(sgn(abs($a2 - $b3)))", ATOM, NULL },
	[DRMPERF_OPERATION_LESS] = { "(sgn(pos($b2 - $a3)))", ATOM, NULL },
	[DRMPERF_OPERATION_LESS_OR_EQUAL] = { "(1 - sgn(pos($a2 - $b3)))", ATOM,
					      NULL },
	[DRMPERF_OPERATION_SELECT] = { "(sgn(abs($a0)) * $b4 + "
				       "(1 - sgn(abs($a0))) * $c4)",
				       ATOM, NULL },
};

/* ------------------------------------------------------------------ */
/* Text                                                                 */

/* Return what is left of the text, for functions like snprintf(). */
static char *
rest_of_text(const struct formula_writer *writer, size_t *size)
{
	if (writer->length >= writer->size) {
		*size = 0;
		return NULL;
	}
	*size = writer->size - writer->length;
	return writer->text + writer->length;
}

__attribute__((format(printf, 2, 3))) static void
write_format(struct formula_writer *writer, const char *format, ...)
{
	va_list arguments;
	size_t size;
	char *rest = rest_of_text(writer, &size);

	va_start(arguments, format);
	writer->length += (size_t)vsnprintf(rest, size, format, arguments);
	va_end(arguments);
}

/*
 * Write a number without exponent: neither ParaProf nor CubePL reads exponents.
 */
static void
write_number(struct formula_writer *writer, double value)
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
		write_format(writer, "%s", text);
}

static bool
language_is(const struct formula_writer *writer, enum drmperf_language language)
{
	return writer->style->language == language;
}

static void
write_step(struct formula_writer *writer, unsigned number, int least);

/* ------------------------------------------------------------------ */
/* ROCm: functions over the instances of an event                       */

/* Write the event's name, and the instance, which is ours, in brackets. */
static void
write_rocm_name(struct formula_writer *writer,
		const struct drmperf_event *event, int instance)
{
	size_t size;
	char *rest = rest_of_text(writer, &size);

	writer->length += (size_t)drmperf_event_rocm_name(event, rest, size);
	if (instance != DRMPERF_ALL_INSTANCES)
		write_format(writer, "[%d]", instance);
}

/* Write "sum(NAME,16)" */
static void
write_rocm_function(struct formula_writer *writer, const char *function,
		    const struct drmperf_event *event, unsigned count)
{
	write_format(writer, "%s(", function);
	write_rocm_name(writer, event, DRMPERF_ALL_INSTANCES);
	write_format(writer, ",%u)", count);
}

static void
write_rocm_part(struct formula_writer *writer,
		const struct drmperf_selection *part)
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
	unsigned parts;
	unsigned terms; /* that are compared; one if it is a sum */
	bool *seen; /* per instance; NULL before the first part */
};

static const struct drmperf_selection *
part_of_step(const struct formula_writer *writer,
	     const struct drmperf_step *step)
{
	return &writer->style->parts[step->part];
}

static bool
add_part(struct formula_writer *writer, const struct drmperf_selection *part,
	 struct reduction *reduction)
{
	const int instance = part->instance;

	if (!reduction->seen) {
		reduction->event = part->event;
		reduction->instances = drmperf_event_instances(part->event);
		reduction->seen =
			calloc(reduction->instances + 1, sizeof(bool));
	}
	if (!reduction->seen)
		writer->err = -ENOMEM;
	if (writer->err || part->event != reduction->event || instance < 0 ||
	    (unsigned)instance >= reduction->instances ||
	    reduction->seen[instance])
		return false;
	reduction->parts++;
	return reduction->seen[instance] = true;
}

/*
 * Add a tree's parts. Terms that are compared may be sums: of the same instance
 * in all shader engines.
 */
static bool
add_tree(struct formula_writer *writer, unsigned number, bool in_term,
	 struct reduction *reduction)
{
	const struct drmperf_step *step = &writer->steps[number];
	const bool begins =
		!in_term && (step->operation == DRMPERF_OPERATION_ADD ||
			     step->operation != reduction->operation);

	in_term |= begins;
	reduction->terms += begins;
	if (step->operation == DRMPERF_OPERATION_PART)
		return add_part(writer, part_of_step(writer, step), reduction);
	return (!in_term || step->operation == DRMPERF_OPERATION_ADD) &&
	       add_tree(writer, step->a, in_term, reduction) &&
	       add_tree(writer, step->b, in_term, reduction);
}

/*
 * Write "max(NAME,16)" if that is what the step computes. The number is that of
 * what is compared, as AMD's files have it.
 */
static bool
write_reduction(struct formula_writer *writer, unsigned number)
{
	struct reduction reduction = {
		.operation = writer->steps[number].operation,
	};
	const char *function = forms[reduction.operation].function;
	const bool is_one =
		function && add_tree(writer, number, false, &reduction);

	free(reduction.seen);
	if (!is_one || reduction.parts != reduction.instances)
		return false;
	write_rocm_function(writer, function, reduction.event,
			    reduction.operation == DRMPERF_OPERATION_ADD
				    ? reduction.instances
				    : reduction.terms);
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
write_average(struct formula_writer *writer, const struct drmperf_step *step)
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
/* Steps                                                                */

static void
write_part(struct formula_writer *writer, unsigned part)
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

/*
 * Count the operands of minima of minima, or maxima of maxima, up to a limit;
 * writes: write them, too.
 */
static void
walk_operands(struct formula_writer *writer, unsigned number,
	      enum drmperf_operation operation, bool writes, unsigned limit,
	      unsigned *count)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (*count == limit)
		return;
	if (step->operation == operation) {
		walk_operands(writer, step->a, operation, writes, limit, count);
		walk_operands(writer, step->b, operation, writes, limit, count);
		return;
	}
	if (writes) {
		write_format(writer, *count ? ", " : "");
		write_step(writer, number, LOOSE);
	}
	++*count;
}

/* Write "min(a, b, ..., d)" */
static void
write_brief_extreme(struct formula_writer *writer, unsigned number)
{
	const struct drmperf_step *steps = writer->steps;
	const enum drmperf_operation operation = steps[number].operation;
	unsigned count = 0, written = 0;

	walk_operands(writer, number, operation, false, BRIEF_OPERANDS + 1,
		      &count);
	write_format(writer, "%s(", forms[operation].function);
	walk_operands(writer, number, operation, true,
		      count <= BRIEF_OPERANDS ? count : BRIEF_OPERANDS - 1,
		      &written);
	if (written < count) {
		while (steps[number].operation == operation)
			number = steps[number].b;
		write_format(writer, ", ..., ");
		write_step(writer, number, LOOSE);
	}
	write_format(writer, ")");
}

/* Write an operation by its pattern; ROCm's texts have no blanks. */
static void
write_pattern(struct formula_writer *writer, const struct drmperf_step *step,
	      const char *pattern)
{
	const unsigned operands[] = { step->a, step->b, step->c };
	const char *ends =
		language_is(writer, DRMPERF_LANGUAGE_ROCM) ? "$ " : "$";

	while (*pattern) {
		const size_t length = strcspn(pattern, ends);

		write_format(writer, "%.*s", (int)length, pattern);
		pattern += length;
		if (*pattern == '$') {
			write_step(writer, operands[pattern[1] - 'a'],
				   pattern[2] - '0');
			pattern += 3;
		} else if (*pattern) {
			pattern++;
		}
	}
}

static void
write_words(struct formula_writer *writer, unsigned number, const char *pattern)
{
	const struct drmperf_step *step = &writer->steps[number];

	if (step->operation == DRMPERF_OPERATION_CONSTANT)
		write_number(writer, step->constant);
	else if (step->operation == DRMPERF_OPERATION_PART)
		write_part(writer, step->part);
	else if (language_is(writer, DRMPERF_LANGUAGE_BRIEF) &&
		 (step->operation == DRMPERF_OPERATION_MINIMUM ||
		  step->operation == DRMPERF_OPERATION_MAXIMUM))
		write_brief_extreme(writer, number);
	else
		write_pattern(writer, step, pattern);
}

static const struct form *
form_of(const struct formula_writer *writer, enum drmperf_operation operation)
{
	const struct form *own = &cube_forms[operation];

	return language_is(writer, DRMPERF_LANGUAGE_CUBEPL) && own->pattern
		       ? own
		       : &forms[operation];
}

/*
 * Write a step, in parentheses where it binds less than its surroundings
 * require.
 */
static void
write_step(struct formula_writer *writer, unsigned number, int least)
{
	const struct drmperf_step *step = &writer->steps[number];
	const struct form *form = form_of(writer, step->operation);

	if (!writer->err && writer->length > LONGEST)
		writer->err = -E2BIG;
	if (writer->err ||
	    (language_is(writer, DRMPERF_LANGUAGE_ROCM) &&
	     (write_reduction(writer, number) || write_average(writer, step))))
		return;
	write_format(writer, form->binds < least ? "(" : "");
	write_words(writer, number, form->pattern);
	write_format(writer, form->binds < least ? ")" : "");
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
	struct formula_writer writer = {
		.steps = steps,
		.style = style,
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
