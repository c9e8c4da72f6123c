/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/time.h"

#include <errno.h>

#include "kernel/call.h"
#include "kfd/run.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "scene/fault.h"

static uint64_t
next_moment(const struct sim *sim)
{
	uint64_t next = sim_faults_next(sim), at = kfd_next(sim);

	if (at < next)
		next = at;

	for (unsigned i = 0; i < sim->gpu_count; i++) {
		const struct sim_gpu *gpu = sim->gpus[i];

		at = gpu->driver->next(gpu);
		if (at < next)
			next = at;
	}
	return next;
}

static uint64_t
next_deadline(const struct sim *sim)
{
	uint64_t next = SIM_NEVER;

	for (const struct sim_call *call = sim->sleepers; call;
	     call = call->next)
		if (call->deadline < next)
			next = call->deadline;
	return next;
}

/* Return when a sleeping call would come to its end. */
static uint64_t
next_until(const struct sim *sim)
{
	uint64_t next = next_deadline(sim);

	for (const struct sim_call *call = sim->sleepers; call;
	     call = call->next)
		if (call->until < next)
			next = call->until;
	return next;
}

bool
sim_time_polls(const struct sim *sim)
{
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		const struct sim_gpu *gpu = sim->gpus[i];
		if (gpu->driver->polls && gpu->driver->polls(gpu))
			return true;
	}
	return false;
}

void
sim_time_serve(struct sim *sim)
{
	uint64_t now = sim_now(sim);

	for (;;) {
		uint64_t next = next_moment(sim);
		if (next <= now || sim_time_polls(sim)) {
			uint64_t at = next < now ? next : now;
			sim_faults_advance(sim, at);
			for (unsigned i = 0; i < sim->gpu_count; i++)
				sim->gpus[i]->driver->advance(sim->gpus[i], at);
			kfd_advance(sim, at);
		} else {
			kfd_advance(sim, now);
		}
		if (sim->woken || next_deadline(sim) <= now) {
			sim->woken = false;
			sim_calls_retry(sim);
		} else if (next_moment(sim) > now) {
			return;
		}
	}
}

int
sim_time_advance(struct sim *sim, uint64_t ns)
{
	uint64_t end;

	if (!sim->is_virtual)
		return -EINVAL;
	end = sim->virtual_now + ns;
	sim_time_serve(sim);
	for (;;) {
		uint64_t next = next_moment(sim);
		uint64_t deadline = next_deadline(sim);
		if (deadline < next)
			next = deadline;
		if (next >= end)
			break;
		if (next > sim->virtual_now)
			sim->virtual_now = next;
		sim_time_serve(sim);
	}
	sim->virtual_now = end;
	sim_time_serve(sim);
	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (sim->gpus[i]->driver->settle)
			sim->gpus[i]->driver->settle(sim->gpus[i]);
	return 0;
}

bool
sim_time_step(struct sim *sim)
{
	uint64_t until, next;

	/* a program may wait for its queues without a call */
	const uint64_t queues = kfd_next(sim);

	if (!sim->is_virtual || (!sim->sleepers && queues == SIM_NEVER))
		return false;
	until = next_until(sim);
	if (queues < until)
		until = queues;
	next = next_moment(sim);
	/* memory that is polled may change by hardware, or by a process */
	if (until == SIM_NEVER || (next > until && sim_time_polls(sim)))
		return false;
	if (next < until)
		until = next;
	if (until > sim->virtual_now)
		sim->virtual_now = until;
	return true;
}

uint64_t
sim_time_left(const struct sim *sim)
{
	uint64_t now = sim_now(sim), next;

	if (sim->is_virtual)
		return SIM_NEVER;
	next = next_moment(sim);
	if (next_deadline(sim) < next)
		next = next_deadline(sim);
	if (next == SIM_NEVER)
		return next;
	return next > now ? (next - now) / sim->speed : 0;
}
