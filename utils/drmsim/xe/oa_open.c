/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_open.h"

#include <errno.h>

#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "xe/device.h"
#include "xe/formats.h"
#include "xe/oa_properties.h"
#include "xe/oa_stream.h"
#include "xe/sysfs.h"

/* Nothing is executed here: there are no queues. */
static int
check_queue(const struct sim_xe_properties *p)
{
	if (p->exec_queue > 0)
		return p->unit->type == SIM_XE_OAG ? -ENOENT : -EINVAL;
	return p->no_preempt ? -EINVAL : 0;
}

static int
check_together(struct sim_xe *device, struct sim_call *call,
	       struct sim_xe_properties *p)
{
	int error;

	if (!p->unit)
		p->unit = &device->units[0];
	error = check_queue(p);
	if (!error)
		error = sim_xe_check_paranoid(device, call);
	if (error)
		return error;
	if (!p->sample || !p->format ||
	    !sim_xe_format_suits(p->format, p->unit->type))
		return -EINVAL;
	if (!p->buffer_size)
		p->buffer_size = SIM_OA_BUFFER_SIZE;
	if (!p->wait_reports)
		p->wait_reports = 1;
	/* a negative one is large, as in the kernel's comparison */
	if ((uint64_t)p->wait_reports > p->buffer_size / p->format->size)
		return -EINVAL;
	if (p->unit->stream)
		return -EBUSY;
	error = sim_xe_syncs_check(p);
	if (error)
		return error;
	return sim_oa_config_find(&device->configs, p->metric_set) ? 0
								   : -EINVAL;
}

int
sim_xe_stream_open(struct sim_call *call, struct sim_file *file,
		   uint64_t address)
{
	struct sim_xe *device = sim_xe_of(file->gpu);
	struct sim_xe_properties properties = { .exponent = -1 };
	struct sim_xe_stream *stream;
	uint64_t ready;
	int error;

	error = sim_xe_properties_read(call, device, address, false,
				       &properties);
	if (!error)
		error = check_together(device, call, &properties);
	if (error)
		return error;

	/*
	 * An engine writes the registers, when it gets there; the call returns
	 * when the set has settled. No signal ends either wait.
	 */
	call->deaf = true;
	if (device->engine_held)
		return sim_call_sleep(call, SIM_NEVER, SIM_NEVER);
	ready = sim_call_timeout(call, device->settle_ns);
	if (sim_now(file->gpu->sim) < ready && !call->timed_out)
		return sim_call_sleep(call, ready, ready);

	error = sim_xe_stream_create(device, &properties, &stream);
	if (error)
		return error;
	return sim_stream_give(sim_xe_stream_base(stream), call, false, 0);
}
