/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "intel/oa_unit.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/node.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/device.h"
#include "xe/oa_change.h"
#include "xe/oa_memory.h"
#include "xe/oa_properties.h"
#include "xe/oa_syncs.h"
#include "xe/rates.h"
#include "xe/registers.h"
#include "xe/sysfs.h"

#define POLL_NS 5000000

struct sim_xe_stream {
	struct sim_oa_stream oa;
	struct sim_xe *device;
	struct sim_xe_unit *unit;
	uint64_t file_id; /* of the node, which may be closed by now */
	struct sim_xe_memory memory;
	size_t report_size;
	uint64_t buffer_size, wait_reports;
	bool sample, periodic;
	unsigned exponent;
	uint64_t visible;
	bool overflow_flagged; /* reported, since the unit was enabled */
	unsigned flagged; /* by the unit, besides lost data */
	unsigned status; /* of the last read */
	uint64_t vain_at; /* when a read last found nothing, in virtual time */
};

static struct sim_xe_stream *
stream_of(struct sim_oa_stream *oa)
{
	return (struct sim_xe_stream *)oa;
}

/*
 * Set up counting by the registers and by the scenario, which has precedence.
 */
static void
stream_count(struct sim_oa_stream *oa)
{
	const struct sim_xe_stream *stream = stream_of(oa);
	const struct sim_xe *device = stream->device;

	sim_xe_rates(device, stream->unit, &oa->counting.rates);
	oa->counting.clock_hz = sim_xe_unit_clock(device, stream->unit);
	memcpy(oa->counting.start, device->oa.start,
	       sizeof(oa->counting.start));
}

/* Advance the unit up to a time; it writes into memory. */
static void
stream_run(struct sim_oa_stream *oa, uint64_t ns)
{
	sim_oa_unit_run(oa->unit, sim_oa_stream_tick(oa, ns));
	sim_xe_memory_follow(&stream_of(oa)->memory, oa->unit);
}

void
sim_xe_unit_program(struct sim_xe *device, const struct sim_xe_unit *unit,
		    const struct sim_oa_config *config)
{
	const unsigned index = sim_xe_registers_index(device, unit);

	sim_oa_streams_run(&device->oa);
	sim_xe_registers_write(&device->registers[index],
			       config->lists[SIM_OA_MUX].registers,
			       config->lists[SIM_OA_MUX].count);
	sim_oa_streams_recount(&device->oa);
}

/* ------------------------------------------------------------------ */
/* The buffer                                                           */

static uint64_t
stream_available(const struct sim_xe_stream *stream)
{
	return stream->visible - sim_oa_unit_head(stream->oa.unit);
}

/*
 * Read the tail, as the driver does. Return whether there is as much as a read
 * waits for.
 */
static bool
stream_check(struct sim_oa_stream *oa, uint64_t ns)
{
	struct sim_xe_stream *stream = stream_of(oa);
	bool pollin;

	(void)ns;
	stream->visible = sim_oa_unit_landed(oa->unit, stream->visible);
	pollin = stream_available(stream) >= stream->wait_reports;
	sim_stream_set_readable(oa->base, pollin);
	return pollin;
}

static int
stream_enable(struct sim_xe_stream *stream)
{
	struct sim_oa_stream *oa = &stream->oa;
	int error;

	if (oa->enabled)
		return 0;
	error = sim_oa_stream_start(oa);
	if (error)
		return error;
	stream->visible = sim_oa_unit_tail(oa->unit);
	sim_xe_memory_restart(&stream->memory, stream->visible);
	stream->overflow_flagged = false;
	stream->flagged = 0;
	oa->enabled = true;
	sim_stream_set_readable(oa->base, false);
	return 0;
}

/* Disable the stream but keep what has been written for read. */
static void
stream_disable(struct sim_oa_stream *oa)
{
	if (!oa->enabled)
		return;
	sim_oa_stream_run(oa);
	sim_oa_unit_stop(oa->unit);
	oa->enabled = false;
	oa->next_poll = SIM_NEVER;
	if (stream_check(oa, 0)) {
		oa->wakes++;
		sim_wake(oa->oa->gpu->sim);
	}
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

/* Take what the unit has flagged, which clears it. */
static unsigned
take_status(struct sim_xe_stream *stream)
{
	unsigned status = stream->flagged;

	stream->flagged = 0;
	if (sim_oa_unit_has_lost(stream->oa.unit)) {
		sim_oa_unit_clear_lost(stream->oa.unit);
		status |= SIM_XE_REPORT_LOST;
	}
	if (sim_oa_unit_has_overflowed(stream->oa.unit) &&
	    !stream->overflow_flagged) {
		stream->overflow_flagged = true;
		status |= SIM_XE_BUFFER_OVERFLOW;
	}
	return status;
}

/* Copy whole reports, of which there are some. Returns bytes or -errno. */
static int
copy_reports(struct sim_call *call, struct sim_xe_stream *stream,
	     uint64_t buffer, uint64_t count)
{
	size_t size = stream->report_size;
	uint64_t head = sim_oa_unit_head(stream->oa.unit);
	size_t writable = sim_call_writable(call, buffer, count * size);
	uint8_t *data;
	int error;

	if (writable < count * size)
		count = writable / size;
	if (count == 0)
		return -EFAULT;
	data = malloc(count * size);
	if (!data)
		return -ENOMEM;
	for (uint64_t i = 0; i < count; i++)
		sim_oa_unit_write(
			stream->oa.unit, head + i,
			sim_oa_unit_report(stream->oa.unit, head + i)->context,
			data + i * size);
	error = sim_call_put(call, buffer, data, count * size);
	free(data);
	if (error)
		return error;
	sim_oa_unit_release(stream->oa.unit, head + count);
	sim_xe_memory_take(&stream->memory, head, head + count);
	return (int)(count * size);
}

/* Return bytes, or -EAGAIN if there is nothing, or -errno. */
static int
read_once(struct sim_call *call, struct sim_oa_stream *oa, uint64_t buffer,
	  uint64_t size)
{
	struct sim_xe_stream *stream = stream_of(oa);
	uint64_t fits = size / stream->report_size;
	uint64_t count = stream_available(stream);
	bool more = count > fits;
	int result = -EAGAIN;

	stream->status = take_status(stream);
	/* EIO and what does not fit leave poll() as it is */
	if (stream->status)
		return -EIO;
	if (more && fits == 0)
		return -ENOSPC;
	if (count)
		result =
			copy_reports(call, stream, buffer, more ? fits : count);
	if (!more)
		sim_stream_set_readable(oa->base, false);
	return result;
}

/*
 * Answer that there is nothing to read. Virtual time stands still for a first
 * read in vain. A second one advances it by a period: a polling program would
 * find that time has gone on by itself.
 */
static int
answer_in_vain(struct sim_call *call, struct sim_xe_stream *stream,
	       uint64_t size)
{
	const uint64_t at = sim_oa_stream_now(&stream->oa),
		       ticks = UINT64_C(2) << stream->exponent;
	uint64_t later;

	if (!call->sim->is_virtual || !stream->oa.enabled ||
	    !stream->periodic || size < stream->report_size ||
	    stream->vain_at != at) {
		stream->vain_at = at;
		return -EAGAIN;
	}
	later = at + ticks * 1000000000 / stream->unit->hz + 1;
	return sim_call_sleep(call, later, later);
}

static int
stream_read(struct sim_call *call, struct sim_stream *base, uint64_t buffer,
	    uint64_t size, bool nonblocking)
{
	struct sim_xe_stream *stream = sim_stream_data(base);
	struct sim_oa_stream *oa = &stream->oa;
	int result;

	if (sim_stream_is_gone(base))
		return -ENODEV;
	if (!stream->sample)
		return -EINVAL;
	sim_oa_stream_run(oa);
	if (!nonblocking)
		return stream->periodic
			       ? sim_oa_stream_wait(call, oa, buffer, size)
			       : -EINVAL;
	stream_check(oa, 0);
	result = read_once(call, oa, buffer, size);
	return result == -EAGAIN ? answer_in_vain(call, stream, size) : result;
}

/* ------------------------------------------------------------------ */
/* The rest of the file's operations                                    */

/*
 * Begin to change the set. Returns whether something will be signalled, or
 * -errno. *change: the number of the change.
 */
static int
begin_change(struct sim_call *call, struct sim_xe_stream *stream,
	     uint64_t address, uint32_t *change)
{
	struct sim_xe *device = stream->device;
	struct sim_xe_properties properties = { .exponent = -1 };
	struct sim_xe_syncs syncs;
	struct sim_xe_change_setup setup = {
		.unit = stream->unit,
		.write = sim_xe_unit_program,
		.file = sim_node_file(call->sim, stream->file_id),
		.syncs = &syncs,
	};
	unsigned signals;
	int result = sim_xe_properties_read(call, device, address, true,
					    &properties);

	if (result)
		return result;
	setup.config =
		sim_oa_config_find(&device->oa.configs, properties.metric_set);
	if (!setup.config)
		return -ENODEV;
	result = sim_xe_syncs_read(call, setup.file, &properties, &syncs);
	if (result)
		return result;
	signals = syncs.signals;
	result = sim_xe_change_begin(device, &setup);
	if (result < 0)
		return result;
	*change = (uint32_t)result;
	sim_oa_config_get(setup.config);
	sim_oa_config_put(stream->oa.config);
	stream->oa.config = setup.config;
	return signals != 0;
}

/*
 * Returns the id of the set before: at once if something will be signalled when
 * the new one is active, else when it is, and no signal ends that wait. Id and
 * change are kept between the rounds of the call.
 */
static int
change_config(struct sim_call *call, struct sim_xe_stream *stream,
	      uint64_t address)
{
	const uint32_t before = (uint32_t)stream->oa.config->id;
	uint32_t change;
	uint64_t end;
	int result;

	if (call->memory == 0) {
		result = begin_change(call, stream, address, &change);
		if (result)
			return result < 0 ? result : (int)before;
		call->memory = (uint64_t)change << 32 | before;
		call->deaf = true;
	}
	end = sim_xe_change_end(stream->device,
				(uint32_t)(call->memory >> 32));
	return end ? sim_call_sleep(call, SIM_NEVER, end)
		   : (int)(uint32_t)call->memory;
}

static int
stream_ioctl(struct sim_call *call, struct sim_stream *base,
	     unsigned long request, uint64_t arg)
{
	struct sim_xe_stream *stream = sim_stream_data(base);
	struct sim_xe_status status = { .status = stream->status };
	struct sim_xe_info info = { .buffer_size = stream->buffer_size };

	switch (request) {
	case SIM_XE_ENABLE:
		return stream_enable(stream);
	case SIM_XE_DISABLE:
		stream_disable(&stream->oa);
		return 0;
	case SIM_XE_CONFIG:
		return change_config(call, stream, arg);
	case SIM_XE_STATUS:
		return sim_call_put(call, arg, &status, sizeof(status));
	case SIM_XE_INFO:
		return sim_call_put(call, arg, &info, sizeof(info));
	}
	return -EINVAL;
}

static int
stream_mmap(struct sim_call *call, struct sim_stream *base)
{
	struct sim_xe_stream *stream = sim_stream_data(base);
	int error = sim_xe_check_paranoid(stream->device, call);

	if (error)
		return error;
	sim_oa_stream_run(&stream->oa);
	return sim_xe_memory_map(&stream->memory, call, stream->oa.unit);
}

static void
stream_close(struct sim_stream *base)
{
	struct sim_xe_stream *stream = sim_stream_data(base);

	sim_oa_stream_close(&stream->oa);
	sim_xe_memory_free(&stream->memory);
	free(stream);
}

static const struct sim_stream_ops file_ops = {
	.name = "xe_oa",
	.read = stream_read,
	.ioctl = stream_ioctl,
	.mmap = stream_mmap,
	.close = stream_close,
};

static const struct sim_oa_stream_ops stream_ops = {
	.count = stream_count,
	.run = stream_run,
	.check = stream_check,
	.read = read_once,
};

/*
 * Return the unit's timeline: contexts concern the unit of render and compute.
 */
static const struct sim_timeline *
timeline_of(const struct sim_xe *device, const struct sim_xe_unit *unit)
{
	return unit->gt == 0 ? &device->oa.timeline : &device->media_timeline;
}

/*
 * Set the memory. From Xe2 on the buffer of OAG ends with a whole report, if it
 * is for them.
 */
static void
set_memory(struct sim_xe_stream *stream,
	   const struct sim_xe_properties *properties)
{
	struct sim_xe_memory *memory = &stream->memory;

	memory->size = memory->ring = properties->buffer_size;
	memory->report_size = properties->format->size;
	memory->word = properties->format->wide ? 8 : 4;
	if (stream->device->platform.generation == SIM_OA_XE2 &&
	    stream->unit->type == SIM_XE_OAG && stream->sample)
		memory->ring -= memory->ring % memory->report_size;
}

int
sim_xe_stream_create(struct sim_xe *device, const struct sim_file *file,
		     const struct sim_xe_properties *properties,
		     struct sim_stream **out)
{
	struct sim_xe_stream *stream = calloc(1, sizeof(*stream));
	struct sim_xe_unit *unit = properties->unit;
	struct sim_oa_setup setup = {
		.format = properties->format,
		.buffer_size = properties->buffer_size,
		.periodic = properties->exponent >= 0,
	};
	int error;

	if (!stream)
		return -ENOMEM;
	if (setup.periodic)
		setup.exponent = (unsigned)properties->exponent;
	stream->device = device;
	stream->file_id = file->id;
	stream->unit = unit;
	stream->report_size = properties->format->size;
	stream->buffer_size = properties->buffer_size;
	stream->wait_reports = (uint64_t)properties->wait_reports;
	stream->sample = properties->sample;
	stream->periodic = setup.periodic;
	stream->exponent = setup.exponent;
	stream->vain_at = SIM_NEVER;
	set_memory(stream, properties);
	stream->oa = (struct sim_oa_stream){
		.ops = &stream_ops,
		.oa = &device->oa,
		.id = unit->id,
		.load = &device->loads[unit->gt],
		.config = sim_oa_config_get(sim_oa_config_find(
			&device->oa.configs, properties->metric_set)),
		.hz = unit->hz,
		.poll_ns = POLL_NS,
	};
	error = sim_oa_stream_open(&stream->oa, &setup,
				   timeline_of(device, unit), &file_ops);
	if (error) {
		free(stream);
		return error;
	}
	/* freeze the residency file, as the kernel does */
	sim_xe_put_residency(device);
	if (!properties->disabled)
		stream_enable(stream);
	*out = stream->oa.base;
	return 0;
}

int
sim_xe_streams_flag(struct sim_xe *device, unsigned bits)
{
	struct sim_oa_stream *stream;
	int result = -EINVAL;

	sim_oa_streams_run(&device->oa);
	for_each_oa_stream(&device->oa, stream)
	{
		stream_of(stream)->flagged |= bits;
		result = 0;
	}
	return result;
}
