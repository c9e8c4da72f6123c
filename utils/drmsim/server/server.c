/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bus/plug.h"
#include "event/pmu.h"
#include "kernel/node.h"
#include "kernel/stream.h"
#include "kfd/run.h"
#include "machine/clock.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "machine/root.h"
#include "machine/poll_source.h"
#include "scene/fault.h"
#include "scene/outside.h"
#include "server/connection.h"
#include "server/time.h"

#define NS_PER_MS 1000000u
/* Interval at which hardware that polls memory looks, in host's ns. */
#define POLL_NS 200000
/* Longest sleep of the loop while files are being closed, in ns. */
#define CLOSING_NS NS_PER_MS

static void
block_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	/* a stream may be closed while we make it readable */
	sigaddset(&signals, SIGPIPE);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

struct sim *
sim_server_create(void)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return NULL;
	block_signals();
	sim->directory_lock = -1;
	sim->next_id = 1;
	sim->speed = 1;
	sim->started = sim_host_now();
	sim->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sim->epoll < 0 || sim_nodes_create(sim)) {
		sim_server_destroy(sim);
		return NULL;
	}
	return sim;
}

void
sim_server_destroy(struct sim *sim)
{
	sim_connections_close(sim);
	sim_nodes_destroy(sim);
	sim_streams_close(sim);
	sim_gpus_stop(sim);
	sim_pmus_free(sim);
	sim_faults_free(sim);
	sim_outside_destroy(sim);
	sim_notes_clear(sim);
	sim_root_destroy(sim);
	if (sim->epoll >= 0)
		close(sim->epoll);
	free(sim);
}

/* ---- the child */

struct child {
	struct sim *sim;
	pid_t pid;
	int status;
	bool has_ended;
	int signals;
	struct sim_poll_source source;
};

static void
child_reap_ended(struct child *child)
{
	int status;
	pid_t pid;

	/* look at what it left before its number is given back */
	sim_nodes_notice(child->sim);
	sim_nodes_check(child->sim);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != child->pid)
			continue;
		child->status = status;
		child->has_ended = true;
	}
}

static void
on_signal(void *owner, uint32_t events)
{
	struct child *child = owner;
	struct signalfd_siginfo info;

	(void)events;
	while (read(child->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			child_reap_ended(child);
		else
			kill(child->pid, (int)info.ssi_signo);
	}
}

static int
poll_child(struct child *child)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	child->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (child->signals < 0)
		return -errno;
	child->source =
		(struct sim_poll_source){ .ready = on_signal, .owner = child };
	return sim_poll_source_add(child->sim, child->signals, EPOLLIN,
				   &child->source);
}

/* ---- the loop */

static int
wait_ms(const struct sim *sim)
{
	uint64_t wait = sim_time_left(sim);

	if (sim_time_polls(sim) && wait > POLL_NS)
		wait = POLL_NS;
	if (wait > kfd_poll_ns(sim))
		wait = kfd_poll_ns(sim);
	if (sim_nodes_are_closing(sim) && wait > CLOSING_NS)
		wait = CLOSING_NS;
	if (wait == SIM_NEVER)
		return -1;
	return (int)(wait / NS_PER_MS > 1000 ? 1000 : wait / NS_PER_MS);
}

/* Wait for a time shorter than a millisecond, the least that epoll counts. */
static void
server_sleep_briefly(const struct sim *sim)
{
	struct timespec time = { 0, 20000 };

	if (!sim->is_virtual || sim_time_polls(sim) ||
	    kfd_poll_ns(sim) != SIM_NEVER)
		nanosleep(&time, NULL);
}

/* Serve what is due, then requests of processes, or else sleep. */
static int
serve_round(struct sim *sim)
{
	int count, ms;

	sim_time_serve(sim);
	count = sim_poll_sources_wait(sim, 0);
	if (count == 0 && !sim_time_step(sim)) {
		ms = wait_ms(sim);
		if (ms == 0)
			server_sleep_briefly(sim);
		count = sim_poll_sources_wait(sim, ms);
	}
	if (count < 0 && count != -EINTR)
		return count;
	sim_nodes_check(sim);
	return 0;
}

int
sim_server_run(struct sim *sim, pid_t pid, int *status)
{
	struct child child = { .sim = sim, .pid = pid, .signals = -1 };
	int error = poll_child(&child);

	while (!error && !child.has_ended)
		error = serve_round(sim);
	/* files that the last process closed by ending */
	sim_nodes_notice(sim);
	sim_nodes_check(sim);
	sim_streams_check(sim);
	if (child.signals >= 0)
		close(child.signals);
	*status = child.status;
	return error;
}
