/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rates that a scenario gives the slots of single metric sets. A set is known
 * by its UUID, or, where programs choose that, by what it has written.
 */
#ifndef DRMSIM_INTEL_SET_RATES_H
#define DRMSIM_INTEL_SET_RATES_H

#include "intel/rate.h"

struct sim_set_rates {
	char uuid[37];
	uint32_t registers; /* sim_set_hash() of them; 0: not told */
	struct sim_rates rates;
	struct sim_set_rates *next;
};

/*
 * Set the rate of "[UUID.]SLOT RATE", of one set or in all, where the slot is
 * below end and there are so many EUs. -EINVAL; -ENOMEM.
 */
int
sim_set_rates_set(struct sim_set_rates **sets, struct sim_rates *all,
		  const char *value, int end, unsigned eus);
/* Set the registers of a set by "UUID HASH". -EINVAL; -ENOMEM. */
int
sim_set_rates_know(struct sim_set_rates **sets, const char *value);
/* Replace rates by those of the set of this UUID, if it has any. */
void
sim_set_rates_override(const struct sim_set_rates *sets, const char *uuid,
		       struct sim_rates *rates);
/* Replace rates by those of the set that has written these registers. */
void
sim_set_rates_override_by(const struct sim_set_rates *sets, uint32_t hash,
			  struct sim_rates *rates);
/*
 * Hash what a set has written: the hash of what routes events, and the seven
 * registers of EUs.
 */
uint32_t
sim_set_hash(uint32_t routing, const uint32_t flex[SIM_FLEX_COUNT]);
void
sim_set_rates_free(struct sim_set_rates **sets);

#endif /* DRMSIM_INTEL_SET_RATES_H */
