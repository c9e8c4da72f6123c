/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_chardev.c. */
#include "kfd/kfd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "kernel/call.h"
#include "kernel/chardev.h"
#include "kernel/file.h"
#include "kernel/node.h"
#include "kfd/device.h"
#include "kfd/event.h"
#include "kfd/ioctls.h"
#include "kfd/memory.h"
#include "kfd/node.h"
#include "kfd/process.h"
#include "kfd/profiler.h"
#include "kfd/queue.h"
#include "kfd/state.h"
#include "kfd/topology.h"
#include "kfd/uapi.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/root.h"

/* Which Linux gives it at run time. */
#define KFD_MAJOR 511
#define VERSION_MAJOR 1
#define VERSION_MINOR 17
/* Version of kernels in which profilers take a lock. */
#define VERSION_MINOR_PROFILER 23
#define ARGUMENT_MAX 1024

/* ---- ioctls */

static int
get_version(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_get_version *args = arg;

	(void)process;
	args->major = VERSION_MAJOR;
	args->minor = profiler_is_upstream(call->sim) ? VERSION_MINOR_PROFILER
						      : VERSION_MINOR;
	return 0;
}

/* Calls of a debugger that the kernel does not have any more. */
static int
refuse_debugger(struct sim_call *call, struct kfd_process *process, void *arg)
{
	(void)call;
	(void)process;
	(void)arg;
	return -EPERM;
}

static const struct kfd_ioctl ioctls[] = {
	{ KFD_GET_VERSION, "kfd_get_version", get_version },
	{ KFD_SET_MEMORY_POLICY, "kfd_set_memory_policy",
	  device_set_memory_policy },
	{ KFD_GET_CLOCK_COUNTERS, "kfd_get_clock_counters",
	  device_get_clock_counters },
	{ KFD_GET_APERTURES, "kfd_get_process_apertures",
	  device_get_apertures },
	{ KFD_CREATE_QUEUE, "kfd_create_queue", queue_create },
	{ KFD_DESTROY_QUEUE, "kfd_destroy_queue", queue_destroy },
	{ KFD_UPDATE_QUEUE, "kfd_update_queue", queue_update },
	{ KFD_SET_CU_MASK, "kfd_set_cu_mask", queue_set_cu_mask },
	{ KFD_CREATE_EVENT, "kfd_create_event", event_create },
	{ KFD_DESTROY_EVENT, "kfd_destroy_event", event_destroy },
	{ KFD_SET_EVENT, "kfd_set_event", event_set },
	{ KFD_RESET_EVENT, "kfd_reset_event", event_reset },
	{ KFD_WAIT_EVENTS, "kfd_wait_events", event_wait },
	{ KFD_DBG_REGISTER, "kfd_dbg_register", refuse_debugger },
	{ KFD_DBG_UNREGISTER, "kfd_dbg_unregister", refuse_debugger },
	{ KFD_DBG_ADDRESS_WATCH, "kfd_dbg_address_watch", refuse_debugger },
	{ KFD_DBG_WAVE_CONTROL, "kfd_dbg_wave_control", refuse_debugger },
	{ KFD_SET_SCRATCH_BACKING, "kfd_set_scratch_backing_va",
	  device_set_scratch_backing },
	{ KFD_GET_TILE_CONFIG, "kfd_get_tile_config", device_get_tile_config },
	{ KFD_SET_TRAP_HANDLER, "kfd_set_trap_handler",
	  device_set_trap_handler },
	{ KFD_GET_APERTURES_NEW, "kfd_get_process_apertures_new",
	  device_get_apertures_new },
	{ KFD_ACQUIRE_VM, "kfd_acquire_vm", device_acquire_vm },
	{ KFD_ALLOC_MEMORY, "kfd_alloc_memory_of_gpu", memory_alloc },
	{ KFD_FREE_MEMORY, "kfd_free_memory_of_gpu", memory_free },
	{ KFD_MAP_MEMORY, "kfd_map_memory_to_gpu", memory_map },
	{ KFD_UNMAP_MEMORY, "kfd_unmap_memory_from_gpu", memory_unmap },
	{ KFD_AVAILABLE_MEMORY, "kfd_available_memory", memory_available },
	{ KFD_PROFILER, "kfd_profiler", profiler_ioctl },
	{ KFD_PROFILER_DKMS, "kfd_profiler_dkms", profiler_ioctl_dkms },
	{ KFD_SET_XNACK_MODE, "kfd_set_xnack_mode", device_set_xnack_mode },
};

static const struct kfd_ioctl *
find_ioctl(unsigned number)
{
	for (size_t i = 0; i < ARRAY_SIZE(ioctls); i++)
		if (_IOC_NR(ioctls[i].request) == number)
			return &ioctls[i];
	return NULL;
}

/*
 * Handle an ioctl of KFD. As many bytes as the caller's request code names are
 * read and written, in the directions of the kernel's code; what the call
 * leaves is written after an error, too.
 */
static int
ioctl_kfd(struct sim_call *call, struct sim_file *file)
{
	struct kfd_process *process = file->data;
	const unsigned long request = (unsigned long)call->request.a;
	const struct kfd_ioctl *entry = find_ioctl(_IOC_NR(request));
	const size_t size = _IOC_SIZE(request);
	uint64_t arg[ARGUMENT_MAX / sizeof(uint64_t)] = { 0 };
	int error, result;

	kfd_processes_check(call->sim);
	if (!entry)
		return -ENOTTY;
	/* a forked child has the descriptor, and nothing behind it */
	if (process->has_ended || process->pid != call->caller.pid)
		return -EBADF;
	if (size > sizeof(arg))
		return -EINVAL;
	error = sim_call_count(call, NULL, entry->name);
	if (error)
		return error;
	if (entry->request & IOC_IN &&
	    sim_call_get(call, arg, call->request.b, size))
		return -EFAULT;
	result = entry->handle(call, process, arg);
	if (result == SIM_SLEEP)
		return result;
	if (result < 0)
		sim_log(call->sim, "kfd: process %d: %s: %s",
			(int)call->caller.pid, entry->name, strerror(-result));
	if (entry->request & IOC_OUT &&
	    sim_call_put(call, call->request.b, arg, size))
		return -EFAULT;
	return result;
}

/* ---- files */

static bool
is_there(const struct sim *sim)
{
	struct kfd_node nodes[KFD_NODES_MAX];

	return sim->kfd && kfd_list_nodes(sim, nodes) > 0;
}

/* Complete what the runtime reads of the host before its first call returns. */
static void
show_caches_once(struct sim *sim)
{
	if (sim->kfd->shows_caches)
		return;
	sim->kfd->shows_caches = true;
	if (sim_root_show_caches(sim))
		sim_log(sim, "caches of processors cannot be shown");
}

static int
open_kfd(struct sim_call *call, struct sim_file *file)
{
	struct kfd_process *process;
	int error;

	kfd_processes_check(call->sim);
	show_caches_once(call->sim);
	error = kfd_process_open(call->sim, call->caller.pid, &process);
	if (!error)
		file->data = kfd_process_get(process);
	return error;
}

static void
close_kfd(struct sim *sim, struct sim_file *file)
{
	kfd_process_put(file->data);
	kfd_processes_check(sim);
}

static int
mmap_kfd(struct sim_call *call, struct sim_file *file)
{
	const struct kfd_process *process =
		kfd_process_find(call->sim, call->caller.pid);
	struct sim_mapping map;
	int error;

	(void)file;
	kfd_processes_check(call->sim);
	error = sim_call_count(call, NULL, "kfd_mmap");
	if (error)
		return error;
	if (!process)
		return -EINVAL;
	error = memory_mmap(process, call->request.a, call->request.b, &map);
	if (error)
		return error;
	/* pages of the device are the process's own */
	call->reply_flags |= PROTOCOL_NO_FORK;
	return sim_call_give_map(call, &map);
}

static const struct sim_chardev device = {
	.path = "/dev/kfd",
	.major = KFD_MAJOR,
	.is_there = is_there,
	.open = open_kfd,
	.close = close_kfd,
	.ioctl = ioctl_kfd,
	.mmap = mmap_kfd,
};

/* ---- life */

/* Release queues first, which are in the middle of the rest. */
static void
release_process(struct kfd_process *process)
{
	profiler_release(process);
	for (unsigned i = 0; i < process->device_count; i++)
		queue_free_all(&process->devices[i]);
	event_free_all(process);
	for (unsigned i = 0; i < process->device_count; i++)
		memory_free_all(&process->devices[i]);
}

int
kfd_start(struct sim *sim, unsigned mode)
{
	bool is_known = false;
	int error;

	for (unsigned i = 0; i < sim->gpu_count; i++)
		is_known |= kfd_knows(sim->gpus[i]);
	if (!is_known)
		return 0;
	sim->kfd = calloc(1, sizeof(*sim->kfd));
	if (!sim->kfd)
		return -ENOMEM;
	sim->kfd->release = release_process;
	error = topology_create(sim);
	if (!error)
		error = sim_node_add_chardev(sim, &device, mode);
	if (error)
		return error;
	sim->partitions_changed = topology_update;
	topology_update(sim);
	return 0;
}

void
kfd_stop(struct sim *sim)
{
	if (!sim->kfd)
		return;
	sim->partitions_changed = NULL;
	kfd_processes_end(sim);
	topology_free(sim);
	free(sim->kfd);
	sim->kfd = NULL;
}
