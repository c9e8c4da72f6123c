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
#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
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
	struct sim_oa_stream oa; /* config: what the user asked for last */
	struct sim_i915 *device;
	struct sim_oa_reader reader;
	struct sim_oa_config *active; /* what the hardware works by */
	uint64_t switch_at; /* when it changes to the former */
	bool sampling, periodic;
	bool ended; /* the simulator took it away */
	/* a reset has cleared what the active set has written */
	bool cleared;
};

static struct sim_perf_stream *
stream_of(struct sim_oa_stream *oa)
{
	return (struct sim_perf_stream *)oa;
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
stream_count(struct sim_oa_stream *oa)
{
	const struct sim_perf_stream *stream = stream_of(oa);
	const struct sim_i915 *device = stream->device;
	const struct sim_oa_config *config = stream->active;
	struct sim_oa_counting *counting = &oa->counting;
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
	if (stream->active == stream->oa.config || stream->switch_at > ns)
		return false;
	sim_oa_config_put(stream->active);
	stream->active = sim_oa_config_get(stream->oa.config);
	stream->cleared = false;
	write_flex(stream);
	return true;
}

static void
stream_run(struct sim_oa_stream *oa, uint64_t ns)
{
	struct sim_perf_stream *stream = stream_of(oa);

	if (switch_config(stream, ns)) {
		stream_count(oa);
		sim_oa_unit_recount(oa->unit,
				    sim_oa_stream_tick(oa, stream->switch_at),
				    &oa->counting);
	}
	sim_oa_unit_run(oa->unit, sim_oa_stream_tick(oa, ns));
}

static bool
stream_check(struct sim_oa_stream *oa, uint64_t ns)
{
	return sim_oa_reader_check(&stream_of(oa)->reader, ns);
}

static int
stream_enable(struct sim_perf_stream *stream)
{
	int error;

	if (stream->oa.enabled || stream->ended)
		return 0;
	if (stream->sampling) {
		switch_config(stream, sim_oa_stream_now(&stream->oa));
		error = sim_oa_stream_start(&stream->oa);
		if (error)
			return error;
		sim_oa_reader_restart(&stream->reader);
	}
	stream->oa.enabled = true;
	sim_stream_set_readable(stream->oa.base, false);
	return 0;
}

static void
stream_disable(struct sim_oa_stream *oa)
{
	if (!oa->enabled)
		return;
	sim_oa_stream_run(oa);
	sim_oa_unit_disable(oa->unit);
	oa->enabled = false;
	oa->next_poll = SIM_NEVER;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static int
copy_batch(struct sim_call *call, struct sim_perf_stream *stream,
	   uint64_t buffer, struct sim_oa_batch *batch)
{
	const struct sim_oa_stream *oa = &stream->oa;
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
		sim_oa_stream_tick(oa, sim_oa_stream_now(oa)), &oa->counting);
	return error ? error : batch->error;
}

/* Copy what is visible: bytes, or -EAGAIN, or why not one record went. */
static int
read_visible(struct sim_call *call, struct sim_oa_stream *oa, uint64_t buffer,
	     uint64_t size)
{
	struct sim_perf_stream *stream = stream_of(oa);
	struct sim_oa_batch batch = { 0 };
	int error;

	batch.room = sim_oa_reader_readable(&stream->reader);
	if (batch.room > size)
		batch.room = (size_t)size;
	batch.data = malloc(batch.room ? batch.room : 1);
	if (!batch.data)
		return -ENOMEM;
	error = copy_batch(call, stream, buffer, &batch);
	free(batch.data);
	if (error != -ENOSPC)
		sim_stream_set_readable(oa->base, false);
	if (batch.size && error != -EFAULT)
		return (int)batch.size;
	return error ? error : -EAGAIN;
}

static int
stream_read(struct sim_call *call, struct sim_stream *base, uint64_t buffer,
	    uint64_t size, bool nonblocking)
{
	struct sim_perf_stream *stream = sim_stream_data(base);

	if (sim_stream_is_gone(base))
		return -ENODEV;
	if (!stream->oa.enabled || !stream->sampling)
		return -EIO;
	sim_oa_stream_run(&stream->oa);
	if (nonblocking)
		return read_visible(call, &stream->oa, buffer, size);
	return stream->periodic
		       ? sim_oa_stream_wait(call, &stream->oa, buffer, size)
		       : -EIO;
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
	int before = (int)stream->oa.config->id;

	if (!config)
		return -EINVAL;
	if (config == stream->oa.config)
		return before;
	/* The kernel queues the change and does not wait for it. */
	sim_oa_config_put(stream->oa.config);
	stream->oa.config = sim_oa_config_get(config);
	stream->switch_at = sim_oa_stream_now(&stream->oa) + device->config_ns;
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
		stream_disable(&stream->oa);
		return 0;
	case I915_PERF_IOCTL_CONFIG:
		return change_config(stream, arg);
	}
	return -EINVAL;
}

static void
stream_close(struct sim_stream *base)
{
	struct sim_perf_stream *stream = sim_stream_data(base);

	stream_disable(&stream->oa);
	sim_oa_stream_close(&stream->oa);
	sim_oa_config_put(stream->active);
	free(stream);
}

static const struct sim_stream_ops file_ops = {
	.name = "i915_perf",
	.read = stream_read,
	.ioctl = stream_ioctl,
	.close = stream_close,
};

static const struct sim_oa_stream_ops stream_ops = {
	.count = stream_count,
	.run = stream_run,
	.check = stream_check,
	.read = read_visible,
};

int
sim_perf_stream_create(struct sim_i915 *device,
		       const struct sim_perf_properties *properties,
		       bool disabled, struct sim_stream **out)
{
	struct sim_perf_stream *stream = calloc(1, sizeof(*stream));
	struct sim_oa_setup setup = {
		.format = sim_oa_format_find((unsigned)properties->format,
					     device->platform.generation ==
						     SIM_OA_HASWELL),
		.periodic = properties->periodic,
		.exponent = (unsigned)properties->exponent,
		.filtered = properties->has_context,
		.context = properties->hardware_context,
	};
	int error;

	if (!stream)
		return -ENOMEM;
	stream->device = device;
	stream->sampling = properties->sampling;
	stream->periodic = properties->periodic;
	stream->active = sim_oa_config_get(sim_oa_config_find(
		&device->oa.configs, properties->metrics_set));
	stream->oa = (struct sim_oa_stream){
		.ops = &stream_ops,
		.oa = &device->oa,
		.id = properties->group->id,
		.load = &device->load,
		.config = sim_oa_config_get(stream->active),
		.hz = device->platform.oa_hz,
		.poll_ns = properties->poll_ns,
	};
	error = sim_oa_stream_open(&stream->oa, &setup, &device->oa.timeline,
				   &file_ops);
	if (error) {
		sim_oa_config_put(stream->active);
		free(stream);
		return error;
	}
	sim_oa_reader_init(&stream->reader, &setup, device->linux_6_1,
			   stream->oa.unit);
	write_flex(stream);
	/* freeze the residency file, as the kernel does */
	sim_i915_put_residency(device);
	if (!disabled)
		stream_enable(stream);
	*out = stream->oa.base;
	return 0;
}

/* ------------------------------------------------------------------ */
/* All streams of a device                                              */

void
sim_perf_streams_reset(struct sim_i915 *device)
{
	struct sim_oa_stream *stream;

	sim_oa_streams_run(&device->oa);
	/* No stream writes it again; the unit itself goes on. */
	for_each_oa_stream(&device->oa, stream) stream_of(stream)->cleared =
		true;
	memset(device->flex, 0, sizeof(device->flex));
	sim_oa_streams_recount(&device->oa);
}

void
sim_perf_streams_end(struct sim_i915 *device)
{
	struct sim_oa_stream *stream;

	for_each_oa_stream(&device->oa, stream)
	{
		stream_disable(stream);
		stream_of(stream)->ended = true;
	}
	sim_wake(device->gpu->sim);
}
