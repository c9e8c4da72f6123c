/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_chardev.c, kfd_flat_memory.c. */
#include "kfd/device.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/node.h"
#include "kfd/process.h"
#include "kfd/state.h"
#include "kfd/uapi.h"
#include "machine/clock.h"

/* Start of parts of the address space, and the size of two of them. */
#define LDS_BASE (1ull << 48)
#define SCRATCH_BASE (2ull << 48)
#define WINDOW 0x100000000ull
#define GPUVM_BASE 0x400000ull
#define GPUVM_LIMIT ((1ull << 47) - 1)

static uint64_t
clock_of(const struct sim *sim, int clock)
{
	uint64_t now = sim_now(sim), time = now;

	/* the GPU's counter goes with them, so they stand as it does */
	if (!sim->is_virtual)
		sim_clock_time(sim, clock, now, &time);
	return time;
}

int
device_get_clock_counters(struct sim_call *call, struct kfd_process *process,
			  void *arg)
{
	struct kfd_get_clock_counters *args = arg;
	const struct kfd_device *device =
		kfd_process_device(process, args->gpu_id);

	/* nodes without a GPU have no counter of their own */
	args->gpu = device ? amdgpu_timestamp(amdgpu_of(device->node.gpu),
					      sim_now(call->sim))
			   : 0;
	args->cpu = clock_of(call->sim, CLOCK_MONOTONIC_RAW);
	args->system = clock_of(call->sim, CLOCK_BOOTTIME);
	args->system_frequency = 1000000000;
	return 0;
}

static void
describe_apertures(const struct kfd_device *device, struct kfd_apertures *out)
{
	*out = (struct kfd_apertures){
		.lds_base = LDS_BASE,
		.lds_limit = LDS_BASE + WINDOW - 1,
		.scratch_base = SCRATCH_BASE,
		.scratch_limit = SCRATCH_BASE + WINDOW - 1,
		.gpuvm_base = GPUVM_BASE,
		.gpuvm_limit = GPUVM_LIMIT,
		.gpu_id = device->node.id,
	};
}

int
device_get_apertures(struct sim_call *call, struct kfd_process *process,
		     void *arg)
{
	struct kfd_get_apertures *args = arg;

	(void)call;
	args->count = 0;
	for (unsigned i = 0; i < process->device_count && i < KFD_OLD_GPUS; i++)
		describe_apertures(&process->devices[i],
				   &args->apertures[args->count++]);
	return 0;
}

int
device_get_apertures_new(struct sim_call *call, struct kfd_process *process,
			 void *arg)
{
	struct kfd_get_apertures_new *args = arg;
	struct kfd_apertures apertures[KFD_NODES_MAX];
	unsigned count = process->device_count;

	/* without room it is only asked how many there are */
	if (args->count == 0) {
		args->count = count;
		return 0;
	}
	if (count > args->count)
		count = args->count;
	for (unsigned i = 0; i < count; i++)
		describe_apertures(&process->devices[i], &apertures[i]);
	args->count = count;
	return sim_call_put(call, args->address, apertures,
			    count * sizeof(apertures[0]));
}

int
device_acquire_vm(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_acquire_vm *args = arg;
	const struct sim_file *file =
		sim_node_file_of_fd(call, (int)args->drm_fd);
	struct kfd_device *device = kfd_process_device(process, args->gpu_id);

	if (!device || !file)
		return -EINVAL;
	if (device->file)
		return device->file == file->id ? 0 : -EBUSY;
	/* of this GPU, and of the partition that the node is */
	if (file->gpu != device->node.gpu ||
	    file->partition != device->node.partition)
		return -EINVAL;
	/* an address space has one owner among processes */
	for (const struct kfd_process *p = call->sim->kfd->processes; p;
	     p = p->next)
		for (unsigned i = 0; i < p->device_count; i++)
			if (p->devices[i].file == file->id)
				return -EINVAL;
	device->file = file->id;
	return 0;
}

int
device_set_memory_policy(struct sim_call *call, struct kfd_process *process,
			 void *arg)
{
	const struct kfd_set_memory_policy *args = arg;

	(void)call;
	if (args->default_policy > KFD_POLICY_LAST ||
	    args->alternate_policy > KFD_POLICY_LAST)
		return -EINVAL;
	return kfd_process_device(process, args->gpu_id) ? 0 : -EINVAL;
}

int
device_set_scratch_backing(struct sim_call *call, struct kfd_process *process,
			   void *arg)
{
	const struct kfd_set_scratch_backing *args = arg;

	(void)call;
	return kfd_process_device(process, args->gpu_id) ? 0 : -EINVAL;
}

/* Get no tables of tilings: from gfx9 on they are not there, and stay zeros. */
int
device_get_tile_config(struct sim_call *call, struct kfd_process *process,
		       void *arg)
{
	struct kfd_get_tile_config *args = arg;
	const struct kfd_device *device =
		kfd_process_device(process, args->gpu_id);

	(void)call;
	if (!device)
		return -EINVAL;
	args->gb_addr_config = amdgpu_of(device->node.gpu)->chip.gb_addr_config;
	args->banks = args->ranks = 0;
	args->tile_count = args->macro_tile_count = 0;
	return 0;
}

int
device_set_trap_handler(struct sim_call *call, struct kfd_process *process,
			void *arg)
{
	const struct kfd_set_trap_handler *args = arg;
	const struct kfd_device *device =
		kfd_process_device(process, args->gpu_id);

	(void)call;
	if (!device)
		return -EINVAL;
	return device->file ? 0 : -ESRCH;
}

/*
 * Set the mode, or return it where a negative one is given. No simulated GPU
 * retries after faults.
 */
int
device_set_xnack_mode(struct sim_call *call, struct kfd_process *process,
		      void *arg)
{
	struct kfd_set_xnack_mode *args = arg;

	(void)call;
	(void)process;
	if (args->enabled > 0)
		return -EPERM;
	args->enabled = 0;
	return 0;
}
