/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pipes that drmsim's streams are: what their owner sees, and that he may
 * close them at any moment.
 */
#include "drmsim/kernel/call.h"
#include "drmsim/kernel/stream.h"
#include "drmsim/server/server.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#include <poll.h>
#include <unistd.h>

static void
count_end(struct sim_stream *stream)
{
	unsigned *ends = sim_stream_data(stream);

	++*ends;
}

static const struct sim_stream_ops ops = { .name = "test", .close = count_end };

/* Make a stream whose owner, the holder of *fd, is this process as well. */
static struct sim_stream *
make_stream(struct sim *sim, unsigned *ends, int *fd)
{
	struct sim_call call = { .sim = sim, .fd = -1 };
	struct sim_stream *stream;

	ck_assert_int_eq(sim_stream_create(sim, NULL, &ops, ends, &stream), 0);
	ck_assert_int_eq(sim_stream_give(stream, &call, true, 0), 0);
	*fd = call.fd;
	return stream;
}

static bool
is_readable(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, 0) == 1 && poller.revents == POLLIN;
}

TEST_CASE(all, NULL, NULL, "drmsim_stream");

TEST(all, readable_as_told)
{
	struct sim *sim = sim_server_create();
	unsigned ends = 0;
	int fd;
	struct sim_stream *stream = make_stream(sim, &ends, &fd);

	ck_assert(!is_readable(fd));
	for (unsigned i = 0; i < 3; i++) {
		sim_stream_set_readable(stream, true);
		sim_stream_set_readable(stream, true);
		ck_assert(is_readable(fd));
		sim_stream_set_readable(stream, false);
		ck_assert(!is_readable(fd));
	}
	sim_streams_check(sim);
	ck_assert_uint_eq(ends, 0);
	close(fd);
	sim_streams_check(sim);
	ck_assert_uint_eq(ends, 1);
	sim_server_destroy(sim);
}

/* The news of the closing comes later than what makes it readable. */
TEST(all, readable_for_nobody)
{
	struct sim *sim = sim_server_create();
	unsigned ends = 0;
	int fd;
	struct sim_stream *stream = make_stream(sim, &ends, &fd);

	close(fd);
	sim_stream_set_readable(stream, true);
	sim_stream_set_readable(stream, false);
	sim_stream_set_readable(stream, true);
	ck_assert_uint_eq(ends, 0);
	sim_streams_check(sim);
	ck_assert_uint_eq(ends, 1);
	sim_server_destroy(sim);
}
