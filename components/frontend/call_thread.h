/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that makes calls for others, one at a time: a caller can give up
 * waiting, and state that a call keeps for each thread is kept once.
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
	bool is_busy; /* an answer is still to come */
	int result; /* of the last call */
	/* own */
	pthread_t thread;
	sem_t asked, answered;
	int (*call)(void *data); /* NULL: the end */
	void *data;
};

/*
 * Have it called in the thread, which begins if need be and is not busy. 0, or
 * a negative errno value of pthread_create().
 */
int
call_thread_begin(struct call_thread *thread, int (*call)(void *data),
		  void *data);

/*
 * Wait for the answer until then, on CLOCK_MONOTONIC, or NULL: for ever. False:
 * it did not come; the thread is busy still.
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

/* End the thread, if there is one, when it has made the call it is in. */
void
call_thread_end(struct call_thread *thread);

/* Forget the thread in the child of a fork(), where it does not exist. */
void
call_thread_forget(struct call_thread *thread);

#endif /* DRMPERF_COMPONENTS_FRONTEND_CALL_THREAD_H */
