/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/request.h"

#include <errno.h>

#include "base/array.h"
#include "base/protocol.h"
#include "event/pmu.h"
#include "kernel/call.h"
#include "kernel/chardev.h"
#include "kernel/drm.h"
#include "kernel/fdinfo.h"
#include "kernel/file.h"
#include "kernel/node.h"
#include "kernel/process.h"
#include "kernel/stream.h"
#include "kfd/run.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "scene/fault.h"

static int
end_process(struct sim_call *call)
{
	sim_process_announce_end(call->sim, call->caller.pid);
	return 0;
}

/* Answer for a call that is not simulated: the simulator only makes it fail. */
static int
call_outside(struct sim_call *call)
{
	if (call->request.a >= PROTOCOL_OUTSIDE_KINDS)
		return -EINVAL;
	return sim_fault_outside(call->sim, (unsigned)call->request.a,
				 call->request.b);
}

static int
refresh_files(struct sim_call *call)
{
	struct sim *sim = call->sim;

	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (sim->gpus[i]->driver->refresh)
			sim->gpus[i]->driver->refresh(sim->gpus[i]);
	return 0;
}

/* Dispatch an ioctl by the kind of the node: a GPU's, or another device's. */
static int
call_ioctl(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);

	if (file && file->device)
		return file->device->ioctl(call, file);
	return sim_drm_call_ioctl(call);
}

static int
call_mmap(struct sim_call *call)
{
	struct sim_file *file = sim_node_file(call->sim, call->request.id);

	if (file && file->device)
		return file->device->mmap(call, file);
	return sim_drm_call_mmap(call);
}

static int
request_refuse(struct sim_call *call)
{
	(void)call;
	return -EINVAL;
}

void
sim_request_begin(struct sim_call *call)
{
	static int (*const handlers[])(struct sim_call * call) = {
		[PROTOCOL_OPEN] = sim_node_open,
		[PROTOCOL_ACCESS] = sim_node_access,
		[PROTOCOL_IOCTL] = call_ioctl,
		[PROTOCOL_MMAP] = call_mmap,
		[PROTOCOL_STREAM_READ] = sim_stream_call,
		[PROTOCOL_STREAM_IOCTL] = sim_stream_call,
		[PROTOCOL_STREAM_MMAP] = sim_stream_call,
		[PROTOCOL_STREAM_FIND] = sim_stream_call_find,
		[PROTOCOL_PERF_OPEN] = sim_pmu_open,
		[PROTOCOL_EXIT] = end_process,
		[PROTOCOL_CONTROL] = sim_command,
		[PROTOCOL_FDINFO] = sim_fdinfo,
		[PROTOCOL_FAULT] = call_outside,
		[PROTOCOL_REFRESH] = refresh_files,
	};
	const uint32_t kind = call->request.kind;

	call->handle = kind < ARRAY_SIZE(handlers) && handlers[kind]
			       ? handlers[kind]
			       : request_refuse;
	/* what was written into a queue before comes before what is asked */
	kfd_advance(call->sim, sim_now(call->sim));
	sim_call_begin(call);
}
