/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of samples: CLOCK_MONOTONIC, in ns.
 */
#ifndef DRMPERF_LIB_BASE_MONOTONIC_H
#define DRMPERF_LIB_BASE_MONOTONIC_H

#include <stdint.h>

uint64_t
monotonic_ns(void);

#endif /* DRMPERF_LIB_BASE_MONOTONIC_H */
