/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that does something again and again until it is ended. It has all
 * signals blocked: those are for the program's own threads.
 */
#ifndef DRMPERF_LIB_BASE_PERIODIC_THREAD_H
#define DRMPERF_LIB_BASE_PERIODIC_THREAD_H

struct periodic_thread;

/* Call work(data) every period_ms. -EAGAIN, -EMFILE, -ENOMEM. */
int
periodic_thread_create(unsigned period_ms, void (*work)(void *data), void *data,
		       struct periodic_thread **out);

/*
 * Call work(data) whenever the descriptor is readable, which stays the
 * caller's. The errors of periodic_thread_create().
 */
int
periodic_thread_create_for(int fd, void (*work)(void *data), void *data,
			   struct periodic_thread **out);

/* Have the thread work at once, and from then on in this period. */
void
periodic_thread_set_period(struct periodic_thread *thread, unsigned period_ms);

/* End the thread and wait for that. NULL is allowed. */
void
periodic_thread_destroy(struct periodic_thread *thread);

/* Forget the thread in a forked child, which has none. NULL is allowed. */
void
periodic_thread_abandon(struct periodic_thread *thread);

#endif /* DRMPERF_LIB_BASE_PERIODIC_THREAD_H */
