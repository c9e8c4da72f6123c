/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selections that were found to fit one pass, kept for the next check of these
 * and some more: programs of PAPI add one event after another, and each time
 * ask whether it fits. A counter that can sit in any slot of its group, as most
 * can, needs no search: it fits if a slot is left.
 */
#ifndef DRMPERF_LIB_PLAN_FIT_H
#define DRMPERF_LIB_PLAN_FIT_H

#include <stdbool.h>

#include "device/device.h"
#include "plan/problem.h"

struct plan_fit;

/*
 * Make a fit of all selections of a problem, served by these alternatives in
 * one pass. The problem becomes the fit's, and is empty then. Returns NULL
 * without memory.
 */
struct plan_fit *
plan_fit_create(struct plan_problem *problem, size_t count,
		const uint32_t *alternatives);
void
plan_fit_destroy(struct plan_fit *fit);

/*
 * Add to a fit what selections have beyond those that it was made of. Returns
 * false, and then the fit is of no more use, if they do not begin with those,
 * or if it takes more than that to see whether all of them fit.
 */
bool
plan_fit_extend(struct plan_fit *fit,
		const struct drmperf_selection *selections, size_t count);

/* Return the event that serves a selection. */
const struct drmperf_event *
plan_fit_event(const struct plan_fit *fit, size_t selection);

/* Take the state's fit, if there is one, and give one back to it. */
struct plan_fit *
plan_fit_take(struct drmperf *drmperf);
void
plan_fit_keep(struct drmperf *drmperf, struct plan_fit *fit);

#endif /* DRMPERF_LIB_PLAN_FIT_H */
