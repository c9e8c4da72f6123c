/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU's clock against the CPU's, which is read before and after. */
#ifndef DRMPERF_LIB_DRIVER_CLAIMS_CLOCK_H
#define DRMPERF_LIB_DRIVER_CLAIMS_CLOCK_H

#include <stdint.h>

#include "driver/claims/claim.h"

#define CLOCK_MOST_WRONG 1e-3

/* When it was read: between which two moments of the CPU's clock. */
struct clock_moments {
	uint64_t before_ns, after_ns;
};

struct clock_error {
	double wrong; /* at least, as a share */
	double unsure; /* of who looks */
};

/* ns: what passed from first to last by the GPU's clock. */
struct clock_error
clock_compare(double ns, const struct clock_moments *first,
	      const struct clock_moments *last);

/* UNKNOWN if nobody can be sure. */
enum selftest_verdict
clock_verdict(const struct clock_error *error);

#endif /* DRMPERF_LIB_DRIVER_CLAIMS_CLOCK_H */
