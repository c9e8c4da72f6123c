/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rates of events under the present register contents: README.md explains them
 * in full.
 */
#ifndef DRMSIM_XE_RATES_H
#define DRMSIM_XE_RATES_H

#include <stdint.h>

struct sim_rates;
struct sim_xe;
struct sim_xe_unit;

void
sim_xe_rates(const struct sim_xe *device, const struct sim_xe_unit *unit,
	     struct sim_rates *out);
/* Return the clock that a unit's reports count. */
uint64_t
sim_xe_unit_clock(const struct sim_xe *device, const struct sim_xe_unit *unit);

#endif /* DRMSIM_XE_RATES_H */
