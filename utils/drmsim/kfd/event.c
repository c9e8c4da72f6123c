/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_events.c. */
#include "kfd/event.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/bo.h"
#include "kernel/call.h"
#include "kfd/memory.h"
#include "kfd/process.h"
#include "kfd/uapi.h"
#include "machine/clock.h"
#include "machine/machine.h"

/* Slots of the page, of 8 bytes; the first is of no event. */
#define SLOTS 4096u
#define EMPTY_SLOT UINT64_MAX
/* Events that have no slot are numbered from here on. */
#define FIRST_WITHOUT_SLOT 0x40000000u
/* Events that a call may wait for: more than a program does. */
#define WAITED_MAX 65536u

struct kfd_event {
	struct kfd_event *next;
	uint32_t id, type;
	bool auto_reset, is_set;
	uint64_t age; /* how often it was set, plus 1 */
	struct kfd_memory_exception exception;
};

/* A call that waits, for as long as it sleeps. */
struct kfd_wait {
	struct kfd_wait *next;
	const struct sim_call *call;
	uint64_t number; /* its memory between the rounds */
	uint32_t count;
	struct waited {
		uint32_t id;
		bool is_active, asks_age;
		bool is_gone; /* it was destroyed */
	} at[];
};

static struct kfd_event *
find_event(const struct kfd_process *process, uint32_t id)
{
	struct kfd_event *event = process->events;

	while (event && event->id != id)
		event = event->next;
	return event;
}

/* ---- setting */

/*
 * Return whether a wait still sleeps: else it was interrupted by a signal, or
 * its process is gone.
 */
static bool
is_asleep(const struct sim *sim, const struct kfd_wait *wait)
{
	for (const struct sim_call *call = sim->sleepers; call;
	     call = call->next)
		if (call == wait->call && call->memory == wait->number)
			return true;
	return false;
}

/*
 * Set an event and notify all waits for it. It stays set if it does not reset
 * itself, or if nothing waits for it.
 */
static void
set_event(struct kfd_process *process, struct kfd_event *event)
{
	bool is_awaited = false;

	for (struct kfd_wait *wait = process->waits; wait; wait = wait->next) {
		for (uint32_t i = 0; i < wait->count; i++) {
			struct waited *waited = &wait->at[i];

			if (waited->id != event->id || waited->is_gone)
				continue;
			/* a wait that has been notified is not in the queue */
			is_awaited = true;
			waited->is_active = true;
		}
	}
	event->is_set = !event->auto_reset || !is_awaited;
	event->age++;
	sim_wake(process->sim);
}

static void
remove_wait(struct kfd_process *process, struct kfd_wait *wait)
{
	struct kfd_wait **p = &process->waits;

	while (*p != wait)
		p = &(*p)->next;
	*p = wait->next;
	free(wait);
}

/* Set the events again that were reported to an interrupted call. */
static void
forget_interrupted(struct kfd_process *process)
{
	struct kfd_wait *wait = process->waits;

	while (wait) {
		struct kfd_wait *next = wait->next;

		if (!is_asleep(process->sim, wait)) {
			struct kfd_wait *gone = wait;
			uint32_t count = gone->count;
			uint32_t *ids = calloc(count, sizeof(*ids));

			for (uint32_t i = 0; ids && i < count; i++)
				if (gone->at[i].is_active)
					ids[i] = gone->at[i].id;
			remove_wait(process, gone);
			for (uint32_t i = 0; ids && i < count; i++) {
				struct kfd_event *event =
					ids[i] ? find_event(process, ids[i])
					       : NULL;
				if (event && event->auto_reset)
					set_event(process, event);
			}
			free(ids);
			next = process->waits;
		}
		wait = next;
	}
}

void
event_interrupt(struct kfd_process *process, uint32_t id)
{
	struct kfd_event *event = find_event(process, id);
	uint64_t *slots;

	if (!process->event_page)
		return;
	forget_interrupted(process);
	slots = (uint64_t *)(void *)process->event_page->memory;
	if (event && event->id < SLOTS) {
		if (slots[id] == EMPTY_SLOT)
			return;
		slots[id] = EMPTY_SLOT;
		set_event(process, event);
		return;
	}
	/* a number that is none: all that have been written */
	for (event = process->events; event; event = event->next) {
		if (event->id >= SLOTS || slots[event->id] == EMPTY_SLOT)
			continue;
		slots[event->id] = EMPTY_SLOT;
		set_event(process, event);
	}
}

void
event_report_fault(const struct kfd_device *device, uint64_t address)
{
	struct kfd_process *process = device->process;

	forget_interrupted(process);
	for (struct kfd_event *event = process->events; event;
	     event = event->next) {
		if (event->type != KFD_EVENT_MEMORY)
			continue;
		event->exception = (struct kfd_memory_exception){
			.not_present = 1,
			.address = address & ~4095ull,
			.gpu_id = device->node.id,
		};
		set_event(process, event);
	}
}

/* ---- calls */

/*
 * Set the page, which comes with the first event, as the handle of memory of
 * the host.
 */
static int
set_page(struct kfd_process *process, uint64_t handle)
{
	struct sim_bo *bo = memory_bo(process, handle);

	if (process->event_page || !bo ||
	    bo->domains != AMDGPU_GEM_DOMAIN_GTT || bo->size < SLOTS * 8)
		return -EINVAL;
	process->event_page = sim_bo_get(bo);
	process->event_page_handle = handle;
	memset(bo->memory, 0xff, SLOTS * 8);
	return 0;
}

/* Find a free slot; 0: all are taken. */
static uint32_t
free_slot(const struct kfd_process *process)
{
	bool used[SLOTS] = { true };
	const bool *unused;

	for (const struct kfd_event *event = process->events; event;
	     event = event->next)
		if (event->id < SLOTS)
			used[event->id] = true;
	unused = memchr(used, 0, sizeof(used));
	return unused ? (uint32_t)(unused - used) : 0;
}

int
event_create(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_create_event *args = arg;
	const bool has_slot =
		args->type == KFD_EVENT_SIGNAL || args->type == KFD_EVENT_DEBUG;
	struct kfd_event *event;

	(void)call;
	if (args->page) {
		int error = set_page(process, args->page);

		if (error)
			return error;
	}
	event = calloc(1, sizeof(*event));
	if (!event)
		return -ENOMEM;
	event->type = args->type;
	event->auto_reset = args->auto_reset != 0;
	event->age = 1;
	event->id = has_slot ? free_slot(process)
			     : FIRST_WITHOUT_SLOT + process->next_event++;
	if (!event->id) {
		free(event);
		return -ENOSPC;
	}
	event->next = process->events;
	process->events = event;
	args->page = has_slot ? KFD_MMAP_OFFSET(KFD_MMAP_EVENTS, 0) : 0;
	if (has_slot)
		args->slot = event->id;
	args->id = args->trigger = event->id;
	return 0;
}

int
event_destroy(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_event_number *args = arg;
	struct kfd_event *event = find_event(process, args->id);
	struct kfd_event **p = &process->events;

	(void)call;
	if (!event)
		return -EINVAL;
	for (struct kfd_wait *wait = process->waits; wait; wait = wait->next)
		for (uint32_t i = 0; i < wait->count; i++)
			if (wait->at[i].id == event->id)
				wait->at[i].is_gone = true;
	while (*p != event)
		p = &(*p)->next;
	*p = event->next;
	free(event);
	sim_wake(process->sim);
	return 0;
}

int
event_set(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_event_number *args = arg;
	struct kfd_event *event = find_event(process, args->id);

	(void)call;
	if (!event || event->type != KFD_EVENT_SIGNAL)
		return -EINVAL;
	forget_interrupted(process);
	set_event(process, event);
	return 0;
}

int
event_reset(struct sim_call *call, struct kfd_process *process, void *arg)
{
	const struct kfd_event_number *args = arg;
	struct kfd_event *event = find_event(process, args->id);

	(void)call;
	if (!event || event->type != KFD_EVENT_SIGNAL)
		return -EINVAL;
	event->is_set = false;
	return 0;
}

void
event_free_all(struct kfd_process *process)
{
	while (process->waits)
		remove_wait(process, process->waits);
	while (process->events) {
		struct kfd_event *event = process->events;

		process->events = event->next;
		free(event);
	}
	sim_bo_put(process->event_page);
	process->event_page = NULL;
}

/* ---- waiting */

static int
read_data(struct sim_call *call, const struct kfd_wait_events *args, uint32_t i,
	  struct kfd_event_data *out)
{
	return sim_call_get(call, out, args->events + i * sizeof(*out),
			    sizeof(*out));
}

/* Begin to wait. The wait takes an event that is set, if that resets itself. */
static int
begin_to_wait(struct kfd_process *process, struct waited *waited,
	      const struct kfd_event_data *data)
{
	struct kfd_event *event = find_event(process, data->id);

	if (!event)
		return -EINVAL;
	waited->id = data->id;
	waited->is_active = event->is_set;
	event->is_set = event->is_set && !event->auto_reset;
	/* an age of 0 is not asked for */
	if (event->type == KFD_EVENT_SIGNAL && data->age) {
		waited->asks_age = true;
		if (event->age != data->age)
			waited->is_active = true;
	}
	return 0;
}

static int
make_wait(struct sim_call *call, struct kfd_process *process,
	  const struct kfd_wait_events *args, struct kfd_wait **out)
{
	struct kfd_wait *wait;

	if (args->count > WAITED_MAX)
		return -ENOMEM;
	wait = calloc(1, sizeof(*wait) + args->count * sizeof(wait->at[0]));
	if (!wait)
		return -ENOMEM;
	wait->call = call;
	wait->number = call->sim->next_id++;
	for (; wait->count < args->count; wait->count++) {
		struct kfd_event_data data;
		int error = read_data(call, args, wait->count, &data);

		if (!error)
			error = begin_to_wait(process, &wait->at[wait->count],
					      &data);
		if (error) {
			free(wait);
			return error;
		}
	}
	wait->next = process->waits;
	process->waits = wait;
	*out = wait;
	return 0;
}

static uint32_t
result_of(const struct kfd_wait *wait, bool all)
{
	uint32_t active = 0;

	for (uint32_t i = 0; i < wait->count; i++) {
		if (wait->at[i].is_gone)
			return KFD_WAIT_FAIL;
		active += wait->at[i].is_active;
	}
	if (active == wait->count || (active && !all))
		return KFD_WAIT_COMPLETE;
	return KFD_WAIT_TIMEOUT;
}

/* Write the data of the events that have come. */
static int
put_data(struct sim_call *call, const struct kfd_process *process,
	 const struct kfd_wait_events *args, const struct kfd_wait *wait)
{
	for (uint32_t i = 0; i < wait->count; i++) {
		const struct kfd_event *event =
			find_event(process, wait->at[i].id);
		const uint64_t to =
			args->events + i * sizeof(struct kfd_event_data);
		int error = 0;

		if (!wait->at[i].is_active || !event)
			continue;
		if (event->type == KFD_EVENT_MEMORY)
			error = sim_call_put(call, to, &event->exception,
					     sizeof(event->exception));
		else if (wait->at[i].asks_age)
			error = sim_call_put(call, to, &event->age,
					     sizeof(event->age));
		if (error)
			return error;
	}
	return 0;
}

static struct kfd_wait *
find_wait(const struct kfd_process *process, const struct sim_call *call)
{
	struct kfd_wait *wait = process->waits;

	while (wait && (wait->call != call || wait->number != call->memory))
		wait = wait->next;
	return wait;
}

static uint64_t
deadline_of(struct sim_call *call, uint32_t timeout_ms)
{
	if (timeout_ms == KFD_WAIT_FOR_EVER)
		return SIM_NEVER;
	return sim_call_timeout(call, timeout_ms * 1000000ull);
}

int
event_wait(struct sim_call *call, struct kfd_process *process, void *arg)
{
	struct kfd_wait_events *args = arg;
	struct kfd_wait *wait = call->memory ? find_wait(process, call) : NULL;
	uint64_t deadline = deadline_of(call, args->timeout_ms);
	int error = 0;

	if (!wait) {
		forget_interrupted(process);
		error = make_wait(call, process, args, &wait);
		if (error) {
			args->result = KFD_WAIT_FAIL;
			return error;
		}
	}
	args->result = result_of(wait, args->all);
	if (args->result == KFD_WAIT_TIMEOUT && args->timeout_ms &&
	    !call->timed_out && deadline > sim_now(call->sim)) {
		call->memory = wait->number;
		return sim_call_sleep(call, deadline, SIM_NEVER);
	}
	if (args->result == KFD_WAIT_COMPLETE)
		error = put_data(call, process, args, wait);
	else if (args->result == KFD_WAIT_FAIL)
		error = -EIO;
	remove_wait(process, wait);
	if (error)
		args->result = KFD_WAIT_FAIL;
	return error;
}
