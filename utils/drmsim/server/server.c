/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine and its time.
 *
 * One loop: let the GPUs do what is due, ask the sleeping calls again if
 * anything changed, then wait for processes. In real time the loop wakes when
 * the next thing is due. In virtual time nothing is ever due by itself: the
 * clock moves when a test advances it, and when a process sleeps in a call
 * that knows when it will end.
 */
#include "machine/core.h"

#include "base/array.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often hardware that polls memory looks, in host's ns. */
#define POLL_NS 200000
#define EVENTS_MAX 64

uint64_t
sim_host_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t
sim_now(const struct sim *sim)
{
	if (sim->is_virtual)
		return sim->virtual_now;
	return sim_host_now() - sim->started;
}

bool
sim_is_virtual(const struct sim *sim)
{
	return sim->is_virtual;
}

bool
sim_is_strict(const struct sim *sim)
{
	return sim->strict;
}

void
sim_wake(struct sim *sim)
{
	sim->woken = true;
}

void
sim_log(struct sim *sim, const char *format, ...)
{
	va_list list;

	if (!sim->log)
		return;
	fprintf(sim->log, "%12llu ", (unsigned long long)sim_now(sim));
	va_start(list, format);
	vfprintf(sim->log, format, list);
	va_end(list);
	fputc('\n', sim->log);
}

int
sim_watch(struct sim *sim, int fd, uint32_t events, enum sim_watch *watch)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(sim->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int
open_descriptors(struct sim *sim)
{
	sigset_t signals, broken_pipe;
	int error;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	/* a stream may be closed while we make it readable */
	sigemptyset(&broken_pipe);
	sigaddset(&broken_pipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &broken_pipe, NULL);

	sim->epoll = epoll_create1(EPOLL_CLOEXEC);
	sim->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	sim->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (sim->epoll < 0 || sim->inotify < 0 || sim->signals < 0)
		return -errno;
	sim->watch_listener = SIM_WATCH_LISTENER;
	sim->watch_closed = SIM_WATCH_CLOSED;
	sim->watch_signals = SIM_WATCH_SIGNALS;
	error = sim_watch(sim, sim->inotify, EPOLLIN, &sim->watch_closed);
	if (!error)
		error = sim_watch(sim, sim->signals, EPOLLIN,
				  &sim->watch_signals);
	return error;
}

struct sim *
sim_machine_create(void)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return NULL;
	sim->epoll = sim->listener = sim->inotify = sim->signals = -1;
	sim->directory_lock = -1;
	sim->next_id = 1;
	sim->next_pmu_type = SIM_PMU_TYPE;
	sim->started = sim_host_now();
	if (open_descriptors(sim)) {
		sim_machine_destroy(sim);
		return NULL;
	}
	return sim;
}

void
sim_machine_destroy(struct sim *sim)
{
	int *fds[] = { &sim->epoll, &sim->listener, &sim->inotify,
		       &sim->signals };

	sim_connections_close(sim);
	sim_nodes_close_all(sim);
	sim_streams_close_all(sim);
	sim_gpus_stop(sim);
	sim_pmus_free(sim);
	sim_faults_free(sim);
	sim_report_free(sim);
	sim_testbed_destroy(sim);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
	free(sim);
}

struct sim_gpu *
sim_machine_gpu(struct sim *sim, uint64_t index)
{
	return index < sim->gpu_count ? sim->gpus[index] : NULL;
}

/* ---- time */

static uint64_t
next_moment(const struct sim *sim)
{
	uint64_t next = sim_faults_next(sim);

	for (unsigned i = 0; i < sim->gpu_count; i++) {
		const struct sim_gpu *gpu = sim->gpus[i];
		uint64_t at = gpu->driver->next(gpu);
		if (at < next)
			next = at;
	}
	return next;
}

static uint64_t
next_deadline(const struct sim *sim)
{
	uint64_t next = SIM_NEVER;

	for (const struct sim_call *call = sim->sleepers; call;
	     call = call->next)
		if (call->deadline < next)
			next = call->deadline;
	return next;
}

/* When a sleeping call would come to its end. */
static uint64_t
next_until(const struct sim *sim)
{
	uint64_t next = next_deadline(sim);

	for (const struct sim_call *call = sim->sleepers; call;
	     call = call->next)
		if (call->until < next)
			next = call->until;
	return next;
}

static bool
polls_memory(const struct sim *sim)
{
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		const struct sim_gpu *gpu = sim->gpus[i];
		if (gpu->driver->polls && gpu->driver->polls(gpu))
			return true;
	}
	return false;
}

/* Everything that is due at this moment, and what follows from it. */
static void
do_due(struct sim *sim)
{
	uint64_t now = sim_now(sim);

	for (;;) {
		uint64_t next = next_moment(sim);
		if (next <= now || polls_memory(sim)) {
			uint64_t at = next < now ? next : now;
			sim_faults_advance(sim, at);
			for (unsigned i = 0; i < sim->gpu_count; i++)
				sim->gpus[i]->driver->advance(sim->gpus[i], at);
		}
		if (sim->woken || next_deadline(sim) <= now) {
			sim->woken = false;
			sim_calls_retry(sim);
		} else if (next_moment(sim) > now) {
			return;
		}
	}
}

int
sim_machine_advance(struct sim *sim, uint64_t ns)
{
	uint64_t end;

	if (!sim->is_virtual)
		return -EINVAL;
	end = sim->virtual_now + ns;
	do_due(sim);
	for (;;) {
		uint64_t next = next_moment(sim);
		uint64_t deadline = next_deadline(sim);
		if (deadline < next)
			next = deadline;
		if (next >= end)
			break;
		if (next > sim->virtual_now)
			sim->virtual_now = next;
		do_due(sim);
	}
	sim->virtual_now = end;
	do_due(sim);
	for (unsigned i = 0; i < sim->gpu_count; i++)
		if (sim->gpus[i]->driver->settle)
			sim->gpus[i]->driver->settle(sim->gpus[i]);
	return 0;
}

/*
 * Nobody has anything to say and somebody sleeps: go to the next moment that
 * matters to them. Returns false if there is none.
 */
static bool
step_virtual(struct sim *sim)
{
	uint64_t until, next;

	if (!sim->is_virtual || !sim->sleepers)
		return false;
	until = next_until(sim);
	next = next_moment(sim);
	/* what polled memory lacks may come from hardware, or a process */
	if (until == SIM_NEVER || (next > until && polls_memory(sim)))
		return false;
	if (next < until)
		until = next;
	if (until > sim->virtual_now)
		sim->virtual_now = until;
	return true;
}

/* ---- the loop */

static int
wait_time(const struct sim *sim)
{
	uint64_t now, next, wait = UINT64_MAX;

	if (!sim->is_virtual) {
		now = sim_now(sim);
		next = next_moment(sim);
		if (next_deadline(sim) < next)
			next = next_deadline(sim);
		if (next != SIM_NEVER)
			wait = next > now ? next - now : 0;
	}
	if (polls_memory(sim) && wait > POLL_NS)
		wait = POLL_NS;
	if (sim->closing_until && wait > 1000000)
		wait = 1000000;
	if (wait == UINT64_MAX)
		return -1;
	/* epoll_wait() counts milliseconds: sleep the rest of one by polling */
	return (int)(wait / 1000000 > 1000 ? 1000 : wait / 1000000);
}

/* A wait shorter than a millisecond. */
static void
nap(const struct sim *sim)
{
	struct timespec time = { 0, 20000 };

	if (!sim->is_virtual || polls_memory(sim))
		nanosleep(&time, NULL);
}

static void
read_signals(struct sim *sim)
{
	struct signalfd_siginfo info;

	while (read(sim->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD) {
			kill(sim->child, (int)info.ssi_signo);
			continue;
		}
		/* look at what it left before its number is given back */
		sim_nodes_notice(sim);
		sim_nodes_check(sim);
		int status;
		pid_t pid;
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			if (pid != sim->child)
				continue;
			sim->child_status = status;
			sim->child_ended = true;
		}
	}
}

static void
handle_event(struct sim *sim, const struct epoll_event *event,
	     enum sim_watch watch)
{
	switch (watch) {
	case SIM_WATCH_LISTENER:
		sim_connection_accept(sim);
		break;
	case SIM_WATCH_CLOSED:
		sim_nodes_notice(sim);
		break;
	case SIM_WATCH_SIGNALS:
		read_signals(sim);
		break;
	case SIM_WATCH_CONNECTION:
		sim_nodes_notice(sim);
		sim_nodes_check(sim);
		sim_connection_ready((struct connection *)event->data.ptr,
				     event->events);
		break;
	case SIM_WATCH_STREAM:
		sim_streams_check(sim);
		break;
	}
}

/*
 * What was closed comes before what was asked. A stream that is closed may be
 * the owner of a later event: what each is about is found out first.
 */
static void
handle_events(struct sim *sim, const struct epoll_event *events, int count)
{
	enum sim_watch watches[EVENTS_MAX];

	for (int i = 0; i < count; i++)
		watches[i] = *(enum sim_watch *)events[i].data.ptr;
	for (int asked = 0; asked < 2; asked++)
		for (int i = 0; i < count; i++) {
			bool closed = watches[i] == SIM_WATCH_CLOSED ||
				      watches[i] == SIM_WATCH_STREAM;
			if (closed != asked)
				handle_event(sim, &events[i], watches[i]);
		}
}

int
sim_machine_run(struct sim *sim)
{
	struct epoll_event events[EVENTS_MAX];

	while (!sim->child_ended) {
		do_due(sim);
		int count = epoll_wait(sim->epoll, events, EVENTS_MAX, 0);
		if (count == 0 && !step_virtual(sim)) {
			int wait = wait_time(sim);
			if (wait == 0)
				nap(sim);
			count = epoll_wait(sim->epoll, events, EVENTS_MAX,
					   wait);
		}
		if (count < 0 && errno != EINTR)
			return -errno;
		handle_events(sim, events, count);
		sim_nodes_check(sim);
	}
	/* what the last process closed by ending */
	sim_nodes_notice(sim);
	sim_nodes_check(sim);
	sim_streams_check(sim);
	return 0;
}
