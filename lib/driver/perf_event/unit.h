/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From what a PMU says of an event's unit and scale to ours.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_UNIT_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_UNIT_H

#include "base/arena.h"
#include "driver/description.h"
#include "driver/perf_event/pmu.h"

/*
 * Append an event of a kernel PMU: the counter alone, or, where its count has
 * to be scaled, a hidden counter and the metric that scales it. The record
 * gives name, group, description, kind and selector; unit, type and expression
 * are found here, and to the description is added what unit the kernel names
 * if ours have none for it. -ENOMEM.
 */
int
pmu_event_describe(const struct pmu_event *event,
		   const struct description_event *record,
		   struct description *description);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_UNIT_H */
