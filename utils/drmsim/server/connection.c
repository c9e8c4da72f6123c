/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/protocol.h"
#include "kernel/call.h"
#include "kernel/node.h"
#include "machine/machine.h"
#include "machine/poll_source.h"
#include "server/request.h"
#include "server/time.h"

struct connection {
	struct sim_poll_source source;
	struct connection *next;
	struct sim *sim;
	int fd;
	bool busy;  /* a call is in progress */
	struct sim_call call;
	/* the request coming in */
	struct protocol_request request;
	size_t have;
	char *text;
	/* the part of a reply that did not fit into the socket */
	uint8_t *out;
	size_t out_size, out_sent;
};

struct sim_connections {
	struct sim *sim;
	int listener;
	struct sim_poll_source source;
	struct connection *first;
};

/* ---- the end */

static void
connection_free(struct connection *connection)
{
	sim_call_free(&connection->call);
	close(connection->fd);
	free(connection->text);
	free(connection->out);
	free(connection);
}

static void
connection_close(struct connection *connection)
{
	struct connection **p = &connection->sim->connections->first;

	while (*p != connection)
		p = &(*p)->next;
	*p = connection->next;
	connection_free(connection);
}

/* ---- replies */

static struct connection *
connection_of(struct sim_call *call)
{
	return (struct connection *)((char *)call -
				     offsetof(struct connection, call));
}

static void
poll_output(struct connection *connection, bool on)
{
	sim_poll_source_change(connection->sim, connection->fd,
			       EPOLLIN | (on ? EPOLLOUT : 0u),
			       &connection->source);
}

static void
keep_rest(struct connection *connection, const struct iovec *parts,
	  size_t sent)
{
	size_t size = parts[0].iov_len + parts[1].iov_len - sent;
	uint8_t *rest = malloc(size);
	size_t used = 0;

	if (!rest) {
		shutdown(connection->fd, SHUT_RDWR);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		size_t skip = sent < parts[i].iov_len ? sent : parts[i].iov_len;
		if (parts[i].iov_len > skip)
			memcpy(rest + used, (uint8_t *)parts[i].iov_base + skip,
			       parts[i].iov_len - skip);
		used += parts[i].iov_len - skip;
		sent -= skip;
	}
	connection->out = rest;
	connection->out_size = size;
	connection->out_sent = 0;
	poll_output(connection, true);
}

static void
connection_flush(struct connection *connection)
{
	ssize_t sent;

	if (!connection->out)
		return;
	sent = send(connection->fd, connection->out + connection->out_sent,
		    connection->out_size - connection->out_sent, MSG_NOSIGNAL);
	if (sent < 0)
		return;
	connection->out_sent += (size_t)sent;
	if (connection->out_sent < connection->out_size)
		return;
	free(connection->out);
	connection->out = NULL;
	poll_output(connection, false);
}

static void
send_reply(struct connection *connection, struct protocol_reply *reply)
{
	struct sim_call *call = &connection->call;
	struct iovec parts[2] = {
		{ reply, sizeof(*reply) },
		{ call->pieces, reply->pieces ? call->pieces_size : 0 },
	};
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	if (reply->flags & PROTOCOL_HAS_FD) {
		memset(&control, 0, sizeof(control));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &call->fd, sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}
	ssize_t sent = sendmsg(connection->fd, &message, MSG_NOSIGNAL);
	if (sent < 0 && errno != EAGAIN && errno != EINTR)
		return;
	if (sent < 0)
		sent = 0;
	if ((size_t)sent < parts[0].iov_len + parts[1].iov_len)
		keep_rest(connection, parts, (size_t)sent);
}

static void
call_answer(struct sim_call *call, int64_t result)
{
	struct connection *connection = connection_of(call);
	struct protocol_reply reply = {
		.result = result,
		.store = call->store,
		.id = call->stream_id,
		.offset = call->offset,
		.pieces = call->piece_count,
		.flags = call->reply_flags,
	};

	if (result < 0 && (reply.flags & PROTOCOL_HAS_FD))
		reply.flags &= PROTOCOL_TEXT;
	send_reply(connection, &reply);
	sim_call_reset(call);
	connection->busy = false;
}

/* ---- requests */

static void
begin_call(struct connection *connection)
{
	struct sim_call *call = &connection->call;

	char *text = connection->text;

	connection->text = NULL;
	if (connection->request.kind == PROTOCOL_CANCEL) {
		free(text);
		/* too late if the call has been answered */
		if (connection->busy)
			sim_call_cancel(call);
		return;
	}
	/* not our preload; it cannot expect an answer */
	if (connection->busy || connection->out) {
		free(text);
		return;
	}
	connection->busy = true;
	call->request = connection->request;
	call->text = text;
	sim_request_begin(call);
}

/* Returns false at the end of the connection. */
static bool
connection_receive(struct connection *connection)
{
	const size_t head = sizeof(connection->request);
	struct protocol_request *request = &connection->request;
	void *to = (uint8_t *)request + connection->have;
	size_t room = head - connection->have;

	if (connection->have >= head) {
		to = connection->text + (connection->have - head);
		room = head + request->text_size - connection->have;
	}
	ssize_t got = recv(connection->fd, to, room, 0);
	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	if (got == 0)
		return false;
	connection->have += (size_t)got;
	if (connection->have == head && request->text_size) {
		if (request->text_size > PROTOCOL_TEXT_MAX)
			return false;
		connection->text = calloc(1, request->text_size + 1u);
		return connection->text && connection_receive(connection);
	}
	if (connection->have < head + request->text_size ||
	    connection->have < head)
		return true;
	connection->have = 0;
	begin_call(connection);
	return true;
}

/*
 * Notice closes before serving requests, and serve what was due before them: a
 * simulator that got no CPU for a while finds both at once.
 */
static void
on_ready(void *owner, uint32_t events)
{
	struct connection *connection = owner;

	sim_nodes_notice(connection->sim);
	sim_nodes_check(connection->sim);
	sim_time_serve(connection->sim);
	if (events & EPOLLOUT)
		connection_flush(connection);
	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		if (!connection_receive(connection))
			connection_close(connection);
}

/* ---- the beginning */

static void
accept_one(struct sim *sim, int fd)
{
	struct connection *connection = calloc(1, sizeof(*connection));
	socklen_t size = sizeof(connection->call.caller);

	if (!connection || getsockopt(fd, SOL_SOCKET, SO_PEERCRED,
				      &connection->call.caller, &size)) {
		free(connection);
		close(fd);
		return;
	}
	connection->source = (struct sim_poll_source){ .ready = on_ready,
						       .owner = connection };
	connection->sim = sim;
	connection->fd = fd;
	connection->call.sim = sim;
	connection->call.answer = call_answer;
	connection->call.fd = -1;
	if (sim_poll_source_add(sim, fd, EPOLLIN, &connection->source)) {
		free(connection);
		close(fd);
		return;
	}
	connection->next = sim->connections->first;
	sim->connections->first = connection;
}

static void
on_connect(void *owner, uint32_t events)
{
	const struct sim_connections *connections = owner;

	(void)events;
	for (;;) {
		int fd = accept4(connections->listener, NULL, NULL,
				 SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			return;
		accept_one(connections->sim, fd);
	}
}

int
sim_connections_listen(struct sim *sim)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct sim_connections *connections;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	connections = calloc(1, sizeof(*connections));
	if (!connections) {
		close(fd);
		return -ENOMEM;
	}
	sim->connections = connections;
	connections->sim = sim;
	connections->listener = fd;
	connections->source = (struct sim_poll_source){ .ready = on_connect,
							.owner = connections };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 sim->directory, PROTOCOL_SOCKET);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 128))
		return -errno;
	return sim_poll_source_add(sim, fd, EPOLLIN, &connections->source);
}

void
sim_connections_close(struct sim *sim)
{
	struct sim_connections *connections = sim->connections;

	if (!connections)
		return;
	while (connections->first)
		connection_close(connections->first);
	close(connections->listener);
	free(connections);
	sim->connections = NULL;
}
