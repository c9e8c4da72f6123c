/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of xe's PMU for every engine and GT. Its files leave these terms
 * open: as they stand they mean GT 0, class 0, instance 0.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_XE_EVENTS_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_XE_EVENTS_H

#include "driver/description.h"
#include "driver/perf_event/pmu.h"
#include "driver/intel/xe_query.h"

/*
 * Append to the PMU's events, for every engine, "rcs0-active-ticks" of
 * "engine-active-ticks", and, for every GT, "gt1-actual-frequency" of
 * "gt-actual-frequency". An engine whose name is taken already, by one of
 * another GT, is called "gt1-ccs0". -ENOMEM.
 */
int
xe_events_add(struct pmu *pmu, const struct xe_parts *parts,
	      struct arena *arena);

/*
 * Append to a described group a metric "rcs0-busy" for each of the PMU's
 * engines that has active and total ticks. -ENOMEM.
 */
int
xe_events_add_busy(const struct pmu *pmu, group_index group,
		   struct description *description);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_XE_EVENTS_H */
