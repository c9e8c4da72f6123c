/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames/frames.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "process/spawn.h"
#include "select/selection_list.h"

#define MOST_CLIENTS 64

enum {
	STOP,
	LISTENER,
	FIRST_CLIENT
};

struct frame_counter {
	const struct tool *tool;
	struct frames_result *result;
	const struct frames_choice *choice;
	bool is_settled; /* the events stay as they are */
	struct drmperf_session *session;
	union drmperf_value *values;
	int *statuses;
	bool has_marked[MOST_CLIENTS]; /* of each client */
	uint64_t begun_ns; /* when this frame began */
	pthread_t thread;
	struct pollfd fds[FIRST_CLIENT + MOST_CLIENTS];
	nfds_t fd_count;
};

/* ------------------------------------------------------------------ */
/* Values                                                               */

static void
values_add(struct frames_values *values, double value)
{
	if (isnan(value))
		return;
	values->min = values->count ? fmin(values->min, value) : value;
	values->max = values->count ? fmax(values->max, value) : value;
	values->sum += value;
	values->count++;
}

static double
value_number(const struct drmperf_selection *selection,
	     union drmperf_value value)
{
	if (drmperf_event_type(selection->event) == DRMPERF_TYPE_DOUBLE)
		return value.f64;
	return (double)value.u64;
}

/* Keep the first reason why a value was missing. */
static void
note_missing(struct frame_counter *counter, size_t index)
{
	struct drmperf_error *reason = &counter->result->reason;

	if (!reason->code)
		drmperf_session_explain(counter->session, index, reason);
}

/* Add the values of the frame that has ended. */
static void
frame_count(struct frame_counter *counter)
{
	struct frames_result *result = counter->result;
	struct drmperf_error error;

	result->frames++;
	values_add(&result->time, (double)(spawn_now_ns() - counter->begun_ns));
	if (drmperf_session_read(counter->session, counter->values,
				 counter->statuses, NULL, &error) < 0) {
		if (!result->reason.code)
			result->reason = error;
		return;
	}
	for (size_t i = 0; i < result->events->count; i++) {
		if (counter->statuses[i])
			note_missing(counter, i);
		else
			values_add(&result->values[i],
				   value_number(&result->events->selections[i],
						counter->values[i]));
	}
}

/*
 * Begin a frame, and count the one that has ended; the first mark of a process
 * ends none: what was before it is the start of the program.
 */
static void
frame_mark(struct frame_counter *counter, bool is_first)
{
	struct drmperf_error error;

	if (!is_first)
		frame_count(counter);
	if (drmperf_session_reset(counter->session, &error) &&
	    !counter->result->reason.code)
		counter->result->reason = error;
	counter->begun_ns = spawn_now_ns();
}

/* ------------------------------------------------------------------ */
/* The session                                                          */

static int
session_start(struct frame_counter *counter)
{
	const struct selection_list *events = counter->result->events;
	struct held_clocks_list *clocks = &counter->result->clocks;
	const struct tool *tool = counter->tool;
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.read = DRMPERF_READ_FENCED,
	};
	struct drmperf_error error;

	counter->values = calloc(events->count, sizeof(*counter->values));
	counter->statuses = calloc(events->count, sizeof(*counter->statuses));
	if (!counter->values || !counter->statuses)
		return tool_fail(tool, "no memory");
	held_clocks_before(tool->drmperf, events->selections, events->count,
			   clocks);
	if (drmperf_session_create(tool->drmperf, events->selections,
				   events->count, &options, &counter->session,
				   &error) ||
	    drmperf_session_start(counter->session, &error))
		return tool_complain(tool, &error);
	held_clocks_during(clocks);
	return 0;
}

static void
session_end(struct frame_counter *counter)
{
	drmperf_session_destroy(counter->session);
	free(counter->values);
	free(counter->statuses);
	counter->session = NULL;
	counter->values = NULL;
	counter->statuses = NULL;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

/* Return whether an event is of the GPU, or of another part of it. */
static bool
counts_on(const struct frame_counter *counter,
	  const struct drmperf_device *device)
{
	const struct selection_list *events = counter->result->events;

	for (size_t i = 0; counter->session && i < events->count; i++) {
		if (!strcmp(drmperf_device_address(drmperf_event_device(
				    events->selections[i].event)),
			    drmperf_device_address(device)))
			return true;
	}
	return false;
}

/* Count on the GPU that the program draws with. */
static void
counter_move(struct frame_counter *counter, const struct drmperf_device *device)
{
	const struct frames_choice *choice = counter->choice;

	session_end(counter);
	held_clocks_finish(&counter->result->clocks);
	if (choice->choose(choice->data, device) || session_start(counter))
		session_end(counter);
}

/*
 * Return whether frames of a GPU, "" if it is not known, are counted. The first
 * mark decides where the user has not.
 */
static bool
counter_means(struct frame_counter *counter, const char *gpu)
{
	struct frames_result *result = counter->result;
	const struct drmperf_device *device =
		*gpu ? choose_device(counter->tool, gpu) : NULL;

	if (device && !counts_on(counter, device) && !counter->is_settled &&
	    counter->choice->choose)
		counter_move(counter, device);
	counter->is_settled = true;
	if (device ? counts_on(counter, device) : !*gpu && counter->session)
		return true;
	if (*gpu)
		strcpy(result->other_gpu, gpu);
	return false;
}

/* ------------------------------------------------------------------ */
/* Marks                                                                */

/* Return whether the process at the other end is of the same user. */
static bool
is_own_process(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (peer.uid == geteuid() || peer.uid == getuid());
}

static void
client_accept(struct frame_counter *counter)
{
	const int fd = accept4(counter->fds[LISTENER].fd, NULL, NULL,
			       SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (counter->fd_count == FIRST_CLIENT + MOST_CLIENTS ||
	    !is_own_process(fd)) {
		close(fd);
		return;
	}
	counter->has_marked[counter->fd_count - FIRST_CLIENT] = false;
	counter->fds[counter->fd_count++] =
		(struct pollfd){ .fd = fd, .events = POLLIN };
}

static void
client_remove(struct frame_counter *counter, nfds_t at)
{
	close(counter->fds[at].fd);
	counter->fd_count--;
	counter->fds[at] = counter->fds[counter->fd_count];
	counter->has_marked[at - FIRST_CLIENT] =
		counter->has_marked[counter->fd_count - FIRST_CLIENT];
}

/* Answer a mark. False: the process has gone. */
static bool
client_answer(struct frame_counter *counter, nfds_t at)
{
	bool *has_marked = &counter->has_marked[at - FIRST_CLIENT];
	const int fd = counter->fds[at].fd;
	char gpu[FRAMES_GPU_SIZE] = "";

	if (recv(fd, gpu, sizeof(gpu) - 1, 0) < 1)
		return false;
	gpu[strcspn(gpu, "/")] = '\0'; /* the number of a partition */
	if (counter_means(counter, gpu)) {
		counter->result->processes += !*has_marked;
		frame_mark(counter, !*has_marked);
		*has_marked = true;
	}
	return send(fd, "", 1, MSG_NOSIGNAL) == 1;
}

static void *
answer_until_stopped(void *data)
{
	struct frame_counter *counter = data;
	nfds_t at;

	for (;;) {
		if (poll(counter->fds, counter->fd_count, -1) < 0 &&
		    errno != EINTR)
			return NULL;
		/* from the end: one that goes is replaced by the last one */
		for (at = counter->fd_count; at > FIRST_CLIENT; at--) {
			if (counter->fds[at - 1].revents &&
			    !client_answer(counter, at - 1))
				client_remove(counter, at - 1);
		}
		if (counter->fds[STOP].revents)
			return NULL;
		if (counter->fds[LISTENER].revents)
			client_accept(counter);
	}
}

/* ------------------------------------------------------------------ */
/* Start and end                                                        */

/*
 * Open a listening socket. The kernel chooses its name, an abstract one, which
 * need not be removed.
 */
static int
listener_open(const struct tool *tool, int *out)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(address.sun_family);
	const int fd =
		socket(AF_UNIX,
		       SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	*out = fd;
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size))
		return tool_fail(tool, "cannot listen for frames: %s",
				 strerror(errno));
	size = sizeof(address) - 1;
	if (listen(fd, MOST_CLIENTS) ||
	    getsockname(fd, (struct sockaddr *)&address, &size))
		return tool_fail(tool, "cannot listen for frames: %s",
				 strerror(errno));
	((char *)&address)[size] = '\0';
	return setenv("DRMPERF_FRAMES", &address.sun_path[1], 1)
		       ? tool_fail(tool, "no memory")
		       : 0;
}

static int
thread_start(const struct tool *tool, struct frame_counter *counter)
{
	int stop = eventfd(0, EFD_CLOEXEC), code;

	counter->fds[STOP] = (struct pollfd){ .fd = stop, .events = POLLIN };
	if (stop < 0)
		return tool_fail(tool, "eventfd: %s", strerror(errno));
	counter->fds[LISTENER].events = POLLIN;
	counter->fd_count = FIRST_CLIENT;
	code = pthread_create(&counter->thread, NULL, answer_until_stopped,
			      counter);
	if (!code)
		return 0;
	close(stop);
	return tool_fail(tool, "cannot start a thread: %s", strerror(code));
}

static void
counter_destroy(struct frame_counter *counter)
{
	session_end(counter);
	if (counter->fds[LISTENER].fd >= 0)
		close(counter->fds[LISTENER].fd);
	free(counter);
}

int
frame_counter_start(const struct tool *tool, struct frames_result *result,
		    const struct frames_choice *choice,
		    struct frame_counter **out)
{
	struct frame_counter *counter = calloc(1, sizeof(*counter));
	int status;

	if (!counter)
		return tool_fail(tool, "no memory");
	counter->tool = tool;
	counter->result = result;
	counter->choice = choice;
	counter->fds[LISTENER].fd = -1;
	status = session_start(counter);
	if (!status)
		status = listener_open(tool, &counter->fds[LISTENER].fd);
	if (!status)
		status = thread_start(tool, counter);
	if (status)
		counter_destroy(counter);
	else
		*out = counter;
	return status;
}

void
frame_counter_stop(struct frame_counter *counter)
{
	const uint64_t one = 1;

	if (!counter)
		return;
	while (write(counter->fds[STOP].fd, &one, sizeof(one)) < 0 &&
	       errno == EINTR)
		;
	pthread_join(counter->thread, NULL);
	while (counter->fd_count > FIRST_CLIENT)
		client_remove(counter, counter->fd_count - 1);
	close(counter->fds[STOP].fd);
	counter_destroy(counter);
}
