/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/regions.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

/* End of a region that has not ended yet. */
#define OPEN UINT64_MAX

/* A mark, or the end of a thread. */
struct edge {
	struct recording_mark mark;
	bool is_exit;
	size_t number; /* in the recording */
};

struct edges {
	struct edge *list;
	size_t count;
	uint64_t end_ns; /* of the recording */
};

static int
add_edge(struct edges *edges, const struct recording_mark *mark, bool is_exit)
{
	struct edge *edge =
		array_add(&edges->list, &edges->count, sizeof(*edge));

	if (!edge)
		return -ENOMEM;
	*edge = (struct edge){
		.mark = *mark,
		.is_exit = is_exit,
		.number = edges->count,
	};
	return 0;
}

static int
take_item(struct edges *edges, const struct recording_item *item)
{
	const struct recording_task *task = &item->task;
	struct recording_mark exit;

	if (item->kind == RECORDING_MARK)
		return add_edge(edges, &item->mark, false);
	if (item->kind != RECORDING_TASK || task->kind != RECORDING_TASK_EXIT)
		return 0;
	exit = (struct recording_mark){ .time_ns = task->time_ns,
					.process = task->process,
					.thread = task->thread };
	return add_edge(edges, &exit, true);
}

/* Sort by time; marks of one thread are in their order in the recording. */
static int
by_time(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;

	if (one->mark.time_ns != other->mark.time_ns)
		return one->mark.time_ns < other->mark.time_ns ? -1 : 1;
	if (one->is_exit != other->is_exit)
		return one->is_exit ? 1 : -1;
	return one->number < other->number ? -1 : 1;
}

static int
read_edges(struct recording *recording, struct edges *edges)
{
	struct recording_item item;
	int ret;

	recording_rewind(recording);
	while ((ret = recording_next(recording, &item)) > 0) {
		edges->end_ns = recording->time_ns;
		ret = take_item(edges, &item);
		if (ret < 0)
			break;
	}
	if (edges->count)
		qsort(edges->list, edges->count, sizeof(*edges->list), by_time);
	return ret;
}

/* ------------------------------------------------------------------ */

/* Regions that have not ended, each with the place of the one before it. */
struct open_region {
	uint64_t range;
	uint32_t before; /* counted from 1, or 0 */
};

struct open_regions {
	struct regions *regions;
	struct open_region *list; /* one for each region */
	uint32_t *last; /* by thread, then by process: counted from 1, or 0 */
};

#define PROCESSES (RECORDING_MOST_PROCESS + 1)

/* Return the list that a region stands in. */
static uint32_t *
list_of(const struct open_regions *opening, pid_t process, pid_t thread)
{
	return &opening->last[thread ? thread : PROCESSES + process];
}

static void
open_region(struct open_regions *opening, const struct recording_mark *mark,
	    bool is_range)
{
	struct regions *regions = opening->regions;
	const pid_t thread = is_range ? 0 : mark->thread;
	uint32_t *last = list_of(opening, mark->process, thread);
	const size_t count = regions->count++;

	regions->list[count] = (struct region){
		.process = mark->process,
		.thread = thread,
		.name = mark->name,
		.begin_ns = mark->time_ns,
		.end_ns = OPEN,
	};
	opening->list[count] = (struct open_region){
		.range = mark->range,
		.before = *last,
	};
	*last = (uint32_t)(count + 1);
}

static void
add_instant(struct open_regions *opening, const struct recording_mark *mark)
{
	struct regions *regions = opening->regions;

	regions->list[regions->count++] = (struct region){
		.process = mark->process,
		.thread = mark->thread,
		.name = mark->name,
		.begin_ns = mark->time_ns,
		.end_ns = mark->time_ns,
		.is_instant = true,
	};
}

/* End the innermost region of a thread, if there is one. */
static void
close_region(struct open_regions *opening, const struct recording_mark *mark)
{
	uint32_t *last = list_of(opening, mark->process, mark->thread);

	if (!*last)
		return;
	opening->regions->list[*last - 1].end_ns = mark->time_ns;
	*last = opening->list[*last - 1].before;
}

/* End the range of a number; others of the process may have begun since. */
static void
close_range(struct open_regions *opening, const struct recording_mark *mark)
{
	uint32_t *last = list_of(opening, mark->process, 0);
	uint32_t *before = NULL, at = *last;

	while (at && opening->list[at - 1].range != mark->range) {
		before = &opening->list[at - 1].before;
		at = *before;
	}
	if (!at)
		return;
	opening->regions->list[at - 1].end_ns = mark->time_ns;
	if (before)
		*before = opening->list[at - 1].before;
	else
		*last = opening->list[at - 1].before;
}

static void
close_regions(struct open_regions *opening, uint32_t *last, uint64_t time_ns)
{
	while (*last) {
		opening->regions->list[*last - 1].end_ns = time_ns;
		*last = opening->list[*last - 1].before;
	}
}

static void
end_thread(struct open_regions *opening, const struct recording_mark *exit)
{
	close_regions(opening, list_of(opening, exit->process, exit->thread),
		      exit->time_ns);
	if (exit->thread == exit->process)
		close_regions(opening, list_of(opening, exit->process, 0),
			      exit->time_ns);
}

static void
take_edge(struct open_regions *opening, const struct edge *edge)
{
	const struct recording_mark *mark = &edge->mark;

	if (edge->is_exit) {
		end_thread(opening, mark);
		return;
	}
	switch (mark->kind) {
	case RECORDING_MARK_PUSH:
		open_region(opening, mark, false);
		break;
	case RECORDING_MARK_POP:
		close_region(opening, mark);
		break;
	case RECORDING_MARK_START:
		open_region(opening, mark, true);
		break;
	case RECORDING_MARK_STOP:
		close_range(opening, mark);
		break;
	case RECORDING_MARK_INSTANT:
		add_instant(opening, mark);
		break;
	}
}

static int
make_regions(const struct edges *edges, struct regions *regions)
{
	struct open_regions opening = {
		.regions = regions,
		.list = calloc(edges->count + 1, sizeof(*opening.list)),
		.last = calloc(2 * PROCESSES, sizeof(*opening.last)),
	};

	regions->list = calloc(edges->count + 1, sizeof(*regions->list));
	if (!opening.list || !opening.last || !regions->list) {
		free(opening.list);
		free(opening.last);
		return -ENOMEM;
	}
	for (size_t i = 0; i < edges->count; i++)
		take_edge(&opening, &edges->list[i]);
	for (size_t i = 0; i < regions->count; i++) {
		if (regions->list[i].end_ns == OPEN)
			regions->list[i].end_ns = edges->end_ns;
	}
	free(opening.list);
	free(opening.last);
	return 0;
}

int
regions_read(struct recording *recording, struct regions *regions)
{
	struct edges edges = { 0 };
	int ret = read_edges(recording, &edges);

	*regions = (struct regions){ 0 };
	if (!ret)
		ret = make_regions(&edges, regions);
	free(edges.list);
	return ret;
}

void
regions_finish(struct regions *regions)
{
	free(regions->list);
	*regions = (struct regions){ 0 };
}
