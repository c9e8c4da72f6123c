/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/poll_source.h"

#include <errno.h>
#include <sys/epoll.h>

#include "machine/machine.h"

#define EVENTS_MAX 64

static int
watch_control(struct sim *sim, int operation, int fd, uint32_t events,
	      struct sim_watch *watch)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(sim->epoll, operation, fd, &event) ? -errno : 0;
}

int
sim_watch_add(struct sim *sim, int fd, uint32_t events, struct sim_watch *watch)
{
	return watch_control(sim, EPOLL_CTL_ADD, fd, events, watch);
}

void
sim_watch_change(struct sim *sim, int fd, uint32_t events,
		 struct sim_watch *watch)
{
	watch_control(sim, EPOLL_CTL_MOD, fd, events, watch);
}

int
sim_watches_wait(struct sim *sim, int ms)
{
	struct epoll_event events[EVENTS_MAX];
	struct sim_watch watches[EVENTS_MAX];
	int count = epoll_wait(sim->epoll, events, EVENTS_MAX, ms);

	if (count < 0)
		return -errno;
	/* an end may take the watch of a later event with it */
	for (int i = 0; i < count; i++)
		watches[i] = *(struct sim_watch *)events[i].data.ptr;
	for (int asked = 0; asked < 2; asked++)
		for (int i = 0; i < count; i++)
			if (watches[i].tells_end != asked)
				watches[i].ready(watches[i].owner,
						 events[i].events);
	return count;
}
