/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/quotient.h"

static bool
is_constant(const struct drmperf_step *step)
{
	return step->operation == DRMPERF_OPERATION_CONSTANT;
}

/*
 * Skip a step with a constant operand, and apply that to the scale unless it is
 * a limit or a value for a special case. Return false if both operands are
 * computed, or the step is the quotient.
 */
static bool
skip_constant_steps(const struct drmperf_step *steps, unsigned *number,
		    double *scale)
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
quotient_find(const struct drmperf_step *steps, size_t count,
	      struct quotient *out)
{
	unsigned number = (unsigned)count - 1;
	double scale = 1;

	while (skip_constant_steps(steps, &number, &scale))
		continue;
	*out = (struct quotient){ .numerator = steps[number].a,
				  .denominator = steps[number].b,
				  .scale = scale };
	return steps[number].operation == DRMPERF_OPERATION_DIVIDE;
}
