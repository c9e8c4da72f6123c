/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/periodic_thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"

struct periodic_thread {
	pthread_t thread;
	int end; /* readable once the thread is to end */
	int fd; /* there is work when it is readable; or -1 */
	int period_ms; /* or -1 */
	void (*work)(void *data);
	void *data;
};

static void *
run_periodically(void *data)
{
	struct periodic_thread *thread = data;
	struct pollfd fds[] = { { .fd = thread->end, .events = POLLIN },
				{ .fd = thread->fd, .events = POLLIN } };

	while (poll(fds, 2, thread->period_ms) >= 0 && !fds[0].revents)
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
	thread->end = eventfd(0, EFD_CLOEXEC);
	if (thread->end < 0) {
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
periodic_thread_destroy(struct periodic_thread *thread)
{
	if (!thread)
		return;
	eventfd_write(thread->end, 1);
	pthread_join(thread->thread, NULL);
	periodic_thread_abandon(thread);
}

void
periodic_thread_abandon(struct periodic_thread *thread)
{
	if (!thread)
		return;
	close(thread->end);
	free(thread);
}
