/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/clock.h"

#include <time.h>

#include "machine/machine.h"

uint64_t
sim_host_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t
sim_now(const struct sim *sim)
{
	if (sim->is_virtual)
		return sim->virtual_now;
	return sim_host_now() - sim->started;
}
