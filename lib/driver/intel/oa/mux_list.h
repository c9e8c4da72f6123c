/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A metric set may have alternative register lists for the multiplexers, each
 * under a condition, for parts of which something is fused off. Lists of one
 * id exclude each other, as each is complete in itself; those of several ids
 * belong together. (Metrics Discovery, md_metric_set.cpp)
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_MUX_LIST_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_MUX_LIST_H

#include "driver/intel/oa/condition.h"

/*
 * The list to be written behind list, the first one if that is NULL: of the
 * next id that has a list whose condition is true, the one of these with the
 * lowest priority number, the first of those. NULL in *out if there is none.
 * -EBADMSG; -ENOMEM.
 */
int
mux_list_next(const struct constants *constants, const struct table *table,
	      const struct element *set, const struct element *list,
	      struct arena *arena, const struct element **out,
	      struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_MUX_LIST_H */
