/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of processes that perf_event reports: begin, take a name, end. */
#ifndef DRMPERF_TOOL_RECORD_TASKS_H
#define DRMPERF_TOOL_RECORD_TASKS_H

#include "record/recording.h"

struct tasks;

/* Receive what happened; calls for one CPU are in order. */
typedef void (*tasks_fn)(void *data, const struct recording_task *task);

/*
 * Follow a process that has one thread, with threads and children that it will
 * have, or with -1 all of them. 0, or a negative errno value.
 */
int
tasks_open(pid_t pid, struct tasks **out);
/*
 * Open a running process, with all threads that it has. Of its children only
 * new ones are followed. -ESRCH: there is no such process.
 */
int
tasks_open_running(pid_t pid, struct tasks **out);
/*
 * Hand on what happened since the last call. Returns the number of events that
 * were lost.
 */
uint64_t
tasks_drain(struct tasks *tasks, tasks_fn receive, void *data);
/* Close the tasks. NULL is allowed. */
void
tasks_close(struct tasks *tasks);

#endif /* DRMPERF_TOOL_RECORD_TASKS_H */
