/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that wake the machine, and what is done then. */
#ifndef DRMSIM_MACHINE_POLL_SOURCE_H
#define DRMSIM_MACHINE_POLL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_watch {
	/* events: of epoll */
	void (*ready)(void *owner, uint32_t events);
	void *owner;
	/*
	 * It tells that something was closed, which comes before what was
	 * asked. The watch itself may then be gone already, its owner not.
	 */
	bool tells_end;
};

/*
 * Add a watch, which the caller owns, as long as fd is open. Returns 0 or
 * -errno.
 */
int sim_watch_add(struct sim *sim, int fd, uint32_t events,
		  struct sim_watch *watch);
void sim_watch_change(struct sim *sim, int fd, uint32_t events,
		      struct sim_watch *watch);
/*
 * Wait at most ms milliseconds, or with -1 for ever, and call the watches that
 * are ready. Returns the number of ready descriptors, or -errno.
 */
int sim_watches_wait(struct sim *sim, int ms);

#endif /* DRMSIM_MACHINE_POLL_SOURCE_H */
