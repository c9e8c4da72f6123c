/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/held_clocks.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define MHZ 1000000.0

bool
held_clocks_expected(struct drmperf_device *device)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };

	return !drmperf_device_clocks(device, &clocks, NULL) &&
	       clocks.counting != DRMPERF_CLOCK_DEFAULT &&
	       clocks.counting != clocks.mode;
}

static bool
has_device(const struct held_clocks_list *list,
	   const struct drmperf_device *device)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->list[i].device == device)
			return true;
	}
	return false;
}

/*
 * Add held clocks. Memory being short costs the line about the clocks, and
 * nothing else.
 */
void
held_clocks_add(const struct held_clocks *clocks, struct held_clocks_list *list)
{
	struct held_clocks *added =
		array_add(&list->list, &list->count, sizeof(*added));

	if (added)
		*added = *clocks;
}

static void
add_device(struct drmperf_device *device, struct held_clocks_list *list)
{
	struct held_clocks one = {
		.device = device,
		.index = (int)drmperf_device_index(device),
		.before.size = sizeof(one.before),
		.held.size = sizeof(one.held),
	};

	if (!drmperf_device_clocks(device, &one.before, NULL))
		held_clocks_add(&one, list);
}

void
held_clocks_before(struct drmperf *drmperf,
		   const struct drmperf_selection *selections, size_t count,
		   struct held_clocks_list *list)
{
	for (size_t i = 0; i < count; i++) {
		struct drmperf_device *device =
			drmperf_event_device(selections[i].event);
		unsigned index = drmperf_device_index(device);

		if (index < drmperf_device_count(drmperf) &&
		    !has_device(list, device))
			add_device(device, list);
	}
}

static bool
is_held(const struct held_clocks *one)
{
	return one->is_known && one->held.mode != one->before.mode &&
	       one->held.mode != DRMPERF_CLOCK_AUTO &&
	       one->held.mode != DRMPERF_CLOCK_DEFAULT;
}

void
held_clocks_during(struct held_clocks_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct held_clocks *one = &list->list[i];

		if (!one->is_known)
			one->is_known = !drmperf_device_clocks(
				one->device, &one->held, NULL);
		one->is_held = is_held(one);
	}
}

const struct held_clocks *
held_clocks_find(const struct held_clocks_list *list, int device)
{
	for (size_t i = 0; list && i < list->count; i++) {
		const struct held_clocks *one = &list->list[i];

		if (one->index == device)
			return one->is_held ? one : NULL;
	}
	return NULL;
}

/* Append a clock, and return the length of the text then. */
static int
append_clock(char text[HELD_CLOCKS_SIZE], int length, const char *what,
	     uint64_t held, uint64_t before)
{
	if (!held)
		return length;
	length += snprintf(text + length, HELD_CLOCKS_SIZE - (size_t)length,
			   "%s%s %.0f MHz", length ? ", " : "", what,
			   (double)held / MHZ);
	if (before)
		length += snprintf(text + length,
				   HELD_CLOCKS_SIZE - (size_t)length,
				   " (%.0f before)", (double)before / MHZ);
	return length;
}

const char *
held_clocks_text(const struct held_clocks *clocks, char text[HELD_CLOCKS_SIZE])
{
	int length;

	*text = '\0';
	length = append_clock(text, 0, "engine", clocks->held.engine_hz,
			      clocks->before.engine_hz);
	append_clock(text, length, "memory", clocks->held.memory_hz,
		     clocks->before.memory_hz);
	return text;
}

void
held_clocks_print(FILE *out, const char *prefix,
		  const struct held_clocks_list *list)
{
	char text[HELD_CLOCKS_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		const struct held_clocks *one = &list->list[i];

		if (one->is_held)
			fprintf(out,
				"%scounting holds the clocks of GPU %d: %s\n",
				prefix, one->index,
				held_clocks_text(one, text));
	}
}

void
held_clocks_print_note(FILE *out, const struct held_clocks_list *list)
{
	bool any = false;

	for (size_t i = 0; i < list->count; i++)
		any |= list->list[i].is_held;
	if (!any)
		return;
	fputc('\n', out);
	held_clocks_print(out, " ", list);
	fputs("   (the counters need that: the program may run at another "
	      "speed than without)\n",
	      out);
}

void
held_clocks_finish(struct held_clocks_list *list)
{
	free(list->list);
	*list = (struct held_clocks_list){ .list = NULL };
}
