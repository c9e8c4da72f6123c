/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sessions ask of the planner.
 */
#ifndef DRMPERF_LIB_PLAN_PLAN_H
#define DRMPERF_LIB_PLAN_PLAN_H

#include "catalog/catalog.h"
#include "drmperf.h"

/*
 * See whether the selections fit one pass, and who serves them: chosen[i]
 * becomes the event of selection i, or the one of its alternatives that fits
 * beside the others. chosen has count entries.
 *
 * 0; -ENOSPC with the group, its limit and what fills it if they do not fit;
 * -E2BIG if one event alone fits no pass; -EINVAL for an instance that is not
 * there; -ENOMEM; the errors of catalog_resolve().
 */
int plan_check_one_pass(struct drmperf *drmperf,
			const struct drmperf_selection *selections,
			size_t count, const struct drmperf_event **chosen,
			struct drmperf_error *error);

#endif /* DRMPERF_LIB_PLAN_PLAN_H */
