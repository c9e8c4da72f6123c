/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface of the planner for sessions. */
#ifndef DRMPERF_LIB_PLAN_PLAN_H
#define DRMPERF_LIB_PLAN_PLAN_H

#include "catalog/catalog.h"
#include "drmperf.h"

/*
 * Check whether the selections fit one pass, and choose their events: chosen[i]
 * becomes the event of selection i, or the one of its alternatives that fits
 * next to the others. chosen has count entries.
 *
 * Returns 0; -ENOSPC with the group, its limit and the events that fill it if
 * they do not fit; -E2BIG if one event alone fits no pass; -EINVAL for an
 * instance that is not there; -ENOMEM; the errors of catalog_resolve().
 */
int plan_check_one_pass(struct drmperf *drmperf,
			const struct drmperf_selection *selections,
			size_t count, const struct drmperf_event **chosen,
			struct drmperf_error *error);

#endif /* DRMPERF_LIB_PLAN_PLAN_H */
