/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux i915_perf.c, xe_oa.c] */
#include "intel/oa_stream.h"

#include <errno.h>
#include <inttypes.h>

#include "intel/load.h"
#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"

uint64_t
sim_oa_stream_now(const struct sim_oa_stream *stream)
{
	return sim_now(stream->oa->gpu->sim);
}

/* Convert ticks of the device into those of the unit. */
static uint64_t
unit_ticks(const struct sim_oa_stream *stream, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * stream->hz /
			  stream->oa->platform->oa_hz);
}

uint64_t
sim_oa_stream_tick(const struct sim_oa_stream *stream, uint64_t ns)
{
	return unit_ticks(stream, sim_oa_device_tick(stream->oa, ns));
}

static uint64_t
tick_now(const struct sim_oa_stream *stream)
{
	return sim_oa_stream_tick(stream, sim_oa_stream_now(stream));
}

int
sim_oa_stream_open(struct sim_oa_stream *stream, struct sim_oa_setup *setup,
		   const struct sim_timeline *timeline,
		   const struct sim_stream_ops *file)
{
	struct sim_oa_device *oa = stream->oa;
	int error;

	setup->generation = oa->platform->generation;
	setup->tick_hz = stream->hz;
	error = sim_oa_unit_create(setup, timeline, &stream->unit);
	if (!error)
		error = sim_stream_create(oa->gpu->sim, oa->gpu, file, stream,
					  &stream->base);
	if (error) {
		sim_oa_unit_destroy(stream->unit);
		sim_oa_config_put(stream->config);
		return error;
	}
	stream->next_poll = SIM_NEVER;
	oa->streams[stream->id] = stream;
	oa->streams_opened++;
	/* forcewake is held for as long as the stream is open */
	sim_load_hold(stream->load, sim_oa_stream_now(stream), true);
	return 0;
}

void
sim_oa_stream_close(struct sim_oa_stream *stream)
{
	sim_oa_stream_run(stream);
	sim_oa_statistics_add(&stream->oa->closed, stream->unit);
	sim_load_hold(stream->load, sim_oa_stream_now(stream), false);
	stream->oa->streams[stream->id] = NULL;
	sim_oa_unit_destroy(stream->unit);
	sim_oa_config_put(stream->config);
}

int
sim_oa_stream_start(struct sim_oa_stream *stream)
{
	const struct sim_oa_device *oa = stream->oa;
	int error;

	stream->ops->count(stream);
	sim_oa_unit_set_offset(
		stream->unit,
		unit_ticks(stream, oa->timestamp_offset + oa->clock.offset));
	error = sim_oa_unit_enable(stream->unit, tick_now(stream),
				   &stream->counting);
	if (!error)
		stream->next_poll = sim_oa_stream_now(stream) + stream->poll_ns;
	return error;
}

void
sim_oa_stream_run(struct sim_oa_stream *stream)
{
	if (stream->enabled)
		stream->ops->run(stream, sim_oa_stream_now(stream));
}

int
sim_oa_stream_wait(struct sim_call *call, struct sim_oa_stream *stream,
		   uint64_t buffer, uint64_t size)
{
	uint64_t *woken = &call->memory;
	int result;

	do {
		if (*woken == stream->wakes + 1 ||
		    !stream->ops->check(stream, sim_oa_stream_now(stream))) {
			*woken = stream->wakes + 1;
			return sim_call_sleep(call, SIM_NEVER,
					      stream->next_poll);
		}
		*woken = 0;
		result = stream->ops->read(call, stream, buffer, size);
	} while (result == -EAGAIN);
	return result;
}

/* ------------------------------------------------------------------ */
/* All streams of a device                                              */

uint64_t
sim_oa_streams_next(const struct sim_oa_device *oa)
{
	const struct sim_oa_stream *stream;
	uint64_t next = SIM_NEVER;

	for_each_oa_stream(oa, stream)
	{
		if (stream->enabled && stream->next_poll < next)
			next = stream->next_poll;
	}
	return next;
}

/* Look for reports, as the timer fires. */
static void
fire_timer(struct sim_oa_stream *stream, uint64_t ns)
{
	const uint64_t period = stream->poll_ns;

	stream->ops->run(stream, ns);
	if (stream->ops->check(stream, ns)) {
		stream->wakes++;
		sim_stream_set_readable(stream->base, true);
	}
	/* a reader that sleeps on sleeps until the next time */
	sim_wake(stream->oa->gpu->sim);
	stream->next_poll +=
		(ns - stream->next_poll) / period * period + period;
}

void
sim_oa_streams_advance(struct sim_oa_device *oa, uint64_t ns)
{
	struct sim_oa_stream *stream;

	for_each_oa_stream(oa, stream)
	{
		if (stream->enabled && stream->next_poll <= ns)
			fire_timer(stream, ns);
	}
}

void
sim_oa_streams_run(struct sim_oa_device *oa)
{
	struct sim_oa_stream *stream;

	for_each_oa_stream(oa, stream) sim_oa_stream_run(stream);
}

void
sim_oa_streams_recount(struct sim_oa_device *oa)
{
	struct sim_oa_stream *stream;

	for_each_oa_stream(oa, stream)
	{
		if (!stream->enabled)
			continue;
		stream->ops->count(stream);
		sim_oa_unit_recount(stream->unit, tick_now(stream),
				    &stream->counting);
	}
}

void
sim_oa_streams_retime(struct sim_oa_device *oa)
{
	struct sim_oa_stream *stream;

	for_each_oa_stream(oa, stream) sim_oa_unit_retime(stream->unit);
}

void
sim_oa_report_streams(const struct sim_oa_device *oa, const char *name,
		      FILE *out)
{
	struct sim_oa_statistics sum = oa->closed;
	const struct sim_oa_stream *stream;

	for_each_oa_stream(oa, stream)
		sim_oa_statistics_add(&sum, stream->unit);
	fprintf(out, "gpu%u: %s streams opened %u\n", oa->gpu->index, name,
		oa->streams_opened);
	fprintf(out,
		"gpu%u: OA reports written %" PRIu64 ", read %" PRIu64
		", lost %" PRIu64 ", overflows %" PRIu64 "\n",
		oa->gpu->index, sum.written, sum.delivered, sum.dropped,
		sum.overflows);
}
