/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that does something again and again until it is ended. It has all
 * signals blocked: those are for the program's own threads.
 */
#ifndef DRMPERF_LIB_BASE_KEEPER_H
#define DRMPERF_LIB_BASE_KEEPER_H

struct keeper;

/* Call work(data) every period_ms. -EAGAIN, -EMFILE, -ENOMEM. */
int keeper_create(unsigned period_ms, void (*work)(void *data), void *data,
		  struct keeper **out);

/*
 * Call work(data) whenever the descriptor is readable, which stays the
 * caller's. The errors of keeper_create().
 */
int keeper_create_for(int fd, void (*work)(void *data), void *data,
		      struct keeper **out);

/* End the thread and wait for that. NULL is allowed. */
void keeper_destroy(struct keeper *keeper);

/* In a forked child, which has no such thread. NULL is allowed. */
void keeper_abandon(struct keeper *keeper);

#endif /* DRMPERF_LIB_BASE_KEEPER_H */
