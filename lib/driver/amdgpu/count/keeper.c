/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/keeper.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

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

static int
start_thread(struct keeper *keeper)
{
	sigset_t all, before;
	int ret;

	/* A thread begins with the mask of the one that makes it. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&keeper->thread, NULL, keeper_run, keeper);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!ret)
		pthread_setname_np(keeper->thread, "drmperf-keeper");
	return -ret;
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
	ret = start_thread(keeper);
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
