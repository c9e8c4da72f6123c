/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/poll_source.h"

#include <errno.h>
#include <sys/epoll.h>

#include "machine/machine.h"

#define EVENTS_MAX 64

static int
poll_source_control(struct sim *sim, int operation, int fd, uint32_t events,
		    struct sim_poll_source *source)
{
	struct epoll_event event = { .events = events, .data.ptr = source };

	return epoll_ctl(sim->epoll, operation, fd, &event) ? -errno : 0;
}

int
sim_poll_source_add(struct sim *sim, int fd, uint32_t events,
		    struct sim_poll_source *source)
{
	return poll_source_control(sim, EPOLL_CTL_ADD, fd, events, source);
}

void
sim_poll_source_change(struct sim *sim, int fd, uint32_t events,
		       struct sim_poll_source *source)
{
	poll_source_control(sim, EPOLL_CTL_MOD, fd, events, source);
}

int
sim_poll_sources_wait(struct sim *sim, int ms)
{
	struct epoll_event events[EVENTS_MAX];
	struct sim_poll_source sources[EVENTS_MAX];
	int count = epoll_wait(sim->epoll, events, EVENTS_MAX, ms);

	if (count < 0)
		return -errno;
	/* an end may take the source of a later event with it */
	for (int i = 0; i < count; i++)
		sources[i] = *(struct sim_poll_source *)events[i].data.ptr;
	for (int asked = 0; asked < 2; asked++)
		for (int i = 0; i < count; i++)
			if (sources[i].tells_end != asked)
				sources[i].ready(sources[i].owner,
						 events[i].events);
	return count;
}
