/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/timeline.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

/* End of a span that has not ended yet. */
#define OPEN UINT64_MAX

struct task_list {
	struct recording_task *list;
	size_t count;
	uint64_t end_ns; /* of the recording */
};

static int
add_task(struct task_list *tasks, const struct recording_task *task)
{
	struct recording_task *added =
		array_add(&tasks->list, &tasks->count, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *task;
	return 0;
}

/* Sort by time: events of several CPUs are in order only for each of them. */
static int
by_time(const void *a, const void *b)
{
	const struct recording_task *one = a, *other = b;

	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	/* the name of a new process comes behind the process */
	return (int)one->kind - (int)other->kind;
}

static int
read_tasks(struct recording *recording, struct task_list *tasks)
{
	struct recording_item item;
	int ret;

	recording_rewind(recording);
	while ((ret = recording_next(recording, &item)) > 0) {
		/* all that happens moves the recording's time on */
		tasks->end_ns = recording->time_ns;
		if (item.kind == RECORDING_TASK)
			ret = add_task(tasks, &item.task);
		if (ret < 0)
			break;
	}
	if (tasks->count)
		qsort(tasks->list, tasks->count, sizeof(*tasks->list), by_time);
	return ret;
}

/* ------------------------------------------------------------------ */

/* Spans that are not over, found by their processes. */
struct open_spans {
	struct timeline *spans;
	uint32_t *last; /* by process: its last span, counted from 1, or 0 */
};

/* Find the span that the process is in; NULL: none is known. */
static struct span *
find_open(const struct open_spans *opening, pid_t process)
{
	uint32_t last = opening->last[process];

	if (!last || opening->spans->list[last - 1].end_ns != OPEN)
		return NULL;
	return &opening->spans->list[last - 1];
}

static int
open_span(struct open_spans *opening, const struct recording_task *task,
	  const char *name)
{
	struct timeline *spans = opening->spans;
	struct span *span =
		array_add(&spans->list, &spans->count, sizeof(*span));

	if (!span)
		return -ENOMEM;
	*span = (struct span){
		.process = task->process,
		.name = name,
		.begin_ns = task->time_ns,
		.end_ns = OPEN,
	};
	opening->last[task->process] = (uint32_t)spans->count;
	return 0;
}

/* Ignore threads; track processes only. */
static int
opening_take_task(struct open_spans *opening, const struct recording_task *task)
{
	struct span *open = find_open(opening, task->process), *parent;

	if (task->thread != task->process)
		return 0;
	if (open)
		open->end_ns = task->time_ns;
	if (task->kind == RECORDING_TASK_EXIT)
		return 0;
	if (task->kind == RECORDING_TASK_NAME)
		return open_span(opening, task, task->name);
	parent = find_open(opening, task->parent);
	return open_span(opening, task, parent ? parent->name : "");
}

static int
make_spans(const struct task_list *tasks, struct timeline *spans)
{
	struct open_spans opening = {
		.spans = spans,
		.last = calloc(RECORDING_MOST_PROCESS + 1,
			       sizeof(*opening.last)),
	};
	int ret = opening.last ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < tasks->count; i++)
		ret = opening_take_task(&opening, &tasks->list[i]);
	for (size_t i = 0; i < spans->count; i++) {
		if (spans->list[i].end_ns == OPEN)
			spans->list[i].end_ns = tasks->end_ns;
	}
	free(opening.last);
	return ret;
}

int
timeline_read(struct recording *recording, struct timeline *spans)
{
	struct task_list tasks = { 0 };
	int ret = read_tasks(recording, &tasks);

	*spans = (struct timeline){ 0 };
	if (!ret)
		ret = make_spans(&tasks, spans);
	free(tasks.list);
	return ret;
}

void
timeline_finish(struct timeline *spans)
{
	free(spans->list);
	*spans = (struct timeline){ 0 };
}
