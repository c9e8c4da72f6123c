/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/periodic_thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"

struct periodic_thread {
	pthread_t thread;
	int wake; /* readable once the thread is to look at what follows */
	_Atomic bool is_ending;
	int fd; /* there is work when it is readable; or -1 */
	_Atomic int period_ms; /* or -1 */
	void (*work)(void *data);
	void *data;
};

/* Wait until there is work. Returns false if the thread is to end. */
static bool
await_work(struct periodic_thread *thread)
{
	struct pollfd fds[] = { { .fd = thread->wake, .events = POLLIN },
				{ .fd = thread->fd, .events = POLLIN } };
	eventfd_t count;

	if (poll(fds, 2, thread->period_ms) < 0)
		return false;
	if (fds[0].revents)
		eventfd_read(thread->wake, &count);
	return !thread->is_ending;
}

static void *
run_periodically(void *data)
{
	struct periodic_thread *thread = data;

	while (await_work(thread))
		thread->work(thread->data);
	return NULL;
}

static int
thread_create_timed(int period_ms, int fd, void (*work)(void *data), void *data,
		    struct periodic_thread **out)
{
	struct periodic_thread *thread = calloc(1, sizeof(*thread));
	int ret;

	if (!thread)
		return -ENOMEM;
	thread->period_ms = period_ms;
	thread->fd = fd;
	thread->work = work;
	thread->data = data;
	thread->wake = eventfd(0, EFD_CLOEXEC);
	if (thread->wake < 0) {
		ret = -errno;
		free(thread);
		return ret;
	}
	ret = thread_create(&thread->thread, "drmperf-period", run_periodically,
			    thread);
	if (ret) {
		periodic_thread_abandon(thread);
		return ret;
	}
	*out = thread;
	return 0;
}

int
periodic_thread_create(unsigned period_ms, void (*work)(void *data), void *data,
		       struct periodic_thread **out)
{
	return thread_create_timed((int)period_ms, -1, work, data, out);
}

int
periodic_thread_create_for(int fd, void (*work)(void *data), void *data,
			   struct periodic_thread **out)
{
	return thread_create_timed(-1, fd, work, data, out);
}

void
periodic_thread_set_period(struct periodic_thread *thread, unsigned period_ms)
{
	thread->period_ms = (int)period_ms;
	eventfd_write(thread->wake, 1);
}

void
periodic_thread_destroy(struct periodic_thread *thread)
{
	if (!thread)
		return;
	thread->is_ending = true;
	eventfd_write(thread->wake, 1);
	pthread_join(thread->thread, NULL);
	periodic_thread_abandon(thread);
}

void
periodic_thread_abandon(struct periodic_thread *thread)
{
	if (!thread)
		return;
	close(thread->wake);
	free(thread);
}
