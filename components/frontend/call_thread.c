/* SPDX-License-Identifier: BSD-3-Clause */
#include "frontend/call_thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static void
wait_for_semaphore(sem_t *semaphore)
{
	while (sem_wait(semaphore) && errno == EINTR)
		;
}

static void *
call_thread_main(void *data)
{
	struct call_thread *thread = data;

	for (;;) {
		wait_for_semaphore(&thread->asked);
		if (!thread->call)
			return NULL;
		thread->result = thread->call(thread->data);
		sem_post(&thread->answered);
	}
}

int
call_thread_start(pthread_t *out, void *(*run)(void *data), void *data)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(out, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -rc;
}

static int
call_thread_start_once(struct call_thread *thread)
{
	int rc;

	sem_init(&thread->asked, 0, 0);
	sem_init(&thread->answered, 0, 0);
	rc = call_thread_start(&thread->thread, call_thread_main, thread);
	thread->runs = !rc;
	return rc;
}

int
call_thread_begin(struct call_thread *thread, int (*call)(void *data),
		  void *data)
{
	int rc = thread->runs ? 0 : call_thread_start_once(thread);

	if (rc)
		return rc;
	thread->call = call;
	thread->data = data;
	thread->is_busy = true;
	sem_post(&thread->asked);
	return 0;
}

bool
call_thread_wait(struct call_thread *thread, const struct timespec *until)
{
	int failed = 0;

	if (!until)
		wait_for_semaphore(&thread->answered);
	else
		do
			failed = sem_clockwait(&thread->answered,
					       CLOCK_MONOTONIC, until);
		while (failed && errno == EINTR);
	if (!failed)
		thread->is_busy = false;
	return !failed;
}

int
call_thread_run(struct call_thread *thread, int (*call)(void *data), void *data)
{
	int cancellation, rc;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	rc = call_thread_begin(thread, call, data);
	if (!rc) {
		call_thread_wait(thread, NULL);
		rc = thread->result;
	}
	pthread_setcancelstate(cancellation, NULL);
	return rc;
}

void
call_thread_end(struct call_thread *thread)
{
	if (!thread->runs)
		return;
	if (thread->is_busy)
		call_thread_wait(thread, NULL);
	thread->call = NULL;
	sem_post(&thread->asked);
	pthread_join(thread->thread, NULL);
	sem_destroy(&thread->asked);
	sem_destroy(&thread->answered);
	memset(thread, 0, sizeof(*thread));
}

void
call_thread_forget(struct call_thread *thread)
{
	memset(thread, 0, sizeof(*thread));
}
