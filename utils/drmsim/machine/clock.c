/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/clock.h"

#include <errno.h>
#include <time.h>

#include "machine/machine.h"

static uint64_t
host_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t
sim_host_now(void)
{
	return host_clock(CLOCK_MONOTONIC);
}

uint64_t
sim_now(const struct sim *sim)
{
	if (sim->is_virtual)
		return sim->virtual_now;
	return (sim_host_now() - sim->started) * sim->speed;
}

/* Return by how much the clocks of processes are ahead of the host's. */
static uint64_t
process_ahead(const struct sim *sim)
{
	if (sim->is_virtual)
		return 0;
	return (sim_host_now() - sim->started) * (sim->speed - 1);
}

uint64_t
sim_process_now(const struct sim *sim)
{
	return sim_host_now() + process_ahead(sim);
}

int
sim_clock_time(const struct sim *sim, int clock, uint64_t ns, uint64_t *out)
{
	switch (clock) {
	case CLOCK_MONOTONIC:
		/* processes see the host's clock, even in virtual time */
		*out = sim->is_virtual ? sim_host_now() : sim->started + ns;
		return 0;
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		*out = host_clock(clock) + process_ahead(sim);
		return 0;
	}
	return -EINVAL;
}
