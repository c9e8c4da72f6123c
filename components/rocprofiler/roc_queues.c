/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_queues.h"

#include <errno.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "roc_agent.h"
#include "roc_context.h"
#include "roc_dispatch.h"
#include "roc_enable.h"
#include "roc_error.h"
#include "roc_handles.h"
#include "roc_kernels.h"
#include "roc_table.h"

/*
 * Most packets in place of a dispatch, with the one that makes the queue count.
 */
#define MOST_PACKETS (1 + ROC_DISPATCH_PACKETS)
#define LEAST_SIZE 16 /* a power of 2, with room for them */

/*
 * A queue has packets of so many dispatches at first, and then up to its size
 * if none of them ends for some time: they may wait for what their program does
 * after it has submitted more. HSA before ROCm 6 loses the order of packets
 * that do not fit into a queue.
 */
#define FIRST_WINDOW (64u * ROC_DISPATCH_PACKETS)
#define WINDOW_SECONDS 1
#define FULL_SECONDS 60

typedef void (*queue_callback)(hsa_status_t status, hsa_queue_t *source,
			       void *data);

/* A queue whose packets are seen. */
struct queue {
	struct queue *next;
	hsa_agent_t agent;
	hsa_queue_t *hsa;
	uint32_t id, node;
	bool is_enabled; /* its first packet was that */
	uint64_t written; /* packets */
	uint64_t oldest; /* no dispatch that has not left it is before this */
	uint64_t window; /* packets that it may have */
	int failed; /* what keeps it from counting, or 0 */
	struct drmperf_error why;
	queue_callback callback; /* the program's, or NULL */
	void *data;
};

static struct {
	pthread_mutex_t lock;
	bool intercept;
	bool with_times, is_brief; /* as the tool has set */
	struct queue *queues;
	uint32_t next_id;
	bool has_callbacks, is_paused;
	rocprofiler_queue_callbacks_t callbacks;
	void *data;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .with_times = true };

/* ------------------------------------------------------------------ */
/* Callbacks                                                            */

int
roc_queues_set_callbacks(const rocprofiler_queue_callbacks_t *callbacks,
			 void *data, struct drmperf_error *error)
{
	bool is_busy;

	pthread_mutex_lock(&all.lock);
	is_busy = all.has_callbacks;
	if (!is_busy) {
		all.has_callbacks = true;
		all.is_paused = false;
		all.callbacks = *callbacks;
		all.data = data;
	}
	pthread_mutex_unlock(&all.lock);
	if (is_busy)
		return fe_fail(error, -EBUSY,
			       "call rocprofiler_remove_queue_callbacks()",
			       "there are callbacks for queues already");
	return 0;
}

void
roc_queues_remove_callbacks(void)
{
	pthread_mutex_lock(&all.lock);
	all.has_callbacks = false;
	memset(&all.callbacks, 0, sizeof(all.callbacks));
	pthread_mutex_unlock(&all.lock);
}

void
roc_queues_pause(bool pause)
{
	pthread_mutex_lock(&all.lock);
	all.is_paused = pause;
	pthread_mutex_unlock(&all.lock);
}

/*
 * Return the tool's callback for dispatches, or NULL if there is none or it is
 * paused.
 */
static rocprofiler_callback_t
dispatch_callback(void **data)
{
	rocprofiler_callback_t callback;

	pthread_mutex_lock(&all.lock);
	callback = all.is_paused ? NULL : all.callbacks.dispatch;
	*data = all.data;
	pthread_mutex_unlock(&all.lock);
	return callback;
}

static hsa_status_t
call_about(hsa_queue_t *queue, bool is_new)
{
	hsa_status_t (*callback)(hsa_queue_t *, void *);
	void *data;

	pthread_mutex_lock(&all.lock);
	callback = is_new ? all.callbacks.create : all.callbacks.destroy;
	data = all.data;
	pthread_mutex_unlock(&all.lock);
	return callback ? callback(queue, data) : HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Packets                                                              */

static void
queue_describe_packet(const struct queue *queue, const union roc_packet *packet,
		      uint64_t index, const struct roc_dispatch *dispatch,
		      rocprofiler_callback_data_t *out)
{
	const uint64_t object = packet->dispatch.kernel_object;

	*out = (rocprofiler_callback_data_t){
		.agent = queue->agent,
		.agent_index = queue->node,
		.queue = queue->hsa,
		.queue_index = index,
		.queue_id = queue->id,
		.completion_signal = packet->dispatch.completion_signal,
		.packet = &packet->dispatch,
	};
	if (all.is_brief)
		return;
	out->kernel_name = roc_kernel_name(object);
	out->kernel_object = object;
	out->kernel_code = roc_kernel_code(object);
	out->thread_id = (uint32_t)gettid();
	out->record = roc_dispatch_record(dispatch);
}

/* Return the group that the tool wants counted; without context if none. */
static rocprofiler_group_t
call_tool(const rocprofiler_callback_data_t *about,
	  rocprofiler_callback_t callback, void *data)
{
	rocprofiler_group_t group = { 0 }, none = { 0 };
	hsa_status_t status = callback(about, data, &group);

	if (status != HSA_STATUS_SUCCESS || !group.context ||
	    roc_handle_check(ROC_CONTEXT, group.context, NULL) ||
	    group.index >= roc_context_groups(group.context))
		return none;
	return group;
}

static bool
is_dispatch(const union roc_packet *packet)
{
	return (packet->header >> HSA_PACKET_HEADER_TYPE & 0xff) ==
	       HSA_PACKET_TYPE_KERNEL_DISPATCH;
}

/*
 * Enable counting before the first of a queue's packets. Returns how many
 * packets that takes.
 */
static size_t
queue_enable_counting(struct queue *queue, union roc_packet *out)
{
	struct roc_pm4_packet packet;

	if (queue->is_enabled)
		return 0;
	queue->is_enabled = true;
	queue->failed = roc_enable_packet(queue->agent, &packet, &queue->why);
	if (queue->failed || !packet.jump[0])
		return 0;
	memcpy(out, &packet, sizeof(packet));
	return 1;
}

/*
 * Pass on a dispatch that cannot be counted as it came, and fail waiters for
 * its data.
 */
static size_t
pass_on_uncounted(struct roc_dispatch *dispatch,
		  const rocprofiler_group_t *group, int rc,
		  const struct drmperf_error *error,
		  const union roc_packet *packet, union roc_packet *out)
{
	if (dispatch)
		roc_dispatch_destroy(dispatch, group);
	if (group->context) {
		roc_context_expect(group->context, group->index);
		roc_context_end_dispatch(group->context, group->index, rc,
					 error);
	} else {
		fe_report(ROC_LIBRARY, "a dispatch", rc, error);
	}
	*out = *packet;
	return 1;
}

/* Write the packets that take the place of a dispatch. */
static size_t
queue_rewrite_packet(struct queue *queue, const union roc_packet *packet,
		     uint64_t index, union roc_packet *out)
{
	void *data;
	rocprofiler_callback_t callback = dispatch_callback(&data);
	rocprofiler_callback_data_t about;
	rocprofiler_group_t group = { 0 };
	struct roc_dispatch *dispatch = NULL;
	struct drmperf_error error = queue->why;
	int rc;

	*out = *packet;
	if (!callback)
		return 1;
	rc = roc_dispatch_create(queue->agent, queue,
				 all.with_times && !all.is_brief, &dispatch,
				 &error);
	if (rc)
		return pass_on_uncounted(NULL, &group, rc, &error, packet, out);
	queue_describe_packet(queue, packet, index, dispatch, &about);
	group = call_tool(&about, callback, data);
	rc = group.context ? queue->failed : 0;
	if (!rc)
		rc = roc_dispatch_submit(dispatch, &group, queue->written,
					 packet, out, &error);
	return rc ? pass_on_uncounted(dispatch, &group, rc, &error, packet, out)
		  : ROC_DISPATCH_PACKETS;
}

static uint64_t
smaller_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Wait until the packets in place of a dispatch fit into the queue. */
static void
queue_await_room(struct queue *queue)
{
	const uint64_t end = queue->written + MOST_PACKETS;
	const uint64_t most = queue->hsa->size - queue->hsa->size / 4;
	bool is_full = false;

	while (end > queue->oldest + queue->window && !is_full) {
		is_full = queue->window >= most;
		queue->oldest = smaller_of(
			roc_dispatch_await(queue, end - queue->window,
					   is_full ? FULL_SECONDS
						   : WINDOW_SECONDS),
			queue->written);
		if (end > queue->oldest + queue->window)
			queue->window = smaller_of(2 * queue->window, most);
	}
}

/*
 * Rewrite packets of a queue. HSA calls this for one queue in one thread at a
 * time.
 */
static void
rewrite_packets(const void *packets, uint64_t count, uint64_t index, void *data,
		roc_packet_writer writer)
{
	const union roc_packet *packet = packets;
	struct queue *queue = data;

	for (uint64_t i = 0; i < count; i++, packet++) {
		union roc_packet out[MOST_PACKETS];
		size_t written = queue_enable_counting(queue, out);

		queue_await_room(queue);
		if (is_dispatch(packet))
			written += queue_rewrite_packet(
				queue, packet, index + i, out + written);
		else
			out[written++] = *packet;
		writer(out, written);
		queue->written += written;
	}
}

/* ------------------------------------------------------------------ */
/* Queues                                                               */

/* Cancel the dispatches of a queue that failed: they do not come to an end. */
static void
cancel_failed_queue(hsa_status_t status, hsa_queue_t *source, void *data)
{
	const struct queue *queue = data;

	(void)source;
	if (status != HSA_STATUS_SUCCESS)
		roc_dispatch_cancel(queue);
	if (queue->callback)
		queue->callback(status, queue->hsa, queue->data);
}

static void
add_queue(struct queue *queue)
{
	pthread_mutex_lock(&all.lock);
	queue->id = all.next_id++;
	queue->next = all.queues;
	all.queues = queue;
	pthread_mutex_unlock(&all.lock);
}

/* Return NULL: it is none whose packets are seen. */
static struct queue *
take_queue(const hsa_queue_t *hsa)
{
	struct queue **at, *queue;

	pthread_mutex_lock(&all.lock);
	at = &all.queues;
	while (*at && (*at)->hsa != hsa)
		at = &(*at)->next;
	queue = *at;
	if (queue)
		*at = queue->next;
	pthread_mutex_unlock(&all.lock);
	return queue;
}

static hsa_status_t
intercept_queue(struct queue *queue)
{
	const roc_intercept_register add =
		(roc_intercept_register)roc_table_original(
			ROC_INTERCEPT_REGISTER);
	hsa_status_t status =
		hsa_amd_profiling_set_profiler_enabled(queue->hsa, 1);

	if (!status)
		status = add(queue->hsa, rewrite_packets, queue);
	return status;
}

hsa_status_t
roc_queue_create_seen(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
		      queue_callback callback, void *data,
		      uint32_t private_segment_size,
		      uint32_t group_segment_size, hsa_queue_t **out)
{
	const roc_queue_create create =
		(roc_queue_create)roc_table_original(ROC_INTERCEPT_CREATE);
	struct queue *queue = calloc(1, sizeof(*queue));
	hsa_status_t status;

	if (!queue)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	queue->agent = agent;
	queue->callback = callback;
	queue->data = data;
	hsa_agent_get_info(agent,
			   (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
			   &queue->node);
	status = create(agent, size < LEAST_SIZE ? LEAST_SIZE : size, type,
			cancel_failed_queue, queue, private_segment_size,
			group_segment_size, &queue->hsa);
	if (status) {
		free(queue);
		return status;
	}
	queue->window = smaller_of(FIRST_WINDOW,
				   queue->hsa->size - queue->hsa->size / 4);
	status = intercept_queue(queue);
	if (status) {
		ROC_ORIGINAL(hsa_queue_destroy, ROC_QUEUE_DESTROY)(queue->hsa);
		free(queue);
		return status;
	}
	add_queue(queue);
	*out = queue->hsa;
	return call_about(queue->hsa, true);
}

/* Create a queue without looking at its packets. */
static hsa_status_t
create_plain(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	     queue_callback callback, void *data, uint32_t private_segment_size,
	     uint32_t group_segment_size, hsa_queue_t **out)
{
	struct drmperf_error error;
	hsa_status_t status = ROC_ORIGINAL(hsa_queue_create, ROC_QUEUE_CREATE)(
		agent, size, type, callback, data, private_segment_size,
		group_segment_size, out);
	int rc;

	if (status)
		return status;
	rc = roc_enable_now(agent, *out, &error);
	if (rc)
		fe_report(ROC_LIBRARY, "hsa_queue_create", rc, &error);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
queue_destroy(hsa_queue_t *hsa)
{
	struct queue *queue = take_queue(hsa);
	hsa_status_t status, told;

	if (!queue)
		return ROC_ORIGINAL(hsa_queue_destroy, ROC_QUEUE_DESTROY)(hsa);
	told = call_about(hsa, false);
	status = ROC_ORIGINAL(hsa_queue_destroy, ROC_QUEUE_DESTROY)(hsa);
	roc_dispatch_cancel(queue);
	free(queue);
	return status == HSA_STATUS_SUCCESS ? told : status;
}

/* ------------------------------------------------------------------ */

int
roc_queues_check_intercept(struct drmperf_error *error)
{
	if (roc_table_has(ROC_INTERCEPT_CREATE) &&
	    roc_table_has(ROC_INTERCEPT_REGISTER))
		return 0;
	return fe_fail(error, -ENOTSUP,
		       "use a HSA runtime of ROCm 1.7 or later, or sample",
		       "this HSA runtime cannot show the packets of queues");
}

int
roc_queues_begin(bool intercept, struct drmperf_error *error)
{
	int rc = intercept ? roc_queues_check_intercept(error) : 0;

	if (rc)
		return rc;
	all.intercept = intercept;
	roc_table_replace(ROC_QUEUE_CREATE,
			  intercept ? (roc_function)roc_queue_create_seen
				    : (roc_function)create_plain);
	roc_table_replace(ROC_QUEUE_DESTROY, (roc_function)queue_destroy);
	return 0;
}

void
roc_queues_apply_settings(const rocprofiler_settings_t *settings)
{
	all.with_times = settings->timestamp_on;
	all.is_brief = settings->opt_mode;
}

bool
roc_queues_intercept(void)
{
	return all.intercept;
}

void
roc_queues_end(void)
{
	roc_queues_remove_callbacks();
	all.intercept = false;
	all.with_times = true;
	all.is_brief = false;
	all.next_id = 0;
}
