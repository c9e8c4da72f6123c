/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_list.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
make_room(struct kd_list *list)
{
	const size_t room = list->room ? 2 * list->room : 256;
	struct kd_counter *counters;

	if (list->count < list->room)
		return 0;
	counters = reallocarray(list->counters, room, sizeof(*counters));
	if (!counters)
		return -ENOMEM;
	list->counters = counters;
	list->room = room;
	return 0;
}

static void
free_texts(struct kd_counter *counter)
{
	free((char *)counter->info.name);
	free((char *)counter->info.description);
	free(counter->event);
}

int
kd_list_add(struct kd_list *list, const struct kd_counter *counter,
	    const char *name, const char *event, const char *description, ...)
{
	struct kd_counter added = *counter;
	va_list arguments;
	char *text;

	if (make_room(list))
		return -ENOMEM;
	va_start(arguments, description);
	if (vasprintf(&text, description, arguments) < 0)
		text = NULL;
	va_end(arguments);
	added.info.name = strdup(name);
	added.info.description = text;
	added.event = event ? strdup(event) : NULL;
	if (!added.info.name || !text || (event && !added.event)) {
		free_texts(&added);
		return -ENOMEM;
	}
	list->counters[list->count++] = added;
	return 0;
}

void
kd_list_limit(struct kd_list *list, uint64_t most)
{
	KDCounterInfoKHR *info = &list->counters[list->count - 1].info;

	if (!most || most >= (uint64_t)KD_INFINITE_COUNTER_VAL_KHR)
		return;
	info->maxValue = (KDint64)most;
	info->defaultScale = (KDfloat32)(100 / (double)most);
}

void
kd_list_free(struct kd_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_texts(&list->counters[i]);
	free(list->counters);
	memset(list, 0, sizeof(*list));
}
