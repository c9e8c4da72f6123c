/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread reads all reports (read.h), and completes fences.
 *
 * In a shared stream (shared_stream.h) the thread of one process, the leader,
 * reads and publishes a snapshot; the others wait to lead. Values are taken
 * from the snapshot, in the leader as well.
 */
#include "driver/intel/oa/stream/stream.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cold.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/stream/snapshot.h"
#include "driver/intel/oa/stream/read.h"
#include "driver/intel/oa/stream/errors.h"

#define SECOND UINT64_C(1000000000)

/* A fence fails after this time, and 20 periods, without a report. */
#define REPORT_TIMEOUT_NS (2 * SECOND)

/* Other processes give the leader up after this time without a heartbeat. */
#define LEADER_TIMEOUT_NS (3 * SECOND)
#define HEARTBEAT_MS 250

/*
 * Limit of a brief wait, while samples of other GPUs are still to be waited
 * for.
 */
#define BRIEFLY_NS (SECOND / 10)

/*
 * A stream is read seldom while sessions use fences only, which read by
 * themselves. Once a session has asked for the latest values, the stream is
 * read as often as the kernel looks at the hardware, for this time.
 */
#define LATEST_NS (SECOND / 2)

/* How often a process that does not lead checks whether it can. */
#define LEADER_POLL_MS 20

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

/* Complete all fences requested so far. */
static void
oa_stream_complete_fences(struct oa_stream *stream)
{
	uint64_t requested;

	pthread_mutex_lock(&stream->lock);
	requested = stream->fences_requested;
	pthread_mutex_unlock(&stream->lock);
	oa_read_for_fence(stream);
	pthread_mutex_lock(&stream->lock);
	stream->fences_completed = requested;
	pthread_cond_broadcast(&stream->completed);
	pthread_mutex_unlock(&stream->lock);
}

static void
complete_shared_fences(struct oa_stream *stream)
{
	struct oa_snapshot_page *page = stream->page;
	uint32_t requested;

	oa_shared_clear_wake(stream->shared);
	requested = oa_snapshot_requests(page);
	if (oa_snapshot_is_fenced(page, requested))
		return;
	oa_read_for_fence(stream);
	if (!atomic_load(&stream->stopping))
		oa_snapshot_complete_fences(page, requested);
}

enum work {
	WORK_WAKE,
	WORK_REPORTS,
	WORK_OTHERS,
	WORK_SERVER,
	WORK_KINDS,
};

static void
do_work(struct oa_stream *stream, const struct pollfd fds[WORK_KINDS])
{
	uint64_t count;

	if (stream->shared && fds[WORK_SERVER].revents)
		oa_shared_send_fds(stream->shared, stream->fd);
	if (fds[WORK_WAKE].revents) {
		if (read(stream->wake, &count, sizeof(count)) > 0 &&
		    !oa_read_is_over(stream) && !stream->shared)
			oa_stream_complete_fences(stream);
	} else if (fds[WORK_OTHERS].revents) {
		complete_shared_fences(stream);
	} else if (fds[WORK_REPORTS].revents & POLLIN ||
		   fds[WORK_REPORTS].fd < 0) {
		oa_read_records(stream);
	} else if (fds[WORK_REPORTS].revents) {
		oa_read_fail(stream, -ENODEV);
	}
}

static struct oa_attention *
oa_stream_attention(struct oa_stream *stream)
{
	return stream->shared ? &stream->page->attention : &stream->attention;
}

/* Return whether to sleep for long: no session asks for the latest values. */
static bool
may_idle(struct oa_stream *stream)
{
	struct oa_attention *attended = oa_stream_attention(stream);

	if (stream->reads_often)
		return false;
	attended->is_idle = 1;
	if (!atomic_exchange(&attended->looked, 0))
		return monotonic_ns() > stream->latest_until_ns;
	stream->latest_until_ns = monotonic_ns() + LATEST_NS;
	return false;
}

/* Poll for reports after a long sleep, if poll() reports them in time. */
static void
poll_reports(const struct oa_stream *stream, struct pollfd *reports,
	     bool is_time)
{
	if (stream->drain_ms)
		return;
	reports->fd = stream->fd;
	if (is_time)
		poll(reports, 1, 0);
}

static int
choose_timeout(const struct oa_stream *stream, bool is_idle)
{
	if (is_idle)
		return stream->idle_ms;
	if (stream->drain_ms)
		return stream->drain_ms;
	return stream->shared ? HEARTBEAT_MS : -1;
}

static void
wait_for_work(struct oa_stream *stream)
{
	const struct oa_shared *shared = stream->shared;
	const bool is_idle = may_idle(stream);
	struct pollfd fds[WORK_KINDS] = {
		[WORK_WAKE] = { stream->wake, POLLIN, 0 },
		[WORK_REPORTS] = { is_idle || stream->drain_ms ? -1
							       : stream->fd,
				   POLLIN, 0 },
		[WORK_OTHERS] = { shared ? oa_shared_wake_fd(shared) : -1,
				  POLLIN, 0 },
		[WORK_SERVER] = { shared ? oa_shared_server(shared) : -1,
				  POLLIN, 0 },
	};
	int count;

	oa_stream_attention(stream)->is_idle = is_idle;
	count = poll(fds, WORK_KINDS, choose_timeout(stream, is_idle));
	if (count < 0) {
		if (errno != EINTR)
			oa_read_fail(stream, -errno);
		return;
	}
	if (is_idle)
		poll_reports(stream, &fds[WORK_REPORTS], !count);
	if (shared)
		oa_snapshot_heartbeat(stream->page);
	do_work(stream, fds);
}

/* ------------------------------------------------------------------ */
/* Leading */

/* Go on from the state of the last leader. */
static void
restore_snapshot(struct oa_stream *stream, const struct oa_snapshot *state)
{
	uint64_t now;

	pthread_mutex_lock(&stream->lock);
	oa_snapshot_restore(state, &stream->reports);
	stream->report_ns = state->report_ns;
	if (state->failure)
		stream->failure = state->failure;
	pthread_mutex_unlock(&stream->lock);
	stream->clock.proved =
		state->proved && oa_clock_now(&stream->clock, &now);
}

static void
try_to_lead(struct oa_stream *stream)
{
	struct oa_snapshot state;

	if (!oa_shared_try_to_lead(stream->shared))
		return;
	/* No other process writes. */
	oa_snapshot_read(stream->page, &state);
	restore_snapshot(stream, &state);
	rate_watch_init(&stream->rate, stream->clock.hz);
	stream->is_leader = true;
}

static void
wait_to_lead(struct oa_stream *stream)
{
	struct pollfd fd = { .fd = stream->wake, .events = POLLIN };
	struct oa_snapshot state;
	uint64_t count;

	if (poll(&fd, 1, LEADER_POLL_MS) > 0 &&
	    read(stream->wake, &count, sizeof(count)) < 0)
		return;
	if (oa_read_is_over(stream))
		return;
	try_to_lead(stream);
	if (stream->is_leader)
		complete_shared_fences(
			stream); /* requested from the last leader */
	else if (oa_snapshot_read(stream->page, &state) &&
		 oa_snapshot_is_end(&state))
		restore_snapshot(stream, &state);
}

static void
end_leading(struct oa_stream *stream)
{
	if (stream->is_leader)
		oa_shared_end_leading(stream->shared);
	stream->is_leader = false;
}

/* Close a failed stream, so that the next one can be opened. */
static void
oa_stream_retire(struct oa_stream *stream)
{
	struct oa_snapshot_page *page = stream->page;

	stream->retired = true;
	if (stream->is_leader)
		oa_snapshot_complete_fences(page, oa_snapshot_requests(page));
	end_leading(stream);
	fork_close_finish(&stream->fork_close);
	oa_shared_close(stream->shared);
}

static void
free_stream(struct oa_stream *stream)
{
	close(stream->wake);
	fork_close_finish(&stream->fork_close);
	free(stream);
}

static void *
oa_stream_drain_thread(void *data)
{
	struct oa_stream *stream = data;
	bool orphaned;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	while (!oa_read_is_over(stream)) {
		if (stream->shared && !stream->is_leader)
			wait_to_lead(stream);
		else
			wait_for_work(stream);
	}
	if (stream->shared && !atomic_load(&stream->stopping))
		oa_stream_retire(stream);
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

	/* Cannot fail: the eventfd's counter never reaches its limit. */
	while (write(stream->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static bool
join_thread_within(struct oa_stream *stream, uint64_t ns)
{
	struct timespec deadline = timespec_of(monotonic_ns() + ns);

	return !pthread_clockjoin_np(stream->thread, NULL, CLOCK_MONOTONIC,
				     &deadline);
}

/*
 * End the thread. If it is stuck in the kernel, because the GPU has died,
 * cancel it; the user's function for records is waited for. Returns 0, or
 * -ETIME if the thread cannot be cancelled.
 */
static int
end_thread(struct oa_stream *stream)
{
	atomic_store(&stream->stopping, true);
	wake_thread(stream);
	while (!join_thread_within(stream, SECOND)) {
		if (!atomic_load(&stream->reading))
			continue;
		pthread_cancel(stream->thread);
		if (join_thread_within(stream, SECOND))
			break;
		if (atomic_load(&stream->reading))
			return -ETIME;
	}
	stream->running = false;
	return 0;
}

/* Leave the stream to its thread, which frees it if it ever returns. */
static void
oa_stream_orphan(struct oa_stream *stream)
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
	ret = pthread_cond_init(&stream->completed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (ret)
		pthread_mutex_destroy(&stream->lock);
	return -ret;
}

int
oa_stream_create(const struct oa_stream_setup *setup, struct oa_stream **out)
{
	struct oa_stream *stream = malloc(sizeof(*stream));
	int ret;

	if (!stream)
		return -ENOMEM;
	/* The buffer stays untouched until the kernel writes to it. */
	memset(stream, 0, offsetof(struct oa_stream, buffer));
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
	stream->drain_ms =
		setup->drain_ms ? setup->drain_ms : setup->source->drain_ms;
	stream->reads_often = setup->reads_often;
	stream->shared = setup->shared;
	if (setup->shared)
		stream->page = oa_shared_snapshot(setup->shared);
	stream->gpu = setup->gpu;
	stream->source = setup->source;
	oa_clock_init(&stream->clock, setup->timestamps.read,
		      setup->timestamps.data, setup->timestamps.hz,
		      setup->timestamps.engine_hz);
	stream->idle_ms =
		(int)oa_idle_ms(stream->format->size,
				oa_clock_ns(&stream->clock, stream->period));
	*out = stream;
	return 0;

close_wake:
	close(stream->wake);
free_stream:
	free(stream);
	return ret;
}

/* Request a fence. Caller holds stream->lock. */
COLD static void
request_fence(struct oa_stream *stream)
{
	const uint64_t patience =
		REPORT_TIMEOUT_NS +
		20 * oa_clock_ns(&stream->clock, stream->period);

	stream->fence = (struct oa_fence){
		.kind = OA_FENCE_OWN,
		.ticket = ++stream->fences_requested,
		.until_ns = monotonic_ns() + patience,
	};
	wake_thread(stream);
}

static bool
is_fenced(const struct oa_stream *stream)
{
	return stream->fences_completed >= stream->fence.ticket ||
	       stream->failure;
}

/*
 * Wait until a report younger than the request has been read. Caller holds
 * stream->lock.
 */
COLD static int
pass_fence(struct oa_stream *stream, bool briefly, struct drmperf_error *error)
{
	struct timespec deadline = timespec_of(
		briefly ? monotonic_ns() + BRIEFLY_NS : stream->fence.until_ns);

	while (!is_fenced(stream)) {
		if (pthread_cond_timedwait(&stream->completed, &stream->lock,
					   &deadline) == ETIMEDOUT &&
		    !is_fenced(stream))
			return briefly ? DRIVER_SAMPLE_PENDING
				       : oa_error_silence(error);
	}
	return 0;
}

/* Copy the latest sums to a sample. Caller holds stream->lock. */
static int
fill_sample(const struct oa_stream *stream, const struct oa_requests *requests,
	    struct oa_sample *out, struct drmperf_error *error)
{
	int ret;

	ret = stream->failure ? oa_error_failure(stream->failure, error)
			      : oa_error_loss(stream->reports.loss,
					      stream->reports.lost,
					      stream->reports.late, error);
	if (ret)
		return ret;
	oa_requests_fill(requests, stream->reports.accumulator.sums,
			 stream->report_ns, out);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Fences and sums of a shared stream                                   */

static void
request_shared_fence(struct oa_stream *stream)
{
	stream->fence = (struct oa_fence){
		.kind = OA_FENCE_SHARED,
		.ticket = oa_snapshot_request_fence(stream->page),
	};
	oa_shared_wake(stream->shared);
}

/*
 * Return whether the fence is overdue. The time limit starts with the first
 * call.
 */
static bool
is_overdue(struct oa_stream *stream)
{
	const uint64_t period_ns = oa_clock_ns(&stream->clock, stream->period);
	const uint64_t now = monotonic_ns();

	if (!stream->fence.until_ns)
		stream->fence.until_ns =
			now + LEADER_TIMEOUT_NS + 20 * period_ns;
	return now > stream->fence.until_ns;
}

/* Wait on after the first wait has timed out. */
COLD static int
await_shared_fence(struct oa_stream *stream, bool briefly,
		   struct drmperf_error *error)
{
	struct oa_snapshot_page *page = stream->page;
	const uint32_t ticket = (uint32_t)stream->fence.ticket;
	struct oa_snapshot state;
	int ret;

	while (!oa_snapshot_is_fenced(page, ticket) && !stream->retired) {
		if (oa_snapshot_read(page, &state) &&
		    oa_snapshot_is_end(&state))
			break;
		if (is_overdue(stream)) {
			ret = oa_shared_explain_absence(stream->shared, error);
			return ret ? ret : oa_error_silence(error);
		}
		if (briefly)
			return DRIVER_SAMPLE_PENDING;
		oa_snapshot_wait_fence(page, ticket, BRIEFLY_NS);
	}
	return 0;
}

static int
pass_shared_fence(struct oa_stream *stream, bool briefly,
		  struct drmperf_error *error)
{
	struct oa_snapshot_page *page = stream->page;
	const uint32_t ticket = (uint32_t)stream->fence.ticket;

	oa_snapshot_wait_fence(page, ticket, BRIEFLY_NS);
	return oa_snapshot_is_fenced(page, ticket)
		       ? 0
		       : await_shared_fence(stream, briefly, error);
}

static int
fill_from_snapshot(struct oa_stream *stream, const struct oa_requests *requests,
		   struct oa_sample *out, struct drmperf_error *error)
{
	struct oa_snapshot state;
	int ret;

	if (!oa_snapshot_read_sums(stream->page, requests, &state))
		return -EAGAIN;
	/* If retired, the snapshot may be of another stream. */
	if (stream->retired)
		return -ESTALE;
	ret = state.failure ? oa_error_failure(state.failure, error)
			    : oa_error_loss((enum oa_loss)state.loss,
					    state.lost, state.late, error);
	if (!ret)
		ret = oa_shared_explain_absence(stream->shared, error);
	if (ret)
		return ret;
	oa_requests_fill(requests, state.sums, state.report_ns, out);
	return 0;
}

/* ------------------------------------------------------------------ */

/* Note that a session asks for the latest values. */
static void
oa_stream_note_latest(struct oa_stream *stream)
{
	struct oa_attention *attended = oa_stream_attention(stream);

	if (!atomic_load_explicit(&attended->looked, memory_order_relaxed))
		attended->looked = 1;
	if (!atomic_load(&attended->is_idle))
		return;
	attended->is_idle = 0;
	if (stream->shared)
		oa_shared_wake(stream->shared);
	else
		wake_thread(stream);
}

void
oa_stream_request(struct oa_stream *stream, bool fence)
{
	stream->fence.kind = OA_FENCE_NONE;
	if (!fence)
		return;
	if (stream->shared && !stream->retired) {
		request_shared_fence(stream);
		return;
	}
	pthread_mutex_lock(&stream->lock);
	if (!stream->failure && !stream->reports.loss)
		request_fence(stream);
	pthread_mutex_unlock(&stream->lock);
}

int
oa_stream_wait(struct oa_stream *stream, bool briefly,
	       const struct oa_requests *requests, struct oa_sample *out,
	       struct drmperf_error *error)
{
	int ret = 0;

	if (stream->fence.kind == OA_FENCE_NONE)
		oa_stream_note_latest(stream);
	if (stream->shared && !stream->retired) {
		if (stream->fence.kind == OA_FENCE_SHARED)
			ret = pass_shared_fence(stream, briefly, error);
		if (!ret)
			ret = fill_from_snapshot(stream, requests, out, error);
		if (ret != -ESTALE)
			return ret;
		ret = 0;
	}
	pthread_mutex_lock(&stream->lock);
	if (stream->fence.kind == OA_FENCE_OWN)
		ret = pass_fence(stream, briefly, error);
	if (!ret)
		ret = fill_sample(stream, requests, out, error);
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

int
oa_stream_sample(struct oa_stream *stream, bool fence,
		 const struct oa_requests *requests, struct oa_sample *out,
		 struct drmperf_error *error)
{
	oa_stream_request(stream, fence);
	return oa_stream_wait(stream, false, requests, out, error);
}

int
oa_stream_sample_at_once(struct oa_stream *stream,
			 const struct oa_requests *requests,
			 struct oa_sample *out, struct drmperf_error *error)
{
	int ret;

	oa_stream_note_latest(stream);
	if (stream->shared && !stream->retired) {
		ret = fill_from_snapshot(stream, requests, out, error);
		if (ret != -ESTALE)
			return ret;
	}
	if (pthread_mutex_trylock(&stream->lock))
		return -EAGAIN;
	ret = fill_sample(stream, requests, out, error);
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

static uint64_t
clock_now(void *data)
{
	struct oa_clock *clock = data;
	uint64_t now = 0;

	oa_clock_now(clock, &now);
	return now;
}

static int
oa_stream_enable(struct oa_stream *stream, struct drmperf_error *error)
{
	int ret;

	if (stream->shared) {
		ret = oa_shared_enable(stream->shared, stream->fd, clock_now,
				       &stream->clock, &stream->enabled_at,
				       error);
		if (!ret)
			try_to_lead(stream);
		return ret;
	}
	stream->enabled_at = clock_now(&stream->clock);
	ret = stream->source->enable(stream->fd);
	return ret < 0 ? oa_error_failure(ret, error) : 0;
}

/*
 * Disable the stream. A shared one goes on, as others may count by it; the
 * kernel disables it when all have closed it.
 */
static int
oa_stream_disable(struct oa_stream *stream)
{
	int ret;

	if (stream->shared) {
		end_leading(stream);
		return 0;
	}
	ret = stream->source->disable(stream->fd);
	return ret < 0 ? ret : 0;
}

int
oa_stream_start(struct oa_stream *stream, struct drmperf_error *error)
{
	const struct oa_requests none = { .count = 0 };
	struct oa_sample first;
	int ret;

	oa_reports_init(&stream->reports, stream->format, stream->gap_limit);
	stream->fences_requested = stream->fences_completed = 0;
	stream->failure = 0;
	stream->eio_count = 0;
	stream->clock.proved = false;
	rate_watch_init(&stream->rate, stream->clock.hz);
	oa_reset_check_begin(&stream->reset_check, stream->gpu, stream->format);
	atomic_store(&stream->stopping, false);
	atomic_store(&stream->reading, false);
	ret = oa_stream_enable(stream, error);
	if (ret)
		return ret;
	ret = thread_create(&stream->thread, "drmperf-oa",
			    oa_stream_drain_thread, stream);
	if (ret) {
		error_set(error, ret, "cannot make a thread: %s",
			  strerror(-ret));
		goto disable;
	}
	stream->running = true;
	ret = oa_stream_sample(stream, true, &none, &first, error);
	if (!ret)
		return 0;
	end_thread(stream);
disable:
	oa_stream_disable(stream);
	return ret;
}

int
oa_stream_stop(struct oa_stream *stream)
{
	int ret;

	if (!stream->running)
		return 0;
	ret = end_thread(stream);
	if (ret && stream->shared)
		end_leading(stream);
	return ret ? ret : oa_stream_disable(stream);
}

void
oa_stream_read_often(struct oa_stream *stream)
{
	stream->reads_often = true;
	wake_thread(stream);
}

bool
oa_stream_gets_records(const struct oa_stream *stream)
{
	return !stream->shared || stream->is_leader;
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
		oa_stream_orphan(stream);
		return;
	}
	pthread_cond_destroy(&stream->completed);
	pthread_mutex_destroy(&stream->lock);
	free_stream(stream);
}

void
oa_stream_abandon(struct oa_stream *stream)
{
	/* A thread that the child lacks may hold the locks. */
	if (stream)
		free_stream(stream);
}
