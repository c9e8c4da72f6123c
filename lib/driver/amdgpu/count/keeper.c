/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/keeper.h"

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
	int period_ms;
	void (*work)(void *data);
	void *data;
};

static void *
keeper_run(void *data)
{
	struct keeper *keeper = data;
	struct pollfd end = { .fd = keeper->end, .events = POLLIN };

	while (poll(&end, 1, keeper->period_ms) == 0)
		keeper->work(keeper->data);
	return NULL;
}

int
keeper_create(unsigned period_ms, void (*work)(void *data), void *data,
	      struct keeper **out)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	int ret;

	if (!keeper)
		return -ENOMEM;
	keeper->period_ms = (int)period_ms;
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
