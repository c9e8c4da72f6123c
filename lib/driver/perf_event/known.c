/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/known.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"

/*
 * Sources: Linux 6.1 to 7.3, drivers/gpu/drm/i915/i915_pmu.c, xe/xe_pmu.c and
 * xe/xe_gt_idle.c, drivers/gpu/drm/amd/amdgpu/amdgpu_pmu.c and df_v3_6.c.
 */
static const struct known_event events[] = {
	{ "i915", "*-busy",
	  "Time in which the engine had work: exact where it is scheduled by "
	  "lists or by the GuC, else seen 200 times a second.",
	  false },
	{ "i915", "*-wait",
	  "Time in which the engine waited for an event, seen 200 times a "
	  "second.",
	  false },
	{ "i915", "*-sema",
	  "Time in which the engine waited for a semaphore, seen 200 times a "
	  "second.",
	  false },
	{ "i915", "actual-frequency*",
	  "Clock the GPU had, summed over the time it was awake: divided by "
	  "the time, it is the mean frequency.",
	  false },
	{ "i915", "requested-frequency*",
	  "Clock the driver asked for, summed over the time the GPU was awake: "
	  "divided by the time, it is the mean frequency.",
	  false },
	{ "i915", "interrupts*", "Interrupts of the GPU.", false },
	{ "i915", "rc6-residency*",
	  "Time in which the GPU slept in its power-saving state RC6.", false },
	{ "i915", "software-gt-awake-time*",
	  "Time in which the driver kept the GPU awake.", false },
	{ "xe", "gt-c6-residency*",
	  "Time in which the GT slept in its power-saving state C6. The kernel "
	  "forgets 92 minutes of it each time that long passes without a read.",
	  false },
	{ "xe", "engine-active-ticks*",
	  "Clock ticks in which the engine had work.", false },
	{ "xe", "engine-total-ticks*",
	  "Clock ticks of the engine, with or without work.", false },
	{ "xe", "gt-actual-frequency*", "Clock the GT has now.", true },
	{ "xe", "gt-requested-frequency*", "Clock the driver asks for now.",
	  true },
	{ "amdgpu", "*_pcsout_txdata",
	  "Data sent out by a link module of the data fabric (CAKE).", false },
	{ "amdgpu", "*_pcsout_txmeta",
	  "Metadata sent out by a link module of the data fabric (CAKE).",
	  false },
	{ "amdgpu", "*_ftiinstat_reqalloc",
	  "Requests that a link module of the data fabric (CAKE) accepted.",
	  false },
	{ "amdgpu", "*_ftiinstat_rspalloc",
	  "Responses that a link module of the data fabric (CAKE) accepted.",
	  false },
	{ "amdgpu", "xgmi_link*_data_outbound",
	  "Data sent out over a link to another GPU (xGMI).", false },
};

/* The data fabric of Vega 20 and Arcturus: four for all its events. */
static const struct {
	const char *driver;
	unsigned count;
} counters[] = {
	{ "amdgpu", 4 },
};

const struct known_event *
known_event_find(const char *driver, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (!strcmp(events[i].driver, driver) &&
		    !fnmatch(events[i].pattern, name, 0))
			return &events[i];
	}
	return NULL;
}

unsigned
known_counters(const char *driver)
{
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!strcmp(counters[i].driver, driver))
			return counters[i].count;
	}
	return 0;
}
