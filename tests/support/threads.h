/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for what threads do, where a test must not go on before they do it.
 */
#ifndef DRMPERF_TESTS_THREADS_H
#define DRMPERF_TESTS_THREADS_H

#include <sys/types.h>

/* Wait until this thread sleeps in the kernel. */
void
thread_await_sleep(pid_t thread);

/* Wait until SIGSTOP has stopped all threads of the process. */
void
threads_await_stop(pid_t process);

#endif /* DRMPERF_TESTS_THREADS_H */
