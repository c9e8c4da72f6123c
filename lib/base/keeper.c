/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/keeper.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"

struct keeper {
	pthread_t thread;
	int end; /* readable once the thread is to end */
	int fd; /* there is work when it is readable; or -1 */
	int period_ms; /* or -1 */
	void (*work)(void *data);
	void *data;
};

static void *
keeper_run(void *data)
{
	struct keeper *keeper = data;
	struct pollfd fds[] = { { .fd = keeper->end, .events = POLLIN },
				{ .fd = keeper->fd, .events = POLLIN } };

	while (poll(fds, 2, keeper->period_ms) >= 0 && !fds[0].revents)
		keeper->work(keeper->data);
	return NULL;
}

static int
create(int period_ms, int fd, void (*work)(void *data), void *data,
       struct keeper **out)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	int ret;

	if (!keeper)
		return -ENOMEM;
	keeper->period_ms = period_ms;
	keeper->fd = fd;
	keeper->work = work;
	keeper->data = data;
	keeper->end = eventfd(0, EFD_CLOEXEC);
	if (keeper->end < 0) {
		ret = -errno;
		free(keeper);
		return ret;
	}
	ret = thread_create(&keeper->thread, "drmperf-keeper", keeper_run,
			    keeper);
	if (ret) {
		keeper_abandon(keeper);
		return ret;
	}
	*out = keeper;
	return 0;
}

int
keeper_create(unsigned period_ms, void (*work)(void *data), void *data,
	      struct keeper **out)
{
	return create((int)period_ms, -1, work, data, out);
}

int
keeper_create_for(int fd, void (*work)(void *data), void *data,
		  struct keeper **out)
{
	return create(-1, fd, work, data, out);
}

void
keeper_destroy(struct keeper *keeper)
{
	if (!keeper)
		return;
	eventfd_write(keeper->end, 1);
	pthread_join(keeper->thread, NULL);
	keeper_abandon(keeper);
}

void
keeper_abandon(struct keeper *keeper)
{
	if (!keeper)
		return;
	close(keeper->end);
	free(keeper);
}
