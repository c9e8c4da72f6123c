/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resolving events into counters and programs. The expressions of a table are
 * compiled one by one, when an event is first used: most never are.
 */
#ifndef DRMPERF_LIB_CATALOG_RESOLVE_H
#define DRMPERF_LIB_CATALOG_RESOLVE_H

#include "catalog/record.h"

/*
 * Find the counters and the program of an event; *out lives as long as the
 * catalog. Compiles the expression at the first call. Returns 0, or the errors
 * of expr_compile() and of catalog_fill().
 */
int
catalog_resolve(const struct drmperf_event *event,
		const struct catalog_value **out, struct drmperf_error *error);

/*
 * Check that an event can be resolved, and find out whether it has any counter;
 * nothing is kept. Returns 0, or the errors of catalog_resolve().
 */
int
catalog_try(const struct drmperf_event *event, bool *counts,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_RESOLVE_H */
