/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hardware writes reports into a buffer of the kernel: one per period, and
 * more as it likes. A thread reads them all, sums them, and throws them away.
 *
 *   hardware    |    |    |  | |    |    |    |      reports
 *   kernel's 5 ms timer            T                 poll() says so only here
 *   latest      ^ sums of what was read at the last T, no waiting
 *   fenced                         a....r..b         up to a report r, taken
 *                                                    after the call at a
 *
 * A read() that blocks looks at the hardware itself, but if it finds nothing
 * it sleeps until the kernel's timer. And a report is handed out only when the
 * next one has been written. So for a fence the thread sleeps until the report
 * behind the one that is wanted must be there, and then reads.
 *
 * How old a report is the timestamp register of the engine tells. Where that
 * does not agree with the reports' timestamps, the fence is two periods behind
 * the newest report that a read finds: at most one older than the call can
 * have been held back.
 */
#include "driver/i915/oa_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "driver/i915/kernel.h"
#include "driver/i915/oa_clock.h"
#include "driver/oa/rate_watch.h"

#define SECOND UINT64_C(1000000000)

/* The GPU is given up when no report has come for so long, and 20 periods. */
#define PATIENCE_NS (2 * SECOND)

/* Records of some 25 ms at the usual period. */
#define BUFFER_SIZE ((size_t)128 << 10)

struct oa_stream {
	int fd;
	struct fork_close fork_close; /* of fd */
	int wake; /* eventfd: the thread has something to answer */
	uint64_t period, gap_limit;
	const struct oa_format *format;
	i915_record_fn raw;
	void *raw_data;
	struct oa_clock clock; /* the thread's while it runs */
	uint64_t enabled_at; /* by the clock */
	struct rate_watch rate; /* the thread's while it runs */
	bool running;
	pthread_t thread;
	atomic_bool stopping;
	atomic_bool reading; /* the thread is in the kernel, maybe for ever */

	pthread_mutex_t lock; /* all below */
	pthread_cond_t answered; /* answer_count or failure has changed */
	struct oa_reports reports;
	uint64_t report_ns; /* when the newest report was taken */
	uint64_t ask_count, answer_count; /* fences wanted, and passed */
	int failure; /* the stream is dead: -errno */
	bool orphaned; /* nobody waits for the thread: it cleans up */
	bool ended; /* the thread has nothing more to do */

	uint8_t buffer[BUFFER_SIZE]; /* the thread's */
};

static struct timespec
timespec_of(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / SECOND),
		.tv_nsec = (long)(ns % SECOND),
	};
}

/* ------------------------------------------------------------------ */
/* The thread                                                           */

static void
fail(struct oa_stream *stream, int failure)
{
	pthread_mutex_lock(&stream->lock);
	stream->failure = failure;
	pthread_cond_broadcast(&stream->answered);
	pthread_mutex_unlock(&stream->lock);
}

static bool
is_over(const struct oa_stream *stream)
{
	return atomic_load(&stream->stopping) || stream->failure;
}

/* When, on CLOCK_MONOTONIC, the newest report was taken. */
static uint64_t
newest_report_ns(struct oa_stream *stream)
{
	int64_t age = 0;

	if (stream->clock.proved) {
		oa_clock_refresh(&stream->clock);
		age = oa_clock_age(&stream->clock, stream->reports.time);
	}
	return monotonic_ns() - (age > 0 ? (uint64_t)age : 0);
}

static void
take_in(struct oa_stream *stream, size_t length)
{
	bool first = !stream->reports.count;

	if (stream->raw)
		i915_records_visit(stream->buffer, length, stream->raw,
				   stream->raw_data);
	pthread_mutex_lock(&stream->lock);
	i915_records_take(&stream->reports, stream->buffer, length);
	if (first && stream->reports.count)
		oa_clock_prove(&stream->clock, stream->enabled_at,
			       stream->reports.time);
	stream->report_ns = newest_report_ns(stream);
	pthread_mutex_unlock(&stream->lock);
}

/*
 * A read gives all reports up to where the hardware is when it begins, or
 * those that come later; the last one may be held back.
 */
static void
watch_rate(struct oa_stream *stream, uint64_t begun_ns)
{
	const uint64_t held_ns =
		3 * oa_clock_ns(&stream->clock, stream->period);
	const struct rate_mark mark = {
		.ticks = stream->reports.accumulator.sums[OA_SLOT_TIME],
		.from_ns = begun_ns - held_ns,
		.to_ns = monotonic_ns(),
	};

	if (stream->reports.count && !stream->reports.loss)
		rate_watch_add(&stream->rate, &mark);
}

/*
 * A GPU that has died would keep the thread here: only at this point it can be
 * cancelled.
 */
static long
read_stream(struct oa_stream *stream)
{
	long length;

	atomic_store(&stream->reading, true);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	length = i915_stream_read(stream->fd, stream->buffer,
				  sizeof(stream->buffer));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	atomic_store(&stream->reading, false);
	return length;
}

/* Read what is there, or wait for it. */
static void
read_records(struct oa_stream *stream)
{
	const size_t record = sizeof(uint64_t) + stream->format->size;
	uint64_t begun_ns;
	bool more;
	long length;

	do {
		begun_ns = monotonic_ns();
		length = read_stream(stream);
		if (atomic_load(&stream->stopping))
			return;
		if (length > 0)
			take_in(stream, (size_t)length);
		/* a full buffer: there is more */
		more = length > 0 && (size_t)length + record > BUFFER_SIZE;
		if (length > 0 && !more)
			watch_rate(stream, begun_ns);
	} while (more && !is_over(stream));
	if (!length)
		fail(stream, -ENODEV);
	else if (length < 0 && length != -EINTR && length != -EAGAIN)
		fail(stream, (int)length);
}

static void
sleep_ns(uint64_t ns)
{
	struct timespec time = timespec_of(ns);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Sleep until a report at or after target must have been handed out. */
static void
await_report(const struct oa_stream *stream, uint64_t target)
{
	const struct oa_clock *clock = &stream->clock;
	const uint64_t period_ns = oa_clock_ns(clock, stream->period);
	uint32_t ahead;
	int64_t left;

	if (!clock->proved) {
		sleep_ns(2 * period_ns);
		return;
	}
	/* The periodic report that is wanted, and the one behind it. */
	ahead = (uint32_t)oa_time_distance(target, stream->reports.time);
	ahead += (uint32_t)stream->period - 1;
	ahead -= ahead % (uint32_t)stream->period;
	left = (int64_t)period_ns -
	       oa_clock_age(clock, stream->reports.time + ahead);
	/* It is late already: give it some more time. */
	sleep_ns(left > 0 ? (uint64_t)left : period_ns / 4);
}

static bool
is_reached(const struct oa_stream *stream, uint64_t target)
{
	return oa_time_distance(stream->reports.time, target) >= 0;
}

/* The time that a report must have to be younger than this call. */
static uint64_t
fence_target(struct oa_stream *stream)
{
	uint64_t now;

	if (stream->clock.proved && oa_clock_now(&stream->clock, &now))
		return now;
	sleep_ns(3 * oa_clock_ns(&stream->clock, stream->period));
	read_records(stream);
	return stream->reports.time + 2 * stream->period;
}

/* Read until a report at or after target is there. */
static void
read_up_to(struct oa_stream *stream, uint64_t target)
{
	while (!is_reached(stream, target) && !is_over(stream) &&
	       !stream->reports.loss) {
		await_report(stream, target);
		read_records(stream);
	}
}

/* The unit has just been enabled: whatever comes is younger. */
static void
read_first(struct oa_stream *stream)
{
	while (!stream->reports.count && !is_over(stream) &&
	       !stream->reports.loss) {
		sleep_ns(2 * oa_clock_ns(&stream->clock, stream->period));
		read_records(stream);
	}
}

/* Let pass all who have asked so far. */
static void
answer(struct oa_stream *stream)
{
	uint64_t asked;

	pthread_mutex_lock(&stream->lock);
	asked = stream->ask_count;
	pthread_mutex_unlock(&stream->lock);
	if (stream->reports.count)
		read_up_to(stream, fence_target(stream));
	else
		read_first(stream);
	pthread_mutex_lock(&stream->lock);
	stream->answer_count = asked;
	pthread_cond_broadcast(&stream->answered);
	pthread_mutex_unlock(&stream->lock);
}

static void
wait_for_work(struct oa_stream *stream)
{
	struct pollfd fds[] = {
		{ .fd = stream->wake, .events = POLLIN },
		{ .fd = stream->fd, .events = POLLIN },
	};
	uint64_t count;

	if (poll(fds, 2, -1) < 0) {
		if (errno != EINTR)
			fail(stream, -errno);
		return;
	}
	if (fds[0].revents) {
		if (read(stream->wake, &count, sizeof(count)) > 0 &&
		    !is_over(stream))
			answer(stream);
	} else if (fds[1].revents & POLLIN) {
		read_records(stream);
	} else if (fds[1].revents) {
		fail(stream, -ENODEV);
	}
}

static void
free_stream(struct oa_stream *stream)
{
	close(stream->wake);
	fork_close_finish(&stream->fork_close);
	free(stream);
}

static void *
drain(void *data)
{
	struct oa_stream *stream = data;
	bool orphaned;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	/* Sleeps are a fraction of a period: the usual slack is half of it. */
	prctl(PR_SET_TIMERSLACK, 1000ul);
	while (!is_over(stream))
		wait_for_work(stream);
	pthread_mutex_lock(&stream->lock);
	stream->ended = true;
	orphaned = stream->orphaned;
	pthread_mutex_unlock(&stream->lock);
	if (orphaned)
		free_stream(stream);
	return NULL;
}

static void
wake_thread(const struct oa_stream *stream)
{
	const uint64_t one = 1;

	/* Cannot fail: nobody gets the counter to its limit. */
	while (write(stream->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static bool
join_within(struct oa_stream *stream, uint64_t ns)
{
	struct timespec deadline = timespec_of(monotonic_ns() + ns);

	return !pthread_clockjoin_np(stream->thread, NULL, CLOCK_MONOTONIC,
				     &deadline);
}

/*
 * End the thread. It may be stuck in the kernel, waiting for a GPU that has
 * died; it may also be in the program's own function for records, which has to
 * come to an end by itself. -ETIME if it is stuck and cannot be cancelled.
 */
static int
end_thread(struct oa_stream *stream)
{
	atomic_store(&stream->stopping, true);
	wake_thread(stream);
	while (!join_within(stream, SECOND)) {
		if (!atomic_load(&stream->reading))
			continue;
		pthread_cancel(stream->thread);
		if (join_within(stream, SECOND))
			break;
		if (atomic_load(&stream->reading))
			return -ETIME;
	}
	stream->running = false;
	return 0;
}

/* Leave the stream to its thread, should that ever return. */
static void
orphan(struct oa_stream *stream)
{
	bool ended;

	pthread_detach(stream->thread);
	pthread_mutex_lock(&stream->lock);
	stream->orphaned = true;
	ended = stream->ended;
	pthread_mutex_unlock(&stream->lock);
	if (ended)
		free_stream(stream);
}

/* ------------------------------------------------------------------ */
/* The caller's side                                                    */

static int
init_locks(struct oa_stream *stream)
{
	pthread_condattr_t attributes;
	int ret;

	ret = pthread_mutex_init(&stream->lock, NULL);
	if (ret)
		return -ret;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	ret = pthread_cond_init(&stream->answered, &attributes);
	pthread_condattr_destroy(&attributes);
	if (ret)
		pthread_mutex_destroy(&stream->lock);
	return -ret;
}

int
oa_stream_create(const struct oa_stream_setup *setup, struct oa_stream **out)
{
	struct oa_stream *stream = calloc(1, sizeof(*stream));
	int ret;

	if (!stream)
		return -ENOMEM;
	stream->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->wake < 0) {
		ret = -errno;
		goto free_stream;
	}
	ret = init_locks(stream);
	if (!ret)
		ret = fork_close_init(&stream->fork_close, setup->stream);
	if (ret)
		goto close_wake;
	stream->fd = setup->stream;
	stream->format = setup->format;
	stream->period = setup->period;
	stream->gap_limit = setup->gap_limit;
	stream->raw = setup->raw;
	stream->raw_data = setup->raw_data;
	oa_clock_init(&stream->clock, setup->drm, setup->timestamp_hz,
		      setup->register_hz);
	*out = stream;
	return 0;

close_wake:
	close(stream->wake);
free_stream:
	free(stream);
	return ret;
}

static int
explain_failure(int failure, struct drmperf_error *error)
{
	switch (failure) {
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	case -EIO:
		error_set(error, -EIO,
			  "the kernel has ended the stream of OA "
			  "reports");
		error_remedy(error, "start the session again; if that does "
				    "not help, the kernel's log tells why");
		return -EIO;
	default:
		return error_set(error, failure,
				 "reading OA reports failed: %s",
				 strerror(-failure));
	}
}

static int
explain_loss(const struct oa_stream *stream, struct drmperf_error *error)
{
	switch (stream->reports.loss) {
	case OA_LOSS_NONE:
		return 0;
	case OA_LOSS_OVERFLOW:
		error_set(error, -EIO,
			  "the kernel's buffer of OA reports has "
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
			  "the kernel delivered a malformed "
			  "record");
		break;
	}
	error_remedy(error, "stop the session and start it again");
	return -EIO;
}

static int
say_silent(struct drmperf_error *error)
{
	error_set(error, -ETIME, "the GPU sends no OA reports");
	error_remedy(error, "it may hang or be asleep: the kernel's log tells "
			    "more");
	return -ETIME;
}

/* Wait, under lock, until a report younger than this call has been read. */
static int
pass_fence(struct oa_stream *stream, struct drmperf_error *error)
{
	const uint64_t patience =
		PATIENCE_NS + 20 * oa_clock_ns(&stream->clock, stream->period);
	struct timespec deadline = timespec_of(monotonic_ns() + patience);
	uint64_t ticket = ++stream->ask_count;

	wake_thread(stream);
	while (stream->answer_count < ticket && !stream->failure) {
		if (pthread_cond_timedwait(&stream->answered, &stream->lock,
					   &deadline) == ETIMEDOUT &&
		    stream->answer_count < ticket && !stream->failure)
			return say_silent(error);
	}
	return 0;
}

int
oa_stream_sample(struct oa_stream *stream, bool fence, struct oa_sample *out,
		 struct drmperf_error *error)
{
	int ret = 0;

	pthread_mutex_lock(&stream->lock);
	if (fence && !stream->failure && !stream->reports.loss)
		ret = pass_fence(stream, error);
	if (!ret && stream->failure)
		ret = explain_failure(stream->failure, error);
	if (!ret)
		ret = explain_loss(stream, error);
	if (!ret) {
		memcpy(out->sums, stream->reports.accumulator.sums,
		       sizeof(out->sums));
		out->report_ns = stream->report_ns;
	}
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

int
oa_stream_start(struct oa_stream *stream, struct drmperf_error *error)
{
	struct oa_sample first;
	int ret;

	oa_reports_init(&stream->reports, stream->format, stream->gap_limit);
	stream->ask_count = stream->answer_count = 0;
	stream->failure = 0;
	stream->clock.proved = false;
	rate_watch_init(&stream->rate, stream->clock.hz);
	atomic_store(&stream->stopping, false);
	atomic_store(&stream->reading, false);
	oa_clock_now(&stream->clock, &stream->enabled_at);
	ret = i915_stream_enable(stream->fd);
	if (ret < 0)
		return explain_failure(ret, error);
	ret = thread_create(&stream->thread, "drmperf-oa", drain, stream);
	if (ret) {
		error_set(error, ret, "cannot make a thread: %s",
			  strerror(-ret));
		goto disable;
	}
	stream->running = true;
	ret = oa_stream_sample(stream, true, &first, error);
	if (!ret)
		return 0;
	end_thread(stream);
disable:
	i915_stream_disable(stream->fd);
	return ret;
}

int
oa_stream_stop(struct oa_stream *stream)
{
	int ret;

	if (!stream->running)
		return 0;
	ret = end_thread(stream);
	if (ret)
		return ret;
	ret = i915_stream_disable(stream->fd);
	return ret < 0 ? ret : 0;
}

double
oa_stream_wrong_hz(const struct oa_stream *stream)
{
	return stream->running ? 0 : stream->rate.measured_hz;
}

void
oa_stream_destroy(struct oa_stream *stream)
{
	if (!stream)
		return;
	oa_stream_stop(stream);
	if (stream->running) {
		orphan(stream);
		return;
	}
	pthread_cond_destroy(&stream->answered);
	pthread_mutex_destroy(&stream->lock);
	free_stream(stream);
}

void
oa_stream_abandon(struct oa_stream *stream)
{
	/* Locks may be held by the thread that is not here. */
	if (stream)
		free_stream(stream);
}
