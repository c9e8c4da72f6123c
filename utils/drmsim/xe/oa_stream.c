/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intel/load.h"
#include "intel/oa_config.h"
#include "intel/oa_format.h"
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
	struct sim_xe *device;
	struct sim_xe_unit *unit;
	struct sim_stream *base;
	uint64_t file_id; /* of the node, which may be closed by now */
	struct sim_oa_unit *hardware;
	struct sim_oa_config *config;
	struct sim_xe_memory memory;
	size_t report_size;
	uint64_t buffer_size, wait_reports;
	bool sample, periodic, enabled;
	unsigned exponent;
	uint64_t visible;
	bool overflow_flagged; /* reported, since the unit was enabled */
	unsigned flagged; /* by the unit, besides lost data */
	unsigned status; /* of the last read */
	uint64_t next_poll;
	uint64_t wakes; /* how often readers were woken */
	uint64_t vain_at; /* when a read last found nothing, in virtual time */
};

static uint64_t
stream_now(const struct sim_xe_stream *stream)
{
	return sim_now(stream->device->gpu->sim);
}

static uint64_t
stream_tick(const struct sim_xe_stream *stream)
{
	return sim_xe_unit_tick(stream->device, stream->unit,
				stream_now(stream));
}

/*
 * Set up counting by the registers and by the scenario, which has precedence.
 */
static void
make_counting(const struct sim_xe_stream *stream,
	      struct sim_oa_counting *counting)
{
	const struct sim_xe *device = stream->device;

	sim_xe_rates(device, stream->unit, &counting->rates);
	counting->clock_hz = sim_xe_unit_clock(device, stream->unit);
	memcpy(counting->start, device->oa.start, sizeof(counting->start));
}

/* Let the unit go on up to and with tick; it writes into memory. */
static void
stream_run(struct sim_xe_stream *stream, uint64_t tick)
{
	sim_oa_unit_run(stream->hardware, tick);
	sim_xe_memory_follow(&stream->memory, stream->hardware);
}

void
sim_xe_unit_program(struct sim_xe *device, const struct sim_xe_unit *unit,
		    const struct sim_oa_config *config)
{
	const unsigned index = sim_xe_registers_index(device, unit);

	sim_xe_streams_run(device);
	sim_xe_registers_write(&device->registers[index],
			       config->lists[SIM_OA_MUX].registers,
			       config->lists[SIM_OA_MUX].count);
	sim_xe_streams_recount(device);
}

/* ------------------------------------------------------------------ */
/* The buffer                                                           */

/*
 * Return how far reports have landed. A report has landed for sure when the one
 * after it has begun to: walk back from the hardware's tail, whose place in the
 * buffer is still zeros, to a place that is not.
 */
static uint64_t
stream_landed(const struct sim_xe_stream *stream)
{
	const uint64_t end = sim_oa_unit_tail(stream->hardware);
	uint64_t tail = end;

	while (tail > stream->visible &&
	       (tail == end ||
		sim_oa_unit_report(stream->hardware, tail)->hole))
		tail--;
	return tail;
}

static uint64_t
stream_available(const struct sim_xe_stream *stream)
{
	return stream->visible - sim_oa_unit_head(stream->hardware);
}

/*
 * Look at the tail, as the driver does: whether there is as much as is waited
 * for.
 */
static bool
stream_check(struct sim_xe_stream *stream)
{
	bool pollin;

	stream->visible = stream_landed(stream);
	pollin = stream_available(stream) >= stream->wait_reports;
	sim_stream_set_readable(stream->base, pollin);
	return pollin;
}

static int
stream_enable(struct sim_xe_stream *stream)
{
	struct sim_oa_counting counting;
	int error;

	if (stream->enabled)
		return 0;
	make_counting(stream, &counting);
	sim_oa_unit_set_offset(
		stream->hardware,
		sim_xe_unit_ticks(stream->device, stream->unit,
				  stream->device->oa.timestamp_offset +
					  stream->device->oa.clock.offset));
	error = sim_oa_unit_enable(stream->hardware, stream_tick(stream),
				   &counting);
	if (error)
		return error;
	stream->visible = sim_oa_unit_tail(stream->hardware);
	sim_xe_memory_restart(&stream->memory, stream->visible);
	stream->overflow_flagged = false;
	stream->flagged = 0;
	stream->next_poll = stream_now(stream) + POLL_NS;
	stream->enabled = true;
	sim_stream_set_readable(stream->base, false);
	return 0;
}

/* Disable the stream but keep what has been written for read. */
static void
stream_disable(struct sim_xe_stream *stream)
{
	if (!stream->enabled)
		return;
	stream_run(stream, stream_tick(stream));
	sim_oa_unit_stop(stream->hardware);
	stream->enabled = false;
	stream->next_poll = SIM_NEVER;
	if (stream_check(stream)) {
		stream->wakes++;
		sim_wake(stream->device->gpu->sim);
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
	if (sim_oa_unit_has_lost(stream->hardware)) {
		sim_oa_unit_clear_lost(stream->hardware);
		status |= SIM_XE_REPORT_LOST;
	}
	if (sim_oa_unit_has_overflowed(stream->hardware) &&
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
	uint64_t head = sim_oa_unit_head(stream->hardware);
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
			stream->hardware, head + i,
			sim_oa_unit_report(stream->hardware, head + i)->context,
			data + i * size);
	error = sim_call_put(call, buffer, data, count * size);
	free(data);
	if (error)
		return error;
	sim_oa_unit_release(stream->hardware, head + count);
	sim_xe_memory_take(&stream->memory, head, head + count);
	return (int)(count * size);
}

/* Return bytes, or 0 if there is nothing, or -errno. */
static int
read_once(struct sim_call *call, struct sim_xe_stream *stream, uint64_t buffer,
	  uint64_t size)
{
	uint64_t fits = size / stream->report_size;
	uint64_t count = stream_available(stream);
	bool more = count > fits;
	int result = 0;

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
		sim_stream_set_readable(stream->base, false);
	return result;
}

/*
 * Wait like the kernel: the condition is looked at before sleeping and after
 * each wake-up by the timer, never in between.
 */
static int
read_blocking(struct sim_call *call, struct sim_xe_stream *stream,
	      uint64_t buffer, uint64_t size)
{
	uint64_t *woken = &call->memory;
	int result;

	if (!stream->periodic)
		return -EINVAL;
	do {
		if (*woken == stream->wakes + 1 || !stream_check(stream)) {
			*woken = stream->wakes + 1;
			return sim_call_sleep(call, SIM_NEVER,
					      stream->next_poll);
		}
		*woken = 0;
		result = read_once(call, stream, buffer, size);
	} while (result == 0);
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
	const uint64_t at = stream_now(stream), ticks = UINT64_C(2)
							<< stream->exponent;
	uint64_t later;

	if (!call->sim->is_virtual || !stream->enabled || !stream->periodic ||
	    size < stream->report_size || stream->vain_at != at) {
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
	int result;

	if (sim_stream_is_gone(base))
		return -ENODEV;
	if (!stream->sample)
		return -EINVAL;
	if (stream->enabled)
		stream_run(stream, stream_tick(stream));
	if (!nonblocking)
		return read_blocking(call, stream, buffer, size);
	stream_check(stream);
	result = read_once(call, stream, buffer, size);
	return result ? result : answer_in_vain(call, stream, size);
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
	sim_oa_config_put(stream->config);
	stream->config = setup.config;
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
	const uint32_t before = (uint32_t)stream->config->id;
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
		stream_disable(stream);
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
	if (stream->enabled)
		stream_run(stream, stream_tick(stream));
	return sim_xe_memory_map(&stream->memory, call, stream->hardware);
}

static void
stream_free(struct sim_xe_stream *stream)
{
	sim_xe_memory_free(&stream->memory);
	sim_oa_unit_destroy(stream->hardware);
	sim_oa_config_put(stream->config);
	free(stream);
}

static void
stream_close(struct sim_stream *base)
{
	struct sim_xe_stream *stream = sim_stream_data(base);

	if (stream->enabled)
		stream_run(stream, stream_tick(stream));
	sim_oa_statistics_add(&stream->device->oa.closed, stream->hardware);
	sim_load_hold(&stream->device->loads[stream->unit->gt],
		      stream_now(stream), false);
	stream->unit->stream = NULL;
	stream_free(stream);
}

static const struct sim_stream_ops stream_ops = {
	.name = "xe_oa",
	.read = stream_read,
	.ioctl = stream_ioctl,
	.mmap = stream_mmap,
	.close = stream_close,
};

/*
 * Return the unit's timeline: contexts concern the unit of render and compute.
 */
static const struct sim_timeline *
timeline_of(const struct sim_xe *device, const struct sim_xe_unit *unit)
{
	return unit->gt == 0 ? &device->oa.timeline : &device->media_timeline;
}

static int
create_parts(struct sim_xe_stream *stream,
	     const struct sim_xe_properties *properties)
{
	struct sim_xe *device = stream->device;
	struct sim_oa_setup setup = {
		.format = properties->format,
		.buffer_size = properties->buffer_size,
		.generation = device->platform.generation,
		.tick_hz = stream->unit->hz,
		.periodic = stream->periodic,
		.exponent = stream->exponent,
	};
	int error = sim_oa_unit_create(
		&setup, timeline_of(device, stream->unit), &stream->hardware);

	if (error)
		return error;
	return sim_stream_create(device->gpu->sim, device->gpu, &stream_ops,
				 stream, &stream->base);
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
		     struct sim_xe_stream **out)
{
	struct sim_xe_stream *stream = calloc(1, sizeof(*stream));
	int error;

	if (!stream)
		return -ENOMEM;
	stream->device = device;
	stream->file_id = file->id;
	stream->unit = properties->unit;
	stream->report_size = properties->format->size;
	stream->buffer_size = properties->buffer_size;
	stream->wait_reports = (uint64_t)properties->wait_reports;
	stream->sample = properties->sample;
	stream->periodic = properties->exponent >= 0;
	if (stream->periodic)
		stream->exponent = (unsigned)properties->exponent;
	stream->vain_at = SIM_NEVER;
	stream->next_poll = SIM_NEVER;
	set_memory(stream, properties);
	stream->config = sim_oa_config_get(sim_oa_config_find(
		&device->oa.configs, properties->metric_set));
	error = create_parts(stream, properties);
	if (error) {
		stream_free(stream);
		return error;
	}
	stream->unit->stream = stream;
	device->oa.streams_opened++;
	/* forcewake is held for as long as the stream is open */
	sim_load_hold(&device->loads[stream->unit->gt], stream_now(stream),
		      true);
	/* freeze the residency file, as the kernel does */
	sim_xe_put_residency(device);
	if (!properties->disabled)
		stream_enable(stream);
	*out = stream;
	return 0;
}

struct sim_stream *
sim_xe_stream_base(struct sim_xe_stream *stream)
{
	return stream->base;
}

/* ------------------------------------------------------------------ */
/* All streams of a device                                              */

#define for_each_stream(device, stream)                                        \
	for (unsigned i_ = 0; i_ < (device)->unit_count; i_++)                 \
		if (((stream) = (device)->units[i_].stream))

uint64_t
sim_xe_streams_next(const struct sim_xe *device)
{
	const struct sim_xe_stream *stream;
	uint64_t next = SIM_NEVER;

	for_each_stream(device, stream)
	{
		if (stream->enabled && stream->next_poll < next)
			next = stream->next_poll;
	}
	return next;
}

/* Look for reports, as the timer fires. */
static void
poll_buffer(struct sim_xe_stream *stream, uint64_t ns)
{
	stream_run(stream, sim_xe_unit_tick(stream->device, stream->unit, ns));
	if (stream_check(stream))
		stream->wakes++;
	/* a reader that sleeps on sleeps until the next time */
	sim_wake(stream->device->gpu->sim);
	stream->next_poll +=
		(ns - stream->next_poll) / POLL_NS * POLL_NS + POLL_NS;
}

void
sim_xe_streams_advance(struct sim_xe *device, uint64_t ns)
{
	struct sim_xe_stream *stream;

	for_each_stream(device, stream)
	{
		if (stream->enabled && stream->next_poll <= ns)
			poll_buffer(stream, ns);
	}
}

void
sim_xe_streams_run(struct sim_xe *device)
{
	struct sim_xe_stream *stream;

	for_each_stream(device, stream)
	{
		if (stream->enabled)
			stream_run(stream, stream_tick(stream));
	}
}

void
sim_xe_streams_recount(struct sim_xe *device)
{
	struct sim_oa_counting counting;
	struct sim_xe_stream *stream;

	for_each_stream(device, stream)
	{
		if (!stream->enabled)
			continue;
		make_counting(stream, &counting);
		sim_oa_unit_recount(stream->hardware, stream_tick(stream),
				    &counting);
	}
}

void
sim_xe_streams_retime(struct sim_xe *device)
{
	struct sim_xe_stream *stream;

	for_each_stream(device, stream) sim_oa_unit_retime(stream->hardware);
}

struct sim_oa_unit *
sim_xe_unit_hardware(const struct sim_xe_unit *unit)
{
	return unit->stream ? unit->stream->hardware : NULL;
}

void
sim_xe_unit_flag(struct sim_xe_unit *unit, unsigned bits)
{
	if (unit->stream)
		unit->stream->flagged |= bits;
}

void
sim_xe_streams_statistics(const struct sim_xe *device,
			  struct sim_oa_statistics *out)
{
	const struct sim_xe_stream *stream;

	*out = device->oa.closed;
	for_each_stream(device, stream)
		sim_oa_statistics_add(out, stream->hardware);
}
