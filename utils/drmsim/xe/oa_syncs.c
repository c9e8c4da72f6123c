/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_sync.c, xe_oa.c] */
#include "xe/oa_syncs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "kernel/call.h"
#include "kernel/fence.h"
#include "kernel/syncobj.h"
#include "xe/oa_properties.h"
#include "xe/uapi.h"

static bool
is_signal(const struct sim_xe_sync *sync)
{
	return sync->flags & SIM_XE_SIGNAL;
}

static uint64_t
point_of(const struct sim_xe_sync *sync)
{
	return sync->type == SIM_XE_TIMELINE ? sync->value : 0;
}

/* Check a syncobj, and find its fence; a point that has passed has none. */
static int
check_syncobj(struct sim_file *file, const struct sim_xe_sync *sync,
	      struct sim_fence **wait)
{
	const uint32_t handle = (uint32_t)sync->address;
	struct sim_fence *fence = NULL;
	int error;

	if (sync->address > UINT32_MAX)
		return -EINVAL;
	if (sync->type == SIM_XE_TIMELINE && !sync->value)
		return -EINVAL;
	if (!file || !sim_syncobj_exists(file, handle))
		return -ENOENT;
	if (is_signal(sync))
		return 0;
	error = sim_syncobj_fence(file, handle, point_of(sync), &fence);
	if (!error)
		*wait = sim_fence_get(fence);
	return error;
}

static int
check_user_fence(struct sim_call *call, const struct sim_xe_sync *sync)
{
	uint64_t value;

	if (!is_signal(sync))
		return -EOPNOTSUPP;
	if (sync->address % sizeof(value))
		return -EINVAL;
	return sim_call_get(call, &value, sync->address, sizeof(value));
}

static int
read_sync(struct sim_call *call, struct sim_file *file, uint64_t address,
	  struct sim_xe_sync *sync, struct sim_fence **wait)
{
	int error = sim_call_get(call, sync, address, sizeof(*sync));

	if (error)
		return error;
	if ((sync->flags & ~SIM_XE_SIGNAL) || sync->reserved[0] ||
	    sync->reserved[1])
		return -EINVAL;
	switch (sync->type) {
	case SIM_XE_SYNCOBJ:
	case SIM_XE_TIMELINE:
		return check_syncobj(file, sync, wait);
	case SIM_XE_USER_FENCE:
		return check_user_fence(call, sync);
	}
	return -EINVAL;
}

static int
read_all(struct sim_call *call, struct sim_file *file, uint64_t address,
	 struct sim_xe_syncs *syncs)
{
	unsigned user_fences = 0;

	for (unsigned i = 0; i < syncs->count; i++) {
		struct sim_xe_sync *sync = &syncs->list[i];
		int error = read_sync(call, file, address + i * sizeof(*sync),
				      sync, &syncs->waits[i]);

		if (error)
			return error;
		syncs->signals += is_signal(sync);
		user_fences += sync->type == SIM_XE_USER_FENCE;
	}
	return user_fences > 1 ? -EINVAL : 0;
}

int
sim_xe_syncs_read(struct sim_call *call, struct sim_file *file,
		  const struct sim_xe_properties *properties,
		  struct sim_xe_syncs *out)
{
	int error = -ENOMEM;

	*out = (struct sim_xe_syncs){ .pid = call->caller.pid };
	if (!properties->sync_count)
		return 0;
	if (!properties->syncs)
		return -EINVAL;
	out->count = (unsigned)properties->sync_count;
	out->list = calloc(out->count, sizeof(*out->list));
	out->waits = calloc(out->count, sizeof(*out->waits));
	if (out->list && out->waits)
		error = read_all(call, file, properties->syncs, out);
	if (error)
		sim_xe_syncs_free(out);
	return error;
}

void
sim_xe_syncs_free(struct sim_xe_syncs *syncs)
{
	for (unsigned i = 0; syncs->waits && i < syncs->count; i++)
		sim_fence_put(syncs->waits[i]);
	free(syncs->waits);
	free(syncs->list);
	*syncs = (struct sim_xe_syncs){ 0 };
}

bool
sim_xe_syncs_are_ready(const struct sim_xe_syncs *syncs)
{
	for (unsigned i = 0; i < syncs->count; i++) {
		const struct sim_fence *fence = syncs->waits[i];

		if (fence && !sim_fence_is_signaled(fence))
			return false;
	}
	return true;
}

int
sim_xe_syncs_put_fence(const struct sim_xe_syncs *syncs, struct sim_file *file,
		       struct sim_fence *fence)
{
	int error = 0;

	for (unsigned i = 0; i < syncs->count && !error; i++) {
		const struct sim_xe_sync *sync = &syncs->list[i];

		if (is_signal(sync) && sync->type != SIM_XE_USER_FENCE)
			error = sim_syncobj_replace(file,
						    (uint32_t)sync->address,
						    point_of(sync), fence);
	}
	return error;
}

/*
 * Write a user fence. The kernel does not care either whether the memory is
 * still there.
 */
void
sim_xe_syncs_write_user_fence(const struct sim_xe_syncs *syncs)
{
	for (unsigned i = 0; i < syncs->count; i++) {
		struct sim_xe_sync *sync = &syncs->list[i];
		struct iovec local = { &sync->value, sizeof(sync->value) };
		struct iovec remote = { (void *)(uintptr_t)sync->address,
					sizeof(sync->value) };

		if (sync->type == SIM_XE_USER_FENCE)
			process_vm_writev(syncs->pid, &local, 1, &remote, 1, 0);
	}
}
