/* SPDX-License-Identifier: BSD-3-Clause */
#include "kd_reader.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static void
wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore) && errno == EINTR)
		;
}

static void *
serve(void *data)
{
	struct kd_reader *reader = data;

	for (;;) {
		wait_for(&reader->asked);
		if (!reader->call)
			return NULL;
		reader->result = reader->call(reader->data);
		sem_post(&reader->answered);
	}
}

/* The program's signals are not for this thread. */
static int
begin(struct kd_reader *reader)
{
	sigset_t all, old;
	int rc;

	sem_init(&reader->asked, 0, 0);
	sem_init(&reader->answered, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&reader->thread, NULL, serve, reader);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	reader->runs = !rc;
	return -rc;
}

int
kd_reader_call(struct kd_reader *reader, int (*call)(void *data), void *data)
{
	int cancellation, rc = reader->runs ? 0 : begin(reader);

	if (rc)
		return rc;
	/* what is asked has to be waited for: the answer goes to our caller */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	reader->call = call;
	reader->data = data;
	sem_post(&reader->asked);
	wait_for(&reader->answered);
	pthread_setcancelstate(cancellation, NULL);
	return reader->result;
}

void
kd_reader_end(struct kd_reader *reader)
{
	if (!reader->runs)
		return;
	reader->call = NULL;
	sem_post(&reader->asked);
	pthread_join(reader->thread, NULL);
	sem_destroy(&reader->asked);
	sem_destroy(&reader->answered);
	memset(reader, 0, sizeof(*reader));
}

void
kd_reader_forget(struct kd_reader *reader)
{
	memset(reader, 0, sizeof(*reader));
}
