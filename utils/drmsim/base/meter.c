/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/meter.h"

#define MICRO 1000000u
#define NS_PER_S 1000000000u

uint64_t
sim_meter_at(const struct sim_meter *meter, uint64_t now)
{
	unsigned __int128 grown =
		(unsigned __int128)meter->rate * (now - meter->since);

	return meter->base + (uint64_t)(grown / MICRO / NS_PER_S);
}

void
sim_meter_set(struct sim_meter *meter, uint64_t now, uint64_t rate)
{
	meter->base = sim_meter_at(meter, now);
	meter->since = now;
	meter->rate = rate;
}
