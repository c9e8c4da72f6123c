/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hardware writes reports into a buffer of the kernel, one per period, and
 * stops if that is full. A read never blocks, so it is done under the lock, by
 * whoever waits for a fence; a thread empties the buffer meanwhile.
 *
 * A fence is a report that is younger than the call: how young, the timestamp
 * of an engine tells, which the kernel reads for any process. Where that does
 * not agree with the reports' timestamps, the fence is two periods behind the
 * newest report that there is after some time: older kernels look at the
 * hardware by a timer of 5 ms only.
 */
#include "driver/xe/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "driver/oa/clock.h"
#include "driver/oa/rate_watch.h"
#include "driver/oa/reports.h"
#include "driver/xe/kernel.h"
#include "driver/xe/reports.h"

#define SECOND UINT64_C(1000000000)

/* The GPU is given up when no report has come for so long, and 20 periods. */
#define PATIENCE_NS (2 * SECOND)

/* How long the kernel may hold a report back, and some more. */
#define TIMER_NS 6000000

/*
 * How old sums may be that nobody waits for. The buffer holds three seconds of
 * reports at the usual period.
 */
#define DRAIN_MS 5

/* So many EIO without a message, one behind the other, are a failure. */
#define MUTE_MAX 8

#define KERNEL_BUFFER_SIZE ((size_t)16 << 20)

/* What is read at once: a multiple of all sizes of reports. */
#define BUFFER_REPORTS 256

struct xe_stream {
	int fd, drm;
	struct fork_close fork_close; /* of fd */
	int wake; /* eventfd: the thread is to end */
	uint64_t period, gap_limit;
	const struct oa_format *format;
	void (*raw)(void *data, const void *report, size_t size);
	void *raw_data;
	struct xe_uapi_engine_id engine;
	bool running;
	pthread_t thread;
	atomic_bool stopping;

	pthread_mutex_t lock; /* all below */
	struct oa_clock clock;
	uint64_t enabled_at; /* by the clock */
	struct rate_watch rate;
	struct oa_reports reports;
	uint64_t report_ns; /* when the newest report was taken */
	int failure; /* the stream is dead: -errno */
	unsigned mute; /* EIO without a message */
	size_t buffer_size;
	uint8_t *buffer;
};

/* ------------------------------------------------------------------ */
/* Reading, under the lock                                              */

static void
sleep_ns(uint64_t ns)
{
	struct timespec time = {
		.tv_sec = (time_t)(ns / SECOND),
		.tv_nsec = (long)(ns % SECOND),
	};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static uint64_t
period_ns(const struct xe_stream *stream)
{
	return oa_clock_ns(&stream->clock, stream->period);
}

static bool
is_over(const struct xe_stream *stream)
{
	return stream->failure || stream->reports.loss;
}

/* When, on CLOCK_MONOTONIC, the newest report was taken. */
static uint64_t
newest_report_ns(struct xe_stream *stream)
{
	int64_t age = 0;

	if (stream->clock.proved) {
		oa_clock_refresh(&stream->clock);
		age = oa_clock_age(&stream->clock, stream->reports.time);
	}
	return monotonic_ns() - (age > 0 ? (uint64_t)age : 0);
}

static void
take_in(struct xe_stream *stream, size_t length)
{
	const size_t size = stream->format->size;
	bool first = !stream->reports.count;

	stream->mute = 0;
	for (size_t at = 0; stream->raw && at + size <= length; at += size)
		stream->raw(stream->raw_data, stream->buffer + at, size);
	xe_reports_take(&stream->reports, stream->buffer, length);
	if (first && stream->reports.count)
		oa_clock_prove(&stream->clock, stream->enabled_at,
			       stream->reports.time);
	stream->report_ns = newest_report_ns(stream);
}

/* A read that began then has found all but what may be held back. */
static void
watch_rate(struct xe_stream *stream, uint64_t begun_ns)
{
	const struct rate_mark mark = {
		.ticks = stream->reports.accumulator.sums[OA_SLOT_TIME],
		.from_ns = begun_ns - 3 * period_ns(stream) - TIMER_NS,
		.to_ns = monotonic_ns(),
	};

	if (stream->reports.count && !stream->reports.loss)
		rate_watch_add(&stream->rate, &mark);
}

static void
take_message(struct xe_stream *stream)
{
	uint64_t status = 0;
	int ret = xe_stream_status(stream->fd, &status);

	if (ret < 0)
		stream->failure = ret;
	else if (!status && ++stream->mute == MUTE_MAX)
		stream->failure = -EIO;
	else
		xe_reports_take_status(&stream->reports, status);
}

/* Whether what there was when the read began has been read. */
static bool
has_caught_up(const struct xe_stream *stream, uint64_t begun_ns, size_t bytes)
{
	return stream->clock.proved ? stream->report_ns >= begun_ns
				    : bytes >= KERNEL_BUFFER_SIZE;
}

/* Read what there is; more may come faster than a slow process reads. */
static void
read_reports(struct xe_stream *stream)
{
	const uint64_t begun_ns = monotonic_ns();
	size_t bytes = 0;
	long length = -EAGAIN;

	while (!is_over(stream) &&
	       !(bytes && has_caught_up(stream, begun_ns, bytes))) {
		length = xe_stream_read(stream->fd, stream->buffer,
					stream->buffer_size);
		if (length > 0) {
			take_in(stream, (size_t)length);
			bytes += (size_t)length;
		} else if (length == -EIO) {
			take_message(stream);
		} else if (length != -EINTR) {
			break;
		}
	}
	if (is_over(stream))
		return;
	if (bytes)
		watch_rate(stream, begun_ns);
	if (!length)
		stream->failure = -ENODEV;
	else if (length < 0 && length != -EAGAIN)
		stream->failure = (int)length;
}

/* ------------------------------------------------------------------ */
/* Fences, under the lock                                               */

/* The time that a report must have to be younger than this call. */
static uint64_t
fence_target(struct xe_stream *stream)
{
	uint64_t now;

	if (stream->clock.proved && oa_clock_now(&stream->clock, &now))
		return now;
	sleep_ns(3 * period_ns(stream) + TIMER_NS);
	read_reports(stream);
	return stream->reports.time + 2 * stream->period;
}

static int
say_silent(struct drmperf_error *error)
{
	error_set(error, -ETIME, "the GPU sends no OA reports");
	error_remedy(error, "it may hang or be asleep: the kernel's log tells "
			    "more");
	return -ETIME;
}

/* Read until a report at or after target is there; NULL: until any is. */
static int
read_up_to(struct xe_stream *stream, const uint64_t *target,
	   struct drmperf_error *error)
{
	const uint64_t pause_ns = period_ns(stream);
	const uint64_t until = monotonic_ns() + PATIENCE_NS + 20 * pause_ns;

	for (;;) {
		read_reports(stream);
		if (is_over(stream))
			return 0;
		if (stream->reports.count &&
		    (!target ||
		     oa_time_distance(stream->reports.time, *target) >= 0))
			return 0;
		if (monotonic_ns() > until)
			return say_silent(error);
		sleep_ns(pause_ns);
	}
}

static int
pass_fence(struct xe_stream *stream, struct drmperf_error *error)
{
	uint64_t target;

	/* The unit has just been enabled: whatever comes is younger. */
	if (!stream->reports.count)
		return read_up_to(stream, NULL, error);
	target = fence_target(stream);
	return read_up_to(stream, &target, error);
}

/* ------------------------------------------------------------------ */
/* The thread                                                           */

static void *
drain(void *data)
{
	struct xe_stream *stream = data;
	struct pollfd fd = { .fd = stream->wake, .events = POLLIN };

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	while (!atomic_load(&stream->stopping)) {
		if (poll(&fd, 1, DRAIN_MS))
			continue;
		pthread_mutex_lock(&stream->lock);
		if (!is_over(stream))
			read_reports(stream);
		pthread_mutex_unlock(&stream->lock);
	}
	return NULL;
}

static void
end_thread(struct xe_stream *stream)
{
	const uint64_t one = 1;

	atomic_store(&stream->stopping, true);
	/* Cannot fail: nobody gets the counter to its limit. */
	while (write(stream->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(stream->thread, NULL);
	stream->running = false;
}

/* ------------------------------------------------------------------ */
/* The caller's side                                                    */

static int
read_timestamp(void *data, uint64_t *value)
{
	const struct xe_stream *stream = data;

	return xe_engine_cycles(stream->drm, &stream->engine, value);
}

static void
free_stream(struct xe_stream *stream)
{
	close(stream->wake);
	fork_close_finish(&stream->fork_close);
	free(stream->buffer);
	free(stream);
}

int
xe_stream_create(const struct xe_stream_setup *setup, struct xe_stream **out)
{
	struct xe_stream *stream = calloc(1, sizeof(*stream));
	int ret = -ENOMEM;

	if (!stream)
		return ret;
	stream->buffer_size = (size_t)BUFFER_REPORTS * setup->format->size;
	stream->buffer = malloc(stream->buffer_size);
	stream->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->wake < 0)
		ret = -errno;
	else if (stream->buffer)
		ret = fork_close_init(&stream->fork_close, setup->stream);
	if (ret) {
		if (stream->wake >= 0)
			close(stream->wake);
		free(stream->buffer);
		free(stream);
		return ret;
	}
	pthread_mutex_init(&stream->lock, NULL);
	stream->fd = setup->stream;
	stream->drm = setup->drm;
	stream->format = setup->format;
	stream->raw = setup->raw;
	stream->raw_data = setup->raw_data;
	stream->engine = setup->engine;
	stream->period = setup->period;
	stream->gap_limit = setup->gap_limit;
	oa_clock_init(&stream->clock, read_timestamp, stream,
		      setup->timestamp_hz, setup->engine_hz);
	*out = stream;
	return 0;
}

static int
explain_failure(int failure, struct drmperf_error *error)
{
	if (failure == -ENODEV)
		return error_set(error, failure, "the GPU has gone");
	error_set(error, failure, "reading OA reports failed: %s",
		  strerrordesc_np(-failure));
	error_remedy(error, "start the session again; if that does not help, "
			    "the kernel's log tells why");
	return failure;
}

static int
explain_loss(const struct xe_stream *stream, struct drmperf_error *error)
{
	switch (stream->reports.loss) {
	case OA_LOSS_NONE:
		return 0;
	case OA_LOSS_OVERFLOW:
		error_set(error, -EIO,
			  "the buffer of OA reports, or a counter, has "
			  "overflowed: counts were lost");
		break;
	case OA_LOSS_GAP:
		error_set(error, -EIO,
			  "OA reports are missing for so long that counters "
			  "may have wrapped (lost reports: %u, late: %" PRIu64
			  ")",
			  stream->reports.lost, stream->reports.late);
		break;
	case OA_LOSS_MALFORMED:
		error_set(error, -EIO,
			  "the kernel delivered a part of a report");
		break;
	}
	error_remedy(error, "stop the session and start it again");
	return -EIO;
}

/* What is known, under lock. */
static int
give_sums(const struct xe_stream *stream, struct oa_sample *out,
	  struct drmperf_error *error)
{
	int ret;

	ret = stream->failure ? explain_failure(stream->failure, error)
			      : explain_loss(stream, error);
	if (ret)
		return ret;
	memcpy(out->sums, stream->reports.accumulator.sums, sizeof(out->sums));
	out->report_ns = stream->report_ns;
	return 0;
}

int
xe_stream_sample(struct xe_stream *stream, bool fence, struct oa_sample *out,
		 struct drmperf_error *error)
{
	int ret = 0;

	pthread_mutex_lock(&stream->lock);
	if (fence && !is_over(stream))
		ret = pass_fence(stream, error);
	if (!ret)
		ret = give_sums(stream, out, error);
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

int
xe_stream_sample_at_once(struct xe_stream *stream, struct oa_sample *out,
			 struct drmperf_error *error)
{
	int ret;

	if (pthread_mutex_trylock(&stream->lock))
		return -EAGAIN;
	ret = give_sums(stream, out, error);
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

/* What the last run has left, in the kernel too, is of no interest. */
static void
begin_anew(struct xe_stream *stream)
{
	uint64_t count;

	while (read(stream->wake, &count, sizeof(count)) < 0 && errno == EINTR)
		;
	oa_reports_init(&stream->reports, stream->format, stream->gap_limit);
	stream->failure = 0;
	stream->mute = 0;
	stream->clock.proved = false;
	rate_watch_init(&stream->rate, stream->clock.hz);
	atomic_store(&stream->stopping, false);
	while (xe_stream_read(stream->fd, stream->buffer, stream->buffer_size) >
	       0)
		;
}

int
xe_stream_start(struct xe_stream *stream, struct drmperf_error *error)
{
	struct oa_sample first;
	int ret;

	begin_anew(stream);
	oa_clock_now(&stream->clock, &stream->enabled_at);
	ret = xe_stream_enable(stream->fd);
	if (ret < 0)
		return explain_failure(ret, error);
	ret = xe_stream_sample(stream, true, &first, error);
	if (ret)
		goto disable;
	ret = thread_create(&stream->thread, "drmperf-oa", drain, stream);
	if (ret) {
		error_set(error, ret, "cannot make a thread: %s",
			  strerrordesc_np(-ret));
		goto disable;
	}
	stream->running = true;
	return 0;

disable:
	xe_stream_disable(stream->fd);
	return ret;
}

int
xe_stream_stop(struct xe_stream *stream)
{
	int ret;

	if (!stream->running)
		return 0;
	end_thread(stream);
	ret = xe_stream_disable(stream->fd);
	return ret < 0 ? ret : 0;
}

double
xe_stream_wrong_hz(const struct xe_stream *stream)
{
	return stream->running ? 0 : stream->rate.measured_hz;
}

void
xe_stream_destroy(struct xe_stream *stream)
{
	if (!stream)
		return;
	xe_stream_stop(stream);
	pthread_mutex_destroy(&stream->lock);
	free_stream(stream);
}

void
xe_stream_abandon(struct xe_stream *stream)
{
	/* The lock may be held by a thread that is not here. */
	if (stream)
		free_stream(stream);
}
