/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals of the stand-in for HSA: numbers that are waited for.
 */
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"

struct signal {
	amd_signal_t amd; /* first: that is what a handle leads to */
	standin_doorbell ring; /* NULL: it is none */
	void *data;
};

struct handler {
	struct handler *next;
	struct signal *signal;
	hsa_signal_condition_t condition;
	hsa_signal_value_t value;
	hsa_amd_signal_handler function;
	void *data;
};

pthread_mutex_t standin_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t standin_changed = PTHREAD_COND_INITIALIZER;

static struct handler *handlers;
static pthread_t thread;
static bool runs, is_ending;

static struct signal *
signal_of(hsa_signal_t handle)
{
	return (struct signal *)(uintptr_t)handle.handle;
}

static hsa_status_t
create_signal(hsa_signal_value_t value, hsa_signal_t *out)
{
	struct signal *signal =
		aligned_alloc(64, (sizeof(*signal) + 63) & ~63ul);

	if (!signal)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	memset(signal, 0, sizeof(*signal));
	signal->amd.kind = AMD_SIGNAL_KIND_USER;
	signal->amd.value = value;
	out->handle = (uintptr_t)signal;
	return HSA_STATUS_SUCCESS;
}

STANDIN_EXPORT hsa_status_t
hsa_signal_create(hsa_signal_value_t value, uint32_t consumer_count,
		  const hsa_agent_t *consumers, hsa_signal_t *out)
{
	(void)consumer_count;
	(void)consumers;
	return create_signal(value, out);
}

hsa_status_t
standin_doorbell_create(standin_doorbell ring, void *data, hsa_signal_t *out)
{
	hsa_status_t status = create_signal(-1, out);

	if (!status) {
		signal_of(*out)->ring = ring;
		signal_of(*out)->data = data;
	}
	return status;
}

/*
 * Destroy a signal. A program that destroys one of which handlers are still to
 * hear has a fault.
 */
STANDIN_EXPORT hsa_status_t
hsa_signal_destroy(hsa_signal_t handle)
{
	pthread_mutex_lock(&standin_lock);
	for (struct handler *i = handlers; i; i = i->next) {
		if (i->signal == signal_of(handle))
			abort();
	}
	pthread_mutex_unlock(&standin_lock);
	free(signal_of(handle));
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

int64_t
standin_value(hsa_signal_t handle)
{
	return signal_of(handle)->amd.value;
}

void
standin_complete(hsa_signal_t handle, uint64_t start, uint64_t end)
{
	struct signal *signal = signal_of(handle);

	if (!signal)
		return;
	signal->amd.start_ts = start;
	signal->amd.end_ts = end;
	signal->amd.value--;
	pthread_cond_broadcast(&standin_changed);
}

STANDIN_EXPORT hsa_signal_value_t
hsa_signal_load_scacquire(hsa_signal_t handle)
{
	hsa_signal_value_t value;

	pthread_mutex_lock(&standin_lock);
	value = standin_value(handle);
	pthread_mutex_unlock(&standin_lock);
	return value;
}

static void
store_value(hsa_signal_t handle, hsa_signal_value_t value)
{
	struct signal *signal = signal_of(handle);

	if (signal->ring) {
		signal->ring(signal->data, value);
		return;
	}
	pthread_mutex_lock(&standin_lock);
	signal->amd.value = value;
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
}

STANDIN_EXPORT void
hsa_signal_store_screlease(hsa_signal_t handle, hsa_signal_value_t value)
{
	store_value(handle, value);
}

STANDIN_EXPORT void
hsa_signal_store_relaxed(hsa_signal_t handle, hsa_signal_value_t value)
{
	store_value(handle, value);
}

STANDIN_EXPORT void
hsa_signal_subtract_screlease(hsa_signal_t handle, hsa_signal_value_t value)
{
	pthread_mutex_lock(&standin_lock);
	signal_of(handle)->amd.value -= value;
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
}

static bool
condition_holds(const struct signal *signal, hsa_signal_condition_t condition,
		hsa_signal_value_t value)
{
	switch (condition) {
	case HSA_SIGNAL_CONDITION_EQ:
		return signal->amd.value == value;
	case HSA_SIGNAL_CONDITION_NE:
		return signal->amd.value != value;
	case HSA_SIGNAL_CONDITION_LT:
		return signal->amd.value < value;
	default:
		return signal->amd.value >= value;
	}
}

/* Wait without an end: no caller gives up. */
STANDIN_EXPORT hsa_signal_value_t
hsa_signal_wait_scacquire(hsa_signal_t handle, hsa_signal_condition_t condition,
			  hsa_signal_value_t value, uint64_t timeout,
			  hsa_wait_state_t state)
{
	struct signal *signal = signal_of(handle);
	hsa_signal_value_t found;

	(void)timeout;
	(void)state;
	pthread_mutex_lock(&standin_lock);
	while (!condition_holds(signal, condition, value))
		pthread_cond_wait(&standin_changed, &standin_lock);
	found = signal->amd.value;
	pthread_mutex_unlock(&standin_lock);
	return found;
}

STANDIN_EXPORT hsa_status_t
hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t handle,
				    hsa_amd_profiling_dispatch_time_t *time)
{
	const struct signal *signal = signal_of(handle);

	if (!standin_agent_of(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	time->start = signal->amd.start_ts;
	time->end = signal->amd.end_ts;
	return HSA_STATUS_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Handlers                                                             */

/* Caller holds the lock. NULL: none is to be called. */
static struct handler *
take_due(void)
{
	struct handler **at = &handlers, *due;

	while (*at &&
	       !condition_holds((*at)->signal, (*at)->condition, (*at)->value))
		at = &(*at)->next;
	due = *at;
	if (due)
		*at = due->next;
	return due;
}

/* Caller holds the lock, which is given back in between. */
static void
call_handler(struct handler *handler)
{
	hsa_signal_value_t value = handler->signal->amd.value;
	bool again;

	pthread_mutex_unlock(&standin_lock);
	again = handler->function(value, handler->data);
	pthread_mutex_lock(&standin_lock);
	if (again) {
		handler->next = handlers;
		handlers = handler;
	} else {
		free(handler);
	}
}

static void *
call_handlers(void *data)
{
	struct handler *due;

	(void)data;
	pthread_mutex_lock(&standin_lock);
	while (!is_ending) {
		due = take_due();
		if (due)
			call_handler(due);
		else
			pthread_cond_wait(&standin_changed, &standin_lock);
	}
	pthread_mutex_unlock(&standin_lock);
	return NULL;
}

STANDIN_EXPORT hsa_status_t
hsa_amd_signal_async_handler(hsa_signal_t handle,
			     hsa_signal_condition_t condition,
			     hsa_signal_value_t value,
			     hsa_amd_signal_handler function, void *data)
{
	struct handler *handler = calloc(1, sizeof(*handler));

	if (!handler)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	handler->signal = signal_of(handle);
	handler->condition = condition;
	handler->value = value;
	handler->function = function;
	handler->data = data;
	pthread_mutex_lock(&standin_lock);
	handler->next = handlers;
	handlers = handler;
	if (!runs)
		runs = !pthread_create(&thread, NULL, call_handlers, NULL);
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
	return HSA_STATUS_SUCCESS;
}

void
standin_end_handlers(void)
{
	pthread_mutex_lock(&standin_lock);
	is_ending = true;
	pthread_cond_broadcast(&standin_changed);
	pthread_mutex_unlock(&standin_lock);
	if (runs)
		pthread_join(thread, NULL);
	runs = false;
	is_ending = false;
}
