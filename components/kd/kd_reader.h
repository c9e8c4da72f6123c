/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that reads for all others, one at a time. libproc2 gives each thread
 * that looks at processes a quarter of a megabyte, and never takes it back: a
 * program whose threads come and go would grow by that with each of them.
 */
#ifndef KD_READER_H
#define KD_READER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

/* All zero: there is no thread yet. */
struct kd_reader {
	bool runs;
	pthread_t thread;
	sem_t asked, answered;
	int (*call)(void *data); /* NULL: the end */
	void *data;
	int result;
};

/*
 * Call that in the thread, which begins if need be, and wait. What it returns;
 * a negative errno value of pthread_create().
 */
int kd_reader_call(struct kd_reader *reader, int (*call)(void *data),
		   void *data);

/* The thread ends, if there is one. */
void kd_reader_end(struct kd_reader *reader);

/* In the child of a fork(), where the thread is not. */
void kd_reader_forget(struct kd_reader *reader);

#endif /* KD_READER_H */
