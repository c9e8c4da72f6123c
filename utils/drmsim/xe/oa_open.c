/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/stream_open.h"

#include <errno.h>
#include <stdbool.h>

#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "xe/device.h"
#include "xe/formats.h"
#include "xe/oa_change.h"
#include "xe/oa_properties.h"
#include "xe/oa_stream.h"
#include "xe/oa_syncs.h"
#include "xe/sysfs.h"

/* Refuse any queue: nothing is executed here, so that there are none. */
static int
check_queue(const struct sim_xe_properties *p)
{
	if (p->exec_queue > 0)
		return p->unit->type == SIM_XE_OAG ? -ENOENT : -EINVAL;
	return p->no_preempt ? -EINVAL : 0;
}

static int
check_combination(struct sim_xe *device, struct sim_call *call,
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
	return device->oa.streams[p->unit->id] ? -EBUSY : 0;
}

/* Returns the stream, whose registers are written or will be. */
static int
give_stream(struct sim_call *call, struct sim_file *file,
	    const struct sim_xe_properties *properties)
{
	struct sim_stream *stream;
	int error = sim_xe_stream_create(sim_xe_of(file->gpu), file, properties,
					 &stream);

	if (error)
		return error;
	return sim_stream_give(stream, call, false, 0);
}

/*
 * Read the syncs, and begin what they ask for: the number of a change that has
 * to end first, or -errno. *at_once: none has to, since something is signalled
 * when the set is active.
 */
static int
begin_opening(struct sim_call *call, struct sim_file *file,
	      const struct sim_xe_properties *properties, bool *at_once)
{
	struct sim_xe *device = sim_xe_of(file->gpu);
	struct sim_oa_config *config =
		sim_oa_config_find(&device->oa.configs, properties->metric_set);
	struct sim_xe_syncs syncs;
	struct sim_xe_change_setup setup = {
		.unit = properties->unit,
		.write = sim_xe_unit_program,
		.file = file,
		.syncs = &syncs,
	};
	int error = sim_xe_syncs_read(call, file, properties, &syncs);

	if (error)
		return error;
	if (!config) {
		sim_xe_syncs_free(&syncs);
		return -EINVAL;
	}
	*at_once = syncs.signals;
	if (*at_once)
		setup.config = config;
	return sim_xe_change_begin(device, &setup);
}

/*
 * Open a stream. An engine writes the registers, when it gets there; unless
 * something is signalled then, the call returns when the set has settled. No
 * signal ends either wait.
 */
int
sim_xe_stream_open(struct sim_call *call, struct sim_file *file,
		   uint64_t address)
{
	struct sim_xe *device = sim_xe_of(file->gpu);
	struct sim_xe_properties properties = { .exponent = -1 };
	struct sim_oa_config *config;
	bool at_once = false;
	uint64_t end;
	int result;

	result = sim_xe_properties_read(call, device, address, false,
					&properties);
	if (!result)
		result = check_combination(device, call, &properties);
	if (!result && call->memory == 0) {
		result = begin_opening(call, file, &properties, &at_once);
		if (result > 0)
			call->memory = (uint64_t)result;
	}
	if (result < 0)
		return result;
	if (at_once)
		return give_stream(call, file, &properties);
	call->deaf = true;
	end = sim_xe_change_end(device, (uint32_t)call->memory);
	if (end)
		return sim_call_sleep(call, SIM_NEVER, end);
	/* it may have been removed */
	config = sim_oa_config_find(&device->oa.configs, properties.metric_set);
	if (!config)
		return -EINVAL;
	sim_xe_unit_program(device, properties.unit, config);
	return give_stream(call, file, &properties);
}
