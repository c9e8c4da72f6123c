/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define FIRST_CAPACITY 256

static int
grow_values(struct quantile *quantile)
{
	const size_t capacity =
		quantile->capacity ? 2 * quantile->capacity : FIRST_CAPACITY;
	double *values = realloc(quantile->values, capacity * sizeof(*values));

	if (!values)
		return -ENOMEM;
	quantile->values = values;
	quantile->capacity = capacity;
	return 0;
}

/* Keep each second of the values that are kept. */
static void
halve_values(struct quantile *quantile)
{
	quantile->count /= 2;
	for (size_t i = 0; i < quantile->count; i++)
		quantile->values[i] = quantile->values[2 * i];
	quantile->shift++;
}

int
quantile_add(struct quantile *quantile, double value)
{
	const uint64_t mask = (UINT64_C(1) << quantile->shift) - 1;

	if (isnan(value) || quantile->seen++ & mask)
		return 0;
	if (quantile->count == quantile->capacity &&
	    quantile->capacity < QUANTILE_MOST && grow_values(quantile))
		return -ENOMEM;
	quantile->values[quantile->count++] = value;
	if (quantile->count == QUANTILE_MOST)
		halve_values(quantile);
	return 0;
}

static int
compare_values(const void *a, const void *b)
{
	const double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

double
quantile_find(struct quantile *quantile, unsigned percent)
{
	size_t rank = (quantile->count * percent + 99) / 100;

	if (!quantile->count)
		return NAN;
	qsort(quantile->values, quantile->count, sizeof(*quantile->values),
	      compare_values);
	return quantile->values[rank ? rank - 1 : 0];
}

void
quantile_finish(struct quantile *quantile)
{
	free(quantile->values);
	*quantile = (struct quantile){ 0 };
}
