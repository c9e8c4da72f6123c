/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends while it counts, as programs do that know nothing of PAPI_stop.
 *
 * usage: leave return|thread|handler|child EVENT...
 *
 * return: main() returns. thread: it does while another thread reads. handler:
 * a signal's handler calls exit() during a read. child: a forked child ends
 * while its parent counts, which goes on.
 */
#include <papi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/papi/harness.h"

#define MAX_EVENTS 64
#define READS 100

static int event_count;
static const char *const *events;
static atomic_int reads;

static int
start_set(void)
{
	int set = make_named_set(events, event_count);

	must(PAPI_start(set));
	return set;
}

/* Read until the process ends; then counts are lost, of course. */
static _Noreturn void
read_on(int set)
{
	long long values[MAX_EVENTS];

	while (PAPI_read(set, values) == PAPI_OK)
		reads++;
	for (;;)
		pause();
}

static void *
start_and_read_on(void *data)
{
	(void)data;
	read_on(start_set());
}

static void
leave_amidst(void)
{
	pthread_t thread;

	must(PAPI_thread_init((unsigned long (*)(void))pthread_self));
	start_set();
	if (pthread_create(&thread, NULL, start_and_read_on, NULL))
		_exit(1);
	while (reads < READS)
		sched_yield();
}

static void
on_alarm(int signal)
{
	(void)signal;
	exit(0);
}

static void
leave_from_handler(void)
{
	/* whenever it comes, a read is under way or about to be */
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	int set = start_set();

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &soon, NULL);
	read_on(set);
}

static void
leave_in_child(void)
{
	long long values[MAX_EVENTS];
	int status = -1, set = start_set();
	pid_t pid = fork();

	if (pid == 0)
		exit(0);
	if (waitpid(pid, &status, 0) != pid || status)
		_exit(1);
	must(PAPI_stop(set, values));
}

int
main(int argc, char **argv)
{
	if (argc < 3 || argc > MAX_EVENTS)
		return 2;
	event_count = argc - 2;
	events = (const char *const *)argv + 2;
	must_be(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	if (!strcmp(argv[1], "return"))
		start_set();
	else if (!strcmp(argv[1], "thread"))
		leave_amidst();
	else if (!strcmp(argv[1], "handler"))
		leave_from_handler();
	else if (!strcmp(argv[1], "child"))
		leave_in_child();
	else
		return 2;
	return 0;
}
