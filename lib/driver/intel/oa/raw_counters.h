/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw counters of OA reports, which the expressions of metric sets are made
 * of: A0, B0, C0, PEC0, TIME, CLOCK and so on.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_RAW_COUNTERS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_RAW_COUNTERS_H

#include "driver/description.h"
#include "driver/intel/oa/format.h"

/* Their selectors are the slots of a report, and behind them: */
#define RAW_COUNTER_REPORT_AGE OA_SLOT_COUNT /* ns; not in the report */

/* How many of a report there are, at most: all always count. */
#define RAW_COUNTERS_MAX(generation) ((generation) < OA_XE2 ? 64 : 68)

/* Append a group of those of a generation, hidden. -ENOMEM. */
int raw_counters_add(struct description *description,
		     enum oa_generation generation, domain_index domain,
		     group_index *out);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_RAW_COUNTERS_H */
