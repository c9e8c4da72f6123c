/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passing descriptors at a socket: processes that wait get them, and none waits
 * in vain for longer than said.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "driver/share/fd_passing.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const struct fd_secret secret = { { 1, 2 } };
static const struct fd_server_terms terms = { .secret = { { 1, 2 } } };

struct visit {
	const struct fd_secret *secret;
	const char *name;
	size_t count;
	int passed[FD_PASSING_MAX];
	int ret;
};

static void *
fetch_descriptors(void *data)
{
	struct visit *visit = data;

	visit->ret = fd_client_fetch(visit->name, visit->secret, visit->passed,
				     visit->count, 60000);
	return NULL;
}

/* Serve one process that has come. */
static void
serve_visit_on(const struct fd_server_terms *terms, int server,
	       const int *passed, size_t count, struct visit *visit)
{
	struct pollfd knock = { .fd = server, .events = POLLIN };
	pthread_t thread;

	ck_assert_int_eq(
		pthread_create(&thread, NULL, fetch_descriptors, visit), 0);
	ck_assert_int_eq(poll(&knock, 1, -1), 1);
	fd_server_answer(server, terms, passed, count);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void
serve_visit(int server, const int *passed, size_t count, struct visit *visit)
{
	serve_visit_on(&terms, server, passed, count, visit);
}

TEST_CASE(server, NULL, NULL, "share_fd_passing");

TEST(server, descriptors_are_given_with_the_secret)
{
	char name[FD_SERVER_NAME_SIZE], byte = 0;
	int server = fd_server_open(name), line[2];
	struct visit one = { .secret = &secret, .name = name, .count = 2 };

	ck_assert_int_ge(server, 0);
	ck_assert_int_eq(pipe2(line, O_CLOEXEC), 0);
	serve_visit(server, line, 2, &one);
	ck_assert_int_eq(one.ret, 0);
	ck_assert_int_eq(write(one.passed[1], "x", 1), 1);
	ck_assert_int_eq(read(line[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'x');
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(fcntl(one.passed[i], F_GETFD), FD_CLOEXEC);
		close(one.passed[i]);
		close(line[i]);
	}
	close(server);
}

/* The name is known to everybody; the secret is another, by one word each. */
TEST_LOOP(server, without_the_secret_nothing_is_given, 2)
{
	const struct fd_secret wrong = { { _i ? 1 : 0, _i ? 0 : 2 } };
	char name[FD_SERVER_NAME_SIZE];
	int server = fd_server_open(name);
	struct visit one = { .secret = &wrong, .name = name, .count = 1 };

	ck_assert_int_ge(server, 0);
	serve_visit(server, &server, 1, &one);
	ck_assert_int_eq(one.ret, -EAGAIN);
	close(server);
}

static bool
judge_process(const void *data, pid_t pid)
{
	ck_assert_int_eq(pid, getpid());
	return *(const bool *)data;
}

/* The socket's owner judges a process by its number. */
TEST_LOOP(server, the_owner_judges_a_process_by_its_number, 2)
{
	const bool verdict = _i;
	const struct fd_server_terms judged = {
		.secret = secret,
		.is_allowed = judge_process,
		.data = &verdict,
	};
	char name[FD_SERVER_NAME_SIZE];
	int server = fd_server_open(name);
	struct visit one = { .secret = &secret, .name = name, .count = 1 };

	ck_assert_int_ge(server, 0);
	serve_visit_on(&judged, server, &server, 1, &one);
	ck_assert_int_eq(one.ret, verdict ? 0 : -EAGAIN);
	if (verdict)
		close(one.passed[0]);
	close(server);
}

/* Something else than was expected; none of it stays open. */
TEST_LOOP(server, another_number_of_descriptors_is_refused, 2)
{
	char name[FD_SERVER_NAME_SIZE];
	int server = fd_server_open(name), line[2], next;
	struct visit one = { .secret = &secret,
			     .name = name,
			     .count = _i ? 1 : 3 };

	ck_assert_int_ge(server, 0);
	ck_assert_int_eq(pipe2(line, O_CLOEXEC), 0);
	serve_visit(server, line, 2, &one);
	ck_assert_int_ne(one.ret, 0);
	close(server);
	next = dup(line[0]);
	ck_assert_int_eq(next, server);
	close(next);
	close(line[0]);
	close(line[1]);
}

TEST(server, a_silent_server_ends_in_a_timeout)
{
	char name[FD_SERVER_NAME_SIZE];
	int server = fd_server_open(name), passed[1];

	ck_assert_int_ge(server, 0);
	fd_server_answer(server, &terms, passed, 1);
	ck_assert_int_eq(fd_client_fetch(name, &secret, passed, 1, 1),
			 -ETIMEDOUT);
	/* a process that has gone is in no one's way */
	fd_server_answer(server, &terms, &server, 1);
	close(server);
	ck_assert_int_eq(fd_client_fetch(name, &secret, passed, 1, 60000),
			 -EAGAIN);
}

/* ------------------------------------------------------------------ */
/* What was given                                                       */

enum kind {
	KIND_CLOSED,
	KIND_PIPE,
	KIND_EVENTFD,
	KIND_BLOCKING_EVENTFD,
	KIND_DOOR,
	KIND_BLOCKING_DOOR,
	KIND_CONNECTED,
	KIND_STREAM_SOCKET,
	KIND_FILE,
};

static int
make_descriptor(enum kind kind)
{
	char name[FD_SERVER_NAME_SIZE];
	int pair[2];

	switch (kind) {
	case KIND_CLOSED:
		return -1;
	case KIND_PIPE:
		ck_assert_int_eq(pipe2(pair, O_CLOEXEC | O_NONBLOCK), 0);
		close(pair[0]);
		return pair[1];
	case KIND_EVENTFD:
		return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	case KIND_BLOCKING_EVENTFD:
		return eventfd(0, EFD_CLOEXEC);
	case KIND_DOOR:
		return fd_server_open(name);
	case KIND_BLOCKING_DOOR:
		pair[0] = fd_server_open(name);
		ck_assert_int_eq(fcntl(pair[0], F_SETFL, 0), 0);
		return pair[0];
	case KIND_CONNECTED:
		ck_assert_int_eq(socketpair(AF_UNIX,
					    SOCK_SEQPACKET | SOCK_NONBLOCK, 0,
					    pair),
				 0);
		close(pair[0]);
		return pair[1];
	case KIND_STREAM_SOCKET:
		pair[0] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		ck_assert_int_eq(listen(pair[0], 1), 0);
		return pair[0];
	case KIND_FILE:
		return open("/dev/null", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	}
	return -1;
}

static const struct {
	const char *name;
	enum kind kind;
	bool is_door, is_eventfd;
} kinds[] = {
	{ "a closed descriptor", KIND_CLOSED, false, false },
	{ "a pipe without reader", KIND_PIPE, false, false },
	{ "an eventfd", KIND_EVENTFD, false, true },
	{ "an eventfd that blocks", KIND_BLOCKING_EVENTFD, false, false },
	{ "a server", KIND_DOOR, true, false },
	{ "a server that blocks", KIND_BLOCKING_DOOR, false, false },
	{ "a connected socket", KIND_CONNECTED, false, false },
	{ "a socket of another family", KIND_STREAM_SOCKET, false, false },
	{ "a file", KIND_FILE, false, false },
};

TEST_LOOP(server, kinds_of_descriptors_are_told_apart, ARRAY_SIZE(kinds))
{
	int fd = make_descriptor(kinds[_i].kind);

	ck_assert_msg(fd_is_server(fd) == kinds[_i].is_door, "server: %s",
		      kinds[_i].name);
	ck_assert_msg(fd_is_eventfd(fd) == kinds[_i].is_eventfd, "eventfd: %s",
		      kinds[_i].name);
	close(fd);
}
