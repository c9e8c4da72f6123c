/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the selectors of plain counters tell those that need a place from those
 * that every report has anyway, which are as in raw_counters.h.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSED_COUNTER_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSED_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/intel/oa/raw_counters.h"

#define COMPOSED_COUNTER_FIRST (RAW_COUNTER_REPORT_AGE + 1)

static inline uint32_t
composed_counter_selector(uint32_t index)
{
	return COMPOSED_COUNTER_FIRST + index;
}

static inline bool
composed_counter_has_place(uint32_t selector)
{
	return selector >= COMPOSED_COUNTER_FIRST;
}

/* Return the index of the counter's event in the composition. */
static inline uint32_t
composed_counter_index(uint32_t selector)
{
	return selector - COMPOSED_COUNTER_FIRST;
}

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSED_COUNTER_H */
