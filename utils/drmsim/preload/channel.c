/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "base/protocol.h"
#include "preload/identity.h"
#include "preload/raw.h"

/*
 * Connections are kept in a pool. A caller that finds none free makes a new one
 * and closes it afterwards if the pool is full.
 */
#define POOL_SIZE 32
enum {
	SLOT_EMPTY,
	SLOT_FREE,
	SLOT_BUSY
};

static struct slot {
	atomic_int state;
	int fd;
} pool[POOL_SIZE];

/* The process the pool belongs to: a forked child must not share it. */
static atomic_long pool_pid;
static struct sockaddr_un server;
static bool active;
static char machine[64];

static void
name_machine(const char *directory)
{
	const char *last = strrchr(directory, '/');

	last = last ? last + 1 : directory;
	if (strlen(last) < sizeof(machine))
		strcpy(machine, last);
}

void
channel_init(const char *directory)
{
	if (strlen(directory) + 2 + strlen(PROTOCOL_SOCKET) >
	    sizeof(server.sun_path))
		return;
	server.sun_family = AF_UNIX;
	strcpy(server.sun_path, directory);
	strcat(server.sun_path, "/" PROTOCOL_SOCKET);
	name_machine(directory);
	pool_pid = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	active = true;
}

const char *
channel_machine(void)
{
	return machine;
}

bool
channel_is_active(void)
{
	return active;
}

static void
close_raw(int fd)
{
	raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static int
connect_server(void)
{
	/* High numbers, out of the way of programs that count theirs. */
	long fd = raw_syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC,
			      0, 0, 0, 0);
	long high, error;

	if (fd < 0)
		return (int)fd;
	high = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500, 0, 0, 0);
	if (high >= 0) {
		close_raw((int)fd);
		fd = high;
	}
	do {
		error = raw_syscall(SYS_connect, fd, (long)&server,
				    sizeof(server), 0, 0, 0);
	} while (error == -EINTR);
	if (error < 0) {
		close_raw((int)fd);
		return -ENODEV;
	}
	/* The server reads this process's memory. */
	struct ucred peer;
	socklen_t size = sizeof(peer);
	if (raw_syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED,
			(long)&peer, (long)&size, 0) == 0)
		raw_syscall(SYS_prctl, PR_SET_PTRACER, peer.pid, 0, 0, 0, 0);
	return (int)fd;
}

void
channel_forget(void)
{
	for (unsigned i = 0; i < POOL_SIZE; i++) {
		if (pool[i].state != SLOT_EMPTY)
			close_raw(pool[i].fd);
		pool[i].state = SLOT_EMPTY;
	}
	pool_pid = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* Returns a descriptor or -errno; *slot is NULL for one outside the pool. */
static int
slot_take(struct slot **slot)
{
	int expected;

	*slot = NULL;
	/* A vfork child shares our memory: it may not touch the pool. */
	if (raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0) != pool_pid)
		return connect_server();
	for (unsigned i = 0; i < POOL_SIZE; i++) {
		expected = SLOT_FREE;
		if (atomic_compare_exchange_strong(&pool[i].state, &expected,
						   SLOT_BUSY)) {
			*slot = &pool[i];
			return pool[i].fd;
		}
	}
	int fd = connect_server();
	for (unsigned i = 0; i < POOL_SIZE && fd >= 0; i++) {
		expected = SLOT_EMPTY;
		if (atomic_compare_exchange_strong(&pool[i].state, &expected,
						   SLOT_BUSY)) {
			pool[i].fd = fd;
			*slot = &pool[i];
			break;
		}
	}
	return fd;
}

static void
slot_release(struct slot *slot, int fd, bool broken)
{
	if (!slot || broken)
		close_raw(fd);
	if (slot)
		slot->state = broken ? SLOT_EMPTY : SLOT_FREE;
}

void
channel_connect(void)
{
	struct slot *slot;
	int fd;

	if (!active)
		return;
	fd = slot_take(&slot);
	if (fd >= 0)
		slot_release(slot, fd, false);
}

static long
send_all(int fd, struct iovec *parts, size_t count)
{
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = count };
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		left += parts[i].iov_len;
	while (left > 0) {
		long sent = raw_syscall(SYS_sendmsg, fd, (long)&message,
					MSG_NOSIGNAL, 0, 0, 0);
		if (sent == -EINTR)
			continue;
		if (sent <= 0)
			return -EPIPE;
		left -= (size_t)sent;
		for (size_t n = (size_t)sent; n > 0;) {
			struct iovec *part = message.msg_iov;
			size_t step = n < part->iov_len ? n : part->iov_len;
			part->iov_base = (char *)part->iov_base + step;
			part->iov_len -= step;
			n -= step;
			if (part->iov_len == 0) {
				message.msg_iov++;
				message.msg_iovlen--;
			}
		}
	}
	return 0;
}

/*
 * Cancel a call, which the server answers with -EINTR, unless it has answered
 * already.
 */
static long
cancel_call(int fd)
{
	struct protocol_request cancel = { .kind = PROTOCOL_CANCEL };
	struct iovec out = { &cancel, sizeof(cancel) };

	return send_all(fd, &out, 1);
}

/*
 * Receive the first bytes of a reply, and its descriptor. A signal whose
 * handler does not restart system calls ends a sleeping call.
 */
static long
receive_head(int fd, bool cancelled, struct protocol_reply *reply, int *passed)
{
	char *to = (char *)reply;
	size_t have = 0;
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;

	*passed = -1;
	while (have < sizeof(*reply)) {
		struct iovec part = { to + have, sizeof(*reply) - have };
		struct msghdr message = {
			.msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = &control,
			.msg_controllen = sizeof(control),
		};
		long got = raw_syscall(SYS_recvmsg, fd, (long)&message,
				       MSG_CMSG_CLOEXEC, 0, 0, 0);
		if (got == -EINTR) {
			if (!cancelled && cancel_call(fd) < 0)
				return -EPIPE;
			cancelled = true;
			continue;
		}
		if (got <= 0)
			return -EPIPE;
		have += (size_t)got;
		if (message.msg_controllen >= sizeof(struct cmsghdr) &&
		    control.head.cmsg_type == SCM_RIGHTS)
			memcpy(passed, CMSG_DATA(&control.head), sizeof(int));
	}
	return 0;
}

/* A connection on which a thread waits. */
struct wait {
	struct slot *slot;
	int fd;
};

/* Give up. The server forgets the call of a connection that is closed. */
static void
abandon_call(void *data)
{
	const struct wait *wait = data;

	slot_release(wait->slot, wait->fd, true);
}

/*
 * Wait for a reply where the real call is a point at which a thread can be
 * cancelled. So this goes through libc, and like the call itself goes on after
 * signals whose handlers restart it.
 */
static bool
await_reply(struct slot *slot, int fd)
{
	struct wait wait = { slot, fd };
	int error = errno;
	bool interrupted;
	char first;

	pthread_cleanup_push(abandon_call, &wait);
	/* recv() is intercepted by umockdev */
	interrupted = recvfrom(fd, &first, 1, MSG_PEEK, NULL, NULL) < 0 &&
		      errno == EINTR;
	pthread_cleanup_pop(0);
	errno = error;
	return !interrupted;
}

/* Returns 0, -EPIPE, or -EFAULT with everything still received. */
static long
receive_range(int fd, uint64_t address, uint64_t size)
{
	char scratch[256];
	long result = 0;

	while (size > 0) {
		uint64_t chunk = size;
		uint64_t to = address;
		if (result) {
			to = (uint64_t)(uintptr_t)scratch;
			chunk = size < sizeof(scratch) ? size : sizeof(scratch);
		}
		long got = raw_syscall(SYS_recvfrom, fd, (long)to, (long)chunk,
				       0, 0, 0);
		if (got == -EINTR)
			continue;
		if (got == -EFAULT && !result) {
			result = -EFAULT;
			continue;
		}
		if (got <= 0)
			return -EPIPE;
		address += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return result;
}

static long
receive_pieces(int fd, uint32_t count)
{
	long result = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct protocol_piece piece;
		long error = receive_range(fd, (uint64_t)(uintptr_t)&piece,
					   sizeof(piece));
		if (!error)
			error = receive_range(fd, piece.address, piece.size);
		if (error == -EPIPE)
			return error;
		if (error)
			result = error;
	}
	return result;
}

/* Install the descriptor that came with a reply; returns the result. */
static long
place_fd(const struct protocol_reply *reply, int passed, int *fd)
{
	if (!(reply->flags & PROTOCOL_CLOEXEC))
		raw_syscall(SYS_fcntl, passed, F_SETFD, 0, 0, 0, 0);
	if (reply->flags & PROTOCOL_STREAM)
		identity_add_stream(passed, reply->id);
	if (fd) {
		*fd = passed;
		return reply->result;
	}
	if (!(reply->flags & PROTOCOL_STORE_FD))
		return passed;
	memcpy((void *)(uintptr_t)reply->store, &passed, sizeof(passed));
	return reply->result;
}

long
channel_call(const struct protocol_request *request, const char *text,
	     struct protocol_reply *reply, int *fd)
{
	struct protocol_request head = *request;
	struct protocol_reply answer;
	struct slot *slot;
	bool cancelled = false;
	int passed;
	int socket = slot_take(&slot);

	if (socket < 0)
		return socket;
	if (fd)
		*fd = -1;
	head.text_size = text ? (uint32_t)strlen(text) : 0;
	struct iovec parts[] = { { &head, sizeof(head) },
				 { (void *)(uintptr_t)text, head.text_size } };
	long error = send_all(socket, parts, head.text_size ? 2 : 1);
	if (!error && head.kind == PROTOCOL_STREAM_READ)
		cancelled = !await_reply(slot, socket);
	if (!error && cancelled)
		error = cancel_call(socket);
	if (!error)
		error = receive_head(socket, cancelled, &answer, &passed);
	if (error) {
		slot_release(slot, socket, true);
		return -ENODEV;
	}
	error = receive_pieces(socket, answer.pieces);
	slot_release(slot, socket, error == -EPIPE);
	if (reply)
		*reply = answer;
	if (answer.flags & PROTOCOL_HAS_FD) {
		if (passed < 0)
			return -EMFILE;
		return place_fd(&answer, passed, fd);
	}
	return error ? error : (long)answer.result;
}

void
channel_exit(void)
{
	struct protocol_request request = { .kind = PROTOCOL_EXIT };
	bool used = false;

	for (unsigned i = 0; i < POOL_SIZE; i++)
		used = used || pool[i].state != SLOT_EMPTY;
	if (active && used &&
	    raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0) == pool_pid)
		channel_call(&request, NULL, NULL, NULL);
}
