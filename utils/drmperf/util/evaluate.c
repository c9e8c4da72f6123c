/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/evaluate.h"

#include <math.h>

/* Return 0 for no value, which a division by 0 gives: it is taken as 0 here. */
static double
or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* Return whether it is 0 - x, which says that x has the other sign. */
static bool
is_sign(const struct drmperf_step *step)
{
	return step->operation == DRMPERF_OPERATION_CONSTANT &&
	       step->constant == 0;
}

/* Compute a step, with a division by 0 as union drmperf_value documents it. */
static double
apply_step(const struct drmperf_step *steps, size_t number,
	   const double *results)
{
	const struct drmperf_step *step = &steps[number];
	double a = results[step->a], b = results[step->b];

	switch (step->operation) {
	case DRMPERF_OPERATION_CONSTANT:
		return step->constant;
	case DRMPERF_OPERATION_ADD:
		return or_zero(a) + or_zero(b);
	case DRMPERF_OPERATION_SUBTRACT:
		return is_sign(&steps[step->a]) ? -b : or_zero(a) - or_zero(b);
	case DRMPERF_OPERATION_MULTIPLY:
		return a * b;
	case DRMPERF_OPERATION_DIVIDE:
		return b != 0 ? a / b : NAN;
	case DRMPERF_OPERATION_MINIMUM:
		return fmin(or_zero(a), or_zero(b));
	case DRMPERF_OPERATION_MAXIMUM:
		return fmax(or_zero(a), or_zero(b));
	case DRMPERF_OPERATION_EQUAL:
		return or_zero(a) == or_zero(b);
	case DRMPERF_OPERATION_UNEQUAL:
		return or_zero(a) != or_zero(b);
	case DRMPERF_OPERATION_LESS:
		return or_zero(a) < or_zero(b);
	case DRMPERF_OPERATION_LESS_OR_EQUAL:
		return or_zero(a) <= or_zero(b);
	case DRMPERF_OPERATION_SELECT:
		return or_zero(a) != 0 ? b : results[step->c];
	default:
		return NAN;
	}
}

void
evaluate_steps(const struct drmperf_step *steps, size_t count,
	       evaluate_part *part, const void *data, double *results)
{
	for (size_t i = 0; i < count; i++)
		results[i] = steps[i].operation == DRMPERF_OPERATION_PART
				     ? part(data, steps[i].part)
				     : apply_step(steps, i, results);
}

/* ------------------------------------------------------------------ */
/* Quotients                                                            */

static bool
is_constant(const struct drmperf_step *step)
{
	return step->operation == DRMPERF_OPERATION_CONSTANT;
}

/*
 * Look through what a constant does to one operand, and apply it to the scale
 * unless it is a limit or a value for a case of its own. False: both are
 * computed, or the quotient is there.
 */
static bool
look_through(const struct drmperf_step *steps, unsigned *number, double *scale)
{
	const struct drmperf_step *step = &steps[*number];
	const bool chooses = step->operation == DRMPERF_OPERATION_SELECT;
	const unsigned a = chooses ? step->b : step->a;
	const unsigned b = chooses ? step->c : step->b;
	const bool is_first = is_constant(&steps[a]);

	switch (step->operation) {
	case DRMPERF_OPERATION_DIVIDE:
		if (!is_constant(&steps[b]))
			return false;
		break;
	case DRMPERF_OPERATION_MULTIPLY:
	case DRMPERF_OPERATION_MINIMUM:
	case DRMPERF_OPERATION_MAXIMUM:
	case DRMPERF_OPERATION_SELECT:
		break;
	default:
		return false;
	}
	if (is_first == is_constant(&steps[b]))
		return false;
	if (step->operation == DRMPERF_OPERATION_MULTIPLY)
		*scale *= steps[is_first ? a : b].constant;
	else if (step->operation == DRMPERF_OPERATION_DIVIDE)
		*scale /= steps[b].constant;
	*number = is_first ? b : a;
	return true;
}

bool
evaluate_find_quotient(const struct drmperf_step *steps, size_t count,
		       struct evaluate_quotient *out)
{
	unsigned number = (unsigned)count - 1;
	double scale = 1;

	while (look_through(steps, &number, &scale))
		continue;
	*out = (struct evaluate_quotient){ .numerator = steps[number].a,
					   .denominator = steps[number].b,
					   .scale = scale };
	return steps[number].operation == DRMPERF_OPERATION_DIVIDE;
}
