/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The RLC writes to a ring in the address space of the VM that has the GPU's
 * reserved VMID: a header of 32 bytes, whose first dword is the position behind
 * the last sample, and the samples. It never waits for a reader. A sample that
 * was overwritten shows in the time stamps of those that follow.
 *
 * The registers are those of counting as well, and CP_PERFMON_CNTL has one
 * state for both. So a stream is alone: it is a member of the slot table whose
 * terms admit no other, and begins only where nothing counts. Should its
 * process be killed, a supervisor ends it, and keeps the GPU's file with all
 * buffers until then; without one the next process to count or to stream on the
 * GPU resets that state.
 */
#include "driver/amdgpu/stream/stream.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "driver/amdgpu/stream/commands.h"
#include "driver/amdgpu/stream/solo.h"

#define RING_HEADER 32
#define RING_SIZE (UINT64_C(16) << 20)
#define RING_MOST (UINT64_C(1) << 30)
#define RING_SAMPLES 2 /* at least */

#define PERIOD_LEAST 32
#define PERIOD_MOST UINT16_MAX
#define PERIOD_DEFAULT 4096

/* The ring is looked at this often; at 2 GHz it has room for far more. */
#define LOOK_NS 5000000

#define KHZ 1000
#define NS_PER_S 1000000000.0

struct gfx_stream {
	struct solo solo; /* its buffer: the ring, and commands behind it */
	struct stream_layout *layout;
	enum pm4_engine engine;
	struct stream_commands commands;
	size_t start, stop; /* where they are in the buffer */
	size_t start_dwords, stop_dwords;
	struct fork_close timer;
	struct drmperf_stream_info info;
	uint64_t *values; /* of the caller */
	size_t ring_size, sample_size;
	size_t capacity; /* samples of the ring */
	size_t next; /* the sample to be read */
	bool was_full; /* the ring was, and began again */
	uint64_t begun_ns, timestamp_hz;
	uint64_t last, shortest; /* time stamp, and step between two; or 0 */
	uint64_t first_step; /* from the start to the first sample */
};

static const struct solo_words words = { "counters", "streamed", "stream" };

static int
choose_period(uint64_t wanted, uint64_t *out, struct drmperf_error *error)
{
	*out = wanted ? wanted : PERIOD_DEFAULT;
	if (*out >= PERIOD_LEAST && *out <= PERIOD_MOST)
		return 0;
	return error_set(error, -EINVAL,
			 "counters are streamed every %d to %d clocks, not "
			 "every %llu",
			 PERIOD_LEAST, PERIOD_MOST, (unsigned long long)wanted);
}

static int
choose_ring(struct gfx_stream *stream, uint64_t wanted,
	    struct drmperf_error *error)
{
	const uint64_t size = wanted ? wanted : RING_SIZE;
	const uint64_t least =
		RING_HEADER + RING_SAMPLES * stream->info.sample_size;

	if (size < least || size > RING_MOST)
		return error_set(error, -EINVAL,
				 "the buffer of a stream of these events has "
				 "%llu bytes to 1 GiB, not %llu",
				 (unsigned long long)least,
				 (unsigned long long)wanted);
	stream->ring_size = size / STREAM_LINE_SIZE * STREAM_LINE_SIZE;
	stream->sample_size = stream->info.sample_size;
	stream->capacity =
		(stream->ring_size - RING_HEADER) / stream->sample_size;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Memory and commands                                                  */

static size_t
write_commands(const struct gfx_stream *stream, bool begins, uint32_t *dwords,
	       size_t *marked)
{
	const struct core *core = stream->layout->core;
	const struct amd_device_info *info = amd_context_info(stream->solo.ctx);
	struct pm4 pm4 = {
		.dwords = dwords,
		.engine = stream->engine,
		.level = core->level,
		.source = core->commands.source,
		.window = core_window_open(core, stream->engine,
					   info->firmware[stream->engine]),
	};

	if (begins)
		stream_commands_start(&pm4, &stream->commands);
	else
		stream_commands_stop(&pm4, &stream->commands);
	*marked = pm4.marked;
	pm4_pad(&pm4,
		amd_context_alignment(stream->solo.ctx) / sizeof(uint32_t));
	return pm4.count;
}

static void *
buffer_at(const struct gfx_stream *stream, size_t offset)
{
	return (char *)stream->solo.buffer.memory + offset;
}

/*
 * Make the buffer. The ring comes first, then what the start stores, then the
 * commands.
 */
static int
make_buffer(struct gfx_stream *stream, struct drmperf_error *error)
{
	const size_t align = amd_context_alignment(stream->solo.ctx);
	const size_t begun = stream->ring_size;
	const size_t armed = begun + sizeof(struct solo_begun);
	struct solo *solo = &stream->solo;
	size_t end = armed + sizeof(uint32_t), marked;
	int ret;

	stream->commands.ring_size =
		(uint32_t)(RING_HEADER +
			   stream->capacity * stream->sample_size);
	stream->start_dwords = write_commands(stream, true, NULL, &marked);
	stream->stop_dwords = write_commands(stream, false, NULL, &marked);
	stream->start = (end + align - 1) / align * align;
	end = stream->start + stream->start_dwords * sizeof(uint32_t);
	stream->stop = (end + align - 1) / align * align;
	end = stream->stop + stream->stop_dwords * sizeof(uint32_t);
	ret = buffer_create(solo->ctx, end, &solo->buffer, error);
	if (ret)
		return ret;
	memset(stream->solo.buffer.memory, 0, RING_HEADER);
	solo->begun = buffer_at(stream, begun);
	solo->armed = buffer_at(stream, armed);
	stream->commands.ring = solo->buffer.address;
	stream->commands.begun = solo->buffer.address + begun;
	write_commands(stream, true, buffer_at(stream, stream->start), &marked);
	return 0;
}

/*
 * Write the commands of the stop, which put back what was found: that is known
 * once the stream has begun.
 */
static void
write_stop(struct gfx_stream *stream)
{
	uint32_t *dwords = buffer_at(stream, stream->stop);
	size_t marked;

	write_commands(stream, false, dwords, &marked);
	if (marked)
		dwords[marked] = stream->solo.begun->clock;
}

static int
finish_stream(void *data)
{
	struct gfx_stream *stream = data;

	write_stop(stream);
	return solo_run_last(&stream->solo, stream->engine, stream->stop,
			     stream->stop_dwords);
}

/* ------------------------------------------------------------------ */
/* Begin and end                                                        */

/* Caller holds the lock of the slot table. */
static int
start_solo(struct gfx_stream *stream, struct drmperf_error *error)
{
	struct solo *solo = &stream->solo;
	int ret = solo_take(solo, error);

	if (!ret)
		ret = make_buffer(stream, error);
	if (!ret)
		ret = solo_start(solo, error);
	if (!ret)
		ret = amd_context_run(solo->ctx, stream->engine, &solo->buffer,
				      stream->start, stream->start_dwords,
				      error);
	if (ret)
		return ret;
	write_stop(stream);
	stream->begun_ns = amd_context_ran_ns(solo->ctx);
	solo_commit(solo);
	return 0;
}

static void
stream_stop(void *data)
{
	struct gfx_stream *stream = data;

	solo_end(&stream->solo);
}

static int
make_timer(struct gfx_stream *stream, struct drmperf_error *error)
{
	const struct itimerspec period = {
		.it_interval.tv_nsec = LOOK_NS,
		.it_value.tv_nsec = LOOK_NS,
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	int ret = fork_close_adopt(&stream->timer, fd < 0 ? -errno : fd);

	if (ret)
		return error_set(error, ret, "cannot make a timer: %s",
				 strerrordesc_np(-ret));
	timerfd_settime(stream->timer.fd, 0, &period, NULL);
	return 0;
}

static void
stream_free(struct gfx_stream *stream)
{
	stream_layout_destroy(stream->layout);
	free(stream);
}

static void
stream_close(void *data, bool is_child)
{
	struct gfx_stream *stream = data;

	if (!is_child && stream->timer.fd >= 0)
		fork_close_finish(&stream->timer);
	solo_close(&stream->solo, is_child);
	stream_free(stream);
}

static int
begin_stream(struct gfx_stream *stream, struct drmperf_error *error)
{
	int ret = slot_table_lock(stream->solo.table, error);

	if (ret)
		return ret;
	ret = start_solo(stream, error);
	slot_table_unlock(stream->solo.table);
	return ret ? ret : make_timer(stream, error);
}

static int
choose_clock(enum drmperf_clock_mode wanted, enum drmperf_clock_mode *out,
	     struct drmperf_error *error)
{
	*out = wanted;
	return wanted <= DRMPERF_CLOCK_PEAK
		       ? 0
		       : error_set(error, -EINVAL, "there is no clock mode %d",
				   (int)wanted);
}

/* Choose all that needs nothing of the GPU. */
static int
stream_prepare(struct gpu *gpu, const struct counter_request *requests,
	       size_t count, const struct drmperf_stream_options *options,
	       struct gfx_stream *stream, struct drmperf_error *error)
{
	const struct amd_device_info *info = amd_device_info(gpu->dev);
	int ret = solo_check_gpu(gpu, &words, error);

	if (!ret)
		ret = choose_period(options->period_cycles,
				    &stream->info.period_cycles, error);
	if (!ret)
		ret = choose_clock(options->clock, &stream->solo.clock_wanted,
				   error);
	if (!ret)
		ret = stream_layout_create(gpu, requests, count,
					   &stream->layout, error);
	if (ret)
		return ret;
	stream->solo.words = &words;
	stream->solo.gpu = gpu;
	stream->solo.finish = finish_stream;
	stream->solo.data = stream;
	stream->timer.fd = -1;
	stream->engine = info->has_ring[PM4_ENGINE_GFX] ? PM4_ENGINE_GFX
							: PM4_ENGINE_COMPUTE;
	stream->timestamp_hz = (uint64_t)info->timestamp_khz * KHZ;
	stream->commands.layout = stream->layout;
	stream->commands.interval = (unsigned)stream->info.period_cycles;
	stream->info.sample_size = stream->layout->lines * STREAM_LINE_SIZE;
	return choose_ring(stream, options->buffer_size, error);
}

static int
stream_check(void *device, const struct counter_request *requests, size_t count,
	     const struct drmperf_stream_options *options,
	     struct drmperf_error *error)
{
	struct gfx_stream stream = { .timer.fd = -1 };
	int ret = stream_prepare(device, requests, count, options, &stream,
				 error);

	stream_layout_destroy(stream.layout);
	return ret;
}

static int
stream_open(void *device, const struct counter_request *requests, size_t count,
	    const struct drmperf_stream_options *options, void *place,
	    uint64_t *values, void **out,
	    const struct drmperf_stream_info **info,
	    struct drmperf_error *error)
{
	struct gfx_stream *stream = calloc(1, sizeof(*stream));
	int ret;

	if (!stream)
		return error_set(error, -ENOMEM, "no memory");
	stream->values = values;
	stream->solo.is_supervised = options->supervise;
	stream->solo.host = place;
	stream->solo.is_guest = place;
	ret = stream_prepare(device, requests, count, options, stream, error);
	if (!ret)
		ret = solo_open(&stream->solo, error);
	if (ret) {
		stream_free(stream);
		return ret;
	}
	ret = begin_stream(stream, error);
	if (ret) {
		stream_close(stream, false);
		return ret;
	}
	*out = stream;
	*info = &stream->info;
	return 0;
}

static int
stream_fd(const void *data)
{
	const struct gfx_stream *stream = data;

	return stream->timer.fd;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

/* Return how many samples of the ring have been written since its begin. */
static size_t
ring_position(const struct gfx_stream *stream)
{
	const _Atomic uint32_t *header = stream->solo.buffer.memory;

	return (size_t)atomic_load_explicit(header, memory_order_acquire) *
	       stream->layout->table.position_unit / stream->sample_size %
	       stream->capacity;
}

static uint64_t
read_time(const uint16_t *entries)
{
	uint64_t time = 0;

	for (unsigned i = 0; i < STREAM_TIME_ENTRIES; i++)
		time |= (uint64_t)entries[i] << 16 * i;
	return time;
}

static unsigned
read_values(const struct gfx_stream *stream, const uint16_t *entries)
{
	const struct stream_layout *layout = stream->layout;
	unsigned saturated = 0;

	for (size_t i = 0; i < layout->place_count; i++) {
		const struct stream_place *place = &layout->places[i];
		uint32_t value = entries[place->low], most = UINT16_MAX;

		if (place->high != STREAM_NO_ENTRY) {
			value |= (uint32_t)entries[place->high] << 16;
			most = UINT32_MAX;
		}
		saturated += value == most;
		stream->values[i] = value;
	}
	return saturated;
}

static bool
is_long(uint64_t step, uint64_t shortest)
{
	return step > shortest * 3 / 2 + 1;
}

/*
 * Return whether a sample follows a loss. Samples come at equal steps: a longer
 * one shows that some are missing. Whether that from the start to the first
 * sample is one shows with the second.
 */
static bool
follows_loss(struct gfx_stream *stream, uint64_t time)
{
	const struct solo_begun *begun = stream->solo.begun;
	const uint64_t step = time - stream->last;
	bool is_late = false;

	if (!stream->last) {
		stream->first_step = time - begun->timestamp;
	} else if (!stream->shortest) {
		stream->shortest = step;
		is_late = is_long(stream->first_step, step);
	} else {
		/* or the one that was taken for the shortest was */
		is_late = is_long(step, stream->shortest) ||
			  is_long(stream->shortest, step);
		if (step < stream->shortest)
			stream->shortest = step;
	}
	stream->last = time;
	return is_late;
}

static uint64_t
time_ns(const struct gfx_stream *stream, uint64_t time)
{
	const struct solo_begun *begun = stream->solo.begun;
	const double ticks = (double)(int64_t)(time - begun->timestamp);

	if (!stream->timestamp_hz)
		return stream->begun_ns;
	return stream->begun_ns +
	       (uint64_t)(int64_t)(ticks * NS_PER_S /
				   (double)stream->timestamp_hz);
}

static void
deliver_sample(struct gfx_stream *stream, const uint16_t *entries,
	       stream_sample_fn receive, void *data)
{
	const uint64_t time = read_time(entries);
	const struct stream_sample sample = {
		.time_ns = time_ns(stream, time),
		.timestamp = time,
		.follows_loss = follows_loss(stream, time),
		.saturated = read_values(stream, entries),
	};

	stream->was_full |= sample.follows_loss;
	receive(data, &sample);
}

static int
check_reset(const struct gfx_stream *stream, struct drmperf_error *error)
{
	if (!amd_context_was_reset(stream->solo.ctx))
		return 0;
	error_set(error, -ECANCELED,
		  "the GPU was reset, which ends the stream");
	error_remedy(error, "begin another one; the kernel's log (dmesg) shows "
			    "why it was reset");
	return -ECANCELED;
}

static int
explain_stopped(struct drmperf_error *error)
{
	error_set(error, -ECANCELED,
		  "drmperf_stop_all() has ended the stream, or the trace that "
		  "it ran with has ended");
	error_remedy(error, "begin another one");
	return -ECANCELED;
}

/*
 * Hand on a sample, but none that is older than the last one: the GPU has
 * written over the ring meanwhile, as far as the last one, and what follows is
 * still of the time before. The next sample then shows the loss.
 */
static void
read_sample(struct gfx_stream *stream, stream_sample_fn receive, void *data)
{
	const uint16_t *entries = buffer_at(
		stream, RING_HEADER + stream->next * stream->sample_size);

	if (read_time(entries) > stream->last)
		deliver_sample(stream, entries, receive, data);
	stream->next = (stream->next + 1) % stream->capacity;
}

static int
stream_read(void *data, stream_sample_fn receive, void *receiver,
	    struct drmperf_error *error)
{
	struct gfx_stream *stream = data;
	const size_t end = ring_position(stream);
	uint64_t expirations;
	int ret = stream->solo.is_started ? check_reset(stream, error)
					  : explain_stopped(error);

	if (ret)
		return ret;
	(void)!read(stream->timer.fd, &expirations, sizeof(expirations));
	stream->was_full |= end < stream->next;
	while (stream->next != end)
		read_sample(stream, receive, receiver);
	return 0;
}

static const void *
stream_ring(const void *data, uint64_t *size)
{
	const struct gfx_stream *stream = data;

	*size = RING_HEADER +
		stream->sample_size *
			(stream->was_full ? stream->capacity : stream->next);
	return stream->solo.buffer.memory;
}

const struct stream_ops gfx_stream_ops = {
	.check = stream_check,
	.open = stream_open,
	.fd = stream_fd,
	.read = stream_read,
	.ring = stream_ring,
	.stop = stream_stop,
	.close = stream_close,
};
