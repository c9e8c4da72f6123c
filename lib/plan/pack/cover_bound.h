/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many passes a component needs by the values of its main setting.
 *
 * If every item insists on some value, each pass serves the items that accept
 * its value. Prices for items, such that no value's items cost more than one
 * pass in all, bound the passes from below by their sum: the dual of set
 * covering.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_COVER_BOUND_H
#define DRMPERF_LIB_PLAN_PACK_COVER_BOUND_H

#include <stdint.h>

#include "plan/pack/component.h"

/* Compute a bound; *bound is 1 at least. Returns 0, or -ENOMEM. */
int
pack_cover_bound(const struct pack_model *model,
		 const struct pack_component *component, struct arena *arena,
		 uint32_t *bound);

#endif /* DRMPERF_LIB_PLAN_PACK_COVER_BOUND_H */
