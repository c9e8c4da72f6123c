/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/array.h"

/* Pages of a ring: some thousand events. A power of two. */
#define DATA_PAGES 16

/* Number of attempts while a process begins threads. */
#define MOST_TRIES 100

/* The ring of one CPU. */
struct ring {
	int fd;
	int cpu;
	struct perf_event_mmap_page *head; /* the data lie behind it */
	size_t size; /* of all */
};

/* Threads that are followed. */
struct threads {
	pid_t *list;
	size_t count;
};

struct tasks {
	/* descriptors of threads but the first, which write into its rings */
	int *others;
	size_t other_count;
	size_t count;
	struct ring rings[];
};

/* The records asked for, behind struct perf_event_header. */
struct fork_record {
	uint32_t process, parent, thread, parent_thread;
	uint64_t time_ns;
};

struct name_record {
	uint32_t process, thread;
	char name[]; /* padded with 0 to 8 bytes; then struct identity */
};

struct lost_record {
	uint64_t id, count;
};

/* sample_id_all, with what is in attributes.sample_type */
struct identity {
	uint32_t process, thread;
	uint64_t time_ns;
};

/* No record is longer: names of threads have 16 bytes. */
#define RECORD_SIZE 256

static const struct perf_event_attr attributes = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(attributes),
	.config = PERF_COUNT_SW_DUMMY,
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.inherit = 1,
	.task = 1,
	.comm = 1,
	.sample_id_all = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
	.use_clockid = 1,
	.clockid = CLOCK_MONOTONIC,
};

static int
open_event(pid_t thread, int cpu)
{
	struct perf_event_attr attr = attributes;
	int fd = (int)syscall(SYS_perf_event_open, &attr, thread, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int
open_ring(pid_t thread, int cpu, struct ring *ring)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map;
	int ret;

	ring->size = (DATA_PAGES + 1) * page;
	ring->cpu = cpu;
	ring->fd = open_event(thread, cpu);
	if (ring->fd < 0)
		return ring->fd;
	map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   ring->fd, 0);
	if (map == MAP_FAILED) {
		ret = -errno;
		close(ring->fd);
		return ret;
	}
	ring->head = map;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Threads                                                              */

static int
add_thread(struct threads *threads, pid_t thread)
{
	pid_t *added =
		array_add(&threads->list, &threads->count, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = thread;
	return 0;
}

/* Find the threads that a process has now. */
static int
find_threads(pid_t pid, struct threads *out)
{
	const struct dirent *entry;
	char path[64];
	DIR *folder;
	int ret = 0;

	*out = (struct threads){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	if (!folder)
		return errno == ENOENT ? -ESRCH : -errno;
	while (!ret && (entry = readdir(folder))) {
		if (entry->d_name[0] != '.')
			ret = add_thread(out, atoi(entry->d_name));
	}
	closedir(folder);
	return ret;
}

static bool
has_thread(const struct threads *threads, pid_t thread)
{
	for (size_t i = 0; i < threads->count; i++) {
		if (threads->list[i] == thread)
			return true;
	}
	return false;
}

/*
 * Return whether a thread has begun since. Such a thread may be followed
 * already, or not: nothing shows which.
 */
static bool
have_begun(pid_t pid, const struct threads *known)
{
	struct threads now;
	bool begun = false;

	if (!find_threads(pid, &now)) {
		for (size_t i = 0; i < now.count; i++)
			begun |= !has_thread(known, now.list[i]);
	}
	free(now.list);
	return begun;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static int
open_thread_rings(struct tasks *tasks, pid_t thread)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < cpus; cpu++) {
		int ret = open_ring(thread, cpu, &tasks->rings[tasks->count]);

		/* a CPU that is switched off */
		if (ret == -ENODEV)
			continue;
		if (ret)
			return ret;
		tasks->count++;
	}
	return 0;
}

static int
open_other_thread(struct tasks *tasks, pid_t thread)
{
	int *others = reallocarray(tasks->others,
				   tasks->other_count + tasks->count,
				   sizeof(*others));

	if (!others)
		return -ENOMEM;
	tasks->others = others;
	for (size_t i = 0; i < tasks->count; i++) {
		const struct ring *ring = &tasks->rings[i];
		int fd = open_event(thread, ring->cpu);

		if (fd < 0)
			return fd;
		others[tasks->other_count++] = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
			return -errno;
	}
	return 0;
}

/*
 * Open the threads, any of which may have ended by then; the first one's rings
 * stay.
 */
static int
open_threads(const struct threads *threads, struct tasks **out)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct tasks *tasks =
		calloc(1, sizeof(*tasks) +
				  (size_t)cpus * sizeof(*tasks->rings));
	int ret = 0;

	if (!tasks)
		return -ENOMEM;
	for (size_t i = 0; i < threads->count; i++) {
		ret = tasks->count ? open_other_thread(tasks, threads->list[i])
				   : open_thread_rings(tasks, threads->list[i]);
		if (ret && ret != -ESRCH)
			break;
		ret = 0;
	}
	if (!ret && !tasks->count)
		ret = -ESRCH;
	if (ret)
		tasks_close(tasks);
	else
		*out = tasks;
	return ret;
}

int
tasks_open(pid_t pid, struct tasks **out)
{
	const struct threads one = { .list = &pid, .count = 1 };

	return open_threads(&one, out);
}

int
tasks_open_running(pid_t pid, struct tasks **out)
{
	for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
		struct threads threads;
		struct tasks *tasks = NULL;
		bool begun;
		int ret = find_threads(pid, &threads);

		if (!ret)
			ret = open_threads(&threads, &tasks);
		begun = !ret && have_begun(pid, &threads);
		free(threads.list);
		if (ret)
			return ret;
		if (!begun) {
			*out = tasks;
			return 0;
		}
		tasks_close(tasks);
	}
	return -EAGAIN;
}

void
tasks_close(struct tasks *tasks)
{
	if (!tasks)
		return;
	for (size_t i = 0; i < tasks->other_count; i++)
		close(tasks->others[i]);
	for (size_t i = 0; i < tasks->count; i++) {
		munmap(tasks->rings[i].head, tasks->rings[i].size);
		close(tasks->rings[i].fd);
	}
	free(tasks->others);
	free(tasks);
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

/* Copy from a place in the ring, round its end. */
static void
copy_from_ring(const struct ring *ring, uint64_t at, void *out, size_t size)
{
	const uint8_t *data =
		(const uint8_t *)ring->head + ring->head->data_offset;
	uint64_t room = ring->head->data_size;
	size_t begin = (size_t)(at & (room - 1)), first = size;

	if (begin + size > room)
		first = (size_t)room - begin;
	memcpy(out, data + begin, first);
	memcpy((uint8_t *)out + first, data, size - first);
}

static void
report_fork(uint32_t type, const uint8_t *body, tasks_fn receive, void *data)
{
	struct fork_record record;
	struct recording_task task = { .name = "" };

	memcpy(&record, body, sizeof(record));
	task.kind = type == PERF_RECORD_EXIT ? RECORDING_TASK_EXIT
					     : RECORDING_TASK_FORK;
	task.time_ns = record.time_ns;
	task.process = (pid_t)record.process;
	task.thread = (pid_t)record.thread;
	if (type == PERF_RECORD_FORK)
		task.parent = (pid_t)record.parent;
	receive(data, &task);
}

static void
report_name(const uint8_t *body, size_t size, tasks_fn receive, void *data)
{
	struct identity identity;
	struct name_record record;
	struct recording_task task = {
		.kind = RECORDING_TASK_NAME,
		.name = (const char *)body + sizeof(record),
	};

	memcpy(&record, body, sizeof(record));
	memcpy(&identity, body + size - sizeof(identity), sizeof(identity));
	task.time_ns = identity.time_ns;
	task.process = (pid_t)record.process;
	task.thread = (pid_t)record.thread;
	receive(data, &task);
}

/* Return the number of events that were lost according to this record. */
static uint64_t
task_report(const struct perf_event_header *header, const uint8_t *body,
	    size_t size, tasks_fn receive, void *data)
{
	struct lost_record lost;

	switch (header->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		report_fork(header->type, body, receive, data);
		return 0;
	case PERF_RECORD_COMM:
		report_name(body, size, receive, data);
		return 0;
	case PERF_RECORD_LOST:
		memcpy(&lost, body, sizeof(lost));
		return lost.count;
	default:
		return 0;
	}
}

static uint64_t
drain_ring(struct ring *ring, tasks_fn receive, void *data)
{
	/* the kernel writes the data first, then how far they reach */
	uint64_t end =
		__atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->head->data_tail, lost = 0;
	uint8_t body[RECORD_SIZE];
	struct perf_event_header header;

	while (at < end) {
		size_t size;

		copy_from_ring(ring, at, &header, sizeof(header));
		size = header.size - sizeof(header);
		if (size <= sizeof(body)) {
			copy_from_ring(ring, at + sizeof(header), body, size);
			lost += task_report(&header, body, size, receive, data);
		}
		at += header.size;
	}
	__atomic_store_n(&ring->head->data_tail, end, __ATOMIC_RELEASE);
	return lost;
}

uint64_t
tasks_drain(struct tasks *tasks, tasks_fn receive, void *data)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < tasks->count; i++)
		lost += drain_ring(&tasks->rings[i], receive, data);
	return lost;
}
