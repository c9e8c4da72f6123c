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
 * While no session asks for the latest values, the thread sleeps for longer
 * than T: see stream.c.
 *
 * A read() looks at the hardware itself. With i915 it blocks: if it finds
 * nothing it sleeps until the kernel's timer; and a report is handed out only
 * when the next one has been written. So for a fence the thread sleeps until
 * the report that is wanted must be there, and with i915 the one behind it, and
 * then reads. Older kernels of xe look by the timer alone.
 *
 * How old a report is the timestamp of an engine tells. Where that does not
 * agree with the reports' timestamps, or no longer does, the fence is two
 * periods behind the newest report that a read finds: at most one older than
 * the call can have been held back.
 */
#include "driver/intel/oa/stream/read.h"

#include <errno.h>
#include <time.h>

#include "base/monotonic.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/stream/snapshot.h"

#define SECOND UINT64_C(1000000000)

/* After this many successive -EIO without a message the stream has failed. */
#define EIO_MAX 8

/* Publish the thread's sums to the processes that share the stream. */
static void
oa_stream_publish(const struct oa_stream *stream)
{
	struct oa_snapshot state;

	oa_snapshot_fill(&state, &stream->reports);
	state.report_ns = stream->report_ns;
	state.failure = stream->failure;
	state.proved = stream->clock.proved;
	oa_snapshot_publish(stream->page, &state);
}

void
oa_read_fail(struct oa_stream *stream, int failure)
{
	pthread_mutex_lock(&stream->lock);
	stream->failure = failure;
	pthread_cond_broadcast(&stream->completed);
	pthread_mutex_unlock(&stream->lock);
	if (stream->is_leader)
		oa_stream_publish(stream);
}

bool
oa_read_is_over(const struct oa_stream *stream)
{
	return atomic_load(&stream->stopping) || stream->failure ||
	       (stream->shared && stream->reports.loss);
}

/* Return when, on CLOCK_MONOTONIC, the newest report was taken. */
static uint64_t
newest_report_ns(struct oa_stream *stream)
{
	uint64_t ns, now;

	if (!stream->clock.proved)
		return monotonic_ns();
	oa_clock_refresh(&stream->clock);
	ns = oa_clock_monotonic_ns(&stream->clock, stream->reports.time);
	now = monotonic_ns();
	return ns < now ? ns : now;
}

/*
 * Deliver the records to the user's function, after one with the time of the
 * newest report.
 */
static void
deliver_records(struct oa_stream *stream, size_t length)
{
	uint8_t record[RECORDED_TIME_SIZE];

	if (stream->reports.count)
		stream->raw(stream->raw_data, record,
			    recorded_time(stream->report_ns,
					  stream->reports.time, record));
	stream->source->visit(stream->format, stream->buffer, length,
			      stream->raw, stream->raw_data);
}

static void
accept_records(struct oa_stream *stream, size_t length)
{
	bool first = !stream->reports.count;

	stream->eio_count = 0;
	pthread_mutex_lock(&stream->lock);
	stream->source->take(&stream->reports, stream->buffer, length);
	if (first && stream->reports.count)
		oa_clock_prove(&stream->clock, stream->enabled_at,
			       stream->reports.time);
	stream->report_ns = newest_report_ns(stream);
	pthread_mutex_unlock(&stream->lock);
	if (stream->raw)
		deliver_records(stream, length);
	if (stream->shared)
		oa_stream_publish(stream);
}

/*
 * Check the rate of timestamps with the time of the newest report. A read
 * returns all reports up to the hardware's position when it begins, or later
 * ones; the last one may be held back.
 */
static void
watch_time(struct oa_stream *stream, uint64_t begun_ns)
{
	const uint64_t held_ns =
		3 * oa_clock_ns(&stream->clock, stream->period) +
		stream->source->held_ns;
	const struct rate_mark mark = {
		.ticks = stream->reports.accumulator.sums[OA_SLOT_TIME],
		.from_ns = begun_ns - held_ns,
		.to_ns = monotonic_ns(),
	};

	if (!stream->reports.count || stream->reports.loss)
		return;
	rate_watch_add(&stream->rate, &mark);
	oa_clock_watch(&stream->clock, stream->reports.time, begun_ns, held_ns);
}

/*
 * Read the stream. Only here can the thread be cancelled, since a dead GPU
 * would keep it in read() for ever.
 */
static long
read_stream(struct oa_stream *stream)
{
	long length;

	atomic_store(&stream->reading, true);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	length = stream->source->read(stream->fd, stream->buffer,
				      sizeof(stream->buffer));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	atomic_store(&stream->reading, false);
	return length;
}

static void
deliver_message(struct oa_stream *stream)
{
	const enum oa_loss loss = stream->reports.loss;
	uint8_t record[OA_RECORD_SIZE_MAX];
	enum oa_record_type type = OA_RECORD_REPORT_LOST;

	if (loss)
		type = loss == OA_LOSS_COUNTER ? OA_RECORD_COUNTER_LOST
					       : OA_RECORD_BUFFER_LOST;
	stream->raw(stream->raw_data, record,
		    oa_records_make(type, NULL, 0, record));
}

/*
 * Handle the message that a failed read stands for. Returns -EINTR: read again.
 */
static int
take_message(struct oa_stream *stream)
{
	int ret;

	pthread_mutex_lock(&stream->lock);
	ret = stream->source->take_message(stream->fd, &stream->reports);
	pthread_mutex_unlock(&stream->lock);
	if (ret < 0)
		return ret;
	if (!ret && ++stream->eio_count == EIO_MAX)
		return -EIO;
	if (ret && stream->raw)
		deliver_message(stream);
	if (stream->shared)
		oa_stream_publish(stream);
	return -EINTR;
}

static bool
is_full(const struct oa_stream *stream, size_t length)
{
	return length + stream->source->header_size + stream->format->size >
	       OA_READ_SIZE;
}

/*
 * Return whether all reports that existed when reading began have been read. A
 * slow process would otherwise always find more.
 */
static bool
has_caught_up(const struct oa_stream *stream, uint64_t begun_ns, size_t bytes)
{
	return stream->clock.proved ? stream->report_ns >= begun_ns
				    : bytes >= OA_BUFFER_SIZE;
}

static void
check_for_reset(struct oa_stream *stream)
{
	const uint64_t *sums = stream->reports.accumulator.sums;
	int reset_check = 0;

	if (!oa_read_is_over(stream))
		reset_check = oa_reset_check_run(&stream->reset_check);
	if (!reset_check && stream->reports.count)
		reset_check = oa_reset_check_sums(&stream->reset_check, sums);
	if (reset_check)
		oa_read_fail(stream, reset_check);
}

void
oa_read_records(struct oa_stream *stream)
{
	const uint64_t first_ns = monotonic_ns();
	uint64_t begun_ns;
	size_t bytes = 0;
	bool more;
	long length;

	do {
		begun_ns = monotonic_ns();
		length = read_stream(stream);
		if (atomic_load(&stream->stopping))
			return;
		if (length == -EIO && stream->source->take_message) {
			length = take_message(stream);
			more = length == -EINTR;
			continue;
		}
		more = length > 0 && is_full(stream, (size_t)length);
		if (length <= 0)
			break;
		bytes += (size_t)length;
		accept_records(stream, (size_t)length);
		if (!more)
			watch_time(stream, begun_ns);
	} while (more && !oa_read_is_over(stream) &&
		 !has_caught_up(stream, first_ns, bytes));
	if (!length)
		oa_read_fail(stream, -ENODEV);
	else if (length < 0 && length != -EINTR && length != -EAGAIN)
		oa_read_fail(stream, (int)length);
	check_for_reset(stream);
}

static void
sleep_ns(uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t)(ns / SECOND),
				       .tv_nsec = (long)(ns % SECOND) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Sleep until a report at or after target must have been handed out. */
static void
await_report(const struct oa_stream *stream, uint64_t target)
{
	const struct oa_clock *clock = &stream->clock;
	const uint64_t period_ns = oa_clock_ns(clock, stream->period);
	const int64_t held_ns = stream->source->holds_last ? (int64_t)period_ns
							   : 0;
	const int64_t most = held_ns + 2 * (int64_t)period_ns;
	uint64_t ahead;
	int64_t left;

	if (!clock->proved) {
		sleep_ns(2 * period_ns);
		return;
	}
	/*
	 * Time of the first periodic report at or after target, plus one period
	 * if the kernel holds the last one back.
	 */
	ahead = (uint32_t)oa_time_distance(target, stream->reports.time);
	ahead += stream->period - 1;
	ahead -= ahead % stream->period;
	ahead += stream->reports.time;
	left = held_ns + (int64_t)(oa_clock_monotonic_ns(clock, ahead) -
				   monotonic_ns());
	/* A target from another process may be anything. */
	if (left > most)
		left = most;
	/* The report is late already: wait a little more. */
	sleep_ns(left > 0 ? (uint64_t)left : period_ns / 4);
}

static bool
is_reached(const struct oa_stream *stream, uint64_t target)
{
	return oa_time_distance(stream->reports.time, target) >= 0;
}

/*
 * Return the least timestamp of a report that was taken after this call began.
 */
static uint64_t
fence_target(struct oa_stream *stream)
{
	uint64_t now;

	if (stream->clock.proved && oa_clock_now(&stream->clock, &now))
		return now;
	sleep_ns(3 * oa_clock_ns(&stream->clock, stream->period) +
		 stream->source->held_ns);
	oa_read_records(stream);
	return stream->reports.time + 2 * stream->period;
}

/* Read until a report at or after target is there. */
static void
read_until_report(struct oa_stream *stream, uint64_t target)
{
	while (!is_reached(stream, target) && !oa_read_is_over(stream) &&
	       !stream->reports.loss) {
		await_report(stream, target);
		oa_read_records(stream);
	}
}

/*
 * Read the first reports. The unit has just been enabled, so any report is
 * younger than that.
 */
static void
read_first_reports(struct oa_stream *stream)
{
	while (!stream->reports.count && !oa_read_is_over(stream) &&
	       !stream->reports.loss) {
		sleep_ns(2 * oa_clock_ns(&stream->clock, stream->period));
		oa_read_records(stream);
	}
}

void
oa_read_for_fence(struct oa_stream *stream)
{
	if (stream->reports.count)
		read_until_report(stream, fence_target(stream));
	else
		read_first_reports(stream);
}
