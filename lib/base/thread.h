/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of the library's own. They get no signals, which are the program's.
 */
#ifndef DRMPERF_LIB_BASE_THREAD_H
#define DRMPERF_LIB_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Create a thread. Tools that measure every thread wrap pthread_create(), and
 * what they do when a thread begins may be to start a session, which would wait
 * for what this thread is there to do. So they do not get to see it, if that
 * can be avoided.
 *
 * name has at most 15 characters. 0 or what pthread_create() gives, negative.
 */
int thread_create(pthread_t *thread, const char *name, void *(*run)(void *data),
		  void *data);

/*
 * Return whether the caller is such a thread, even if it has not come to run()
 * yet.
 */
bool thread_is_own(void);

#endif /* DRMPERF_LIB_BASE_THREAD_H */
