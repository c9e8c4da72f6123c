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
#include "driver/amdgpu/count/clock_mode.h"
#include "driver/amdgpu/count/domain.h"
#include "driver/amdgpu/count/slot_table.h"
#include "driver/amdgpu/stream/commands.h"
#include "driver/amdgpu/stream/supervisor.h"
#include "driver/amdgpu/submit/vmid.h"

#define RING_HEADER 32
#define RING_SIZE (16u << 20)

#define PERIOD_LEAST 32
#define PERIOD_MOST UINT16_MAX
#define PERIOD_DEFAULT 4096

/* The ring is looked at this often; at 2 GHz it has room for far more. */
#define LOOK_NS 5000000

/* Work of others may hold the ring for so long; nothing is awaited longer. */
#define BEGIN_MS 2000

/* The time stamp, before the commands of the start have written it. */
#define NOT_BEGUN UINT64_MAX

#define KHZ 1000
#define NS_PER_S 1000000000.0

struct gfx_stream {
	struct gpu *gpu;
	struct stream_layout *layout;
	struct slot_table *table;
	struct amd_context *ctx;
	struct clock_mode clock;
	enum pm4_engine engine;
	bool has_vmid;
	bool is_started;
	bool is_left_on; /* the GPU may still write */
	bool is_supervised;
	struct supervisor supervisor;
	struct buffer buffer; /* the ring, and the commands behind it */
	struct stream_commands commands;
	/* where they are in the buffer; armed: 1 from start to stop */
	size_t begun, armed, start, stop;
	size_t start_dwords, stop_dwords;
	struct fork_close timer;
	struct drmperf_stream_info info;
	uint64_t *values; /* of the caller */
	size_t sample_size;
	size_t capacity; /* samples of the ring */
	size_t next; /* the sample to be read */
	uint64_t begun_ns, timestamp_hz;
	uint64_t last, shortest; /* time stamp, and step between two; or 0 */
	uint64_t first_step; /* from the start to the first sample */
};

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static int
check_gpu(const struct gpu *gpu, struct drmperf_error *error)
{
	const struct amd_device_info *info = amd_device_info(gpu->dev);

	if (info->is_virtual) {
		error_set(error, -ENOTSUP,
			  "%s is a virtual function, whose counters cannot be "
			  "streamed",
			  amd_device_node(gpu->dev));
		error_remedy(error, "stream on the host, or count without a "
				    "stream");
		return -ENOTSUP;
	}
	if (gpu->core.xccs)
		return error_set(error, -ENOTSUP,
				 "counters of GPUs with several dies cannot be "
				 "streamed");
	return 0;
}

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

/* The GPU hangs if its clocks change in the middle of a stream (Mesa). */
static int
hold_clocks(struct gfx_stream *stream, struct drmperf_error *error)
{
	enum stable_pstate now = STABLE_PSTATE_NONE;
	int ret = clock_mode_choose(&stream->clock, DRMPERF_CLOCK_AUTO, true,
				    error);

	if (ret)
		return ret;
	stream->clock.optional = false;
	ret = clock_mode_hold(&stream->clock, stream->gpu, stream->ctx, error);
	if (ret) {
		error_remedy(error, "%s",
			     ret == -EBUSY
				     ? "end that program: counters are "
				       "streamed at fixed clocks"
				     : "counters are streamed at fixed clocks: "
				       "clock modes need Linux 5.17 and a GPU "
				       "that is not too hot");
		return ret;
	}
	if (!amd_context_get_pstate(stream->ctx, &now) &&
	    now != STABLE_PSTATE_NONE)
		return 0;
	error_set(error, -ENOTSUP,
		  "the clocks of %s may change, and counters are streamed at "
		  "fixed clocks only",
		  amd_device_node(stream->gpu->dev));
	error_remedy(error, "unset DRMPERF_CLOCK, or set it to profiling or "
			    "peak; Linux 5.17 is needed for that");
	return -ENOTSUP;
}

static int
take_vmid(struct gfx_stream *stream, struct drmperf_error *error)
{
	const char *node = amd_device_node(stream->gpu->dev);
	int ret = vmid_reserve(stream->gpu->dev);

	stream->has_vmid = !ret;
	if (!ret)
		return 0;
	if (ret == -ENOENT || ret == -EBUSY || ret == -EINVAL) {
		error_set(error, -EBUSY,
			  "another program has the VMID of %s by which "
			  "counters are streamed: it traces the GPU",
			  node);
		error_remedy(error, "end that program: one that uses Vulkan "
				    "with MESA_VK_TRACE=rgp, or another "
				    "stream");
		return -EBUSY;
	}
	error_set(error, ret, "cannot reserve a VMID of %s: %s", node,
		  strerrordesc_np(-ret));
	error_remedy(error, "look for messages of amdgpu in the kernel's log "
			    "(dmesg), or count without a stream");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Memory and commands                                                  */

static size_t
write_commands(const struct gfx_stream *stream, bool begins, uint32_t *dwords,
	       size_t *marked)
{
	const struct core *core = stream->layout->core;
	const struct amd_device_info *info = amd_context_info(stream->ctx);
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
	pm4_pad(&pm4, amd_context_alignment(stream->ctx) / sizeof(uint32_t));
	return pm4.count;
}

static void *
buffer_at(const struct gfx_stream *stream, size_t offset)
{
	return (char *)stream->buffer.memory + offset;
}

static void
set_armed(const struct gfx_stream *stream, uint32_t armed)
{
	_Atomic uint32_t *at = buffer_at(stream, stream->armed);

	atomic_store(at, armed);
}

/* The ring comes first, then what the start stores, then the commands. */
static int
make_buffer(struct gfx_stream *stream, struct drmperf_error *error)
{
	const size_t align = amd_context_alignment(stream->ctx);
	size_t marked, end;
	int ret;

	stream->sample_size = stream->layout->lines * STREAM_LINE_SIZE;
	stream->capacity = (RING_SIZE - RING_HEADER) / stream->sample_size;
	stream->commands.ring_size =
		(uint32_t)(RING_HEADER +
			   stream->capacity * stream->sample_size);
	stream->begun = RING_SIZE;
	stream->armed = stream->begun + sizeof(struct stream_begun);
	end = stream->armed + sizeof(uint32_t);
	stream->start_dwords = write_commands(stream, true, NULL, &marked);
	stream->stop_dwords = write_commands(stream, false, NULL, &marked);
	stream->start = (end + align - 1) / align * align;
	end = stream->start + stream->start_dwords * sizeof(uint32_t);
	stream->stop = (end + align - 1) / align * align;
	end = stream->stop + stream->stop_dwords * sizeof(uint32_t);
	ret = buffer_create(stream->ctx, end, &stream->buffer, error);
	if (ret)
		return ret;
	memset(stream->buffer.memory, 0, RING_HEADER);
	*(struct stream_begun *)buffer_at(stream, stream->begun) =
		(struct stream_begun){ .timestamp = NOT_BEGUN };
	set_armed(stream, 0);
	stream->commands.ring = stream->buffer.address;
	stream->commands.begun = stream->buffer.address + stream->begun;
	write_commands(stream, true, buffer_at(stream, stream->start), &marked);
	return 0;
}

/* What was found is put back, which is known once the stream has begun. */
static void
write_stop(struct gfx_stream *stream)
{
	const struct stream_begun *begun = buffer_at(stream, stream->begun);
	uint32_t *dwords = buffer_at(stream, stream->stop);
	size_t marked;

	write_commands(stream, false, dwords, &marked);
	if (marked)
		dwords[marked] = begun->clock;
}

static int
run_commands(struct gfx_stream *stream, size_t offset, size_t dwords,
	     struct drmperf_error *error)
{
	return amd_context_run(stream->ctx, stream->engine, &stream->buffer,
			       offset, dwords, error);
}

/* A context that has seen a reset takes no commands; a fresh one does. */
static int
run_stop(struct gfx_stream *stream)
{
	int ret;

	write_stop(stream);
	ret = run_commands(stream, stream->stop, stream->stop_dwords, NULL);
	if (ret)
		ret = amd_context_renew(stream->ctx, NULL);
	else
		return 0;
	return ret ? ret
		   : run_commands(stream, stream->stop, stream->stop_dwords,
				  NULL);
}

/* ------------------------------------------------------------------ */
/* The supervisor                                                       */

/*
 * Return whether the commands of the start have run. Those of a process that
 * was killed have reached a ring or are dropped: in the ring they take
 * microseconds, behind work of others longer.
 */
static bool
has_begun(const struct gfx_stream *stream)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const _Atomic uint64_t *timestamp = buffer_at(stream, stream->begun);

	for (int i = 0; i < BEGIN_MS && atomic_load(timestamp) == NOT_BEGUN;
	     i++)
		nanosleep(&pause, NULL);
	return atomic_load(timestamp) != NOT_BEGUN;
}

static void
end_for_parent(void *data)
{
	struct gfx_stream *stream = data;
	const _Atomic uint32_t *armed = buffer_at(stream, stream->armed);

	if (!atomic_load(armed) || !has_begun(stream) ||
	    amd_context_create_fresh(stream->gpu->dev, &stream->ctx, NULL))
		return;
	amd_context_silence(stream->ctx, true);
	run_stop(stream);
}

/* What the process holds is held until the stream has ended. */
static int
start_supervisor(struct gfx_stream *stream, struct drmperf_error *error)
{
	const struct pstate *pstate = stream->gpu->clock.pstate;
	struct supervisor_task task = {
		.file = amd_device_descriptor(stream->gpu->dev),
		.finish = end_for_parent,
		.data = stream,
	};
	int ret;

	if (!stream->is_supervised)
		return 0;
	slot_table_descriptors(stream->table, task.held);
	task.held[SHARE_DESCRIPTORS] = pstate ? pstate_descriptor(pstate) : -1;
	ret = supervisor_start(&stream->supervisor, &task);
	return ret ? error_set(error, ret,
			       "cannot make a process that ends the stream if "
			       "this one is killed: %s",
			       strerrordesc_np(-ret))
		   : 0;
}

/* ------------------------------------------------------------------ */
/* Begin and end                                                        */

/* Caller holds the lock of the slot table. */
static int
start_alone(struct gfx_stream *stream, struct drmperf_error *error)
{
	const struct slot_table_config terms = {
		.stages = core_stages(stream->layout->core),
		.clock = stream->clock.mode,
		.streams = true,
	};
	const struct selection none = { .core = stream->layout->core };
	int ret;

	if (slot_table_others(stream->table, false))
		return slot_table_explain_alone(stream->table, error);
	ret = hold_clocks(stream, error);
	if (!ret)
		ret = take_vmid(stream, error);
	if (!ret)
		ret = make_buffer(stream, error);
	if (!ret)
		ret = start_supervisor(stream, error);
	if (ret)
		return ret;
	slot_table_reset(stream->table, &terms);
	stream->is_started = true;
	set_armed(stream, 1);
	ret = run_commands(stream, stream->start, stream->start_dwords, error);
	if (ret)
		return ret;
	write_stop(stream);
	stream->begun_ns = amd_context_ran_ns(stream->ctx);
	slot_table_commit(stream->table, &none);
	return 0;
}

static void
say_left_on(const struct gfx_stream *stream, int ret)
{
	log_write(&stream->gpu->log, DRMPERF_LOG_WARNING,
		  "%s: a stream of counters is left on, since the GPU took no "
		  "commands to end it: %s",
		  amd_device_node(stream->gpu->dev), strerror(-ret));
}

/*
 * Counters are stopped even where other processes keep the lock. The next one
 * to stream finds the VMID free.
 */
static void
end_stream(struct gfx_stream *stream)
{
	const bool is_locked = !slot_table_lock(stream->table, NULL);
	int ret = 0;

	if (stream->is_started) {
		ret = run_stop(stream);
		set_armed(stream, 0);
	}
	stream->is_left_on |= ret && ret != -ENODEV;
	if (stream->has_vmid && !stream->is_left_on) {
		vmid_unreserve(stream->gpu->dev);
		stream->has_vmid = false;
	}
	if (is_locked) {
		if (stream->is_started)
			slot_table_release(stream->table);
		slot_table_unlock(stream->table);
	}
	stream->is_started = false;
	if (ret && stream->is_left_on)
		say_left_on(stream, ret);
}

static void
stream_stop(void *data)
{
	end_stream(data);
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
	if (stream->layout)
		stream_layout_destroy(stream->layout);
	free(stream);
}

/* Memory that the GPU may still write to is not given back. */
static void
stream_close(void *data, bool is_child)
{
	struct gfx_stream *stream = data;

	if (is_child) {
		buffer_abandon(&stream->buffer);
		amd_context_abandon(stream->ctx);
		slot_table_abandon(stream->table);
		stream_free(stream);
		return;
	}
	if (stream->timer.fd >= 0)
		fork_close_finish(&stream->timer);
	end_stream(stream);
	supervisor_end(&stream->supervisor);
	if (!stream->is_left_on)
		buffer_destroy(&stream->buffer);
	clock_mode_release(&stream->clock, stream->gpu);
	amd_context_destroy(stream->ctx);
	gpu_leave_clock(stream->gpu);
	slot_table_close(stream->table);
	stream_free(stream);
}

static int
begin_stream(struct gfx_stream *stream, struct drmperf_error *error)
{
	int ret = slot_table_lock(stream->table, error);

	if (ret)
		return ret;
	ret = start_alone(stream, error);
	slot_table_unlock(stream->table);
	return ret ? ret : make_timer(stream, error);
}

static int
open_parts(struct gfx_stream *stream, struct drmperf_error *error)
{
	struct gpu *gpu = stream->gpu;
	int ret = slot_table_open(amd_device_node(gpu->dev), &gpu->core,
				  &stream->table, error);

	if (ret)
		return ret;
	ret = amd_context_create(gpu->dev, &stream->ctx, error);
	if (ret) {
		slot_table_close(stream->table);
		return ret;
	}
	gpu_use_clock(gpu);
	return 0;
}

static int
stream_prepare(struct gpu *gpu, const struct counter_request *requests,
	       size_t count, uint64_t period_cycles, struct gfx_stream *stream,
	       struct drmperf_error *error)
{
	const struct amd_device_info *info = amd_device_info(gpu->dev);
	int ret = check_gpu(gpu, error);

	if (!ret)
		ret = choose_period(period_cycles, &stream->info.period_cycles,
				    error);
	if (!ret)
		ret = gfx_end_deferred(gpu, error);
	if (!ret)
		ret = stream_layout_create(gpu, requests, count,
					   &stream->layout, error);
	if (ret)
		return ret;
	stream->gpu = gpu;
	stream->timer.fd = -1;
	stream->engine = info->has_ring[PM4_ENGINE_GFX] ? PM4_ENGINE_GFX
							: PM4_ENGINE_COMPUTE;
	stream->timestamp_hz = (uint64_t)info->timestamp_khz * KHZ;
	stream->commands.layout = stream->layout;
	stream->commands.interval = (unsigned)stream->info.period_cycles;
	stream->info.sample_size = stream->layout->lines * STREAM_LINE_SIZE;
	return open_parts(stream, error);
}

static int
stream_open(void *device, const struct counter_request *requests, size_t count,
	    const struct drmperf_stream_options *options, uint64_t *values,
	    void **out, const struct drmperf_stream_info **info,
	    struct drmperf_error *error)
{
	struct gfx_stream *stream = calloc(1, sizeof(*stream));
	int ret;

	if (!stream)
		return error_set(error, -ENOMEM, "no memory");
	stream->values = values;
	stream->is_supervised = options->supervise;
	ret = stream_prepare(device, requests, count, options->period_cycles,
			     stream, error);
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
	const _Atomic uint32_t *header = stream->buffer.memory;

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
is_long(const struct gfx_stream *stream, uint64_t step)
{
	return step > stream->shortest * 3 / 2 + 1;
}

/*
 * Samples come at equal steps: a longer one shows that some are missing.
 * Whether that from the start to the first sample is one shows with the second.
 */
static bool
follows_loss(struct gfx_stream *stream, uint64_t time)
{
	const struct stream_begun *begun = buffer_at(stream, stream->begun);
	const uint64_t step = time - stream->last;
	bool is_late = false;

	if (!stream->last) {
		stream->first_step = time - begun->timestamp;
	} else if (!stream->shortest) {
		stream->shortest = step;
		is_late = is_long(stream, stream->first_step);
	} else {
		is_late = is_long(stream, step);
		if (step < stream->shortest)
			stream->shortest = step;
	}
	stream->last = time;
	return is_late;
}

static uint64_t
time_ns(const struct gfx_stream *stream, uint64_t time)
{
	const struct stream_begun *begun = buffer_at(stream, stream->begun);
	const double ticks = (double)(int64_t)(time - begun->timestamp);

	if (!stream->timestamp_hz)
		return stream->begun_ns;
	return stream->begun_ns +
	       (uint64_t)(int64_t)(ticks * NS_PER_S /
				   (double)stream->timestamp_hz);
}

static void
hand_on(struct gfx_stream *stream, const uint16_t *entries,
	stream_sample_fn receive, void *data)
{
	const uint64_t time = read_time(entries);
	const struct stream_sample sample = {
		.time_ns = time_ns(stream, time),
		.follows_loss = follows_loss(stream, time),
		.saturated = read_values(stream, entries),
	};

	receive(data, &sample);
}

static int
check_reset(const struct gfx_stream *stream, struct drmperf_error *error)
{
	if (!amd_context_was_reset(stream->ctx))
		return 0;
	error_set(error, -ECANCELED,
		  "the GPU was reset, which ends the stream");
	error_remedy(error, "begin another one; the kernel's log (dmesg) tells "
			    "why it was reset");
	return -ECANCELED;
}

static int
say_stopped(struct drmperf_error *error)
{
	error_set(error, -ECANCELED,
		  "drmperf_stop_all() has ended the stream");
	error_remedy(error, "begin another one");
	return -ECANCELED;
}

static int
stream_read(void *data, stream_sample_fn receive, void *receiver,
	    struct drmperf_error *error)
{
	struct gfx_stream *stream = data;
	const size_t end = ring_position(stream);
	uint64_t expirations;
	int ret = stream->is_started ? check_reset(stream, error)
				     : say_stopped(error);

	if (ret)
		return ret;
	(void)!read(stream->timer.fd, &expirations, sizeof(expirations));
	while (stream->next != end) {
		hand_on(stream,
			buffer_at(stream,
				  RING_HEADER +
					  stream->next * stream->sample_size),
			receive, receiver);
		stream->next = (stream->next + 1) % stream->capacity;
	}
	return 0;
}

const struct stream_ops gfx_stream_ops = {
	.open = stream_open,
	.fd = stream_fd,
	.read = stream_read,
	.stop = stream_stop,
	.close = stream_close,
};
