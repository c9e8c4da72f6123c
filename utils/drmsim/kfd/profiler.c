/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: mails to amd-gfx of 2025-11 to 2026-04; rocprofiler-sdk. */
#include "kfd/profiler.h"

#include <errno.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "kernel/call.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/state.h"
#include "kfd/uapi.h"
#include "machine/gpu.h"
#include "machine/machine.h"

#define INTERFACE_VERSION 1

/* Return the interfaces of the kernel, which are those of any of its GPUs. */
static unsigned
list_interfaces(const struct sim *sim)
{
	unsigned found = 0;

	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (kfd_knows(sim->gpus[i]))
			found |= amdgpu_of(sim->gpus[i])->profiler;
	return found;
}

bool
profiler_is_upstream(const struct sim *sim)
{
	return list_interfaces(sim) & PROFILER_UPSTREAM;
}

/* Let all queues of the node count, or not, those of any process. */
static void
set_counting(const struct sim *sim, const struct kfd_node *node, bool on)
{
	const struct chip *chip = &amdgpu_of(node->gpu)->chip;
	const uint32_t enable = chip->reg.compute_perfcount_enable;

	for (struct kfd_process *p = sim->kfd->processes; p && enable;
	     p = p->next)
		for (unsigned i = 0; i < p->device_count; i++)
			for (struct kfd_queue *queue = p->devices[i].queues;
			     queue && p->devices[i].node.id == node->id;
			     queue = queue->next)
				queue_allow_counting(queue, on);
}

static struct kfd_lock *
lock_of(const struct sim *sim, const struct kfd_node *node)
{
	return &sim->kfd->locks[node->gpu->index][node->first_die];
}

static void
unlock_node(const struct sim *sim, const struct kfd_node *node)
{
	struct kfd_lock *lock = lock_of(sim, node);

	if (lock->allows_counting)
		set_counting(sim, node, false);
	*lock = (struct kfd_lock){ .holder = NULL };
}

static int
change_lock(struct sim_call *call, struct kfd_process *process,
	    const struct kfd_profiler *args)
{
	const struct kfd_device *device =
		kfd_process_device(process, args->pmc.gpu_id);
	struct kfd_lock *lock;

	if (!sim_call_is_privileged(call))
		return -EPERM;
	if (!device)
		return -EINVAL;
	if (!device->file)
		return -ENODEV;
	lock = lock_of(call->sim, &device->node);
	if (!args->pmc.lock) {
		if (lock->holder != process)
			return -EINVAL;
		unlock_node(call->sim, &device->node);
		return 0;
	}
	if (lock->holder)
		return lock->holder == process ? -EALREADY : -EBUSY;
	lock->holder = process;
	lock->allows_counting = args->pmc.allow_counting;
	if (lock->allows_counting)
		set_counting(call->sim, &device->node, true);
	return 0;
}

static int
answer_profiler(struct sim_call *call, struct kfd_process *process,
		struct kfd_profiler *args)
{
	switch (args->op) {
	case KFD_PROFILER_PMC:
		return change_lock(call, process, args);
	case KFD_PROFILER_VERSION:
		args->version = INTERFACE_VERSION;
		return 0;
	}
	return -EINVAL;
}

int
profiler_ioctl(struct sim_call *call, struct kfd_process *process, void *arg)
{
	return list_interfaces(call->sim) & PROFILER_UPSTREAM
		       ? answer_profiler(call, process, arg)
		       : -ENOTTY;
}

int
profiler_ioctl_dkms(struct sim_call *call, struct kfd_process *process,
		    void *arg)
{
	return list_interfaces(call->sim) & PROFILER_DKMS
		       ? answer_profiler(call, process, arg)
		       : -ENOTTY;
}

void
profiler_release(struct kfd_process *process)
{
	for (unsigned i = 0; i < process->device_count; i++) {
		const struct kfd_node *node = &process->devices[i].node;

		if (lock_of(process->sim, node)->holder == process)
			unlock_node(process->sim, node);
	}
}
