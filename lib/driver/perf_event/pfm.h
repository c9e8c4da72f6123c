/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only place that knows libpfm4, which knows the events of CPUs. It is
 * loaded with the first of them: it is larger than all the rest, and most
 * programs count GPUs only.
 *
 * That library keeps its tables and its state for the whole process, without a
 * lock, and others in the process (PAPI) may use it, and end it, too. So all
 * calls from here are made under one lock, and each begins with its
 * initialisation, which does nothing where that has been done.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_PFM_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_PFM_H

#include "base/arena.h"
#include "driver/perf_event/counter.h"
#include "drmperf.h"

/*
 * Find what a name such as "perf::TASK-CLOCK:u" or "skl::INST_RETIRED" means.
 * Of *out, type, config and what is excluded are set; *description, in the
 * arena, is what the library says of the event.
 *
 * 0; -ENXIO, without a complaint, if no PMU known here has that name; -ENODEV
 * if this machine does not have it; -ENOENT if the PMU has no such event, with
 * the nearest names; -EINVAL if what follows the event is wrong; -ENOMEM;
 * -ENOTSUP.
 */
int
pfm_encode(const char *name, struct arena *arena, struct perf_counter *out,
	   const char **description, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_PFM_H */
