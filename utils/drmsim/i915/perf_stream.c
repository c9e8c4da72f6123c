/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.1 and 6.12 i915_perf.c] */
#include "i915/perf_stream.h"

#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "i915/device.h"
#include "i915/oa_reader.h"
#include "i915/sysfs.h"
#include "intel/load.h"
#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "intel/oa_unit.h"
#include "intel/rate.h"
#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"

/* Counters of EUs, by what FLEX registers say. */
#define FIRST_EU 7
#define LAST_EU 20

struct sim_perf_stream {
	struct sim_i915 *device;
	struct sim_oa_group *group;
	struct sim_stream *base;
	struct sim_oa_reader reader;
	/* what the user asked for last, and what the hardware works by */
	struct sim_oa_config *config, *active;
	uint64_t switch_at; /* when it changes to the former */
	struct sim_oa_counting counting;
	bool enabled, sampling, periodic;
	bool ended; /* the simulator took it away */
	/* a reset has cleared what the active set has written */
	bool cleared;
	uint64_t poll_ns, next_poll;
	uint64_t wakes; /* how often the timer has woken readers */
};

static uint64_t
stream_now(const struct sim_perf_stream *stream)
{
	return sim_now(stream->device->gpu->sim);
}

/* Clear the rates of counters to which nothing is routed: they stand still. */
static void
clear_routed(const struct sim_platform *platform, struct sim_rates *rates)
{
	const struct sim_rate none = { .denominator = 1 };

	for (unsigned i = 0; i < SIM_OA_B_COUNT; i++)
		rates->slots[SIM_OA_B + i] = none;
	for (unsigned i = 0; i < SIM_OA_C_COUNT; i++)
		rates->slots[SIM_OA_C + i] = none;
	if (platform->generation == SIM_OA_HASWELL)
		return;
	for (unsigned i = FIRST_EU; i <= LAST_EU; i++)
		rates->slots[SIM_OA_A + i] = none;
}

/*
 * Write the set's registers of EUs. Up to gen11 the kernel puts all seven into
 * each context, 0 where the set has none; later it writes what the set has, and
 * the others stay as they are.
 */
static void
write_flex(const struct sim_perf_stream *stream)
{
	struct sim_i915 *device = stream->device;

	if (device->platform.generation < SIM_OA_GEN12)
		memset(device->flex, 0, sizeof(device->flex));
	sim_oa_config_write_flex(stream->active, device->flex);
}

/*
 * Set up counting by the active set and by the scenario, which has precedence.
 */
static void
make_counting(struct sim_perf_stream *stream)
{
	const struct sim_i915 *device = stream->device;
	const struct sim_oa_config *config = stream->active;
	struct sim_oa_counting *counting = &stream->counting;
	struct sim_rate_set set;

	sim_oa_config_rate_set(config, &device->platform, device->oa.clock_hz,
			       &set);
	memcpy(set.flex, device->flex, sizeof(set.flex));
	set.zero = device->oa.zero_rates;
	sim_rates_default(&counting->rates, &set);
	sim_rates_override(&counting->rates, &device->oa.rates);
	sim_set_rates_override(device->oa.set_rates, config->uuid,
			       &counting->rates);
	/* a scenario that says all means counters, not Haswell's clock */
	if (set.zero && set.clock_slot >= 0)
		counting->rates.slots[set.clock_slot] =
			counting->rates.slots[SIM_OA_CLOCK];
	if (stream->cleared)
		clear_routed(&device->platform, &counting->rates);
	counting->clock_hz = device->oa.clock_hz;
	memcpy(counting->start, device->oa.start, sizeof(counting->start));
}

/* Make a change of the configuration that is due by then. */
static bool
switch_config(struct sim_perf_stream *stream, uint64_t ns)
{
	if (stream->active == stream->config || stream->switch_at > ns)
		return false;
	sim_oa_config_put(stream->active);
	stream->active = sim_oa_config_get(stream->config);
	stream->cleared = false;
	write_flex(stream);
	return true;
}

static void
stream_run(struct sim_perf_stream *stream, uint64_t ns)
{
	const struct sim_i915 *device = stream->device;

	if (switch_config(stream, ns)) {
		make_counting(stream);
		sim_oa_unit_recount(
			stream->reader.unit,
			sim_oa_device_tick(&device->oa, stream->switch_at),
			&stream->counting);
	}
	sim_oa_unit_run(stream->reader.unit,
			sim_oa_device_tick(&device->oa, ns));
}

static void
set_pollin(struct sim_perf_stream *stream, bool pollin)
{
	sim_stream_set_readable(stream->base, pollin);
}

static int
stream_enable(struct sim_perf_stream *stream)
{
	uint64_t ns = stream_now(stream);
	int error;

	if (stream->enabled || stream->ended)
		return 0;
	if (stream->sampling) {
		switch_config(stream, ns);
		make_counting(stream);
		sim_oa_unit_set_offset(stream->reader.unit,
				       stream->device->oa.timestamp_offset +
					       stream->device->oa.clock.offset);
		error = sim_oa_reader_enable(
			&stream->reader,
			sim_oa_device_tick(&stream->device->oa, ns),
			&stream->counting);
		if (error)
			return error;
		stream->next_poll = ns + stream->poll_ns;
	}
	stream->enabled = true;
	set_pollin(stream, false);
	return 0;
}

static void
stream_disable(struct sim_perf_stream *stream)
{
	if (!stream->enabled)
		return;
	stream_run(stream, stream_now(stream));
	sim_oa_unit_disable(stream->reader.unit);
	stream->enabled = false;
	stream->next_poll = SIM_NEVER;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static int
copy_out(struct sim_call *call, struct sim_perf_stream *stream, uint64_t buffer,
	 struct sim_oa_batch *batch)
{
	size_t writable;
	int error;

	sim_oa_reader_peek(&stream->reader, batch);
	writable = sim_call_writable(call, buffer, batch->size);
	if (writable < batch->size) {
		/* records are copied one by one, up to the first that faults */
		batch->room = writable;
		sim_oa_reader_peek(&stream->reader, batch);
		if (!batch->size)
			return -EFAULT;
	}
	if (batch->size) {
		error = sim_call_put(call, buffer, batch->data, batch->size);
		if (error)
			return error;
	}
	error = sim_oa_reader_commit(
		&stream->reader, batch,
		sim_oa_device_tick(&stream->device->oa, stream_now(stream)),
		&stream->counting);
	return error ? error : batch->error;
}

/* Copy what is visible: bytes, or -EAGAIN, or why not one record went. */
static int
read_visible(struct sim_call *call, struct sim_perf_stream *stream,
	     uint64_t buffer, uint64_t size)
{
	struct sim_oa_batch batch = { 0 };
	int error;

	batch.room = sim_oa_reader_readable(&stream->reader);
	if (batch.room > size)
		batch.room = (size_t)size;
	batch.data = malloc(batch.room ? batch.room : 1);
	if (!batch.data)
		return -ENOMEM;
	error = copy_out(call, stream, buffer, &batch);
	free(batch.data);
	if (error != -ENOSPC)
		set_pollin(stream, false);
	if (batch.size && error != -EFAULT)
		return (int)batch.size;
	return error ? error : -EAGAIN;
}

/*
 * Wait like the kernel: the condition is looked at before sleeping and after
 * each wake-up by the timer, never in between.
 */
static int
read_blocking(struct sim_call *call, struct sim_perf_stream *stream,
	      uint64_t buffer, uint64_t size)
{
	uint64_t *woken = &call->memory;
	int result;

	if (!stream->periodic)
		return -EIO;
	do {
		if (*woken == stream->wakes + 1 ||
		    !sim_oa_reader_check(&stream->reader, stream_now(stream))) {
			*woken = stream->wakes + 1;
			return sim_call_sleep(call, SIM_NEVER,
					      stream->next_poll);
		}
		*woken = 0;
		result = read_visible(call, stream, buffer, size);
	} while (result == -EAGAIN);
	return result;
}

static int
stream_read(struct sim_call *call, struct sim_stream *base, uint64_t buffer,
	    uint64_t size, bool nonblocking)
{
	struct sim_perf_stream *stream = sim_stream_data(base);

	if (sim_stream_is_gone(base))
		return -ENODEV;
	if (!stream->enabled || !stream->sampling)
		return -EIO;
	stream_run(stream, stream_now(stream));
	if (nonblocking)
		return read_visible(call, stream, buffer, size);
	return read_blocking(call, stream, buffer, size);
}

/* ------------------------------------------------------------------ */
/* The rest of the file's operations                                    */

/* Returns the id of the configuration before. */
static int
change_config(struct sim_perf_stream *stream, uint64_t id)
{
	struct sim_i915 *device = stream->device;
	/* the kernel keeps the id in an int */
	struct sim_oa_config *config =
		sim_oa_config_find(&device->oa.configs, (uint32_t)id);
	int before = (int)stream->config->id;

	if (!config)
		return -EINVAL;
	if (config == stream->config)
		return before;
	/* The kernel queues the change and does not wait for it. */
	sim_oa_config_put(stream->config);
	stream->config = sim_oa_config_get(config);
	stream->switch_at = stream_now(stream) + device->config_ns;
	return before;
}

static int
stream_ioctl(struct sim_call *call, struct sim_stream *base,
	     unsigned long request, uint64_t arg)
{
	struct sim_perf_stream *stream = sim_stream_data(base);

	(void)call;
	switch (request) {
	case I915_PERF_IOCTL_ENABLE:
		return stream_enable(stream);
	case I915_PERF_IOCTL_DISABLE:
		stream_disable(stream);
		return 0;
	case I915_PERF_IOCTL_CONFIG:
		return change_config(stream, arg);
	}
	return -EINVAL;
}

static void
stream_destroy(struct sim_perf_stream *stream)
{
	sim_oa_statistics_add(&stream->device->oa.closed, stream->reader.unit);
	stream->group->stream = NULL;
	sim_oa_reader_finish(&stream->reader);
	sim_oa_config_put(stream->config);
	sim_oa_config_put(stream->active);
	free(stream);
}

static void
stream_close(struct sim_stream *base)
{
	struct sim_perf_stream *stream = sim_stream_data(base);

	sim_load_hold(&stream->device->load, stream_now(stream), false);
	stream_disable(stream);
	stream_destroy(stream);
}

static const struct sim_stream_ops stream_ops = {
	.name = "i915_perf",
	.read = stream_read,
	.ioctl = stream_ioctl,
	.close = stream_close,
};

static int
create_reader(struct sim_i915 *device,
	      const struct sim_perf_properties *properties,
	      struct sim_oa_reader *reader)
{
	struct sim_oa_setup setup = {
		.format = sim_oa_format_find((unsigned)properties->format,
					     device->platform.generation ==
						     SIM_OA_HASWELL),
		.generation = device->platform.generation,
		.tick_hz = device->platform.oa_hz,
		.periodic = properties->periodic,
		.exponent = (unsigned)properties->exponent,
		.filtered = properties->has_context,
		.context = properties->hardware_context,
	};

	return sim_oa_reader_init(reader, &setup, device->linux_6_1,
				  &device->oa.timeline);
}

int
sim_perf_stream_create(struct sim_i915 *device,
		       const struct sim_perf_properties *properties,
		       bool disabled, struct sim_perf_stream **out)
{
	struct sim_perf_stream *stream = calloc(1, sizeof(*stream));
	int error;

	if (!stream)
		return -ENOMEM;
	stream->device = device;
	stream->group = properties->group;
	stream->sampling = properties->sampling;
	stream->periodic = properties->periodic;
	stream->poll_ns = properties->poll_ns;
	stream->next_poll = SIM_NEVER;
	stream->config = sim_oa_config_get(sim_oa_config_find(
		&device->oa.configs, properties->metrics_set));
	stream->active = sim_oa_config_get(stream->config);
	error = create_reader(device, properties, &stream->reader);
	if (!error) {
		error = sim_stream_create(device->gpu->sim, device->gpu,
					  &stream_ops, stream, &stream->base);
		if (error)
			sim_oa_reader_finish(&stream->reader);
	}
	if (error) {
		sim_oa_config_put(stream->config);
		sim_oa_config_put(stream->active);
		free(stream);
		return error;
	}
	stream->group->stream = stream;
	write_flex(stream);
	device->oa.streams_opened++;
	/* forcewake is held for as long as the stream is open */
	sim_load_hold(&device->load, stream_now(stream), true);
	/* freeze the residency file, as the kernel does */
	sim_i915_put_residency(device);
	if (!disabled)
		stream_enable(stream);
	*out = stream;
	return 0;
}

struct sim_stream *
sim_perf_stream_base(struct sim_perf_stream *stream)
{
	return stream->base;
}

/* ------------------------------------------------------------------ */
/* All streams of a device                                              */

#define for_each_stream(device, stream)                                        \
	for (unsigned i_ = 0; i_ < (device)->group_count; i_++)                \
		if (((stream) = (device)->groups[i_].stream))

uint64_t
sim_perf_streams_next(const struct sim_i915 *device)
{
	const struct sim_perf_stream *stream;
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
stream_check(struct sim_perf_stream *stream, uint64_t ns)
{
	stream_run(stream, ns);
	if (sim_oa_reader_check(&stream->reader, ns)) {
		stream->wakes++;
		set_pollin(stream, true);
	}
	/* a reader that sleeps on sleeps until the next time */
	sim_wake(stream->device->gpu->sim);
	stream->next_poll +=
		(ns - stream->next_poll) / stream->poll_ns * stream->poll_ns +
		stream->poll_ns;
}

void
sim_perf_streams_advance(struct sim_i915 *device, uint64_t ns)
{
	struct sim_perf_stream *stream;

	for_each_stream(device, stream)
	{
		if (stream->enabled && stream->next_poll <= ns)
			stream_check(stream, ns);
	}
}

void
sim_perf_streams_run(struct sim_i915 *device)
{
	struct sim_perf_stream *stream;

	for_each_stream(device, stream)
	{
		if (stream->enabled)
			stream_run(stream, stream_now(stream));
	}
}

void
sim_perf_streams_recount(struct sim_i915 *device)
{
	struct sim_perf_stream *stream;

	for_each_stream(device, stream)
	{
		if (!stream->enabled)
			continue;
		make_counting(stream);
		sim_oa_unit_recount(
			stream->reader.unit,
			sim_oa_device_tick(&device->oa, stream_now(stream)),
			&stream->counting);
	}
}

void
sim_perf_streams_retime(struct sim_i915 *device)
{
	struct sim_perf_stream *stream;

	for_each_stream(device, stream) sim_oa_unit_retime(stream->reader.unit);
}

void
sim_perf_streams_reset(struct sim_i915 *device)
{
	struct sim_perf_stream *stream;

	/* No stream writes it again; the unit itself goes on. */
	for_each_stream(device, stream) stream->cleared = true;
	memset(device->flex, 0, sizeof(device->flex));
	sim_perf_streams_recount(device);
}

void
sim_perf_streams_end(struct sim_i915 *device)
{
	struct sim_perf_stream *stream;

	for_each_stream(device, stream)
	{
		stream_disable(stream);
		stream->ended = true;
	}
	sim_wake(device->gpu->sim);
}

struct sim_oa_unit *
sim_oa_group_unit(const struct sim_oa_group *group)
{
	return group->stream ? group->stream->reader.unit : NULL;
}

void
sim_perf_streams_statistics(const struct sim_i915 *device,
			    struct sim_oa_statistics *out)
{
	const struct sim_perf_stream *stream;

	*out = device->oa.closed;
	for_each_stream(device, stream)
		sim_oa_statistics_add(out, stream->reader.unit);
}
