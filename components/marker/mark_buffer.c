/* SPDX-License-Identifier: BSD-3-Clause */
#include "mark_buffer.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MARKS_MAGIC UINT64_C(0x31736b72616d7264)
#define MARK_NAME_SIZE 96
#define NS_PER_S 1000000000

struct mark {
	_Atomic uint32_t kind; /* of enum mark_kind; 0: not written yet */
	uint32_t process, thread;
	uint32_t unused;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t range;
	char name[MARK_NAME_SIZE];
};

struct mark_head {
	uint64_t magic;
	uint64_t capacity; /* in marks */
	_Atomic uint64_t reserved;
	uint64_t unused[13];
};

_Static_assert(sizeof(struct mark) == 128 && sizeof(struct mark_head) == 128,
	       "the tool has this layout, too");

static struct {
	struct mark_head *head; /* NULL: no tool records */
	uint64_t capacity;
	_Atomic uint64_t ranges;
} all;

static struct mark_head *
map_file(int fd)
{
	struct stat status;
	void *memory;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    status.st_size < (off_t)sizeof(struct mark_head) ||
	    status.st_size % (off_t)sizeof(struct mark))
		return NULL;
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	all.capacity = (uint64_t)status.st_size / sizeof(struct mark) - 1;
	return memory;
}

/*
 * Return whether a file is the tool's. The path may lead to that of another
 * program, when the tool has ended.
 */
static bool
is_of_tool(const struct mark_head *head)
{
	return head->magic == MARKS_MAGIC && head->capacity == all.capacity;
}

/*
 * Open the buffer. Programs that are loaded after this one may mark in their
 * constructors.
 */
static void __attribute__((constructor))
mark_buffer_open(void)
{
	const char *path = secure_getenv("DRMPERF_MARKS");
	struct mark_head *head;
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	head = map_file(fd);
	close(fd);
	if (!head)
		return;
	if (is_of_tool(head))
		all.head = head;
	else
		munmap(head, (all.capacity + 1) * sizeof(struct mark));
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Write a mark. All of this may interrupt itself: handlers of signals mark,
 * too.
 */
void
mark_write(enum mark_kind kind, uint64_t range, const char *name)
{
	struct mark_head *head = all.head;
	struct mark *mark;
	uint64_t time_ns, number;

	if (!head)
		return;
	time_ns = now_ns();
	number = atomic_fetch_add(&head->reserved, 1);
	if (number >= all.capacity)
		return;
	mark = (struct mark *)head + 1 + number;
	mark->process = (uint32_t)getpid();
	mark->thread = (uint32_t)syscall(SYS_gettid);
	mark->time_ns = time_ns;
	mark->range = range;
	if (name)
		memcpy(mark->name, name, strnlen(name, MARK_NAME_SIZE - 1));
	atomic_store_explicit(&mark->kind, kind, memory_order_release);
}

uint64_t
mark_new_range(void)
{
	return atomic_fetch_add(&all.ranges, 1) + 1;
}
