/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that makes calls for other threads, one at a time: a caller can stop
 * waiting for a call, and state that a library keeps per thread exists once.
 */
#ifndef DRMPERF_COMPONENTS_FRONTEND_CALL_THREAD_H
#define DRMPERF_COMPONENTS_FRONTEND_CALL_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

/*
 * Start a thread that gets none of the program's signals. Returns 0, or a
 * negative errno value of pthread_create().
 */
int
call_thread_start(pthread_t *out, void *(*run)(void *data), void *data);

/* All zero: there is no thread yet. */
struct call_thread {
	bool runs;
	bool is_busy; /* a call has not returned yet */
	int result; /* of the last call */
	/* for call_thread.c */
	pthread_t thread;
	sem_t asked, answered;
	int (*call)(void *data); /* NULL: the end */
	void *data;
};

/*
 * Call a function in the thread, which must not be busy, and is started if need
 * be. Returns 0, or a negative errno value of pthread_create().
 */
int
call_thread_begin(struct call_thread *thread, int (*call)(void *data),
		  void *data);

/*
 * Wait until the call has returned, or the time on CLOCK_MONOTONIC comes; NULL:
 * without limit. Return false if the thread is still busy.
 */
bool
call_thread_wait(struct call_thread *thread, const struct timespec *until);

/*
 * Begin a call, wait for it, and return its result. The caller cannot be
 * cancelled while it waits: the call writes to the caller's data.
 */
int
call_thread_run(struct call_thread *thread, int (*call)(void *data),
		void *data);

/* End the thread, if there is one, after its present call. */
void
call_thread_end(struct call_thread *thread);

/* Forget the thread in the child of a fork(), where it does not exist. */
void
call_thread_forget(struct call_thread *thread);

#endif /* DRMPERF_COMPONENTS_FRONTEND_CALL_THREAD_H */
