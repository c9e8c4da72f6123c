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

#include "plan/problem.h"

/*
 * Keep a problem, all of whose items fit one pass, served by these
 * alternatives, with the state. The problem belongs to the state then.
 */
void
plan_fit_remember(struct drmperf *drmperf, struct plan_problem *problem,
		  const uint32_t *alternatives);

/*
 * Return whether the state's fit shows that selections fit one pass; then it is
 * one of these, and chosen, unless NULL, gets the event that serves each. The
 * state loses a fit that shows nothing: selections do not begin with those that
 * it was made of, or it takes more than that to see whether all of them fit.
 */
bool
plan_fit_shows(struct drmperf *drmperf,
	       const struct drmperf_selection *selections, size_t count,
	       const struct drmperf_event **chosen);

/* Take the state's fit, if there is one, and give one back to it. */
struct plan_problem *
plan_fit_take(struct drmperf *drmperf);
void
plan_fit_keep(struct drmperf *drmperf, struct plan_problem *fit);

#endif /* DRMPERF_LIB_PLAN_FIT_H */
