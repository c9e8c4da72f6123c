/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that wake the machine, and what is done then. */
#ifndef DRMSIM_MACHINE_POLL_SOURCE_H
#define DRMSIM_MACHINE_POLL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_poll_source {
	/* events: of epoll */
	void (*ready)(void *owner, uint32_t events);
	void *owner;
	/*
	 * It tells that something was closed, which comes before what was
	 * asked. The source itself may then be gone already, its owner not.
	 */
	bool tells_end;
};

/*
 * Add a source, which the caller owns, as long as fd is open. Returns 0 or
 * -errno.
 */
int
sim_poll_source_add(struct sim *sim, int fd, uint32_t events,
		    struct sim_poll_source *source);
void
sim_poll_source_change(struct sim *sim, int fd, uint32_t events,
		       struct sim_poll_source *source);
/*
 * Wait at most ms milliseconds, or with -1 for ever, and call the sources that
 * are ready. Returns the number of ready descriptors, or -errno.
 */
int
sim_poll_sources_wait(struct sim *sim, int ms);

#endif /* DRMSIM_MACHINE_POLL_SOURCE_H */
