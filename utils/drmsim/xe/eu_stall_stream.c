/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_eu_stall.c of 2026] */
#include "xe/eu_stall_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "intel/load.h"
#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/device.h"
#include "xe/eu_stall_record.h"
#include "xe/eu_stall_unit.h"
#include "xe/sysfs.h"

#define POLL_NS 5000000

/* State of an XeCore's buffer as the driver knows it. */
struct core_view {
	uint64_t read, written;
	bool dropped;
};

struct sim_eu_stall_stream {
	struct sim_xe *device;
	struct sim_stream *base;
	struct sim_eu_stall_unit *unit;
	struct sim_eu_stall_setup setup;
	bool enabled, readable, was_reset;
	bool drop_told; /* by the last read, as EIO */
	uint64_t next_poll;
	uint64_t vain_at; /* when a read last found nothing, in virtual time */
	unsigned core_end;
	struct core_view cores[];
};

static uint64_t
stream_now(const struct sim_eu_stall_stream *stream)
{
	return sim_now(stream->device->gpu->sim);
}

#define for_each_core(stream, core)                                            \
	for (unsigned core = 0; core < (stream)->core_end; core++)             \
		if (sim_xe_gt_has_core((stream)->device, (stream)->setup.gt,   \
				       core))

static void
run_unit(struct sim_eu_stall_stream *stream, uint64_t ns)
{
	const struct sim_xe *device = stream->device;

	for_each_core(stream, core)
	{
		sim_eu_stall_unit_run(stream->unit, core,
				      &device->eu_stall_rows,
				      device->eu_stall_rate, ns);
	}
}

static void
set_readable(struct sim_eu_stall_stream *stream, bool readable)
{
	stream->readable = readable;
	sim_stream_set_readable(stream->base, readable);
}

/* ------------------------------------------------------------------ */
/* The timer                                                            */

static void
look_at_unit(struct sim_eu_stall_stream *stream)
{
	uint64_t rows = 0;

	for_each_core(stream, core)
	{
		struct core_view *view = &stream->cores[core];

		view->written = sim_eu_stall_unit_written(stream->unit, core);
		if (sim_eu_stall_unit_has_dropped(stream->unit, core))
			view->dropped = true;
		rows += view->written - view->read;
	}
	if (!sim_eu_stall_unit_is_enabled(stream->unit))
		stream->was_reset = true;
	set_readable(stream,
		     rows >= stream->setup.wait_rows || stream->was_reset);
}

static void
fire_timer(struct sim_eu_stall_stream *stream, uint64_t ns)
{
	run_unit(stream, ns);
	look_at_unit(stream);
	sim_wake(stream->device->gpu->sim);
	stream->next_poll = stream->was_reset ? SIM_NEVER : ns + POLL_NS;
}

/* ------------------------------------------------------------------ */
/* ENABLE and DISABLE                                                   */

/* Enable the stream. What was written before is left behind. */
static void
enable_stream(struct sim_eu_stall_stream *stream)
{
	if (stream->enabled)
		return;
	stream->enabled = true;
	stream->was_reset = false;
	stream->drop_told = false;
	sim_eu_stall_unit_enable(stream->unit, stream->setup.multiplier,
				 stream_now(stream));
	for_each_core(stream, core)
	{
		uint64_t end = sim_eu_stall_unit_written(stream->unit, core);

		stream->cores[core] = (struct core_view){ end, end, false };
	}
	stream->next_poll = stream_now(stream) + POLL_NS;
	/* sampling keeps the GT awake */
	sim_load_hold(&stream->device->loads[stream->setup.gt],
		      stream_now(stream), true);
	sim_xe_put_residency(stream->device);
}

/* Disable a stream. poll() answers as before. */
static void
disable_stream(struct sim_eu_stall_stream *stream)
{
	if (!stream->enabled)
		return;
	stream->enabled = false;
	run_unit(stream, stream_now(stream));
	sim_eu_stall_unit_disable(stream->unit);
	stream->next_poll = SIM_NEVER;
	sim_load_hold(&stream->device->loads[stream->setup.gt],
		      stream_now(stream), false);
	sim_xe_put_residency(stream->device);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

/* Report a drop by EIO, once: the read after it gives rows. */
static int
report_drop(struct sim_eu_stall_stream *stream)
{
	bool dropped = false;

	for_each_core(stream, core)
	{
		dropped |= stream->cores[core].dropped;
	}
	if (!dropped)
		return 0;
	stream->drop_told = !stream->drop_told;
	return stream->drop_told ? -EIO : 0;
}

/* Copy at most the given number of rows of an XeCore: how many, or -errno. */
static int
copy_rows(struct sim_call *call, struct sim_eu_stall_stream *stream,
	  unsigned core, uint64_t buffer, uint64_t most)
{
	struct core_view *view = &stream->cores[core];
	uint64_t count = view->written - view->read;
	const size_t size = SIM_EU_STALL_BYTES;
	uint8_t *data;
	int error = 0;

	if (count > most)
		count = most;
	if (sim_call_writable(call, buffer, count * size) < count * size)
		return -EFAULT;
	if (count) {
		data = malloc(count * size);
		if (!data)
			return -ENOMEM;
		for (uint64_t i = 0; i < count; i++)
			sim_eu_stall_row_write(
				sim_eu_stall_unit_row(stream->unit, core,
						      view->read + i),
				stream->device->platform.version,
				data + i * size);
		error = sim_call_put(call, buffer, data, count * size);
		free(data);
	}
	if (error)
		return error;
	view->read += count;
	sim_eu_stall_unit_release(stream->unit, core, view->read);
	if (view->dropped) {
		sim_eu_stall_unit_clear_dropped(stream->unit, core);
		view->dropped = false;
	}
	return (int)count;
}

/* Return bytes, or -EAGAIN if the timer has seen nothing, or another -errno. */
static int
read_rows(struct sim_call *call, struct sim_eu_stall_stream *stream,
	  uint64_t buffer, uint64_t count)
{
	uint64_t got = 0;
	int result = 0;

	if (stream->was_reset)
		return -ENODEV;
	result = report_drop(stream);
	if (result)
		return result;
	/* rows that come later find the room that this read makes */
	run_unit(stream, stream_now(stream));
	for_each_core(stream, core)
	{
		result = copy_rows(call, stream, core,
				   buffer + got * SIM_EU_STALL_BYTES,
				   count - got);
		if (result < 0)
			break;
		got += (unsigned)result;
		if (got == count)
			break;
	}
	if (got)
		return (int)(got * SIM_EU_STALL_BYTES);
	return result < 0 ? result : -EAGAIN;
}

/* Wait in a read until the timer has made the stream readable. */
static int
read_blocking(struct sim_call *call, struct sim_eu_stall_stream *stream,
	      uint64_t buffer, uint64_t count)
{
	int result = -EAGAIN;

	call->memory = 1;
	if (stream->readable)
		result = read_rows(call, stream, buffer, count);
	return result == -EAGAIN
		       ? sim_call_sleep(call, SIM_NEVER, stream->next_poll)
		       : result;
}

/*
 * Answer that there is nothing to read. Virtual time stands still while a
 * process asks without waiting. A second call that finds nothing at the same
 * time moves it on to the timer.
 */
static int
answer_in_vain(struct sim_call *call, struct sim_eu_stall_stream *stream)
{
	const uint64_t at = stream_now(stream);

	if (!call->sim->is_virtual || stream->vain_at != at) {
		stream->vain_at = at;
		return -EAGAIN;
	}
	return sim_call_sleep(call, stream->next_poll, stream->next_poll);
}

static int
stream_read(struct sim_call *call, struct sim_stream *base, uint64_t buffer,
	    uint64_t size, bool nonblocking)
{
	struct sim_eu_stall_stream *stream = sim_stream_data(base);
	const uint64_t count = size / SIM_EU_STALL_BYTES;
	int result;

	if (sim_stream_is_gone(base))
		return -ENODEV;
	/* looked at once: DISABLE does not wake a waiting reader */
	if (count == 0 || (!stream->enabled && !call->memory))
		return -EINVAL;
	if (nonblocking)
		result = read_rows(call, stream, buffer, count);
	else
		result = read_blocking(call, stream, buffer, count);
	if (result == SIM_SLEEP)
		return result;
	if (!stream->was_reset)
		set_readable(stream, false);
	return result == -EAGAIN ? answer_in_vain(call, stream) : result;
}

/* ------------------------------------------------------------------ */

static int
stream_ioctl(struct sim_call *call, struct sim_stream *base,
	     unsigned long request, uint64_t arg)
{
	struct sim_eu_stall_stream *stream = sim_stream_data(base);

	(void)call;
	(void)arg;
	switch (request) {
	case SIM_XE_ENABLE:
		enable_stream(stream);
		return 0;
	case SIM_XE_DISABLE:
		disable_stream(stream);
		return 0;
	}
	return -EINVAL;
}

static void
add_statistics(struct sim_eu_stall_statistics *sum,
	       const struct sim_eu_stall_stream *stream)
{
	struct sim_eu_stall_statistics one;

	sim_eu_stall_unit_statistics(stream->unit, &one);
	sum->written += one.written;
	sum->read += one.read;
	sum->dropped += one.dropped;
}

static void
stream_free(struct sim_eu_stall_stream *stream)
{
	sim_eu_stall_unit_destroy(stream->unit);
	free(stream);
}

static void
stream_close(struct sim_stream *base)
{
	struct sim_eu_stall_stream *stream = sim_stream_data(base);

	disable_stream(stream);
	add_statistics(&stream->device->eu_stalls_closed, stream);
	stream->device->eu_stalls[stream->setup.gt] = NULL;
	stream_free(stream);
}

static const struct sim_stream_ops stream_ops = {
	.name = "xe_eu_stall",
	.read = stream_read,
	.ioctl = stream_ioctl,
	.close = stream_close,
};

int
sim_eu_stall_stream_open(struct sim_call *call, struct sim_xe *device,
			 const struct sim_eu_stall_setup *setup)
{
	const unsigned cores = sim_xe_chip_core_end(&device->platform);
	struct sim_eu_stall_stream *stream =
		calloc(1, sizeof(*stream) + cores * sizeof(stream->cores[0]));
	int error;

	if (!stream)
		return -ENOMEM;
	stream->device = device;
	stream->setup = *setup;
	stream->core_end = cores;
	stream->next_poll = SIM_NEVER;
	stream->vain_at = SIM_NEVER;
	error = sim_eu_stall_unit_create(cores, &stream->unit);
	if (!error)
		error = sim_stream_create(device->gpu->sim, device->gpu,
					  &stream_ops, stream, &stream->base);
	if (error) {
		stream_free(stream);
		return error;
	}
	device->eu_stalls[setup->gt] = stream;
	device->eu_stalls_opened++;
	return sim_stream_give(stream->base, call, false, 0);
}

/* ------------------------------------------------------------------ */
/* All streams of a device                                              */

#define for_each_stream(device, stream)                                        \
	for (unsigned gt_ = 0; gt_ < SIM_XE_GTS; gt_++)                        \
		if (((stream) = (device)->eu_stalls[gt_]))

uint64_t
sim_eu_stall_streams_next(const struct sim_xe *device)
{
	const struct sim_eu_stall_stream *stream;
	uint64_t next = SIM_NEVER;

	for_each_stream(device, stream)
	{
		if (stream->next_poll < next)
			next = stream->next_poll;
	}
	return next;
}

void
sim_eu_stall_streams_advance(struct sim_xe *device, uint64_t ns)
{
	struct sim_eu_stall_stream *stream;

	for_each_stream(device, stream)
	{
		if (stream->next_poll <= ns)
			fire_timer(stream, ns);
	}
}

void
sim_eu_stall_streams_run(struct sim_xe *device)
{
	struct sim_eu_stall_stream *stream;

	for_each_stream(device, stream)
	{
		run_unit(stream, stream_now(stream));
	}
}

void
sim_eu_stall_streams_restart(struct sim_xe *device)
{
	struct sim_eu_stall_stream *stream;

	for_each_stream(device, stream)
	{
		sim_eu_stall_unit_restart(stream->unit, stream_now(stream));
	}
}

int
sim_eu_stall_streams_emit(struct sim_xe *device, uint64_t count)
{
	struct sim_eu_stall_stream *stream;
	int result = -EINVAL;

	sim_eu_stall_streams_run(device);
	for_each_stream(device, stream)
	{
		if (!sim_eu_stall_unit_is_enabled(stream->unit))
			continue;
		result = 0;
		for_each_core(stream, core)
		{
			sim_eu_stall_unit_emit(stream->unit, core,
					       &device->eu_stall_rows, count);
		}
	}
	return result;
}

void
sim_eu_stall_streams_reset(struct sim_xe *device)
{
	struct sim_eu_stall_stream *stream;

	sim_eu_stall_streams_run(device);
	for_each_stream(device, stream)
	{
		sim_eu_stall_unit_reset(stream->unit);
	}
}

void
sim_eu_stall_streams_statistics(const struct sim_xe *device,
				struct sim_eu_stall_statistics *out)
{
	const struct sim_eu_stall_stream *stream;

	*out = device->eu_stalls_closed;
	for_each_stream(device, stream)
	{
		add_statistics(out, stream);
	}
}
