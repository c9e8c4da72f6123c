/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/checks/clock.h"

#define MOST_UNSURE 1e-2 /* of the measurement, for a verdict */

struct clock_error
clock_compare(double ns, const struct clock_moments *first,
	      const struct clock_moments *last)
{
	double least = (double)(last->before_ns - first->after_ns);
	double most = (double)(last->after_ns - first->before_ns);
	struct clock_error error = { .unsure = (most - least) / least };

	if (ns < least)
		error.wrong = (ns - least) / least;
	else if (ns > most)
		error.wrong = (ns - most) / most;
	return error;
}

enum selftest_verdict
clock_verdict(const struct clock_error *error)
{
	if (error->wrong > CLOCK_MOST_WRONG || error->wrong < -CLOCK_MOST_WRONG)
		return SELFTEST_FAIL;
	return error->unsure > MOST_UNSURE ? SELFTEST_UNKNOWN : SELFTEST_PASS;
}
