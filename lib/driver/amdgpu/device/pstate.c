/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: Linux amdgpu_ctx.c. The owner of a stable power state is a context,
 * and contexts live as long as their file has a descriptor in any process. At
 * its end Linux 6.1 puts back the state that the context found when it was
 * made: so the one that holds is made when none is set.
 */
#include "driver/amdgpu/device/pstate.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_close.h"
#include "base/periodic_thread.h"
#include "driver/amdgpu/device/context_ioctl.h"
#include "driver/share/fd_passing.h"
#include "driver/share/peers.h"
#include "driver/share/share.h"

/* A holder that does not answer within this time has been stopped. */
#define ANSWER_MS 1000

/* How often a socket is tried, with a millisecond in between. */
#define MOST_TRIES 1000

/*
 * Without a secret: the processes share no memory that could hold one. Instead,
 * only a process that has the node open gets a descriptor of it.
 */
static const struct fd_secret no_secret;

enum passed {
	PASSED_FILE,
	PASSED_SERVER,
	PASSED_COUNT
};

struct pstate {
	struct stat node; /* set where there is a socket */
	struct fork_close file; /* whose context holds the state */
	struct fork_close server; /* -1: other processes do not get the file */
	struct periodic_thread *thread; /* answers at the socket; or NULL */
};

/* ------------------------------------------------------------------ */
/* The socket                                                           */

/* Name one for each node and user. */
static int
name_server(const char *node, struct stat *status,
	    char name[FD_SERVER_NAME_SIZE])
{
	if (stat(node, status))
		return -errno;
	snprintf(name, FD_SERVER_NAME_SIZE, "drmperf-clock-%u-%jx-%jx",
		 (unsigned)geteuid(), (uintmax_t)status->st_dev,
		 (uintmax_t)status->st_ino);
	return 0;
}

static bool
is_node(int fd, const struct stat *node)
{
	struct stat status;

	return !fstat(fd, &status) && status.st_dev == node->st_dev &&
	       status.st_ino == node->st_ino;
}

static bool
has_node(const void *node, pid_t pid)
{
	return peers_has_node(pid, node);
}

static void
answer_server(void *data)
{
	const struct pstate *pstate = data;
	const struct fd_server_terms terms = {
		.secret = no_secret,
		.is_allowed = has_node,
		.data = &pstate->node,
	};
	const int passed[PASSED_COUNT] = {
		[PASSED_FILE] = pstate->file.fd,
		[PASSED_SERVER] = pstate->server.fd,
	};

	fd_server_answer(pstate->server.fd, &terms, passed, PASSED_COUNT);
}

static int
adopt_passed(struct pstate *pstate, const int passed[PASSED_COUNT])
{
	int ret = fork_close_adopt(&pstate->file, passed[PASSED_FILE]);

	if (ret)
		close(passed[PASSED_SERVER]);
	else
		ret = fork_close_adopt(&pstate->server, passed[PASSED_SERVER]);
	return ret;
}

/* Get the file and the socket of another process, and keep them. */
static int
fetch_passed(struct pstate *pstate, const char *name)
{
	int passed[PASSED_COUNT], ret;

	ret = fd_client_fetch(name, &no_secret, passed, PASSED_COUNT,
			      ANSWER_MS);
	if (ret)
		return ret;
	if (is_node(passed[PASSED_FILE], &pstate->node) &&
	    fd_is_server(passed[PASSED_SERVER]))
		return adopt_passed(pstate, passed);
	for (int i = 0; i < PASSED_COUNT; i++)
		close(passed[i]);
	return -EBUSY;
}

static int
open_server(struct pstate *pstate, const char *name)
{
	int server = fd_server_open_as(name);

	return fork_close_adopt(&pstate->server, server);
}

/*
 * Returns 0 with the file, if another process holds it, else with the socket
 * alone, where the next ones wait; -ETIMEDOUT if the holder has been stopped.
 */
static int
find_holder(struct pstate *pstate, const char *node)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	char name[FD_SERVER_NAME_SIZE];
	int ret = name_server(node, &pstate->node, name);

	for (int i = 0; !ret && i < MOST_TRIES; i++) {
		ret = fetch_passed(pstate, name);
		if (ret != -EAGAIN)
			return ret;
		ret = open_server(pstate, name);
		if (ret != -EADDRINUSE)
			return ret;
		/* The server was just being closed or opened: try again. */
		ret = nanosleep(&pause, NULL) && errno != EINTR ? -errno : 0;
	}
	return ret ? ret : -ETIMEDOUT;
}

/* ------------------------------------------------------------------ */
/* The file                                                             */

static int
open_file(struct pstate *pstate, const char *node)
{
	int fd = open(node, O_RDWR | O_CLOEXEC);

	return fork_close_adopt(&pstate->file, fd < 0 ? -errno : fd);
}

/* Set the state in a context of its own, which is the holder from then on. */
static int
set_state(const struct pstate *pstate, enum stable_pstate clock)
{
	uint32_t context = 0;
	int ret = context_ioctl_create(pstate->file.fd, &context);

	if (!ret)
		ret = context_ioctl_set_pstate(pstate->file.fd, context, clock);
	if (ret && context)
		context_ioctl_destroy(pstate->file.fd, context);
	return ret;
}

/*
 * Take the state; *is_others becomes true if it is another program's, or was
 * set in sysfs.
 */
static int
take_state(struct pstate *pstate, struct amd_context *ctx,
	   enum stable_pstate clock, bool any, bool *is_others)
{
	const char *node = amd_context_node(ctx);
	const bool has_file = pstate->file.fd >= 0;
	enum stable_pstate now = STABLE_PSTATE_NONE;
	int ret = amd_context_get_pstate(ctx, &now);

	*is_others = !has_file;
	if (ret)
		return ret;
	if (now != STABLE_PSTATE_NONE)
		return any || now == clock ? 0 : -EBUSY;
	*is_others = false;
	if (!has_file)
		ret = open_file(pstate, node);
	return ret ? ret : set_state(pstate, clock);
}

/* ------------------------------------------------------------------ */

static struct pstate *
pstate_alloc(void)
{
	struct pstate *pstate = calloc(1, sizeof(*pstate));

	if (pstate)
		pstate->file.fd = pstate->server.fd = -1;
	return pstate;
}

static int
serve_others(struct pstate *pstate)
{
	if (pstate->server.fd < 0)
		return 0;
	return periodic_thread_create_for(pstate->server.fd, answer_server,
					  pstate, &pstate->thread);
}

int
pstate_hold(struct amd_context *ctx, enum stable_pstate clock, bool any,
	    struct pstate **out)
{
	struct pstate *pstate = pstate_alloc();
	bool is_shared = false, is_others = false;
	int ret = pstate ? share_is_wanted(&is_shared, NULL) : -ENOMEM;

	*out = NULL;
	if (!ret && is_shared)
		ret = find_holder(pstate, amd_context_node(ctx));
	/* The state of a holder that was stopped is another program's. */
	if (ret == -ETIMEDOUT)
		ret = 0;
	if (!ret)
		ret = take_state(pstate, ctx, clock, any, &is_others);
	if (!ret && !is_others)
		ret = serve_others(pstate);
	if (ret || is_others)
		pstate_release(pstate);
	else
		*out = pstate;
	return ret;
}

static void
close_descriptor(struct fork_close *entry)
{
	if (entry->fd >= 0)
		fork_close_finish(entry);
}

void
pstate_release(struct pstate *pstate)
{
	if (!pstate)
		return;
	periodic_thread_destroy(pstate->thread);
	/* A process that waits at the socket will find the state ended. */
	close_descriptor(&pstate->file);
	close_descriptor(&pstate->server);
	free(pstate);
}

int
pstate_descriptor(const struct pstate *pstate)
{
	return pstate->file.fd;
}

void
pstate_abandon(struct pstate *pstate)
{
	if (!pstate)
		return;
	periodic_thread_abandon(pstate->thread);
	free(pstate);
}
