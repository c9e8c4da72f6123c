/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The progress of time: the GPUs do what is due, then sleeping calls are asked
 * again if anything changed. In virtual time nothing is ever due by itself: the
 * clock moves when a test advances it, and when a process sleeps in a call that
 * knows when it will end.
 */
#ifndef DRMSIM_SERVER_TIME_H
#define DRMSIM_SERVER_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

/* Do everything that is due at this moment, and what follows from it. */
void sim_time_serve(struct sim *sim);
/*
 * Advance virtual time by ns, through all events until then. Returns 0, or
 * -EINVAL in real time.
 */
int sim_time_advance(struct sim *sim, uint64_t ns);
/*
 * Go to the next moment that matters to sleepers, in virtual time, when no
 * request is pending but a process sleeps. Returns false if there is none.
 */
bool sim_time_step(struct sim *sim);

/* Return the host's ns until something is due, or SIM_NEVER if nothing is. */
uint64_t sim_time_left(const struct sim *sim);
/* Return whether hardware waits for memory that only a process can change. */
bool sim_time_polls(const struct sim *sim);

#endif /* DRMSIM_SERVER_TIME_H */
