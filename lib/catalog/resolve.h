/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event is made of. The expressions of a table are compiled one by
 * one, when an event is first used: most never are.
 */
#ifndef DRMPERF_LIB_CATALOG_RESOLVE_H
#define DRMPERF_LIB_CATALOG_RESOLVE_H

#include "catalog/record.h"

/*
 * What an event is made of; lives as long as the catalog. Compiles the
 * expression at the first call. The errors of expr_compile() and of
 * catalog_fill().
 */
int
catalog_resolve(const struct drmperf_event *event,
		const struct catalog_value **out, struct drmperf_error *error);

/*
 * Whether it can be resolved, and then whether any counter is in it; nothing is
 * kept. The same errors.
 */
int
catalog_try(const struct drmperf_event *event, bool *counts,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_RESOLVE_H */
