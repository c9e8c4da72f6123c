/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_streaming.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "frontend/call_thread.h"
#include "gpa_tell.h"

static const char where[] = "vkQueueSubmit";

/* A stream tells every few milliseconds that it is time to read. */
#define LOOK_MS 100
/*
 * LOOKS_MOST limits how often the thread polls for samples after the end, for
 * some ten seconds: a GPU writes them all the time, but a thread gets no CPU
 * now and then.
 */
#define LOOKS_MOST 2000
/*
 * Samples that come after the second look at what came after the end are behind
 * the interval in which the end was.
 */
#define LOOKS_NEW 2

#define ROOM_FIRST 4096 /* samples */
#define RING_MOST (UINT64_C(16) << 20)

struct gpa_stream {
	const struct gpa_streaming *streaming;
	struct drmperf_stream *running; /* NULL: it has ended */
	pthread_t thread;
	atomic_bool ends;
	/* of the thread, until it has ended */
	uint64_t *timestamps;
	uint32_t *values; /* of a sample, then of the next */
	size_t count, room, most; /* samples */
	uint64_t period_cycles;
	uint64_t saturated, losses, left_out;
	int rc;
	struct drmperf_error error;
};

/* ------------------------------------------------------------------ */
/* What a sample asks for                                               */

int
gpa_streaming_make(struct gpa_streaming *streaming,
		   const VkGpaSampleBeginInfoAMD *info)
{
	const size_t count = info->perfCounterCount;

	streaming->selections =
		calloc(count + 1, sizeof(*streaming->selections));
	streaming->counters = calloc(count + 1, sizeof(*streaming->counters));
	if (!streaming->selections || !streaming->counters)
		return -ENOMEM;
	streaming->count = count;
	for (size_t i = 0; i < count; i++)
		streaming->counters[i] = (struct rgp_counter){
			.block = (uint32_t)info->pPerfCounters[i].blockType,
			.instance = info->pPerfCounters[i].blockInstance,
			.number = info->pPerfCounters[i].eventID,
		};
	streaming->options = (struct drmperf_stream_options){
		.size = sizeof(streaming->options),
		.period_cycles = info->streamingPerfTraceSampleInterval,
		.supervise = 1,
	};
	/* a larger ring than the library's has no use: it is read in time */
	if (info->perfCounterDeviceMemoryLimit < RING_MOST)
		streaming->options.buffer_size =
			info->perfCounterDeviceMemoryLimit;
	return 0;
}

void
gpa_streaming_finish(struct gpa_streaming *streaming)
{
	free(streaming->selections);
	free(streaming->counters);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static bool
make_room(struct gpa_stream *stream)
{
	const size_t columns = stream->streaming->count;
	const size_t wanted = stream->room ? 2 * stream->room : ROOM_FIRST;
	const size_t room = wanted < stream->most ? wanted : stream->most;
	uint64_t *timestamps;
	uint32_t *values;

	if (room <= stream->count)
		return false;
	timestamps =
		reallocarray(stream->timestamps, room, sizeof(*timestamps));
	if (timestamps)
		stream->timestamps = timestamps;
	values = reallocarray(stream->values, room, columns * sizeof(*values));
	if (values)
		stream->values = values;
	if (timestamps && values)
		stream->room = room;
	else
		stream->rc = -ENOMEM;
	return timestamps && values;
}

static void
add_sample(struct gpa_stream *stream, uint64_t timestamp,
	   const union drmperf_value *values)
{
	const size_t columns = stream->streaming->count;
	uint32_t *out;

	if (stream->count == stream->room && !make_room(stream)) {
		stream->left_out++;
		return;
	}
	out = &stream->values[stream->count * columns];
	for (size_t i = 0; i < columns; i++)
		out[i] = (uint32_t)values[i].u64;
	stream->timestamps[stream->count++] = timestamp;
}

static void
take_batch(void *data, const struct drmperf_stream_batch *batch)
{
	struct gpa_stream *stream = data;
	const size_t columns = stream->streaming->count;

	stream->saturated += batch->saturated;
	stream->losses += batch->losses;
	for (size_t i = 0; i < batch->count; i++)
		add_sample(stream, batch->timestamps[i],
			   &batch->values[i * columns]);
}

/* Read when it is time. Returns whether there was anything new. */
static bool
look_for_samples(struct gpa_stream *stream)
{
	const uint64_t before = stream->count + stream->left_out;
	struct pollfd fd = {
		.fd = drmperf_stream_fd(stream->running),
		.events = POLLIN,
	};
	int rc;

	poll(&fd, 1, LOOK_MS);
	rc = drmperf_stream_read(stream->running, take_batch, stream,
				 &stream->error);
	if (!stream->rc)
		stream->rc = rc;
	return stream->count + stream->left_out > before;
}

static void *
stream_main(void *data)
{
	struct gpa_stream *stream = data;
	unsigned news = 0;

	while (!stream->rc && !atomic_load(&stream->ends))
		look_for_samples(stream);
	for (unsigned i = 0; !stream->rc && i < LOOKS_MOST && news < LOOKS_NEW;
	     i++)
		news += look_for_samples(stream);
	if (!stream->rc && news < LOOKS_NEW)
		stream->rc = fe_fail(&stream->error, -ETIMEDOUT, "",
				     "the GPU has stopped to write samples "
				     "before the end of the trace");
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Begin and end                                                        */

int
gpa_stream_begin(struct drmperf *drmperf, const struct gpa_streaming *streaming,
		 const struct drmperf_stream_options *options,
		 struct gpa_stream **out, struct drmperf_error *error)
{
	struct gpa_stream *stream = calloc(1, sizeof(*stream));
	int rc;

	if (!stream)
		return fe_fail_memory(error);
	stream->streaming = streaming;
	stream->most = GPA_STREAMING_BYTES /
		       (sizeof(uint64_t) + streaming->count * sizeof(uint32_t));
	rc = drmperf_stream_create(drmperf, streaming->selections,
				   streaming->count, options, &stream->running,
				   error);
	if (!rc) {
		stream->period_cycles =
			drmperf_stream_info(stream->running)->period_cycles;
		rc = call_thread_start(&stream->thread, stream_main, stream);
		if (rc) {
			drmperf_stream_destroy(stream->running);
			fe_fail(error, rc, "", "cannot start a thread");
		}
	}
	if (rc) {
		free(stream);
		return rc;
	}
	*out = stream;
	return 0;
}

static void
report_losses(const struct gpa_stream *stream)
{
	if (stream->losses)
		gpa_refuse(where, VK_SUCCESS,
			   "samples were overwritten %llu times before they "
			   "were read: raise streamingPerfTraceSampleInterval "
			   "or perfCounterDeviceMemoryLimit",
			   (unsigned long long)stream->losses);
	if (stream->left_out)
		gpa_refuse(where, VK_SUCCESS,
			   "%llu samples had no room in the file: raise "
			   "streamingPerfTraceSampleInterval",
			   (unsigned long long)stream->left_out);
	if (stream->saturated)
		gpa_refuse(where, VK_SUCCESS,
			   "counters were full %llu times: lower "
			   "streamingPerfTraceSampleInterval",
			   (unsigned long long)stream->saturated);
}

int
gpa_stream_end(struct gpa_stream *stream, struct drmperf_error *error)
{
	atomic_store(&stream->ends, true);
	pthread_join(stream->thread, NULL);
	drmperf_stream_destroy(stream->running);
	stream->running = NULL;
	report_losses(stream);
	*error = stream->error;
	return stream->rc;
}

void
gpa_stream_put(FILE *out, const struct gpa_stream *stream)
{
	const struct gpa_streaming *streaming = stream->streaming;
	const struct rgp_counters counters = {
		.list = streaming->counters,
		.count = streaming->count,
		.period_cycles = (uint32_t)stream->period_cycles,
		.sample_count = stream->count,
		.times = stream->timestamps,
		.values = stream->values,
		.counter_step = 1,
		.sample_step = streaming->count,
	};

	rgp_put_counters(out, &counters);
}

void
gpa_stream_destroy(struct gpa_stream *stream)
{
	struct drmperf_error error;

	if (!stream)
		return;
	if (stream->running)
		gpa_stream_end(stream, &error);
	free(stream->timestamps);
	free(stream->values);
	free(stream);
}
