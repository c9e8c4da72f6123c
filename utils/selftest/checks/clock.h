/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU's clock against the CPU's, which is read before and after. */
#ifndef DRMPERF_SELFTEST_CHECKS_CLOCK_H
#define DRMPERF_SELFTEST_CHECKS_CLOCK_H

#include <stdint.h>

#include "selftest/checks/check.h"

#define CLOCK_MOST_WRONG 1e-3

/* When it was read: between which two moments of the CPU's clock. */
struct clock_moments {
	uint64_t before_ns, after_ns;
};

struct clock_error {
	double wrong; /* at least, as a share */
	double unsure; /* uncertainty of the measurement, as a share */
};

/* Compare ns, the GPU's time from first to last, with the CPU's clock. */
struct clock_error
clock_compare(double ns, const struct clock_moments *first,
	      const struct clock_moments *last);

/* Judge a clock; UNKNOWN if the measurement is too uncertain. */
enum selftest_verdict
clock_verdict(const struct clock_error *error);

#endif /* DRMPERF_SELFTEST_CHECKS_CLOCK_H */
