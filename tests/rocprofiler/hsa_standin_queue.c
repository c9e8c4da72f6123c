/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of the stand-in for HSA: those that execute packets, and those that
 * show them to a tool first, which come down to one of the former.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"

#define MOST_HANDLERS 4
#define INVALID (HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE)
#define FORMAT_PM4_IB 1
#define INDIRECT_BUFFER 0xc0023f00u
#define VALID_IB (1u << 23)

/* What all packets are as long as. */
union packet {
	uint16_t header;
	hsa_kernel_dispatch_packet_t dispatch;
	hsa_barrier_and_packet_t barrier;
	struct {
		uint16_t header, format;
		uint32_t jump[4], left, reserved[8];
		hsa_signal_t completion_signal;
	} vendor;
	uint8_t bytes[64];
};

struct queue {
	hsa_queue_t hsa; /* first: that is what programs have */
	hsa_agent_t agent;
	uint64_t read, write; /* indices */
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data);
	void *data;
	/* one that executes */
	struct standin_gpu *gpu;
	struct standin_state state;
	pthread_t thread;
	bool is_ending;
	/* one that shows its packets */
	struct queue *lower;
	struct {
		standin_packet_handler function;
		void *data;
	} handlers[MOST_HANDLERS];
	unsigned handler_count;
	pthread_mutex_t lock;
};

static struct queue *
queue_of(const hsa_queue_t *hsa)
{
	return (struct queue *)(uintptr_t)hsa;
}

static union packet *
slot_at(struct queue *queue, uint64_t index)
{
	return (union packet *)queue->hsa.base_address +
	       (index & (queue->hsa.size - 1));
}

static uint16_t
header_of(union packet *packet)
{
	return __atomic_load_n(&packet->header, __ATOMIC_ACQUIRE);
}

static unsigned
type_of(uint16_t header)
{
	return header >> HSA_PACKET_HEADER_TYPE & 0xff;
}

/* ------------------------------------------------------------------ */
/* Executing                                                            */

/* Caller holds the lock. False: the queue ends. */
static bool
wait_for(struct queue *queue, hsa_signal_t signal)
{
	while (!queue->is_ending && signal.handle && standin_value(signal))
		pthread_cond_wait(&standin_changed, &standin_lock);
	return !queue->is_ending;
}

static bool
execute_barrier(struct queue *queue, const hsa_barrier_and_packet_t *packet)
{
	bool goes_on = true;

	pthread_mutex_lock(&standin_lock);
	for (unsigned i = 0; goes_on && i < 5; i++)
		goes_on = wait_for(queue, packet->dep_signal[i]);
	if (goes_on)
		standin_complete(packet->completion_signal, 0, 0);
	pthread_mutex_unlock(&standin_lock);
	return goes_on;
}

static bool
execute_dispatch(struct queue *queue,
		 const hsa_kernel_dispatch_packet_t *packet)
{
	const uint64_t start = standin_clock();

	if (!standin_launch(queue->gpu, &queue->state, packet))
		return false;
	pthread_mutex_lock(&standin_lock);
	standin_complete(packet->completion_signal, start, standin_clock());
	pthread_mutex_unlock(&standin_lock);
	return true;
}

static bool
execute_vendor(struct queue *queue, const union packet *packet)
{
	const uint32_t *jump = packet->vendor.jump;
	const uint32_t *words =
		(const uint32_t *)(uintptr_t)(jump[1] | (uint64_t)jump[2]
								<< 32);

	if (packet->vendor.format != FORMAT_PM4_IB ||
	    jump[0] != INDIRECT_BUFFER || !(jump[3] & VALID_IB) ||
	    packet->vendor.left != 10 ||
	    !standin_run_commands(&queue->state, words, jump[3] & 0xfffff))
		return false;
	pthread_mutex_lock(&standin_lock);
	standin_complete(packet->vendor.completion_signal, 0, 0);
	pthread_mutex_unlock(&standin_lock);
	return true;
}

static bool
execute_packet(struct queue *queue, const union packet *packet)
{
	switch (type_of(packet->header)) {
	case HSA_PACKET_TYPE_KERNEL_DISPATCH:
		return execute_dispatch(queue, &packet->dispatch);
	case HSA_PACKET_TYPE_BARRIER_AND:
		return execute_barrier(queue, &packet->barrier);
	case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
		return execute_vendor(queue, packet);
	default:
		return false;
	}
}

/* Return NULL: the queue ends. */
static union packet *
next_packet(struct queue *queue)
{
	union packet *packet = slot_at(queue, queue->read);

	pthread_mutex_lock(&standin_lock);
	while (!queue->is_ending &&
	       type_of(header_of(packet)) == HSA_PACKET_TYPE_INVALID)
		pthread_cond_wait(&standin_changed, &standin_lock);
	pthread_mutex_unlock(&standin_lock);
	return queue->is_ending ? NULL : packet;
}

static void *
execute_all(void *data)
{
	struct queue *queue = data;
	union packet *packet;
	bool goes_on = true;

	while (goes_on && (packet = next_packet(queue))) {
		goes_on = execute_packet(queue, packet);
		if (!goes_on && !queue->is_ending && queue->callback)
			queue->callback(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
					&queue->hsa, queue->data);
		pthread_mutex_lock(&standin_lock);
		__atomic_store_n(&packet->header, INVALID, __ATOMIC_RELEASE);
		queue->read++;
		pthread_cond_broadcast(&standin_changed);
		pthread_mutex_unlock(&standin_lock);
	}
	return NULL;
}

static void
wake_queue(void *data, hsa_signal_value_t value)
{
	(void)data;
	(void)value;
	pthread_mutex_lock(&standin_lock);
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
}

/* ------------------------------------------------------------------ */
/* Making and destroying                                                */

static struct queue *
make_queue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	   standin_doorbell ring)
{
	struct queue *queue = calloc(1, sizeof(*queue));
	union packet *packets = aligned_alloc(64, size * sizeof(*packets));

	queue->hsa.type = type;
	queue->hsa.size = size;
	queue->hsa.base_address = packets;
	queue->agent = agent;
	memset(packets, 0, size * sizeof(*packets));
	for (uint32_t i = 0; i < size; i++)
		packets[i].header = INVALID;
	pthread_mutex_init(&queue->lock, NULL);
	standin_doorbell_create(ring, queue, &queue->hsa.doorbell_signal);
	return queue;
}

static void
destroy_queue(struct queue *queue)
{
	if (queue->lower)
		destroy_queue(queue->lower);
	pthread_mutex_lock(&standin_lock);
	queue->is_ending = true;
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
	if (queue->gpu) {
		pthread_join(queue->thread, NULL);
		standin_gpu_close(queue->gpu);
	}
	hsa_signal_destroy(queue->hsa.doorbell_signal);
	pthread_mutex_destroy(&queue->lock);
	free(queue->hsa.base_address);
	free(queue);
}

hsa_status_t
standin_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
		     void (*callback)(hsa_status_t status, hsa_queue_t *source,
				      void *data),
		     void *data, uint32_t private_segment_size,
		     uint32_t group_segment_size, hsa_queue_t **out)
{
	const struct standin_agent *of = standin_agent_of(agent);
	struct queue *queue;

	(void)private_segment_size;
	(void)group_segment_size;
	if (!of || of->type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!size || size & (size - 1))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	queue = make_queue(agent, size, type, wake_queue);
	queue->callback = callback;
	queue->data = data;
	queue->gpu = standin_gpu_open(of);
	if (!queue->gpu) {
		destroy_queue(queue);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	pthread_create(&queue->thread, NULL, execute_all, queue);
	*out = &queue->hsa;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
standin_queue_destroy(hsa_queue_t *hsa)
{
	if (!hsa)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	destroy_queue(queue_of(hsa));
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Intercepting                                                         */

/* Whose packets this thread shows, and to which of the handlers. */
static _Thread_local struct {
	struct queue *queue;
	unsigned handler;
	uint64_t index;
} cursor;

/*
 * Submit what comes out in the end. The first packet is handed over last. ROCr
 * 5.2 aborts where a second packet's do not fit in.
 */
static void
submit_packets(struct queue *lower, const union packet *packets, uint64_t count)
{
	const uint64_t first = lower->write;

	pthread_mutex_lock(&standin_lock);
	if (first + count - lower->read > lower->hsa.size) {
		fputs("hsa_standin: packets of tools do not fit in\n", stderr);
		abort();
	}
	for (uint64_t i = count; i--;) {
		union packet *to = slot_at(lower, first + i);

		memcpy((char *)to + sizeof(uint16_t),
		       (const char *)&packets[i] + sizeof(uint16_t),
		       sizeof(*to) - sizeof(uint16_t));
		__atomic_store_n(&to->header, packets[i].header,
				 __ATOMIC_RELEASE);
	}
	lower->write = first + count;
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
}

static void
write_on(const void *packets, uint64_t count)
{
	struct queue *queue = cursor.queue;
	const unsigned own = cursor.handler;

	if (!own) {
		submit_packets(queue->lower, packets, count);
		return;
	}
	cursor.handler = own - 1;
	queue->handlers[own - 1].function(packets, count, cursor.index,
					  queue->handlers[own - 1].data,
					  write_on);
	cursor.handler = own;
}

/* Ring as real ones do: in the thread that rings, one packet after another. */
static void
show_packets(void *data, hsa_signal_value_t value)
{
	struct queue *queue = data;

	(void)value;
	pthread_mutex_lock(&queue->lock);
	for (;;) {
		union packet *packet = slot_at(queue, queue->read);

		if (type_of(header_of(packet)) == HSA_PACKET_TYPE_INVALID)
			break;
		cursor.queue = queue;
		cursor.handler = queue->handler_count;
		cursor.index = queue->read;
		write_on(packet, 1);
		__atomic_store_n(&packet->header, INVALID, __ATOMIC_RELEASE);
		__atomic_store_n(&queue->read, queue->read + 1,
				 __ATOMIC_RELEASE);
	}
	cursor.queue = NULL;
	pthread_mutex_unlock(&queue->lock);
}

hsa_status_t
standin_intercept_create(hsa_agent_t agent, uint32_t size,
			 hsa_queue_type32_t type,
			 void (*callback)(hsa_status_t status,
					  hsa_queue_t *source, void *data),
			 void *data, uint32_t private_segment_size,
			 uint32_t group_segment_size, hsa_queue_t **out)
{
	hsa_queue_t *lower;
	struct queue *queue;
	hsa_status_t status = standin_queue_create(agent, size, type, callback,
						   data, private_segment_size,
						   group_segment_size, &lower);

	if (status)
		return status;
	queue = make_queue(agent, size, type, show_packets);
	queue->lower = queue_of(lower);
	*out = &queue->hsa;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
standin_intercept_register(hsa_queue_t *hsa, standin_packet_handler handler,
			   void *data)
{
	struct queue *queue = queue_of(hsa);

	if (!queue->lower)
		return HSA_STATUS_ERROR_INVALID_QUEUE;
	if (queue->handler_count == MOST_HANDLERS)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	queue->handlers[queue->handler_count].function = handler;
	queue->handlers[queue->handler_count].data = data;
	queue->handler_count++;
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* What programs ask                                                    */

STANDIN_EXPORT uint64_t
hsa_queue_add_write_index_screlease(const hsa_queue_t *hsa, uint64_t value)
{
	return __atomic_fetch_add(&queue_of(hsa)->write, value,
				  __ATOMIC_RELEASE);
}

STANDIN_EXPORT hsa_status_t
hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *hsa, int enable)
{
	(void)enable;
	return hsa ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_QUEUE;
}
