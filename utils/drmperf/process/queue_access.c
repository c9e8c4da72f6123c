/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/queue_access.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/tool.h"

static struct queue_access_device *
find_device(const struct queue_access_list *list,
	    const struct drmperf_device *device)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->list[i].device == device)
			return &list->list[i];
	}
	return NULL;
}

/* Return its place, or NULL without memory. */
static struct queue_access_device *
add_device(struct queue_access_list *list, struct drmperf_device *device)
{
	struct queue_access_device *added =
		array_add(&list->list, &list->count, sizeof(*added));

	if (added)
		added->device = device;
	return added;
}

static int
take_lock(struct queue_access_list *list, struct drmperf_device *device,
	  struct drmperf_error *error)
{
	struct queue_access_device *one = find_device(list, device);

	if (!one)
		one = add_device(list, device);
	if (!one || one->hold)
		return 0;
	one->was_held = false;
	if (drmperf_device_hold_queues(device, &one->hold, error) == -EBUSY)
		return -EBUSY;
	one->was_held = one->hold;
	return 0;
}

int
queue_access_take(struct queue_access_list *list,
		  const struct drmperf_selection *selections, size_t count,
		  struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const struct drmperf_event *event = selections[i].event;

		if (drmperf_event_scope(event) == DRMPERF_SCOPE_QUEUE)
			ret = take_lock(list, drmperf_event_device(event),
					error);
	}
	return ret;
}

void
queue_access_release(struct queue_access_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		drmperf_queue_hold_release(list->list[i].hold);
		list->list[i].hold = NULL;
	}
}

void
queue_access_prepare(struct queue_access_list *list,
		     const struct drmperf_selection *selections, size_t count)
{
	/* where another profiler has the lock, counting will be refused */
	queue_access_take(list, selections, count, NULL);
	if (list->count && queue_access_least(list) != QUEUE_ACCESS_ALL)
		hsa_tool_begin(&list->hsa);
	else if (list->count)
		/* PAPI's component in the command has nothing to see to */
		setenv("DRMPERF_QUEUES", "any", 0);
	queue_access_release(list);
}

static enum queue_access
access_of(const struct queue_access_list *list,
	  const struct queue_access_device *one)
{
	if (one->was_held)
		return QUEUE_ACCESS_ALL;
	return hsa_tool_enabled(&list->hsa) && !hsa_tool_refused(&list->hsa)
		       ? QUEUE_ACCESS_COMMAND
		       : QUEUE_ACCESS_ALLOWED;
}

enum queue_access
queue_access_least(const struct queue_access_list *list)
{
	enum queue_access least =
		list->count ? QUEUE_ACCESS_ALL : QUEUE_ACCESS_ALLOWED;

	for (size_t i = 0; i < list->count; i++) {
		const enum queue_access one = access_of(list, &list->list[i]);

		if (one < least)
			least = one;
	}
	return least;
}

const char *
queue_access_name(enum queue_access access)
{
	static const char *const names[] = {
		[QUEUE_ACCESS_ALLOWED] = "allowed",
		[QUEUE_ACCESS_COMMAND] = "command",
		[QUEUE_ACCESS_ALL] = "all",
	};

	return names[access];
}

const char *
queue_access_legend(enum queue_access access)
{
	switch (access) {
	case QUEUE_ACCESS_ALL:
		return " (* in all queues)";
	case QUEUE_ACCESS_COMMAND:
		return " (* in the command's queues)";
	case QUEUE_ACCESS_ALLOWED:
		break;
	}
	return tool_scope_legend(true);
}

void
queue_access_print_note(FILE *out, enum queue_access access)
{
	static const char *const notes[] = {
		[QUEUE_ACCESS_ALLOWED] =
			"sees graphics, and compute work only in queues whose "
			"owner allows counting;\n   events without a star see "
			"all work of the GPU.",
		[QUEUE_ACCESS_COMMAND] =
			"sees graphics, and the command's queues of HSA and "
			"HIP; the runtime's own copies\n   are not counted.",
		[QUEUE_ACCESS_ALL] =
			"sees all queues, of all processes: the kernel's lock "
			"of profilers was held.",
	};

	fprintf(out, "\n * %s\n", notes[access]);
}

void
queue_access_print(FILE *out, const char *prefix,
		   const struct queue_access_list *list)
{
	static const char *const what[] = {
		[QUEUE_ACCESS_COMMAND] = "the command's queues; the runtime's "
					 "own copies are not counted",
		[QUEUE_ACCESS_ALL] = "all queues, of all processes",
	};

	for (size_t i = 0; i < list->count; i++) {
		const struct queue_access_device *one = &list->list[i];
		const enum queue_access access = access_of(list, one);

		if (access != QUEUE_ACCESS_ALLOWED)
			fprintf(out, "%sevents of GPU %u see %s\n", prefix,
				drmperf_device_index(one->device),
				what[access]);
	}
}

void
queue_access_finish(struct queue_access_list *list)
{
	queue_access_release(list);
	hsa_tool_finish(&list->hsa);
	free(list->list);
}
