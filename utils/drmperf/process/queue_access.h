/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which compute queues are seen by events that only see what allows it, and the
 * kernel's lock of profilers, with which that is all of them.
 */
#ifndef DRMPERF_TOOL_PROCESS_QUEUE_ACCESS_H
#define DRMPERF_TOOL_PROCESS_QUEUE_ACCESS_H

#include <stdio.h>

#include "drmperf.h"
#include "process/hsa_tool.h"

enum queue_access {
	QUEUE_ACCESS_ALLOWED, /* queues whose owner allows counting */
	QUEUE_ACCESS_COMMAND, /* and those that the command made by HSA */
	QUEUE_ACCESS_ALL, /* all queues of all processes */
};

struct queue_access_device {
	struct drmperf_device *device;
	struct drmperf_queue_hold *hold; /* NULL: the lock is not held */
	bool was_held;
};

/* All zero is an empty list. */
struct queue_access_list {
	struct queue_access_device *list;
	size_t count;
	struct hsa_tool hsa; /* of the command */
};

/*
 * Make ready what a command needs from its start on: where the lock cannot be
 * had, its queues are made to count by a library that HSA loads. Only events of
 * these selections that need it are a reason.
 */
void
queue_access_prepare(struct queue_access_list *list,
		     const struct drmperf_selection *selections, size_t count);

/*
 * Take the lock of each GPU of these selections that has events which need it.
 * Returns 0, also where it cannot be had; -EBUSY if another profiler has it.
 */
int
queue_access_take(struct queue_access_list *list,
		  const struct drmperf_selection *selections, size_t count,
		  struct drmperf_error *error);

/* Release all locks; what was seen while they were held is kept in mind. */
void
queue_access_release(struct queue_access_list *list);

/* Return the access that all GPUs had, or more. */
enum queue_access
queue_access_least(const struct queue_access_list *list);

/* Return "allowed", "command" or "all". */
const char *
queue_access_name(enum queue_access access);

/* Return a legend such as " (* in queues that allow it)". */
const char *
queue_access_legend(enum queue_access access);

/* Print what the mark of events means, as a paragraph below a table. */
void
queue_access_print_note(FILE *out, enum queue_access access);

/*
 * Print a line behind a prefix for each GPU on which more was seen than queues
 * whose owner allows counting.
 */
void
queue_access_print(FILE *out, const char *prefix,
		   const struct queue_access_list *list);

void
queue_access_finish(struct queue_access_list *list);

#endif /* DRMPERF_TOOL_PROCESS_QUEUE_ACCESS_H */
