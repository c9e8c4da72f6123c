/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_dispatch.h"

#include <errno.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frontend/call_thread.h"
#include "roc_context.h"
#include "roc_cxx.h"
#include "roc_error.h"
#include "roc_time.h"
#include "roc_turn.h"

#define END_SECONDS 1 /* for HSA to report signals when it ends */

enum state {
	SUBMITTED, /* `reached` is to come */
	WAITING, /* for its turn */
	RUNNING,
	LEAVING /* the last packet is to be executed */
};

enum {
	SIGNAL_REACHED,
	SIGNAL_BEGUN,
	SIGNAL_ENDED,
	SIGNAL_REPORTED,
	SIGNALS
};

/* A record that no tool deletes. */
struct owned_record {
	struct owned_record *next;
	rocprofiler_dispatch_record_t *record;
};

struct agent_worker; /* of a GPU */

struct roc_dispatch {
	struct roc_dispatch *next; /* of all that were submitted */
	struct roc_dispatch *next_turn;
	struct agent_worker *worker;
	const void *queue;
	uint64_t place; /* of its first packet in the queue */
	enum state state;
	bool is_cancelled;
	rocprofiler_group_t group; /* context NULL: counts nothing */
	hsa_signal_t signals[SIGNALS];
	hsa_signal_t original; /* the program's, or 0 */
	rocprofiler_dispatch_record_t *record; /* NULL: no times are wanted */
	struct owned_record *owned;
};

struct agent_worker {
	struct agent_worker *next;
	hsa_agent_t agent;
	pthread_t thread;
	struct roc_turn turn; /* of this process */
	pthread_cond_t changed; /* there is a turn, or the end */
	struct roc_dispatch *first_turn, **last_turn;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a dispatch has run, or is gone */
	bool is_ending;
	struct agent_worker *workers;
	struct roc_dispatch *dispatches;
	struct owned_record *owned;
} all = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER,
};

/* The dispatch whose turn this thread makes. */
static _Thread_local struct roc_dispatch *running;
/* HSA reports signals in this thread. */
static _Thread_local bool is_reporting;

/* ------------------------------------------------------------------ */
/* Making and releasing                                                 */

static void
dispatch_release(struct roc_dispatch *dispatch)
{
	for (unsigned i = 0; i < SIGNALS; i++) {
		if (dispatch->signals[i].handle)
			hsa_signal_destroy(dispatch->signals[i]);
	}
	free(dispatch->owned);
	free(dispatch);
}

/* Remove a dispatch that has left its queue. Caller holds all.lock. */
static void
remove_dispatch(struct roc_dispatch *dispatch)
{
	struct roc_dispatch **at = &all.dispatches;

	while (*at != dispatch)
		at = &(*at)->next;
	*at = dispatch->next;
	dispatch_release(dispatch);
	pthread_cond_broadcast(&all.changed);
}

static int
make_signals(struct roc_dispatch *dispatch, struct drmperf_error *error)
{
	for (unsigned i = 0; i < SIGNALS; i++) {
		hsa_status_t status =
			hsa_signal_create(1, 0, NULL, &dispatch->signals[i]);

		if (status)
			return roc_fail_hsa(error, "hsa_signal_create", status);
	}
	return 0;
}

static int
make_record(struct roc_dispatch *dispatch, struct drmperf_error *error)
{
	dispatch->record = roc_cxx_new(sizeof(*dispatch->record));
	dispatch->owned = calloc(1, sizeof(*dispatch->owned));
	if (!dispatch->record || !dispatch->owned)
		return fe_fail_memory(error);
	memset(dispatch->record, 0, sizeof(*dispatch->record));
	return roc_time_now(&dispatch->record->dispatch, error);
}

/*
 * Keep the record of an uncounted dispatch until the end. A tool owns that of
 * one that it has counted: tools for AMD's library delete it.
 */
static void
keep_uncounted_record(struct roc_dispatch *dispatch)
{
	struct owned_record *owned = dispatch->owned;

	if (!owned || dispatch->group.context)
		return;
	owned->record = dispatch->record;
	pthread_mutex_lock(&all.lock);
	owned->next = all.owned;
	all.owned = owned;
	pthread_mutex_unlock(&all.lock);
	dispatch->owned = NULL;
}

/*
 * Set the time of completion; afterwards the record may be gone: a tool may
 * wait for this time.
 */
static void
complete_record(struct roc_dispatch *dispatch)
{
	uint64_t now = 0;

	if (!dispatch->record)
		return;
	roc_time_now(&now, NULL);
	__atomic_store_n(&dispatch->record->complete, now, __ATOMIC_RELEASE);
}

static void *
worker_main(void *data);

/* Make the agent's worker and thread. Caller holds all.lock. */
static int
worker_create(hsa_agent_t agent, struct agent_worker **out,
	      struct drmperf_error *error)
{
	struct agent_worker *worker = calloc(1, sizeof(*worker));
	int rc;

	if (!worker)
		return fe_fail_memory(error);
	worker->agent = agent;
	worker->last_turn = &worker->first_turn;
	pthread_cond_init(&worker->changed, NULL);
	roc_turn_open(agent, &worker->turn);
	rc = call_thread_start(&worker->thread, worker_main, worker);
	if (rc) {
		roc_turn_close(&worker->turn);
		pthread_cond_destroy(&worker->changed);
		free(worker);
		return fe_fail(error, rc, "", "pthread_create: %s",
			       strerror(-rc));
	}
	worker->next = all.workers;
	all.workers = worker;
	*out = worker;
	return 0;
}

static int
worker_find(hsa_agent_t agent, struct agent_worker **out,
	    struct drmperf_error *error)
{
	struct agent_worker *worker;
	int rc = 0;

	pthread_mutex_lock(&all.lock);
	worker = all.workers;
	while (worker && worker->agent.handle != agent.handle)
		worker = worker->next;
	if (!worker)
		rc = worker_create(agent, &worker, error);
	pthread_mutex_unlock(&all.lock);
	*out = worker;
	return rc;
}

int
roc_dispatch_create(hsa_agent_t agent, const void *queue, bool with_times,
		    struct roc_dispatch **out, struct drmperf_error *error)
{
	struct roc_dispatch *dispatch = calloc(1, sizeof(*dispatch));
	int rc;

	if (!dispatch)
		return fe_fail_memory(error);
	dispatch->queue = queue;
	rc = worker_find(agent, &dispatch->worker, error);
	if (!rc)
		rc = make_signals(dispatch, error);
	if (!rc && with_times)
		rc = make_record(dispatch, error);
	if (!rc) {
		*out = dispatch;
		return 0;
	}
	roc_cxx_delete(dispatch->record);
	dispatch_release(dispatch);
	return rc;
}

void
roc_dispatch_destroy(struct roc_dispatch *dispatch,
		     const rocprofiler_group_t *group)
{
	dispatch->group = *group;
	keep_uncounted_record(dispatch);
	complete_record(dispatch);
	dispatch_release(dispatch);
}

const rocprofiler_dispatch_record_t *
roc_dispatch_record(const struct roc_dispatch *dispatch)
{
	return dispatch->record;
}

/* ------------------------------------------------------------------ */
/* Packets                                                              */

static void
fill_barrier(hsa_signal_t after, hsa_signal_t completion, union roc_packet *out)
{
	memset(out, 0, sizeof(*out));
	out->barrier.header = HSA_PACKET_TYPE_BARRIER_AND
				      << HSA_PACKET_HEADER_TYPE |
			      1 << HSA_PACKET_HEADER_BARRIER;
	out->barrier.dep_signal[0] = after;
	out->barrier.completion_signal = completion;
}

static void
fill_packets(const struct roc_dispatch *dispatch,
	     const union roc_packet *packet, union roc_packet *out)
{
	const hsa_signal_t *signals = dispatch->signals;
	const hsa_signal_t none = { 0 };

	fill_barrier(none, signals[SIGNAL_REACHED], &out[0]);
	fill_barrier(signals[SIGNAL_BEGUN], none, &out[1]);
	out[2] = *packet;
	out[2].dispatch.header |= 1 << HSA_PACKET_HEADER_BARRIER;
	out[2].dispatch.completion_signal = signals[SIGNAL_ENDED];
	fill_barrier(signals[SIGNAL_REPORTED], signals[SIGNAL_REACHED],
		     &out[3]);
}

/* ------------------------------------------------------------------ */
/* Callbacks of HSA's signals                                           */

static bool
is_cancelled(const struct roc_dispatch *dispatch)
{
	return __atomic_load_n(&dispatch->is_cancelled, __ATOMIC_ACQUIRE);
}

/* Fail waiters: this dispatch was not counted. */
static void
end_uncounted(struct roc_dispatch *dispatch)
{
	struct drmperf_error error;

	complete_record(dispatch);
	if (!dispatch->group.context)
		return;
	fe_fail(&error, -ECANCELED, "",
		"the dispatch did not come to an end: its queue was "
		"destroyed, or failed");
	roc_context_end_dispatch(dispatch->group.context, dispatch->group.index,
				 -ECANCELED, &error);
}

/* Run the function without the lock. Caller holds all.lock. */
static void
dispatch_run(struct roc_dispatch *dispatch,
	     void (*function)(struct roc_dispatch *))
{
	dispatch->state = RUNNING;
	running = dispatch;
	pthread_mutex_unlock(&all.lock);
	function(dispatch);
	pthread_mutex_lock(&all.lock);
	running = NULL;
}

static bool
has_left(hsa_signal_value_t value, void *data)
{
	(void)value;
	is_reporting = true;
	pthread_mutex_lock(&all.lock);
	remove_dispatch(data);
	pthread_mutex_unlock(&all.lock);
	return false;
}

/* Queue the dispatch in its worker. Caller holds all.lock. */
static void
queue_turn(struct roc_dispatch *dispatch)
{
	struct agent_worker *worker = dispatch->worker;

	dispatch->state = WAITING;
	*worker->last_turn = dispatch;
	worker->last_turn = &dispatch->next_turn;
	pthread_cond_signal(&worker->changed);
}

static bool
was_reached(hsa_signal_value_t value, void *data)
{
	struct roc_dispatch *dispatch = data;

	(void)value;
	is_reporting = true;
	pthread_mutex_lock(&all.lock);
	if (dispatch->is_cancelled) {
		dispatch_run(dispatch, end_uncounted);
		remove_dispatch(dispatch);
	} else {
		queue_turn(dispatch);
	}
	pthread_mutex_unlock(&all.lock);
	return false;
}

static int
call_handler_on_signal(hsa_signal_t signal, hsa_amd_signal_handler handler,
		       struct roc_dispatch *dispatch,
		       struct drmperf_error *error)
{
	hsa_status_t status = hsa_amd_signal_async_handler(
		signal, HSA_SIGNAL_CONDITION_LT, 1, handler, dispatch);

	return status ? roc_fail_hsa(error, "hsa_amd_signal_async_handler",
				     status)
		      : 0;
}

int
roc_dispatch_submit(struct roc_dispatch *dispatch,
		    const rocprofiler_group_t *group, uint64_t place,
		    const union roc_packet *packet, union roc_packet *out,
		    struct drmperf_error *error)
{
	int rc;

	dispatch->place = place;
	dispatch->original = packet->dispatch.completion_signal;
	dispatch->group = *group;
	fill_packets(dispatch, packet, out);
	rc = call_handler_on_signal(dispatch->signals[SIGNAL_REACHED],
				    was_reached, dispatch, error);
	if (rc)
		return rc;
	keep_uncounted_record(dispatch);
	if (group->context)
		roc_context_expect(group->context, group->index);
	pthread_mutex_lock(&all.lock);
	dispatch->next = all.dispatches;
	all.dispatches = dispatch;
	pthread_mutex_unlock(&all.lock);
	return 0;
}

/*
 * Return the place of the queue's oldest dispatch, or UINT64_MAX. Caller holds
 * all.lock.
 */
static uint64_t
find_oldest(const void *queue)
{
	uint64_t oldest = UINT64_MAX;

	for (const struct roc_dispatch *i = all.dispatches; i; i = i->next) {
		if (i->queue == queue && i->place < oldest)
			oldest = i->place;
	}
	return oldest;
}

uint64_t
roc_dispatch_await(const void *queue, uint64_t place, unsigned seconds)
{
	struct timespec until;
	uint64_t oldest;
	int rc = is_reporting ? ETIMEDOUT : 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	pthread_mutex_lock(&all.lock);
	while ((oldest = find_oldest(queue)) < place && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&all.changed, &all.lock, &until);
	pthread_mutex_unlock(&all.lock);
	return oldest;
}

/* ------------------------------------------------------------------ */
/* Turns                                                                */

static void
take_times(struct roc_dispatch *dispatch)
{
	rocprofiler_dispatch_record_t *record = dispatch->record;
	hsa_amd_profiling_dispatch_time_t time = { 0 };

	if (record && !hsa_amd_profiling_get_dispatch_time(
			      dispatch->worker->agent,
			      dispatch->signals[SIGNAL_ENDED], &time)) {
		roc_time_of_ticks(time.start, &record->begin, NULL);
		roc_time_of_ticks(time.end, &record->end, NULL);
	}
	complete_record(dispatch);
}

/*
 * Complete the program's signal as the packet would have done, with its times.
 */
static void
complete_original(const struct roc_dispatch *dispatch)
{
	const amd_signal_t *ours =
		(const amd_signal_t *)(uintptr_t)dispatch->signals[SIGNAL_ENDED]
			.handle;
	amd_signal_t *original =
		(amd_signal_t *)(uintptr_t)dispatch->original.handle;

	if (!original)
		return;
	original->start_ts = ours->start_ts;
	original->end_ts = ours->end_ts;
	hsa_signal_subtract_screlease(dispatch->original, 1);
}

/* Execute a dispatch and count it, unless the reason why not is given. */
static void
dispatch_execute(struct roc_dispatch *dispatch, int rc,
		 struct drmperf_error *error)
{
	const rocprofiler_group_t group = dispatch->group;

	if (group.context && !rc)
		rc = roc_context_start(group.context, group.index, error);
	hsa_signal_store_screlease(dispatch->signals[SIGNAL_BEGUN], 0);
	hsa_signal_wait_scacquire(dispatch->signals[SIGNAL_ENDED],
				  HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
				  HSA_WAIT_STATE_BLOCKED);
	if (is_cancelled(dispatch)) {
		end_uncounted(dispatch);
		return;
	}
	take_times(dispatch);
	if (group.context)
		roc_context_end_dispatch(group.context, group.index, rc, error);
	complete_original(dispatch);
}

/* Count a dispatch, which is this thread's. The lock is not held. */
static void
dispatch_count(struct roc_dispatch *dispatch)
{
	struct roc_turn *turn = &dispatch->worker->turn;
	struct drmperf_error error = { 0 };
	const int rc = roc_turn_take(turn, &dispatch->is_cancelled, &error);

	if (is_cancelled(dispatch))
		end_uncounted(dispatch);
	else
		dispatch_execute(dispatch, rc, &error);
	if (!rc)
		roc_turn_end(turn);
}

/*
 * Continue the queue, and wait for the end of its packets. Caller holds
 * all.lock.
 */
static void
dispatch_leave(struct roc_dispatch *dispatch)
{
	const hsa_signal_t reached = dispatch->signals[SIGNAL_REACHED];
	struct drmperf_error error;

	dispatch->state = LEAVING;
	dispatch->group.context = NULL;
	pthread_cond_broadcast(&all.changed);
	hsa_signal_store_relaxed(reached, dispatch->is_cancelled ? 0 : 1);
	if (call_handler_on_signal(reached, has_left, dispatch, &error))
		fe_report(ROC_LIBRARY, "a dispatch", -EIO, &error);
	hsa_signal_store_screlease(dispatch->signals[SIGNAL_REPORTED], 0);
}

/*
 * Count the worker's first dispatch. Caller holds all.lock; it is released
 * while the dispatch runs.
 */
static void
worker_count_first(struct agent_worker *worker)
{
	struct roc_dispatch *dispatch = worker->first_turn;

	worker->first_turn = dispatch->next_turn;
	if (!worker->first_turn)
		worker->last_turn = &worker->first_turn;
	dispatch_run(dispatch, dispatch_count);
	dispatch_leave(dispatch);
}

static void *
worker_main(void *data)
{
	struct agent_worker *worker = data;

	pthread_mutex_lock(&all.lock);
	while (worker->first_turn || !all.is_ending) {
		if (worker->first_turn)
			worker_count_first(worker);
		else
			pthread_cond_wait(&worker->changed, &all.lock);
	}
	pthread_mutex_unlock(&all.lock);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Ends                                                                 */

void
roc_dispatch_forget(const rocprofiler_t *context)
{
	struct roc_dispatch *i;

	pthread_mutex_lock(&all.lock);
	i = all.dispatches;
	while (i) {
		const bool is_used = i->group.context == context;

		if (is_used && i->state == RUNNING && i != running) {
			pthread_cond_wait(&all.changed, &all.lock);
			i = all.dispatches;
			continue;
		}
		if (is_used)
			i->group.context = NULL;
		i = i->next;
	}
	pthread_mutex_unlock(&all.lock);
}

/*
 * Cancel a dispatch: complete its signals in the GPU's place. Caller holds
 * all.lock.
 */
static void
dispatch_cancel(struct roc_dispatch *dispatch)
{
	__atomic_store_n(&dispatch->is_cancelled, true, __ATOMIC_RELEASE);
	switch (dispatch->state) {
	case SUBMITTED:
	case LEAVING:
		hsa_signal_store_screlease(dispatch->signals[SIGNAL_REACHED],
					   0);
		break;
	case RUNNING:
		hsa_signal_store_screlease(dispatch->signals[SIGNAL_ENDED], 0);
		break;
	case WAITING:
		break;
	}
}

void
roc_dispatch_cancel(const void *queue)
{
	pthread_mutex_lock(&all.lock);
	for (struct roc_dispatch *i = all.dispatches; i; i = i->next) {
		if (!queue || i->queue == queue)
			dispatch_cancel(i);
	}
	pthread_mutex_unlock(&all.lock);
}

static void
wait_until_gone(void)
{
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_SECONDS;
	while (all.dispatches && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&all.changed, &all.lock, &until);
}

static void
worker_end(struct agent_worker *worker)
{
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&all.lock);
	pthread_join(worker->thread, NULL);
	pthread_mutex_lock(&all.lock);
	pthread_cond_destroy(&worker->changed);
	roc_turn_close(&worker->turn);
	free(worker);
}

void
roc_dispatch_end(void)
{
	roc_dispatch_cancel(NULL);
	pthread_mutex_lock(&all.lock);
	wait_until_gone();
	all.is_ending = true;
	while (all.workers) {
		struct agent_worker *worker = all.workers;

		all.workers = worker->next;
		worker_end(worker);
	}
	all.is_ending = false;
	while (all.owned) {
		struct owned_record *owned = all.owned;

		all.owned = owned->next;
		roc_cxx_delete(owned->record);
		free(owned);
	}
	pthread_mutex_unlock(&all.lock);
}
