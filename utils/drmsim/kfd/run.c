/* SPDX-License-Identifier: BSD-3-Clause */
#include "kfd/run.h"

#include <stdlib.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "kernel/node.h"
#include "kfd/commands.h"
#include "kfd/packets.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/signal.h"
#include "kfd/state.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/power.h"

/* Poll interval of queues, while programs use them and otherwise. */
#define BUSY_POLL_NS 20000u
#define IDLE_POLL_NS 1000000u
#define BUSY_NS 2000000u

/* Complete what has ended, in the order of its beginning. */
static bool
complete_flights(struct kfd_queue *queue)
{
	const uint64_t now = amdgpu_of(queue->device->node.gpu)->now;
	struct kfd_flight **p = &queue->flights;
	bool has_moved = false;

	while (*p && !queue->is_broken) {
		struct kfd_flight *flight = *p;

		if (flight->end > now) {
			p = &flight->next;
			continue;
		}
		*p = flight->next;
		signal_complete(queue, flight);
		free(flight);
		has_moved = true;
	}
	return has_moved;
}

static bool
step_queue(struct kfd_queue *queue)
{
	return queue_is_sdma(queue) ? sdma_step(queue) : aql_step(queue);
}

static bool
run_queue(struct kfd_queue *queue)
{
	bool has_moved;

	if (queue->is_broken || !queue->percentage)
		return false;
	commands_write_due(queue);
	has_moved = complete_flights(queue);
	while (!queue->is_broken && step_queue(queue)) {
		has_moved = true;
		/* a packet is done when its commands have written all */
		commands_write_due(queue);
		complete_flights(queue);
	}
	return has_moved;
}

/*
 * Join the address space of processes: it is that of the render node's file:
 * what GEM_VA has mapped there, KFD's queues reach too.
 */
static void
join_vm(struct kfd_device *device)
{
	const struct sim_file *file =
		sim_node_file(device->process->sim, device->file);

	device->vm.more = file && client_of(file) ? &client_of(file)->vm : NULL;
}

static bool
run_device(struct kfd_device *device, uint64_t now)
{
	struct amdgpu *amdgpu = amdgpu_of(device->node.gpu);
	bool has_moved = false;

	if (!device->queues ||
	    sim_gpu_is_gone(device->node.gpu, device->removals))
		return false;
	join_vm(device);
	/* a moment may be served late */
	if (now > amdgpu->now)
		amdgpu->now = now;
	for (struct kfd_queue *queue = device->queues; queue;
	     queue = queue->next)
		has_moved |= run_queue(queue);
	if (has_moved)
		amdgpu->last_work = amdgpu->now;
	return has_moved;
}

void
kfd_advance(struct sim *sim, uint64_t now)
{
	bool has_moved = true;

	if (!sim->kfd || !sim->kfd->queues)
		return;
	/* queues wait for each other's signals */
	while (has_moved) {
		has_moved = false;
		for (struct kfd_process *p = sim->kfd->processes; p;
		     p = p->next)
			for (unsigned i = 0; i < p->device_count; i++)
				has_moved |= run_device(&p->devices[i], now);
		if (has_moved)
			sim->kfd->last_move = sim_host_now();
	}
}

static uint64_t
next_of(const struct kfd_queue *queue)
{
	uint64_t next = commands_next(queue);

	for (const struct kfd_flight *flight = queue->flights; flight;
	     flight = flight->next)
		if (flight->end < next)
			next = flight->end;
	return next;
}

uint64_t
kfd_next(const struct sim *sim)
{
	uint64_t next = SIM_NEVER;

	if (!sim->kfd || !sim->kfd->queues)
		return next;
	for (const struct kfd_process *p = sim->kfd->processes; p; p = p->next)
		for (unsigned i = 0; i < p->device_count; i++)
			for (const struct kfd_queue *queue =
				     p->devices[i].queues;
			     queue; queue = queue->next)
				if (!queue->is_broken && queue->percentage &&
				    !sim_gpu_is_gone(p->devices[i].node.gpu,
						     p->devices[i].removals) &&
				    next_of(queue) < next)
					next = next_of(queue);
	return next;
}

uint64_t
kfd_poll_ns(const struct sim *sim)
{
	if (!sim->kfd || !sim->kfd->queues)
		return SIM_NEVER;
	return sim_host_now() - sim->kfd->last_move < BUSY_NS ? BUSY_POLL_NS
							      : IDLE_POLL_NS;
}

void
kfd_report(const struct sim *sim, const struct sim_gpu *gpu, FILE *out)
{
	const struct kfd_seen *seen;

	if (!sim->kfd)
		return;
	seen = &sim->kfd->seen[gpu->index];
	if (!seen->dispatches && !seen->commands)
		return;
	fprintf(out,
		"queues gpu=%u dispatches=%llu waves=%llu blits=%llu "
		"commands=%llu",
		gpu->index, (unsigned long long)seen->dispatches,
		(unsigned long long)seen->waves,
		(unsigned long long)seen->blits,
		(unsigned long long)seen->commands);
	fprintf(out, "%s\n",
		seen->dispatches > seen->blits
			? " text=\"kernels are counted and not "
			  "executed: what they would write is not "
			  "there\""
			: "");
}
